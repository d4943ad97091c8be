//! One step: both functions run from a state to their next stops, and go on together or alone.
//!
//! Nothing observable happens within a step before its end. So what the target needs may be what the source does
//! anywhere in the step, and a source that becomes undefined in the step allows everything.

use super::execute::{Context, Next, Run, Stop};
use super::function::{View, Why};
use super::state::{Fact, Object, Place, SOURCE, SideState, State, TARGET, follows, is_in_use};
use super::term::{Op, Term};
use backedge_ir::entity::{Block, Inst};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of headers that one side passes with known conditions while the other one stays in place. States with
/// other numbers are not joined.
const LONG_LEAD: u32 = 70;
/// Maximum number of parts of a value that are looked at to replace it.
const DEEP: usize = 24;
/// Maximum number of facts of a state.
const MANY_FACTS: usize = 400;

/// A state that arrives at a pair of positions.
pub(super) struct Arrival {
    pub(super) key: Key,
    pub(super) state: State,
    /// Which sides moved.
    pub(super) moved: [bool; 2],
    /// The blocks that the sides entered.
    pub(super) blocks: [Vec<Block>; 2],
    /// Whether an event counts as progress of a loop.
    pub(super) progress: bool,
}

/// A run that stopped.
pub(super) struct Stopped {
    pub(super) at: SideState,
    stop: Stop,
    noted: Vec<(Fact, Inst)>,
    chosen: Vec<Term>,
    pub(super) blocks: Vec<Block>,
}

/// What a step starts from.
#[derive(Clone)]
pub(super) struct Step {
    key: Key,
    /// The number of headers that a side has passed alone, for the key of the next state.
    lead: u32,
    pub(super) facts: BTreeSet<Fact>,
    chosen: BTreeSet<Term>,
}

/// A pair of positions. States that are to be kept apart have different keys.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Key {
    pub(super) places: [Place; 2],
    /// The side that moved alone in the last step.
    pub(super) alone: Option<usize>,
    /// The number of headers that a side has passed with known conditions while the other one stayed in place.
    pub(super) lead: u32,
}

/// Both functions.
pub(super) struct Both<'m> {
    pub(super) context: Context,
    pub(super) views: [View<'m>; 2],
    /// The headers of cycles, by side.
    pub(super) headers: [FxHashSet<Block>; 2],
}

impl Both<'_> {
    /// The position at the entry.
    pub(super) fn entry(&self) -> Key {
        let place = |side: usize| Place { block: self.views[side].entry(), at: 0, case: 0 };
        Key { places: [place(SOURCE), place(TARGET)], alone: None, lead: 0 }
    }

    /// The state at the entry.
    pub(super) fn start(&mut self, facts: BTreeSet<Fact>) -> State {
        let entry = self.entry();
        let ty = self.context.terms.memory_ty();
        let memory = self.context.terms.raw(Op::Entry, [], ty);
        let sides = [SOURCE, TARGET].map(|side| {
            let mut objects = BTreeMap::new();
            for local in &self.views[side].locals {
                if !self.context.escaped.contains(&local.number) {
                    let memory = self.context.terms.raw(Op::Uninit(local.number), [], ty);
                    objects.insert(local.number, Object { memory, alive: !local.begins });
                }
            }
            SideState { place: entry.places[side], values: BTreeMap::new(), memory, objects }
        });
        State { sides, facts, chosen: BTreeSet::new() }
    }

    fn run(
        &mut self,
        side: usize,
        state: &State,
        (in_use, chosen): (&FxHashSet<Term>, Vec<Term>),
    ) -> Result<Stopped, Why> {
        let mut run = Run {
            context: &mut self.context,
            view: &self.views[side],
            is_target: side == TARGET,
            facts: &state.facts,
            headers: &self.headers[side],
            at: state.sides[side].clone(),
            noted: Vec::new(),
            chosen,
            in_use,
            repeated: FxHashMap::default(),
            blocks: Vec::new(),
        };
        let stop = run.run()?;
        let Run { at, noted, chosen, blocks, .. } = run;
        Ok(Stopped { at, stop, noted, chosen, blocks })
    }

    /// All states after the next step from a state.
    pub(super) fn step(&mut self, key: Key, state: &State) -> Result<Vec<Arrival>, Why> {
        state.enter(&mut self.context.terms);
        let in_use: FxHashSet<Term> = if state.chosen.is_empty() {
            FxHashSet::default()
        } else {
            let parts = is_in_use(&self.context.terms, state);
            state.chosen.iter().copied().filter(|term| parts.contains(term)).collect()
        };
        let target = self.run(TARGET, state, (&in_use, Vec::new()))?;
        let lowered = self.lowered(state);
        let source = self.run(SOURCE, &lowered, (&in_use, target.chosen.clone()))?;
        if source.stop == Stop::Unreachable {
            return Ok(Vec::new());
        }
        let mut facts = state.facts.clone();
        facts.extend(source.noted.iter().map(|(fact, _)| fact.clone()));
        if facts.iter().any(|f| matches!(f, Fact::Truth(c, v) if facts.contains(&Fact::Truth(*c, !v)))) {
            return Ok(Vec::new());
        }
        let step = Step { key, lead: 0, facts: state.facts.clone(), chosen: state.chosen.clone() };
        // A side that has reached a header waits until the other one has reached one.
        let [s_waits, t_waits] =
            [SOURCE, TARGET].map(|side| self.is_at_header(side, state.sides[side].place));
        if s_waits && !t_waits && target.stop == Stop::Header && self.unpaid(&state.facts, &target).is_none()
        {
            let (step, blocks) = (self.after(step, &target), [Vec::new(), target.blocks]);
            let sides = [state.sides[SOURCE].clone(), target.at];
            return Ok(vec![self.arrival(step, sides, [false, true], blocks)]);
        }
        let step = Step { facts, ..step };
        if t_waits && !s_waits && source.stop == Stop::Header {
            let (sides, blocks) = ([source.at, state.sides[TARGET].clone()], [source.blocks, Vec::new()]);
            return Ok(vec![self.arrival(step, sides, [true, false], blocks)]);
        }
        match self.unpaid(&step.facts, &target) {
            None => self.both(self.after(step, &target), source, target),
            Some(open) => {
                // The source may do later what the target does now.
                let waiting = state.sides[TARGET].clone();
                let lead = key.lead + 1;
                match source.stop {
                    Stop::Branch { .. } => self.branch_alone(step, SOURCE, source, (waiting, Vec::new())),
                    Stop::Header if lead < LONG_LEAD => {
                        let blocks = [source.blocks, Vec::new()];
                        let step = Step { lead, ..step };
                        Ok(vec![self.arrival(step, [source.at, waiting], [true, false], blocks)])
                    }
                    _ => Err(open),
                }
            }
        }
    }
    /// The state with the source's values replaced by terms of the target that are more defined.
    fn lowered(&mut self, state: &State) -> State {
        let mut state = state.clone();
        for value in state.sides[SOURCE].values.values_mut() {
            let mut depth = DEEP;
            let lowered = self.context.lower(*value, &mut depth);
            if lowered != *value {
                self.context.terms.hides.insert(lowered);
                *value = lowered;
            }
        }
        state
    }
    /// The states after a step in which the target needs nothing more.
    fn both(&mut self, step: Step, source: Stopped, target: Stopped) -> Result<Vec<Arrival>, Why> {
        let lead = (step.key.lead + 1).min(LONG_LEAD);
        match (&target.stop, &source.stop) {
            (Stop::Branch { condition: t, .. }, Stop::Branch { condition: s, .. }) if s == t => {
                self.branch_together(step, source, target)
            }
            (t, s) if *t == Stop::Header || *s == Stop::Header => {
                let moved = [*s == Stop::Header, *t == Stop::Header];
                let lead = if moved == [true, true] { 0 } else { lead };
                let step = Step { lead, ..step };
                let blocks = [source.blocks, target.blocks];
                Ok(vec![self.arrival(step, [source.at, target.at], moved, blocks)])
            }
            (Stop::Event(t), Stop::Event(s)) => {
                let (s, t) = (s.clone(), t.clone());
                self.event(step, [(source, s), (target, t)])
            }
            (Stop::Return(t), Stop::Return(s)) => {
                let (s, t) = (*s, *t);
                self.returns([s, t], [&source.at, &target.at]).map(|()| Vec::new())
            }
            (Stop::Branch { .. }, other)
                if step.key.alone != Some(TARGET) || !matches!(other, Stop::Branch { .. }) =>
            {
                self.branch_alone(step, TARGET, target, (source.at, source.blocks))
            }
            (_, Stop::Branch { .. }) => self.branch_alone(step, SOURCE, source, (target.at, target.blocks)),
            (t, s) => {
                let (t, s) = (self.words(TARGET, t), self.words(SOURCE, s));
                Err(format!("that the target, which {t}, does what the source does, which {s}"))
            }
        }
    }
    fn is_at_header(&self, side: usize, place: Place) -> bool {
        let first = self.views[side].body.phis(place.block).count();
        self.headers[side].contains(&place.block) && place.at == first
    }
    /// The first of the target's needs that does not follow.
    fn unpaid(&mut self, facts: &BTreeSet<Fact>, target: &Stopped) -> Option<Why> {
        if target.stop == Stop::Unreachable {
            return Some("that the source cannot get to the target's `unreachable`".to_owned());
        }
        for (fact, inst) in &target.noted {
            if !follows(&mut self.context.terms, facts, fact) {
                let what = self.views[TARGET].words_of(*inst);
                return Some(match fact {
                    Fact::Access { .. } => format!("that the source makes the access of `{what}`"),
                    Fact::Defined(_) => format!("that `{what}` uses neither poison nor undef"),
                    Fact::Ran(_) => format!("that the source executes `{what}` alike"),
                    Fact::Truth(..) => format!("that the condition of `{what}` holds"),
                    Fact::Holds { .. } => format!("what `{what}` reads"),
                });
            }
        }
        None
    }
    fn words(&self, side: usize, stop: &Stop) -> String {
        match stop {
            Stop::Branch { .. } => "branches on a condition of its own".to_owned(),
            Stop::Header => "continues a loop".to_owned(),
            Stop::Event(event) => format!("executes `{}`", self.views[side].words_of(event.inst)),
            Stop::Return(_) => "returns".to_owned(),
            Stop::Unreachable => "is undefined".to_owned(),
        }
    }
    /// The step after the target's run.
    fn after(&self, step: Step, target: &Stopped) -> Step {
        let mut step = step;
        step.chosen.extend(target.chosen.iter().copied());
        step
    }
    pub(super) fn arrival(
        &mut self,
        step: Step,
        sides: [SideState; 2],
        moved: [bool; 2],
        blocks: [Vec<Block>; 2],
    ) -> Arrival {
        let Step { lead, facts, chosen, .. } = step;
        let mut sides = sides;
        for (side, at) in sides.iter_mut().enumerate() {
            let needed = self.views[side].needed(at.place.block, at.place.at);
            at.values.retain(|inst, _| needed.contains(*inst));
        }
        let mut state = State { sides, facts, chosen };
        state.prune(&self.context.terms);
        while state.facts.len() > MANY_FACTS {
            state.facts.pop_first();
        }
        let alone = match moved {
            [true, false] => Some(SOURCE),
            [false, true] => Some(TARGET),
            _ => None,
        };
        let places = [state.sides[SOURCE].place, state.sides[TARGET].place];
        Arrival { key: Key { places, alone, lead }, state, moved, blocks, progress: false }
    }
    /// Both ways of a branch that one side takes alone.
    fn branch_alone(
        &mut self,
        step: Step,
        side: usize,
        stopped: Stopped,
        (other, others): (SideState, Vec<Block>),
    ) -> Result<Vec<Arrival>, Why> {
        let Stop::Branch { condition, opposite, ways } = stopped.stop else {
            unreachable!("the caller looks for branches")
        };
        let mut found = Vec::new();
        for (way, value) in ways.into_iter().zip([!opposite, opposite]) {
            let (at, mut blocks) = self.taken(side, stopped.at.clone(), way)?;
            let mut all = stopped.blocks.clone();
            all.append(&mut blocks);
            let mut facts = step.facts.clone();
            facts.insert(Fact::Truth(condition, value));
            let step = Step { facts, lead: step.key.lead, ..step.clone() };
            let (sides, moved, blocks) = match side {
                SOURCE => ([at, other.clone()], [true, false], [all, others.clone()]),
                _ => ([other.clone(), at], [false, true], [others.clone(), all]),
            };
            found.push(self.arrival(step, sides, moved, blocks));
        }
        Ok(found)
    }
    /// Both ways of a branch that both sides take.
    fn branch_together(&mut self, step: Step, source: Stopped, target: Stopped) -> Result<Vec<Arrival>, Why> {
        let (Stop::Branch { condition, opposite: so, ways: sw }, Stop::Branch { opposite: to, ways: tw, .. }) =
            (source.stop, target.stop)
        else {
            unreachable!("the caller looks for branches")
        };
        let mut found = Vec::new();
        for value in [true, false] {
            let way = |ways: [Next; 2], opposite: bool| ways[usize::from(value == opposite)];
            let (s, blocks) = self.taken(SOURCE, source.at.clone(), way(sw, so))?;
            let (t, more) = self.taken(TARGET, target.at.clone(), way(tw, to))?;
            let mut facts = step.facts.clone();
            facts.insert(Fact::Truth(condition, value));
            let step = Step { facts, ..step.clone() };
            let all = [
                source.blocks.iter().copied().chain(blocks).collect(),
                target.blocks.iter().copied().chain(more).collect(),
            ];
            found.push(self.arrival(step, [s, t], [true, true], all));
        }
        Ok(found)
    }
    fn taken(&mut self, side: usize, at: SideState, way: Next) -> Result<(SideState, Vec<Block>), Why> {
        let (facts, in_use) = (BTreeSet::new(), FxHashSet::default());
        let mut run = Run {
            context: &mut self.context,
            view: &self.views[side],
            is_target: side == TARGET,
            facts: &facts,
            headers: &self.headers[side],
            at,
            noted: Vec::new(),
            chosen: Vec::new(),
            in_use: &in_use,
            repeated: FxHashMap::default(),
            blocks: Vec::new(),
        };
        run.take(way)?;
        Ok((run.at, run.blocks))
    }
}
