//! Cycles in which every run is UB, because it stays in the cycle without progress.

use super::cycles::Cycles;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Env;

impl Cycles<'_> {
    /// Headers of cycles in which every run is UB: it never leaves the cycle and has no observable effects, but must
    /// progress.
    pub(crate) fn endless(&self) -> EntitySet<Block> {
        let Self { env, body, schedule, must_progress, .. } = self;
        let is_endless = |header: &Block| {
            let is_fixed = |value: Value| {
                let inside = value.as_inst().and_then(|inst| body.block_of(inst));
                inside.is_none_or(|block| !schedule.is_inside(block, *header))
            };
            let silent =
                |inst: &Inst| shows_nothing(body, *inst) || is_pure_call(env, body, *inst, &is_fixed);
            // Floating-point operations may make choices.
            let repeats = |inst: &Inst| {
                let same = changes_nothing(body, *inst) || is_pure_call(env, body, *inst, &is_fixed);
                same && !env.types.scalar(body.inst(*inst).ty).is_float()
            };
            let inside: Vec<Block> =
                body.blocks().filter(|block| schedule.is_inside(*block, *header)).collect();
            let all = |holds: &dyn Fn(&Inst) -> bool| {
                inside.iter().all(|block| body.insts(*block).iter().all(holds))
            };
            let stays = |block: &Block| {
                let successors = body.successors(*block);
                !successors.is_empty() && successors.iter().all(|to| schedule.is_inside(*to, *header))
            };
            // A run that completes one iteration in an unchanged state repeats it forever.
            inside.iter().all(stays) && all(&silent) || all(&repeats)
        };
        must_progress.iter().filter(is_endless).collect()
    }
}

/// Whether the instruction only computes a value, accesses unobserved memory, or branches.
fn shows_nothing(body: &Body, inst: Inst) -> bool {
    let kind = &body.inst(inst).kind;
    match kind {
        InstKind::Load(access) | InstKind::Store(access) => !access.volatile && access.ordering.is_none(),
        InstKind::Br | InstKind::CondBr | InstKind::Switch => true,
        InstKind::Call(_)
        | InstKind::AtomicRmw(..)
        | InstKind::CmpXchg(_)
        | InstKind::Fence(..)
        | InstKind::VaArg
        | InstKind::LandingPad { .. } => false,
        _ => !kind.is_terminator(),
    }
}

/// Whether the instruction does the same in each iteration, provided that all others do.
fn changes_nothing(body: &Body, inst: Inst) -> bool {
    let kind = &body.inst(inst).kind;
    let is_changed =
        matches!(kind, InstKind::Phi(_) | InstKind::Freeze | InstKind::Store(_) | InstKind::Alloca(_));
    shows_nothing(body, inst) && !is_changed
}

/// Whether the instruction is a call without interaction that returns each time if it returns the first time.
fn is_pure_call(env: &Env, body: &Body, inst: Inst, is_fixed: &dyn Fn(Value) -> bool) -> bool {
    let Some(view) = body.inst(inst).call().filter(|_| !body.inst(inst).kind.is_terminator()) else {
        return false;
    };
    let Some(func) = body.called_function(view.callee()) else { return false };
    let lists = [&view.info.fn_attrs, &env.funcs[func].attrs];
    let has = |flag| lists.iter().any(|list| env.has_attr(list, flag));
    let touches_nothing = lists.iter().filter_map(|list| env.memory_effects(list)).any(|effects| {
        let any = effects.any();
        !any.reads && !any.writes
    });
    let returns = has(FlagAttr::NoUnwind) && has(FlagAttr::WillReturn);
    touches_nothing && view.info.bundles.is_empty() && (returns || view.args().iter().all(|v| is_fixed(*v)))
}
