//! Evaluation of blobs for given values of their variables.

use super::{Blob, Blobs, Cast, NAry, Node, Temp};
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;

impl Blobs {
    /// The value of `blob`, where `temp` gives the values of the variables (for a pointer, its address). `None` if a
    /// variable that affects the result has no value (it is poison), or on division by zero. Not recursive.
    pub fn value(&self, blob: Blob, temp: &dyn Fn(Temp) -> Option<Int>) -> Option<Int> {
        let mut parts = Vec::new();
        self.all_parts([blob], |part, _| parts.push(part));
        // Operands have lower indices than their users.
        parts.sort_unstable();
        let mut values: FxHashMap<Blob, Option<Int>> = FxHashMap::default();
        for part in parts {
            let value = self.value_of_part(part, temp, &|operand| values.get(&operand).copied().flatten());
            values.insert(part, value);
        }
        values.get(&blob).copied().flatten()
    }
    fn value_of_part(
        &self,
        part: Blob,
        temp: &dyn Fn(Temp) -> Option<Int>,
        of: &dyn Fn(Blob) -> Option<Int>,
    ) -> Option<Int> {
        let width = self.width(part);
        match self.node(part) {
            Node::Constant(value) => Some(*value),
            Node::Temp(t) => temp(*t).filter(|v| v.width() == width),
            Node::Cast(Cast::Trunc, operand) => Some(of(*operand)?.trunc(width)),
            Node::Cast(Cast::SExt, operand) => Some(of(*operand)?.sext(width)),
            Node::Cast(Cast::ZExt | Cast::PtrToInt, operand) => Some(of(*operand)?.zext(width)),
            Node::UDiv([left, right]) => of(*left)?.udiv(of(*right)?),
            Node::NAry(NAry::UMinSeq, operands) => {
                let mut least = Int::all_ones(width);
                for operand in operands.iter() {
                    least = least.umin(of(*operand)?);
                    if least.is_zero() {
                        break;
                    }
                }
                Some(least)
            }
            Node::NAry(op, operands) => {
                let values: Option<Vec<Int>> = operands.iter().map(|o| of(*o)).collect();
                values?.into_iter().reduce(|a, b| match op {
                    NAry::Add => a.add(b),
                    NAry::Mul => a.mul(b),
                    NAry::UMax => a.umax(b),
                    NAry::SMax => a.smax(b),
                    NAry::UMin | NAry::UMinSeq => a.umin(b),
                    NAry::SMin => a.smin(b),
                })
            }
        }
    }
}
