//! Vector code for outer loops refines the nest: random nests with uniform or varying control flow inside and with
//! accesses in rows and columns that may overlap, vectorized with several numbers of lanes and interleave counts, and
//! compared on random inputs, including poison.

use crate::common::{Pair, formed};
use backedge_interp::Config;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_testkit::Dice;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A nest under construction.
struct Writer {
    dice: Dice,
    body: String,
    /// Phis of the outer header.
    phis: String,
    /// The 32-bit values available here, and the 64-bit values that are the same in all iterations of the outer loop.
    values: Vec<String>,
    same: Vec<String>,
    last: Vec<String>,
    next: usize,
    block: String,
    /// The buffer and stride of the last address.
    anchor: Option<(&'static str, i64)>,
    /// Whether only columns are modified.
    calm: bool,
}

impl Writer {
    fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }
    fn define(&mut self, text: &str) -> String {
        let name = format!("%x{}", self.number());
        self.line(&format!("{name} = {text}"));
        name
    }
    fn begin(&mut self, block: &str) {
        let _ = writeln!(self.body, "{block}:");
        self.block = block.to_owned();
    }
    fn value(&mut self) -> String {
        if self.values.is_empty() || self.dice.one_in(5) {
            return self.dice.pick(&["%a", "%b", "7", "-3"]).to_owned();
        }
        let at = self.dice.below(self.values.len());
        self.values[at].clone()
    }
    fn same(&mut self) -> String {
        let at = self.dice.below(self.same.len());
        self.same[at].clone()
    }
    /// An address in a row or column of a buffer, often near the previous one.
    fn address(&mut self, size: i64) -> String {
        let near = self.anchor.filter(|_| self.dice.one_in(2));
        let (base, by) = near.unwrap_or_else(|| {
            let base = self.dice.pick(&["%p", "%q", "%q", "%d", "%d"]);
            (base, self.dice.pick(&[size, size, size, -size, 0, 2 * size, 24, 40]))
        });
        self.anchor = Some((base, by));
        let mut at = self.define(&format!("mul nsw i64 %i, {by}"));
        if self.dice.one_in(12) {
            // An arbitrary nearby address.
            let value = self.value();
            let few = self.define(&format!("and i32 {value}, 31"));
            at = self.define(&format!("zext i32 {few} to i64"));
        }
        let is_inner = self.same.len() > 1 && !self.dice.one_in(if near.is_some() { 2 } else { 6 });
        if is_inner && self.dice.one_in(8) {
            // An offset loaded from memory, the same in all lanes.
            let same = self.same();
            let from = self.define(&format!("getelementptr i8, ptr %u, i64 {same}"));
            let loaded = self.define(&format!("load i8, ptr {from}, align 1"));
            let wide = self.define(&format!("zext i8 {loaded} to i64"));
            at = self.define(&format!("add i64 {at}, {wide}"));
        } else if is_inner {
            let inner = self.same[self.same.len() - 1 - self.dice.below(2).min(self.same.len() - 2)].clone();
            let by = self.dice.pick(&["1", "4", "%s", "%s", "24", "32", "40", "8"]);
            let moved = self.define(&format!("mul i64 {inner}, {by}"));
            at = self.define(&format!("add i64 {at}, {moved}"));
        }
        let lanes = by * self.dice.pick(&[0, 0, 0, 1, -1, 2, -2, 4]);
        let offset = 160 + lanes + size * self.dice.pick(&[0, 0, 0, 0, 0, 1, -1]);
        let at = self.define(&format!("add i64 {at}, {offset}"));
        self.define(&format!("getelementptr i8, ptr {base}, i64 {at}"))
    }
    fn load(&mut self) {
        let bits = self.dice.pick(&[32, 32, 8]);
        let at = self.address(bits / 8);
        let loaded = self.define(&format!("load i{bits}, ptr {at}, align 1"));
        let value = if bits == 32 { loaded } else { self.define(&format!("sext i{bits} {loaded} to i32")) };
        self.values.push(value);
    }
    fn store(&mut self) {
        let bits = self.dice.pick(&[32, 32, 8]);
        let value = self.value();
        let value = if bits == 32 { value } else { self.define(&format!("trunc i32 {value} to i{bits}")) };
        let at = self.address(bits / 8);
        self.line(&format!("store i{bits} {value}, ptr {at}, align 1"));
    }
    /// Modifies a value in a column, or moves it within the column; the distance between rows is known only at run
    /// time.
    fn column(&mut self) {
        let (base, size) = (self.dice.pick(&["%d", "%d", "%p"]), self.dice.pick(&[1, 4]));
        let Some(inner) = self.same.last().filter(|j| j.starts_with("%j")).cloned() else { return };
        let along = self.define(&format!("mul nsw i64 %i, {size}"));
        let down = self.define(&format!("mul i64 {inner}, %s"));
        let at = self.define(&format!("add i64 {along}, {down}"));
        let at = self.define(&format!("add i64 {at}, 300"));
        let from = self.define(&format!("getelementptr i8, ptr {base}, i64 {at}"));
        let loaded = self.define(&format!("load i{}, ptr {from}, align 1", 8 * size));
        let moved = if self.dice.one_in(9) { size } else { 0 };
        let to = self.define(&format!("getelementptr i8, ptr {from}, i64 {moved}"));
        let changed = self.define(&format!("add i{} {loaded}, 77", 8 * size));
        self.line(&format!("store i{} {changed}, ptr {to}, align 1", 8 * size));
    }
    /// Accesses bytes that preceding or following lanes store or load, at some distance.
    fn neighbour(&mut self) {
        let (by, lanes) = (self.dice.pick(&[4, 8, 40]), self.dice.pick(&[1, 2, 2, 4, -1, -2]));
        let own = self.define(&format!("mul nsw i64 %i, {by}"));
        let own = self.define(&format!("add i64 {own}, 500"));
        let other = self.define(&format!("add i64 {own}, {}", by * lanes));
        let [to, from] = [own, other].map(|at| self.define(&format!("getelementptr i8, ptr %d, i64 {at}")));
        let loaded = self.define(&format!("load i32, ptr {from}, align 1"));
        let value = self.value();
        let changed = self.define(&format!("xor i32 {loaded}, {value}"));
        self.line(&format!("store i32 {changed}, ptr {to}, align 1"));
        self.values.push(loaded);
    }
    fn compute(&mut self) {
        let (a, b) = (self.value(), self.value());
        let value = match self.dice.below(7) {
            0 => {
                let same = self.same();
                self.define(&format!("trunc i64 {same} to i32"))
            }
            1 => self.define("trunc i64 %i to i32"),
            2 => self.define(&format!("call i32 @llvm.smax.i32(i32 {a}, i32 {b})")),
            3 => self.define(&format!("freeze i32 {a}")),
            4 => self.define(&format!("udiv i32 {a}, {b}")),
            5 => {
                let bit = self.define(&format!("icmp slt i32 {a}, {b}"));
                self.define(&format!("select i1 {bit}, i32 {b}, i32 7"))
            }
            _ => {
                let op = self.dice.pick(&["add", "add nsw", "mul", "xor", "sub nuw", "shl"]);
                self.define(&format!("{op} i32 {a}, {b}"))
            }
        };
        self.values.push(value);
    }
    /// A branch condition, usually one that is the same in all lanes.
    fn condition(&mut self) -> String {
        if self.dice.one_in(12) {
            let value = self.value();
            return self.define(&format!("icmp sgt i32 {value}, 20"));
        }
        if self.dice.one_in(3) {
            let same = self.same();
            let at = self.define(&format!("getelementptr i8, ptr %u, i64 {same}"));
            let loaded = self.define(&format!("load i8, ptr {at}, align 1"));
            return self.define(&format!("icmp ult i8 {loaded}, 100"));
        }
        let (same, pred) = (self.same(), self.dice.pick(&["ugt", "ne", "slt"]));
        self.define(&format!("icmp {pred} i64 {same}, 2"))
    }
    fn branch(&mut self, deep: usize) {
        let flag = self.condition();
        let number = self.number();
        let (then, join, before) = (format!("then{number}"), format!("join{number}"), self.block.clone());
        let (outside, same) = (self.values.clone(), self.same.clone());
        self.line(&format!("br i1 {flag}, label %{then}, label %{join}"));
        self.begin(&then);
        let count = 1 + self.dice.below(2);
        self.statements(count, deep);
        let (inside, from) = (self.value(), self.block.clone());
        self.line(&format!("br label %{join}"));
        self.begin(&join);
        (self.values, self.same) = (outside, same);
        let other = self.value();
        let merged = self.define(&format!("phi i32 [ {inside}, %{from} ], [ {other}, %{before} ]"));
        self.values.push(merged);
    }
    /// An inner loop that accumulates a value from its own start, and perhaps one for the outer loop.
    fn inner(&mut self, deep: usize) {
        let number = self.number();
        let [head, latch, exit] = ["loop", "latch", "exit"].map(|what| format!("{what}{number}"));
        let before = self.block.clone();
        let count = match self.dice.below(12) {
            0 => "%i".to_owned(),
            1 | 2 => "3".to_owned(),
            3 => "1".to_owned(),
            4 if self.same.len() > 1 => self.same.last().cloned().unwrap_or_default(),
            _ => "%m".to_owned(),
        };
        let start = self.value();
        let sum_from = (deep == 2 && self.dice.one_in(3)).then(|| {
            let phi = format!("%r{number}");
            let _ = writeln!(self.phis, "  {phi} = phi i32 [ %a, %entry ], [ {phi}.end, %latch ]");
            phi
        });
        self.line(&format!("br label %{head}"));
        self.begin(&head);
        let (j, c) = (format!("%j{number}"), format!("%c{number}"));
        self.line(&format!("{j} = phi i64 [ 0, %{before} ], [ {j}.next, %{latch} ]"));
        self.line(&format!("{c} = phi i32 [ {start}, %{before} ], [ {c}.next, %{latch} ]"));
        if let Some(phi) = &sum_from {
            self.line(&format!("{phi}.in = phi i32 [ {phi}, %{before} ], [ {phi}.next, %{latch} ]"));
        }
        let (outside, same) = (self.values.clone(), self.same.clone());
        self.same.push(j.clone());
        self.values.push(c.clone());
        let statements = 2 + self.dice.below(4);
        self.statements(statements, deep - 1);
        let leaves = self.dice.one_in(5).then(|| (self.condition(), self.block.clone()));
        let value = self.value();
        if let Some((flag, _)) = &leaves {
            self.line(&format!("br i1 {flag}, label %{latch}, label %{exit}"));
        } else {
            self.line(&format!("br label %{latch}"));
        }
        self.begin(&latch);
        let op = self.dice.pick(&["add", "xor", "mul", "add nsw"]);
        self.line(&format!("{c}.next = {op} i32 {c}, {value}"));
        if let Some(phi) = &sum_from {
            let op = self.dice.pick(&["add nsw", "xor"]);
            self.line(&format!("{phi}.next = {op} i32 {phi}.in, {value}"));
        }
        self.line(&format!("{j}.next = add nuw nsw i64 {j}, 1"));
        let more = self.define(&format!("icmp ult i64 {j}.next, {count}"));
        self.line(&format!("br i1 {more}, label %{head}, label %{exit}"));
        self.begin(&exit);
        (self.values, self.same) = (outside, same);
        let early =
            |value: &str| leaves.as_ref().map_or(String::new(), |(_, b)| format!(", [ {value}, %{b} ]"));
        let sum = self.define(&format!("phi i32 [ {c}.next, %{latch} ]{}", early(&c)));
        self.values.push(sum);
        if let Some(phi) = sum_from {
            let end = format!("phi i32 [ {phi}.next, %{latch} ]{}", early(&format!("{phi}.in")));
            self.line(&format!("{phi}.end = {end}"));
            self.last.push(format!("{phi}.end"));
        }
    }
    fn statements(&mut self, count: usize, deep: usize) {
        for _ in 0..count {
            match self.dice.below(9) {
                0..=2 if self.calm => self.column(),
                3..=5 if self.calm => self.compute(),
                0..=2 => self.load(),
                3 | 4 => self.store(),
                5 if deep > 0 => self.branch(deep - 1),
                6 if deep > 0 => self.inner(deep),
                6 if self.dice.one_in(2) => self.column(),
                7 if self.dice.one_in(2) => self.neighbour(),
                _ => self.compute(),
            }
        }
    }
}

/// A function with a nest.
fn program(seed: u64) -> String {
    let mut w = Writer {
        dice: Dice::new(seed),
        body: String::new(),
        phis: String::new(),
        values: Vec::new(),
        same: vec!["%m".to_owned()],
        last: Vec::new(),
        next: 0,
        block: "outer".to_owned(),
        anchor: None,
        calm: false,
    };
    w.calm = w.dice.one_in(4);
    let statements = w.dice.below(3);
    w.statements(statements, 1);
    w.inner(2);
    let statements = w.dice.below(3);
    w.statements(statements, 2);
    if w.dice.one_in(3) {
        let value = w.value();
        w.line(&format!("%sum.next = add i32 %sum, {value}"));
        w.phis += "  %sum = phi i32 [ %b, %entry ], [ %sum.next, %latch ]\n";
        w.last.push("%sum.next".to_owned());
    }
    let middle = w.dice.one_in(8);
    if middle {
        w.line("%out = icmp uge i64 %i, %k");
        w.line("br i1 %out, label %exit, label %rest");
        w.begin("rest");
    }
    w.last.extend(w.values.clone());
    let mut out = || match w.dice.below(w.last.len() + 1) {
        0 => "9".to_owned(),
        at => w.last[at - 1].clone(),
    };
    let (u, v) = (out(), out());
    let from = if middle { "[ %a, %MIDDLE ], " } else { "" };
    let from = from.replace(
        "MIDDLE",
        &w.body.rsplit("br i1 %out").nth(1).and_then(last_label).unwrap_or("outer".to_owned()),
    );
    format!(
        "declare i32 @llvm.smax.i32(i32, i32)\n\
         define i32 @f(ptr %p, ptr %q, ptr noalias %d, ptr noalias readonly %u, i64 %n, i64 %m, i64 %s, i64 %k, i32 %a, i32 %b) \
         mustprogress {{\nentry:\n  br label %outer\nouter:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n{}{}  \
         br label %latch\nlatch:\n  %i.next = add nuw nsw i64 %i, 1\n  %again = icmp ult i64 %i.next, %n\n  \
         br i1 %again, label %outer, label %exit, !llvm.loop !0\nexit:\n  %u1 = phi i32 {from}[ {u}, %latch ]\n  \
         %v1 = phi i32 {from}[ {v}, %latch ]\n  %r = xor i32 %u1, %v1\n  ret i32 %r\n}}\n\
         !0 = distinct !{{!0, !1}}\n!1 = !{{!\"llvm.loop.vectorize.enable\", i1 true}}\n",
        w.phis, w.body
    )
}

/// The last label in a text.
fn last_label(text: &str) -> Option<String> {
    text.lines().rev().find_map(|line| line.strip_suffix(':').map(str::to_owned))
}

/// The module after the pass, and whether the outer loop was vectorized.
fn vectorized(module: &Module, (lanes, parts): (u32, u32)) -> (Module, bool) {
    let text = format!(
        "loop-vectorize<force-vector-width={lanes};force-vector-interleave={parts};runtime-memory-check-threshold=99>"
    );
    let pass = parse_pipeline(&text).expect("a pipeline");
    let mut module = module.clone();
    run(&mut module, &pass, Options::default(), &mut Nobody).expect("the pass");
    let problems = backedge_ir::verify::verify_module(&module);
    assert!(problems.is_empty(), "{problems:?}\n{}", module_to_string(&module));
    let done = module_to_string(&module).contains("vector.latch");
    (module, done)
}

fn inputs(seed: u64, all: u32) -> Vec<Input> {
    let mut dice = Dice::new(seed ^ 0x5555);
    let all = i128::from(all);
    let mut inputs = Vec::new();
    for (case, n) in [0, 1, all - 1, all, all + 1, 2 * all, 2 * all + 1, 7].into_iter().enumerate() {
        let bytes: Vec<u8> = (0..900).map(|_| dice.below(256) as u8).collect();
        let buffer = || ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes.clone())));
        let other = match case % 3 {
            0 => ArgSpec::Alias { arg: 0, offset: dice.pick(&[0, 4, -4, 1, 16, 200]) },
            _ => buffer(),
        };
        let strange = |dice: &mut Dice| match dice.below(6) {
            0 => ArgSpec::Poison,
            1 => ArgSpec::Int(-1),
            _ => ArgSpec::Int(dice.below(100) as i128),
        };
        let m = ArgSpec::Int(dice.pick(&[0, 1, 2, 3, 5]));
        let s = ArgSpec::Int(dice.pick(&[0, 1, 4, 8, 12, 16, 20, 24, 32, 64, -4, -1, -12, -32]));
        let k = ArgSpec::Int(dice.below(30) as i128);
        let (a, b) = (strange(&mut dice), strange(&mut dice));
        inputs.push(Input::new(vec![buffer(), other, buffer(), buffer(), ArgSpec::Int(n), m, s, k, a, b]));
    }
    inputs
}

#[test]
fn vectors_of_outer_loops_do_what_the_nest_did() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let config = Config { fuel: 60_000, ..Config::default() };
    for seed in backedge_testkit::seeds(2500) {
        let text = program(seed);
        let source = formed(&text);
        let shapes = [(2, 1), (4, 1), (2, 2), (8, 1)];
        let (lanes, parts) = shapes[(seed % shapes.len() as u64) as usize];
        let (target, done) = vectorized(&source, (lanes, parts));
        *counts.entry(if done { "vectorized" } else { "left" }).or_default() += 1;
        if !done {
            continue;
        }
        let made = module_to_string(&target);
        for kind in ["%apart", "%far.enough", "llvm.vector.reduce", "load <", "store <", "phi <"] {
            *counts.entry(kind).or_default() += usize::from(made.contains(kind));
        }
        let pair = Pair::new([&source, &target], &config);
        let about = format!("seed {seed}, {lanes} lanes, {parts} parts");
        for input in inputs(seed, lanes * parts) {
            let kind = pair
                .run(&input)
                .unwrap_or_else(|why| panic!("{about}: {why} on {:?}\n{text}\n{made}", &input.args[4..]));
            *counts.entry(kind).or_default() += 1;
        }
    }
    println!("{counts:?}");
    let of = |kind: &str| counts.get(kind).copied().unwrap_or(0);
    assert!(of("vectorized") > 400 && of("refines") > 3000, "{counts:?}");
    assert!(
        of("%apart") > 80 && of("%far.enough") > 40 && of("load <") > 80 && of("store <") > 80,
        "{counts:?}"
    );
    assert!(of("llvm.vector.reduce") > 100 && of("phi <") > 200, "{counts:?}");
}
