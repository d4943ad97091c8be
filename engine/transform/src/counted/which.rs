//! Determines before a loop, from the counts of its exits, by which exit it will be left.
//!
//! A loop is left by the exit with the least count, and among equal counts by the exit that is passed first. Needs
//! exits that each iteration passes, with exact counts. The counts are frozen. If a count is poison, the test of its
//! exit is UB, so in a run without UB an earlier exit leaves in the first iteration. That exit has count zero, and no
//! value chosen for poison is less.

use super::facts::{Exit, Facts};
use super::plan_in_front;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;
use backedge_ir::opcode::IntPredicate;
use backedge_scev::ScalarEvolution;
use backedge_scev::expand::Plan;

/// Cost limit for computing the compared counts before a loop, in units of an addition: the code runs on each entry,
/// even for few iterations.
pub(crate) const COUNT_BUDGET: u32 = 48;
/// Maximum number of exits: each count is compared with the others before the loop.
const MOST_EXITS: usize = 8;

/// One of the candidate exits.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The exiting block.
    pub(crate) from: Block,
    /// The exit block.
    pub(crate) to: Block,
    /// How to compute its count before the loop; all counts have the same width.
    count: Plan,
}

/// The candidate exits by which a loop may be left.
#[derive(Clone, Debug)]
pub(crate) struct Which {
    /// The preheader, where the counts are computed.
    preheader: Block,
    /// The exits, in the order in which an iteration passes them.
    pub(crate) ways: Vec<Way>,
}

/// How to determine by which of the exits selected by `counts` the loop is left, if it is left by one of them.
pub(crate) fn which_exit(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    counts: impl Fn(&Exit) -> bool,
) -> Option<Which> {
    let exits: Vec<&Exit> = facts.exits.iter().filter(|e| counts(e) && !e.never).collect();
    if exits.len() < 2 || exits.len() > MOST_EXITS || !exits.iter().all(|e| e.is_analyzable()) {
        return None;
    }
    let width = exits.iter().filter_map(|e| e.exact).map(|e| scev.width(e)).max()?;
    let ways: Option<Vec<Way>> = exits
        .into_iter()
        .map(|exit| {
            let wide = scev.zext(exit.exact?, width);
            Some(Way { from: exit.block, to: exit.leave?, count: plan_in_front(scev, facts, wide)? })
        })
        .collect();
    let ways = ways?;
    let cost = ways.iter().fold(0, |sum: u32, way| sum.saturating_add(way.count.cost()));
    (cost <= COUNT_BUDGET).then_some(Which { preheader: facts.ring.preheader, ways })
}

impl Which {
    /// Computes before the loop, for each exit but the last, whether the loop is left by it unless it is left by an
    /// earlier one.
    pub(crate) fn tests(&self, editor: &mut Editor<'_>) -> Vec<Value> {
        let counts: Vec<Value> = self.ways.iter().map(|way| way.count.emit(editor)).collect();
        let mut at = Builder::new(editor, Position::BeforeTerminator(self.preheader));
        let mut tests = Vec::new();
        let mut later = counts.split_last().map(|(last, first)| (*last, first));
        while let Some((least, [before @ .., count])) = later {
            let test = at.icmp(IntPredicate::Ule, *count, least, "exit.first");
            tests.push(test);
            later = (!before.is_empty()).then(|| (at.select(test, *count, least, ""), before));
        }
        tests.reverse();
        tests
    }
    /// Adds branches on `tests` from the end of `first`, which has no terminator, to the exit by which the loop is
    /// left. Returns the predecessor of each exit. The caller adds the phi entries.
    pub(crate) fn lead(&self, editor: &mut Editor<'_>, first: Block, tests: &[Value]) -> Vec<Block> {
        let mut at = first;
        let mut from = vec![first];
        for (pair, test) in self.ways.windows(2).zip(tests) {
            let [way, next] = pair else { break };
            let is_last = from.len() == tests.len();
            if is_last && way.to != next.to {
                Builder::new(editor, Position::End(at)).cond_br(*test, way.to, next.to);
            } else {
                // A new block keeps two edges to one exit block apart, since its phis may need different values.
                let later = editor.add_block_after(at, Some("exit.later"));
                Builder::new(editor, Position::End(at)).cond_br(*test, way.to, later);
                if is_last {
                    Builder::new(editor, Position::End(later)).br(next.to);
                }
                at = later;
            }
            from.push(at);
        }
        from
    }
}
