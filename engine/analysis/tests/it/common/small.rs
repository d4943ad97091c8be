//! Random whole functions on integers of two to four bits, small enough for execution on all inputs: arithmetic with
//! all flags, shifts, divisions, casts, selects, intrinsics, freeze, undef and poison as operands; branches, switches,
//! assumptions, dead ends, loops with several exits and several backedges, nested loops.

#![allow(dead_code, reason = "each test program uses a part")]

use super::program::Text;
use backedge_testkit::Dice;
use std::fmt::Write;

/// A function `@f` as a module, and the widths of its arguments: at most eight bits in total.
#[derive(Debug)]
pub(crate) struct Small {
    pub(crate) text: String,
    pub(crate) widths: Vec<u32>,
}

pub(crate) fn small(seed: u64, statements: usize) -> Small {
    let mut dice = Dice::new(seed);
    let widths = match dice.below(5) {
        0 => vec![4, 4],
        1 => vec![3, 3, 2],
        2 => vec![4, 2, 2],
        3 => vec![2, 2, 2, 2],
        _ => vec![4, 3],
    };
    let values = widths.iter().enumerate().map(|(i, w)| (format!("%a{i}"), *w)).collect();
    let mut args = Vec::new();
    for (i, width) in widths.iter().enumerate() {
        let range = dice.pick(&["", "", "", " range(iW -1, 2)", " range(iW 1, 0)"]);
        let noundef = dice.pick(&["", "", " noundef"]);
        args.push(format!("i{width}{}{noundef} %a{i}", range.replace('W', &width.to_string())));
    }
    let mustprogress = dice.pick(&["", " mustprogress"]);
    let mut g = Gen { dice, text: Text::new(), values, left: statements };
    g.statements(3);
    let result = g.value(4);
    g.text.line(&format!("ret i4 {result}"));
    let mut text = format!("define i4 @f({}){mustprogress} {{\nentry:\n{}}}\n", args.join(", "), g.text.out);
    text.push_str(
        "declare void @llvm.assume(i1)\n!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}\n",
    );
    for width in WIDTHS {
        for name in TWO {
            writeln!(text, "declare i{width} @llvm.{name}.i{width}(i{width}, i{width})").expect("text");
        }
        for name in WITH_FLAG {
            writeln!(text, "declare i{width} @llvm.{name}.i{width}(i{width}, i1)").expect("text");
        }
        for name in OVERFLOW {
            writeln!(
                text,
                "declare {{i{width}, i1}} @llvm.{name}.with.overflow.i{width}(i{width}, i{width})"
            )
            .expect("text");
        }
        writeln!(text, "declare i{width} @llvm.ctpop.i{width}(i{width})").expect("text");
        writeln!(text, "declare i{width} @llvm.fshl.i{width}(i{width}, i{width}, i{width})").expect("text");
    }
    Small { text, widths }
}

const WIDTHS: [u32; 3] = [2, 3, 4];
const TWO: [&str; 8] = ["umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"];
const WITH_FLAG: [&str; 3] = ["abs", "ctlz", "cttz"];
const OVERFLOW: [&str; 6] = ["uadd", "sadd", "usub", "ssub", "umul", "smul"];

/// The new values of a part of the function, and the last block of the part.
type Part = (Vec<(String, u32)>, String);

struct Gen {
    dice: Dice,
    text: Text,
    values: Vec<(String, u32)>,
    left: usize,
}

impl Gen {
    fn width(&mut self) -> u32 {
        self.dice.pick(&[2, 3, 4, 4])
    }
    /// A value of this width in scope, or a constant.
    fn value(&mut self, width: u32) -> String {
        let fitting: Vec<&str> = self.values.iter().filter(|v| v.1 == width).map(|v| v.0.as_str()).collect();
        if fitting.is_empty() || self.dice.chance(20) {
            return match self.dice.below(40) {
                0 => "undef".into(),
                1 => "poison".into(),
                n if width == 1 => if n % 2 == 0 { "true" } else { "false" }.into(),
                n => (n % (1 << width)).to_string(),
            };
        }
        let from = if self.dice.chance(60) { fitting.len().saturating_sub(4) } else { 0 };
        let i = from + self.dice.below(fitting.len() - from);
        fitting[i].to_owned()
    }
    fn define(&mut self, width: u32, text: &str) -> String {
        let name = self.text.fresh();
        self.text.line(&format!("{name} = {text}"));
        self.values.push((name.clone(), width));
        name
    }
    fn statements(&mut self, depth: usize) {
        for _ in 0..2 + self.dice.below(5) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            match self.dice.below(20) {
                0..=1 if depth > 0 => self.branch(depth - 1),
                2..=5 if depth > 0 => self.cycle(depth - 1),
                6 if depth > 0 => self.switch(depth - 1),
                7 => self.dead_end(),
                8 => {
                    let c = self.compare();
                    self.text.line(&format!("call void @llvm.assume(i1 {c})"));
                }
                9 => drop(self.compare()),
                10..=11 => self.cast(),
                12 => {
                    let width = self.dice.pick(&[1, 2, 3, 4]);
                    let v = self.value(width);
                    self.define(width, &format!("freeze i{width} {v}"));
                }
                13 => {
                    let width = self.width();
                    let (c, a, b) = (self.value(1), self.value(width), self.value(width));
                    self.define(width, &format!("select i1 {c}, i{width} {a}, i{width} {b}"));
                }
                14..=15 => self.intrinsic(),
                _ => self.binary(),
            }
        }
    }
    fn binary(&mut self) {
        let (op, flags): (&str, &[&str]) = self.dice.pick(&[
            ("add", &["", "", " nuw", " nsw", " nuw nsw"] as &[&str]),
            ("sub", &["", "", " nuw", " nsw"]),
            ("mul", &["", " nuw", " nsw"]),
            ("shl", &["", " nuw", " nsw"]),
            ("lshr", &["", " exact"]),
            ("ashr", &["", " exact"]),
            ("udiv", &["", " exact"]),
            ("sdiv", &["", " exact"]),
            ("urem", &[""]),
            ("srem", &[""]),
            ("and", &[""]),
            ("or", &["", " disjoint"]),
            ("xor", &[""]),
        ]);
        let flags = self.dice.pick(flags);
        let width = self.width();
        let (a, mut b) = (self.value(width), self.value(width));
        if op.contains("div") || op.contains("rem") || op.contains('h') && self.dice.chance(70) {
            b = (1 + self.dice.below(width as usize - 1)).to_string();
        }
        self.define(width, &format!("{op}{flags} i{width} {a}, {b}"));
    }
    fn cast(&mut self) {
        let (from, to) = (self.dice.pick(&[1, 2, 3, 4]), self.dice.pick(&[1, 2, 3, 4]));
        let v = self.value(from);
        if from < to {
            let op = self.dice.pick(&["zext", "zext nneg", "sext"]);
            self.define(to, &format!("{op} i{from} {v} to i{to}"));
        } else if from > to {
            let flags = self.dice.pick(&["", " nuw", " nsw"]);
            self.define(to, &format!("trunc{flags} i{from} {v} to i{to}"));
        }
    }
    fn intrinsic(&mut self) {
        let width = self.width();
        let (a, b, c) = (self.value(width), self.value(width), self.value(width));
        let w = format!("i{width}");
        match self.dice.below(7) {
            0..=2 => {
                let name = self.dice.pick(&TWO);
                self.define(width, &format!("call {w} @llvm.{name}.{w}({w} {a}, {w} {b})"));
            }
            3 => {
                let (name, flag) = (self.dice.pick(&WITH_FLAG), self.dice.pick(&["true", "false"]));
                self.define(width, &format!("call {w} @llvm.{name}.{w}({w} {a}, i1 {flag})"));
            }
            4 => drop(self.define(width, &format!("call {w} @llvm.ctpop.{w}({w} {a})"))),
            5 => drop(self.define(width, &format!("call {w} @llvm.fshl.{w}({w} {a}, {w} {b}, {w} {c})"))),
            _ => {
                let (name, pair) = (self.dice.pick(&OVERFLOW), self.text.fresh());
                self.text.line(&format!(
                    "{pair} = call {{{w}, i1}} @llvm.{name}.with.overflow.{w}({w} {a}, {w} {b})"
                ));
                self.define(width, &format!("extractvalue {{{w}, i1}} {pair}, 0"));
                self.define(1, &format!("extractvalue {{{w}, i1}} {pair}, 1"));
            }
        }
    }
    fn compare(&mut self) -> String {
        let width = self.width();
        let pred = self.dice.pick(&["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"]);
        let (a, b) = (self.value(width), self.value(width));
        let first = self.define(1, &format!("icmp {pred} i{width} {a}, {b}"));
        let other = self.value(1);
        let text = match self.dice.below(12) {
            0 => format!("and i1 {first}, {other}"),
            1 => format!("or i1 {first}, {other}"),
            2 => format!("select i1 {first}, i1 {other}, i1 false"),
            3 => format!("select i1 {first}, i1 true, i1 {other}"),
            4 => format!("xor i1 {first}, true"),
            _ => return first,
        };
        self.define(1, &text)
    }
    fn part(&mut self, depth: usize, end: &str) -> Part {
        let values = self.values.len();
        self.statements(depth);
        self.text.line(&format!("br label %{end}"));
        (self.values.split_off(values), self.text.block.clone())
    }
    fn merged(&mut self, ways: &[Part]) {
        for width in WIDTHS {
            let mut entries = Vec::new();
            for (values, block) in ways {
                let own = values.iter().rev().find(|v| v.1 == width).map(|v| v.0.clone());
                let value = own.unwrap_or_else(|| self.value(width));
                entries.push(format!("[ {value}, %{block} ]"));
            }
            self.define(width, &format!("phi i{width} {}", entries.join(", ")));
        }
    }
    fn branch(&mut self, depth: usize) {
        let condition = self.compare();
        let (yes, no, end) = (self.text.label("yes"), self.text.label("no"), self.text.label("end"));
        self.text.line(&format!("br i1 {condition}, label %{yes}, label %{no}"));
        self.text.start(&yes);
        let first = self.part(depth, &end);
        self.text.start(&no);
        let second = self.part(depth, &end);
        self.text.start(&end);
        self.merged(&[first, second]);
    }
    fn switch(&mut self, depth: usize) {
        let width = self.width();
        let value = self.value(width);
        let (one, two, end) = (self.text.label("one"), self.text.label("two"), self.text.label("end"));
        let first = self.dice.below(3);
        let to = self.dice.pick(&[&one, &two]);
        let (b, c) = ((first + 1) % (1 << width), first + 2);
        let third = if c < 1 << width { format!(" i{width} {c}, label %{to}") } else { String::new() };
        self.text.line(&format!(
            "switch i{width} {value}, label %{two} [ i{width} {first}, label %{one} i{width} {b}, label %{to}{third} ]"
        ));
        self.text.start(&one);
        let ways = [self.part(depth, &end), {
            self.text.start(&two);
            self.part(depth, &end)
        }];
        self.text.start(&end);
        self.merged(&ways);
    }
    fn dead_end(&mut self) {
        let condition = self.compare();
        let (bad, on) = (self.text.label("bad"), self.text.label("on"));
        self.text.line(&format!("br i1 {condition}, label %{bad}, label %{on}"));
        self.text.start(&bad);
        self.text.line("unreachable");
        self.text.start(&on);
    }
    /// A loop with a counter and a carried value, exited at its latch and optionally in the middle; optionally with a
    /// second backedge.
    fn cycle(&mut self, depth: usize) {
        let width = self.width();
        let (head, end, outside) = (self.text.label("head"), self.text.label("end"), self.text.block.clone());
        let (start, carried) = (self.dice.pick(&["0", "0", "1", "-1"]).to_owned(), self.width());
        let (start, acc) =
            (if self.dice.chance(50) { start } else { self.value(width) }, self.value(carried));
        let (i, sum) = (self.text.fresh(), self.text.fresh());
        self.text.line(&format!("br label %{head}"));
        self.text.start(&head);
        let at = self.text.out.len();
        self.values.extend([(i.clone(), width), (sum.clone(), carried)]);
        let outer = self.values.len();
        self.statements(depth);
        let (mut exits, mut backs) = (Vec::new(), Vec::new());
        if self.dice.chance(40) {
            let (condition, on) = (self.compare(), self.text.label("on"));
            self.text.line(&format!("br i1 {condition}, label %{end}, label %{on}"));
            exits.push((Vec::new(), self.text.block.clone()));
            self.text.start(&on);
            self.statements(depth.min(1));
        }
        let (flags, step) =
            (self.dice.pick(&["", " nuw", " nsw", " nuw nsw"]), self.dice.pick(&[1, 1, 1, 2, -1]));
        if self.dice.chance(25) {
            let (condition, on) = (self.compare(), self.text.label("on"));
            let (j, next) = (self.define(width, &format!("add i{width} {i}, 1")), self.value(carried));
            self.text.line(&format!("br i1 {condition}, label %{head}, label %{on}"));
            backs.push((j, next, self.text.block.clone()));
            self.text.start(&on);
        }
        let (next, j) = (self.value(carried), self.text.fresh());
        self.text.line(&format!("{j} = add{flags} i{width} {i}, {step}"));
        let pred = self.dice.pick(&["ult", "ne", "slt", "sle", "ugt", "sgt"]);
        let (left, bound) = (self.dice.pick(&[&i, &j]).clone(), self.value(width));
        let again = self.text.fresh();
        self.text.line(&format!("{again} = icmp {pred} i{width} {left}, {bound}"));
        let progress = self.dice.pick(&["", "", ", !llvm.loop !0"]);
        self.text.line(&format!("br i1 {again}, label %{head}, label %{end}{progress}"));
        backs.push((j.clone(), next, self.text.block.clone()));
        exits.push((vec![(j, width)], self.text.block.clone()));
        let mut phis = [format!("[ {start}, %{outside} ]"), format!("[ {acc}, %{outside} ]")];
        for (j, next, from) in backs {
            phis[0].push_str(&format!(", [ {j}, %{from} ]"));
            phis[1].push_str(&format!(", [ {next}, %{from} ]"));
        }
        let [counter, value] = phis;
        let phis = format!("  {i} = phi i{width} {counter}\n  {sum} = phi i{carried} {value}\n");
        self.text.out.insert_str(at, &phis);
        self.values.truncate(outer);
        self.text.start(&end);
        self.merged(&exits);
    }
}
