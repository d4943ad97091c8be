//! Floating point, on vectors too. Signs and payloads of NaNs are unspecified, so they never reach the checksum:
//! operations on bits get operands without NaNs.

use super::func::Func;
use super::types::{Elem, Ty, float_splat};

impl Func<'_> {
    /// Writes floating-point operations on values of type `ty`.
    pub(super) fn float_statement(&mut self, ty: Ty) {
        let text = ty.text();
        match self.dice().below(16) {
            0..=5 => {
                let op = self.dice().pick(&["fadd", "fsub", "fmul", "fdiv", "fadd", "fmul", "frem"]);
                let (a, b) = (self.operand(ty), self.operand(ty));
                self.define(ty, &format!("{op} {text} {a}, {b}"));
            }
            6 => {
                let x = self.operand(ty);
                self.define(ty, &format!("fneg {text} {x}"));
            }
            7 | 8 => self.float_compare(ty),
            9 => self.select(ty),
            10 => self.float_to_int(ty),
            11 => self.int_to_float(ty),
            12 if ty.elem == Elem::Float => {
                let x = self.operand(ty);
                let to = ty.with(Elem::Double);
                self.define(to, &format!("fpext {text} {x} to {}", to.text()));
            }
            12 => {
                let x = self.operand(ty);
                let to = ty.with(Elem::Float);
                self.define(to, &format!("fptrunc {text} {x} to {}", to.text()));
            }
            _ if self.features().intrinsics => self.float_intrinsic(ty),
            _ => self.float_compare(ty),
        }
    }
    /// An operand that is occasionally a zero of either sign, an infinity or a NaN.
    fn special(&mut self, ty: Ty) -> String {
        if self.dice().chance(60) {
            return self.operand(ty);
        }
        let value = self.dice().pick(&[0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::NAN]);
        float_splat(ty, value)
    }
    fn float_compare(&mut self, ty: Ty) {
        const PREDICATES: [&str; 16] = [
            "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
            "une", "uno", "true",
        ];
        let pred = self.dice().pick(&PREDICATES);
        let (a, b) = (self.special(ty), self.special(ty));
        self.define(ty.with(Elem::Int(1)), &format!("fcmp {pred} {} {a}, {b}", ty.text()));
    }
    fn float_to_int(&mut self, ty: Ty) {
        let text = ty.text();
        let to = ty.with(Elem::Int(self.dice().pick(&[8, 16, 32, 64])));
        let op = self.dice().pick(&["fptosi", "fptoui"]);
        if self.features().intrinsics && self.dice().chance(50) {
            let x = self.operand(ty);
            let name = format!("llvm.{op}.sat.{}.{}", to.suffix(), ty.suffix());
            let call = self.intrinsic(&name, &to.text(), &[(ty, x)]);
            self.define(to, &call);
            return;
        }
        // From -0.9 to 100 for both: in range of every type here; the ordered comparisons exclude NaNs.
        let x = self.operand(ty);
        let bools = ty.with(Elem::Int(1)).text();
        let (low, high, other) = (float_splat(ty, -0.9), float_splat(ty, 100.0), float_splat(ty, 42.75));
        let above = self.raw(&format!("fcmp ogt {text} {x}, {low}"));
        let below = self.raw(&format!("fcmp olt {text} {x}, {high}"));
        let fits = self.raw(&format!("and {bools} {above}, {below}"));
        let x = self.raw(&format!("select {bools} {fits}, {text} {x}, {text} {other}"));
        self.define(to, &format!("{op} {text} {x} to {}", to.text()));
    }
    fn int_to_float(&mut self, ty: Ty) {
        let width = if ty.lanes > 0 { self.dice().pick(&[8, 16, 32, 64]) } else { self.width() };
        let from = ty.with(Elem::Int(width));
        if ty.elem == Elem::Float && width > 53 && !self.features().wide {
            // LLVM's interpreter rounds such integers twice when converting to `float`.
            return self.float_compare(ty);
        }
        if width > 1 && self.dice().chance(20) {
            let x = self.small(from, 1);
            self.define(ty, &format!("uitofp nneg {} {x} to {}", from.text(), ty.text()));
            return;
        }
        let x = self.operand(from);
        let op = self.dice().pick(&["sitofp", "uitofp"]);
        self.define(ty, &format!("{op} {} {x} to {}", from.text(), ty.text()));
    }
    fn float_intrinsic(&mut self, ty: Ty) {
        let text = ty.text();
        match self.dice().below(6) {
            0 | 1 => {
                const ROUNDINGS: [&str; 8] =
                    ["fabs", "sqrt", "floor", "ceil", "trunc", "rint", "round", "roundeven"];
                let name = self.dice().pick(&ROUNDINGS);
                let x = self.operand(ty);
                let call = self.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &text, &[(ty, x)]);
                self.define(ty, &call);
            }
            2 => {
                let args = [(ty, self.operand(ty)), (ty, self.operand(ty)), (ty, self.operand(ty))];
                let call = self.intrinsic(&format!("llvm.fma.{}", ty.suffix()), &text, &args);
                self.define(ty, &call);
            }
            3 => {
                // The sign of a NaN is unspecified, so the operand that gives the sign is not a NaN.
                let (x, sign) = (self.operand(ty), self.operand(ty));
                let sign = self.clean(ty, &sign);
                let call =
                    self.intrinsic(&format!("llvm.copysign.{}", ty.suffix()), &text, &[(ty, x), (ty, sign)]);
                self.define(ty, &call);
            }
            4 => {
                let name = self.dice().pick(&["minimum", "maximum"]);
                let args = [(ty, self.special(ty)), (ty, self.special(ty))];
                let call = self.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &text, &args);
                self.define(ty, &call);
            }
            _ => {
                // The sign of a zero result is unspecified: adding 0 makes it positive.
                let name = self.dice().pick(&["minnum", "maxnum"]);
                let args = [(ty, self.special(ty)), (ty, self.special(ty))];
                let call = self.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &text, &args);
                let result = self.raw(&call);
                let zero = float_splat(ty, 0.0);
                self.define(ty, &format!("fadd {text} {result}, {zero}"));
            }
        }
    }
}
