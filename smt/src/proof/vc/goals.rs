//! The goals of a step: events, memory and values after it, and where the source has to be.

use crate::encode::function::{Encoded, Return};
use crate::encode::pointer::block_of;
use crate::encode::segment::Segment;
use crate::encode::value::Sym;
use crate::encode::world::{ChoiceKind, OFFSET_BITS, POINTER_BITS, Side, World};
use crate::proof::lang::step::{Node, Place, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::product::{Explored, Shared, SymbolicPlace, merge_returns};
use crate::proof::vc::question::{Built, Goal};
use crate::proof::vc::state::{Looked, PairState, SideState};
use crate::refinement::failure;
use crate::term::Term;
use backedge_ir::entity::Inst;
use backedge_ir::inst::InstKind;

impl Pair<'_> {
    /// Adds the goals of a step.
    pub(super) fn conclude(
        &self,
        world: &mut World,
        step: Step,
        (source, did): (&SymbolicPlace, Explored),
        (target, target_did): (&SymbolicPlace, Segment),
        (looked, built): (&Looked, &mut Built),
    ) -> Encoded<()> {
        let no = world.terms.bool(false);
        no_calls_alone(world, step, built);
        match step.end {
            TargetEnd::Undefined if matches!(step.from.target, Place::Returned(_)) => {
                // The source's UB does not excuse a target that omitted earlier calls, which might not return.
                let before = did.ub.iter().filter(|end| end.trace != source.at.trace).map(|end| end.path);
                let any = world.terms.or_all(before);
                let none = world.terms.not(any);
                built.goals.push((Goal::Events, none));
            }
            TargetEnd::Undefined => {
                let any = world.terms.or_all(target_did.ub.iter().map(|u| u.path));
                let none = world.terms.not(any);
                built.goals.push((Goal::NoUb, none));
            }
            TargetEnd::Stops if matches!(step.from.target, Place::Returned(_)) => {
                let stops = world.terms.or_all(did.stops.iter().map(|s| s.path));
                let none = world.terms.not(stops);
                built.goals.push((Goal::Follows, none));
            }
            TargetEnd::Stops => {
                for stop in &target_did.stops {
                    let terms = &mut world.terms;
                    let mut matched = no;
                    for own in &did.stops {
                        let same = terms.eq(own.trace, stop.trace);
                        let here = terms.and(own.path, same);
                        matched = terms.or(matched, here);
                    }
                    let goal = terms.implies(stop.path, matched);
                    built.goals.push((Goal::Follows, goal));
                }
            }
            TargetEnd::Reaches(cut) => {
                let block = self.target.cuts[cut].block;
                let Some(crossing) = target_did.crossings.into_iter().find(|c| c.block == block) else {
                    built.given.push(no);
                    return Ok(());
                };
                built.given.push(crossing.path);
                let ahead =
                    self.ahead(world, &built.before.args.clone(), (Side::Target, cut), &crossing, looked)?;
                let state = SideState { values: crossing.values.clone(), ahead, returned: None };
                let at = Shared::following(&crossing);
                self.meet(world, step, (source, did), (Place::Cut(cut), state, at), (looked, built))?;
            }
            TargetEnd::Returns => {
                let Some(last) = merge_returns(world, &target_did.returns) else {
                    built.given.push(no);
                    return Ok(());
                };
                built.given.push(last.path);
                let at = Shared { memory: last.shared, trace: last.trace, frees: source.at.frees };
                match step.source {
                    SourceMove::Ends { .. } => {
                        let own = merge_returns(world, &did.returns);
                        self.finish_both(world, own, &last, built);
                    }
                    SourceMove::Stays | SourceMove::Arrives { .. } => {
                        let values = target.state.values.clone();
                        let state = SideState { values, returned: last.value, ..SideState::default() };
                        let (Place::Cut(cut) | Place::Returned(cut)) = step.from.target;
                        self.meet(
                            world,
                            step,
                            (source, did),
                            (Place::Returned(cut), state, at),
                            (looked, built),
                        )?;
                    }
                }
            }
            TargetEnd::Waits => match step.source {
                SourceMove::Ends { .. } => {
                    // Only the end of the source is compared here. Another step covers the paths on which the source
                    // continues.
                    let yes = world.terms.bool(true);
                    let last = Return {
                        path: yes,
                        value: target.state.returned.clone(),
                        shared: source.at.memory,
                        trace: target.at.trace,
                    };
                    match merge_returns(world, &did.returns) {
                        Some(own) => {
                            built.given.push(own.path);
                            self.compare_ends(world, &own, &last, built);
                        }
                        None => built.given.push(no),
                    }
                }
                SourceMove::Stays | SourceMove::Arrives { .. } => {
                    // At this node, the source's memory is the memory that the target left.
                    let at = Shared { memory: source.at.memory, ..target.at };
                    let state = target.state.clone();
                    // The source takes one segment; that it arrives is a premise.
                    let reached = world.terms.or_all(did.arrived.iter().map(|c| c.path));
                    built.given.push(reached);
                    self.meet(world, step, (source, did), (step.from.target, state, at), (looked, built))?;
                }
            },
        }
        self.narrowing(world, built);
        Ok(())
    }

    /// Adds the goals that the source arrives where the target, at `place`, waits for it.
    fn meet(
        &self,
        world: &mut World,
        step: Step,
        (source, did): (&SymbolicPlace, Explored),
        (place, target, at_target): (Place, SideState, Shared),
        (looked, built): (&Looked, &mut Built),
    ) -> Encoded<()> {
        let mut apart = Vec::new();
        let (at, state, own) = match step.source {
            SourceMove::Stays => {
                if let (Some(crossing), Place::Cut(cut)) = (&source.crossing, step.from.source) {
                    apart = self.stretches(
                        world,
                        &built.before.args.clone(),
                        (cut, crossing),
                        &looked.differing_after,
                    )?;
                }
                (step.from.source, source.state.clone(), source.at)
            }
            SourceMove::Arrives { cut, .. } => {
                let Some(crossing) = did.arrived.into_iter().next() else {
                    let no = world.terms.bool(false);
                    built.goals.push((Goal::Follows, no));
                    return Ok(());
                };
                built.goals.push((Goal::Follows, crossing.path));
                let own = Shared::following(&crossing);
                apart = self.stretches(
                    world,
                    &built.before.args.clone(),
                    (cut, &crossing),
                    &looked.differing_after,
                )?;
                let ahead =
                    self.ahead(world, &built.before.args.clone(), (Side::Source, cut), &crossing, looked)?;
                (Place::Cut(cut), SideState { values: crossing.values, ahead, returned: None }, own)
            }
            SourceMove::Ends { .. } => {
                // No sample run reached this end, so the goal is that it is impossible.
                let no = world.terms.bool(false);
                built.goals.push((Goal::Follows, no));
                return Ok(());
            }
        };
        let terms = &mut world.terms;
        built.goals.push((Goal::Events, terms.eq(own.trace, at_target.trace)));
        if matches!(place, Place::Cut(_)) {
            // A target that has returned accesses no more memory.
            built.goals.push((Goal::Events, terms.eq(own.frees, at_target.frees)));
        }
        if own.memory != at_target.memory {
            let place = world.fresh("place", POINTER_BITS);
            let (a, b) = (world.read(own.memory, place), world.read(at_target.memory, place));
            let mut fine = world.terms.eq(a, b);
            for (pointer, size) in apart {
                let inside = is_inside(world, place, pointer, size);
                fine = world.terms.or(fine, inside);
            }
            built.goals.push((Goal::Memory, fine));
        }
        let after = PairState { args: built.before.args.clone(), source: state, target };
        built.to = Some(Node { source: at, target: place });
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
