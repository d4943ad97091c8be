//! Axioms between events: equal histories get equal answers (Ackermann's reduction).
//!
//! The answer of an external call is a function of the history: the earlier calls, the callee, the arguments, and the
//! memory that the call can see. The history is an opaque number, the *trace*; each call creates a new one. A history
//! of the target also counts as equal if its arguments refine the source's.

use crate::encode::value::{Sym, identical};
use crate::encode::world::event::{Event, Likeness};
use crate::encode::world::{Side, World};
use crate::term::Term;

impl World {
    /// Registers an event and states that its answer equals that of equal events of the other side (of all equal events
    /// if it is not observable).
    pub(crate) fn add_event(&mut self, event: Event) {
        let others: Vec<Event> = self
            .events
            .iter()
            .filter(|o| o.callee == event.callee && o.promises == event.promises)
            .filter(|o| o.args.len() == event.args.len())
            .filter(|o| o.side != event.side || event.after.is_none())
            .cloned()
            .collect();
        for (at, other) in others.iter().enumerate() {
            if self.exhausted().is_some() {
                break;
            }
            let (source, target) = if other.side == Side::Target { (&event, other) } else { (other, &event) };
            let answers = match (&source.result, &target.result) {
                (Some(a), Some(b)) => same_shape(self, a, b),
                _ => true,
            };
            if source.after.is_some() != target.after.is_some()
                || !answers
                || !self.same_shapes(source, target)
            {
                continue;
            }
            let equal = if source.side == target.side {
                self.may_match_another(source, target);
                self.is_same_question(source, target, Likeness::Identical)
            } else {
                let before = if event.side == Side::Target { &others[..] } else { &others[..at] };
                self.is_answered_by(source, target, before)
            };
            self.state_equal_answers(equal, source, target);
        }
        self.events.push(event);
    }
    /// Whether the target makes an unobservable call that may be UB and that the source does not make in the same way:
    /// in some environment, the call is UB.
    pub(crate) fn target_only_calls(&mut self) -> Term {
        let is_unsafe = |e: &&Event| e.side == Side::Target && e.after.is_none() && !e.speculatable;
        let targets: Vec<Event> = self.events.iter().filter(is_unsafe).cloned().collect();
        let mut alone = Vec::new();
        for target in &targets {
            let like = |s: &&Event| {
                s.side == Side::Source
                    && s.callee == target.callee
                    && s.args.len() == target.args.len()
                    && target.promises.iter().all(|promise| s.promises.contains(promise))
                    && match (&s.result, &target.result) {
                        (Some(a), Some(b)) => same_shape(self, a, b),
                        (a, b) => a.is_none() == b.is_none(),
                    }
            };
            let sources: Vec<Event> = self.events.iter().filter(like).cloned().collect();
            let mut made = Vec::new();
            for source in &sources {
                if self.same_shapes(source, target) {
                    let both = self.terms.and(source.happens, target.happens);
                    made.push(self.has_same_inputs(both, source, target, Likeness::Refined));
                }
            }
            let made = self.terms.or_all(made);
            let not_made = self.terms.not(made);
            alone.push(self.terms.and(target.happens, not_made));
        }
        self.terms.or_all(alone)
    }
    fn same_shapes(&self, a: &Event, b: &Event) -> bool {
        a.args.iter().zip(&b.args).all(|(a, b)| same_shape(self, a, b))
    }
    /// Whether the source's event has the answer of the target's event: the questions are identical, or the target's
    /// arguments refine the source's. In the second case the source's event has only one of its possible answers, so
    /// only the first matching target event counts (the targets in `before` are the earlier ones). With all of them, it
    /// would follow that different questions of the target have equal answers. Observable events correspond one to one,
    /// by their history.
    fn is_answered_by(&mut self, source: &Event, target: &Event, before: &[Event]) -> Term {
        let refined = self.is_same_question(source, target, Likeness::Refined);
        if source.after.is_some() || source.by_history {
            return refined;
        }
        let identical = self.is_same_question(source, target, Likeness::Identical);
        if refined == identical {
            return refined;
        }
        let mut first = self.terms.bool(true);
        for earlier in before.iter().filter(|e| e.side == Side::Target) {
            if !self.same_shapes(earlier, target) || earlier.after.is_some() {
                continue;
            }
            if source.memory != earlier.memory {
                // The requirement that the earlier event does not match would have to follow from every memory
                // location.
                self.approximate("a reading call sees other memory than a call that it may match");
            }
            let may_stand = self.is_same_question(source, earlier, Likeness::Refined);
            let alike = self.is_same_question(earlier, target, Likeness::Identical);
            let other = self.terms.not(alike);
            let taken = self.terms.and(may_stand, other);
            let free = self.terms.not(taken);
            first = self.terms.and(first, free);
        }
        let by_choice = self.terms.and(refined, first);
        self.terms.or(identical, by_choice)
    }
    /// Records where one call of the source has undefined arguments that another call's arguments refine: the source
    /// may choose the same answer for both, which the encoding leaves out.
    fn may_match_another(&mut self, one: &Event, other: &Event) {
        if one.side != Side::Source || one.after.is_some() || one.by_history {
            return;
        }
        let identical = self.is_same_question(one, other, Likeness::Identical);
        for (from, to) in [(one, other), (other, one)] {
            if self.is_same_question(from, to, Likeness::Refined) != identical {
                self.approximate("a call with undefined arguments has an answer of its own");
            }
        }
    }
    /// Whether both events happen with the same history, arguments and memory. Arguments of one side are the same only
    /// if they are identical: a function may treat an undefined argument differently from each of its possible values.
    fn is_same_question(&mut self, source: &Event, target: &Event, likeness: Likeness) -> Term {
        let mut both = self.terms.and(source.happens, target.happens);
        if source.after.is_some() || source.by_history {
            let history = self.terms.eq(source.before, target.before);
            both = self.terms.and(both, history);
        }
        self.has_same_inputs(both, source, target, likeness)
    }
    /// Whether `both` holds and the arguments and memory are the same.
    fn has_same_inputs(&mut self, both: Term, source: &Event, target: &Event, likeness: Likeness) -> Term {
        let mut equal = both;
        for (s, t) in source.args.iter().zip(&target.args) {
            let fine = match likeness {
                Likeness::Refined => s.refined_by(&mut self.terms, t),
                Likeness::Identical => identical(&mut self.terms, s, t),
            };
            equal = self.terms.and(equal, fine);
        }
        if let (Some(s), Some(t)) = (source.memory, target.memory) {
            let fine = match likeness {
                Likeness::Refined => self.memory_allows(s, t),
                Likeness::Identical => self.terms.eq(s, t),
            };
            equal = self.terms.and(equal, fine);
        }
        let touched = self.touches_the_same(source, target, likeness);
        equal = self.terms.and(equal, touched);
        // If an alloca is dead only in the target, only the source's call may access it.
        for (number, alive) in &target.allocas {
            let Some((_, before)) = source.allocas.iter().find(|(other, _)| other == number) else {
                continue;
            };
            let fine = match likeness {
                Likeness::Refined => self.terms.implies(*before, *alive),
                Likeness::Identical => {
                    let differ = self.terms.xor(*before, *alive);
                    self.terms.not(differ)
                }
            };
            equal = self.terms.and(equal, fine);
        }
        equal
    }
    /// States that two events have the same answer if `equal` holds.
    ///
    /// If only one of two calls declares that it reads or writes no memory, the function behaves so in both calls, as
    /// in the interpreter: the memory that the other call sees is not compared, and that call leaves memory unchanged.
    fn state_equal_answers(&mut self, equal: Term, source: &Event, target: &Event) {
        let returns = self.terms.eq(source.returns, target.returns);
        let mut answers = vec![returns, self.terms.eq(source.throws, target.throws)];
        let pairs = [(source.after, target.after), (source.leaves, target.leaves)];
        for (s, t) in pairs.into_iter().filter_map(|(s, t)| Some((s?, t?))) {
            answers.push(self.terms.eq(s, t));
        }
        let leaves = |e: &Event| (e.leaves, e.found);
        if let ((Some(left), Some(found)), (None, _)) | ((None, _), (Some(left), Some(found))) =
            (leaves(source), leaves(target))
        {
            answers.push(self.terms.eq(left, found));
        }
        if let (Some(s), Some(t)) = (&source.result, &target.result) {
            for (s, t) in s.scalars().into_iter().zip(t.scalars()) {
                answers.push(self.terms.eq(s.bits, t.bits));
                answers.push(self.terms.eq(s.poison, t.poison));
                answers.push(self.terms.eq(s.undef, t.undef));
            }
        }
        let same = self.terms.and_all(answers);
        let fact = self.terms.implies(equal, same);
        self.axioms.push(fact);
    }
}

fn same_shape(world: &World, a: &Sym, b: &Sym) -> bool {
    match (a, b) {
        (Sym::Scalar(a), Sym::Scalar(b)) => world.terms.width(a.bits) == world.terms.width(b.bits),
        (Sym::List(a), Sym::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_shape(world, a, b))
        }
        (Sym::Scalar(_), Sym::List(_)) | (Sym::List(_), Sym::Scalar(_)) => false,
    }
}
