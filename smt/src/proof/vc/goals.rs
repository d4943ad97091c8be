//! The goals of a step: events, memory and values after it, and where the source has to be.

use crate::encode::function::{Encoded, Return};
use crate::encode::pointer::block_of;
use crate::encode::segment::Segment;
use crate::encode::value::Sym;
use crate::encode::world::{ChoiceKind, OFFSET_BITS, POINTER_BITS, Side, World};
use crate::proof::lang::step::{Node, Place, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::product::{Explored, Moved, Shared, StepStart, merge_returns};
use crate::proof::vc::program::AtCut;
use crate::proof::vc::question::{Built, Goal};
use crate::proof::vc::state::{Looked, PairState, SideState};
use crate::refinement::failure;
use crate::term::Term;
use backedge_ir::entity::Inst;
use backedge_ir::inst::InstKind;

/// A side after a step: its place, its values, and the memory and history that it has reached.
struct Arrival {
    place: Place,
    state: SideState,
    at: Shared,
}

impl Pair<'_> {
    /// Adds the goals of a step.
    pub(super) fn conclude(
        &self,
        world: &mut World,
        start: &StepStart<'_>,
        source: &Moved<Explored>,
        target: &Moved<Segment>,
        built: &mut Built,
    ) -> Encoded<()> {
        let step = start.step;
        let no = world.terms.bool(false);
        no_calls_alone(world, step, built);
        match step.end {
            TargetEnd::Undefined => undefined(world, step, source, target, built),
            TargetEnd::Stops => stops(world, step, source, target, built),
            TargetEnd::Reaches(cut) => {
                let block = self.target.cuts[cut].block;
                let Some(crossing) = target.ends.crossings.iter().find(|c| c.block == block) else {
                    built.given.push(no);
                    return Ok(());
                };
                built.given.push(crossing.path);
                let args = built.before.args.clone();
                let reached = AtCut { args: &args, cut, crossing };
                let arrival = self.arrival(world, Side::Target, reached, &start.looked)?;
                self.meet(world, start, source, arrival, built)?;
            }
            TargetEnd::Returns => {
                let Some(last) = merge_returns(world, &target.ends.returns) else {
                    built.given.push(no);
                    return Ok(());
                };
                built.given.push(last.path);
                match step.source {
                    SourceMove::Ends { .. } => {
                        let own = merge_returns(world, &source.ends.returns);
                        self.finish_both(world, own, &last, built);
                    }
                    SourceMove::Stays | SourceMove::Arrives { .. } => {
                        let values = target.from.state.values.clone();
                        let state = SideState { values, returned: last.value, ..SideState::default() };
                        let (Place::Cut(cut) | Place::Returned(cut)) = step.from.target;
                        let frees = source.from.at.frees;
                        let at = Shared { memory: last.shared, trace: last.trace, frees };
                        let arrival = Arrival { place: Place::Returned(cut), state, at };
                        self.meet(world, start, source, arrival, built)?;
                    }
                }
            }
            TargetEnd::Waits => match step.source {
                SourceMove::Ends { .. } => self.source_ends(world, source, target, built),
                SourceMove::Stays | SourceMove::Arrives { .. } => {
                    // At this node, the source's memory is the memory that the target left.
                    let at = Shared { memory: source.from.at.memory, ..target.from.at };
                    let state = target.from.state.clone();
                    // The source takes one segment; that it arrives is a premise.
                    let reached = world.terms.or_all(source.ends.arrived.iter().map(|c| c.path));
                    built.given.push(reached);
                    let arrival = Arrival { place: step.from.target, state, at };
                    self.meet(world, start, source, arrival, built)?;
                }
            },
        }
        self.narrowing(world, built);
        Ok(())
    }

    /// One side at the cut that it has reached.
    fn arrival(
        &self,
        world: &mut World,
        side: Side,
        reached: AtCut<'_>,
        looked: &Looked,
    ) -> Encoded<Arrival> {
        let ahead = self.ahead(world, side, reached, looked)?;
        let AtCut { cut, crossing, .. } = reached;
        let state = SideState { values: crossing.values.clone(), ahead, returned: None };
        Ok(Arrival { place: Place::Cut(cut), state, at: Shared::following(crossing) })
    }

    /// Adds the goals that the source arrives where the target waits for it.
    fn meet(
        &self,
        world: &mut World,
        start: &StepStart<'_>,
        source: &Moved<Explored>,
        target: Arrival,
        built: &mut Built,
    ) -> Encoded<()> {
        let step = start.step;
        let args = built.before.args.clone();
        let differing = &start.looked.differing_after;
        let mut apart = Vec::new();
        let own = match step.source {
            SourceMove::Stays => {
                let from = &source.from;
                if let (Some(crossing), Place::Cut(cut)) = (&from.crossing, step.from.source) {
                    apart = self.stretches(world, AtCut { args: &args, cut, crossing }, differing)?;
                }
                Arrival { place: step.from.source, state: from.state.clone(), at: from.at }
            }
            SourceMove::Arrives { cut, .. } => {
                let Some(crossing) = source.ends.arrived.first() else {
                    let no = world.terms.bool(false);
                    built.goals.push((Goal::Follows, no));
                    return Ok(());
                };
                built.goals.push((Goal::Follows, crossing.path));
                let reached = AtCut { args: &args, cut, crossing };
                apart = self.stretches(world, reached, differing)?;
                self.arrival(world, Side::Source, reached, &start.looked)?
            }
            SourceMove::Ends { .. } => {
                // No sample run reached this end, so the goal is that it is impossible.
                let no = world.terms.bool(false);
                built.goals.push((Goal::Follows, no));
                return Ok(());
            }
        };
        let terms = &mut world.terms;
        built.goals.push((Goal::Events, terms.eq(own.at.trace, target.at.trace)));
        if matches!(target.place, Place::Cut(_)) {
            // A target that has returned accesses no more memory.
            built.goals.push((Goal::Events, terms.eq(own.at.frees, target.at.frees)));
        }
        if own.at.memory != target.at.memory {
            let place = world.fresh("place", POINTER_BITS);
            let (a, b) = (world.read(own.at.memory, place), world.read(target.at.memory, place));
            let mut fine = world.terms.eq(a, b);
            for (pointer, size) in apart {
                let inside = is_inside(world, place, pointer, size);
                fine = world.terms.or(fine, inside);
            }
            built.goals.push((Goal::Memory, fine));
        }
        built.to = Some(Node { source: own.place, target: target.place });
        let after = PairState { args, source: own.state, target: target.state };
        self.settled(world, &after, built);
        built.after = Some(after);
        Ok(())
    }

    /// Goal: the leaves after a step have no undef bits, if the encoding has no undef bits.
    fn settled(&self, world: &mut World, after: &PairState, built: &mut Built) {
        let Some(to) = built.to else { return };
        if world.layout.undef {
            return;
        }
        let mut undef = Vec::new();
        for (side, place, state) in
            [(Side::Source, to.source, &after.source), (Side::Target, to.target, &after.target)]
        {
            let (Place::Cut(cut) | Place::Returned(cut)) = place;
            let leaves = self.program(side).cuts[cut].leaves.iter();
            let leaves: Vec<Sym> = leaves
                .filter_map(|inst| state.values.get(inst).cloned())
                .chain(state.returned.clone())
                .collect();
            for scalar in leaves.iter().flat_map(Sym::scalars) {
                undef.push(scalar.has_undef(&mut world.terms));
            }
        }
        let any = world.terms.or_all(undef);
        let none = world.terms.not(any);
        built.goals.push((Goal::Settled, none));
    }

    /// Goals: both sides return, and the target's return refines the source's.
    fn finish_both(&self, world: &mut World, own: Option<Return>, last: &Return, built: &mut Built) {
        let returned = own.as_ref().map_or_else(|| world.terms.bool(false), |r| r.path);
        built.goals.push((Goal::Follows, returned));
        if let Some(own) = own {
            self.compare_ends(world, &own, last, built);
        }
    }

    /// Goals: the source returns as the target did before. Only the end of the source is compared here. Another step
    /// covers the paths on which the source continues.
    fn source_ends(
        &self,
        world: &mut World,
        source: &Moved<Explored>,
        target: &Moved<Segment>,
        built: &mut Built,
    ) {
        let yes = world.terms.bool(true);
        let last = Return {
            path: yes,
            value: target.from.state.returned.clone(),
            shared: source.from.at.memory,
            trace: target.from.at.trace,
        };
        match merge_returns(world, &source.ends.returns) {
            Some(own) => {
                built.given.push(own.path);
                self.compare_ends(world, &own, &last, built);
            }
            None => built.given.push(world.terms.bool(false)),
        }
    }

    fn compare_ends(&self, world: &mut World, own: &Return, last: &Return, built: &mut Built) {
        let terms = &mut world.terms;
        built.goals.push((Goal::Events, terms.eq(own.trace, last.trace)));
        if let (Some(s), Some(t)) = (&own.value, &last.value) {
            built.goals.push((Goal::Value, s.refined_by(terms, t)));
        }
        if own.shared != last.shared {
            let place = world.fresh("place", POINTER_BITS);
            let (s, t) = (world.read(own.shared, place), world.read(last.shared, place));
            let allowed = world.byte_refines(s, t);
            let seen = failure::is_seen(world, place, built.caller_blocks);
            let goal = world.terms.implies(seen, allowed);
            built.goals.push((Goal::Memory, goal));
        }
    }

    /// Goal: the target does not choose undef bits once for several uses, each of which may see other bits.
    fn narrowing(&self, world: &mut World, built: &mut Built) {
        let body = self.target.body;
        let only_frozen = |inst: Inst| {
            let uses = body.uses(inst.into());
            uses.len() <= 1 && uses.iter().all(|u| matches!(body.inst(u.user).kind, InstKind::Freeze))
        };
        let mut narrowed = Vec::new();
        for choice in world.choices[Side::Target.index()].clone() {
            if choice.kind == ChoiceKind::Undef && !only_frozen(choice.inst) {
                let open = world.terms.is_nonzero(choice.open);
                narrowed.push(world.terms.and(choice.made, open));
            }
        }
        let any = world.terms.or_all(narrowed);
        let none = world.terms.not(any);
        built.goals.push((Goal::Narrowing, none));
    }
}

/// Goal: the target has no UB in its segment; after it has returned, the source has none.
fn undefined(
    world: &mut World,
    step: Step,
    source: &Moved<Explored>,
    target: &Moved<Segment>,
    built: &mut Built,
) {
    let has_returned = matches!(step.from.target, Place::Returned(_));
    let any = if has_returned {
        // The source's UB does not excuse a target that omitted earlier calls, which might not return.
        let before = source.ends.ub.iter().filter(|end| end.trace != source.from.at.trace);
        world.terms.or_all(before.map(|end| end.path))
    } else {
        world.terms.or_all(target.ends.ub.iter().map(|u| u.path))
    };
    let none = world.terms.not(any);
    built.goals.push((if has_returned { Goal::Events } else { Goal::NoUb }, none));
}

/// Goals: where the target stops in a call, the source stops in the same call; after the target has returned, the
/// source does not stop.
fn stops(
    world: &mut World,
    step: Step,
    source: &Moved<Explored>,
    target: &Moved<Segment>,
    built: &mut Built,
) {
    let terms = &mut world.terms;
    if matches!(step.from.target, Place::Returned(_)) {
        let stops = terms.or_all(source.ends.stops.iter().map(|s| s.path));
        built.goals.push((Goal::Follows, terms.not(stops)));
        return;
    }
    for stop in &target.ends.stops {
        let mut matched = terms.bool(false);
        for own in &source.ends.stops {
            let same = terms.eq(own.trace, stop.trace);
            let here = terms.and(own.path, same);
            matched = terms.or(matched, here);
        }
        built.goals.push((Goal::Follows, terms.implies(stop.path, matched)));
    }
}

/// Whether `place` is one of the `size` bytes that start at `pointer`.
fn is_inside(world: &mut World, place: Term, pointer: Term, size: u64) -> Term {
    let terms = &mut world.terms;
    let (block, other) = (block_of(terms, place), block_of(terms, pointer));
    let (offset, first) = (crate::encode::offset_of(terms, place), crate::encode::offset_of(terms, pointer));
    let (same, by) = (terms.eq(block, other), terms.sub(offset, first));
    let size = terms.number(OFFSET_BITS, size.into());
    let near = terms.ult(by, size);
    terms.and(same, near)
}

/// Goal: the target makes no call of its own to a function that may have UB. Unobservable calls have no position in the
/// order of events; the source must make them in this step, or be known to make them later on its path.
fn no_calls_alone(world: &mut World, step: Step, built: &mut Built) {
    if matches!(step.end, TargetEnd::Waits) {
        return;
    }
    let alone = world.target_only_calls();
    if world.terms.as_bool(alone) != Some(false) {
        let none = world.terms.not(alone);
        built.goals.push((Goal::NoUb, none));
    }
}
