//! Scoped alias metadata (LangRef, "noalias and alias.scope Metadata"): accesses with `!noalias` lists do not touch what
//! accesses with the `!alias.scope` lists of the same domain do.

use crate::cache::At;
use backedge_ir::entity::{Inst, MdId};
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use rustc_hash::FxHashMap;

/// How many scopes of a list are looked at.
const SCOPES: usize = 64;

/// Whether the metadata of one says that it does not alias the other.
pub(super) fn no_alias(at: At<'_>, a: Inst, b: Inst) -> bool {
    says(at, a, b) || says(at, b, a)
}

/// Whether `!noalias` of `a` covers, in some domain, all scopes of `b` in that domain.
fn says(at: At<'_>, a: Inst, b: Inst) -> bool {
    let (Some(noalias), Some(scopes)) = (list(at, a, &MdKind::NoAlias), list(at, b, &MdKind::AliasScope))
    else {
        return false;
    };
    let mut covered: FxHashMap<MdId, bool> = FxHashMap::default();
    for scope in scopes {
        let Some(domain) = domain_of(at, scope) else { return false };
        *covered.entry(domain).or_insert(true) &= noalias.contains(&scope);
    }
    covered.values().any(|c| *c)
}

fn list(at: At<'_>, inst: Inst, kind: &MdKind) -> Option<Vec<MdId>> {
    let MdRef::Node(id) = at.body.inst(inst).metadata_of(kind)? else { return None };
    let scopes: Vec<MdId> = nodes(at, *id).take(SCOPES + 1).collect();
    (!scopes.is_empty() && scopes.len() <= SCOPES).then_some(scopes)
}

fn nodes(at: At<'_>, id: MdId) -> impl Iterator<Item = MdId> {
    let operands = at.env.metadata.tuple(id).unwrap_or_default().iter();
    operands.filter_map(|o| match o {
        MdOperand::Node(id) => Some(*id),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    })
}

/// A scope is `!{itself or a name, domain, …}`.
fn domain_of(at: At<'_>, scope: MdId) -> Option<MdId> {
    match at.env.metadata.tuple(scope)?.get(1)? {
        MdOperand::Node(id) => Some(*id),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    }
}
