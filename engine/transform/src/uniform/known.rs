//! Values that become constant in each iteration after full unrolling: values computed from constants and from
//! constant recurrences. An estimate of what constant folding will find in the copies.

use backedge_analysis::LoopId;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::ScalarEvolution;
use backedge_scev::recognize::ClosedForm;

/// The number of instructions in `insts`, which each iteration executes in that order, that are constant in each
/// iteration, without those that only count or test exits.
pub(crate) fn known_in_each(scev: &mut ScalarEvolution<'_>, l: LoopId, insts: &[Inst]) -> u32 {
    let mut known: EntitySet<Inst> = EntitySet::new();
    let mut for_others: EntitySet<Inst> = EntitySet::new();
    for &inst in insts {
        let data = scev.body().inst(inst);
        let of_known = match data.kind {
            InstKind::Phi(_) => starts_known(scev, l, inst),
            _ if data.kind.is_pure() => data.operands.iter().all(|v| match v {
                Value::Const(_) => true,
                Value::Inst(i) => known.contains(*i),
                Value::Arg(_) => false,
            }),
            _ => false,
        };
        if of_known {
            known.insert(inst);
        }
    }
    // A constant that is only carried to the next iteration or branched on is the loop's own overhead, not saved
    // work.
    for &inst in insts.iter().rev().filter(|i| known.contains(**i)) {
        let body = scev.body();
        let useful = |user: Inst| match body.inst(user).kind {
            InstKind::Phi(_) | InstKind::CondBr | InstKind::Switch => false,
            _ => !known.contains(user) || for_others.contains(user),
        };
        if !body.inst(inst).kind.is_phi() && body.code_uses(inst.into()).any(|u| useful(u.user)) {
            for_others.insert(inst);
        }
    }
    let body = scev.body();
    let counts = |inst: &&Inst| {
        let carried = body.uses((**inst).into()).iter().any(|u| body.inst(u.user).kind.is_phi());
        for_others.contains(**inst) && !carried
    };
    u32::try_from(insts.iter().filter(counts).count()).unwrap_or(u32::MAX)
}

/// Whether `phi` is a recurrence of `l` with constant operands.
fn starts_known(scev: &mut ScalarEvolution<'_>, l: LoopId, phi: Inst) -> bool {
    let operands = scev.expr(phi.into()).and_then(|e| scev.arena().as_add_rec(e)).filter(|(of, _)| *of == l);
    if operands.is_some_and(|(_, operands)| operands.iter().all(|e| scev.as_constant(*e).is_some())) {
        return true;
    }
    let recurrence = scev.recurrence(phi.into()).filter(|r| r.l == l);
    let form = recurrence.and_then(|r| scev.closed_form(&r));
    matches!(form, Some(ClosedForm::Alternates(a, b)) if scev.as_constant(a).is_some() && scev.as_constant(b).is_some())
}
