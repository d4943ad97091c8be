//! Values that change once after the first iterations: comparisons, and minima and maxima of a recurrence and an
//! invariant value.
//!
//! The iteration of the change is a known constant. The iterations before it are peeled; then neither the copies nor
//! the remaining loop need to compute the value.

use super::remarks::Reason;
use crate::clone::Copies;
use crate::iteration_split::check::{Point, compared, first_change, is_recurrence};
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::editor::Editor;
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::IntPredicate;
use backedge_scev::ScalarEvolution;

/// Maximum number of minima and maxima of a loop examined: each is solved for the iteration after which it is settled.
const MOST_EXTREMES: usize = 64;

/// A value that changes once.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) inst: Inst,
    /// The number of first iterations in which it has its first value.
    pub(super) after: usize,
    /// Its value in these iterations, and afterwards.
    kinds: [Kind; 2],
}

#[derive(Copy, Clone, Debug)]
enum Kind {
    Truth(bool),
    /// One of its operands.
    Operand(Value),
}

impl Settled {
    /// A comparison that changes at `point`, if that iteration is known and it does not change again.
    pub(super) fn comparison(scev: &ScalarEvolution<'_>, point: &Point) -> Option<Self> {
        let after = scev.as_constant(point.iteration).and_then(|n| usize::try_from(n.bits()).ok())?;
        let kinds = [point.at_first, !point.at_first].map(Kind::Truth);
        point.stays.then_some(Self { inst: point.comparison, after, kinds })
    }
    /// The minima and maxima of `l` itself (not of nested loops) that equal one operand before some iteration and the
    /// other one afterwards.
    pub(super) fn extremes(scev: &mut ScalarEvolution<'_>, shape: &Shape, l: LoopId) -> Vec<Self> {
        let body = scev.body();
        let insts = shape.loops.own_blocks(l).flat_map(|b| body.insts(b)).copied();
        let extremes: Vec<(Inst, Intrinsic)> =
            insts.filter_map(|i| Some((i, extreme(scev, i)?))).take(MOST_EXTREMES).collect();
        extremes.into_iter().filter_map(|(inst, kind)| Self::of_extreme(scev, l, inst, kind)).collect()
    }
    fn of_extreme(
        scev: &mut ScalarEvolution<'_>,
        l: LoopId,
        inst: Inst,
        intrinsic: Intrinsic,
    ) -> Option<Self> {
        // Each use of an undef may see another value.
        if scev.mixes_undef(inst) {
            return None;
        }
        let operands = &scev.body().inst(inst).operands;
        let (a, b) = (operands[0], operands[1]);
        let (left, right) = (compared(scev, a)?, compared(scev, b)?);
        let (values, rec, bound) = if is_recurrence(scev, left, l) && scev.is_invariant(right, l) {
            ([a, b], left, right)
        } else if is_recurrence(scev, right, l) && scev.is_invariant(left, l) {
            ([b, a], right, left)
        } else {
            return None;
        };
        let signed = matches!(intrinsic, Intrinsic::SMin | Intrinsic::SMax);
        let least = matches!(intrinsic, Intrinsic::UMin | Intrinsic::SMin);
        let orders = [(IntPredicate::Ult, true), (IntPredicate::Ugt, false)];
        orders.into_iter().find_map(|(order, below)| {
            let order = if signed { order.signed() } else { order };
            let iteration = first_change(scev, l, order, rec, bound)?;
            let after = usize::try_from(scev.as_constant(iteration)?.bits()).ok()?;
            // While it is below the bound, the recurrence is the minimum.
            let [recurrence, bound] = values.map(Kind::Operand);
            let kinds = if below == least { [recurrence, bound] } else { [bound, recurrence] };
            Some(Self { inst, after, kinds })
        })
    }
    /// The reason to peel for it.
    pub(super) fn reason(&self) -> Reason {
        match self.kinds[1] {
            Kind::Truth(_) => Reason::Decided,
            Kind::Operand(_) => Reason::Extreme,
        }
    }
    /// Whether it is invariant after the change, or a comparison with a known result.
    pub(super) fn is_invariant_then(&self, scev: &ScalarEvolution<'_>, l: LoopId) -> bool {
        match self.kinds[1] {
            Kind::Truth(_) => true,
            Kind::Operand(value) => scev.loops().is_invariant(scev.body(), l, value),
        }
    }
    /// Replaces it by its known value in the peeled iterations, of which `copies` are the copies, and in the
    /// remaining loop.
    pub(super) fn settle(&self, editor: &mut Editor<'_>, copies: &[Copies]) {
        for (i, copy) in copies.iter().enumerate() {
            let kind = self.kinds[usize::from(i >= self.after)];
            if let Some(inst) = copy.inst(self.inst) {
                let value = match kind {
                    Kind::Truth(truth) => editor.int(Int::bool(truth)),
                    Kind::Operand(value) => copy.value(value),
                };
                editor.replace_uses(inst.into(), value);
            }
        }
        let value = match self.kinds[1] {
            Kind::Truth(truth) => editor.int(Int::bool(truth)),
            Kind::Operand(value) => value,
        };
        editor.replace_uses(self.inst.into(), value);
    }
}

/// The kind of integer minimum or maximum that `inst` is.
fn extreme(scev: &ScalarEvolution<'_>, inst: Inst) -> Option<Intrinsic> {
    let body = scev.body();
    let call = body.inst(inst).call()?;
    let intrinsic = called_intrinsic(scev.at.env, body, call)?;
    let is_extreme =
        matches!(intrinsic, Intrinsic::UMin | Intrinsic::UMax | Intrinsic::SMin | Intrinsic::SMax);
    (is_extreme && body.inst(inst).ty.is_int()).then_some(intrinsic)
}
