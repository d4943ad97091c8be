//! Whether control continues after an instruction, from LangRef and the attributes of calls.

use crate::cache::{Analysis, At, Depends, Then};
use crate::effects::{called_function, effects_of_call};
use crate::order::Order;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst, SecondaryMap};
use backedge_ir::inst::{CallView, InstKind};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;

/// Whether a call has the attribute, at the call site or on the called function.
pub fn call_has(env: &Env, body: &Body, call: CallView<'_>, flag: FlagAttr) -> bool {
    env.has_attr(&call.info.fn_attrs, flag)
        || called_function(body, call).is_some_and(|f| env.has_attr(&env.funcs[f].attrs, flag))
}

/// The intrinsic that a call calls.
pub fn called_intrinsic(env: &Env, body: &Body, call: CallView<'_>) -> Option<Intrinsic> {
    env.funcs[called_function(body, call)?].intrinsic
}

/// Whether LLVM's declaration of `intrinsic` lacks `nounwind willreturn`.
fn may_not_return(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::Trap
            | Intrinsic::DebugTrap
            | Intrinsic::UbsanTrap
            | Intrinsic::ExperimentalGuard
            | Intrinsic::ExperimentalDeoptimize
    )
}

/// Whether a call without UB certainly ends (returns or unwinds), and whether it certainly returns.
pub fn call_ends(env: &Env, body: &Body, call: CallView<'_>) -> (bool, bool) {
    if let Some(intrinsic) = called_intrinsic(env, body, call) {
        let returns = !may_not_return(intrinsic);
        return (returns, returns);
    }
    let ends = call_has(env, body, call, FlagAttr::WillReturn);
    (ends, ends && call_has(env, body, call, FlagAttr::NoUnwind))
}

/// Whether an execution of `inst` without UB is followed by the next instruction or, for a terminator, by one of its
/// successors. False for `ret` and for `unreachable`, which has no behavior.
///
/// A volatile store may trap or never end (LangRef, "Volatile Memory Accesses"); a volatile load does not.
pub fn guaranteed_to_transfer(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Ret | InstKind::Unreachable | InstKind::Resume => false,
        InstKind::Store(access) | InstKind::AtomicRmw(_, access) => !access.volatile,
        InstKind::CmpXchg(info) => !info.access.volatile,
        InstKind::Call(_) => {
            data.call().is_some_and(|c| call_ends(env, body, c).1 && !volatile_intrinsic(env, body, c))
        }
        // Both returning and unwinding continue at a successor.
        InstKind::Invoke(_) => data.call().is_some_and(|c| call_ends(env, body, c).0),
        InstKind::CallBr(_) => false,
        _ => true,
    }
}

/// Limit on the number of blocks that [`guaranteed_to_transfer_to`] follows: bounds the time of a query. On a longer
/// path the transfer is not guaranteed.
const MOST_BLOCKS: usize = 16;

/// Whether, once `from` is executed, control reaches and executes `to` before it reaches `from` again, in executions
/// without UB. Follows control while it has a single path: to the end of a block, and on to its only successor. False
/// if `from` is `to`.
pub fn guaranteed_to_transfer_to(at: At<'_>, from: Inst, to: Inst) -> bool {
    let (body, order, stops) = (at.body, at.get::<Order>(), at.get::<Stops>());
    let (Some(start), Some(end)) = (body.block_of(from), body.block_of(to)) else { return false };
    let transfers = |i: &Inst| guaranteed_to_transfer(at.env, body, *i);
    let (first, last) = (order.position(from) as usize, order.position(to) as usize);
    if start == end && first < last {
        return body.insts(start)[first..last].iter().all(transfers);
    }
    if from == to || !body.insts(start)[first..].iter().all(transfers) {
        return false;
    }
    let mut block = start;
    for _ in 0..MOST_BLOCKS {
        let [next] = *body.successors(block) else { return false };
        if next == end {
            return stops.first(end).is_none_or(|stop| last <= order.position(stop) as usize);
        }
        if next == start || stops.first(next).is_some() {
            return false;
        }
        block = next;
    }
    false
}

/// Whether `inst` may be or contain an interaction with the environment.
fn may_be_progress(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(access) | InstKind::Store(access) => access.volatile || access.ordering.is_some(),
        InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::Fence(..) | InstKind::VaArg => true,
        _ => data.call().is_some_and(|call| match called_intrinsic(env, body, call) {
            Some(Intrinsic::SideEffect | Intrinsic::ReadCycleCounter) => true,
            Some(_) => call_ends(env, body, call) != (true, true) || volatile_intrinsic(env, body, call),
            None => effects_of_call(env, body, call).any().writes,
        }),
    }
}

/// Whether a call is a memory copy or set whose last argument, `isvolatile`, is not known to be false.
pub(crate) fn volatile_intrinsic(env: &Env, body: &Body, call: CallView<'_>) -> bool {
    use Intrinsic as I;
    let copies = matches!(
        called_intrinsic(env, body, call),
        Some(I::Memcpy | I::MemcpyInline | I::Memmove | I::Memset | I::MemsetInline)
    );
    copies && call.args().last().and_then(|v| body.as_int(*v)).is_none_or(|v| !v.is_zero())
}

/// For each block, the first instruction after which control may not continue (a terminator counts only if control may
/// not reach a successor), and whether an instruction in the block may interact with the environment.
#[derive(Clone, Debug)]
pub struct Stops {
    first: SecondaryMap<Block, Option<Inst>>,
    progress: SecondaryMap<Block, bool>,
}

impl Stops {
    /// The first instruction in `block` that may stop control, if any. All instructions up to and including it are
    /// executed when the block is entered and there is no UB.
    pub fn first(&self, block: Block) -> Option<Inst> {
        self.first[block]
    }
    /// Whether an instruction in `block` may be or contain an interaction with the environment.
    pub fn may_be_progress(&self, block: Block) -> bool {
        self.progress[block]
    }
    fn find(&mut self, at: At<'_>, block: Block) {
        let mut insts = at.body.insts(block).iter().copied();
        self.progress[block] = insts.clone().any(|i| may_be_progress(at.env, at.body, i));
        self.first[block] = insts.find(|i| !guaranteed_to_transfer(at.env, at.body, *i));
    }
}

impl Analysis for Stops {
    const NAME: &'static str = "instructions that may stop control";
    const DEPENDS: Depends = Depends::Body;
    fn compute(at: At<'_>) -> Self {
        let mut this = Self { first: SecondaryMap::new(), progress: SecondaryMap::new() };
        at.body.blocks().for_each(|block| this.find(at, block));
        this
    }
    fn update(&mut self, then: Then, at: At<'_>) -> bool {
        then.changed(at.body).for_each(|block| self.find(at, block));
        true
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        at.body.blocks().all(|b| self.first(b) == other.first(b) && self.progress[b] == other.progress[b])
    }
}
