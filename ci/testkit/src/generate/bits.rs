//! Integer intrinsics.

use super::func::Func;
use super::types::{Elem, Ty, splat};

impl Func<'_> {
    /// Writes a call of an integer intrinsic on values of type `ty`.
    pub(super) fn bit_statement(&mut self, ty: Ty) {
        let width = ty.elem.bits();
        match self.dice().below(12) {
            0 | 1 => {
                let name = self.dice().pick(&["umin", "umax", "smin", "smax"]);
                self.call_two(name, ty);
            }
            2 => {
                let name = self.dice().pick(&["uadd.sat", "sadd.sat", "usub.sat", "ssub.sat"]);
                self.call_two(name, ty);
            }
            3 => {
                let name = self.dice().pick(&["ushl.sat", "sshl.sat"]);
                let (x, by) = (self.operand(ty), self.amount(ty));
                let call =
                    self.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &ty.text(), &[(ty, x), (ty, by)]);
                self.define(ty, &call);
            }
            4 | 5 => self.with_overflow(ty),
            6 => self.call_one("ctpop", ty),
            7 => self.count_zeros(ty),
            8 if width.is_multiple_of(16) => self.call_one("bswap", ty),
            9 => self.call_one("bitreverse", ty),
            10 => {
                let name = self.dice().pick(&["fshl", "fshr"]);
                let args = [(ty, self.operand(ty)), (ty, self.operand(ty)), (ty, self.operand(ty))];
                let call = self.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &ty.text(), &args);
                self.define(ty, &call);
            }
            11 => self.three_way(ty),
            _ => self.absolute(ty),
        }
    }
    fn call_one(&mut self, name: &str, ty: Ty) {
        let x = self.operand(ty);
        let call = self.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &ty.text(), &[(ty, x)]);
        self.define(ty, &call);
    }
    fn call_two(&mut self, name: &str, ty: Ty) {
        let args = [(ty, self.operand(ty)), (ty, self.operand(ty))];
        let call = self.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &ty.text(), &args);
        self.define(ty, &call);
    }
    fn with_overflow(&mut self, ty: Ty) {
        let op = self.dice().pick(&["uadd", "sadd", "usub", "ssub", "umul", "smul"]);
        let bools = ty.with(Elem::Int(1));
        let pair = format!("{{ {}, {} }}", ty.text(), bools.text());
        let args = [(ty, self.operand(ty)), (ty, self.operand(ty))];
        let call = self.intrinsic(&format!("llvm.{op}.with.overflow.{}", ty.suffix()), &pair, &args);
        let both = self.raw(&call);
        self.define(ty, &format!("extractvalue {pair} {both}, 0"));
        self.define(bools, &format!("extractvalue {pair} {both}, 1"));
    }
    fn count_zeros(&mut self, ty: Ty) {
        let name = self.dice().pick(&["ctlz", "cttz"]);
        let mut x = self.operand(ty);
        let zero_is_poison = self.dice().chance(30);
        if zero_is_poison {
            let bit = self.dice().below(ty.elem.bits() as usize);
            let bit = splat(ty, 1 << bit);
            x = self.raw(&format!("or {} {x}, {bit}", ty.text()));
        }
        let args = [(ty, x), (Ty::BOOL, zero_is_poison.to_string())];
        let call = self.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &ty.text(), &args);
        self.define(ty, &call);
    }
    fn absolute(&mut self, ty: Ty) {
        let min_is_poison = ty.elem.bits() > 1 && self.dice().chance(30);
        let mut x = self.operand(ty);
        if min_is_poison {
            // Set the lowest bit: the result is not the smallest value.
            let one = splat(ty, 1);
            x = self.raw(&format!("or {} {x}, {one}", ty.text()));
        }
        let args = [(ty, x), (Ty::BOOL, min_is_poison.to_string())];
        let call = self.intrinsic(&format!("llvm.abs.{}", ty.suffix()), &ty.text(), &args);
        self.define(ty, &call);
    }
    fn three_way(&mut self, ty: Ty) {
        let name = self.dice().pick(&["ucmp", "scmp"]);
        let to = ty.with(Elem::Int(self.dice().pick(&[8, 32, 2, 64])));
        let args = [(ty, self.operand(ty)), (ty, self.operand(ty))];
        let call = self.intrinsic(&format!("llvm.{name}.{}.{}", to.suffix(), ty.suffix()), &to.text(), &args);
        self.define(to, &call);
    }
}
