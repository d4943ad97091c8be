//! The log of accesses: finds the first two accesses of a byte that violate a promise, and bytes that change although
//! they must not.

use super::Broken;
use super::accesses::Range;
use super::byte::{Fixed, byte};
use super::checker::Checker;
use super::conflict::{Class, conflict};
use super::tbaa::Types;
use crate::trace::Done;

/// Maximum number of log entries, over all bytes.
const MAX_ENTRIES: usize = 1 << 21;

impl Checker<'_> {
    pub(super) fn log(&mut self, done: &Done<'_>) {
        let ranges = self.ranges(done);
        if ranges.is_empty() {
            return;
        }
        let levels = self.levels(done);
        let outer = self.outer_tags(done);
        let place = (done.func, done.inst);
        for range in ranges {
            let mut tags = outer.clone();
            tags.extend(range.tag);
            let class = Class { place, write: range.write, tags, levels: levels.clone() };
            let known = self.by_place.entry(place).or_default();
            let number = match known.iter().rev().find(|n| self.classes[**n as usize] == class) {
                Some(number) => *number,
                None => {
                    let number = self.classes.len() as u32;
                    self.classes.push(class);
                    known.push(number);
                    number
                }
            };
            self.access(number, &range);
            self.hold(done, &range);
        }
        self.compare_fixed(done);
    }
    fn access(&mut self, number: u32, range: &Range) {
        for at in 0..range.len {
            let seen = self.log.entry(range.ptr.addr.wrapping_add(at)).or_default();
            if seen.contains(&number) {
                continue;
            }
            let types = Types { env: &self.program.module().env };
            let new = &self.classes[number as usize];
            let conflict = seen.iter().find_map(|old| {
                let old = &self.classes[*old as usize];
                conflict(types, old, new).map(|promise| (promise, [old.place, new.place]))
            });
            seen.push(number);
            self.entries += 1;
            if let Some((promise, places)) = conflict {
                let accesses = places.map(|place| self.words(place));
                return self.show(promise, accesses.into());
            }
            if self.entries > MAX_ENTRIES {
                self.broken = Some(Broken {
                    promise: "metadata".into(),
                    accesses: vec!["more accesses than are checked".to_owned()],
                    is_shown: false,
                });
                return;
            }
        }
    }
    /// Records that the bytes of an invariant access must not change.
    fn hold(&mut self, done: &Done<'_>, range: &Range) {
        let Some(said) = self.said(done.depth, done.inst) else { return };
        let promise = match (said.invariant_load, said.invariant_group) {
            (true, _) if !range.write => "`!invariant.load`",
            (_, true) => "`!invariant.group`",
            _ => return,
        };
        let (place, early) = ((done.func, done.inst), promise == "`!invariant.load`");
        for at in 0..range.len {
            let ptr = range.ptr.advanced(at);
            let addr = ptr.addr;
            let Some((base, byte)) = byte(done.memory, ptr) else { continue };
            if let Some(past) = self.past.as_ref().filter(|_| early) {
                if past.held_otherwise(base, (addr - base) as usize, byte) {
                    let access = self.words(place);
                    return self.show(promise, vec![access, "what changed the memory before it".to_owned()]);
                }
                if past.has_gaps {
                    return self.report(promise, &[place]);
                }
            }
            let writer = self.log.get(&addr).into_iter().flatten().map(|n| &self.classes[*n as usize]);
            let writer = writer.filter(|class| class.write).map(|class| class.place).next();
            if let (Some(writer), true) = (writer, early) {
                // The write may have stored the same byte again.
                return self.report(promise, &[writer, place]);
            }
            let old = *self.fixed.entry(addr).or_insert((byte, ptr, promise, place));
            if old.0 != byte {
                let accesses = [old.3, place].map(|place| self.words(place));
                return self.show(promise, accesses.into());
            }
        }
    }
    /// Finds a byte that changed although it must not.
    pub(super) fn compare_fixed(&mut self, done: &Done<'_>) {
        let changed = |(old, ptr, promise, _): &&Fixed| {
            *promise == "`!invariant.load`" && byte(done.memory, *ptr).is_some_and(|(_, now)| now != *old)
        };
        let first = self.fixed.values().filter(changed).min_by_key(|(_, ptr, ..)| ptr.addr).copied();
        if let Some((.., promise, place)) = first {
            let accesses = [place, (done.func, done.inst)].map(|place| self.words(place));
            self.show(promise, accesses.into());
        }
    }
}
