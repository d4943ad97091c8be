//! Which blocks and edges no run within the bound reaches: what a bounded answer says nothing about.

use crate::encode::world::Side;
use crate::refinement::{Check, FunctionRef, Reason, failure};
use crate::solver::Answer;
use crate::term::{Evaluator, Term};
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, EntitySet};
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
}

/// A block of a side, or an edge from it.
type Part = (usize, Block, Option<Block>);

/// At most so many runs are asked for.
const MANY_RUNS: usize = 12;

/// Finds runs until none reaches anything new.
pub(crate) fn unreached(check: &mut Check<'_>, sides: [FunctionRef<'_>; 2]) -> Result<Unreached, Reason> {
    let fine = failure::source_is_fine(check);
    // Everything to be reached, as conditions: blocks, and edges by their ends.
    let mut open: FxHashMap<Part, Vec<Term>> = FxHashMap::default();
    for (side, ends) in check.ends.iter().enumerate() {
        for &(block, path) in &ends.reached {
            open.entry((side, block, None)).or_default().push(path);
        }
        for edge in &ends.taken {
            open.entry((side, edge.from, Some(edge.to))).or_default().push(edge.path);
        }
    }
    let mut keys: Vec<_> = open.keys().copied().collect();
    keys.sort_unstable();
    let mut conditions: Vec<(Part, Term)> = Vec::new();
    for key in keys {
        let paths = open.remove(&key).unwrap_or_default();
        conditions.push((key, check.world.terms.or_all(paths)));
    }
    let mut seen = FxHashSet::default();
    for _ in 0..MANY_RUNS {
        let missing: Vec<Term> =
            conditions.iter().filter(|(k, _)| !seen.contains(k)).map(|(_, c)| *c).collect();
        if missing.is_empty() {
            break;
        }
        let any = check.world.terms.or_all(missing);
        let model = match check.ask_cheaply("reach", &[fine, any]) {
            Ok(Answer::Sat(model)) => model,
            // What was not shown to be reached is listed.
            Ok(_) | Err(Reason::Solver(..)) => break,
            Err(reason) => return Err(reason),
        };
        let mut evaluator = Evaluator::new(&check.world.terms, &model);
        let before = seen.len();
        seen.extend(conditions.iter().filter(|(_, c)| evaluator.truth(*c)).map(|(k, _)| *k));
        if seen.len() == before {
            break;
        }
    }
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
    Ok(found)
}
