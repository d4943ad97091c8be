//! What runs within the bound reach of what the solver's were not found to: a bounded verdict names what neither did.

use crate::check::{Options, Side};
use crate::cycles::Rounds;
use crate::inputs::Inputs;
use crate::runs::config;
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, Observer};
use backedge_interp::{Machine, Program};
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, FuncId};
use backedge_smt::refinement::{Edge, Unreached};
use std::collections::BTreeSet;

/// Limit on the runs in which unreached places are looked for.
const RUNS: u64 = 256;
/// Limit on the steps of all these runs together: they only make a verdict more informative.
const STEPS: u64 = 1_000_000;

/// `unreached` without what is reached, before the bound on iterations is passed, by a run on which the source is defined.
pub(crate) fn without_runs(
    (source, target): (Side<'_>, Side<'_>),
    options: &Options,
    bound: u32,
    mut unreached: Unreached,
) -> Unreached {
    if unreached == Unreached::default() {
        return unreached;
    }
    let Some(inputs) = Inputs::new(source, target) else { return unreached };
    let (Some(mut of_source), Some(mut of_target)) = (Seen::new(source, bound), Seen::new(target, bound))
    else {
        return unreached;
    };
    let modules = [source.module, target.module];
    let config = config(options);
    let programs = Program::pair(modules, &config);
    let mut machines = Machine::pair(&programs, &config);
    for numbered in inputs.some(options.runs.min(RUNS)).enumerate() {
        let input = inputs.with_contents(numbered, modules);
        let [s, t] = &mut machines;
        of_source.begin();
        let Ok(ended) = s.watch_to_end(source.func, &input, &mut ZeroChooser, &mut of_source) else {
            continue;
        };
        if is_defined(&ended.outcome) {
            of_source.keep(matches!(ended.outcome, Outcome::Returned(_)));
            of_target.begin();
            let Ok(ended) = t.watch_to_end(target.func, &input, &mut ZeroChooser, &mut of_target) else {
                continue;
            };
            if is_defined(&ended.outcome) {
                of_target.keep(true);
            }
        }
        if s.steps() + t.steps() > STEPS {
            break;
        }
    }
    of_source.take_from(&mut unreached.source_blocks, &mut unreached.source_edges);
    of_target.take_from(&mut unreached.target_blocks, &mut unreached.target_edges);
    // Runs that a call ends say nothing of those in which it returns.
    unreached.beyond_blocks.retain(|b| !of_source.returning.blocks.contains(b));
    unreached.beyond_edges.retain(|e| !of_source.returning.edges.contains(e));
    unreached
}

/// Whether a run came to an end without undefined behaviour.
fn is_defined(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Returned(_) | Outcome::DidNotReturn { .. })
}

/// What runs of one function have been seen to reach.
struct Seen {
    func: FuncId,
    cfg: Cfg,
    bound: u32,
    /// By any run.
    any: Parts,
    /// By a run that returns.
    returning: Parts,
    /// The run that goes on, as far as the bound.
    rounds: Rounds,
    past: bool,
    now: Parts,
}

/// Blocks and edges.
#[derive(Clone, Default)]
struct Parts {
    blocks: BTreeSet<Block>,
    edges: BTreeSet<Edge>,
}

impl Parts {
    fn extend(&mut self, other: Self) {
        self.blocks.extend(other.blocks);
        self.edges.extend(other.edges);
    }
}

impl Seen {
    fn new(side: Side<'_>, bound: u32) -> Option<Self> {
        let cfg = Cfg::new(side.module.body(side.func)?);
        let [any, returning, now] = std::array::from_fn(|_| Parts::default());
        let rounds = Rounds::default();
        Some(Self { func: side.func, cfg, bound, any, returning, rounds, past: false, now })
    }
    /// A run begins.
    fn begin(&mut self) {
        (self.rounds, self.past, self.now) = (Rounds::at_entry(&self.cfg), false, Parts::default());
        self.now.blocks.extend(self.cfg.rpo().first());
    }
    /// It counts.
    fn keep(&mut self, returns: bool) {
        let now = std::mem::take(&mut self.now);
        if returns {
            self.returning.extend(now.clone());
        }
        self.any.extend(now);
    }
    /// Leaves in the lists, which are of what else was not found to be reached, what no run reached either.
    fn take_from(&self, blocks: &mut Vec<Block>, edges: &mut Vec<Edge>) {
        let new: Vec<Block> = blocks.iter().copied().filter(|b| self.any.blocks.contains(b)).collect();
        blocks.retain(|b| !self.any.blocks.contains(b));
        // Edges at blocks that were not reached were not listed.
        for &from in self.cfg.rpo() {
            for &to in self.cfg.succs(from) {
                let edge = Edge { from, to };
                let is_new = new.contains(&from) || new.contains(&to);
                if is_new && !blocks.contains(&from) && !blocks.contains(&to) && !edges.contains(&edge) {
                    edges.push(edge);
                }
            }
        }
        edges.retain(|e| !self.any.edges.contains(e));
        edges.sort_unstable();
    }
}

impl Observer for Seen {
    fn enter(&mut self, func: FuncId, block: Block, depth: usize) {
        if func != self.func || depth > 0 || self.past {
            return;
        }
        let Some((from, rounds)) = self.rounds.enter(&self.cfg, block) else { return };
        if rounds > self.bound {
            self.past = true;
            return;
        }
        self.now.blocks.insert(block);
        self.now.edges.insert(Edge { from, to: block });
    }
    fn step(&mut self, _: Done<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_ir::module::Module;
    use backedge_ir::parse::parse_module;

    const TEXT: &str = "
define i32 @f(i32 noundef %n, i1 noundef %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %latch, label %other
other:
  %late = icmp eq i32 %i, 5
  br i1 %late, label %late.exit, label %latch
latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 0
late.exit:
  ret i32 1
}
";

    fn all(side: Side<'_>) -> (Vec<Block>, Vec<Edge>) {
        (side.module.body(side.func).expect("a body").blocks().collect(), Vec::new())
    }

    /// Which blocks and edges are left where nothing was found to be reached.
    fn left(module: &Module, bound: u32) -> (Vec<String>, usize) {
        let side = Side { module, func: module.env.func_named("f").expect("the function") };
        let ((source_blocks, source_edges), (target_blocks, target_edges)) = (all(side), all(side));
        let none =
            Unreached { source_blocks, source_edges, target_blocks, target_edges, ..Unreached::default() };
        let found = without_runs((side, side), &Options::default(), bound, none);
        assert_eq!(found.source_blocks, found.target_blocks);
        assert_eq!(found.source_edges, found.target_edges);
        let body = module.body(side.func).expect("a body");
        let name = |b: &Block| body.block_name(*b).unwrap_or_default().to_owned();
        (found.source_blocks.iter().map(name).collect(), found.source_edges.len())
    }

    #[test]
    fn what_runs_reach_within_the_bound_is_taken_off() {
        let module = parse_module(TEXT.as_bytes()).expect("a module").module;
        assert_eq!(left(&module, 8), (vec![], 0));
        // The other exit is taken in the sixth iteration.
        assert_eq!(left(&module, 5), (vec![], 0));
        assert_eq!(left(&module, 4), (vec!["late.exit".to_owned()], 0));
        // Without a second iteration.
        assert_eq!(left(&module, 0), (vec!["late.exit".to_owned()], 1));
    }
}
