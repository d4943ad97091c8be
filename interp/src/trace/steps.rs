//! The kept steps: the first and the last ones, so that both the start and the end of a run are visible.

use crate::value::Val;
use backedge_ir::entity::{Block, FuncId, Inst};
use std::collections::VecDeque;
use std::sync::Arc;

/// Headers of the enclosing loops, outermost first, with the number of arrivals since each loop was entered, from 1.
pub type Iterations = Arc<[(Block, u64)]>;

/// A position in a run.
#[derive(Clone, PartialEq, Debug)]
pub struct At {
    /// Number of the step, from 1; for entries that are not steps, the number of the next step.
    pub step: u64,
    /// The function.
    pub func: FuncId,
    /// The block.
    pub block: Block,
    /// The instruction; `None` for arguments.
    pub inst: Option<Inst>,
    /// Number of enclosing calls.
    pub depth: usize,
    /// The enclosing loops.
    pub iterations: Iterations,
}

/// One entry of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The position.
    pub at: At,
    /// The action.
    pub what: What,
}

/// The action of a trace entry.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// The function was called, and control is in its entry block.
    Call {
        /// Its arguments.
        args: Vec<Val>,
    },
    /// Control reached the block.
    Enter {
        /// The previous block.
        from: Block,
        /// Whether it is the header of a loop.
        header: bool,
    },
    /// The instruction was executed.
    Inst {
        /// Its operands; for a phi only the incoming value.
        operands: Vec<Val>,
        /// Its result.
        value: Option<Val>,
        /// The number of its event, from 0, if it was one.
        event: Option<usize>,
    },
}

/// The first and the last entries of a list.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    limit: usize,
    pub(crate) head: Vec<Step>,
    pub(crate) tail: VecDeque<Step>,
    /// Number of dropped entries between the two.
    pub(crate) dropped: u64,
}

impl Kept {
    /// Keeps at most `limit` entries: a quarter of them at the start, the others at the end.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, head: Vec::new(), tail: VecDeque::new(), dropped: 0 }
    }
    pub(crate) fn push(&mut self, step: Step) {
        if self.head.len() < self.limit / 4 {
            self.head.push(step);
            return;
        }
        if self.tail.len() >= self.limit - self.limit / 4 {
            self.dropped += 1;
            if self.tail.pop_front().is_none() {
                return;
            }
        }
        self.tail.push_back(step);
    }
    /// The kept entry of the instruction with step number `number`; searched from the end.
    pub(crate) fn find_mut(&mut self, number: u64) -> Option<&mut Step> {
        let matches = |s: &&mut Step| s.at.step == number && matches!(s.what, What::Inst { .. });
        let near = |s: &&mut Step| s.at.step >= number;
        let tail = self.tail.iter_mut().rev().take_while(near).find(matches);
        match tail {
            Some(step) => Some(step),
            None => self.head.iter_mut().rev().take_while(near).find(matches),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{At, Kept, Step, What};
    use backedge_ir::entity::{Block, EntityId, FuncId};

    #[test]
    fn first_and_last_are_kept() {
        let step = |n| Step {
            at: At {
                step: n,
                func: FuncId::from_index(0),
                block: Block::from_index(0),
                inst: None,
                depth: 0,
                iterations: [].into(),
            },
            what: What::Inst { operands: Vec::new(), value: None, event: None },
        };
        for (limit, count) in [(0, 5), (1, 5), (8, 5), (8, 8), (8, 9), (8, 100)] {
            let mut kept = Kept::new(limit);
            (0..count).for_each(|n| kept.push(step(n)));
            let numbers: Vec<u64> = kept.head.iter().chain(&kept.tail).map(|s| s.at.step).collect();
            let (head, tail) = (limit as u64 / 4, (limit - limit / 4) as u64);
            let expected: Vec<u64> = (0..count).filter(|n| *n < head || *n + tail >= count).collect();
            assert_eq!(numbers, expected, "{limit} of {count}");
            assert_eq!(kept.dropped + numbers.len() as u64, count);
            assert!(numbers.iter().all(|n| kept.find_mut(*n).is_some_and(|s| s.at.step == *n)));
        }
    }
}
