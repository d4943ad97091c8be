//! Promises of metadata and of a few attributes that neither engine models, so that verdicts would be too strong.
//!
//! Violated `!tbaa` and similar metadata makes runs UB, or changes results, while the interpreter and the solver treat
//! these runs as defined. In a source, such metadata may excuse an apparent failure ([`promises`]); in a target with
//! more metadata than its source, it may be the failure ([`beyond`]). Which source instruction became which target
//! instruction is unknown. The source must therefore have the target's metadata on all accesses of the same address
//! that look alike ([`shape`]), and one of these accesses must execute whenever the target's does ([`Guards`]).

use super::guards::{Guards, Loops};
use super::nodes::{Nodes, Of, claimed, operand};
use super::pointers::shape;
use super::{Promised, places, writes};
use crate::modelled;
use crate::refinement::FunctionRef;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{FuncId, Inst, MdId};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::Modelled;
use backedge_ir::meaning::metadata::{Carrier, is_known};
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::module::{Env, Module};
use backedge_ir::opcode::CastOp;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A promise whose violation makes a run UB.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Promise {
    /// Accesses of different types do not alias.
    Tbaa,
    /// Accesses of different scopes do not alias.
    AliasScope,
    /// The loaded memory never changes.
    Invariant,
    /// Iterations of a loop have no memory dependences on each other.
    ParallelAccess,
    /// The function is not called recursively.
    NoRecurse,
    /// The result may be less precise.
    Precision,
    /// A value in some floating-point classes is poison.
    NoClass,
    /// The pointer does not point into certain address spaces.
    NoSpace,
    /// The set of possible callees.
    Callees,
}

impl Promise {
    /// The text of the promise.
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
    /// The claim that a function keeps this promise.
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

/// The promises of a function that neither engine models, without duplicates, in order.
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
                // Accesses of the same type may alias.
                MdKind::Tbaa | MdKind::TbaaStruct => {
                    types.push(*node);
                    if types[0] != *node || is_constant(env, *node) {
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

/// Whether the access tag marks constant memory: its fourth operand is not 0.
fn is_constant(env: &Env, tag: MdRef) -> bool {
    let MdRef::Node(id) = tag else { return false };
    let Some(MdBody::Tuple(operands)) = &env.metadata.get(id).body else { return false };
    match operands.get(3) {
        None => false,
        Some(MdOperand::Const(flag)) => env.consts.as_int(*flag).is_none_or(|flag| !flag.is_zero()),
        Some(_) => true,
    }
}

/// The accesses that promise constant memory, by kind of metadata.
fn invariant_loads(side: FunctionRef<'_>) -> Vec<Inst> {
    attached(side, &MdKind::InvariantLoad, |_| true)
}
fn constant_tags(side: FunctionRef<'_>) -> Vec<Inst> {
    attached(side, &MdKind::Tbaa, |tag| is_constant(&side.module.env, tag))
}
fn attached(side: FunctionRef<'_>, kind: &MdKind, counts: impl Fn(MdRef) -> bool) -> Vec<Inst> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let is_such = |inst: &Inst| body.inst(*inst).metadata_of(kind).is_some_and(|md| counts(*md));
    body.all_insts().filter(is_such).collect()
}

/// Whether a function, or a function that it names transitively, names it, so that it may be recursive. The interpreter
/// handles recursion; the solver treats recursive calls as unknown.
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

/// Metadata of the target's instructions that some of the source's instructions that look alike lack, or have in a
/// place where it promises less.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let name = &target.module.env.funcs[target.func].name;
    let mut found: Vec<Promised> = beyond_accesses(source, target)
        .into_iter()
        .map(|(kind, is_known)| {
            let said = claimed(name, &kind, "at another place");
            Promised { claim: said.claim.filter(|_| is_known), ..said }
        })
        .collect();
    // The loaded memory does not change while the function runs, even by later write-backs.
    let (invariant, constant) = (invariant_loads(target), constant_tags(target));
    let (is_invariant, has_constants) = (!invariant.is_empty(), !constant.is_empty());
    let all = [invariant, constant].concat();
    if !all.is_empty() && writes::changes_more(source, target, &all) {
        found.extend(is_invariant.then(|| claimed(name, "invariant.load", "beside a write")));
        found.extend(has_constants.then(|| claimed(name, "tbaa", "of a constant beside a write")));
    }
    found.extend(places::beyond(source, target));
    let (own, other) = (of_header(source, Of::Source), of_header(target, Of::Target));
    let is_more =
        |said: &(String, u64)| !own.contains(said) && !places::ENTRY_KINDS.contains(&said.0.as_str());
    let of_headers = other.into_iter().filter(is_more);
    found.extend(of_headers.map(|(kind, _)| Promised::new(format!("`!{kind}`"), "of the function")));
    found
}

/// The source's instructions at one place.
#[derive(Default)]
struct Alike {
    insts: Vec<Inst>,
    said_by_all: Vec<Said>,
    /// Hashes of the conditions under which they execute.
    chains: FxHashSet<Option<u64>>,
}

/// The kinds of the target's metadata that do not follow from the source's, without duplicates, and whether the
/// registry of meanings contains them.
fn beyond_accesses(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<(String, bool)> {
    let Some(body) = target.module.body(target.func) else { return Vec::new() };
    let has_more = |inst: Inst| {
        let data = body.inst(inst);
        data.metadata.iter().any(|(kind, _)| !is_known_or_harmless(kind, Carrier::of(&data.kind)))
    };
    if !body.all_insts().any(has_more) {
        return Vec::new();
    }
    let Some([mut there, mut here]) = Guards::of_pair([source, target], Loops::MayStay) else {
        let attached = body.all_insts().flat_map(|inst| &body.inst(inst).metadata);
        let kinds = attached.map(|(kind, _)| (kind.name().to_owned(), is_known(kind)));
        return kinds.collect::<BTreeSet<_>>().into_iter().collect();
    };
    let all = accesses(target, Of::Target, &mut here);
    let mut of_source: BTreeMap<AccessAddress, Alike> = BTreeMap::new();
    for access in accesses(source, Of::Source, &mut there) {
        let chain = there.chain(access.inst);
        let alike = of_source
            .entry(access.place)
            .or_insert_with(|| Alike { said_by_all: access.said.clone(), ..Alike::default() });
        alike.said_by_all.retain(|said| access.said.contains(said));
        alike.chains.insert(chain);
        alike.insts.push(access.inst);
    }
    let mut kinds = BTreeSet::new();
    if is_apart_from_itself(target, &all) {
        kinds.insert((MdKind::NoAlias.name().to_owned(), true));
    }
    for access in &all {
        let alike = of_source.get(&access.place);
        for at_once in [false, true] {
            let mut said = access.said.iter().filter(|said| said.is_of_iterations == at_once).peekable();
            if said.peek().is_none() {
                continue;
            }
            let runs = !access.may_be_undefined
                || alike.is_some_and(|alike| {
                    alike.chains.contains(&here.chain(access.inst))
                        || here.covers(access.inst, &mut there, &alike.insts, at_once)
                });
            let is_more =
                |said: &&Said| !runs || alike.is_none_or(|alike| !alike.said_by_all.contains(*said));
            kinds.extend(said.filter(is_more).map(|said| (said.kind.clone(), said.is_known)));
        }
    }
    kinds.into_iter().collect()
}

/// Whether the target's metadata states that two instructions at one place do not alias: both may represent one access
/// of the source, which overlaps with itself.
fn is_apart_from_itself(target: FunctionRef<'_>, accesses: &[Access]) -> bool {
    let Some(body) = target.module.body(target.func) else { return false };
    let metadata = &target.module.env.metadata;
    let scopes = |inst: Inst, kind: &MdKind| -> Vec<MdId> {
        let list = match body.inst(inst).metadata_of(kind) {
            Some(MdRef::Node(list)) => metadata.tuple(*list),
            Some(MdRef::Const(_)) | None => None,
        };
        list.into_iter().flatten().filter_map(operand).collect()
    };
    let mut places: BTreeMap<&AccessAddress, (usize, BTreeSet<MdId>, BTreeSet<MdId>)> = BTreeMap::new();
    for access in accesses {
        let (count, own, excluded) = places.entry(&access.place).or_default();
        *count += 1;
        own.extend(scopes(access.inst, &MdKind::AliasScope));
        excluded.extend(scopes(access.inst, &MdKind::NoAlias));
    }
    places.values().any(|(count, own, excluded)| *count > 1 && !own.is_disjoint(excluded))
}

/// The attachments of a function header that the encoder does not model, by kind and contents.
fn of_header(side: FunctionRef<'_>, of: Of) -> Vec<(String, u64)> {
    let attachments = side.module.env.funcs[side.func].metadata.iter();
    let open = |(kind, _): &&(MdKind, MdRef)| modelled::metadata(kind, Carrier::Global) == Modelled::No;
    let mut open = attachments.filter(open).peekable();
    if open.peek().is_none() {
        return Vec::new();
    }
    let mut nodes = Nodes::new(side, of);
    open.map(|(kind, node)| (kind.name().to_owned(), nodes.of(*node))).collect()
}

/// An instruction that may have attachments, with their promises.
struct Access {
    inst: Inst,
    /// Whether it accesses memory, may access memory, or creates a pointer: its metadata can then make runs UB.
    may_be_undefined: bool,
    place: AccessAddress,
    said: Vec<Said>,
}

/// The common properties of instructions that look alike.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct AccessAddress {
    shape: String,
    /// Hashes of the address operands, without the stored value.
    addresses: Vec<u64>,
}

/// The promise of one attachment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Said {
    kind: String,
    /// A hash of its contents.
    node: u64,
    /// A hash of its subject besides the place: of loops, or of memory contents.
    about: u64,
    /// Whether the promise is about the iterations, or the moment, in which the access executes.
    is_of_iterations: bool,
    place: AccessAddress,
    /// Whether the promise is that the memory is constant.
    is_constant: bool,
    /// Whether the registry of meanings contains the kind.
    is_known: bool,
}

/// The subject of an attachment.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Subject {
    /// The operands only, or the memory that they point to during the whole run.
    Operands,
    /// Accesses of that memory in the iterations, or in the execution of a scope, in which this access executes.
    Iterations,
    /// Accesses in a loop.
    Loops,
    /// The memory or result at the time of execution.
    Moment,
}

impl Subject {
    fn of(kind: &MdKind) -> Self {
        match kind {
            MdKind::Tbaa | MdKind::TbaaStruct | MdKind::InvariantLoad | MdKind::FpMath | MdKind::Callees => {
                Self::Operands
            }
            MdKind::Other(name) if &**name == "noalias.addrspace" => Self::Operands,
            MdKind::AliasScope | MdKind::NoAlias => Self::Iterations,
            MdKind::AccessGroup | MdKind::MemParallelLoopAccess => Self::Loops,
            _ => Self::Moment,
        }
    }
}

/// The instructions that access memory, may have arithmetic metadata, or have metadata.
fn accesses(side: FunctionRef<'_>, of: Of, guards: &mut Guards<'_>) -> Vec<Access> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let env = &side.module.env;
    let mut nodes = Nodes::new(side, of);
    let mut found = Vec::new();
    let insts: Vec<Inst> = body.all_insts().filter(|inst| guards.is_reached(*inst)).collect();
    for inst in insts {
        let data = body.inst(inst);
        let carrier = Carrier::of(&data.kind);
        let open = || data.metadata.iter().filter(move |(kind, _)| !is_known_or_harmless(kind, carrier));
        let is_access = matches!(
            data.kind,
            InstKind::Load(_)
                | InstKind::Store(_)
                | InstKind::AtomicRmw(..)
                | InstKind::CmpXchg(_)
                | InstKind::VaArg
        );
        let is_of_memory = is_access || data.call().is_some();
        let computes = matches!(data.kind, InstKind::FloatBinary(..) | InstKind::Cast(CastOp::IntToPtr, _));
        if !is_of_memory && !computes && open().next().is_none() {
            continue;
        }
        let pointers = match data.kind {
            InstKind::Store(_) => &data.operands[1..],
            _ => &data.operands[..],
        };
        let pointers = pointers.iter().filter(|v| env.types.scalar(body.ty(**v)).is_ptr());
        let addresses = pointers.map(|pointer| guards.address(*pointer, inst)).collect();
        let mut place = AccessAddress { shape: guards.typed(shape(env, body, inst)), addresses };
        if data.call().is_some() {
            let extent = extent(env, body, inst);
            place.addresses.extend(extent.into_iter().map(|value| guards.value(value, inst)));
        } else if !is_of_memory {
            let operands: Vec<u64> =
                data.operands.iter().map(|operand| guards.value(*operand, inst)).collect();
            place.shape = format!("{} {} {operands:?}", data.kind.mnemonic(), place.shape);
        }
        let said = open().map(|(kind, node)| Said {
            is_known: is_known(kind),
            kind: if *kind == MdKind::TbaaStruct { "tbaa" } else { kind.name() }.to_owned(),
            node: nodes.of(*node),
            about: match Subject::of(kind) {
                Subject::Operands | Subject::Iterations => 0,
                Subject::Loops => guards.loops_of(inst),
                Subject::Moment => guards.moment(inst),
            },
            is_of_iterations: Subject::of(kind) != Subject::Operands,
            is_constant: matches!(kind, MdKind::Tbaa) && is_constant(env, *node),
            place: place.clone(),
        });
        let may_be_undefined = is_of_memory || matches!(data.kind, InstKind::Cast(CastOp::IntToPtr, _));
        found.push(Access { said: said.collect(), inst, may_be_undefined, place });
    }
    found
}

/// Besides pointers, the operands that determine which memory a call accesses: all arguments except written values.
fn extent(env: &Env, body: &Body, inst: Inst) -> Vec<Value> {
    let Some(call) = body.inst(inst).call() else { return Vec::new() };
    let callee = body.called_function(call.callee());
    let written = match callee.and_then(|func| env.funcs[func].intrinsic) {
        Some(Intrinsic::MaskedStore | Intrinsic::MaskedScatter) => Some(0),
        Some(Intrinsic::Memset | Intrinsic::MemsetInline) => Some(1),
        _ => None,
    };
    let args = call.args().iter().copied().enumerate().filter(|(at, _)| Some(*at) != written);
    args.map(|(_, arg)| arg).filter(|arg| !env.types.scalar(body.ty(*arg)).is_ptr()).collect()
}

/// Whether a kind has no meaning, or the encoder models it on such an instruction.
fn is_known_or_harmless(kind: &MdKind, carrier: Carrier) -> bool {
    modelled::metadata(kind, carrier) == Modelled::Yes
}
