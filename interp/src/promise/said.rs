//! The metadata of one instruction that restricts memory accesses.

use super::tbaa::{Tag, Types};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef, MetadataConst};
use backedge_ir::entity::{Block, FuncId, Inst, MdId};
use backedge_ir::inst::{InstData, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::loop_options::{option, options};
use backedge_ir::meaning::library::{Known, Library, called};
use backedge_ir::meaning::metadata::Carrier;
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::{Env, Module};
use rustc_hash::FxHashMap;

/// Restrictions that one instruction carries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Said {
    pub(super) tag: Option<Tag>,
    /// Parts of a copy: offset, size and tag.
    pub(super) parts: Vec<(u64, u64, Tag)>,
    /// Scopes with their domains.
    pub(super) scopes: Vec<(MdId, MdId)>,
    pub(super) noalias: Vec<MdId>,
    pub(super) groups: Vec<MdId>,
    pub(super) invariant_load: bool,
    pub(super) invariant_group: bool,
    /// A kind without a rule in the checker.
    pub(super) other: Option<&'static str>,
}

impl Said {
    pub(super) fn of(env: &Env, data: &InstData) -> Self {
        let mut said = Self::default();
        let types = Types { env };
        for (kind, md) in &data.metadata {
            let node = match md {
                MdRef::Node(id) => Some(*id),
                MdRef::Const(_) => None,
            };
            let nodes = || node.map(|id| list(env, id)).unwrap_or_default();
            if *kind == MdKind::Tbaa {
                said.tag = node.and_then(|id| types.tag(id));
            } else if *kind == MdKind::TbaaStruct {
                said.parts = node.map(|id| parts(env, id)).unwrap_or_default();
            } else if *kind == MdKind::AliasScope {
                said.scopes = scopes(env, &nodes());
            } else if *kind == MdKind::NoAlias {
                said.noalias = nodes();
            } else if matches!(kind, MdKind::AccessGroup | MdKind::MemParallelLoopAccess) {
                // A single group is its own node; a list names several.
                let named = nodes();
                said.groups.extend(node.filter(|_| named.is_empty()));
                said.groups.extend(named);
                said.groups.extend(node);
            } else if *kind == MdKind::InvariantLoad {
                said.invariant_load = true;
            } else if *kind == MdKind::InvariantGroup {
                said.invariant_group = true;
            } else {
                said.other = said.other.or(other(kind, Carrier::of(&data.kind)));
            }
        }
        said.invariant_load |= said.tag.is_some_and(|tag| tag.constant);
        said
    }
    /// Whether the instruction carries no restriction.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The spelling of a metadata kind that may excuse the target and that no rule checks.
fn other(kind: &MdKind, carrier: Carrier) -> Option<&'static str> {
    let is_of_cast = carrier == Carrier::Other;
    match kind.name() {
        "dereferenceable" if is_of_cast => Some("`!dereferenceable`"),
        "dereferenceable_or_null" if is_of_cast => Some("`!dereferenceable_or_null`"),
        "captures" => Some("`!captures`"),
        "nofree" => Some("`!nofree`"),
        "fpmath" => Some("`!fpmath`"),
        "callees" => Some("`!callees`"),
        "nofpclass" => Some("`!nofpclass`"),
        "noalias.addrspace" => Some("`!noalias.addrspace`"),
        _ => None,
    }
}

/// The nodes that a list names.
pub(super) fn list(env: &Env, id: MdId) -> Vec<MdId> {
    let operands = env.metadata.tuple(id).unwrap_or_default().iter();
    let node = |operand: &MdOperand| match operand {
        MdOperand::Node(inner) => Some(*inner),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    };
    operands.filter_map(node).collect()
}

/// Scopes with their domains: `!{itself or a name, domain, …}`.
fn scopes(env: &Env, ids: &[MdId]) -> Vec<(MdId, MdId)> {
    let domain = |scope: &MdId| match env.metadata.tuple(*scope)?.get(1)? {
        MdOperand::Node(domain) => Some((*scope, *domain)),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    };
    ids.iter().filter_map(domain).collect()
}

fn parts(env: &Env, id: MdId) -> Vec<(u64, u64, Tag)> {
    let fields = env.metadata.fields(id, &env.consts).flatten();
    fields.filter_map(|(at, size, tag)| Some((at, size, Types { env }.tag(tag)?))).collect()
}

/// Scopes declared by `llvm.experimental.noalias.scope.decl`. Runs do not report such calls, so each declaration
/// belongs to the next instruction of its block that has metadata or is a call, or to the end of the block.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub(super) before: FxHashMap<Inst, Vec<MdId>>,
    pub(super) at_end: FxHashMap<Block, Vec<MdId>>,
}

impl Declarations {
    pub(super) fn of(env: &Env, body: &Body) -> Self {
        let mut found = Self::default();
        for block in body.blocks() {
            let mut open = Vec::new();
            for &inst in body.insts(block) {
                let data = body.inst(inst);
                if intrinsic(env, body, inst) == Some(Intrinsic::NoAliasScopeDecl) {
                    open.extend(declared(env, body, inst));
                } else if !open.is_empty()
                    && (!data.metadata.is_empty()
                        || data.call().is_some() && intrinsic(env, body, inst).is_none())
                {
                    found.before.insert(inst, std::mem::take(&mut open));
                }
            }
            if !open.is_empty() {
                found.at_end.insert(block, open);
            }
        }
        found
    }
}

fn declared(env: &Env, body: &Body, inst: Inst) -> Vec<MdId> {
    let Some(&Value::Const(scopes)) = body.inst(inst).operands.first() else { return Vec::new() };
    let ConstData::Metadata(MetadataConst::Node(id)) = body.constant(scopes).data else { return Vec::new() };
    list(env, id)
}

/// The intrinsic that a call names.
pub(super) fn intrinsic(env: &Env, body: &Body, inst: Inst) -> Option<Intrinsic> {
    env.funcs[callee(body, inst)?].intrinsic
}

/// The function that a call names.
pub(super) fn callee(body: &Body, inst: Inst) -> Option<FuncId> {
    body.called_function(body.inst(inst).call()?.callee())
}

/// Calls of library functions about which some LLVM passes assume more than others.
pub(super) fn of_library(
    module: &Module,
    func: FuncId,
    body: &Body,
) -> impl Iterator<Item = (Inst, Library)> {
    let which = move |inst: Inst| match called(module, func, body, inst)? {
        Known::Function(which) => Some((inst, which)),
        Known::Unmodelled => None,
    };
    let is_such = |(_, which): &(Inst, Library)| {
        matches!(which, Library::MemCmp | Library::Bcmp | Library::WcsLen2 | Library::WcsLen4)
    };
    body.all_insts().filter_map(which).filter(is_such)
}

/// Headers of loops whose metadata lists parallel accesses, with their access groups. A loop's own node is one of the
/// groups, for the older form of the metadata.
pub(super) fn parallel_loops(env: &Env, body: &Body) -> Vec<(Block, Vec<MdId>)> {
    let mut found = Vec::new();
    for latch in body.blocks() {
        let own = options(env, body, latch).first();
        let Some(MdOperand::Node(own)) = own else { continue };
        let named = option(env, body, latch, "llvm.loop.parallel_accesses").unwrap_or_default();
        let mut groups = vec![*own];
        groups.extend(named.iter().filter_map(|o| match o {
            MdOperand::Node(id) => Some(*id),
            MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
        }));
        let Some(end) = body.terminator(latch) else { continue };
        found.extend(body.inst(end).blocks.iter().map(|header| (*header, groups.clone())));
    }
    found
}

/// Whether a call's result is `noundef` and also has metadata or flags that may make it poison.
pub(super) fn is_noundef_with_facts(env: &Env, body: &Body, inst: Inst) -> bool {
    let Some(call) = body.inst(inst).call() else { return false };
    let declared = callee(body, inst).map(|func| &env.funcs[func].ret_attrs);
    let lists = std::iter::once(&call.info.ret_attrs).chain(declared);
    let is_defined = lists.into_iter().any(|list| env.has_attr(list, FlagAttr::NoUndef));
    is_defined && (!call.info.fast.is_empty() || !body.inst(inst).metadata.is_empty())
}

/// Kinds of promises that a run may violate.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Promising {
    Nothing,
    /// Only calls of library functions, which themselves choose among many results.
    Library,
    /// Metadata or attributes.
    Metadata,
    /// Also metadata about memory contents over the whole run.
    Invariance,
}

/// The promises known to the checker that a run of `func` may violate.
pub(super) fn promising(module: &Module, func: FuncId) -> Promising {
    let (mut funcs, mut next) = (vec![func], 0);
    let mut found = Promising::Nothing;
    while let Some(&func) = funcs.get(next) {
        next += 1;
        let Some(body) = module.body(func) else { continue };
        let env = &module.env;
        if env.has_attr(&env.funcs[func].attrs, FlagAttr::NoRecurse) {
            found = Promising::Metadata;
        }
        for said in
            body.all_insts().map(|inst| Said::of(env, body.inst(inst))).filter(|said| !said.is_empty())
        {
            if said.invariant_load {
                return Promising::Invariance;
            }
            found = Promising::Metadata;
        }
        let stores_back = env.funcs[func].param_attrs.iter().any(|list| env.stored_back(list) > 0);
        let is_noundef_with_facts = body.all_insts().any(|inst| is_noundef_with_facts(env, body, inst));
        if stores_back || is_noundef_with_facts || of_library(module, func, body).next().is_some() {
            found = found.max(Promising::Library);
        }
        for (_, constant) in body.consts().iter() {
            if let ConstData::Global(GlobalRef::Func(named)) = constant.data
                && !funcs.contains(&named)
            {
                funcs.push(named);
            }
        }
    }
    found
}
