//! Looks for a certificate: plans from runs, candidate facts in strata, Houdini (Flanagan, Leino 2001), measures.
//! Nothing that is done here is trusted; [`verify`] decides.

use crate::encode::unroll::Schedule;
use crate::encode::world::Side;
use crate::proof::check::{Flaw, Proved, admit, check_step, verify};
use crate::proof::decide::ask::Asker;
use crate::proof::decide::plain::split;
use crate::proof::decide::polynomial;
use crate::proof::find::align::{Plan, is_useful, plans};
use crate::proof::find::candidates::{Stratum, candidates};
use crate::proof::find::columns::Sample;
use crate::proof::find::runs::{Length, RunEnd, RunPair, Runner};
use crate::proof::find::samples::Drawing;
use crate::proof::lang::certificate::Draft;
use crate::proof::lang::fact::{Atom, Fact, Linear, Numbers, Owner, Part, Reading};
use crate::proof::lang::number::mask;
use crate::proof::lang::step::CutIndex;
use crate::proof::lang::step::{Node, Place, START, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::pair::Shape;
use crate::proof::vc::question::Goal;
use crate::proof::vc::question::Question;
use crate::refinement::{FunctionRef, Reason};
use crate::solver::Answer;
use crate::term::{Evaluator, Term, Terms};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Number of runs from which alignments and facts are read.
const RUNS: usize = 48;
/// Number of these runs that are continued if none comes to the end of a loop: long runs take time.
const LONG_RUNS: usize = 2;
/// Number of further runs that are tried if a cut of the target has fewer than [`FEW_VISITS`] visits.
const DEEP_RUNS: u64 = 64;
/// Visits of a cut below which facts read from them are mostly coincidences.
const FEW_VISITS: usize = 12;
/// Least number of visits of an ended run that counts as one that came to the end of a loop.
const LOOP_VISITS: usize = 8;
/// Which plans are tried in each stratum, in turn: the likeliest ones with more before the others with little.
const PLANS: [(Stratum, std::ops::Range<usize>); 11] = [
    (Stratum::Held, 0..1),
    (Stratum::HeldCompared, 0..1),
    (Stratum::HeldSteering, 0..1),
    (Stratum::Held, 1..2),
    (Stratum::HeldSteering, 1..2),
    (Stratum::Equations, 0..2),
    (Stratum::Steering, 0..2),
    (Stratum::Comparisons, 0..2),
    (Stratum::Products, 0..2),
    (Stratum::Equations, 2..8),
    (Stratum::Comparisons, 2..6),
];
/// Least units for a question about facts: fewer are used up before the solver has looked at it.
const LEAST_UNITS: u64 = 20_000;
/// Limit on the nodes of a product: each needs facts, and each of its steps a question. Products with more are given
/// up.
const MANY_NODES: usize = 40;

/// Facts of nodes.
type Facts = BTreeMap<Node, Vec<Fact>>;

/// Shows that the source goes where the schedule says by what is known of numbers alone, without much ado, at all steps:
/// where that is not seen, mostly more has to be known.
fn check_follows(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<(), Flaw> {
    for step in draft.steps.iter().filter(|s| s.end != TargetEnd::Undefined) {
        let mut question = pair.question_of(draft, *step).map_err(Flaw::Reason)?;
        let follows = question.follows();
        let units = asker.units / 24;
        match question.can_fail_of_any(follows, asker, units).map_err(Flaw::Reason)? {
            Answer::Unsat => {}
            Answer::Sat(_) => return Err(Flaw::Goal(*step, Goal::Follows, None)),
            Answer::Unknown(why) => return Err(Flaw::Goal(*step, Goal::Follows, Some(why))),
        }
    }
    Ok(())
}
/// Drops facts until those that are left follow from each other. Those of `sure` are known to, whatever else holds.
fn houdini(pair: &Pair<'_>, draft: &mut Draft, sure: &Facts, asker: &mut Asker) -> Result<(), Flaw> {
    let steps: Vec<(Step, Node)> = draft.steps.iter().filter_map(|s| Some((*s, s.to()?))).collect();
    let mut work: BTreeSet<usize> = (0..steps.len()).collect();
    let mut kept: BTreeMap<usize, Question> = BTreeMap::new();
    while let Some(index) = work.pop_first() {
        let (step, to) = steps[index];
        if draft.facts[&to].is_empty() {
            continue;
        }
        let mut question = match kept.remove(&index) {
            Some(question) => question,
            None => {
                let mut question = pair.question_of(draft, step).map_err(Flaw::Reason)?;
                // That it is so is for the check: where it is not, no facts will do.
                question.follow();
                question.settle_calls(asker).map_err(Flaw::Reason)?;
                if question.long {
                    question.settle_places(asker).map_err(Flaw::Reason)?;
                }
                question
            }
        };
        let before = draft.facts[&to].len();
        let sure = sure.get(&to).map_or(&[][..], Vec::as_slice);
        drop_false(&mut question, draft.facts.get_mut(&to).expect("each node has facts"), sure, asker)?;
        if draft.facts[&to].len() < before {
            for (i, (other, _)) in steps.iter().enumerate() {
                if other.from == to {
                    kept.remove(&i);
                    work.insert(i);
                }
            }
        }
        if step.from != to {
            kept.insert(index, question);
        }
    }
    Ok(())
}
/// Drops the facts that do not follow behind a step, but for those that are sure to.
fn drop_false(
    question: &mut Question,
    facts: &mut Vec<Fact>,
    sure: &[Fact],
    asker: &mut Asker,
) -> Result<(), Flaw> {
    let Some(after) = question.after.clone() else { return Ok(()) };
    let terms = &mut question.world.terms;
    // What a step does not change is given.
    let given: BTreeSet<Term> = question.given.iter().copied().collect();
    let mut open: Vec<(Fact, Term)> = Vec::new();
    facts.retain(|fact| match fact.term(terms, &after) {
        Some(_) if sure.contains(fact) => true,
        Some(term) => {
            if terms.as_bool(term) != Some(true) && !given.contains(&term) {
                open.push((fact.clone(), term));
            }
            true
        }
        None => false,
    });
    let Some(mut wrong) = drop_never(question, &mut open, asker)? else { return Ok(()) };
    let units = (asker.units / 16).max(LEAST_UNITS);
    // What is to be asked at once, with how many units: halves of what was not decided together. What products are in
    // is harder, and apart, and so is what looks at memory.
    let terms = &question.world.terms;
    let with_memory = look_at_memory(terms, &open);
    let (with, without): (Vec<_>, Vec<_>) = open.into_iter().partition(|o| polynomial::occur(terms, &[o.1]));
    let (looking, plain) = without.into_iter().partition(|o| with_memory.contains(&o.1));
    let mut work: Vec<(Vec<(Fact, Term)>, u64)> = vec![(with, units), (looking, units), (plain, units)];
    while let Some((mut open, units)) = work.pop() {
        if open.is_empty() {
            continue;
        }
        let all = question.world.terms.and_all(open.iter().map(|o| o.1));
        match question.can_fail(all, asker, units).map_err(Flaw::Reason)? {
            Answer::Unsat => {}
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new(&question.world.terms, &model);
                let mut drop = |list: &mut Vec<(Fact, Term)>| {
                    list.retain(|(fact, term)| {
                        let holds = evaluator.truth(*term);
                        if !holds {
                            wrong.push(fact.clone());
                        }
                        holds
                    });
                };
                drop(&mut open);
                work.iter_mut().for_each(|(open, _)| drop(open));
                work.push((open, units));
            }
            // One that is not decided alone goes too.
            Answer::Unknown(_) if open.len() == 1 => wrong.push(open.swap_remove(0).0),
            Answer::Unknown(_) => {
                // What fails without memory seldom holds because of it, where it speaks of none.
                if let Some(model) = asker.hint.take() {
                    let mut evaluator = Evaluator::new(&question.world.terms, &model);
                    open.retain(|(fact, term)| {
                        let fails = !with_memory.contains(term) && !evaluator.truth(*term);
                        if fails {
                            wrong.push(fact.clone());
                        }
                        !fails
                    });
                }
                let rest = open.split_off(open.len() / 2);
                let units = (units / 2).max(LEAST_UNITS);
                work.extend([(rest, units), (open, units)]);
            }
        }
    }
    facts.retain(|fact| !wrong.contains(fact));
    Ok(())
}

/// Takes from `open` what cannot hold behind a step, and what else does not when the step is taken; `None` if it never is:
/// then all holds behind it, and what is given says so to the solver even where no more than `false` is left of a fact.
fn drop_never(
    question: &mut Question,
    open: &mut Vec<(Fact, Term)>,
    asker: &mut Asker,
) -> Result<Option<Vec<Fact>>, Flaw> {
    let terms = &mut question.world.terms;
    let no = terms.bool(false);
    let (never, mut rest): (Vec<_>, Vec<_>) = open.drain(..).partition(|(_, term)| *term == no);
    let mut wrong: Vec<Fact> = never.into_iter().map(|(fact, _)| fact).collect();
    if !wrong.is_empty() {
        match question.can_fail(no, asker, LEAST_UNITS).map_err(Flaw::Reason)? {
            Answer::Unsat => return Ok(None),
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new(&question.world.terms, &model);
                rest.retain(|(fact, term)| {
                    let holds = evaluator.truth(*term);
                    if !holds {
                        wrong.push(fact.clone());
                    }
                    holds
                });
            }
            Answer::Unknown(_) => {}
        }
    }
    *open = rest;
    Ok(Some(wrong))
}

/// Those of the terms of facts that look at memory.
fn look_at_memory(terms: &Terms, facts: &[(Fact, Term)]) -> BTreeSet<Term> {
    split(terms, facts.iter().map(|f| f.1).collect()).0.into_iter().collect()
}

/// Blocks of the source that are called as headers of cycles of the target are, without being such themselves: there the
/// source stops best, if a loop has been turned around.
pub(in crate::proof) fn likely_cuts(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<u32> {
    let (Some(s), Some(t)) = (source.module.body(source.func), target.module.body(target.func)) else {
        return Vec::new();
    };
    let headers = |body: &Body| -> Vec<Block> {
        let schedule = Schedule::new(body, 0, usize::MAX);
        body.blocks().filter(|b| schedule.as_ref().is_some_and(|s| s.is_header(*b))).collect()
    };
    let (own, theirs) = (headers(s), headers(t));
    let named = |block: &Block| {
        let name = s.block_name(*block);
        name.is_some_and(|name| theirs.iter().any(|other| t.block_name(*other) == Some(name)))
    };
    let found = s.blocks().skip(1).filter(|b| !own.contains(b) && named(b));
    found.map(|b| b.index() as u32).collect()
}

/// What is wrong with the first steps of a draft for certain, whatever facts it comes to have: nothing is known where they
/// begin. Of what `asker` has left a part is used at most.
fn first_flaw(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<Option<Flaw>, Reason> {
    /// The units that are left are divided by this for the first steps: most wrong plans fail there.
    const PART: u64 = 16;
    let bare = Draft { facts: BTreeMap::new(), ..draft.clone() };
    let all = asker.units;
    asker.units = asker.cost.units + asker.left() / PART;
    let mut found = Ok(None);
    for step in bare.steps.iter().filter(|s| s.from == START) {
        match check_step(pair, &bare, *step, asker) {
            Err(flaw @ Flaw::Goal(.., None)) => found = Ok(Some(flaw)),
            Err(Flaw::Reason(reason)) => found = Err(reason),
            Ok(_) | Err(_) => continue,
        }
        break;
    }
    asker.units = all;
    found
}

/// Runs of which something can be learned. Where none of them has come to the end of a loop, some go on longer.
fn runs(pair: &Pair<'_>, runner: &mut Runner) -> Result<Vec<RunPair>, Flaw> {
    let mut runs = Vec::new();
    let mut open = Vec::new();
    let mut through = false;
    for seed in 0..RUNS as u64 {
        if pair.limits.late() {
            return Err(Flaw::Reason(Reason::Time));
        }
        let run = runner.run(pair, (seed, Drawing::Usual), Length::Usual);
        if is_useful(&run) {
            match run.source.end {
                RunEnd::Open => open.push((runs.len(), seed)),
                RunEnd::Returned | RunEnd::Stopped | RunEnd::Undefined => {
                    through |= run.source.visits.len() >= LOOP_VISITS;
                }
            }
            runs.push(run);
        }
    }
    if !through {
        for (at, seed) in open.into_iter().take(LONG_RUNS) {
            let run = runner.run(pair, (seed, Drawing::Usual), Length::Long);
            if is_useful(&run) {
                runs[at] = run;
            }
        }
    }
    deepen(pair, runner, &mut runs)?;
    Ok(runs)
}

/// Adds runs that come to cuts of the target where few of `runs` come by: what is seen once is a constant.
fn deepen(pair: &Pair<'_>, runner: &mut Runner, runs: &mut Vec<RunPair>) -> Result<(), Flaw> {
    let mut seen = vec![0; pair.target.cuts.len()];
    let visited = |run: &RunPair| -> Vec<CutIndex> {
        let places = run.target.visits.iter().map(|visit| visit.place);
        let cuts = places.filter_map(|place| match place {
            Place::Cut(cut) => Some(cut),
            Place::Returned(_) => None,
        });
        cuts.collect()
    };
    for cut in runs.iter().flat_map(visited) {
        seen[cut] += 1;
    }
    for seed in 0..DEEP_RUNS {
        if seen[1..].iter().all(|visits| *visits >= FEW_VISITS) {
            break;
        }
        if pair.limits.late() {
            return Err(Flaw::Reason(Reason::Time));
        }
        let run = runner.run(pair, (seed, Drawing::Deep), Length::Usual);
        let cuts = visited(&run);
        if is_useful(&run) && cuts.iter().any(|cut| *cut > 0 && seen[*cut] < FEW_VISITS) {
            for cut in cuts {
                seen[cut] += 1;
            }
            runs.push(run);
        }
    }
    Ok(())
}

/// Looks for a certificate and checks it.
pub(in crate::proof) fn search(pair: &Pair<'_>, asker: &mut Asker) -> Result<Proved, Flaw> {
    admit(pair)?;
    let shapes = pair.shapes().map_err(Flaw::Reason)?;
    let mut runner = Runner::new(pair).map_err(Flaw::Reason)?;
    let runs = runs(pair, &mut runner)?;
    let plans = plans(pair, &runs);
    let mut flaw: Option<Flaw> = None;
    let mut known: Vec<Found> = vec![Found::default(); plans.len()];
    let mut failed: BTreeMap<Stratum, Step> = BTreeMap::new();
    'strata: for (stratum, which) in PLANS {
        for (i, plan) in plans.iter().enumerate().skip(which.start).take(which.len()) {
            let likeliest = known[0].sure.clone();
            let mut attempt = Attempt { pair, shapes, runs: &runs, plan, known: &mut known[i], asker };
            if i == 1 && attempt.fails_likewise(failed.get(&stratum), likeliest) {
                continue;
            }
            let found = attempt.run(stratum);
            if let (0, Err(Flaw::Goal(step, ..) | Flaw::Facts(step, ..))) = (i, &found) {
                failed.insert(stratum, *step);
            }
            match found {
                Ok(Some(draft)) => return Ok(draft),
                Ok(None) => {}
                Err(Flaw::Reason(reason)) => return Err(Flaw::Reason(reason)),
                // Of the likeliest plan it is told what is wrong with it, or that one fails to end at last.
                Err(other @ Flaw::Endless(..)) => flaw = Some(other),
                // That nothing was left to ask with says nothing of where it was.
                Err(_) if flaw.is_some() && asker.left() == 0 => {}
                Err(other) if i == 0 && !matches!(flaw, Some(Flaw::Endless(..))) => flaw = Some(other),
                Err(_) => {}
            }
            if asker.left() == 0 {
                break 'strata;
            }
        }
    }
    Err(flaw.unwrap_or(Flaw::Missing(START)))
}

/// A proof by the steps and facts of `draft`, or by those of its facts that follow from each other.
pub(in crate::proof) fn from_facts(
    pair: &Pair<'_>,
    draft: &Draft,
    asker: &mut Asker,
) -> Result<Proved, Flaw> {
    if let Ok(proved) = verify(pair, draft, asker) {
        return Ok(proved);
    }
    let mut draft = draft.clone();
    houdini(pair, &mut draft, &Facts::new(), asker)?;
    verify(pair, &draft, asker)
}

/// The same proof for inputs that may be undef, where `pair` reads them so: the facts that still hold, and which leaves
/// have no undef bits.
pub(in crate::proof) fn with_undef(
    pair: &Pair<'_>,
    draft: &Draft,
    asker: &mut Asker,
) -> Result<Proved, Flaw> {
    let mut draft = draft.clone();
    for (node, facts) in draft.facts.iter_mut().filter(|(node, _)| **node != START) {
        for (side, owner, place) in
            [(Side::Source, Owner::Source, node.source), (Side::Target, Owner::Target, node.target)]
        {
            let (Place::Cut(cut) | Place::Returned(cut)) = place;
            for inst in &pair.program(side).cuts[cut].leaves {
                let atom = Atom { owner, value: inst.index() as u32, lane: 0 };
                facts.push(Fact::Settled(atom));
            }
        }
    }
    houdini(pair, &mut draft, &Facts::new(), asker)?;
    verify(pair, &draft, asker)
}

/// Whether the source makes several rounds for one of the target: that it does not end among them, no equations tell.
fn strides(step: &Step) -> bool {
    let several = match step.source {
        SourceMove::Arrives { count, .. } => count > 2,
        SourceMove::Stays | SourceMove::Ends { .. } => false,
    };
    several && step.to() == Some(step.from)
}

struct Attempt<'a, 'm> {
    pair: &'a Pair<'m>,
    shapes: &'a [Vec<Shape>; 2],
    runs: &'a [RunPair],
    plan: &'a Plan,
    known: &'a mut Found,
    asker: &'a mut Asker,
}

/// What has been found out with a plan.
#[derive(Clone, Default)]
struct Found {
    /// What was found to hold in the lowest stratum.
    sure: Facts,
    /// What is likely to hold of it, where that was not asked.
    likely: Facts,
    /// What was found to hold last.
    kept: Facts,
    /// The facts that were tried last.
    tried: Option<Facts>,
    /// What no facts mend.
    hopeless: Option<Flaw>,
}

impl Attempt<'_, '_> {
    /// Whether a step that could not be shown with the likeliest plan's facts of a stratum is one of this plan, too: then
    /// it has the same facts, mostly. What that plan is `sure` of is so here, then, or it is found out that it is not.
    fn fails_likewise(&mut self, failed: Option<&Step>, sure: Facts) -> bool {
        let Some(step) = failed else { return false };
        let likewise = self.graph().is_ok_and(|(_, steps)| steps.contains(step));
        if likewise && self.known.sure.is_empty() {
            self.known.sure = sure;
        }
        likewise
    }
    /// A proof with the facts of a stratum, if these are others than those that were tried last.
    fn run(&mut self, stratum: Stratum) -> Result<Option<Proved>, Flaw> {
        if let Some(flaw) = &self.known.hopeless {
            return Err(flaw.clone());
        }
        let mut draft = Draft { cuts: self.pair.cuts.clone(), measures: self.measures(), ..Draft::default() };
        let (nodes, steps) = self.graph()?;
        draft.steps = steps;
        draft.apart.clone_from(&self.plan.apart);
        if self.known.tried.is_none()
            && let Some(flaw) = first_flaw(self.pair, &draft, self.asker).map_err(Flaw::Reason)?
        {
            self.known.hopeless = Some(flaw.clone());
            return Err(flaw);
        }
        let none_sure = Vec::new();
        for &node in &nodes {
            let (none, no_meetings) = (Vec::new(), Vec::new());
            let meetings = self.plan.meetings.get(&node).unwrap_or(&no_meetings);
            let facts = if node == START {
                Vec::new()
            } else {
                let found = self.known.sure.get(&node).or_else(|| self.known.likely.get(&node));
                let sure = found.unwrap_or(&none_sure);
                let mut facts = candidates(self.pair, self.runs, (node, meetings), stratum, sure);
                if stratum == Stratum::Products {
                    // What did not follow without products is seldom worth to be asked about with them.
                    let kept = self.known.kept.get(&node).unwrap_or(&none);
                    facts.retain(|fact| fact.has_products() || kept.contains(fact));
                }
                facts
            };
            draft.facts.insert(node, facts);
        }
        let strides = draft.steps.iter().any(strides);
        if stratum == Stratum::Held && strides {
            self.known.likely = draft.facts;
            return Ok(None);
        }
        if stratum == Stratum::HeldCompared && !strides {
            return Ok(None);
        }
        if self.known.tried.as_ref() == Some(&draft.facts) {
            return Ok(None);
        }
        self.known.tried = Some(draft.facts.clone());
        houdini(self.pair, &mut draft, &self.known.sure, self.asker)?;
        self.known.kept.clone_from(&draft.facts);
        if matches!(stratum, Stratum::Held | Stratum::HeldCompared | Stratum::Equations) {
            self.known.sure.clone_from(&draft.facts);
        }
        if matches!(stratum, Stratum::Held | Stratum::HeldCompared | Stratum::HeldSteering) {
            check_follows(self.pair, &draft, self.asker)?;
        }
        verify(self.pair, &draft, self.asker).map(Some)
    }

    /// The nodes that are reached, and the steps from them.
    fn graph(&self) -> Result<(BTreeSet<Node>, Vec<Step>), Flaw> {
        let mut nodes = BTreeSet::from([START]);
        let (mut work, mut steps) = (vec![START], Vec::new());
        while let Some(node) = work.pop() {
            for step in self.plan.steps(self.shapes, node) {
                if let Some(to) = step.to()
                    && nodes.insert(to)
                {
                    work.push(to);
                }
                steps.push(step);
            }
            if nodes.len() > MANY_NODES {
                return Err(Flaw::Missing(node));
            }
        }
        Ok((nodes, steps))
    }

    /// Numbers that fall, in the runs, whenever one side moves alone.
    fn measures(&self) -> Vec<Linear> {
        /// Half the limit on measures: each node gives several.
        const MANY: usize = 8;
        let mut found: Vec<Linear> = Vec::new();
        for (node, moves) in &self.plan.alone {
            let here: Vec<(Sample<'_>, Sample<'_>)> =
                moves.iter().map(|(a, b)| (Sample::new(self.runs, *a), Sample::new(self.runs, *b))).collect();
            for measure in self.numbers(*node) {
                let both =
                    |(a, b): &(Sample<'_>, Sample<'_>)| Some((value(&measure, a)?, value(&measure, b)?));
                let falls = here.iter().filter_map(both).filter(|(x, y)| y < x).count();
                let holds = here.iter().filter_map(both).filter(|(x, y)| y <= x).count();
                if falls > 0 && holds * 10 >= here.len() * 8 {
                    found.push(measure);
                    if found.len() >= MANY * 2 {
                        return found;
                    }
                }
            }
        }
        found
    }
    /// Numbers at a node: one, its complement, and differences.
    fn numbers(&self, node: Node) -> Vec<Linear> {
        let mut parts: Vec<(Part, u32)> = Vec::new();
        let meetings = self.plan.meetings.get(&node);
        let Some(sample) = meetings.and_then(|m| m.first()).map(|m| Sample::new(self.runs, *m)) else {
            return Vec::new();
        };
        let mut add = |owner: Owner, value: u32| {
            let atom = Atom { owner, value, lane: 0 };
            if let Some((_, width, _)) = sample.number(atom) {
                if width <= 64 {
                    parts.push((Part::whole(atom), width));
                } else {
                    parts.push((Part { atom, reading: Reading::Offset }, crate::encode::world::OFFSET_BITS));
                }
            }
        };
        for (side, owner, place) in
            [(Side::Source, Owner::Source, node.source), (Side::Target, Owner::Target, node.target)]
        {
            let (Place::Cut(cut) | Place::Returned(cut)) = place;
            let cut = &self.pair.program(side).cuts[cut];
            for inst in cut.leaves.iter().chain(cut.computed.iter().filter(|i| cut.live.contains(**i))) {
                add(owner, inst.index() as u32);
            }
        }
        for i in 0..self.pair.source.body.args().len() {
            add(Owner::Argument, i as u32);
        }
        let mut found = Vec::new();
        for &(part, width) in &parts {
            let one = |factor: u128, constant: u128| Linear {
                width,
                summands: vec![(factor, SmallVec::from_slice(&[part]))],
                constant,
            };
            found.push(one(1, 0));
            found.push(one(mask(width), mask(width)));
            for &(other, _) in parts.iter().filter(|(p, w)| *w == width && *p != part) {
                // One less, for exits that are tested before the next step is made.
                for by in [0, 1] {
                    found.push(Linear::shifted(width, part, other, by));
                }
            }
        }
        found
    }
}

fn value(measure: &Linear, sample: &Sample<'_>) -> Option<u128> {
    let mut sum = measure.constant;
    for (factor, product) in &measure.summands {
        let mut term = *factor;
        for part in product {
            let (bits, width, _) = sample.number(part.atom)?;
            term = term.wrapping_mul(part.number(bits, width));
        }
        sum = sum.wrapping_add(term);
    }
    Some(sum & mask(measure.width))
}
