//! Vector operations beyond lane-wise arithmetic.

use super::func::Func;
use super::types::{Elem, Ty};

impl Func<'_> {
    /// Writes an operation on the lanes of a vector of type `ty`.
    pub(super) fn vector_statement(&mut self, ty: Ty) {
        let (text, elem) = (ty.text(), Ty::scalar(ty.elem));
        match self.dice().below(6) {
            0 => {
                let (x, at) = (self.operand(ty), self.lane(ty.lanes));
                self.define(elem, &format!("extractelement {text} {x}, {at}"));
            }
            1 => {
                let (x, value, at) = (self.operand(ty), self.operand(elem), self.lane(ty.lanes));
                self.define(ty, &format!("insertelement {text} {x}, {} {value}, {at}", elem.text()));
            }
            2 | 3 => {
                let to = self.dice().pick(&[2, 3, 4, 8]);
                let lanes: Vec<String> =
                    (0..to).map(|_| format!("i32 {}", self.dice().below(2 * ty.lanes as usize))).collect();
                let (a, b) = (self.operand(ty), self.operand(ty));
                let result = Ty { elem: ty.elem, lanes: to };
                let mask = lanes.join(", ");
                self.define(result, &format!("shufflevector {text} {a}, {text} {b}, <{to} x i32> <{mask}>"));
            }
            4 if ty.is_int() && self.features().intrinsics => {
                const REDUCTIONS: [&str; 9] =
                    ["add", "mul", "and", "or", "xor", "umin", "umax", "smin", "smax"];
                let name = self.dice().pick(&REDUCTIONS);
                let x = self.operand(ty);
                let name = format!("llvm.vector.reduce.{name}.{}", ty.suffix());
                let call = self.intrinsic(&name, &elem.text(), &[(ty, x)]);
                self.define(elem, &call);
            }
            _ => self.cast_lanes(ty),
        }
    }
    /// A typed lane index; occasionally a variable one.
    fn lane(&mut self, lanes: u32) -> String {
        if lanes.is_power_of_two() && self.dice().chance(40) {
            return format!("i64 {}", self.index(u128::from(lanes) - 1));
        }
        format!("i32 {}", self.dice().below(lanes as usize))
    }
    /// A `bitcast` of a vector of whole bytes to an integer or to lanes of another width.
    fn cast_lanes(&mut self, ty: Ty) {
        let bits = ty.elem.bits() * ty.lanes;
        if !ty.is_int() || !ty.elem.bits().is_multiple_of(8) || bits > 128 {
            return self.select(ty);
        }
        let x = self.operand(ty);
        let halves = Ty { elem: Elem::Int(bits / 2), lanes: 2 };
        let divides = ty.lanes.is_multiple_of(2) || self.features().lane_casts;
        let to =
            if bits.is_multiple_of(16) && divides && self.dice().chance(50) { halves } else { Ty::int(bits) };
        if to.lanes == 0 && bits > 64 && !self.features().wide {
            return self.select(ty);
        }
        self.define(to, &format!("bitcast {} {x} to {}", ty.text(), to.text()));
    }
}
