//! Executes a tree by the definition of its nodes, with a limit on steps.

use crate::common::meaning::{At, after, steps};
use backedge_hir::node::{Compare, HlGoto, Kind, List, LoopKind, Predicate, Target};
use backedge_hir::{Hir, Node, RegDdRef, Temp};
use backedge_ir::int::Int;
use std::collections::HashMap;

/// The state of an executing loop: its variable; for a loop with bounds also the last value and the stride.
pub(super) struct Counting {
    now: u128,
    ends: Option<(u128, u128)>,
}

/// A tree that is being executed.
pub(super) struct Execution<'h> {
    pub(super) hir: &'h Hir,
    pub(super) temps: HashMap<Temp, Int>,
    pub(super) loops: HashMap<Node, Counting>,
    pub(super) tally: Tally,
}

impl Execution<'_> {
    fn value(&self, node: Node, of: &RegDdRef) -> Int {
        let around: Vec<Node> = self.hir.loops_around(node).collect();
        let iv = |level: u32| self.loops[&around[around.len() - level as usize]].now;
        let form = of.as_terminal().expect("a scalar");
        form.value(&self.hir.blobs, &iv, &|t| self.temps.get(&t).copied()).expect("it is defined")
    }
    fn holds(&self, node: Node, all: &[Predicate]) -> bool {
        all.iter().all(|one| {
            let [left, right] = one.refs.each_ref().map(|of| self.value(node, of));
            let Compare::Int(pred) = one.compare else { unreachable!("integers") };
            pred.holds(left, right)
        })
    }
    /// The exit through which control leaves the region; `None` if that takes more than `most` steps.
    pub(super) fn run(&mut self, region: Node, most: u32) -> Option<u32> {
        let mut at = At::Line(region);
        for _ in 0..most {
            match at {
                At::Done => return Some(0),
                At::Line(node)
                    if let Kind::Goto(HlGoto { target: Target::Exit(exit) }) = self.hir.kind(node) =>
                {
                    return Some(*exit);
                }
                _ => at = self.next(at),
            }
        }
        None
    }
    fn next(&mut self, at: At) -> At {
        let hir = self.hir;
        let ways = steps(hir, at);
        let l = |node| if let Kind::Loop(l) = hir.kind(node) { l } else { unreachable!("a loop") };
        match at {
            At::Entry(node) if self.holds(node, &l(node).ztt) => ways[ways.len() - 1],
            At::Entry(node) => after(hir, node),
            At::EndOf(node, List::Preheader) => {
                let counting = match &l(node).kind {
                    LoopKind::Do { lower, upper, stride } => {
                        let [first, last, by] = [lower, upper, stride].map(|of| self.value(node, of).bits());
                        assert!(first <= last && by > 0, "the maker's bounds are right");
                        self.tally.counted_otherwise += u64::from(first > 0 || by > 1);
                        Counting { now: first, ends: Some((last, by)) }
                    }
                    LoopKind::Unknown(_) => Counting { now: 0, ends: None },
                };
                self.loops.insert(node, counting);
                ways[0]
            }
            At::EndOf(node, List::Body) if matches!(hir.kind(node), Kind::Loop(_)) => {
                let counting = self.loops.get_mut(&node).expect("it has begun");
                match counting.ends {
                    Some((last, by)) if counting.now + by <= last => {
                        counting.now += by;
                        ways[0]
                    }
                    _ => ways[ways.len() - 1],
                }
            }
            At::Line(node) => match hir.kind(node) {
                Kind::If(branch) => ways[usize::from(!self.holds(node, &branch.conditions))],
                Kind::Switch(of) => {
                    let value = self.value(node, &of.condition);
                    ways[of.cases.iter().position(|case| *case == value).map_or(0, |at| at + 1)]
                }
                Kind::Inst(inst) => {
                    let to = inst.lval.as_ref().and_then(|of| of.as_temp(&hir.blobs)).expect("a variable");
                    let value = self.value(node, &inst.rvals[0]);
                    self.temps.insert(to, value);
                    ways[0]
                }
                Kind::Goto(goto) => {
                    let label = goto.label().expect("it stays in the region");
                    let begins = |l: &Node| match hir.kind(*l) {
                        Kind::Loop(of) => of.kind == LoopKind::Unknown(label),
                        _ => false,
                    };
                    match hir.loops_around(label).find(begins) {
                        Some(l) => self.loops.get_mut(&l).expect("it has begun").now += 1,
                        None => self.tally.back += u64::from(!hir.comes_before(node, label)),
                    }
                    ways[0]
                }
                Kind::Region(_) | Kind::Loop(_) | Kind::Label(_) => ways[0],
            },
            At::EndOf(..) | At::Done => ways[0],
        }
    }
}

/// Counts of the tests.
#[derive(Default, Debug)]
pub(super) struct Tally {
    pub(super) trees: u64,
    /// Runs that ended, and runs that exceeded the step limit.
    pub(super) ended: u64,
    pub(super) endless: u64,
    /// Backward gotos other than backedges of loop nodes.
    pub(super) back: u64,
    /// Executions of loops that do not count from 0 by 1.
    pub(super) counted_otherwise: u64,
}
