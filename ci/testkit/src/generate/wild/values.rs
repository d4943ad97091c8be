//! Arithmetic, casts, comparisons and intrinsics with arbitrary operands.

use super::Wild;
use crate::generate::ints::PREDICATES;
use crate::generate::types::{Elem, Ty};

impl Wild {
    /// Writes an operation on a value of a random type.
    pub(super) fn value_statement(&mut self) {
        let ty = self.any_type();
        match (ty.is_int(), ty.lanes > 0 && self.dice.chance(40)) {
            (_, true) => self.lanes_statement(ty),
            (true, false) => self.int_statement(ty),
            (false, false) => self.float_statement(ty),
        }
    }
    fn flags(&mut self, flags: &[&'static str]) -> &'static str {
        if self.dice.chance(50) { self.dice.pick(flags) } else { "" }
    }
    fn int_statement(&mut self, ty: Ty) {
        let text = ty.text();
        match self.dice.below(24) {
            0..=5 => {
                let op = self.dice.pick(&["add", "sub", "mul", "shl"]);
                let flags = self.flags(&["nuw ", "nsw ", "nuw nsw "]);
                self.two(ty, &format!("{op} {flags}"));
            }
            6 | 7 => {
                let op = self.dice.pick(&["and", "or", "or disjoint", "xor"]);
                self.two(ty, &format!("{op} "));
            }
            8 => {
                let op = self.dice.pick(&["lshr", "ashr"]);
                let flags = self.flags(&["exact "]);
                self.two(ty, &format!("{op} {flags}"));
            }
            9 => self.division(ty),
            10..=12 => {
                let pred = self.dice.pick(&PREDICATES);
                let samesign = if self.dice.chance(20) { "samesign " } else { "" };
                let (a, b) = (self.operand(ty), self.operand(ty));
                self.define(ty.with(Elem::Int(1)), &format!("icmp {samesign}{pred} {text} {a}, {b}"));
            }
            13 | 14 => self.select(ty),
            15 | 16 => self.int_cast(ty),
            17 => {
                let x = self.operand(ty);
                self.define(ty, &format!("freeze {text} {x}"));
            }
            _ => self.int_intrinsic(ty),
        }
    }
    fn two(&mut self, ty: Ty, op: &str) {
        let (a, b) = (self.operand(ty), self.operand(ty));
        self.define(ty, &format!("{op}{} {a}, {b}", ty.text()));
    }
    fn division(&mut self, ty: Ty) {
        let op = self.dice.pick(&["udiv", "sdiv", "urem", "srem", "udiv exact", "sdiv exact"]);
        let (a, mut b) = (self.operand(ty), self.operand(ty));
        if self.dice.chance(60) {
            let one = crate::generate::types::splat(ty, 1);
            b = self.text.result(&format!("or {} {b}, {one}", ty.text()));
        }
        self.define(ty, &format!("{op} {} {a}, {b}", ty.text()));
    }
    pub(super) fn select(&mut self, ty: Ty) {
        let by_lanes = ty.lanes > 0 && self.dice.chance(50);
        let cond_ty = if by_lanes { ty.with(Elem::Int(1)) } else { Ty::BOOL };
        let (cond, a, b) = (self.operand(cond_ty), self.operand(ty), self.operand(ty));
        let (c, t) = (cond_ty.text(), ty.text());
        self.define(ty, &format!("select {c} {cond}, {t} {a}, {t} {b}"));
    }
    fn int_cast(&mut self, ty: Ty) {
        let other = Ty { lanes: ty.lanes, ..self.int_type() };
        let (from, to) = (ty.elem.bits(), other.elem.bits());
        let x = self.operand(ty);
        let op = match from.cmp(&to) {
            std::cmp::Ordering::Equal => return,
            std::cmp::Ordering::Greater => {
                format!("trunc {}", self.flags(&["nuw ", "nsw ", "nuw nsw "]))
            }
            std::cmp::Ordering::Less => {
                let zext = self.dice.chance(60);
                if zext { format!("zext {}", self.flags(&["nneg "])) } else { "sext ".to_owned() }
            }
        };
        self.define(other, &format!("{op}{} {x} to {}", ty.text(), other.text()));
    }
    fn int_intrinsic(&mut self, ty: Ty) {
        let (text, suffix, width) = (ty.text(), ty.suffix(), ty.elem.bits());
        let call = match self.dice.below(9) {
            0 | 1 => {
                const NAMES: [&str; 10] = [
                    "umin", "umax", "smin", "smax", "uadd.sat", "sadd.sat", "usub.sat", "ssub.sat",
                    "ushl.sat", "sshl.sat",
                ];
                let name = self.dice.pick(&NAMES);
                let args = [(&*text, self.operand(ty)), (&*text, self.operand(ty))];
                self.text.intrinsic(&format!("llvm.{name}.{suffix}"), &text, &args)
            }
            2 => return self.with_overflow(ty),
            3 => {
                let x = self.operand(ty);
                let swap = width.is_multiple_of(16) && self.dice.chance(50);
                let name = if swap { "bswap" } else { self.dice.pick(&["ctpop", "bitreverse"]) };
                self.text.intrinsic(&format!("llvm.{name}.{suffix}"), &text, &[(&*text, x)])
            }
            4 | 5 => {
                let name = self.dice.pick(&["ctlz", "cttz", "abs"]);
                let flag = self.dice.chance(50).to_string();
                let args = [(&*text, self.operand(ty)), ("i1", flag)];
                self.text.intrinsic(&format!("llvm.{name}.{suffix}"), &text, &args)
            }
            6 => {
                let name = self.dice.pick(&["fshl", "fshr"]);
                let args = [0; 3].map(|_| (&*text, self.operand(ty)));
                self.text.intrinsic(&format!("llvm.{name}.{suffix}"), &text, &args)
            }
            7 if width >= 2 => {
                let name = self.dice.pick(&["ucmp", "scmp"]);
                let to = ty.with(Elem::Int(self.dice.pick(&[2, 8, 32])));
                let args = [(&*text, self.operand(ty)), (&*text, self.operand(ty))];
                let name = format!("llvm.{name}.{}.{suffix}", to.suffix());
                let call = self.text.intrinsic(&name, &to.text(), &args);
                return self.define(to, &call);
            }
            _ => {
                let x = self.operand(ty);
                format!("freeze {text} {x}")
            }
        };
        self.define(ty, &call);
    }
    fn with_overflow(&mut self, ty: Ty) {
        let op = self.dice.pick(&["uadd", "sadd", "usub", "ssub", "umul", "smul"]);
        let (text, bools) = (ty.text(), ty.with(Elem::Int(1)));
        let pair = format!("{{ {text}, {} }}", bools.text());
        let args = [(&*text, self.operand(ty)), (&*text, self.operand(ty))];
        let call = self.text.intrinsic(&format!("llvm.{op}.with.overflow.{}", ty.suffix()), &pair, &args);
        let mut both = self.text.result(&call);
        if self.dice.chance(30) {
            let x = self.operand(ty);
            both = self.text.result(&format!("insertvalue {pair} {both}, {text} {x}, 0"));
        }
        self.define(ty, &format!("extractvalue {pair} {both}, 0"));
        self.define(bools, &format!("extractvalue {pair} {both}, 1"));
    }

    fn lanes_statement(&mut self, ty: Ty) {
        let (text, elem) = (ty.text(), Ty::scalar(ty.elem));
        match self.dice.below(5) {
            0 => {
                let (x, at) = (self.operand(ty), self.lane(ty.lanes));
                self.define(elem, &format!("extractelement {text} {x}, {at}"));
            }
            1 => {
                let (x, value, at) = (self.operand(ty), self.operand(elem), self.lane(ty.lanes));
                self.define(ty, &format!("insertelement {text} {x}, {} {value}, {at}", elem.text()));
            }
            2 => {
                let to = self.dice.pick(&[2, 3, 4]);
                let lanes: Vec<String> = (0..to)
                    .map(|_| match self.dice.below(6) {
                        0 => "i32 poison".to_owned(),
                        _ => format!("i32 {}", self.dice.below(2 * ty.lanes as usize)),
                    })
                    .collect();
                let (a, b) = (self.operand(ty), self.operand(ty));
                let mask = lanes.join(", ");
                let result = Ty { elem: ty.elem, lanes: to };
                self.define(result, &format!("shufflevector {text} {a}, {text} {b}, <{to} x i32> <{mask}>"));
            }
            3 if ty.is_int() => {
                let bits = ty.elem.bits() * ty.lanes;
                let x = self.operand(ty);
                self.define(Ty::int(bits), &format!("bitcast {text} {x} to i{bits}"));
            }
            _ => self.select(ty),
        }
    }
    /// A lane index; sometimes out of range, or variable.
    fn lane(&mut self, lanes: u32) -> String {
        match self.dice.below(10) {
            0 => format!("i32 {}", lanes as usize + self.dice.below(3)),
            1..=3 => {
                let width = self.dice.pick(&[8, 32, 64]);
                format!("i{width} {}", self.operand(Ty::int(width)))
            }
            _ => format!("i32 {}", self.dice.below(lanes as usize)),
        }
    }

    fn float_statement(&mut self, ty: Ty) {
        const FLAGS: [&str; 3] = ["nnan ", "ninf ", "nnan ninf "];
        const PREDICATES: [&str; 14] = [
            "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
        ];
        let text = ty.text();
        let flags = if self.dice.chance(25) { self.dice.pick(&FLAGS) } else { "" };
        match self.dice.below(12) {
            0..=2 => {
                let op = self.dice.pick(&["fadd", "fsub", "fmul", "fdiv", "frem"]);
                self.two(ty, &format!("{op} {flags}"));
            }
            3 => {
                let x = self.operand(ty);
                self.define(ty, &format!("fneg {flags}{text} {x}"));
            }
            4 | 5 => {
                let pred = self.dice.pick(&PREDICATES);
                let (a, b) = (self.operand(ty), self.operand(ty));
                self.define(ty.with(Elem::Int(1)), &format!("fcmp {flags}{pred} {text} {a}, {b}"));
            }
            6 => self.float_cast(ty, flags),
            7 => {
                let from = ty.with(self.int_type().elem);
                let x = self.operand(from);
                let op = self.dice.pick(&["sitofp", "uitofp", "uitofp nneg"]);
                self.define(ty, &format!("{op} {} {x} to {text}", from.text()));
            }
            8 => {
                let bits = ty.with(Elem::Int(ty.elem.bits()));
                let x = self.operand(bits);
                self.define(ty, &format!("bitcast {} {x} to {text}", bits.text()));
            }
            9 => {
                let name = self.dice.pick(&["fabs", "sqrt", "floor", "trunc", "round"]);
                let x = self.operand(ty);
                let call =
                    self.text.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &text, &[(&*text, x)]);
                self.define(ty, &with_flags(&call, flags));
            }
            10 => {
                let name = self.dice.pick(&["copysign", "minimum", "maximum"]);
                let args = [0; 2].map(|_| (&*text, self.operand(ty)));
                let call = self.text.intrinsic(&format!("llvm.{name}.{}", ty.suffix()), &text, &args);
                self.define(ty, &with_flags(&call, flags));
            }
            _ => {
                let (cond, a, b) = (self.operand(Ty::BOOL), self.operand(ty), self.operand(ty));
                self.define(ty, &format!("select {flags}i1 {cond}, {text} {a}, {text} {b}"));
            }
        }
    }
    fn float_cast(&mut self, ty: Ty, flags: &str) {
        let text = ty.text();
        let x = self.operand(ty);
        match self.dice.below(4) {
            0 => {
                let to = ty.with(Elem::Int(self.dice.pick(&[8, 16, 32])));
                let op = self.dice.pick(&["fptosi", "fptoui"]);
                self.define(to, &format!("{op} {text} {x} to {}", to.text()));
            }
            1 => {
                let to = ty.with(Elem::Int(self.dice.pick(&[8, 32])));
                let op = self.dice.pick(&["fptosi", "fptoui"]);
                let name = format!("llvm.{op}.sat.{}.{}", to.suffix(), ty.suffix());
                let call = self.text.intrinsic(&name, &to.text(), &[(&*text, x)]);
                self.define(to, &call);
            }
            2 => {
                let bits = ty.with(Elem::Int(ty.elem.bits()));
                self.define(bits, &format!("bitcast {text} {x} to {}", bits.text()));
            }
            _ => {
                let wide = ty.elem == Elem::Double;
                let to = ty.with(if wide { Elem::Float } else { Elem::Double });
                let op = if wide { "fptrunc" } else { "fpext" };
                self.define(to, &format!("{op} {flags}{text} {x} to {}", to.text()));
            }
        }
    }
}

/// A call with fast-math flags.
fn with_flags(call: &str, flags: &str) -> String {
    call.replacen("call ", &format!("call {flags}"), 1)
}
