//! Searches for a certificate: plans from sample runs, candidate facts in strata, Houdini (Flanagan, Leino 2001),
//! measures. Nothing here is trusted; [`verify`] decides.

use crate::encode::unroll::Schedule;
use crate::encode::world::Side;
use crate::proof::check::{Flaw, Proved, admit, check_step, verify};
use crate::proof::decide::ask::Asker;
use crate::proof::find::align::{Plan, plans};
use crate::proof::find::candidates::{Stratum, candidates};
use crate::proof::find::houdini::{Facts, houdini};
use crate::proof::find::measures::measures;
use crate::proof::find::runs::{RunPair, Runner};
use crate::proof::find::sampling::runs;
use crate::proof::lang::certificate::Draft;
use crate::proof::lang::fact::{Atom, Fact, Owner, ValueRef};
use crate::proof::lang::step::{Node, Place, START, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::{Pair, Shape};
use crate::proof::vc::question::Goal;
use crate::refinement::{FunctionRef, Reason};
use crate::solver::Answer;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId};
use std::collections::{BTreeMap, BTreeSet};

/// The plans that are tried in each stratum, in order: the likeliest plans with more facts come before the other plans
/// with few.
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
/// Maximum number of nodes of the product of both programs.
const MANY_NODES: usize = 40;

/// Proves for all steps, with a small budget and from what is known about numbers alone, that the source follows the
/// schedule. If this fails, the proof usually needs more facts.
fn check_follows(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<(), Flaw> {
    for step in draft.steps.iter().filter(|s| s.end != TargetEnd::Undefined) {
        let mut question = pair.question_of(draft, *step).map_err(Flaw::Reason)?;
        let follows = question.follows();
        let units = asker.units / 24;
        match question.can_fail_unconstrained(follows, asker, units).map_err(Flaw::Reason)? {
            Answer::Unsat => {}
            Answer::Sat(_) => return Err(Flaw::Goal(*step, Goal::Follows, None)),
            Answer::Unknown(why) => return Err(Flaw::Goal(*step, Goal::Follows, Some(why))),
        }
    }
    Ok(())
}
/// Source blocks that are not headers of cycles but have the name of a header of a target cycle. If a loop has been
/// rotated, the source is best cut there.
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

/// A definite flaw in the steps from the start. No facts are known there, so no choice of facts can repair it. Uses at
/// most a fraction of the asker's remaining budget.
fn first_flaw(pair: &Pair<'_>, draft: &Draft, asker: &mut Asker) -> Result<Option<Flaw>, Reason> {
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

/// Searches for a certificate and checks it.
pub(in crate::proof) fn search(pair: &Pair<'_>, asker: &mut Asker) -> Result<Proved, Flaw> {
    admit(pair)?;
    let shapes = pair.shapes().map_err(Flaw::Reason)?;
    let mut runner = Runner::new(pair).map_err(Flaw::Reason)?;
    let runs = runs(pair, &mut runner)?;
    let plans = plans(pair, &runs);
    let mut flaw: Option<Flaw> = None;
    let mut known: Vec<PlanResults> = vec![PlanResults::default(); plans.len()];
    let mut failed: BTreeMap<Stratum, Step> = BTreeMap::new();
    'strata: for (stratum, which) in PLANS {
        for (i, plan) in plans.iter().enumerate().skip(which.start).take(which.len()) {
            let likeliest = known[0].sure.clone();
            let mut attempt = Attempt { pair, shapes, runs: &runs, plan, known: &mut known[i], asker };
            if i == 1 && attempt.shares_failed_step(failed.get(&stratum), likeliest) {
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
                // Report the flaw of the likeliest plan, or that one side of some plan may run forever.
                Err(other @ Flaw::Endless(..)) => flaw = Some(other),
                // An exhausted budget says nothing about the step at which it ran out.
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

/// A proof by the steps and facts of `draft`, or by an inductive subset of its facts.
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

/// The same proof for inputs that may be undef, where `pair` encodes them so: keeps the facts that still hold, and adds
/// which leaves have no undef bits.
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
                let atom = Atom { owner, value: ValueRef::of(*inst), lane: 0 };
                facts.push(Fact::Settled(atom));
            }
        }
    }
    houdini(pair, &mut draft, &Facts::new(), asker)?;
    verify(pair, &draft, asker)
}

/// Whether the source makes several iterations for one of the target. Equations alone do not show that the source does
/// not exit in between.
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
    known: &'a mut PlanResults,
    asker: &'a mut Asker,
}

/// Results so far for one plan.
#[derive(Clone, Default)]
struct PlanResults {
    /// The facts that were found to be inductive in the last stratum of equations.
    sure: Facts,
    /// The candidates of the lowest stratum, if no query was asked about them.
    likely: Facts,
    /// The facts that were found to be inductive last.
    kept: Facts,
    /// The candidates that were tried last.
    tried: Option<Facts>,
    /// A flaw that no facts can repair.
    hopeless: Option<Flaw>,
}

impl Attempt<'_, '_> {
    /// Whether this plan also has a step that could not be proved with the likeliest plan's facts of a stratum; the
    /// facts are then usually the same. In that case this plan adopts the `sure` facts of the likeliest plan; the check
    /// finds out if they do not hold here.
    fn shares_failed_step(&mut self, failed: Option<&Step>, sure: Facts) -> bool {
        let Some(step) = failed else { return false };
        let likewise = self.graph().is_ok_and(|(_, steps)| steps.contains(step));
        if likewise && self.known.sure.is_empty() {
            self.known.sure = sure;
        }
        likewise
    }
    /// Tries a proof with the facts of a stratum; `None` if these facts were tried last or if the stratum does not
    /// apply.
    fn run(&mut self, stratum: Stratum) -> Result<Option<Proved>, Flaw> {
        if let Some(flaw) = &self.known.hopeless {
            return Err(flaw.clone());
        }
        let mut draft = Draft {
            cuts: self.pair.cuts.clone(),
            measures: measures(self.pair, self.runs, self.plan),
            ..Draft::default()
        };
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
                    // A fact without products that was dropped before is seldom worth a query with products.
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

    /// The reachable nodes, and the steps from them.
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
}
