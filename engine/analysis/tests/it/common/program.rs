//! Random functions for judging claims about values, control and memory by execution: small integers with all flags and
//! many intrinsics, branches, switches, loops with several exits, assumptions and guards, external calls with and
//! without attributes, memory of arguments, locals and globals at constant and variable offsets.
//!
//! Many executions end in UB and show nothing; the other executions are sufficient.

#![allow(dead_code, reason = "each test program uses a part")]

use backedge_testkit::Dice;
use std::fmt::Write;

/// The composition of a function.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Mix {
    /// Percentage of statements that access memory.
    pub(crate) memory: usize,
    /// Percentage of statements that are calls, assumptions and guards.
    pub(crate) calls: usize,
    /// Limit on the number of statements.
    pub(crate) size: usize,
}

/// The size in bytes of every object.
pub(crate) const OBJECT: usize = 32;

/// The text of a function under construction.
pub(crate) struct Text {
    pub(crate) out: String,
    /// The current block.
    pub(crate) block: String,
    next: usize,
}

impl Text {
    /// Starts with the empty block `entry`.
    pub(crate) fn new() -> Self {
        Self { out: String::new(), block: "entry".into(), next: 0 }
    }
    pub(crate) fn line(&mut self, text: &str) {
        writeln!(self.out, "  {text}").expect("a string takes all");
    }
    pub(crate) fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }
    pub(crate) fn label(&mut self, what: &str) -> String {
        self.next += 1;
        format!("{what}{}", self.next)
    }
    pub(crate) fn start(&mut self, label: &str) {
        writeln!(self.out, "{label}:").expect("a string takes all");
        self.block = label.to_owned();
    }
}

const WIDTHS: [u32; 4] = [1, 4, 8, 16];

struct Gen {
    dice: Dice,
    mix: Mix,
    text: Text,
    values: Vec<(String, u32)>,
    pointers: Vec<String>,
    left: usize,
}

/// The text of a module with one function `@f`. Its arguments are two `i8`, an `i4`, an `i1` and three pointers: one is
/// `noalias`, the other two may be equal.
pub(crate) fn module(seed: u64, mix: Mix) -> String {
    let mut dice = Dice::new(seed);
    let range = if dice.chance(50) { " range(i8 -3, 20)" } else { "" };
    let mustprogress = if dice.chance(50) { " mustprogress" } else { "" };
    let noalias = if dice.chance(70) { " noalias" } else { "" };
    let noundef = if dice.chance(50) { " noundef" } else { "" };
    let values = [("%a", 8), ("%b", 8), ("%c", 4), ("%t", 1)].map(|(n, w)| (n.to_owned(), w)).to_vec();
    let pointers = ["%p", "%q", "%r", "@g", "@h", "%l", "%m"].map(str::to_owned).to_vec();
    let left = mix.size;
    let mut g = Gen { dice, mix, text: Text::new(), values, pointers, left };
    g.text.line("%l = alloca [32 x i8], align 4");
    g.text.line("%m = alloca [16 x i16], align 2");
    g.text.line("store [4 x i64] zeroinitializer, ptr %l, align 1");
    g.text.line("store [4 x i64] zeroinitializer, ptr %m, align 1");
    g.statements(3);
    let result = g.value(8);
    g.text.line(&format!("ret i8 {result}"));
    let text = g.text.out;
    format!(
        "@g = global [32 x i8] zeroinitializer, align 8
@h = internal global [32 x i8] zeroinitializer, align 1
define i8 @f(i8{range}{noundef} %a, i8 %b, i4 %c, i1 %t, ptr{noalias} align 4 dereferenceable(16) %p, ptr %q, ptr nonnull %r){mustprogress} {{
entry:
{text}}}
{DECLARATIONS}"
    )
}

const DECLARATIONS: &str = "declare void @any()
declare void @anyptr(ptr)
declare i8 @kind(i8) nounwind willreturn
declare i8 @quiet(i8) nounwind willreturn memory(none)
declare i8 @reader(ptr) nounwind willreturn memory(argmem: read)
declare void @writer(ptr nocapture) nounwind willreturn memory(argmem: readwrite)
declare void @returns() willreturn
declare ptr @give(ptr) nounwind willreturn
declare void @nounwinds() nounwind
declare range(i8 1, 9) i8 @few() nounwind willreturn memory(none)
declare void @llvm.assume(i1)
declare void @llvm.experimental.guard(i1, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i8 @llvm.umin.i8(i8, i8)
declare i8 @llvm.umax.i8(i8, i8)
declare i8 @llvm.smin.i8(i8, i8)
declare i8 @llvm.smax.i8(i8, i8)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.ssub.sat.i8(i8, i8)
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.ctpop.i8(i8)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.cttz.i8(i8, i1)
declare i8 @llvm.bitreverse.i8(i8)
declare i16 @llvm.bswap.i16(i16)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare {i8, i1} @llvm.uadd.with.overflow.i8(i8, i8)
declare {i8, i1} @llvm.ssub.with.overflow.i8(i8, i8)
declare {i8, i1} @llvm.umul.with.overflow.i8(i8, i8)
!0 = !{i8 0, i8 10}
!1 = !{i8 100, i8 -100}
!2 = distinct !{!2, !3}
!3 = !{!\"llvm.loop.mustprogress\"}
";

impl Gen {
    fn constant(&mut self, width: u32) -> String {
        let value = self.dice.pick(&[0, 1, 2, 3, 4, 7, 8, 15, 16, 100, 127, 128, 255, 65535]);
        if width == 1 {
            return if value & 1 == 1 { "true".into() } else { "false".into() };
        }
        (value & ((1u64 << width) - 1)).to_string()
    }
    /// A value of this width in scope, or a constant.
    fn value(&mut self, width: u32) -> String {
        let fitting: Vec<String> = self.values.iter().filter(|v| v.1 == width).map(|v| v.0.clone()).collect();
        if fitting.is_empty() || self.dice.chance(20) {
            return self.constant(width);
        }
        // Prefer late values.
        let from = if self.dice.chance(60) { fitting.len().saturating_sub(4) } else { 0 };
        let i = from + self.dice.below(fitting.len() - from);
        fitting[i].clone()
    }
    fn define(&mut self, width: u32, text: &str) -> String {
        let name = self.text.fresh();
        self.text.line(&format!("{name} = {text}"));
        self.values.push((name.clone(), width));
        name
    }
    fn statements(&mut self, depth: usize) {
        let count = 2 + self.dice.below(6);
        for _ in 0..count {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let roll = self.dice.below(100);
            if roll < self.mix.memory {
                self.memory();
            } else if roll < self.mix.memory + self.mix.calls {
                self.call();
            } else if depth > 0 && self.dice.chance(35) {
                match self.dice.below(6) {
                    0 | 1 => self.branch(depth - 1),
                    2 | 3 => self.cycle(depth - 1),
                    4 => self.switch(depth - 1),
                    _ => self.dead_end(),
                }
            } else {
                self.arithmetic();
            }
        }
    }
    fn arithmetic(&mut self) {
        let width = self.dice.pick(&[4, 8, 8, 8, 16, 1]);
        match self.dice.below(13) {
            0..=4 => self.binary(width),
            12 => {
                let v = self.value(width);
                self.define(width, &format!("freeze i{width} {v}"));
            }
            5 => {
                let (from, to) = (self.dice.pick(&WIDTHS), self.dice.pick(&WIDTHS));
                let v = self.value(from);
                match from.cmp(&to) {
                    std::cmp::Ordering::Less => {
                        let op = self.dice.pick(&["zext", "sext", "zext nneg"]);
                        self.define(to, &format!("{op} i{from} {v} to i{to}"));
                    }
                    std::cmp::Ordering::Greater => {
                        let flags = self.dice.pick(&["", "", " nuw", " nsw"]);
                        self.define(to, &format!("trunc{flags} i{from} {v} to i{to}"));
                    }
                    std::cmp::Ordering::Equal => {
                        self.define(to, &format!("freeze i{to} {v}"));
                    }
                }
            }
            6 | 7 => {
                self.compare();
            }
            8 => {
                let (c, a, b) = (self.value(1), self.value(width), self.value(width));
                self.define(width, &format!("select i1 {c}, i{width} {a}, i{width} {b}"));
            }
            _ => self.intrinsic(),
        }
    }
    fn compare(&mut self) -> String {
        let width = self.dice.pick(&[4, 8, 8, 8, 16]);
        let pred = self.dice.pick(&["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"]);
        let (a, b) = (self.value(width), self.value(width));
        let first = self.define(1, &format!("icmp {pred} i{width} {a}, {b}"));
        if self.dice.chance(30) {
            let other = self.value(1);
            let text = match self.dice.below(5) {
                0 => format!("and i1 {first}, {other}"),
                1 => format!("or i1 {first}, {other}"),
                2 => format!("select i1 {first}, i1 {other}, i1 false"),
                3 => format!("select i1 {first}, i1 true, i1 {other}"),
                _ => format!("xor i1 {first}, true"),
            };
            return self.define(1, &text);
        }
        first
    }
    fn binary(&mut self, width: u32) {
        let op = self.dice.pick(&[
            "add", "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "udiv", "sdiv", "urem",
            "srem",
        ]);
        let flags = match op {
            "add" | "sub" | "mul" | "shl" => self.dice.pick(&["", "", "", " nuw", " nsw", " nuw nsw"]),
            "udiv" | "sdiv" | "lshr" | "ashr" => self.dice.pick(&["", "", "", " exact"]),
            "or" => self.dice.pick(&["", "", " disjoint"]),
            _ => "",
        };
        let (a, mut b) = (self.value(width), self.value(width));
        let shifts = matches!(op, "shl" | "lshr" | "ashr");
        if shifts && self.dice.chance(70) {
            b = if width == 1 { "false".into() } else { self.dice.below(width as usize).to_string() };
        }
        if matches!(op, "udiv" | "sdiv" | "urem" | "srem") && self.dice.chance(80) {
            b = if width == 1 { "true".into() } else { (1 + self.dice.below(6)).to_string() };
        }
        self.define(width, &format!("{op}{flags} i{width} {a}, {b}"));
    }
    fn intrinsic(&mut self) {
        let (a, b, c) = (self.value(8), self.value(8), self.value(8));
        match self.dice.below(6) {
            0 | 1 => {
                let name = self
                    .dice
                    .pick(&["umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"]);
                self.define(8, &format!("call i8 @llvm.{name}.i8(i8 {a}, i8 {b})"));
            }
            2 => {
                let name = self.dice.pick(&["abs", "ctlz", "cttz"]);
                let flag = self.dice.pick(&["true", "false"]);
                self.define(8, &format!("call i8 @llvm.{name}.i8(i8 {a}, i1 {flag})"));
            }
            3 => {
                let name = self.dice.pick(&["ctpop", "bitreverse"]);
                self.define(8, &format!("call i8 @llvm.{name}.i8(i8 {a})"));
            }
            4 => {
                let name = self.dice.pick(&["fshl", "fshr"]);
                self.define(8, &format!("call i8 @llvm.{name}.i8(i8 {a}, i8 {b}, i8 {c})"));
            }
            _ => {
                let name = self.dice.pick(&["uadd", "ssub", "umul"]);
                let pair = self.text.fresh();
                self.text
                    .line(&format!("{pair} = call {{i8, i1}} @llvm.{name}.with.overflow.i8(i8 {a}, i8 {b})"));
                self.define(8, &format!("extractvalue {{i8, i1}} {pair}, 0"));
                self.define(1, &format!("extractvalue {{i8, i1}} {pair}, 1"));
            }
        }
    }
    /// A pointer in scope, often with an offset.
    fn pointer(&mut self) -> String {
        let i = self.dice.below(self.pointers.len());
        let mut base = self.pointers[i].clone();
        for _ in 0..self.dice.below(3) {
            let flags = self.dice.pick(&["", "", " inbounds", " nuw", " nusw"]);
            let name = self.text.fresh();
            match self.dice.below(5) {
                0 | 1 => {
                    let offset = self.dice.pick(&[0i64, 1, 2, 3, 4, 8, 12, -1, -2]);
                    self.text.line(&format!("{name} = getelementptr{flags} i8, ptr {base}, i64 {offset}"));
                }
                2 => {
                    let index = self.value(4);
                    let wide = self.text.fresh();
                    let op = self.dice.pick(&["zext", "zext", "sext"]);
                    self.text.line(&format!("{wide} = {op} i4 {index} to i64"));
                    let ty = self.dice.pick(&["i8", "i8", "i16", "i32"]);
                    self.text.line(&format!("{name} = getelementptr{flags} {ty}, ptr {base}, i64 {wide}"));
                }
                3 => {
                    let index = self.dice.below(4);
                    self.text.line(&format!(
                        "{name} = getelementptr{flags} {{i8, i16, [4 x i8]}}, ptr {base}, i64 0, i32 2, i64 {index}"
                    ));
                }
                _ => {
                    // Index arithmetic before the extension.
                    let (index, moved, wide) = (self.value(8), self.text.fresh(), self.text.fresh());
                    let by = self.dice.pick(&[1, 2, 4, 8, 255]);
                    let add = self.dice.pick(&["add", "add nuw", "add nsw", "mul", "or disjoint"]);
                    self.text.line(&format!("{moved} = {add} i8 {index}, {by}"));
                    let op = self.dice.pick(&["zext", "sext"]);
                    self.text.line(&format!("{wide} = {op} i8 {moved} to i64"));
                    self.text.line(&format!("{name} = getelementptr{flags} i8, ptr {base}, i64 {wide}"));
                }
            }
            base = name;
        }
        if self.dice.chance(8) {
            let i = self.dice.below(self.pointers.len());
            let (c, other) = (self.value(1), self.pointers[i].clone());
            let name = self.text.fresh();
            self.text.line(&format!("{name} = select i1 {c}, ptr {base}, ptr {other}"));
            base = name;
        }
        if self.dice.chance(6) {
            let name = self.text.fresh();
            self.text.line(&format!("{name} = call ptr @give(ptr {base})"));
            base = name;
        }
        if base.starts_with("%v") && self.dice.chance(30) {
            self.pointers.push(base.clone());
        }
        base
    }
    fn memory(&mut self) {
        let pointer = self.pointer();
        match self.dice.below(20) {
            0..=7 => {
                let range = self.dice.pick(&["", "", ", !range !0", ", !range !1"]);
                self.define(8, &format!("load i8, ptr {pointer}, align 1{range}"));
            }
            8 => {
                self.define(16, &format!("load i16, ptr {pointer}, align 1"));
            }
            9..=14 => {
                let value = self.value(8);
                self.text.line(&format!("store i8 {value}, ptr {pointer}, align 1"));
            }
            15 => {
                let value = self.value(16);
                self.text.line(&format!("store i16 {value}, ptr {pointer}, align 1"));
            }
            16 => {
                let value = self.value(8);
                self.text.line(&format!("store volatile i8 {value}, ptr {pointer}, align 1"));
            }
            17 => {
                let other = self.pointer();
                let n = self.dice.below(9);
                self.text.line(&format!(
                    "call void @llvm.memcpy.p0.p0.i64(ptr {pointer}, ptr {other}, i64 {n}, i1 false)"
                ));
            }
            18 => {
                let n = self.dice.below(9);
                self.text
                    .line(&format!("call void @llvm.memset.p0.i64(ptr {pointer}, i8 7, i64 {n}, i1 false)"));
            }
            _ => match self.dice.below(3) {
                0 => {
                    self.define(8, &format!("call i8 @reader(ptr {pointer})"));
                }
                1 => self.text.line(&format!("call void @writer(ptr {pointer})")),
                _ => self.text.line(&format!("call void @anyptr(ptr {pointer})")),
            },
        }
    }
    fn call(&mut self) {
        match self.dice.below(12) {
            0 => self.text.line("call void @any()"),
            1 => self.text.line("call void @returns()"),
            2 => self.text.line("call void @nounwinds()"),
            3 => {
                let v = self.value(8);
                self.define(8, &format!("call i8 @kind(i8 noundef {v})"));
            }
            4 => {
                let v = self.value(8);
                self.define(8, &format!("call i8 @quiet(i8 {v})"));
            }
            5 => {
                self.define(8, "call i8 @few()");
            }
            6 => {
                let c = self.compare();
                self.text
                    .line(&format!("call void (i1, ...) @llvm.experimental.guard(i1 {c}) [ \"deopt\"() ]"));
            }
            _ => {
                let c = self.compare();
                self.text.line(&format!("call void @llvm.assume(i1 {c})"));
            }
        }
    }
    /// A part of the function with its own scope. Returns its new values and its last block.
    fn scoped(&mut self, depth: usize) -> (Vec<(String, u32)>, String) {
        let (values, pointers) = (self.values.len(), self.pointers.len());
        self.statements(depth);
        self.pointers.truncate(pointers);
        (self.values.split_off(values), self.text.block.clone())
    }
    fn condition(&mut self) -> String {
        if self.dice.chance(70) { self.compare() } else { self.value(1) }
    }
    fn merged(&mut self, ways: &[(Vec<(String, u32)>, String)]) {
        for width in [8, 4] {
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
        let condition = self.condition();
        let (yes, no, end) = (self.text.label("yes"), self.text.label("no"), self.text.label("end"));
        let head = self.text.block.clone();
        let one_armed = self.dice.chance(40);
        let other = if one_armed { end.clone() } else { no.clone() };
        self.text.line(&format!("br i1 {condition}, label %{yes}, label %{other}"));
        self.text.start(&yes);
        let first = self.scoped(depth);
        self.text.line(&format!("br label %{end}"));
        let second = if one_armed {
            (Vec::new(), head)
        } else {
            self.text.start(&no);
            let second = self.scoped(depth);
            self.text.line(&format!("br label %{end}"));
            second
        };
        self.text.start(&end);
        self.merged(&[first, second]);
    }
    fn switch(&mut self, depth: usize) {
        let width = self.dice.pick(&[4, 8]);
        let value = self.value(width);
        let (case, default, end) =
            (self.text.label("case"), self.text.label("default"), self.text.label("end"));
        let first = self.dice.below(4);
        let to_end = if self.dice.chance(30) { &case } else { &default };
        self.text.line(&format!(
            "switch i{width} {value}, label %{default} [ i{width} {first}, label %{case} i{width} {}, label %{to_end} i{width} {}, label %{default} ]",
            first + 1,
            first + 2
        ));
        self.text.start(&case);
        let one = self.scoped(depth);
        self.text.line(&format!("br label %{end}"));
        self.text.start(&default);
        let two = self.scoped(depth);
        self.text.line(&format!("br label %{end}"));
        self.text.start(&end);
        self.merged(&[one, two]);
    }
    fn dead_end(&mut self) {
        let condition = self.condition();
        let (bad, on) = (self.text.label("bad"), self.text.label("on"));
        self.text.line(&format!("br i1 {condition}, label %{on}, label %{bad}"));
        self.text.start(&bad);
        if self.dice.chance(30) {
            self.text.line("call void @any()");
        }
        self.text.line("unreachable");
        self.text.start(&on);
    }
    /// An exit of the loop that only some iterations reach.
    fn hidden_break(&mut self, exits: &mut Vec<(Vec<(String, u32)>, String)>, end: &str, depth: usize) {
        let (condition, inner, after) =
            (self.condition(), self.text.label("inner"), self.text.label("after"));
        self.text.line(&format!("br i1 {condition}, label %{inner}, label %{after}"));
        self.text.start(&inner);
        let (values, pointers) = (self.values.len(), self.pointers.len());
        self.statements(depth.min(1));
        let condition = self.condition();
        exits.push((Vec::new(), self.text.block.clone()));
        self.text.line(&format!("br i1 {condition}, label %{end}, label %{after}"));
        self.values.truncate(values);
        self.pointers.truncate(pointers);
        self.text.start(&after);
    }
    fn cycle(&mut self, depth: usize) {
        let (head, latch, end) = (self.text.label("head"), self.text.label("latch"), self.text.label("end"));
        let outside = self.text.block.clone();
        let (start, bound, acc) = (self.value(4), self.value(4), self.value(8));
        let (i, j, sum) = (self.text.fresh(), self.text.fresh(), self.text.fresh());
        self.text.line(&format!("br label %{head}"));
        self.text.start(&head);
        // The backedge operands of the phis are written later, when they are known.
        let at = self.text.out.len();
        self.values.push((i.clone(), 4));
        self.values.push((sum.clone(), 8));
        let (values, pointers) = (self.values.len(), self.pointers.len());
        self.statements(depth);
        let mut exits = Vec::new();
        let mut turns_always = false;
        if self.dice.chance(40) {
            turns_always = self.dice.chance(30);
            let condition = self.condition();
            let on = self.text.label("on");
            exits.push((Vec::new(), self.text.block.clone()));
            self.text.line(&format!("br i1 {condition}, label %{end}, label %{on}"));
            self.text.start(&on);
            self.statements(depth);
            if turns_always && self.dice.chance(60) {
                self.hidden_break(&mut exits, &end, depth);
            }
        }
        let carried = self.value(8);
        self.text.line(&format!("br label %{latch}"));
        self.text.start(&latch);
        let flags = self.dice.pick(&["", "", " nuw", " nsw"]);
        let step = self.dice.pick(&[1, 1, 1, 2, 15]);
        self.text.line(&format!("{j} = add{flags} i4 {i}, {step}"));
        let (pred, left) = (self.dice.pick(&["ult", "ne", "slt", "sle"]), self.dice.pick(&[&i, &j]).clone());
        let again = self.text.fresh();
        self.text.line(&format!("{again} = icmp {pred} i4 {left}, {bound}"));
        let progress = if self.dice.chance(30) { ", !llvm.loop !2" } else { "" };
        if turns_always {
            self.text.line(&format!("br label %{head}{progress}"));
        } else {
            self.text.line(&format!("br i1 {again}, label %{head}, label %{end}{progress}"));
            exits.push((vec![(j.clone(), 4)], latch.clone()));
        }
        let phis = format!(
            "  {i} = phi i4 [ {start}, %{outside} ], [ {j}, %{latch} ]\n  {sum} = phi i8 [ {acc}, %{outside} ], [ {carried}, %{latch} ]\n"
        );
        self.text.out.insert_str(at, &phis);
        self.values.truncate(values);
        self.pointers.truncate(pointers);
        self.text.start(&end);
        self.merged(&exits);
    }
}
