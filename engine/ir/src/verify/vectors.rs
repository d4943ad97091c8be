//! Checks instructions on vectors.

use super::insts::One;
use super::{FindingKind, Wanted};

impl One<'_, '_, '_> {
    fn vector(&mut self, index: usize) -> bool {
        let is_vector = self.types().shape(self.ty(index)).is_some();
        self.operand_class(index, is_vector, "a vector")
    }
    fn lane_index(&mut self, index: usize) {
        let is_int = self.ty(index).is_int();
        self.operand_class(index, is_int, "an integer");
    }
    pub(super) fn extract_element(&mut self) {
        if self.counts(2, 0) && self.vector(0) {
            self.lane_index(1);
            self.result_is(self.types().scalar(self.ty(0)));
        }
    }
    pub(super) fn insert_element(&mut self) {
        if self.counts(3, 0) && self.vector(0) {
            let vector = self.ty(0);
            self.operand_is(1, self.types().scalar(vector));
            self.lane_index(2);
            self.result_is(vector);
        }
    }
    pub(super) fn shuffle(&mut self, mask: &[Option<u32>]) {
        if !self.counts(2, 0) || !self.vector(0) {
            return;
        }
        let vector = self.ty(0);
        self.operand_is(1, vector);
        let types = self.types();
        let Some((len, scalable)) = types.shape(vector) else { return };
        let same = types.scalar(self.data.ty) == types.scalar(vector);
        if !same || types.shape(self.data.ty) != Some((mask.len() as u64, scalable)) {
            self.bad_result(Wanted::Class("a vector of the operands' element type, as long as the mask"));
        }
        for (lane, element) in mask.iter().enumerate() {
            if let Some(element) = element.filter(|e| u64::from(*e) >= len.saturating_mul(2)) {
                self.report(FindingKind::ShuffleLane { lane, element, len });
            }
        }
    }
}
