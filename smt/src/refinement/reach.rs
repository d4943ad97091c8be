//! Which blocks and edges no run within the bound reaches: what a bounded answer says nothing about.

use crate::encode::world::Side;
use crate::promises::of_loops;
use crate::refinement::{Check, FunctionRef, Reason, failure};
use crate::solver::Answer;
use crate::term::{Assignment, Evaluator, Term};
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, EntitySet};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::loop_options::function_must_progress;
use rustc_hash::{FxHashMap, FxHashSet};

/// An edge between blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: Block,
    /// Where it leads.
    pub to: Block,
}

/// What no run within the bound in which the source has no UB was found to reach, in order of the text. Blocks that
/// can't be reached at all are not listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unreached {
    /// Blocks of the source.
    pub source_blocks: Vec<Block>,
    /// Edges of the source between blocks that are reached.
    pub source_edges: Vec<Edge>,
    /// Blocks of the target.
    pub target_blocks: Vec<Block>,
    /// Edges of the target between blocks that are reached.
    pub target_edges: Vec<Edge>,
    /// Blocks of the source that runs come to of which none is within the bound, so that the target may do otherwise.
    pub beyond_blocks: Vec<Block>,
    /// Edges of the source that such runs take.
    pub beyond_edges: Vec<Edge>,
}

/// A block of a side, or an edge from it.
type Part = (usize, Block, Option<Block>);

/// At most so many runs are asked for.
const MANY_RUNS: usize = 12;

/// Finds runs until none reaches anything new.
pub(crate) fn unreached(check: &mut Check<'_>, sides: [FunctionRef<'_>; 2]) -> Result<Unreached, Reason> {
    let fine = failure::source_is_fine(check);
    let parts = parts(check);
    let mut seen = reached(check, fine, &parts)?;
    let beyond = beyond(check, (fine, sides[0]), &parts, &mut seen)?;
    let mut found = Unreached::default();
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

/// Everything to be reached, with the condition under which a run does: blocks, and edges by their ends.
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

/// The parts that runs were found to reach on which `fine` holds.
fn reached(check: &mut Check<'_>, fine: Term, parts: &[(Part, Term)]) -> Result<FxHashSet<Part>, Reason> {
    let mut seen = FxHashSet::default();
    for _ in 0..MANY_RUNS {
        let missing: Vec<Term> = parts.iter().filter(|(k, _)| !seen.contains(k)).map(|(_, c)| *c).collect();
        if missing.is_empty() {
            break;
        }
        let any = check.world.terms.or_all(missing);
        // What was not shown to be reached is listed.
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

/// The parts of the source that runs reach, without UB as far as they were encoded, of which none is `fine`, and where the
/// two sides have parted. What turns out to be reached by one that is fine goes to `seen`.
fn beyond(
    check: &mut Check<'_>,
    (fine, source): (Term, FunctionRef<'_>),
    parts: &[(Part, Term)],
    seen: &mut FxHashSet<Part>,
) -> Result<Vec<Part>, Reason> {
    let mut open: Vec<(Part, Term)> =
        parts.iter().filter(|(k, _)| k.0 == Side::Source.index() && !seen.contains(k)).copied().collect();
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let defined = failure::source_has_no_ub(check);
    let apart = apart(check, source);
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
            // They stay among those that were not shown to be reached.
            Runs::Unknown => {}
        }
    }
    beyond.sort_unstable();
    Ok(beyond)
}

/// Runs past the bound on which the target may do otherwise than the source: it is not the case that both go on, and that
/// one of them has done so far what the other one has begun with. A source that goes on silently, and must not do so for
/// ever, allows anything.
fn apart(check: &mut Check<'_>, source: FunctionRef<'_>) -> Term {
    let start = check.world.start;
    let mut cut = [start; 2];
    let mut trace = [start; 2];
    for side in 0..2 {
        let cuts = check.ends[side].cut.clone();
        let terms = &mut check.world.terms;
        cut[side] = terms.or_all(cuts.iter().map(|cut| cut.path));
        trace[side] = cuts.iter().fold(start, |rest, cut| terms.ite(cut.path, cut.trace, rest));
    }
    let silent = trace.map(|trace| check.world.terms.eq(trace, start));
    let mut alike = check.world.terms.and(silent[0], silent[1]);
    for (side, other) in [(Side::Source, Side::Target), (Side::Target, Side::Source)] {
        let done = check.world.events.iter().filter(|e| e.side == other);
        let done: Vec<(Term, Term)> = done.filter_map(|e| Some((e.happens, e.after?))).collect();
        let terms = &mut check.world.terms;
        let some = terms.not(silent[side.index()]);
        for (happens, after) in done {
            let same = terms.eq(after, trace[side.index()]);
            let met = terms.and_all([happens, same, some]);
            alike = terms.or(alike, met);
        }
    }
    // A call that has returned before returns again, which the events of one side do not say.
    let stops = check.ends[0].stops.iter().map(|stop| stop.path);
    let goes_on = check.world.terms.or_all(stops.chain([cut[0]]));
    let both = check.world.terms.and_all([goes_on, cut[1], alike]);
    let idle = if must_show_something(source) {
        check.world.terms.and(cut[0], silent[0])
    } else {
        check.world.terms.bool(false)
    };
    let fine = check.world.terms.or(both, idle);
    check.world.terms.not(fine)
}

/// Whether a loop of the function that shows nothing is undefined if it never ends.
fn must_show_something(source: FunctionRef<'_>) -> bool {
    let env = &source.module.env;
    let Some(body) = source.module.body(source.func) else { return false };
    let shows = |inst| {
        let callee = body.inst(inst).call().and_then(|view| body.called_function(view.callee()));
        callee.is_some_and(|func| env.funcs[func].intrinsic == Some(Intrinsic::SideEffect))
    };
    (function_must_progress(env, source.func) || of_loops(source)) && !body.all_insts().any(shows)
}

/// What a small part of the budget tells of runs that meet some conditions.
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
