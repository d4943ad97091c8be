//! Removes from a bounded verdict's unreached parts those that runs within the bound reach: the verdict names only
//! parts that neither the solver nor runs reached.

use super::config::config;
use super::inputs::Inputs;
use crate::pair::cycles::Rounds;
use crate::pair::{Side, Sides};
use crate::verdict::Options;
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, Observer};
use backedge_interp::{Machine, Program};
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, FuncId};
use backedge_smt::refinement::{Edge, Unreached};
use std::collections::BTreeSet;

/// Limits on the number of runs and on their total steps.
const RUNS: u64 = 256;
const STEPS: u64 = 1_000_000;

/// `unreached` without the parts that a run reaches, before it exceeds the bound on iterations, on an input on which
/// the source is defined.
pub(crate) fn without_runs(
    Sides { source, target }: Sides<'_>,
    options: &Options,
    bound: u32,
    mut unreached: Unreached,
) -> Unreached {
    if unreached == Unreached::default() {
        return unreached;
    }
    let Some(inputs) = Inputs::new(source, target, options) else { return unreached };
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
    // Runs that a call ends say nothing about runs in which the call returns.
    unreached.beyond_blocks.retain(|b| !of_source.returning.blocks.contains(b));
    unreached.beyond_edges.retain(|e| !of_source.returning.edges.contains(e));
    unreached
}

/// Whether a run ended without UB.
fn is_defined(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Returned(_) | Outcome::DidNotReturn { .. })
}

/// Parts of one function reached by runs.
struct Seen {
    func: FuncId,
    cfg: Cfg,
    bound: u32,
    /// Reached by any run.
    any: Parts,
    /// Reached by a run that returns.
    returning: Parts,
    /// State of the current run, up to the bound.
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
    /// Starts a run.
    fn begin(&mut self) {
        (self.rounds, self.past, self.now) = (Rounds::at_entry(&self.cfg), false, Parts::default());
        self.now.blocks.extend(self.cfg.rpo().first());
    }
    /// Adds the current run to the reached parts.
    fn keep(&mut self, returns: bool) {
        let now = std::mem::take(&mut self.now);
        if returns {
            self.returning.extend(now.clone());
        }
        self.any.extend(now);
    }
    /// Removes the parts that some run reached from the lists, which hold the parts not known to be reached.
    fn take_from(&self, blocks: &mut Vec<Block>, edges: &mut Vec<Edge>) {
        let new: Vec<Block> = blocks.iter().copied().filter(|b| self.any.blocks.contains(b)).collect();
        blocks.retain(|b| !self.any.blocks.contains(b));
        // Edges at unreached blocks were not listed.
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

    /// Blocks and number of edges left unreached, if the solver reached nothing.
    fn left(module: &Module, bound: u32) -> (Vec<String>, usize) {
        let side = Side { module, func: module.env.func_named("f").expect("the function") };
        let ((source_blocks, source_edges), (target_blocks, target_edges)) = (all(side), all(side));
        let none =
            Unreached { source_blocks, source_edges, target_blocks, target_edges, ..Unreached::default() };
        let found = without_runs(Sides { source: side, target: side }, &Options::default(), bound, none);
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
