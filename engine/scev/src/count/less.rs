//! Orders: how long a recurrence stays below (or above) a bound.
//!
//! The loop goes on while `V(i) = S + i * T` is less than `R`, as unsigned or signed, with a stride `T > 0`; or while
//! `S - i * T` is greater. If `V` does not wrap in that order until it comes to `R`, then it does so after
//! `n = ceil((max(R, S) - S) / T)` iterations, where the difference is at most 2^w - 1 in either order. It does not wrap if
//!
//! - the recurrence is known not to (P2: in no iteration that happens; if iteration `n` does not, neither does the exit),
//! - the bound leaves room: `R <= MAX - (T - 1)`: from below the bound no step goes over the greatest value,
//! - `T` is a power of two that divides `R - S`: the bound is hit,
//! - the exit must be taken, or the run is undefined, and `T` is a power of two: having gone around once, `V` would come to
//!   the same values again and again, none of which leaves.
//!
//! An extended recurrence `zext {S,+,T}` is one that wraps at the greatest value of the narrow type.

use super::Limit;
use super::compare::{Test, extreme};
use crate::expr::{Cast, Expr, NAry, Node};
use crate::facts::Flags;
use crate::{ScalarEvolution, Scope};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;

/// A recurrence that runs towards its bound, in the width of the comparison.
#[derive(Copy, Clone)]
struct Run {
    l: LoopId,
    start: Expr,
    /// What it comes nearer by in each iteration, as unsigned.
    stride: Expr,
    bound: Expr,
    signed: bool,
    down: bool,
    /// The last value before it wraps.
    cap: Int,
    /// The recurrence does not wrap in any iteration in which the exit is reached.
    flagged: bool,
    /// Not in those either in which the exit is not reached.
    sure: bool,
}

/// Why it does not wrap before it comes to its bound.
#[derive(Copy, Clone, PartialEq, Eq)]
enum NoWrap {
    /// There is room behind the bound: adding the stride less one to it does not wrap.
    Room,
    /// The stride divides the way to the bound.
    Hit,
    /// It just does not.
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
    fn not_behind(&self) -> P {
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
    /// The distance from `a` on to `b`, as unsigned.
    fn way(&self, a: Int, b: Int) -> Int {
        if self.down { a.sub(b) } else { b.sub(a) }
    }
    /// Whether `a` is before `b`.
    fn before(&self, a: Int, b: Int) -> bool {
        self.strict().holds(a, b)
    }
}

impl ScalarEvolution<'_> {
    /// Stays while the left side is strictly less than the right one, or greater where `down`.
    pub(super) fn until_bound(&mut self, test: Test, signed: bool, down: bool) -> Limit {
        let Some(run) = self.run_of(test, signed, down) else { return Limit::UNKNOWN };
        let l = run.l;
        let invariant = self.is_invariant(run.bound, l);
        let mut run = run;
        let fires = invariant && self.must_fire(l, test.controls);
        if fires {
            self.learn_from_end(&test, &mut run);
        }
        if !invariant {
            return self.moving_bound(&run, test.controls);
        }
        // A step of zero leaves at once or never.
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
            Some(way) => self.unless_left_at_once(l, [way, count], run.stride, compared, test.controls),
            None => Some(count),
        };
        let exact = exact.map_or(Limit::UNKNOWN, |count| self.exact_limit(l, count));
        let bound = self.entry_bound(run.bound, l, signed, !down);
        let mut limit = exact.or(self.most_steps(&run, bound));
        if let Some(most) = if_taken.and_then(|e| self.as_constant(e))
            && limit.constant_max.is_none_or(|known| most.ule(known))
            && self.as_constant(count).is_none()
        {
            limit.constant_max = Some(most);
            limit.max_or_zero = true;
        }
        limit
    }

    /// The comparison as a run, if its stride has the right sign, or may have and it does not matter.
    fn run_of(&mut self, test: Test, signed: bool, down: bool) -> Option<Run> {
        let l = test.l;
        let width = self.width(test.left);
        let (cast, inner) = match self.node(test.left) {
            Node::Cast(cast @ (Cast::ZExt | Cast::SExt), of) => (Some(cast), of),
            _ => (None, test.left),
        };
        let (of, operands) = self.arena.as_add_rec(inner)?;
        let &[start, step] = &operands[..] else { return None };
        // Sign-extended values run in the order of the signed ones alone.
        if of != l || self.ty(inner).is_pointer() || cast == Some(Cast::SExt) && !signed {
            return None;
        }
        let narrow = self.width(inner);
        // The order in which the recurrence itself runs.
        let own_signed = if cast == Some(Cast::ZExt) { false } else { signed };
        let always = self.flags_here(inner);
        let flags = always.with(test.flags[0]);
        let stride = if down { self.neg(step) } else { step };
        let flagged = match self.entry_sign(step, l) {
            // Counting down as unsigned, no flag says that it does not wrap.
            Some(negative) if negative == down => {
                if own_signed {
                    flags.nsw()
                } else {
                    flags.nuw() && !down
                }
            }
            Some(false) => return None,
            // As unsigned, the step adds up whatever its sign.
            Some(true) if !own_signed && flags.nuw() => true,
            Some(true) => return None,
            None if down => return None,
            None if !own_signed => flags.nuw(),
            // If it runs away from the bound, and does not wrap, it leaves at once or never.
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
        // Where the flags hold only if the exit is reached, the loop may be left before it in the iteration after.
        let sure = always.contains(flags) || test.controls && self.progress(l).leaves_by_exits;
        Some(Run { l, start, stride, bound: test.right, signed, down, cap, flagged, sure })
    }

    /// The loop must come to an end, and this exit is the only one: with a power of two as stride, all values come again
    /// once it has gone around. So it has not; and what it would come to behind the greatest value is less than all that
    /// did not leave.
    fn learn_from_end(&mut self, test: &Test, run: &mut Run) {
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
    /// Whether it is a power of two, or zero.
    fn is_power_of_two(&self, expr: Expr) -> bool {
        match self.arena.node(expr) {
            Node::Constant(value) => value.is_power_of_two() || value.is_zero(),
            Node::Cast(Cast::ZExt, of) => self.is_power_of_two(*of),
            _ => false,
        }
    }

    /// Why the run does not wrap before it comes to its bound.
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
    /// Whether a step from before `bound` never goes over the cap.
    fn has_room(&mut self, run: &Run, bound: Int) -> bool {
        let most = self.entry_umax(run.stride, run.l);
        let less_one = most.sub(Int::one(most.width()));
        // `cap - (T - 1)`, if it is on this side of the other end.
        let room = run.way(extreme(most.width(), run.signed, run.down), run.cap);
        let last = if run.down { run.cap.add(less_one) } else { run.cap.sub(less_one) };
        !most.is_zero() && less_one.ule(room) && !run.before(last, bound)
    }

    /// The way, the count, and what that is if it is not zero, where those differ. No way where the stride is no poison.
    fn steps_to(&mut self, run: &Run, why: NoWrap, controls: bool) -> (Option<Expr>, Expr, Option<Expr>) {
        let harmful = self.is_poison_harmful(run.l, run.stride, [run.start, run.bound]);
        if !harmful && let Some(count) = self.counted_from_before(run) {
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
        let at_or_behind = run.not_behind();
        if self.is_entry_guarded(run.l, at_or_behind, run.bound, run.start) {
            return true;
        }
        let [bound, start] = [run.bound, run.start].map(|e| self.apply_guards(e, run.l));
        if self.is_known(at_or_behind, bound, start) {
            return true;
        }
        // Where the step back wraps, the other side is the extreme value, beyond which nothing is.
        let back = self.int(self.width(run.start), if run.down { 1 } else { -1 });
        let before = self.add(&[run.start, back]);
        self.is_entry_guarded(run.l, run.strict().swapped(), run.bound, before)
    }
    /// Where one stride before the start is still before the start and the bound, no maximum is needed: from there, the
    /// way is one stride more, and at least 1.
    fn counted_from_before(&mut self, run: &Run) -> Option<Expr> {
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

    /// `ceil(way / stride)` of a way within the bound.
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
        // If the run comes to its bound, `n * stride` is in range, and a multiple of the power of two; and it does, or
        // the run is undefined.
        let progress = self.progress(run.l);
        let arrives = controls && progress.leaves_by_exits && (progress.ends || run.flagged);
        arrives && self.is_power_of_two(run.stride) || !run.down && run.start == run.stride
    }

    /// `ceil(way / stride)` of any way: one, and the rest of the way, unless there is none.
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

    /// What bounds the count if the bound is at most `bound`, in the order of the run.
    fn most_steps(&mut self, run: &Run, bound: Int) -> Limit {
        let width = bound.width();
        let start = self.entry_bound(run.start, run.l, run.signed, run.down);
        let stride = self.entry_bound(run.stride, run.l, false, false).umax(Int::one(width));
        let end = if run.before(start, bound) { bound } else { start };
        let way = run.way(start, end);
        let one = Int::one(width);
        let ceiling = if way.is_zero() { Some(way) } else { way.sub(one).udiv(stride).map(|n| n.add(one)) };
        // The last value is not behind the cap.
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

    /// The bound changes in the loop: a maximum from its range, or a count if it is a recurrence too.
    fn moving_bound(&mut self, run: &Run, controls: bool) -> Limit {
        if !self.is_entry_nonzero(run.stride, run.l) {
            return Limit::UNKNOWN;
        }
        let most = self.bound(run.bound, run.signed, !run.down);
        let limit =
            if run.flagged || self.has_room(run, most) { self.most_steps(run, most) } else { Limit::UNKNOWN };
        match self.meeting(run, controls) {
            Some(count) => self.exact_limit(run.l, count).or(limit),
            None => limit,
        }
    }
    /// Two recurrences that do not wrap and come nearer by `T - X` in each iteration, in ℤ.
    fn meeting(&mut self, run: &Run, controls: bool) -> Option<Expr> {
        let (of, operands) = self.arena.as_add_rec(run.bound)?;
        let &[start, step] = &operands[..] else { return None };
        let flags = self.flags_here(run.bound);
        let exact = if run.signed { flags.nsw() } else { flags.nuw() && !run.down };
        if of != run.l || !run.flagged || !exact {
            return None;
        }
        let own = if run.down { self.neg(run.stride) } else { run.stride };
        // `own` is in ℤ as the order reads it, or it would not run towards the bound.
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
        self.unless_left_at_once(run.l, [way, count], by, [run.start, start], controls)
    }
}
