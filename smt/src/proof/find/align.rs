//! Which moves of the source go with which of the target: read off runs of both.
//!
//! For each cut of the target a rule says with which visit of the source an arrival there is matched: the next one after
//! the same calls and with the same memory, the present one if it is such a one (the target moves alone), or the next one
//! at a certain cut where certain values are equal. The rules are
//! tried in combination, likely ones first; one that fits all runs and gives each step of the target one move of the
//! source is a plan. One mechanism finds unrolling by any factor, peeling, epilogues, and full unrolling.

use crate::encode::world::Side;
use crate::proof::find::runs::{RunEnd, RunPair, Visit};
use crate::proof::find::samples::{Number, round};
use crate::proof::lang::number::signed;
use crate::proof::lang::step::CutIndex;
use crate::proof::lang::step::{Node, Place, SourceMove, Step, TargetEnd};
use crate::proof::vc::pair::{Pair, Shape};
use crate::term::Value;
use backedge_ir::entity::{Block, EntityId, Inst};
use backedge_ir::inst::InstKind;
use std::collections::{BTreeMap, BTreeSet};

/// With which visit of the source an arrival at a cut of the target is matched.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rule {
    /// The next one.
    Next,
    /// The present one, or the next one if there has been a call or a store.
    Nearest,
    /// The next one at this cut.
    At(CutIndex),
    /// The next one at this cut, or, from this cut of the target, the one so many visits on: a loop that makes several rounds
    /// at once makes as many each time. Where rounds change no memory and counters have other names, nothing else tells it.
    Strides(CutIndex, CutIndex, usize),
    /// The next one at this cut at which these values are equal, of the source's phis and the target's.
    Equal(CutIndex, Vec<(Inst, Inst)>),
}

/// A state of both that runs came by: the number of the run, and of the visits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::proof) struct Meeting {
    pub(in crate::proof) run: usize,
    pub(in crate::proof) source: usize,
    pub(in crate::proof) target: usize,
}

/// The steps of the pair, and where runs showed them.
#[derive(Clone, Debug, Default)]
pub(in crate::proof) struct Plan {
    moves: BTreeMap<(Node, TargetEnd), SourceMove>,
    /// Accesses of the source where memories differed.
    pub(in crate::proof) apart: BTreeMap<Node, Vec<u32>>,
    /// States at each node.
    pub(in crate::proof) meetings: BTreeMap<Node, Vec<Meeting>>,
    /// Where one side alone comes to a node again: the states both times.
    pub(in crate::proof) alone: BTreeMap<Node, Vec<(Meeting, Meeting)>>,
}

/// Limit on the segments that the source takes in one step: unrolling by 16, and one segment more.
const LONGEST: u32 = 17;
/// Limit on the combinations of rules that are tried: each is compared with all runs.
const MANY_RULES: usize = 160;

impl Plan {
    /// The steps from a node: one for each end of the target's segment, or of the source's if the target has returned.
    /// Where no run showed the end, the source goes where it goes elsewhere when the target comes there.
    pub(in crate::proof) fn steps(&self, shapes: &[Vec<Shape>; 2], node: Node) -> Vec<Step> {
        let step = |end, source| Step { from: node, end, source };
        let longest = self.longest(node);
        let Place::Cut(target) = node.target else {
            let Place::Cut(source) = node.source else { return Vec::new() };
            let shape = &shapes[Side::Source.index()][source];
            let mut steps: Vec<Step> = shape
                .reaches
                .iter()
                .map(|&cut| step(TargetEnd::Waits, SourceMove::Arrives { cut, count: 1, within: 1 }))
                .collect();
            let alone = SourceMove::Ends { within: 1 };
            if shape.returns {
                steps.push(step(TargetEnd::Waits, alone));
            }
            if shape.stops {
                steps.push(step(TargetEnd::Stops, alone));
            }
            return steps;
        };
        let shape = &shapes[Side::Target.index()][target];
        let mut steps = Vec::new();
        let known = |end| self.moves.get(&(node, end)).copied();
        for &cut in &shape.reaches {
            let end = TargetEnd::Reaches(cut);
            steps.push(step(end, known(end).unwrap_or_else(|| self.guess(node, cut))));
        }
        if shape.returns {
            let end = TargetEnd::Returns;
            steps.push(step(end, known(end).unwrap_or_else(|| self.guess_at_return(longest))));
        }
        if shape.stops {
            let end = TargetEnd::Stops;
            steps.push(step(end, known(end).unwrap_or(SourceMove::Ends { within: longest })));
        }
        if shape.undefined {
            steps.push(step(TargetEnd::Undefined, SourceMove::Ends { within: longest }));
        }
        steps
    }
    /// A move for an end that no run showed: to where the source is elsewhere when the target comes to `cut`.
    fn guess(&self, node: Node, cut: CutIndex) -> SourceMove {
        let end = TargetEnd::Reaches(cut);
        let alike = |m: &&SourceMove| matches!(m, SourceMove::Arrives { .. });
        let mut elsewhere = self.moves.iter().filter(|((n, e), _)| *e == end && *n != node).map(|(_, m)| m);
        match elsewhere.rfind(alike) {
            Some(&SourceMove::Arrives { cut, within, .. }) => {
                let within = (within + 2).min(LONGEST);
                SourceMove::Arrives { cut, count: 1, within }
            }
            _ => SourceMove::Ends { within: self.longest(node) },
        }
    }
    /// A move for a return that no run showed: the source waits or goes on as it does at others.
    fn guess_at_return(&self, longest: u32) -> SourceMove {
        let waits = |((_, e), m): (&(Node, TargetEnd), &SourceMove)| {
            *e == TargetEnd::Returns && *m == SourceMove::Stays
        };
        if self.moves.iter().any(waits) {
            SourceMove::Stays
        } else {
            SourceMove::Ends { within: longest + 1 }
        }
    }
    /// The most segments that the source takes from a node.
    fn longest(&self, node: Node) -> u32 {
        let within = |m: &SourceMove| match *m {
            SourceMove::Stays => 0,
            SourceMove::Arrives { within, .. } | SourceMove::Ends { within } => within,
        };
        let own = self.moves.iter().filter(|((n, _), _)| *n == node).map(|(_, m)| within(m));
        own.max().unwrap_or(1).max(1)
    }
    /// What makes two plans the same.
    pub(in crate::proof) fn key(&self) -> Vec<((Node, TargetEnd), SourceMove)> {
        self.moves.iter().map(|(k, m)| (*k, *m)).collect()
    }

    /// Notes that a side that moves alone comes to `node`, after it was last where `before` says.
    fn again(&mut self, before: &mut BTreeMap<Node, Meeting>, node: Node, here: Meeting) {
        if let Some(last) = before.insert(node, here) {
            self.alone.entry(node).or_default().push((last, here));
        }
    }
    /// Notes that from `node` the target's segment that ended so went with the source's move; `None` if another run had
    /// another one.
    fn note(&mut self, node: Node, end: TargetEnd, new: SourceMove) -> Option<()> {
        let old = self.moves.entry((node, end)).or_insert(new);
        *old = match (*old, new) {
            (SourceMove::Stays, SourceMove::Stays) => SourceMove::Stays,
            (
                SourceMove::Arrives { cut, count, within },
                SourceMove::Arrives { cut: c, count: n, within: w },
            ) if (cut, count) == (c, n) => SourceMove::Arrives { cut, count, within: within.max(w) },
            (SourceMove::Ends { within }, SourceMove::Ends { within: w }) => {
                SourceMove::Ends { within: within.max(w) }
            }
            _ => return None,
        };
        Some(())
    }
}

/// Plans that fit the runs, likely ones first.
pub(in crate::proof) fn plans(pair: &Pair<'_>, runs: &[RunPair]) -> Vec<Plan> {
    /// Number of plans that come before those in which memories may differ.
    const FIRST: usize = 2;
    let rules = rules(pair, runs);
    let combinations = combinations(&rules);
    let find = |apart: bool, most: usize| {
        let mut found: Vec<Plan> = Vec::new();
        let mut seen = BTreeSet::new();
        for combination in &combinations {
            for wait in [false, true] {
                if let Some(plan) = plan(runs, combination, (wait, apart))
                    && found.len() < most
                    && seen.insert(plan.key())
                {
                    found.push(plan);
                }
            }
        }
        found
    };
    let mut found = find(false, MANY_RULES);
    // Those where memories may differ where the source stores, behind the likeliest of the others.
    let rest = found.split_off(FIRST.min(found.len()));
    found.extend(find(true, FIRST));
    found.extend(rest);
    if found.is_empty() {
        // No run is defined on both sides, or none fits: what the source excuses may be all there is to show.
        found.push(Plan::default());
    }
    found
}

/// The rules for each cut of the target but the entry, likely ones first.
fn rules(pair: &Pair<'_>, runs: &[RunPair]) -> Vec<Vec<Rule>> {
    let (source, target) = (&pair.source, &pair.target);
    let phis = |program: &crate::proof::vc::program::Program<'_>, block: Block| -> Vec<Inst> {
        program.body.phis(block).collect()
    };
    (1..target.cuts.len())
        .map(|t| {
            let own = phis(target, target.cuts[t].block);
            let mut list: Vec<(bool, Rule)> = Vec::new();
            for s in 1..source.cuts.len() {
                let theirs = phis(source, source.cuts[s].block);
                let likely: Vec<(Inst, Inst)> = theirs
                    .iter()
                    .flat_map(|&x| own.iter().map(move |&y| (x, y)))
                    .filter(|(x, y)| comparable(pair, *x, *y))
                    .collect();
                let named: Vec<(Inst, Inst)> =
                    likely.iter().copied().filter(|(x, y)| same_name(pair, *x, *y)).collect();
                let label = source.label(s) == target.label(t);
                if label && !source.cuts[s].header {
                    list.push((true, Rule::At(s)));
                }
                if named.len() > 1 {
                    list.push((label, Rule::Equal(s, named.clone())));
                }
                for one in named.iter().chain(&likely) {
                    list.push((label && named.contains(one), Rule::Equal(s, vec![*one])));
                }
            }
            list.retain(|(_, rule)| fits(rule, t, runs));
            let mut ordered: Vec<Rule> = Vec::new();
            ordered.extend(list.iter().filter(|(likely, _)| *likely).map(|(_, r)| r.clone()));
            ordered.extend(strides(pair, t));
            ordered.push(Rule::Next);
            ordered.extend(list.into_iter().filter(|(likely, _)| !likely).map(|(_, r)| r));
            ordered.push(Rule::Nearest);
            let mut seen = BTreeSet::new();
            ordered.retain(|rule| seen.insert(rule.clone()));
            ordered.truncate(12);
            ordered
        })
        .collect()
}
/// Rules for a loop of the target that the source does not have and that makes several rounds at once.
fn strides(pair: &Pair<'_>, cut: CutIndex) -> Vec<Rule> {
    let (source, target) = (&pair.source, &pair.target);
    let round = usize::try_from(round(pair)).unwrap_or(1);
    let headers = (1..source.cuts.len()).filter(|s| source.cuts[*s].header);
    let new = target.cuts[cut].header && !headers.clone().any(|s| source.label(s) == target.label(cut));
    if !new || !(2..LONGEST as usize).contains(&round) {
        return Vec::new();
    }
    headers.map(|s| Rule::Strides(s, cut, round)).collect()
}
/// Whether the values of two phis can be equal.
fn comparable(pair: &Pair<'_>, source: Inst, target: Inst) -> bool {
    let kind = |program: &crate::proof::vc::program::Program<'_>, inst: Inst| {
        let data = program.body.inst(inst);
        debug_assert!(matches!(data.kind, InstKind::Phi(_)));
        (data.ty.is_ptr(), data.ty.is_int())
    };
    let (s, t) = (kind(&pair.source, source), kind(&pair.target, target));
    s == t && (s.0 || s.1)
}
fn same_name(pair: &Pair<'_>, source: Inst, target: Inst) -> bool {
    let stem = |name: String| name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').to_owned();
    stem(pair.source.name(source)) == stem(pair.target.name(target))
}
/// Whether, in each run, the target's arrivals at its cut can be matched in order, as far as runs go.
fn fits(rule: &Rule, cut: CutIndex, runs: &[RunPair]) -> bool {
    let Rule::Equal(at, pairs) = rule else { return true };
    let mut matched = false;
    for run in runs.iter().filter(|r| is_useful(r)) {
        let mut from = 0;
        for visit in run.target.visits.iter().filter(|v| v.place == Place::Cut(cut)) {
            let own = run.source.visits.iter().enumerate().skip(from);
            let found = own.filter(|(_, v)| v.place == Place::Cut(*at)).find(|(_, v)| equal(pairs, v, visit));
            match found {
                Some((i, _)) => from = i,
                None if run.source.end == RunEnd::Open => break,
                None => return false,
            }
            matched = true;
        }
    }
    matched
}

/// Rules for all cuts together, the likely ones first.
fn combinations(rules: &[Vec<Rule>]) -> Vec<Vec<Rule>> {
    // In order of the sum of places in their lists.
    let mut found: Vec<Vec<usize>> = vec![vec![0; rules.len()]];
    let mut seen: BTreeSet<Vec<usize>> = found.iter().cloned().collect();
    let mut next = 0;
    while next < found.len() && found.len() < MANY_RULES {
        for i in 0..rules.len() {
            let mut other = found[next].clone();
            other[i] += 1;
            if other[i] < rules[i].len() && seen.insert(other.clone()) {
                found.push(other);
            }
        }
        next += 1;
    }
    let pick = |choice: &Vec<usize>| choice.iter().zip(rules).map(|(i, list)| list[*i].clone()).collect();
    found.iter().map(pick).collect()
}

/// Whether something can be learned from both runs together.
pub(in crate::proof) fn is_useful(run: &RunPair) -> bool {
    let ends = (run.source.end, run.target.end);
    !matches!(ends.0, RunEnd::Undefined) && !matches!(ends.1, RunEnd::Undefined)
}

/// The plan that the rules give, if they fit all runs. Where the target has returned, `wait` lets the source go on alone;
/// with `apart`, memories may differ where the source has accesses, and do.
fn plan(runs: &[RunPair], rules: &[Rule], (wait, apart): (bool, bool)) -> Option<Plan> {
    let mut plan = Plan::default();
    let mut used = false;
    for (index, run) in runs.iter().enumerate().filter(|(_, r)| is_useful(r)) {
        used = true;
        follow(&mut plan, index, run, rules, (wait, apart))?;
    }
    if apart {
        for (node, meetings) in &plan.meetings {
            let list = differing(runs, meetings)?;
            let Place::Cut(_) = node.target else { if list.is_empty() { continue } else { return None } };
            if !list.is_empty() {
                plan.apart.insert(*node, list);
            }
        }
        used &= !plan.apart.is_empty();
    }
    used.then_some(plan)
}
/// Accesses of the source that cover all places where memories differ, if there are such.
fn differing(runs: &[RunPair], meetings: &[Meeting]) -> Option<Vec<u32>> {
    let mut found: Vec<Inst> = Vec::new();
    for meeting in meetings {
        let run = &runs[meeting.run];
        let (source, target) = (&run.source.visits[meeting.source], &run.target.visits[meeting.target]);
        if source.has_memory_of(target) {
            continue;
        }
        let covers = |inst: &Inst, place: u128| {
            source
                .stretches
                .iter()
                .any(|(i, at, size)| i == inst && (*at..*at + u128::from(*size)).contains(&place))
        };
        for place in differences(&source.memory, &target.memory)? {
            if !found.iter().any(|inst| covers(inst, place)) {
                let mut all = source.stretches.iter().map(|(inst, ..)| *inst);
                found.push(all.find(|inst| covers(inst, place))?);
            }
        }
    }
    Some(found.into_iter().map(|inst| inst.index() as u32).collect())
}
/// The places where two memories differ, if they are few.
fn differences(a: &Value, b: &Value) -> Option<Vec<u128>> {
    /// Limit on the bytes in which two memories may differ at one state: with more, the memories are different.
    const FEW: usize = 32;
    let (a, b) = (a.as_array()?, b.as_array()?);
    let mut found = Vec::new();
    for index in a.differences(b) {
        found.push(index.to_u128()?);
        if found.len() > FEW {
            return None;
        }
    }
    Some(found)
}

fn follow(
    plan: &mut Plan,
    index: usize,
    run: &RunPair,
    rules: &[Rule],
    (wait, apart): (bool, bool),
) -> Option<()> {
    let (source, target) = (&run.source.visits, &run.target.visits);
    let open = run.source.end == RunEnd::Open || run.target.end == RunEnd::Open;
    let meeting = |s: usize, t: usize| Meeting { run: index, source: s, target: t };
    let node = |s: usize, t: usize| Node { source: source[s].place, target: target[t].place };
    let mut at = 0;
    plan.meetings.entry(node(0, 0)).or_default().push(meeting(0, 0));
    let mut alone: BTreeMap<Node, Meeting> = BTreeMap::from([(node(0, 0), meeting(0, 0))]);
    for (t, visit) in target.iter().enumerate().skip(1) {
        let Place::Cut(cut) = visit.place else { break };
        let rule = &rules[cut.checked_sub(1)?];
        let first = if matches!(rule, Rule::Next | Rule::At(_) | Rule::Strides(..)) { at + 1 } else { at };
        let mut near = source.iter().enumerate().take(at + LONGEST as usize + 1).skip(first);
        let alike =
            |v: &Visit| v.has_memory_of(visit) || apart && differences(&v.memory, &visit.memory).is_some();
        let visits = match *rule {
            Rule::Strides(_, from, round) if target[t - 1].place == Place::Cut(from) => round,
            _ => 1,
        };
        let mut came = 0;
        let mut matched = |v: &Visit| match (rule, v.place) {
            (_, Place::Returned(_)) => false,
            (Rule::Strides(there, ..), Place::Cut(cut)) => {
                came += usize::from(*there == cut);
                *there == cut && came == visits
            }
            (Rule::Next | Rule::Nearest, Place::Cut(_)) => true,
            (Rule::At(there), Place::Cut(cut)) => *there == cut,
            (Rule::Equal(there, pairs), Place::Cut(cut)) => *there == cut && equal(pairs, v, visit),
        };
        let found = near.find(|(_, v)| matched(v) && v.trace == visit.trace && alike(v));
        let Some((s, _)) = found else { return open.then_some(()) };
        plan.note(node(at, t - 1), TargetEnd::Reaches(cut), moved(source, at, s))?;
        if s > at {
            alone.clear();
        }
        plan.again(&mut alone, node(s, t), meeting(s, t));
        plan.meetings.entry(node(s, t)).or_default().push(meeting(s, t));
        at = s;
    }
    let last = target.len() - 1;
    match (run.target.end, run.source.end) {
        (RunEnd::Returned, RunEnd::Returned | RunEnd::Open) if wait => {
            plan.note(node(at, last - 1), TargetEnd::Returns, SourceMove::Stays)?;
            alone.clear();
            for s in (at..source.len()).filter(|s| matches!(source[*s].place, Place::Cut(_))) {
                plan.meetings.entry(node(s, last)).or_default().push(meeting(s, last));
                plan.again(&mut alone, node(s, last), meeting(s, last));
            }
            Some(())
        }
        (RunEnd::Returned, RunEnd::Returned) => {
            let within = (source.len() - 1 - at) as u32;
            if within > LONGEST {
                return None;
            }
            plan.note(node(at, last - 1), TargetEnd::Returns, SourceMove::Ends { within })
        }
        (RunEnd::Stopped, RunEnd::Stopped) => {
            let within = (source.len() - at) as u32;
            if within > LONGEST {
                return None;
            }
            plan.note(node(at, last), TargetEnd::Stops, SourceMove::Ends { within })
        }
        _ => open.then_some(()),
    }
}

/// How the source gets from one visit to another.
fn moved(visits: &[Visit], from: usize, to: usize) -> SourceMove {
    let Place::Cut(cut) = visits[to].place else { return SourceMove::Ends { within: (to - from) as u32 } };
    if from == to {
        return SourceMove::Stays;
    }
    let count = visits[from + 1..=to].iter().filter(|v| v.place == Place::Cut(cut)).count() as u32;
    SourceMove::Arrives { cut, count, within: (to - from) as u32 }
}

/// Whether the values are equal, the narrower one extended in either way.
fn equal(pairs: &[(Inst, Inst)], source: &Visit, target: &Visit) -> bool {
    pairs.iter().all(|(x, y)| match (source.values.get(x), target.values.get(y)) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_number(*a, *b)),
        _ => false,
    })
}
fn same_number((a, wa, _): Number, (b, wb, _): Number) -> bool {
    let (narrow, wide) = if wa <= wb { ((a, wa), (b, wb)) } else { ((b, wb), (a, wa)) };
    narrow.0 == wide.0
        || narrow.1 < wide.1
            && signed(narrow.0, narrow.1) as u128 & crate::proof::lang::number::mask(wide.1) == wide.0
}
