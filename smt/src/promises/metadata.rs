//! What metadata and a few attributes say that neither engine knows, so that verdicts would claim too much.
//!
//! `!tbaa` and the like make runs undefined, or results other ones, that the interpreter and the solver take for defined.
//! In a source they may excuse what looks like a failure ([`promises`]); in a target that has more of them than its source
//! they may be the failure ([`beyond`]). What a target says of an instruction its source has to say of one that goes back
//! to the same memory: which instruction came of which is not known, so two accesses of one object that swap what is said
//! of them are not told apart.

use super::Promised;
use super::pointers::roots;
use crate::modelled;
use crate::refinement::FunctionRef;
use backedge_ir::attr::FlagAttr;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{FuncId, MdId};
use backedge_ir::meaning::Modelled;
use backedge_ir::meaning::metadata::{Carrier, is_known};
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::module::{Env, Module};
use backedge_ir::print::constant_to_string;
use std::collections::BTreeSet;

/// A promise that makes a run undefined if it is broken.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Promise {
    /// Accesses of different types do not alias.
    Tbaa,
    /// Accesses of different scopes do not alias.
    AliasScope,
    /// The memory that is loaded from never changes.
    Invariant,
    /// Iterations of a loop do not depend on each other through memory.
    ParallelAccess,
    /// The function is not called while it is running.
    NoRecurse,
    /// The result may be less precise.
    Precision,
    /// A value of some classes is poison.
    NoClass,
    /// The pointer leads to none of some address spaces.
    NoSpace,
    /// Which functions may be called.
    Callees,
}

impl Promise {
    /// How it is spelled.
    pub fn words(self) -> &'static str {
        match self {
            Self::Tbaa => "`!tbaa`",
            Self::AliasScope => "`!alias.scope` or `!noalias`",
            Self::Invariant => "`!invariant.load` or `!invariant.group`",
            Self::ParallelAccess => "`!llvm.access.group`",
            Self::NoRecurse => "`norecurse`",
            Self::Precision => "`!fpmath`",
            Self::NoClass => "`!nofpclass`",
            Self::NoSpace => "`!noalias.addrspace`",
            Self::Callees => "`!callees`",
        }
    }
}

impl Promise {
    /// The claim that a function keeps it.
    pub(super) fn claim(self, name: &str) -> String {
        match self {
            Self::NoRecurse => format!("@{name} is norecurse"),
            Self::Tbaa
            | Self::AliasScope
            | Self::Invariant
            | Self::ParallelAccess
            | Self::Precision
            | Self::NoClass
            | Self::NoSpace
            | Self::Callees => format!("@{name} keeps {}", self.words().replace('`', "")),
        }
    }
}

/// The promises of a function that neither engine knows, each once, in order.
pub fn promises(side: FunctionRef<'_>) -> Vec<Promise> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let env = &side.module.env;
    let mut found = Vec::new();
    if env.has_attr(&env.funcs[side.func].attrs, FlagAttr::NoRecurse) && names(side.module, side.func) {
        found.push(Promise::NoRecurse);
    }
    let mut types = Vec::new();
    for inst in body.all_insts() {
        for (kind, node) in &body.inst(inst).metadata {
            match kind {
                // Accesses of one type may alias.
                MdKind::Tbaa | MdKind::TbaaStruct => {
                    types.push(*node);
                    if types[0] != *node {
                        found.push(Promise::Tbaa);
                    }
                }
                MdKind::AliasScope | MdKind::NoAlias => found.push(Promise::AliasScope),
                MdKind::InvariantLoad | MdKind::InvariantGroup => found.push(Promise::Invariant),
                MdKind::AccessGroup | MdKind::MemParallelLoopAccess => found.push(Promise::ParallelAccess),
                MdKind::FpMath => found.push(Promise::Precision),
                MdKind::Callees => found.push(Promise::Callees),
                MdKind::Other(name) if &**name == "nofpclass" => found.push(Promise::NoClass),
                MdKind::Other(name) if &**name == "noalias.addrspace" => found.push(Promise::NoSpace),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a function, or one that it names, names it: it may call itself. The interpreter knows what that is worth, the
/// solver takes such calls for unknown.
fn names(module: &Module, func: FuncId) -> bool {
    let (mut seen, mut work) = (Vec::new(), vec![func]);
    while let Some(from) = work.pop() {
        for (_, constant) in module.body(from).into_iter().flat_map(|b| b.consts().iter()) {
            let ConstData::Global(GlobalRef::Func(to)) = constant.data else { continue };
            if to == func {
                return true;
            }
            if !seen.contains(&to) {
                seen.push(to);
                work.push(to);
            }
        }
    }
    false
}

/// Metadata of the target's instructions that the source has on none that go back to the same memory.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let of_source: BTreeSet<Said> = said(source).into_iter().collect();
    let of_target = said(target);
    let one_type = |list: &[Said]| {
        let mut types = list.iter().filter(|s| s.kind == "tbaa").map(|s| &s.node);
        types.next().is_none_or(|first| types.all(|t| t == first))
    };
    // Accesses of one type may alias.
    let untyped = one_type(&of_target);
    let more = of_target.into_iter().filter(|s| !of_source.contains(s) && (!untyped || s.kind != "tbaa"));
    let mut kinds: Vec<(String, bool)> = more.map(|s| (s.kind, s.is_known)).collect();
    kinds.dedup();
    let name = &target.module.env.funcs[target.func].name;
    let at_places = kinds.into_iter().map(|(kind, is_known)| {
        let claim = is_known.then(|| format!("@{name} keeps !{kind}"));
        Promised { claim, ..Promised::new(format!("`!{kind}`"), "at another place") }
    });
    let (own, other) = (of_header(source), of_header(target));
    let of_headers = other.into_iter().filter(|said| !own.contains(said));
    at_places
        .chain(of_headers.map(|(kind, _)| Promised::new(format!("`!{kind}`"), "of the function")))
        .collect()
}

/// The attachments of a function header that the encoder does not model, by kind and contents.
fn of_header(side: FunctionRef<'_>) -> Vec<(String, String)> {
    let env = &side.module.env;
    let attachments = env.funcs[side.func].metadata.iter();
    let open = attachments.filter(|(kind, _)| modelled::metadata(kind, Carrier::Global) == Modelled::No);
    open.map(|(kind, node)| (kind.name().to_owned(), ref_text(env, *node, 0))).collect()
}

/// What one attachment says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Said {
    kind: String,
    node: String,
    /// What the pointers among the operands go back to.
    roots: Vec<String>,
    /// Whether the registry of meanings has the kind.
    is_known: bool,
}

fn said(side: FunctionRef<'_>) -> Vec<Said> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let env = &side.module.env;
    let mut found = Vec::new();
    for inst in body.all_insts() {
        for (kind, node) in &body.inst(inst).metadata {
            if is_known_or_harmless(kind) {
                continue;
            }
            let is_known = is_known(kind);
            let kind = if *kind == MdKind::TbaaStruct { "tbaa" } else { kind.name() };
            found.push(Said {
                is_known,
                kind: kind.to_owned(),
                node: ref_text(env, *node, 0),
                roots: roots(env, body, inst),
            });
        }
    }
    found.sort();
    found
}

/// Kinds without a meaning, and those that the encoder models on loads; calls and loops are compared elsewhere.
fn is_known_or_harmless(kind: &MdKind) -> bool {
    modelled::metadata(kind, Carrier::Load) == Modelled::Yes
}

/// Nodes below which no more is looked at.
const DEPTH: u32 = 8;

pub(super) fn ref_text(env: &Env, md: MdRef, depth: u32) -> String {
    match md {
        MdRef::Const(c) => constant_to_string(env, c),
        MdRef::Node(id) => node_text(env, id, depth),
    }
}

/// A node by what it holds: numbers of nodes differ from module to module.
fn node_text(env: &Env, id: MdId, depth: u32) -> String {
    if depth > DEPTH {
        return "…".to_owned();
    }
    match &env.metadata.get(id).body {
        Some(MdBody::Tuple(operands)) => {
            let operand = |o: &MdOperand| match o {
                MdOperand::Null => "null".to_owned(),
                MdOperand::String(s) => format!("\"{s}\""),
                MdOperand::Const(c) => constant_to_string(env, *c),
                // A node that holds itself to be unlike others.
                MdOperand::Node(inner) if *inner == id => "itself".to_owned(),
                MdOperand::Node(inner) => node_text(env, *inner, depth + 1),
            };
            format!("{{{}}}", operands.iter().map(operand).collect::<Vec<_>>().join(", "))
        }
        Some(MdBody::Text(text) | MdBody::String(text)) => text.to_string(),
        None => "?".to_owned(),
    }
}
