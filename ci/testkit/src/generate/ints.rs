//! Integer arithmetic, on vectors too; flags, shifts and divisions are guarded so that there is no poison and no UB.

use super::func::Func;
use super::types::{Elem, Ty, splat};
use crate::Dice;

/// Predicates of `icmp`.
pub(super) const PREDICATES: [&str; 10] =
    ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];

/// The code of a condition made from the conditions `a` and `b`.
pub(super) fn combined(dice: &mut Dice, a: &str, b: &str) -> String {
    match dice.below(5) {
        0 => format!("and i1 {a}, {b}"),
        1 => format!("or i1 {a}, {b}"),
        2 => format!("select i1 {a}, i1 {b}, i1 false"),
        3 => format!("select i1 {a}, i1 true, i1 {b}"),
        _ => format!("xor i1 {a}, true"),
    }
}

impl Func<'_> {
    /// Writes a few instructions of integer arithmetic on values of type `ty`.
    pub(super) fn int_statement(&mut self, ty: Ty) {
        let width = ty.elem.bits();
        match self.dice().below(26) {
            0..=5 => self.plain(ty),
            6 | 7 if width >= 4 => self.flagged(ty),
            8 => self.shift(ty),
            9 if width >= 4 => self.exact_shift(ty),
            10 => self.unsigned_division(ty),
            11 if width >= 3 => self.signed_division(ty),
            12 if width >= 4 => self.exact_division(ty),
            13 => self.disjoint(ty),
            14 | 15 => self.compare(ty),
            16 => self.select(ty),
            17 | 18 => self.resize(ty),
            19..=24 if self.features().intrinsics => self.bit_statement(ty),
            25 if self.features().intrinsics => {
                let x = self.operand(ty);
                self.define(ty, &format!("freeze {} {x}", ty.text()));
            }
            _ => self.plain(ty),
        }
    }
    fn plain(&mut self, ty: Ty) {
        let op = self.dice().pick(&["add", "add", "sub", "mul", "and", "or", "xor"]);
        let (a, b) = (self.operand(ty), self.operand(ty));
        self.define(ty, &format!("{op} {} {a}, {b}", ty.text()));
    }
    /// An operand shifted right by `by`, so that its upper bits are zero.
    pub(super) fn small(&mut self, ty: Ty, by: u32) -> String {
        let x = self.operand(ty);
        self.raw(&format!("lshr {} {x}, {}", ty.text(), splat(ty, by.into())))
    }
    fn flagged(&mut self, ty: Ty) {
        let (text, width) = (ty.text(), ty.elem.bits());
        let flags = self.dice().pick(&["nuw", "nsw", "nuw nsw"]);
        match self.dice().below(4) {
            0 => {
                let (a, b) = (self.small(ty, 2), self.small(ty, 2));
                self.define(ty, &format!("add {flags} {text} {a}, {b}"));
            }
            1 => {
                let (a, b) = (self.small(ty, 1), self.small(ty, 1));
                self.define(ty, &format!("sub nsw {text} {a}, {b}"));
            }
            2 => {
                let (a, b) = (self.small(ty, width / 2 + 1), self.small(ty, width / 2 + 1));
                self.define(ty, &format!("mul {flags} {text} {a}, {b}"));
            }
            _ => {
                // Subtracts only bits that are set: no borrow.
                let (a, b) = (self.operand(ty), self.operand(ty));
                let part = self.raw(&format!("and {text} {a}, {b}"));
                self.define(ty, &format!("sub nuw {text} {a}, {part}"));
            }
        }
    }
    /// A shift amount below the width, computed from any operand.
    pub(super) fn amount(&mut self, ty: Ty) -> String {
        let width = u128::from(ty.elem.bits());
        if width == 1 {
            return splat(ty, 0);
        }
        if self.dice().chance(40) {
            let amount = self.dice().below(width as usize) as u128;
            return splat(ty, amount);
        }
        let x = self.operand(ty);
        let (op, by) =
            if width.is_power_of_two() { ("and", splat(ty, width - 1)) } else { ("urem", splat(ty, width)) };
        self.raw(&format!("{op} {} {x}, {by}", ty.text()))
    }
    fn shift(&mut self, ty: Ty) {
        let op = self.dice().pick(&["shl", "lshr", "ashr"]);
        let (x, by) = (self.operand(ty), self.amount(ty));
        self.define(ty, &format!("{op} {} {x}, {by}", ty.text()));
    }
    fn exact_shift(&mut self, ty: Ty) {
        let (text, width) = (ty.text(), ty.elem.bits());
        let by = self.dice().range(1, width as usize - 2) as u32;
        let amount = splat(ty, by.into());
        if self.dice().chance(50) {
            let x = self.operand(ty);
            let op = self.dice().pick(&["lshr", "ashr"]);
            let mask = splat(ty, u128::MAX << by);
            let x = self.raw(&format!("and {text} {x}, {mask}"));
            self.define(ty, &format!("{op} exact {text} {x}, {amount}"));
        } else {
            let x = self.small(ty, by + 1);
            let flags = self.dice().pick(&["nuw", "nsw", "nuw nsw"]);
            self.define(ty, &format!("shl {flags} {text} {x}, {amount}"));
        }
    }
    fn unsigned_division(&mut self, ty: Ty) {
        let text = ty.text();
        let op = self.dice().pick(&["udiv", "urem"]);
        let (a, b) = (self.operand(ty), self.operand(ty));
        let one = splat(ty, 1);
        let b = self.raw(&format!("or {text} {b}, {one}"));
        self.define(ty, &format!("{op} {text} {a}, {b}"));
    }
    fn signed_division(&mut self, ty: Ty) {
        let (text, bools) = (ty.text(), ty.with(Elem::Int(1)).text());
        let op = self.dice().pick(&["sdiv", "srem"]);
        let (a, b) = (self.operand(ty), self.operand(ty));
        // Neither 0 nor -1, that is, b + 1 is neither 1 nor 0.
        let one = splat(ty, 1);
        let next = self.raw(&format!("add {text} {b}, {one}"));
        let bad = self.raw(&format!("icmp ule {text} {next}, {one}"));
        let other = splat(ty, 3);
        let b = self.raw(&format!("select {bools} {bad}, {text} {other}, {text} {b}"));
        self.define(ty, &format!("{op} {text} {a}, {b}"));
    }
    fn exact_division(&mut self, ty: Ty) {
        let (text, half) = (ty.text(), ty.elem.bits() / 2 + 1);
        let (a, b) = (self.small(ty, half), self.small(ty, half));
        let one = splat(ty, 1);
        let b = self.raw(&format!("or {text} {b}, {one}"));
        let product = self.raw(&format!("mul {text} {a}, {b}"));
        let op = self.dice().pick(&["udiv", "sdiv"]);
        self.define(ty, &format!("{op} exact {text} {product}, {b}"));
    }
    fn disjoint(&mut self, ty: Ty) {
        let text = ty.text();
        let (a, b, m) = (self.operand(ty), self.operand(ty), self.operand(ty));
        let ones = splat(ty, u128::MAX);
        let a = self.raw(&format!("and {text} {a}, {m}"));
        let not = self.raw(&format!("xor {text} {m}, {ones}"));
        let b = self.raw(&format!("and {text} {b}, {not}"));
        self.define(ty, &format!("or disjoint {text} {a}, {b}"));
    }
    fn compare(&mut self, ty: Ty) {
        let pred = self.dice().pick(&PREDICATES);
        let bools = ty.with(Elem::Int(1));
        if ty.elem.bits() > 1 && self.dice().chance(15) {
            let (a, b) = (self.small(ty, 1), self.small(ty, 1));
            self.define(bools, &format!("icmp samesign {pred} {} {a}, {b}", ty.text()));
            return;
        }
        let (a, b) = (self.operand(ty), self.operand(ty));
        self.define(bools, &format!("icmp {pred} {} {a}, {b}", ty.text()));
    }
    /// A `select` of any type, by a scalar or by lanes.
    pub(super) fn select(&mut self, ty: Ty) {
        let by_lanes = ty.lanes > 0 && self.dice().chance(60);
        let cond_ty = if by_lanes { ty.with(Elem::Int(1)) } else { Ty::BOOL };
        let cond = self.operand(cond_ty);
        let (a, b) = (self.operand(ty), self.operand(ty));
        let text = ty.text();
        self.define(ty, &format!("select {} {cond}, {text} {a}, {text} {b}", cond_ty.text()));
    }
    fn resize(&mut self, ty: Ty) {
        let width = ty.elem.bits();
        let other = self.width();
        if other == width || ty.lanes > 0 && other > 64 {
            return self.plain(ty);
        }
        let to = ty.with(Elem::Int(other));
        let (from_text, to_text) = (ty.text(), to.text());
        if other > width {
            if width > 1 && self.dice().chance(20) {
                let x = self.small(ty, 1);
                self.define(to, &format!("zext nneg {from_text} {x} to {to_text}"));
            } else {
                let x = self.operand(ty);
                let op = self.dice().pick(&["zext", "sext"]);
                self.define(to, &format!("{op} {from_text} {x} to {to_text}"));
            }
        } else if self.dice().chance(25) && width - other < width - 1 {
            let x = self.small(ty, width - other + 1);
            let flags = self.dice().pick(&["nuw", "nsw", "nuw nsw"]);
            self.define(to, &format!("trunc {flags} {from_text} {x} to {to_text}"));
        } else {
            let x = self.operand(ty);
            self.define(to, &format!("trunc {from_text} {x} to {to_text}"));
        }
    }
}
