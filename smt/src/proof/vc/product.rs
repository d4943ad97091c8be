//! The product of both programs: the proof obligation of one step of the pair, as a query to the solver.
//!
//! A *node* is a place of the source and a place of the target. From a node, the target takes one segment, and the
//! source takes as many as the schedule says. Once the target has returned, the source moves alone. A *step* is one end
//! of the target's segment together with a move of the source. The premises are the facts of the node, the paths taken,
//! and that the source has no UB. If they imply that the source arrives where the schedule says, with equal history and
//! memory and with the facts of the next node, then each run of the target is matched by a run of the source.
//!
//! # Undefined behaviour of the source
//! UB of the source excuses later behaviour of the target only if the target has made all calls that precede the UB and
//! might not have returned ([`End::trace`]). The source is explored one segment further than it moves, so that its UB
//! also excuses a target that executes operations early.
//!
//! # Choices
//! A choice of the source in a step is the target's choice at the instruction of the same name, or a choice that the
//! target made there earlier and still holds, or the choice in the same position. Source choices without such a
//! counterpart get an arbitrary term, see [`crate::proof::vc::question`]. The target's choices are unconstrained.

use crate::encode::function::{Encoded, Encoder, End, Return};
use crate::encode::memory::Memory;
use crate::encode::observed::Values as ByInst;
use crate::encode::segment::{Crossing, Segment};
use crate::encode::value::Sym;
use crate::encode::world::{Side, World};
use crate::proof::lang::certificate::Draft;
use crate::proof::lang::step::{CutIndex, Known, Node, Place, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::program::{AtCut, State};
use crate::proof::vc::question::{Built, Frozen, Goal, Question};
use crate::proof::vc::state::{Definitions, Looked, PairState, SideState, chooses_nothing};
use crate::refinement::{Reason, halted};
use crate::term::Term;
use backedge_ir::entity::Inst;
use backedge_ir::inst::InstKind;
use std::rc::Rc;

/// The symbolic state of one side at its place.
pub(super) struct SymbolicPlace {
    pub(super) crossing: Option<Crossing>,
    pub(super) given: Term,
    pub(super) state: SideState,
    pub(super) at: Shared,
}

/// The state that both sides share at a node.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    pub(super) memory: Term,
    pub(super) trace: Term,
    /// The calls up to and including the last one that might have freed memory.
    pub(super) frees: Term,
}

/// Ends of the source's paths in a step.
#[derive(Default)]
pub(super) struct Explored {
    pub(super) arrived: Vec<Crossing>,
    pub(super) returns: Vec<Return>,
    pub(super) stops: Vec<End>,
    pub(super) ub: Vec<End>,
}

/// One side before a step, and the ends of its paths in the step.
pub(super) struct Moved<Ends> {
    pub(super) from: SymbolicPlace,
    pub(super) ends: Ends,
}

/// A step, and what is known of both sides before it.
pub(super) struct StepStart<'f> {
    pub(super) step: Step,
    pub(super) looked: Looked,
    definitions: Definitions<'f>,
    at: Shared,
}

impl Shared {
    pub(super) fn following(crossing: &Crossing) -> Self {
        let Memory { shared, trace, frees, .. } = crossing.memory;
        Self { memory: shared, trace, frees }
    }
    fn state(self, leaves: ByInst) -> State {
        let Self { memory, trace, frees } = self;
        State { leaves, memory, trace, frees }
    }
}

impl Pair<'_> {
    fn fresh_shared(&self, world: &mut World) -> Shared {
        let (memory, trace) = (world.fresh_memory(), world.fresh_trace());
        Shared { memory, trace, frees: self.fresh_frees(world) }
    }

    /// The query for `step`, where `known` holds at its node and `following` may be evaluated after the step.
    pub(in crate::proof) fn question(
        &self,
        step: Step,
        known: Known<'_>,
        following: Known<'_>,
    ) -> Result<Question, Reason> {
        let (mut world, args) = self.world()?;
        match self.build(&mut world, &args, step, known, following) {
            Ok(parts) if !world.needs_undef_mask => {
                let mut question = Question::new(world, parts);
                question.long = matches!(step.source, SourceMove::Arrives { count, .. } if count > 2);
                Ok(question)
            }
            Ok(_) => Err(Reason::UndefChosenOnce),
            Err(halt) => Err(halted(halt, &world)),
        }
    }

    /// The query for a step of a draft.
    pub(in crate::proof) fn question_of(&self, draft: &Draft, step: Step) -> Result<Question, Reason> {
        self.question(step, draft.known(step.from), step.to().map(|to| draft.known(to)).unwrap_or_default())
    }

    fn build(
        &self,
        world: &mut World,
        args: &[Sym],
        step: Step,
        known: Known<'_>,
        following: Known<'_>,
    ) -> Encoded<Built> {
        let caller_blocks = world.blocks.len() as u32;
        let entry = Node { source: Place::Cut(0), target: Place::Cut(0) };
        let at = if step.from == entry {
            Shared { memory: world.memory, trace: world.start, frees: world.start }
        } else {
            self.fresh_shared(world)
        };
        let (looked, definitions) = (Looked::at(known, following), Definitions::of(known.facts));
        let start = StepStart { step, looked, definitions, at };
        let mut before = PairState {
            args: Rc::new(args.to_vec()),
            source: SideState::default(),
            target: SideState::default(),
        };
        let chosen = world.choices[Side::Source.index()].len();
        let source = self.stand(world, &start, Side::Source, &before)?;
        chooses_nothing(world, chosen)?;
        before.source = source.state.clone();
        let target = self.stand(world, &start, Side::Target, &before)?;
        before.target = target.state.clone();
        let segment = match (&target.crossing, step.from.target) {
            (Some(crossing), Place::Cut(cut)) => {
                self.run(world, Side::Target, AtCut { args, cut, crossing })?
            }
            _ => Segment::default(),
        };
        let explored = self.explore(world, args, &source, step)?;
        let mut given = vec![target.given, source.given];
        for fact in known.facts {
            // A fact about absent values adds no premise.
            given.extend(fact.term(&mut world.terms, &before));
        }
        let frozen = self.frozen(&before.target);
        let mut built =
            Built { given, goals: Vec::new(), before, after: None, to: None, caller_blocks, frozen };
        self.excuses(world, &explored.ub, at.trace, &mut built);
        let source = Moved { from: source, ends: explored };
        let target = Moved { from: target, ends: segment };
        self.conclude(world, &start, &source, &target, &mut built)?;
        self.keeps_progress(world, step, &mut built);
        Ok(built)
    }

    /// Goal: a target that must make progress keeps a call of `llvm.sideeffect`, the source's only progress, in a step
    /// in which both sides move. Otherwise both could run forever.
    fn keeps_progress(&self, world: &mut World, step: Step, built: &mut Built) {
        let both_move = step.end != TargetEnd::Waits && step.source != SourceMove::Stays;
        let [of_source, of_target] = world.side_effects.clone();
        if of_source.is_empty() || !both_move || self.target.must_progress.is_empty() {
            return;
        }
        let terms = &mut world.terms;
        let (passed, kept) = (terms.or_all(of_source), terms.or_all(of_target));
        let none = terms.not(passed);
        built.goals.push((Goal::Progress, terms.or(none, kept)));
    }

    /// The frozen values that the target holds in `state`.
    fn frozen(&self, state: &SideState) -> Vec<Frozen> {
        let freezes = |inst: &Inst| matches!(self.target.body.inst(*inst).kind, InstKind::Freeze);
        let mut held: Vec<Inst> = state.values.keys().copied().filter(freezes).collect();
        held.sort_unstable();
        let lanes = |inst: Inst| {
            let name = self.target.name(inst);
            let scalars = state.values[&inst].scalars().into_iter().enumerate();
            scalars.map(move |(lane, s)| Frozen { name: name.clone(), lane, bits: s.bits })
        };
        held.into_iter().flat_map(lanes).collect()
    }

    /// The symbolic state of one side at its place, where the facts may refer to the `other` state.
    fn stand(
        &self,
        world: &mut World,
        start: &StepStart<'_>,
        side: Side,
        other: &PairState,
    ) -> Encoded<SymbolicPlace> {
        let StepStart { step, looked, definitions, at } = start;
        let place = match side {
            Side::Source => step.from.source,
            Side::Target => step.from.target,
        };
        let own = Rc::new(self.leaves(world, side, place, other, definitions)?);
        let (Place::Cut(cut) | Place::Returned(cut)) = place;
        let past = matches!(place, Place::Returned(_));
        // Memory and history at the start of the segment that returned are no longer known.
        let before = if past { self.fresh_shared(world) } else { *at };
        let args: &[Sym] = &other.args;
        let state = before.state((*own).clone());
        let (_, mut crossing, mut given) = self.program(side).at(world, args, cut, state)?;
        if side == Side::Source && !past && !looked.apart.is_empty() {
            let accesses = AtCut { args, cut, crossing: &crossing };
            let memory = self.with_differing_bytes(world, accesses, at.memory, &looked.apart)?;
            let state = Shared { memory, ..*at }.state((*own).clone());
            (_, crossing, given) = self.program(side).at(world, args, cut, state)?;
        }
        let mut state = SideState { values: crossing.values.clone(), ..SideState::default() };
        if !past {
            state.ahead = self.ahead(world, side, AtCut { args, cut, crossing: &crossing }, looked)?;
            // This memory includes the contents of constant globals.
            let at = Shared { memory: crossing.memory.shared, ..*at };
            return Ok(SymbolicPlace { crossing: Some(crossing), given, state, at });
        }
        let last = self.run(world, side, AtCut { args, cut, crossing: &crossing })?;
        match merge_returns(world, &last.returns) {
            Some(last) => {
                given = world.terms.and(given, last.path);
                state.returned = last.value;
            }
            None => given = world.terms.bool(false),
        }
        Ok(SymbolicPlace { crossing: None, given, state, at: *at })
    }

    /// The ends of the source's paths in a step, and its UB up to one segment after it arrives.
    fn explore(
        &self,
        world: &mut World,
        args: &[Sym],
        source: &SymbolicPlace,
        step: Step,
    ) -> Encoded<Explored> {
        let mut found = Explored::default();
        let (Some(start), Place::Cut(cut)) = (&source.crossing, step.from.source) else { return Ok(found) };
        let (goal, within) = match step.source {
            SourceMove::Stays => (None, 0),
            SourceMove::Arrives { cut, count, within } => (Some((cut, count)), within),
            SourceMove::Ends { within } => (None, within),
        };
        let mut frontier = vec![(cut, 0, start.clone())];
        for _ in 0..within {
            let mut next: Vec<(CutIndex, u32, Vec<Crossing>)> = Vec::new();
            for (cut, count, crossing) in std::mem::take(&mut frontier) {
                let segment = self.run(world, Side::Source, AtCut { args, cut, crossing: &crossing })?;
                found.returns.extend(segment.returns);
                found.stops.extend(segment.stops);
                found.ub.extend(segment.ub);
                for crossing in segment.crossings {
                    let Some(to) = self.source.cut_at(crossing.block) else { continue };
                    let count = count + u32::from(goal.is_some_and(|g| g.0 == to));
                    if goal.is_some_and(|g| g.1 == count && g.0 == to) {
                        found.arrived.push(crossing);
                        continue;
                    }
                    match next.iter_mut().find(|n| (n.0, n.1) == (to, count)) {
                        Some(entry) => entry.2.push(crossing),
                        None => next.push((to, count, vec![crossing])),
                    }
                }
            }
            for (cut, count, list) in next {
                frontier.extend(self.merge(world, args, &list)?.map(|c| (cut, count, c)));
            }
        }
        let ahead: Vec<(CutIndex, Crossing)> = match step.source {
            SourceMove::Stays => vec![(cut, start.clone())],
            SourceMove::Arrives { cut, .. } => {
                let merged = self.merge(world, args, &found.arrived)?;
                found.arrived = merged.into_iter().collect();
                found.arrived.iter().map(|c| (cut, c.clone())).collect()
            }
            SourceMove::Ends { .. } => {
                frontier.into_iter().map(|(cut, _, crossing)| (cut, crossing)).collect()
            }
        };
        for (cut, crossing) in ahead {
            let segment = self.run(world, Side::Source, AtCut { args, cut, crossing: &crossing })?;
            // UB after a call that may not return is not certain to happen.
            found.ub.extend(segment.ub.into_iter().filter(|end| end.trace == crossing.memory.firm));
        }
        Ok(found)
    }
    fn merge(&self, world: &mut World, args: &[Sym], list: &[Crossing]) -> Encoded<Option<Crossing>> {
        let function = (self.source.function.module, self.source.function.func);
        Encoder::bare(world, Side::Source, function, args.to_vec())?.merge(list)
    }

    /// Adds the premise that the source has no UB that excuses the target.
    fn excuses(&self, world: &mut World, ub: &[End], start: Term, built: &mut Built) {
        let made: Vec<(Term, Term)> = world
            .events
            .iter()
            .filter(|e| e.side == Side::Target)
            .filter_map(|e| Some((e.happens, e.after?)))
            .collect();
        for end in ub {
            let terms = &mut world.terms;
            let mut kept = terms.eq(end.trace, start);
            for &(happens, after) in &made {
                let same = terms.eq(after, end.trace);
                let here = terms.and(happens, same);
                kept = terms.or(kept, here);
            }
            let excused = terms.and(end.path, kept);
            built.given.push(terms.not(excused));
        }
    }
}

/// Merges returns into one; `None` if there are none.
pub(super) fn merge_returns(world: &mut World, list: &[Return]) -> Option<Return> {
    let (first, rest) = list.split_first()?;
    let mut merged = first.clone();
    for other in rest {
        let terms = &mut world.terms;
        merged = Return {
            value: match (&other.value, &merged.value) {
                (Some(a), Some(b)) => Some(Sym::ite(terms, other.path, a, b)),
                _ => None,
            },
            shared: terms.ite(other.path, other.shared, merged.shared),
            trace: terms.ite(other.path, other.trace, merged.trace),
            path: terms.or(other.path, merged.path),
        };
    }
    Some(merged)
}
