//! Arithmetic, casts, comparisons and intrinsics.

use super::Small;
use crate::generate::ints::{PREDICATES, combined};
use std::cmp::Ordering;

const TWO: [&str; 8] = ["umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"];
const OVERFLOW: [&str; 6] = ["uadd", "sadd", "usub", "ssub", "umul", "smul"];

impl Small {
    /// Writes an operation on values of a random width.
    pub(super) fn arithmetic(&mut self) {
        // Operations on i1 are rare.
        let width = if self.dice.one_in(8) { 1 } else { self.width() };
        match self.dice.below(13) {
            0..=4 => self.binary(width),
            5 => self.cast(),
            6 | 7 => drop(self.compare()),
            8 => {
                let (c, a, b) = (self.value(1), self.value(width), self.value(width));
                self.define(width, &format!("select i1 {c}, i{width} {a}, i{width} {b}"));
            }
            9..=11 => self.intrinsic(),
            _ => {
                let v = self.value(width);
                self.define(width, &format!("freeze i{width} {v}"));
            }
        }
    }
    fn binary(&mut self, width: u32) {
        let (op, flags): (&str, &[&str]) = self.dice.pick(&[
            ("add", &["", "", " nuw", " nsw", " nuw nsw"] as &[&str]),
            ("add", &["", "", " nuw", " nsw", " nuw nsw"]),
            ("sub", &["", "", " nuw", " nsw", " nuw nsw"]),
            ("mul", &["", "", " nuw", " nsw", " nuw nsw"]),
            ("shl", &["", "", " nuw", " nsw", " nuw nsw"]),
            ("lshr", &["", "", " exact"]),
            ("ashr", &["", "", " exact"]),
            ("udiv", &["", "", " exact"]),
            ("sdiv", &["", "", " exact"]),
            ("urem", &[""]),
            ("srem", &[""]),
            ("and", &[""]),
            ("or", &["", "", " disjoint"]),
            ("xor", &[""]),
        ]);
        let flags = self.dice.pick(flags);
        let (a, mut b) = (self.value(width), self.value(width));
        let number = |value: usize| if width == 1 { (value == 1).to_string() } else { value.to_string() };
        match op {
            "shl" | "lshr" | "ashr" if self.dice.chance(70) => b = number(self.dice.below(width as usize)),
            "udiv" | "sdiv" | "urem" | "srem" if self.dice.chance(85) => {
                b = number(self.dice.range(1, 6.min((1 << width) - 1)));
            }
            _ => {}
        }
        self.define(width, &format!("{op}{flags} i{width} {a}, {b}"));
    }
    fn cast(&mut self) {
        let [from, to] = [0; 2].map(|_| if self.dice.one_in(4) { 1 } else { self.width() });
        let v = self.value(from);
        match from.cmp(&to) {
            Ordering::Less => {
                let op = self.dice.pick(&["zext", "zext nneg", "sext"]);
                self.define(to, &format!("{op} i{from} {v} to i{to}"));
            }
            Ordering::Greater => {
                let flags = self.dice.pick(&["", "", " nuw", " nsw"]);
                self.define(to, &format!("trunc{flags} i{from} {v} to i{to}"));
            }
            Ordering::Equal => {
                self.define(to, &format!("freeze i{to} {v}"));
            }
        }
    }
    /// A comparison, or a combination of one with another condition.
    pub(super) fn compare(&mut self) -> String {
        let (width, pred) = (self.width(), self.dice.pick(&PREDICATES));
        let (a, b) = (self.value(width), self.value(width));
        let first = self.define(1, &format!("icmp {pred} i{width} {a}, {b}"));
        if !self.dice.chance(30) {
            return first;
        }
        let other = self.value(1);
        let code = combined(&mut self.dice, &first, &other);
        self.define(1, &code)
    }
    fn intrinsic(&mut self) {
        let width = self.width();
        let ty = &*format!("i{width}");
        let [a, b, c] = [0; 3].map(|_| (ty, self.value(width)));
        let flag = ("i1", self.dice.pick(&["true", "false"]).to_owned());
        let (name, args) = match self.dice.below(7) {
            0..=2 => (self.dice.pick(&TWO), vec![a, b]),
            3 => (self.dice.pick(&["abs", "ctlz", "cttz"]), vec![a, flag]),
            4 => (self.dice.pick(&["ctpop", "bitreverse"]), vec![a]),
            5 => (self.dice.pick(&["fshl", "fshr"]), vec![a, b, c]),
            _ => {
                let (name, pair) = (self.dice.pick(&OVERFLOW), format!("{{{ty}, i1}}"));
                let call = self.text.intrinsic(&format!("llvm.{name}.with.overflow.{ty}"), &pair, &[a, b]);
                let both = self.text.result(&call);
                self.define(width, &format!("extractvalue {pair} {both}, 0"));
                self.define(1, &format!("extractvalue {pair} {both}, 1"));
                return;
            }
        };
        let call = self.text.intrinsic(&format!("llvm.{name}.{ty}"), ty, &args);
        self.define(width, &call);
    }
}
