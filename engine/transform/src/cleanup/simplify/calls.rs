//! Calls of intrinsics whose result is an argument or a constant.

use super::{Rules, Simple};
use crate::fold::intrinsic_outcome;
use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::inst::{InstData, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::Type;
use smallvec::SmallVec;

impl<'a> Rules<'a> {
    /// The intrinsic that `data` calls without bundles, and its arguments.
    pub(super) fn intrinsic(self, data: &'a InstData) -> Option<(Intrinsic, &'a [Value])> {
        let call = data.call().filter(|c| c.info.bundles.is_empty())?;
        Some((called_intrinsic(self.env, self.body, call)?, call.args()))
    }
    pub(super) fn call(self, data: &'a InstData) -> Option<Simple> {
        let (intrinsic, args) = self.intrinsic(data)?;
        let ty = data.ty;
        let ints: Option<SmallVec<[Int; 3]>> = args.iter().map(|v| self.int(*v)).collect();
        if let Some(outcome) =
            ints.and_then(|ints| intrinsic_outcome(intrinsic, self.env.types.scalar(ty), &ints))
        {
            return self.outcome(ty, outcome);
        }
        match *args {
            [a, b] => self.call_of_two(ty, intrinsic, a, b),
            // A funnel shift by a multiple of the width returns one operand.
            [a, b, amount] => match intrinsic {
                Intrinsic::FShl if self.is_multiple_of_width(amount) => Some(a.into()),
                Intrinsic::FShr if self.is_multiple_of_width(amount) => Some(b.into()),
                _ => None,
            },
            [a] => self.undone(intrinsic, a),
            _ => None,
        }
    }
    fn is_multiple_of_width(self, amount: Value) -> bool {
        self.int(amount).is_some_and(|a| a.bits() % u128::from(a.width()) == 0)
    }
    fn call_of_two(self, ty: Type, intrinsic: Intrinsic, a: Value, b: Value) -> Option<Simple> {
        use Intrinsic as I;
        match intrinsic {
            I::UMin | I::UMax | I::SMin | I::SMax => {
                self.min_max(ty, intrinsic, a, b).or_else(|| self.min_max(ty, intrinsic, b, a))
            }
            I::UAddSat | I::SAddSat if self.is_zero(b) => Some(a.into()),
            I::UAddSat | I::SAddSat if self.is_zero(a) => Some(b.into()),
            I::UAddSat if self.is_all_ones(a) || self.is_all_ones(b) => self.small(ty, -1),
            I::USubSat | I::SSubSat if self.is_zero(b) => Some(a.into()),
            I::USubSat | I::SSubSat if a == b => self.small(ty, 0),
            I::USubSat if self.is_zero(a) || self.is_all_ones(b) => self.small(ty, 0),
            I::UCmp | I::SCmp if a == b => self.small(ty, 0),
            // The smallest value is unchanged, or is poison, which may be refined to anything.
            I::Abs => {
                let (inner, _) = self.intrinsic(self.data(a)?)?;
                (inner == I::Abs).then_some(a.into())
            }
            _ => None,
        }
    }
    fn min_max(self, ty: Type, intrinsic: Intrinsic, a: Value, b: Value) -> Option<Simple> {
        use Intrinsic as I;
        if a == b {
            return Some(a.into());
        }
        if let Some(c) = self.int(b) {
            let (neutral, dominant) = match intrinsic {
                I::UMin => (c.is_all_ones(), c.is_zero()),
                I::UMax => (c.is_zero(), c.is_all_ones()),
                I::SMin => (c.is_smax(), c.is_smin()),
                _ => (c.is_smin(), c.is_smax()),
            };
            match (neutral, dominant) {
                (true, _) => return Some(a.into()),
                (_, true) => return Some(Simple::Int(ty, c)),
                _ => {}
            }
        }
        // min(min(b, y), b) is the inner result; min(max(b, y), b) is b.
        let (inner, args) = self.intrinsic(self.data(a)?)?;
        if !args.contains(&b) {
            return None;
        }
        let opposite = match intrinsic {
            I::UMin => I::UMax,
            I::UMax => I::UMin,
            I::SMin => I::SMax,
            _ => I::SMin,
        };
        match inner {
            inner if inner == intrinsic => Some(a.into()),
            inner if inner == opposite => Some(b.into()),
            _ => None,
        }
    }
    fn undone(self, intrinsic: Intrinsic, a: Value) -> Option<Simple> {
        if !matches!(intrinsic, Intrinsic::BSwap | Intrinsic::BitReverse) {
            return None;
        }
        let (inner, args) = self.intrinsic(self.data(a)?)?;
        (inner == intrinsic).then(|| args[0].into())
    }
}
