//! Interleave groups: one wide load or store for all values of a vector's iterations, with shuffles to split or merge
//! them.
//!
//! A group executes at one of its members and begins at the address of that member minus its offset. A group of loads
//! does not read beyond the last member of the last lane, so the wide vector may have fewer values than the stride
//! times the lanes.

use super::body::Body;
use super::emitted::Rep;
use crate::legality::{Access, Interleaved};
use backedge_ir::inst::{GepFlags, InstKind, MemAccess, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

impl Body<'_, '_, '_> {
    /// The access at the first position, its address for the first lane of a part, and the type of the wide vector.
    fn begin_of(&mut self, group: &Interleaved, part: usize) -> Option<(Access, Value, Type)> {
        let of = &self.choice.legality;
        let (at, place) = (of.access(group.at)?, group.place(group.at)?);
        let first = group.members.first().copied().flatten().and_then(|inst| of.access(inst))?.clone();
        let wide = *self.tools.wide.get(&group.at)?;
        let pointer = self.first(at.pointer, part);
        if place == 0 {
            return Some((first, pointer, wide));
        }
        let bits = self.index_bits(at);
        let back = self.editor.int(Int::from_i128(bits, -(i128::from(at.bytes) * place as i128)));
        let kind = InstKind::Gep { source: Type::I8, flags: GepFlags::default() };
        let ty = self.editor.body().ty(at.pointer);
        let begin = self.put(kind, ty, &[pointer, back]);
        Some((first, begin, wide))
    }
    /// A shuffle of two vectors; the mask has positions in their concatenation.
    fn shuffled(&mut self, ty: Type, vectors: [Value; 2], mask: Vec<Option<usize>>) -> Value {
        let mask = mask.into_iter().map(|place| place.map(|p| p as u32)).collect();
        self.put(InstKind::ShuffleVector(mask), ty, &vectors)
    }
    /// Loads all members with one wide load and extracts each member's values.
    pub(super) fn load_group(&mut self, group: &Interleaved) {
        let (lanes, factor) = (self.lanes() as usize, group.members.len());
        let mut members: Vec<Vec<Value>> = vec![Vec::new(); factor];
        for part in 0..self.parts() {
            let Some((first, at, wide)) = self.begin_of(group, part) else { return };
            let how = MemAccess { align: Some(first.align), ..MemAccess::default() };
            let all = self.put(InstKind::Load(Box::new(how)), wide, &[at]);
            let (ty, none) = (self.tools.vector(first.ty), self.editor.poison(wide));
            for (place, values) in members.iter_mut().enumerate() {
                let wanted =
                    group.members[place].is_some_and(|inst| self.choice.plan.demands_all_lanes(inst));
                if wanted {
                    let mask = (0..lanes).map(|lane| Some(lane * factor + place)).collect();
                    values.push(self.shuffled(ty, [all, none], mask));
                }
            }
        }
        for (member, values) in group.members.iter().zip(members) {
            if let Some(inst) = member.filter(|_| !values.is_empty()) {
                self.set(inst, Rep::Lanes(values));
            }
        }
    }
    /// Stores the values of all members with one wide store.
    pub(super) fn store_group(&mut self, group: &Interleaved) {
        let (lanes, factor) = (self.lanes() as usize, group.members.len());
        let stored: Vec<Value> = group
            .members
            .iter()
            .flatten()
            .filter_map(|inst| self.editor.body().inst(*inst).operands.first().copied())
            .collect();
        for part in 0..self.parts() {
            let Some((first, at, wide)) = self.begin_of(group, part) else { return };
            let none = self.editor.poison(self.tools.vector(first.ty));
            let mut all: Option<Value> = None;
            for (place, value) in stored.iter().enumerate() {
                let own = self.vector(*value, part);
                // Put the values into their own positions; keep the values already placed in the others.
                let lane_of = |n: usize| (n % factor == place).then_some(n / factor);
                let spread = self.shuffled(wide, [own, none], (0..lanes * factor).map(lane_of).collect());
                let before = |n: usize| Some(if n % factor == place { lanes * factor + n } else { n });
                all = Some(match all {
                    None => spread,
                    Some(all) => {
                        self.shuffled(wide, [all, spread], (0..lanes * factor).map(before).collect())
                    }
                });
            }
            let how = MemAccess { align: Some(first.align), ..MemAccess::default() };
            if let Some(all) = all {
                self.put(InstKind::Store(Box::new(how)), Type::VOID, &[all, at]);
            }
        }
    }
}
