//! Notices that a run goes round forever: a state that comes again with no choice and no event in between. What memory
//! holds is compared where something was written meanwhile and the registers are as before.
//!
//! Brent's algorithm (1980): the state at a backward edge is kept and compared with the states that follow; it is
//! replaced after 2^k edges, so that a cycle is found within a small multiple of its length. A single register of the
//! kept state, one that was found to change, tells nearly all other states apart.

use super::ctx::Ctx;
use super::frames::Frames;
use super::regs::{RARE, Stack};
use crate::compile::op::{Edge, EdgeId};
use crate::memory::{Contents, Liveness};
use crate::value::Val;
use backedge_ir::entity::FuncId;

/// Objects with more bytes than this together are not kept: then a write in between hides a state that comes again.
const MANY_BYTES: u64 = 1 << 20;

/// How many backward edges pass before states are kept.
const PATIENCE: u64 = 64;

#[derive(Copy, Clone, PartialEq, Debug)]
struct Stamp {
    writes: u64,
    choices: u64,
    events: usize,
    allocations: usize,
}

/// A state of a run at a backward edge.
#[derive(Default, Debug)]
struct Kept {
    edge: Option<EdgeId>,
    stamp: Option<Stamp>,
    /// The functions that are running, and where they call the next.
    calls: Vec<(FuncId, usize)>,
    words: Vec<u64>,
    marks: Vec<u32>,
    rare: Vec<Val>,
    /// What the writable objects hold, and whether they live; `None` for more of them than can be kept.
    memory: Option<Vec<(Liveness, Contents)>>,
    /// How often all but memory was as it was kept: memory is compared at powers of two of that.
    likely: u64,
}

/// Watches backward edges.
#[derive(Default, Debug)]
pub(super) struct Detector {
    /// A register of the topmost frame: a state in which it differs from the kept one is another state.
    pub(super) probe: u16,
    probe_word: u64,
    /// How many edges pass until a state is kept, and how many passed before that.
    left: u64,
    passed: u64,
    kept: Kept,
    /// Whether all backward edges since the kept state demand progress.
    all_mustprogress: bool,
}

impl Detector {
    /// Starts anew.
    pub(super) fn reset(&mut self, enabled: bool) {
        self.kept.edge = None;
        (self.left, self.passed) = (if enabled { PATIENCE } else { u64::MAX }, 0);
    }
    /// Counts a backward edge; `word` is the word of the register [`Detector::probe`] of the topmost frame. Whether
    /// the state behind the edge has to be looked at.
    #[inline(always)]
    pub(super) fn is_due(&mut self, id: EdgeId, edge: &Edge, word: u64) -> bool {
        self.all_mustprogress &= edge.mustprogress;
        self.left -= 1;
        self.left == 0 || word == self.probe_word && self.kept.edge == Some(id)
    }
    /// Looks at the state behind a backward edge of the topmost frame. `Some(all demand progress)` if the state came
    /// before.
    pub(super) fn look(&mut self, ctx: &Ctx<'_, '_>, id: EdgeId, frames: &Frames<'_>) -> Option<bool> {
        let (stack, base) = (&frames.stack, frames.list.last().map_or(0, |f| f.base));
        let stamp = Stamp {
            writes: ctx.memory.writes,
            choices: ctx.choices,
            events: ctx.events.list.len() + ctx.events.side_effects,
            allocations: ctx.memory.allocations().len(),
        };
        let kept = self.kept.stamp.filter(|_| self.kept.edge == Some(id));
        if let Some(kept) = kept.filter(|kept| Stamp { writes: stamp.writes, ..*kept } == stamp) {
            match self.kept.difference(stack) {
                None if frames.calls().eq(self.kept.calls.iter().copied())
                    && (kept == stamp || self.kept.has_memory(ctx)) =>
                {
                    return Some(self.all_mustprogress);
                }
                None => {}
                Some(place) => self.watch(place, base, stack),
            }
        }
        if self.left == 0 {
            self.passed += if self.passed == 0 { PATIENCE } else { self.passed };
            self.left = self.passed;
            self.kept.take(id, stamp, frames);
            self.kept.take_memory(ctx);
            self.all_mustprogress = true;
            self.probe_word = stack.words[base + self.probe as usize];
        }
        None
    }
    /// Takes the register at `place` as the one that tells states apart, if it is one of the topmost frame.
    fn watch(&mut self, place: usize, base: usize, stack: &Stack) {
        let register = place.checked_sub(base).and_then(|r| u16::try_from(r).ok());
        if let Some(register) =
            register.filter(|_| self.kept.words.get(place).is_some_and(|w| *w != stack.words[place]))
        {
            (self.probe, self.probe_word) = (register, self.kept.words[place]);
        }
    }
}

impl Kept {
    fn take(&mut self, edge: EdgeId, stamp: Stamp, frames: &Frames<'_>) {
        (self.edge, self.stamp) = (Some(edge), Some(stamp));
        let stack = &frames.stack;
        self.calls.clear();
        self.calls.extend(frames.calls());
        self.words.clear();
        self.words.extend_from_slice(&stack.words[..stack.top]);
        self.marks.clear();
        self.marks.extend_from_slice(&stack.marks[..stack.top]);
        self.rare.clone_from(&stack.rare);
    }
    fn take_memory(&mut self, ctx: &Ctx<'_, '_>) {
        let writable = || ctx.memory.allocations().iter().filter(|a| a.writable);
        let small = writable().map(|a| a.size).sum::<u64>() <= MANY_BYTES;
        self.memory = small.then(|| writable().map(|a| (a.liveness, a.contents.clone())).collect());
        self.likely = 0;
    }
    /// Whether memory is as it was kept, if this is a time to look.
    fn has_memory(&mut self, ctx: &Ctx<'_, '_>) -> bool {
        self.likely += 1;
        let Some(memory) = self.memory.as_ref().filter(|_| self.likely.is_power_of_two()) else {
            return false;
        };
        let now = ctx.memory.allocations().iter().filter(|a| a.writable);
        now.map(|a| (a.liveness, &a.contents)).eq(memory.iter().map(|(live, contents)| (*live, contents)))
    }
    /// A place at which the registers differ from those kept.
    fn difference(&self, stack: &Stack) -> Option<usize> {
        // The last register first: the topmost frame changes most.
        (0..stack.top.max(self.words.len())).rev().find(|&place| {
            place >= stack.top
                || self.words.get(place) != stack.words.get(place)
                || self.marks.get(place) != stack.marks.get(place)
                || stack.marks[place] == RARE && self.rare.get(place) != stack.rare.get(place)
        })
    }
}
