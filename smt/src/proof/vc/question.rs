//! One step as a question to the solver: what is given, what is to be shown, and how it is made smaller before it is asked.
//!
//! What the source chooses is what the target chooses at the instruction of the same name or has chosen there before the
//! step, or else in the same order; what the target's calls answer is put for what the source's answer where that is known
//! to be the same ([`crate::proof::decide::unify`]).

use crate::encode::value::Scalar;
use crate::encode::world::{Choice, ChoiceKind, Side, World};
use crate::proof::decide::ask::Asker;
use crate::proof::decide::gathered::settle;
use crate::proof::decide::plain::{conjuncts, split};
use crate::proof::decide::unify::unify;
use crate::proof::decide::{places, solve};
use crate::proof::lang::step::Node;
use crate::proof::vc::state::{PairState, SideState};
use crate::refinement::Reason;
use crate::solver::Answer;
use crate::term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is to be shown of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::proof) enum Goal {
    /// The target has no UB.
    NoUb,
    /// The source does what the schedule says, or ends as the target does.
    Follows,
    /// Both have made the same calls.
    Events,
    /// Memory is the same, or refined at the end.
    Memory,
    /// The value returned is refined.
    Value,
    /// No bits are undef where none are expected.
    Settled,
    /// Undef bits are not chosen once for several uses.
    Narrowing,
    /// The target passes `llvm.sideeffect` where the source does.
    Progress,
}

/// Units for the question whether a call is made: there is one for each call.
const SETTLE_UNITS: u64 = 40_000;
/// Limit on the undecided questions whether two places can be the same: after it only those that a rule decides are
/// asked.
const MANY_OPEN: u32 = 1;
/// Units for the question whether the premises about the variables of a goal suffice: if they do, it is small.
const NEAR_UNITS: u64 = 20_000;
/// The same if the source takes several segments: its counter then takes as many steps.
const LONG_NEAR_UNITS: u64 = 150_000;

/// A question.
pub(in crate::proof) struct Question {
    pub(in crate::proof) world: World,
    pub(in crate::proof) given: Vec<Term>,
    pub(in crate::proof) goals: Vec<(Goal, Term)>,
    /// Where the pair stands behind the step, if it goes on.
    pub(in crate::proof) to: Option<Node>,
    pub(in crate::proof) before: PairState,
    pub(in crate::proof) after: Option<PairState>,
    /// Whether the source may make observable progress: events, or calls of `llvm.sideeffect`.
    pub(in crate::proof) source_progress: bool,
    /// Whether the source takes several segments.
    pub(in crate::proof) long: bool,
    /// Whether the source makes its calls, one by one.
    happens: Vec<Term>,
}

impl Question {
    /// Puts the target's choices and answers for the source's.
    pub(in crate::proof) fn new(mut world: World, built: Built) -> Self {
        let Built { mut given, goals, before, mut after, to, frozen, .. } = built;
        let matching = matching(&mut world, &frozen);
        let (names, mut conditions): (Vec<Goal>, Vec<Term>) = goals.into_iter().unzip();
        if !matching.is_empty() {
            let axioms = std::mem::take(&mut world.axioms);
            world.axioms = world.terms.substitute_all(&axioms, &matching);
            given = world.terms.substitute_all(&given, &matching);
            conditions = world.terms.substitute_all(&conditions, &matching);
            after = after.map(|state| substitute(&mut world, state, &matching));
        }
        let source_events = world.events.iter().any(|e| e.side == Side::Source && e.after.is_some());
        let source_progress = source_events || !world.side_effects[Side::Source.index()].is_empty();
        let goals = names.into_iter().zip(conditions).collect();
        let of_source = world.events.iter().filter(|e| e.side == Side::Source);
        let happens: Vec<Term> = of_source.map(|e| e.happens).collect();
        let happens = world.terms.substitute_all(&happens, &matching);
        let mut question =
            Self { world, given, goals, to, before, after, source_progress, long: false, happens };
        question.unify();
        question.solve();
        question
    }
    /// Whether `goal` can be false where what is given holds, in at most `units`.
    pub(in crate::proof) fn can_fail(
        &mut self,
        goal: Term,
        asker: &mut Asker,
        units: u64,
    ) -> Result<Answer, Reason> {
        let goal = settle(&mut self.world.terms, goal);
        let conditions = self.against(goal);
        if self.follows_from_near(goal, asker, units)? {
            return Ok(Answer::Unsat);
        }
        asker.ask(&mut self.world, &conditions, units)
    }
    /// The same whatever calls answer and memory is like: that it cannot says more.
    pub(in crate::proof) fn can_fail_of_any(
        &mut self,
        goal: Term,
        asker: &mut Asker,
        units: u64,
    ) -> Result<Answer, Reason> {
        let conditions = self.against(goal);
        if self.follows_from_near(goal, asker, units)? {
            return Ok(Answer::Unsat);
        }
        asker.ask_of_any(&mut self.world, &conditions, units)
    }
    /// Whether `goal` follows from what is given of its own variables alone: of counters and of how far they count it
    /// mostly does, while what memory and poison are like in all segments of the source is most of what is given.
    fn follows_from_near(&mut self, goal: Term, asker: &mut Asker, units: u64) -> Result<bool, Reason> {
        let terms = &mut self.world.terms;
        let own: FxHashSet<Term> = terms.variables(&[goal]).into_iter().collect();
        let given = conjuncts(terms, &self.given);
        let mut known: FxHashSet<Term> = FxHashSet::default();
        for term in terms.cone(&given) {
            let other = matches!(terms.op(term), Op::Var(_)) && !own.contains(&term);
            if !other && terms.args(term).iter().all(|a| known.contains(a)) {
                known.insert(term);
            }
        }
        let all = given.len();
        let mut near: Vec<Term> = given.into_iter().filter(|c| known.contains(c)).collect();
        if near.is_empty() || near.len() == all {
            return Ok(false);
        }
        near.push(terms.not(goal));
        let most = if self.long { LONG_NEAR_UNITS } else { NEAR_UNITS };
        asker.is_impossible(&mut self.world, &near, units.min(most))
    }
    /// What is given, and that `goal` is false.
    fn against(&mut self, goal: Term) -> Vec<Term> {
        let mut conditions = self.given.clone();
        conditions.push(self.world.terms.not(goal));
        conditions
    }
    /// That the source does what the schedule says.
    pub(in crate::proof) fn follows(&mut self) -> Term {
        let parts = self.goals.iter().filter(|(goal, _)| *goal == Goal::Follows).map(|(_, term)| *term);
        let parts: Vec<Term> = parts.collect();
        self.world.terms.and_all(parts)
    }
    /// Takes for given that the source does what the schedule says, which is not asked any more: its calls are made then,
    /// and what the other goals and the facts say of it is said of where it is.
    pub(in crate::proof) fn follow(&mut self) {
        let (follows, goals) =
            std::mem::take(&mut self.goals).into_iter().partition(|g| g.0 == Goal::Follows);
        self.goals = goals;
        let follows: Vec<(Goal, Term)> = follows;
        if !follows.is_empty() {
            self.given.extend(follows.into_iter().map(|(_, term)| term));
            self.unify();
            self.solve();
        }
    }
    /// Puts in which places in memory are the same and which are not, where it follows from what is given.
    pub(in crate::proof) fn settle_places(&mut self, asker: &mut Asker) -> Result<(), Reason> {
        let terms = &mut self.world.terms;
        let mut roots: Vec<Term> = self.given.iter().chain(&self.world.axioms).copied().collect();
        roots.extend(self.goals.iter().map(|g| g.1));
        if let Some(after) = &self.after {
            after.map(&mut |s| {
                roots.extend([s.bits, s.poison]);
                s
            });
        }
        let of_memory = self.goals.iter().filter(|(goal, _)| *goal == Goal::Memory);
        let of_memory: Vec<Term> = of_memory.map(|g| g.1).collect();
        let tests = of_memory.into_iter().flat_map(|goal| places::tests_of_writes(terms, goal)).collect();
        let (mut known, open) = places::asked(terms, &roots, tests);
        let checks = places::checked(terms, &self.given);
        let mut left = MANY_OPEN;
        for alike in open {
            let checked = alike.by_check(terms, &checks);
            if checked.is_none() && left == 0 {
                continue;
            }
            let claim = checked.unwrap_or_else(|| alike.never(terms));
            let mut near = places::near(terms, &self.given, claim, checked.is_none());
            near.push(terms.not(claim));
            if asker.is_impossible_in_numbers(terms, &near)? {
                let no = terms.bool(false);
                known.extend(alike.truths.into_iter().map(|t| (t, no)));
            } else if checked.is_none() {
                left -= 1;
            }
        }
        if !known.is_empty() {
            self.given = terms.substitute_all(&self.given, &known);
            self.change(&mut |terms, all| terms.substitute_all(all, &known));
        }
        let terms = &mut self.world.terms;
        for (_, goal) in self.goals.iter_mut().filter(|(goal, _)| *goal == Goal::Memory) {
            *goal = places::write_by_write(terms, *goal, &known).unwrap_or(*goal);
        }
        Ok(())
    }
    /// Puts what is given into all that is asked.
    fn solve(&mut self) {
        let known = solve::solve(&mut self.world.terms, &mut self.given);
        self.change(&mut |terms, all| solve::put(terms, all, &known));
    }
    /// Puts other terms that say the same for those of what is asked, but for what is given.
    fn change(&mut self, change: &mut dyn FnMut(&mut Terms, &[Term]) -> Vec<Term>) {
        let terms = &mut self.world.terms;
        self.world.axioms = change(terms, &self.world.axioms);
        self.happens = change(terms, &self.happens);
        let (names, goals): (Vec<Goal>, Vec<Term>) = self.goals.iter().copied().unzip();
        self.goals = names.into_iter().zip(change(terms, &goals)).collect();
        if let Some(after) = self.after.take() {
            let mut all = Vec::new();
            after.map(&mut |s| {
                all.extend([s.bits, s.poison, s.undef]);
                s
            });
            let changed = change(terms, &all);
            let mut parts = changed.chunks_exact(3);
            self.after = Some(after.map(&mut |_| match parts.next() {
                Some(&[bits, poison, undef]) => Scalar { bits, poison, undef },
                _ => unreachable!("three parts of each scalar"),
            }));
        }
    }
    /// Finds out which of the source's calls are made for sure and which are not: what they are told and answer depends on
    /// the ones before them.
    pub(in crate::proof) fn settle_calls(&mut self, asker: &mut Asker) -> Result<(), Reason> {
        for i in 0..self.happens.len() {
            for made in [true, false] {
                let happens = self.happens[i];
                if self.happens.len() < 2 || self.world.terms.as_bool(happens).is_some() {
                    break;
                }
                let so = if made { happens } else { self.world.terms.not(happens) };
                if self.given.contains(&so) {
                    break;
                }
                if self.can_fail_of_any(so, asker, SETTLE_UNITS)? == Answer::Unsat {
                    self.given.push(so);
                    self.unify();
                    break;
                }
            }
        }
        Ok(())
    }
    /// Puts in what tests of numbers give in this step, where that follows from what is known of numbers: of several
    /// segments of the source one after the other it is mostly certain which way they go, and what they do to memory is
    /// compared without all the ways that they do not go.
    pub(in crate::proof) fn settle_tests(&mut self, asker: &mut Asker) -> Result<(), Reason> {
        let terms = &mut self.world.terms;
        let given = conjuncts(terms, &self.given);
        let goals: Vec<Term> = self.goals.iter().map(|g| g.1).collect();
        let known = asker.settled(terms, &given, &goals)?;
        if known.is_empty() {
            return Ok(());
        }
        let terms = &mut self.world.terms;
        let (on_arrays, mut plain): (Vec<Term>, Vec<Term>) = split(terms, given);
        // What the tests follow from stays; the rest says the same with them as without.
        plain.extend(terms.substitute_all(&on_arrays, &known));
        self.given = conjuncts(terms, &plain);
        let true_or_not = |terms: &mut Terms, truth: Term| match terms.op(truth) {
            Op::Not => (terms.args(truth)[0], terms.bool(false)),
            _ => (truth, terms.bool(true)),
        };
        self.change(&mut |terms, all| terms.substitute_all(all, &known));
        let terms = &mut self.world.terms;
        let holds: FxHashMap<Term, Term> = self.given.iter().map(|g| true_or_not(terms, *g)).collect();
        for (_, goal) in &mut self.goals {
            *goal = terms.substitute(*goal, &holds);
        }
        Ok(())
    }
    /// Puts the answers of the target's calls for those of the source's where they are known to be the same.
    fn unify(&mut self) {
        let answers = unify(&mut self.world, &mut self.given);
        if answers.is_empty() {
            return;
        }
        for (_, goal) in &mut self.goals {
            *goal = self.world.terms.substitute(*goal, &answers);
        }
        self.happens = self.world.terms.substitute_all(&self.happens, &answers);
        let after = self.after.take();
        self.after = after.map(|state| substitute(&mut self.world, state, &answers));
    }
}

/// A question in the making.
pub(in crate::proof) struct Built {
    pub(in crate::proof) given: Vec<Term>,
    pub(in crate::proof) goals: Vec<(Goal, Term)>,
    pub(in crate::proof) before: PairState,
    pub(in crate::proof) after: Option<PairState>,
    pub(in crate::proof) to: Option<Node>,
    /// How many known blocks the caller has.
    pub(in crate::proof) caller_blocks: u32,
    /// What the target has chosen before the step and still holds.
    pub(in crate::proof) frozen: Vec<Frozen>,
}

/// A scalar of a frozen value.
pub(in crate::proof) struct Frozen {
    /// The spelling of the instruction's result.
    pub(in crate::proof) name: String,
    pub(in crate::proof) lane: usize,
    pub(in crate::proof) bits: Term,
}

fn substitute(world: &mut World, state: PairState, matching: &FxHashMap<Term, Term>) -> PairState {
    let mut one = |scalar: Scalar| Scalar {
        bits: world.terms.substitute(scalar.bits, matching),
        poison: world.terms.substitute(scalar.poison, matching),
        undef: world.terms.substitute(scalar.undef, matching),
    };
    let values = state.source.values.iter().map(|(i, v)| (*i, v.map(&mut one))).collect();
    let ahead = state.source.ahead.iter().map(|(i, v)| (*i, v.map(&mut one))).collect();
    let returned = state.source.returned.map(|v| v.map(&mut one));
    PairState { source: SideState { values: Rc::new(values), ahead: Rc::new(ahead), returned }, ..state }
}

/// For choices of the source what the target chooses: by name and order in the step, by name before it, by order alone,
/// any that it has made before, or zero. Whatever is put for a choice, a proof with it is one: the source need choose only
/// once it is known what the target does.
fn matching(world: &mut World, frozen: &[Frozen]) -> FxHashMap<Term, Term> {
    let mut found = matching_of_values(world, frozen);
    world.match_evaluations(&mut found);
    found
}
/// The same for undef bits and freezes.
fn matching_of_values(world: &mut World, frozen: &[Frozen]) -> FxHashMap<Term, Term> {
    let World { choices: [source, target], terms, .. } = world;
    // What the target has no choice for it mostly has a constant for.
    let zeros = source.iter().map(|choice| terms.width(choice.var)).collect::<Vec<_>>();
    let zeros = zeros.into_iter().map(|width| terms.number(width, 0)).collect::<Vec<_>>();
    let terms = &*terms;
    let same_kind = |a: &Choice, b: &Choice| a.kind == b.kind && terms.width(a.var) == terms.width(b.var);
    let mut found = FxHashMap::default();
    for (i, choice) in source.iter().enumerate().filter(|(_, choice)| choice.of.is_none()) {
        let named = |c: &&Choice| same_kind(c, choice) && c.label == choice.label;
        let nth = source[..i].iter().filter(named).count();
        let order = source[..i].iter().filter(|c| same_kind(c, choice)).count();
        let fits =
            |f: &&Frozen| choice.kind == ChoiceKind::Freeze && terms.width(f.bits) == terms.width(choice.var);
        let now = target.iter().filter(named).nth(nth).map(|c| c.var);
        let held = || {
            let lane = choice.index as usize;
            frozen.iter().filter(fits).find(|f| *f.name == *choice.label && f.lane == lane).map(|f| f.bits)
        };
        let by_order = || target.iter().filter(|c| same_kind(c, choice)).nth(order).map(|c| c.var);
        let any_held = || frozen.iter().find(fits).map(|f| f.bits);
        let counterpart = now.or_else(held).or_else(by_order).or_else(any_held);
        let counterpart = counterpart.unwrap_or(zeros[i]);
        found.insert(choice.var, counterpart);
    }
    found
}
