//! Finds the blocks and edges that no run within the bound reaches, which a bounded answer does not cover.

use super::outcome::{Apart, Edge, Unreached};
use crate::encode::cycles::Cycles;
use crate::encode::function::{Cut, TakenEdge};
use crate::encode::world::Side;
use crate::refinement::{Check, FunctionRef, Reason, failure};
use crate::solver::Answer;
use crate::term::{Assignment, Evaluator, Term};
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, EntitySet};
use rustc_hash::{FxHashMap, FxHashSet};

/// A block of a side, or an edge from the block.
type Part = (usize, Block, Option<Block>);

/// Maximum number of runs requested: each is a query. Parts that further runs would reach count as unreached.
const MANY_RUNS: usize = 12;

/// Searches for runs until none reaches a new part.
pub(crate) fn unreached(check: &mut Check<'_>, sides: [FunctionRef<'_>; 2]) -> Result<Unreached, Reason> {
    let fine = failure::source_is_fine(check);
    let parts = parts(check);
    let mut seen = reached(check, fine, &parts)?;
    let cycles = sides.map(Cycles::new);
    let endless = cycles[0].as_ref().map(Cycles::endless).unwrap_or_default();
    let beyond = beyond(check, (fine, &endless), &parts, &mut seen)?;
    let mut found = Unreached { apart: passes_alone(check, &cycles)?, ..Unreached::default() };
    for (side, function) in [Side::Source, Side::Target].into_iter().zip(sides) {
        let Some(body) = function.module.body(function.func) else { continue };
        let cfg = Cfg::new(body);
        let reached: EntitySet<Block> =
            body.blocks().filter(|b| seen.contains(&(side.index(), *b, None))).collect();
        let blocks = body.blocks().filter(|b| cfg.is_reachable(*b) && !reached.contains(*b)).collect();
        let mut edges = Vec::new();
        for from in body.blocks().filter(|b| reached.contains(*b)) {
            for &to in cfg.succs(from) {
                let edge = Edge { from, to };
                if reached.contains(to)
                    && !seen.contains(&(side.index(), from, Some(to)))
                    && !edges.contains(&edge)
                {
                    edges.push(edge);
                }
            }
        }
        match side {
            Side::Source => (found.source_blocks, found.source_edges) = (blocks, edges),
            Side::Target => (found.target_blocks, found.target_edges) = (blocks, edges),
        }
    }
    for (_, from, to) in beyond {
        match to {
            None => found.beyond_blocks.push(from),
            Some(to) => found.beyond_edges.push(Edge { from, to }),
        }
    }
    Ok(found)
}

/// All blocks and edges, with the condition under which a run reaches them.
fn parts(check: &mut Check<'_>) -> Vec<(Part, Term)> {
    let mut open: FxHashMap<Part, Vec<Term>> = FxHashMap::default();
    for (side, ends) in check.ends.iter().enumerate() {
        for &(block, path) in &ends.reached {
            open.entry((side, block, None)).or_default().push(path);
        }
        for edge in &ends.taken {
            open.entry((side, edge.from, Some(edge.to))).or_default().push(edge.path);
        }
    }
    let mut parts: Vec<_> = open.into_iter().collect();
    parts.sort_unstable_by_key(|(part, _)| *part);
    parts.into_iter().map(|(part, paths)| (part, check.world.terms.or_all(paths))).collect()
}

/// The parts reached by the runs found that satisfy `fine`.
fn reached(check: &mut Check<'_>, fine: Term, parts: &[(Part, Term)]) -> Result<FxHashSet<Part>, Reason> {
    let mut seen = FxHashSet::default();
    for _ in 0..MANY_RUNS {
        let missing: Vec<Term> = parts.iter().filter(|(k, _)| !seen.contains(k)).map(|(_, c)| *c).collect();
        if missing.is_empty() {
            break;
        }
        let any = check.world.terms.or_all(missing);
        // A part that was not shown to be reached is listed.
        let Runs::One(model) = runs(check, "reach", &[fine, any])? else { break };
        let mut evaluator = Evaluator::new(&check.world.terms, &model);
        let before = seen.len();
        seen.extend(parts.iter().filter(|(_, c)| evaluator.truth(*c)).map(|(k, _)| *k));
        if seen.len() == before {
            break;
        }
    }
    Ok(seen)
}

/// The parts of the source that only unfinished runs reach: runs past the bound without UB in their encoded part, on
/// which the two sides have diverged. A run that is `fine` and ends reaches none of these parts. A call that does not
/// return is not an end, because it gives no information about runs in which it returns. Parts found to be reached are
/// added to `seen`.
fn beyond(
    check: &mut Check<'_>,
    (fine, endless): (Term, &EntitySet<Block>),
    parts: &[(Part, Term)],
    seen: &mut FxHashSet<Part>,
) -> Result<Vec<Part>, Reason> {
    if check.ends.iter().all(|ends| ends.cut.is_empty()) {
        return Ok(Vec::new());
    }
    let mut open: Vec<(Part, Term)> =
        parts.iter().filter(|(k, _)| k.0 == Side::Source.index()).copied().collect();
    let stops: Vec<Term> = check.ends[0].stops.iter().map(|stop| stop.path).collect();
    let fine = if stops.is_empty() {
        open.retain(|(part, _)| !seen.contains(part));
        fine
    } else {
        let stopped = check.world.terms.or_all(stops);
        let goes_on = check.world.terms.not(stopped);
        let ends = check.world.terms.and(fine, goes_on);
        let ended = reached(check, ends, &open)?;
        open.retain(|(part, _)| !ended.contains(part));
        ends
    };
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let defined = failure::source_has_no_ub(check);
    let apart = apart(check, endless);
    let mut beyond = Vec::new();
    for _ in 0..MANY_RUNS {
        let any = check.world.terms.or_all(open.iter().map(|(_, c)| *c));
        let Runs::One(model) = runs(check, "runs past the bound", &[defined, apart, any])? else { break };
        let mut evaluator = Evaluator::new(&check.world.terms, &model);
        let (met, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, c)| evaluator.truth(*c));
        open = rest;
        let any = check.world.terms.or_all(met.iter().map(|(_, c)| *c));
        match runs(check, "reach", &[fine, any])? {
            Runs::None => beyond.extend(met.into_iter().map(|(k, _)| k)),
            Runs::One(model) => {
                let mut evaluator = Evaluator::new(&check.world.terms, &model);
                let (within, rest): (Vec<_>, Vec<_>) =
                    met.into_iter().partition(|(_, c)| evaluator.truth(*c));
                seen.extend(within.into_iter().map(|(k, _)| k));
                open.extend(rest);
            }
            // The parts stay listed as not shown to be reached.
            Runs::Unknown => {}
        }
    }
    beyond.sort_unstable();
    Ok(beyond)
}

/// Whether one side exceeds the bound where the other side ends at once. If the solver does not know, and the other
/// side has no cycles, the source is assumed to do so, and nothing is assumed for the target.
fn passes_alone(check: &mut Check<'_>, cycles: &[Option<Cycles<'_>>; 2]) -> Result<Option<Apart>, Reason> {
    let [Some(source), Some(target)] = cycles else { return Ok(None) };
    let lasting = source.lasting();
    let defined = failure::source_has_no_ub(check);
    for (side, of_other, apart) in [(0, target, Apart::Source), (1, source, Apart::Target)] {
        let other = 1 - side;
        let counts = |cut: &&Cut| side == 1 || cut.header.is_some_and(|header| lasting.contains(header));
        let cut: Vec<Term> = check.ends[side].cut.iter().filter(counts).map(|cut| cut.path).collect();
        let ended: Vec<Term> = check.ends[other].returns.iter().map(|end| end.path).collect();
        let closing = of_other.backedges();
        let is_closing = |edge: &&TakenEdge| closing.contains(&(edge.from, edge.to));
        let around: Vec<Term> = check.ends[other].taken.iter().filter(is_closing).map(|e| e.path).collect();
        let terms = &mut check.world.terms;
        let (cut, ended, around) = (terms.or_all(cut), terms.or_all(ended), terms.or_all(around));
        let at_once = terms.not(around);
        if terms.as_bool(cut) == Some(false) {
            continue;
        }
        match check.ask_cheaply("runs past the bound", &[defined, cut, ended, at_once]) {
            Ok(Answer::Sat(_)) => return Ok(Some(apart)),
            Ok(Answer::Unsat) => {}
            Err(Reason::Solver(..)) if !closing.is_empty() => {}
            Err(Reason::Solver(..)) if side == 0 => return Ok(Some(apart)),
            Ok(Answer::Unknown(why)) => return Err(Reason::Solver("runs past the bound", why)),
            Err(reason) => return Err(reason),
        }
    }
    Ok(None)
}

/// Runs past the bound on which the target may behave differently from the source. The sides agree if both continue,
/// and either neither has had an effect since it entered its loop, or both have and the trace of one is a prefix of the
/// other's. A source that stays in a loop without an exit that must make progress allows any behavior.
fn apart(check: &mut Check<'_>, endless: &EntitySet<Block>) -> Term {
    let start = check.world.start;
    let (mut cut, mut trace, mut quiet) = ([start; 2], [start; 2], [start; 2]);
    for side in 0..2 {
        let cuts = check.ends[side].cut.clone();
        let terms = &mut check.world.terms;
        cut[side] = terms.or_all(cuts.iter().map(|cut| cut.path));
        trace[side] = cuts.iter().fold(start, |rest, cut| terms.ite(cut.path, cut.trace, rest));
        quiet[side] = is_quiet(check, side);
    }
    let same = check.world.terms.eq(trace[0], trace[1]);
    let silent = trace.map(|trace| check.world.terms.eq(trace, start));
    let mut met = check.world.terms.and(silent[0], silent[1]);
    for (side, other) in [(Side::Source, Side::Target), (Side::Target, Side::Source)] {
        let done = check.world.events.iter().filter(|e| e.side == other);
        let done: Vec<(Term, Term)> = done.filter_map(|e| Some((e.happens, e.after?))).collect();
        let terms = &mut check.world.terms;
        for (happens, after) in done {
            let same = terms.eq(after, trace[side.index()]);
            let here = terms.and(happens, same);
            met = terms.or(met, here);
        }
    }
    let terms = &mut check.world.terms;
    let both_quiet = terms.and_all([quiet[0], quiet[1], same]);
    let loud = quiet.map(|quiet| terms.not(quiet));
    let both_loud = terms.and_all([loud[0], loud[1], met]);
    let alike = terms.or(both_quiet, both_loud);
    // A call that has returned before returns again; the events of one side do not state this.
    let stops = terms.or_all(check.ends[0].stops.iter().map(|stop| stop.path));
    let stopped = terms.and(stops, met);
    let goes_on = terms.and(cut[0], alike);
    let either = terms.or(stopped, goes_on);
    let both = terms.and(cut[1], either);
    let idle = idle(check, endless);
    let terms = &mut check.world.terms;
    let past = terms.or(cut[0], cut[1]);
    let fine = terms.or(both, idle);
    let apart = terms.not(fine);
    terms.and(past, apart)
}

/// Whether a side exceeds the bound in a loop without effects so far. If the loop was not entered through its header,
/// this is unknown and counts as false.
fn is_quiet(check: &mut Check<'_>, side: usize) -> Term {
    let numbers = histories(check, side);
    let terms = &mut check.world.terms;
    let mut quiet = terms.bool(false);
    for cut in check.ends[side].cut.clone() {
        let here = match cut.entry {
            Some((entered, before)) => {
                let traces = terms.substitute_all(&[cut.trace, before], &numbers);
                let (elsewhere, same) = (terms.not(entered), terms.eq(traces[0], traces[1]));
                terms.or(elsewhere, same)
            }
            None => terms.bool(true),
        };
        quiet = terms.ite(cut.path, here, quiet);
    }
    quiet
}

/// Distinct numbers for the traces of a side. The formula does not state that traces differ, but these do.
fn histories(check: &mut Check<'_>, side: usize) -> FxHashMap<Term, Term> {
    let events = check.world.events.iter().filter(|event| event.side.index() == side);
    let traces: Vec<Term> = [check.world.start].into_iter().chain(events.filter_map(|e| e.after)).collect();
    let terms = &mut check.world.terms;
    let width = terms.width(check.world.start);
    (0..).zip(traces).map(|(number, trace)| (trace, terms.number(width, number))).collect()
}

/// The source has no effects before it reaches a loop without an exit that must make progress but does not; `endless`
/// contains the headers of these loops.
fn idle(check: &mut Check<'_>, endless: &EntitySet<Block>) -> Term {
    let cuts = check.ends[Side::Source.index()].cut.clone();
    let numbers = histories(check, Side::Source.index());
    let terms = &mut check.world.terms;
    let start = numbers[&check.world.start];
    let mut idle = terms.bool(false);
    for cut in cuts {
        let Some((entered, before)) = cut.entry else { continue };
        if cut.header.is_some_and(|header| endless.contains(header)) {
            let before = terms.substitute_all(&[before], &numbers)[0];
            let silent = terms.eq(before, start);
            let here = terms.and_all([cut.path, entered, silent]);
            idle = terms.or(idle, here);
        }
    }
    idle
}

/// Whether a run satisfies some conditions, as far as a small part of the budget decides.
enum Runs {
    One(Assignment),
    None,
    Unknown,
}

fn runs(check: &mut Check<'_>, name: &'static str, conditions: &[Term]) -> Result<Runs, Reason> {
    match check.ask_cheaply(name, conditions) {
        Ok(Answer::Sat(model)) => Ok(Runs::One(model)),
        Ok(Answer::Unsat) => Ok(Runs::None),
        Ok(Answer::Unknown(_)) | Err(Reason::Solver(..)) => Ok(Runs::Unknown),
        Err(reason) => Err(reason),
    }
}
