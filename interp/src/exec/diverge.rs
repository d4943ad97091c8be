//! Notices that a run goes round forever: a state that comes again with no choice, no event and no write in between.
//!
//! Brent's algorithm (1980): the state at a backward edge is kept and compared with the states that follow; it is
//! replaced after 2^k edges, so that a cycle is found within a small multiple of its length.

use super::ctx::Ctx;
use crate::compile::op::{Edge, EdgeId};
use crate::value::Val;

/// How many backward edges pass before states are kept.
const PATIENCE: u64 = 64;

#[derive(Clone, PartialEq, Debug)]
struct Stamp {
    edge: EdgeId,
    depth: usize,
    writes: u64,
    choices: u64,
    events: usize,
    allocations: usize,
}

/// Watches backward edges.
#[derive(Default, Debug)]
pub(super) struct Detector {
    enabled: bool,
    edges: u64,
    next_keep: u64,
    kept: Option<(Stamp, Vec<Val>)>,
    /// Whether all backward edges since the kept state demand progress.
    all_mustprogress: bool,
}

impl Detector {
    pub(super) fn new(enabled: bool) -> Self {
        Self { enabled, next_keep: PATIENCE, ..Self::default() }
    }
    /// Looks at the state behind a backward edge. `Some(all demand progress)` if the state came before.
    #[inline]
    pub(super) fn visit(
        &mut self,
        ctx: &Ctx<'_, '_>,
        (id, edge): (EdgeId, &Edge),
        depth: usize,
        stack: &[Val],
    ) -> Option<bool> {
        self.edges += 1;
        if self.edges < PATIENCE || !self.enabled {
            return None;
        }
        self.compare(ctx, (id, edge), depth, stack)
    }
    fn compare(
        &mut self,
        ctx: &Ctx<'_, '_>,
        (id, edge): (EdgeId, &Edge),
        depth: usize,
        stack: &[Val],
    ) -> Option<bool> {
        self.all_mustprogress &= edge.mustprogress;
        let stamp = || Stamp {
            edge: id,
            depth,
            writes: ctx.memory.writes,
            choices: ctx.choices,
            events: ctx.events.list.len() + ctx.events.side_effects,
            allocations: ctx.memory.allocations().len(),
        };
        if let Some((kept, values)) = &self.kept
            && kept.edge == id
            && *kept == stamp()
            && values == stack
        {
            return Some(self.all_mustprogress);
        }
        if self.edges >= self.next_keep {
            self.next_keep = self.edges * 2;
            self.kept = Some((stamp(), stack.to_vec()));
            self.all_mustprogress = true;
        }
        None
    }
}
