//! Scoped alias metadata (LangRef, "noalias and alias.scope Metadata"): an access whose `!noalias` list contains all
//! scopes of one domain in another access's `!alias.scope` list does not alias that access.
//!
//! A scope with a declaration (`llvm.experimental.noalias.scope.decl`) denotes a new instance each time that the
//! declaration is executed: a scope declared in a loop differs between iterations.

use crate::cache::{Analysis, At, Depends};
use crate::must_execute::called_intrinsic;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, MetadataConst};
use backedge_ir::entity::{Inst, MdId};
use backedge_ir::inst::Value;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;
use rustc_hash::FxHashMap;

/// Limit on the number of scopes in a list: lists are compared scope by scope. A longer list is ignored.
const SCOPES: usize = 64;

/// The declarations of each scope.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Declarations {
    of: FxHashMap<MdId, Vec<Inst>>,
}

impl Declarations {
    /// The declarations of a scope. A scope without declarations is the same in the whole activation of the function.
    pub(super) fn of(&self, scope: MdId) -> &[Inst] {
        self.of.get(&scope).map_or(&[], |all| all)
    }
}

impl Analysis for Declarations {
    const NAME: &'static str = "declared scopes";
    const DEPENDS: Depends = Depends::Body;
    fn compute(at: At<'_>) -> Self {
        let mut this = Self::default();
        for inst in at.body.all_insts() {
            if !declares(at.env, at.body, inst) {
                continue;
            }
            let Some(list) = declared_by(at.body, inst) else { continue };
            scopes(at.env, list).for_each(|scope| this.of.entry(scope).or_default().push(inst));
        }
        this
    }
    fn same_as(&self, other: &Self, _: At<'_>) -> bool {
        self == other
    }
}

/// Whether the metadata of one access says that it does not alias the other, using only scopes for which `is_one` says
/// that both accesses see the same instance.
pub(super) fn no_alias(at: At<'_>, a: Inst, b: Inst, is_one: &dyn Fn(MdId) -> bool) -> bool {
    says(at, a, b, is_one) || says(at, b, a, is_one)
}

/// Whether `!noalias` of `a` covers, in some domain, all scopes of `b` in that domain.
fn says(at: At<'_>, a: Inst, b: Inst, is_one: &dyn Fn(MdId) -> bool) -> bool {
    let (Some(noalias), Some(scopes)) = (list(at, a, &MdKind::NoAlias), list(at, b, &MdKind::AliasScope))
    else {
        return false;
    };
    let mut covered: FxHashMap<MdId, bool> = FxHashMap::default();
    for scope in scopes {
        let Some(domain) = domain_of(at, scope) else { return false };
        *covered.entry(domain).or_insert(true) &= noalias.contains(&scope) && is_one(scope);
    }
    covered.values().any(|c| *c)
}

fn list(at: At<'_>, inst: Inst, kind: &MdKind) -> Option<Vec<MdId>> {
    let MdRef::Node(id) = at.body.inst(inst).metadata_of(kind)? else { return None };
    let scopes: Vec<MdId> = scopes(at.env, *id).take(SCOPES + 1).collect();
    (!scopes.is_empty() && scopes.len() <= SCOPES).then_some(scopes)
}

/// Whether `inst` declares scopes.
pub fn declares(env: &Env, body: &Body, inst: Inst) -> bool {
    let called = body.inst(inst).call().and_then(|call| called_intrinsic(env, body, call));
    called == Some(Intrinsic::NoAliasScopeDecl)
}

/// The list of the scopes that `declaration` declares, if it is a node.
pub fn declared_by(body: &Body, declaration: Inst) -> Option<MdId> {
    let &Value::Const(list) = body.inst(declaration).operands.first()? else { return None };
    match body.constant(list).data {
        ConstData::Metadata(MetadataConst::Node(list)) => Some(list),
        _ => None,
    }
}

/// The scopes in `list`.
pub fn scopes(env: &Env, list: MdId) -> impl Iterator<Item = MdId> {
    let operands = env.metadata.tuple(list).unwrap_or_default().iter();
    operands.filter_map(|o| match o {
        MdOperand::Node(id) => Some(*id),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    })
}

/// The domain of a scope; a scope is `!{itself or a name, domain, …}`.
fn domain_of(at: At<'_>, scope: MdId) -> Option<MdId> {
    match at.env.metadata.tuple(scope)?.get(1)? {
        MdOperand::Node(id) => Some(*id),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    }
}
