//! Changes the predicate of a comparison.

use super::work::Work;
use backedge_ir::inst::{FloatPredicate, InstKind, IntPredicate};

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let is_comparison = |kind: &InstKind| matches!(kind, InstKind::ICmp { .. } | InstKind::FCmp(..));
    let inst = work.inst(|body, inst| is_comparison(&body.inst(inst).kind))?;
    let old = work.body().inst(inst).kind.clone();
    let new = match old {
        InstKind::ICmp { pred, samesign } => {
            let pred = match work.draw.below(5) {
                0 => pred.inverse(),
                1 => pred.swapped(),
                2 => neighbour(pred),
                3 if pred.is_signed() => pred.unsigned(),
                3 => pred.signed(),
                _ => work.draw.pick(IntPredicate::ALL),
            };
            InstKind::ICmp { pred, samesign }
        }
        InstKind::FCmp(_, fast) => InstKind::FCmp(work.draw.pick(FloatPredicate::ALL), fast),
        _ => return None,
    };
    let changed = new != work.body().inst(inst).kind;
    changed.then(|| work.editor.set_kind(inst, new))
}

/// Switches between the strict and the non-strict predicate.
fn neighbour(pred: IntPredicate) -> IntPredicate {
    use IntPredicate as P;
    match pred {
        P::Ult => P::Ule,
        P::Ule => P::Ult,
        P::Ugt => P::Uge,
        P::Uge => P::Ugt,
        P::Slt => P::Sle,
        P::Sle => P::Slt,
        P::Sgt => P::Sge,
        P::Sge => P::Sgt,
        P::Eq => P::Ult,
        P::Ne => P::Ule,
    }
}
