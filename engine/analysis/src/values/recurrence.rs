//! Facts of a phi that is a monotone recurrence: each incoming value is a start, or a step from the phi's own previous
//! value.
//!
//! Every non-poison value of the phi is a start, or one step away from a non-poison value. So every property that all
//! starts have and all steps preserve holds for all values: a bound that steps only move away from, and low bits that
//! steps leave unchanged. An incoming value that is not recognized as a step counts as a start.

use super::facts::Facts;
use crate::cache::At;
use crate::known_bits::KnownBits;
use crate::range::ConstantRange;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::BinaryOp;
use smallvec::SmallVec;

/// The directions common to all steps so far.
#[derive(Copy, Clone, Debug)]
struct Steps {
    up: bool,
    down: bool,
    signed_up: bool,
    signed_down: bool,
    /// The number of low bits that stay unchanged.
    low_bits: u32,
}

/// The facts of `phi` as a recurrence; `of` returns the facts of incoming values and addends. `None` if no incoming
/// value is a step, or nothing follows from the steps.
pub(super) fn recurrence(
    at: At<'_>,
    phi: Inst,
    width: u32,
    of: &mut dyn FnMut(Value) -> Option<Facts>,
) -> Option<Facts> {
    let mut starts: SmallVec<[Value; 4]> = SmallVec::new();
    let mut all: Option<Steps> = None;
    for &entry in at.body.inst(phi).operands.iter().filter(|v| **v != Value::Inst(phi)) {
        match step(at, phi, entry, of) {
            Some(steps) => all = Some(all.map_or(steps, |all| all.and(steps))),
            None => starts.push(entry),
        }
    }
    let steps = all.filter(|s| s.say_something())?;
    let mut start = Facts::none(width);
    for entry in starts {
        start = start.join(of(entry)?);
    }
    if start.is_none() {
        return Some(start);
    }
    let (zero, top) = (Int::zero(width), Int::all_ones(width));
    let (low, high) = (Int::signed_min(width), Int::signed_max(width));
    let stays = Int::low_ones(width, steps.low_bits);
    let bits = KnownBits::new(start.bits.zero.and(stays), start.bits.one.and(stays));
    let mut facts = Facts::from_bits(bits);
    let mut meet = |keeps: bool, range: Option<ConstantRange>| {
        if let Some(range) = range.filter(|_| keeps) {
            facts = facts.meet(Facts::from_range(range));
        }
    };
    let within = ConstantRange::inclusive;
    meet(steps.up, start.range.unsigned_min().map(|min| within(min, top)));
    meet(steps.down, start.range.unsigned_max().map(|max| within(zero, max)));
    meet(steps.signed_up, start.range.signed_min().map(|min| within(min, high)));
    meet(steps.signed_down, start.range.signed_max().map(|max| within(low, max)));
    Some(facts)
}

impl Steps {
    fn say_something(self) -> bool {
        self.up || self.down || self.signed_up || self.signed_down || self.low_bits > 0
    }
    fn and(self, other: Self) -> Self {
        Self {
            up: self.up && other.up,
            down: self.down && other.down,
            signed_up: self.signed_up && other.signed_up,
            signed_down: self.signed_down && other.signed_down,
            low_bits: self.low_bits.min(other.low_bits),
        }
    }
}

/// The step from `phi` to `entry`, if it is a single operation.
fn step(at: At<'_>, phi: Inst, entry: Value, of: &mut dyn FnMut(Value) -> Option<Facts>) -> Option<Steps> {
    let data = at.body.inst(entry.as_inst()?);
    let InstKind::Binary(op, flags) = &data.kind else { return None };
    let [left, right] = *data.operands.as_slice() else { return None };
    let commutes = matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or);
    let by = match () {
        () if left == Value::Inst(phi) => right,
        () if right == Value::Inst(phi) && commutes => left,
        () => return None,
    };
    // A step by the phi itself would depend on the facts being computed.
    if by == Value::Inst(phi) {
        return None;
    }
    let by = of(by)?;
    let not_negative = by.range.signed_min().is_some_and(|min| !min.is_negative());
    let negative = by.range.signed_max().is_some_and(Int::is_negative);
    let mut steps = Steps {
        up: false,
        down: false,
        signed_up: false,
        signed_down: false,
        low_bits: by.bits.min_trailing_zeros(),
    };
    match op {
        BinaryOp::Add => {
            steps.up = flags.nuw;
            steps.signed_up = flags.nsw && not_negative;
            steps.signed_down = flags.nsw && negative;
        }
        BinaryOp::Sub => {
            steps.down = flags.nuw;
            steps.signed_down = flags.nsw && not_negative;
            steps.signed_up = flags.nsw && negative;
        }
        BinaryOp::Or => steps.up = true,
        BinaryOp::Xor => {}
        BinaryOp::And => {
            steps.down = true;
            steps.low_bits = by.bits.one.trailing_ones();
        }
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::LShr => {
            steps.down = true;
            steps.low_bits = 0;
        }
        BinaryOp::Shl => {
            steps.up = flags.nuw;
            steps.low_bits = 0;
        }
        BinaryOp::Mul => {
            steps.up = flags.nuw && by.bits.is_non_zero();
            steps.low_bits = 0;
        }
        BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::AShr => return None,
    }
    Some(steps)
}
