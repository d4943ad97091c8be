//! Notices that a run goes round forever: a state that comes again with no open choice and no event in between. What
//! memory holds is compared where something was written or allocated meanwhile and the registers are as before, up to
//! which local objects they point to ([`super::alike`]).
//!
//! Brent's algorithm (1980): the state at a backward edge, or where a `musttail` call enters a function, is kept and
//! compared with the states that follow; it is replaced after 2^k of these, so that a cycle is found within a small
//! multiple of its length. A single register of the kept state, one that was found to change, tells nearly all other
//! states apart.

use super::alike::{self, Registers};
use super::ctx::Ctx;
use super::frames::Frames;
use super::regs::{RARE, Stack, provenance};
use crate::compile::op::EdgeId;
use crate::value::Val;
use backedge_ir::entity::FuncId;

/// How many backward edges pass before states are kept.
const PATIENCE: u64 = 64;

/// Where states are compared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Site {
    /// Behind a backward edge of the topmost function.
    Edge(EdgeId),
    /// Where a `musttail` call has entered a function.
    Entry(FuncId),
}

#[derive(Copy, Clone, PartialEq, Debug)]
struct Stamp {
    writes: u64,
    /// How many choices were made; `None` if all that are left are answered alike.
    choices: Option<u64>,
    events: usize,
    /// Progress without an event.
    side_effects: usize,
    allocations: usize,
}

/// A state that came before.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Again {
    /// Whether all backward edges on the way demand progress.
    pub(super) all_mustprogress: bool,
    /// Whether progress was made on the way, so that going round forever is fine where it is demanded.
    pub(super) progress: bool,
}

/// A state of a run.
#[derive(Default, Debug)]
struct Kept {
    site: Option<Site>,
    stamp: Option<Stamp>,
    /// The functions that are running, and where they call the next.
    calls: Vec<(FuncId, usize)>,
    words: Vec<u64>,
    marks: Vec<u32>,
    rare: Vec<Val>,
    memory: alike::Kept,
    /// How often all but memory was as it was kept: memory is compared at powers of two of that.
    likely: u64,
}

/// Watches backward edges and tail calls.
#[derive(Default, Debug)]
pub(super) struct Detector {
    /// A register of the topmost frame: a state in which it differs from the kept one is another state.
    pub(super) probe: u16,
    probe_word: u64,
    /// How many sites pass until a state is kept, and how many passed before that.
    left: u64,
    passed: u64,
    kept: Kept,
    /// Whether all backward edges since the kept state demand progress.
    all_mustprogress: bool,
}

impl Detector {
    /// Starts anew.
    pub(super) fn reset(&mut self, enabled: bool) {
        self.kept.site = None;
        (self.left, self.passed) = (if enabled { PATIENCE } else { u64::MAX }, 0);
    }
    /// Counts a site, which may demand progress; `word` is the word of the register [`Detector::probe`] of the topmost
    /// frame. Whether the state there has to be looked at.
    #[inline(always)]
    pub(super) fn is_due(&mut self, site: Site, mustprogress: bool, word: u64) -> bool {
        self.all_mustprogress &= mustprogress;
        self.left -= 1;
        self.left == 0 || word == self.probe_word && self.kept.site == Some(site)
    }
    /// Looks at the state at a site, whether it came before.
    pub(super) fn look(&mut self, ctx: &Ctx<'_, '_>, site: Site, frames: &Frames<'_>) -> Option<Again> {
        let (stack, base) = (&frames.stack, frames.list.last().map_or(0, |f| f.base));
        let stamp = Stamp {
            writes: ctx.memory.writes,
            choices: (!ctx.chooser.is_settled()).then_some(ctx.choices),
            events: ctx.events.list.len(),
            side_effects: ctx.events.side_effects,
            allocations: ctx.memory.allocations().len(),
        };
        let kept = self.kept.stamp.filter(|_| self.kept.site == Some(site));
        if let Some(kept) = kept.filter(|kept| (kept.choices, kept.events) == (stamp.choices, stamp.events)) {
            match self.kept.difference(stack, kept.allocations != stamp.allocations) {
                None if frames.calls().eq(self.kept.calls.iter().copied())
                    && (Stamp { side_effects: stamp.side_effects, ..kept } == stamp
                        || self.kept.is_alike(ctx, frames)) =>
                {
                    let progress = kept.side_effects != stamp.side_effects;
                    return Some(Again { all_mustprogress: self.all_mustprogress, progress });
                }
                None => {}
                Some(place) => self.watch(place, base, stack),
            }
        }
        if self.left == 0 {
            self.passed += if self.passed == 0 { PATIENCE } else { self.passed };
            self.left = self.passed;
            self.kept.take(site, stamp, frames);
            self.kept.memory.take(ctx.memory, frames);
            self.kept.likely = 0;
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
    fn take(&mut self, site: Site, stamp: Stamp, frames: &Frames<'_>) {
        (self.site, self.stamp) = (Some(site), Some(stamp));
        let stack = &frames.stack;
        self.calls.clear();
        self.calls.extend(frames.calls());
        self.words.clear();
        self.words.extend_from_slice(&stack.words[..stack.top]);
        self.marks.clear();
        self.marks.extend_from_slice(&stack.marks[..stack.top]);
        self.rare.clone_from(&stack.rare);
    }
    /// Whether memory, and what points to it, is as it was kept, if this is a time to look.
    fn is_alike(&mut self, ctx: &Ctx<'_, '_>, frames: &Frames<'_>) -> bool {
        self.likely += 1;
        let then = Registers { words: &self.words, marks: &self.marks, rare: &self.rare };
        self.likely.is_power_of_two() && self.memory.is_alike(then, ctx.memory, frames)
    }
    /// A place at which the registers differ from those kept. Where objects were made meanwhile (`made`), pointers may
    /// lead to other objects and still be the same to the program: that is left open here.
    fn difference(&self, stack: &Stack, made: bool) -> Option<usize> {
        // The last register first: the topmost frame changes most.
        (0..stack.top.max(self.words.len())).rev().find(|&place| {
            if place >= stack.top || place >= self.words.len() {
                return true;
            }
            let (then, now) = (self.marks[place], stack.marks[place]);
            if made
                && (provenance(then).is_some() && provenance(now).is_some() || (then, now) == (RARE, RARE))
            {
                return false;
            }
            self.words[place] != stack.words[place]
                || then != now
                || now == RARE && self.rare.get(place) != stack.rare.get(place)
        })
    }
}
