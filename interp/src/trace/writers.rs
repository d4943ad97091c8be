//! The last writer of each byte, for writes that left bits undefined or poison, as intervals of addresses. Addresses
//! are never reused in a run.

use std::collections::BTreeMap;
use std::ops::Range;

/// A node of the record, see [`super::record`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

/// Intervals of bytes with the node that wrote them.
#[derive(Clone, Default, Debug)]
pub(crate) struct Writers {
    /// By first address: the end address (exclusive) and the writer.
    spans: BTreeMap<u64, (u64, NodeId)>,
}

impl Writers {
    /// Sets the writer of `range`; `None` marks it as unwritten.
    pub(crate) fn write(&mut self, range: Range<u64>, writer: Option<NodeId>) {
        if range.is_empty() {
            return;
        }
        // An interval that starts before the range and overlaps it is cut; its part after the range is kept.
        let before = self.spans.range(..range.start).next_back().map(|(s, (e, w))| (*s, *e, *w));
        if let Some((start, end, old)) = before.filter(|(_, end, _)| *end > range.start) {
            self.spans.insert(start, (range.start, old));
            if end > range.end {
                self.spans.insert(range.end, (end, old));
            }
        }
        while let Some((start, (end, old))) =
            self.spans.range(range.clone()).next().map(|(s, (e, w))| (*s, (*e, *w)))
        {
            self.spans.remove(&start);
            if end > range.end {
                self.spans.insert(range.end, (end, old));
            }
        }
        if let Some(writer) = writer {
            self.spans.insert(range.start, (range.end, writer));
        }
    }
    /// The writer of the byte at `addr`.
    pub(crate) fn at(&self, addr: u64) -> Option<NodeId> {
        let (_, (end, writer)) = self.spans.range(..=addr).next_back()?;
        (addr < *end).then_some(*writer)
    }
    /// Gives the bytes at `to` the writers of the bytes at `from`.
    pub(crate) fn copy(&mut self, from: u64, to: u64, len: u64) {
        let parts: Vec<_> = (0..len).map(|i| self.at(from + i)).collect();
        self.write(to..to.saturating_add(len), None);
        for (i, writer) in parts.into_iter().enumerate() {
            let at = to + i as u64;
            if writer.is_some() {
                self.write(at..at + 1, writer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeId, Writers};
    use backedge_testkit::Dice;

    /// Compares with an array that holds the writer of each byte.
    #[test]
    fn intervals_agree_with_bytes() {
        let mut dice = Dice::new(1);
        let (mut writers, mut bytes) = (Writers::default(), [None; 64]);
        for n in 0..5000 {
            let (start, len) = (dice.below(64) as u64, dice.below(20) as u64);
            let end = (start + len).min(64);
            let writer = (!dice.one_in(4)).then_some(NodeId(n));
            writers.write(start..end, writer);
            bytes[start as usize..end as usize].fill(writer);
            for (addr, expected) in bytes.iter().enumerate() {
                assert_eq!(writers.at(addr as u64), *expected, "byte {addr} after {n} writes");
            }
        }
    }
}
