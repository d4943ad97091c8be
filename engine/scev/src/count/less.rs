//! Order comparisons: how long a recurrence stays below (or above) a bound.
//!
//! The loop continues while `V(i) = S + i * T` is less than `R`, as unsigned or signed, with a stride `T > 0`; or while
//! `S - i * T` is greater. If `V` does not wrap in that order before it reaches `R`, it reaches `R` after `n =
//! ceil((max(R, S) - S) / T)` iterations, where the difference is at most 2^w - 1 in either order. It does not wrap if
//!
//! - the recurrence is known not to wrap (P2 of docs/semantics.md: in no iteration that happens; if iteration `n` does
//!   not happen, neither does the exit),
//! - the bound has room, `R <= MAX - (T - 1)`: from below the bound no step passes the greatest value,
//! - `T` is a power of two that divides `R - S`: the recurrence hits the bound exactly,
//! - the exit must be taken (or the execution is UB) and `T` is a power of two: after one wrap, `V` would repeat the
//!   same values, none of which leaves.
//!
//! An extended recurrence `zext {S,+,T}` wraps at the greatest value of the narrow type.

use super::Limit;
use super::compare::extreme;
use super::condition::Test;
use crate::expr::{Cast, Expr, NAry, Node};
use crate::facts::Flags;
use crate::{ScalarEvolution, Scope};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;

/// A recurrence that approaches its bound, in the width of the comparison.
#[derive(Copy, Clone)]
struct Run {
    l: LoopId,
    start: Expr,
    /// The distance per iteration towards the bound, as unsigned.
    stride: Expr,
    bound: Expr,
    signed: bool,
    down: bool,
    /// The last value before the recurrence wraps.
    cap: Int,
    /// The recurrence does not wrap in any iteration in which the exit is reached.
    flagged: bool,
    /// The recurrence also does not wrap in iterations in which the exit is not reached.
    sure: bool,
}

/// The reason why the recurrence does not wrap before it reaches its bound.
#[derive(Copy, Clone, PartialEq, Eq)]
enum NoWrap {
    /// There is room beyond the bound: the bound plus the stride minus one does not wrap.
    Room,
    /// The stride divides the distance to the bound.
    Hit,
    /// Flags or the loop's obligation to end exclude wrapping.
    Known,
}

impl Run {
    fn strict(&self) -> P {
        match (self.signed, self.down) {
            (false, false) => P::Ult,
            (true, false) => P::Slt,
            (false, true) => P::Ugt,
            (true, true) => P::Sgt,
        }
    }
    fn not_past(&self) -> P {
        match (self.signed, self.down) {
            (false, false) => P::Uge,
            (true, false) => P::Sge,
            (false, true) => P::Ule,
            (true, true) => P::Sle,
        }
    }
    fn farther(&self) -> NAry {
        match (self.signed, self.down) {
            (false, false) => NAry::UMax,
            (true, false) => NAry::SMax,
            (false, true) => NAry::UMin,
            (true, true) => NAry::SMin,
        }
    }
    /// The distance from `a` to `b` in the direction of the run, as unsigned.
    fn way(&self, a: Int, b: Int) -> Int {
        if self.down { a.sub(b) } else { b.sub(a) }
    }
    /// Whether `a` precedes `b` in the direction of the run.
    fn before(&self, a: Int, b: Int) -> bool {
        self.strict().holds(a, b)
    }
}

impl ScalarEvolution<'_> {
    /// The limit of an exit that stays while the left side is strictly less than the right one, or greater if `down`.
    pub(super) fn until_bound(&mut self, test: Test, signed: bool, down: bool) -> Limit {
        let Some(run) = self.run_of(test, signed, down) else { return Limit::UNKNOWN };
        let l = run.l;
        let invariant = self.is_invariant(run.bound, l);
        let mut run = run;
        let fires = invariant && self.must_fire(l, test.controls);
        if fires {
            self.learn_from_must_end(&test, &mut run);
        }
        if !invariant {
            return self.moving_bound(&run, test.controls);
        }
        // With a step of zero, the exit leaves in the first iteration or never.
        let nonzero = self.is_entry_nonzero(run.stride, l);
        if !nonzero {
            if !fires {
                return Limit::UNKNOWN;
            }
            run.stride = self.one_if_zero(run.stride);
        }
        let Some(why) = self.no_wrap(&run, fires) else { return Limit::UNKNOWN };
        let (way, count, if_taken) = self.steps_to(&run, why, test.controls);
        let compared = [run.start, run.bound];
        let exact = match way {
            Some(way) => {
                self.guarded_against_poison_step(l, [way, count], run.stride, compared, test.controls)
            }
            None => Some(count),
        };
        let exact = exact.map_or(Limit::UNKNOWN, |count| self.exact_limit(l, count));
        let bound = self.entry_bound(run.bound, l, signed, !down);
        let mut limit = exact.or(self.max_steps(&run, bound));
        if let Some(most) = if_taken.and_then(|e| self.as_constant(e))
            && limit.constant_max.is_none_or(|known| most.ule(known))
            && self.as_constant(count).is_none()
        {
            limit.constant_max = Some(most);
            limit.max_or_zero = true;
        }
        limit
    }

    /// The comparison as a run, if its stride has the right sign, or if the sign does not matter.
    fn run_of(&mut self, test: Test, signed: bool, down: bool) -> Option<Run> {
        let l = test.l;
        let width = self.width(test.left);
        let (cast, inner) = match self.node(test.left) {
            Node::Cast(cast @ (Cast::ZExt | Cast::SExt), of) => (Some(cast), of),
            _ => (None, test.left),
        };
        let (of, operands) = self.arena.as_add_rec(inner)?;
        let &[start, step] = &operands[..] else { return None };
        // Sign extension preserves the signed order only.
        if of != l || self.ty(inner).is_pointer() || cast == Some(Cast::SExt) && !signed {
            return None;
        }
        let narrow = self.width(inner);
        // The order in which the narrow recurrence runs.
        let own_signed = if cast == Some(Cast::ZExt) { false } else { signed };
        let always = self.flags_here(inner);
        let flags = always.with(test.flags[0]);
        let stride = if down { self.neg(step) } else { step };
        let flagged = match self.entry_sign(step, l) {
            // No flag excludes wrapping of an unsigned countdown.
            Some(negative) if negative == down => {
                if own_signed {
                    flags.nsw()
                } else {
                    flags.nuw() && !down
                }
            }
            Some(false) => return None,
            // With `nuw`, the step is an unsigned addend whatever its sign.
            Some(true) if !own_signed && flags.nuw() => true,
            Some(true) => return None,
            None if down => return None,
            None if !own_signed => flags.nuw(),
            // If the recurrence moves away from the bound and does not wrap, the exit leaves in the first iteration or
            // never.
            None => {
                let away_is_harmless = flags.nsw() && self.must_fire(l, test.controls);
                if !away_is_harmless {
                    return None;
                }
                true
            }
        };
        let cap = extreme(narrow, own_signed, !down);
        let (start, stride, cap) = match cast {
            None => (start, stride, cap),
            Some(Cast::ZExt) => (self.zext(start, width), self.zext(stride, width), cap.zext(width)),
            Some(_) => (self.sext(start, width), self.zext(stride, width), cap.sext(width)),
        };
        // If the flags hold only in iterations that reach the exit, control may leave before the exit in the next
        // iteration.
        let sure = always.contains(flags) || test.controls && self.progress(l).leaves_by_exits;
        Some(Run { l, start, stride, bound: test.right, signed, down, cap, flagged, sure })
    }

    /// The loop must end, and this exit is the only one. With a power-of-two stride, all values would repeat after one
    /// wrap, so the recurrence does not wrap. A value past the greatest one would be less than all values that did not
    /// leave.
    fn learn_from_must_end(&mut self, test: &Test, run: &mut Run) {
        let inner = match self.node(test.left) {
            Node::Cast(Cast::ZExt, of) => of,
            _ => test.left,
        };
        if self.arena.as_add_rec(inner).is_none() || !self.is_power_of_two(run.stride) {
            return;
        }
        if self.flags_here(inner).is_empty() {
            self.learn(inner, Flags::NW, Scope::Defining);
        }
        let plain = inner == test.left;
        if !run.down && (plain || !run.signed) && self.is_entry_nonzero(run.stride, run.l) {
            let flag = if run.signed { Flags::NSW } else { Flags::NUW };
            self.learn(inner, flag, Scope::Defining);
            run.flagged = true;
        }
    }
    /// Whether `expr` is known to be a power of two, or zero.
    fn is_power_of_two(&self, expr: Expr) -> bool {
        match self.arena.node(expr) {
            Node::Constant(value) => value.is_power_of_two() || value.is_zero(),
            Node::Cast(Cast::ZExt, of) => self.is_power_of_two(*of),
            _ => false,
        }
    }

    /// The reason why the run does not wrap before it reaches its bound.
    fn no_wrap(&mut self, run: &Run, fires: bool) -> Option<NoWrap> {
        let bound = self.entry_bound(run.bound, run.l, run.signed, !run.down);
        if self.has_room(run, bound) {
            return Some(NoWrap::Room);
        }
        if let Some(stride) = self.as_constant(run.stride)
            && stride.is_power_of_two()
            && !run.before(run.cap, bound)
        {
            let way = if run.down { self.sub(run.start, run.bound) } else { self.sub(run.bound, run.start) };
            if self.is_entry_multiple(way, stride.trailing_zeros(), run.l) {
                return Some(NoWrap::Hit);
            }
        }
        let repeats = fires && self.is_power_of_two(run.stride);
        (run.flagged || repeats).then_some(NoWrap::Known)
    }
    /// Whether a step from before `bound` never passes the cap.
    fn has_room(&mut self, run: &Run, bound: Int) -> bool {
        let most = self.entry_umax(run.stride, run.l);
        let less_one = most.sub(Int::one(most.width()));
        // `cap - (T - 1)`, if that does not pass the opposite extreme.
        let room = run.way(extreme(most.width(), run.signed, run.down), run.cap);
        let last = if run.down { run.cap.add(less_one) } else { run.cap.sub(less_one) };
        !most.is_zero() && less_one.ule(room) && !run.before(last, bound)
    }

    /// The distance, the count, and, if that differs, the count in the nonzero case. No distance if the stride cannot
    /// be poison and the caller does not need it.
    fn steps_to(&mut self, run: &Run, why: NoWrap, controls: bool) -> (Option<Expr>, Expr, Option<Expr>) {
        let harmful = self.is_poison_harmful(run.l, run.stride, [run.start, run.bound]);
        if !harmful && let Some(count) = self.count_from_previous_value(run) {
            return (None, count, None);
        }
        if self.starts_before_or_at(run) {
            let way = self.distance(run, run.bound);
            return (Some(way), self.ceiling(run, way, why, controls), None);
        }
        let end = self.min_max(run.farther(), &[run.bound, run.start]);
        let way = self.distance(run, end);
        let taken = self.distance(run, run.bound);
        (Some(way), self.ceiling(run, way, why, controls), Some(self.ceiling_of(run, taken)))
    }
    fn distance(&mut self, run: &Run, to: Expr) -> Expr {
        if run.down { self.sub(run.start, to) } else { self.sub(to, run.start) }
    }
    fn starts_before_or_at(&mut self, run: &Run) -> bool {
        let at_or_past = run.not_past();
        if self.is_entry_guarded(run.l, at_or_past, run.bound, run.start) {
            return true;
        }
        let [bound, start] = [run.bound, run.start].map(|e| self.apply_guards(e, run.l));
        if self.is_known(at_or_past, bound, start) {
            return true;
        }
        // If the decrement wraps, `before` is the extreme value, and nothing is beyond it.
        let back = self.int(self.width(run.start), if run.down { 1 } else { -1 });
        let before = self.add(&[run.start, back]);
        self.is_entry_guarded(run.l, run.strict().swapped(), run.bound, before)
    }
    /// If the value one stride before the start still precedes the start and the bound, no maximum is needed: the
    /// distance from there is one stride longer, and at least 1.
    fn count_from_previous_value(&mut self, run: &Run) -> Option<Expr> {
        let stride = if run.down { run.stride } else { self.neg(run.stride) };
        let before = self.add(&[run.start, stride]);
        let pred = run.strict();
        if !self.is_entry_guarded(run.l, pred, before, run.start)
            || !self.is_entry_guarded(run.l, pred, before, run.bound)
        {
            return None;
        }
        let back = self.int(self.width(run.start), if run.down { 1 } else { -1 });
        let end = self.add(&[run.bound, back]);
        let way = if run.down { self.sub(before, end) } else { self.sub(end, before) };
        Some(self.udiv(way, run.stride))
    }

    /// `ceil(way / stride)` for a distance that ends at the bound.
    fn ceiling(&mut self, run: &Run, way: Expr, why: NoWrap, controls: bool) -> Expr {
        if self.as_constant(run.stride).is_some_and(Int::is_one) || why == NoWrap::Hit {
            return self.udiv(way, run.stride);
        }
        if why == NoWrap::Room || self.rounds_up(run, way, controls) {
            let minus_one = self.int(self.width(way), -1);
            let sum = self.add(&[way, run.stride, minus_one]);
            return self.udiv(sum, run.stride);
        }
        self.ceiling_of(run, way)
    }
    /// Whether `way + stride - 1` does not wrap.
    fn rounds_up(&mut self, run: &Run, way: Expr, controls: bool) -> bool {
        let (way, stride) = (self.entry_umax(way, run.l), self.entry_umax(run.stride, run.l));
        if stride.is_zero() || !way.add_overflows_unsigned(stride.sub(Int::one(stride.width()))) {
            return !stride.is_zero();
        }
        // If the run reaches its bound, `n * stride` is in range and a multiple of the power of two. The run does reach
        // its bound, or the execution is UB.
        let progress = self.progress(run.l);
        let arrives = controls && progress.leaves_by_exits && (progress.ends || run.flagged);
        arrives && self.is_power_of_two(run.stride) || !run.down && run.start == run.stride
    }

    /// `ceil(way / stride)` for any distance: one step plus the rest of the distance, unless the distance is zero.
    fn ceiling_of(&mut self, run: &Run, way: Expr) -> Expr {
        if self.as_constant(run.stride).is_some_and(Int::is_one) {
            return way;
        }
        let one = self.int(self.width(way), 1);
        let first =
            if self.is_entry_nonzero(way, run.l) { one } else { self.min_max(NAry::UMin, &[way, one]) };
        let rest = self.sub(way, first);
        let quotient = self.udiv(rest, run.stride);
        self.add(&[first, quotient])
    }

    /// The maximum count if the bound is at most `bound` in the order of the run.
    fn max_steps(&mut self, run: &Run, bound: Int) -> Limit {
        let width = bound.width();
        let start = self.entry_bound(run.start, run.l, run.signed, run.down);
        let stride = self.entry_bound(run.stride, run.l, false, false).umax(Int::one(width));
        let end = if run.before(start, bound) { bound } else { start };
        let way = run.way(start, end);
        let one = Int::one(width);
        let ceiling = if way.is_zero() { Some(way) } else { way.sub(one).udiv(stride).map(|n| n.add(one)) };
        // The last value is not past the cap.
        let within = if run.before(run.cap, start) { None } else { run.way(start, run.cap).udiv(stride) };
        let within = within.and_then(|n| match run.sure {
            true => Some(n),
            false => (!n.is_all_ones()).then(|| n.add(one)),
        });
        match (ceiling, within) {
            (Some(a), Some(b)) => Limit::max(a.umin(b)),
            (a, b) => a.or(b).map_or(Limit::UNKNOWN, Limit::max),
        }
    }

    /// The bound varies in the loop: a maximum from the bound's range, or an exact count if the bound is a recurrence
    /// too.
    fn moving_bound(&mut self, run: &Run, controls: bool) -> Limit {
        if !self.is_entry_nonzero(run.stride, run.l) {
            return Limit::UNKNOWN;
        }
        let most = self.bound(run.bound, run.signed, !run.down);
        let limit =
            if run.flagged || self.has_room(run, most) { self.max_steps(run, most) } else { Limit::UNKNOWN };
        match self.meeting(run, controls) {
            Some(count) => self.exact_limit(run.l, count).or(limit),
            None => limit,
        }
    }
    /// The count of two recurrences that do not wrap and approach each other by `T - X` per iteration, in ℤ.
    fn meeting(&mut self, run: &Run, controls: bool) -> Option<Expr> {
        let (of, operands) = self.arena.as_add_rec(run.bound)?;
        let &[start, step] = &operands[..] else { return None };
        let flags = self.flags_here(run.bound);
        let exact = if run.signed { flags.nsw() } else { flags.nuw() && !run.down };
        if of != run.l || !run.flagged || !exact {
            return None;
        }
        let own = if run.down { self.neg(run.stride) } else { run.stride };
        // The order's interpretation of `own` is its value in ℤ, or the recurrence would not run towards the bound.
        let nearer = if run.signed {
            let (a, b) = if run.down { (step, own) } else { (own, step) };
            self.is_entry_guarded(run.l, P::Sgt, a, b) || self.is_known(P::Sgt, a, b)
        } else {
            self.is_entry_guarded(run.l, P::Ugt, own, step) || self.is_known(P::Ugt, own, step)
        };
        if !nearer {
            return None;
        }
        let by = if run.down { self.sub(step, own) } else { self.sub(own, step) };
        let end = self.min_max(run.farther(), &[start, run.start]);
        let way = self.distance(run, end);
        let relative = Run { stride: by, ..*run };
        let count = self.ceiling_of(&relative, way);
        self.guarded_against_poison_step(run.l, [way, count], by, [run.start, start], controls)
    }
}
