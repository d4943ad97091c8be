//! Detects divergence: a state that occurs again with no open choice and no event in between. Memory is compared if
//! something was written or allocated in between and the registers are unchanged, up to the local objects that they
//! point to ([`super::alike`]).
//!
//! Brent's algorithm (1980): the state at a backward edge, or at a function entry by a `musttail` call, is kept and
//! compared with the states that follow. It is replaced after 2^k of them, so that a cycle is found within a small
//! multiple of its length. A single register of the kept state that was found to change distinguishes it from nearly
//! all other states.

use super::alike::{self, Registers};
use super::ctx::Ctx;
use super::frames::Frames;
use super::regs::{RARE, Stack, provenance};
use crate::compile::op::EdgeId;
use crate::value::Val;
use backedge_ir::entity::FuncId;

/// Number of backward edges before states are kept: most runs end before, and keeping a state takes time.
const PATIENCE: u64 = 64;

/// Program points at which states are compared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Site {
    /// After a backward edge of the topmost function.
    Edge(EdgeId),
    /// At the entry of a function called by `musttail`.
    Entry(FuncId),
}

#[derive(Copy, Clone, PartialEq, Debug)]
struct Stamp {
    writes: u64,
    /// Number of choices made; `None` if all remaining ones get the same answer.
    choices: Option<u64>,
    events: usize,
    /// Progress without an event.
    side_effects: usize,
    allocations: usize,
}

/// A repeated state.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Again {
    /// Whether all backward edges of the cycle require progress.
    pub(super) all_mustprogress: bool,
    /// Whether the cycle makes progress, so that running forever is allowed where progress is required.
    pub(super) progress: bool,
}

/// A state of a run.
#[derive(Default, Debug)]
struct Kept {
    site: Option<Site>,
    stamp: Option<Stamp>,
    /// The active functions with the position of each one's pending call.
    calls: Vec<(FuncId, usize)>,
    words: Vec<u64>,
    marks: Vec<u32>,
    rare: Vec<Val>,
    memory: alike::Kept,
    /// Number of states that equalled this one in everything except memory. Memory is compared when this number is a
    /// power of two.
    likely: u64,
}

/// Observer of backward edges and tail calls.
#[derive(Default, Debug)]
pub(super) struct Detector {
    /// A register of the topmost frame; a state whose value differs from the kept one is a different state.
    pub(super) probe: u16,
    probe_word: u64,
    /// Number of sites left until a state is kept, and number of sites passed before that.
    left: u64,
    passed: u64,
    kept: Kept,
    /// Whether all backward edges since the kept state require progress.
    all_mustprogress: bool,
}

impl Detector {
    /// Starts a new run.
    pub(super) fn reset(&mut self, enabled: bool) {
        self.kept.site = None;
        (self.left, self.passed) = (if enabled { PATIENCE } else { u64::MAX }, 0);
    }
    /// Counts a site, which may require progress; `word` is the value of register [`Detector::probe`] of the topmost
    /// frame. Returns whether the state must be examined.
    #[inline(always)]
    pub(super) fn is_due(&mut self, site: Site, mustprogress: bool, word: u64) -> bool {
        self.all_mustprogress &= mustprogress;
        self.left -= 1;
        self.left == 0 || word == self.probe_word && self.kept.site == Some(site)
    }
    /// Examines the state at a site: has it occurred before?
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
    /// Makes the register at `place` the probe, if it is in the topmost frame and has changed.
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
    /// Whether memory, and the pointers to it, equal the kept ones. Compares only at powers of two.
    fn is_alike(&mut self, ctx: &Ctx<'_, '_>, frames: &Frames<'_>) -> bool {
        self.likely += 1;
        let then = Registers { words: &self.words, marks: &self.marks, rare: &self.rare };
        self.likely.is_power_of_two() && self.memory.is_alike(then, ctx.memory, frames)
    }
    /// A place where the registers differ from the kept ones. If objects were created in between (`made`), pointers
    /// to different objects may still be equivalent, so they count as equal here.
    fn difference(&self, stack: &Stack, made: bool) -> Option<usize> {
        // Searches from the last register, because the topmost frame changes most.
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
