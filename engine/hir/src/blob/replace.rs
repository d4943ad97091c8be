//! Substitution of variables in blobs.

use super::{Blob, Blobs, Node, Temp};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl Blobs {
    /// Replaces the variables that `of` maps by others of the same type. Not recursive.
    pub fn with_temps(&mut self, blob: Blob, of: &FxHashMap<Temp, Temp>) -> Blob {
        let mut parts = Vec::new();
        self.all_parts([blob], |part, _| parts.push(part));
        // Operands have lower indices.
        parts.sort_unstable();
        let mut done: FxHashMap<Blob, Blob> = FxHashMap::default();
        for part in parts {
            let width = self.width(part);
            let is = |operand: &Blob| done.get(operand).copied().unwrap_or(*operand);
            let replaced = match self.node(part).clone() {
                Node::Constant(_) => part,
                Node::Temp(temp) => of.get(&temp).map_or(part, |temp| self.of_temp(*temp)),
                Node::Cast(cast, operand) => self.cast(cast, is(&operand), width),
                Node::UDiv([left, right]) => self.udiv(is(&left), is(&right)),
                Node::NAry(op, operands) => {
                    let operands: SmallVec<[Blob; 4]> = operands.iter().map(is).collect();
                    self.nary(op, width, &operands)
                }
            };
            done.insert(part, replaced);
        }
        done.get(&blob).copied().unwrap_or(blob)
    }
}
