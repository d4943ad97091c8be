//! Generated loops with one or more exits, for testing trip counts: steps, starts and bounds near the limits of narrow types, all predicates, correct and
//! incorrect flags, several exits, guards, functions with and without a progress requirement.

use super::ints::{PREDICATES, combined};
use crate::Dice;
use std::fmt::Write;

/// A loop under construction.
struct Writer<'d> {
    dice: &'d mut Dice,
    width: u32,
    entry: String,
    /// Instructions of the current block.
    block: String,
    next: u32,
    /// Values of the width that are available here.
    inside: Vec<String>,
    invariant: Vec<String>,
}

/// The text of the module of `seed`. It has one function `@f`, whose arguments have the same width of two to five bits.
pub fn random_loop(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let width = 2 + dice.below(4) as u32;
    let args = if width >= 5 { 2 } else { 1 + dice.below(if width <= 3 { 3 } else { 2 }) };
    let names = ["%a", "%b", "%c"];
    let mut writer = Writer {
        width,
        entry: String::new(),
        block: String::new(),
        next: 0,
        inside: Vec::new(),
        invariant: names[..args].iter().map(|s| (*s).to_owned()).collect(),
        dice: &mut dice,
    };
    let nested = writer.dice.chance(15);
    let body = writer.function(nested);
    let attributes = writer.dice.pick(&["", "mustprogress", "mustprogress", "willreturn mustprogress"]);
    let parameters: Vec<String> = names[..args].iter().map(|a| format!("i{width} {a}")).collect();
    let mut text =
        "declare void @stop()\ndeclare i1 @unknown() willreturn nounwind memory(none)\n".to_string();
    text.push_str("declare void @llvm.assume(i1)\n");
    for op in ["uadd", "sadd", "usub", "ssub", "umul", "smul"] {
        let _ =
            writeln!(text, "declare {{i{width}, i1}} @llvm.{op}.with.overflow.i{width}(i{width}, i{width})");
    }
    let _ = write!(text, "define void @f({}) {attributes} {{\n{body}}}\n", parameters.join(", "));
    text
}

impl Writer<'_> {
    fn name(&mut self, hint: &str) -> String {
        self.next += 1;
        format!("%{hint}{}", self.next)
    }
    fn constant(&mut self) -> String {
        let width = self.width;
        let half = 1i64 << (width - 1);
        let near = self.dice.below(5) as i64 - 2;
        let base = [0, half, half - 1, 0, 3][self.dice.below(5)];
        // As a signed number of the width.
        let value = (base + near).rem_euclid(half * 2);
        (if value >= half { value - half * 2 } else { value }).to_string()
    }
    fn invariant(&mut self) -> String {
        if self.dice.chance(40) {
            return self.constant();
        }
        let i = self.dice.below(self.invariant.len());
        self.invariant[i].clone()
    }
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.block, "  {text}");
    }
    fn flags(&mut self) -> &'static str {
        self.dice.pick(&["", "", "nuw ", "nsw ", "nuw nsw "])
    }
    fn step(&mut self) -> String {
        let width = self.width;
        let all = ["1", "1", "1", "-1", "-1", "2", "-2", "3", "-3", "4", "5"];
        let fits =
            |s: &&str| s.parse::<i64>().is_ok_and(|v| v < 1 << (width - 1) && v >= -(1 << (width - 1)));
        let fitting: Vec<&str> = all.iter().copied().filter(|s| fits(s)).collect();
        match self.dice.below(10) {
            0..7 => self.dice.pick(&fitting).to_owned(),
            7 => self.constant(),
            _ => self.invariant(),
        }
    }

    fn function(&mut self, nested: bool) -> String {
        let width = self.width;
        // Derived invariants, and guards.
        for _ in 0..self.dice.below(3) {
            let (of, by) = (self.invariant(), self.constant());
            let op =
                self.dice.pick(&["add", "mul", "shl", "and", "add nsw", "add nuw", "lshr", "urem", "or"]);
            let by =
                if op.starts_with('s') || op.starts_with('l') || op == "urem" { "1".to_owned() } else { by };
            let by = if op == "urem" && width > 2 { "3".to_owned() } else { by };
            let name = self.name("m");
            let _ = writeln!(self.entry, "  {name} = {op} i{width} {of}, {by}");
            self.invariant.push(name);
        }
        let mut text = format!("entry:\n{}", std::mem::take(&mut self.entry));
        let guards = self.dice.below(3);
        for _ in 0..guards {
            let (a, b) = (self.invariant(), self.invariant());
            let pred = self.dice.pick(&PREDICATES);
            let name = self.name("g");
            let _ = writeln!(text, "  {name} = icmp {pred} i{width} {a}, {b}");
            if self.dice.chance(30) {
                let _ = writeln!(text, "  call void @llvm.assume(i1 {name})");
            } else {
                let _ = writeln!(text, "  br i1 {name}, label {name}.in, label %out\n{}.in:", &name[1..]);
            }
        }
        text.push_str("  br label %loop1\n");
        let from = self.last_label(&text);
        text.push_str(&self.loop_text("1", &from, "out", nested));
        text.push_str("out:\n  ret void\n");
        text
    }
    fn last_label(&self, text: &str) -> String {
        let label = text.lines().rfind(|l| !l.starts_with(' ')).expect("a label");
        label.trim_end_matches(':').to_owned()
    }

    /// A loop with header `%loop{id}`, entered from `from`, exiting to `out`.
    fn loop_text(&mut self, id: &str, from: &str, out: &str, nested: bool) -> String {
        let width = self.width;
        let outer = self.inside.clone();
        let phis = 1 + self.dice.below(2);
        let mut updates = Vec::new();
        let mut header = String::new();
        for i in 0..phis {
            let (phi, start) = (format!("%iv{id}.{i}"), self.invariant());
            let start = if !outer.is_empty() && self.dice.chance(30) { outer[0].clone() } else { start };
            let _ =
                writeln!(header, "  {phi} = phi i{width} [ {start}, %{from} ], [ {phi}.next, %latch{id} ]");
            self.inside.push(phi.clone());
            updates.push(phi);
        }
        let mut text = format!("loop{id}:\n{header}");
        for (i, phi) in updates.iter().enumerate() {
            let update = match self.dice.below(14) {
                0 => format!("lshr i{width} {phi}, 1"),
                1 => format!("{} i{width} {phi}, 1", self.dice.pick(&["ashr", "shl", "mul", "xor"])),
                // A quadratic recurrence.
                2 | 3 if i == 1 => format!("add {}i{width} {phi}, {}", self.flags(), updates[0]),
                4 => format!("sub {}i{width} {phi}, {}", self.flags(), self.step()),
                _ => format!("add {}i{width} {phi}, {}", self.flags(), self.step()),
            };
            self.line(&format!("{phi}.next = {update}"));
            self.inside.push(format!("{phi}.next"));
        }
        text.push_str(&std::mem::take(&mut self.block));
        let exits = 1 + usize::from(self.dice.chance(35)) + usize::from(self.dice.chance(10));
        if nested {
            let inner_out = format!("after{id}");
            let _ = writeln!(text, "  br label %pre{id}\npre{id}:\n  br label %loop{id}1");
            let saved = self.inside.clone();
            text.push_str(&self.loop_text(&format!("{id}1"), &format!("pre{id}"), &inner_out, false));
            self.inside = saved;
            let _ = writeln!(text, "{inner_out}:");
        }
        for exit in 0..exits {
            let (next, last) = (format!("next{id}.{exit}"), exit + 1 == exits);
            if self.dice.chance(12) {
                self.line("call void @stop()");
            }
            // An exit that is not reached in every iteration.
            if self.dice.chance(15) {
                let sometimes = self.sometimes();
                self.line(&format!("br i1 {sometimes}, label %side{id}.{exit}, label %{next}"));
                let _ = writeln!(self.block, "side{id}.{exit}:");
            }
            self.exit_branch(&next, out);
            let _ = writeln!(self.block, "{next}:");
            if last {
                self.line(&format!("br label %latch{id}"));
            }
        }
        text.push_str(&std::mem::take(&mut self.block));
        let _ = writeln!(text, "latch{id}:\n  br label %loop{id}");
        self.inside = outer;
        text
    }
    fn sometimes(&mut self) -> String {
        let name = self.name("s");
        if self.dice.chance(50) {
            self.line(&format!("{name} = call i1 @unknown()"));
        } else {
            let of = self.varying();
            self.line(&format!("{name} = trunc i{} {of} to i1", self.width));
        }
        name
    }
    fn varying(&mut self) -> String {
        let i = self.dice.below(self.inside.len());
        self.inside[i].clone()
    }
    fn exit_branch(&mut self, next: &str, out: &str) {
        let width = self.width;
        if self.dice.chance(7) {
            let of = self.varying();
            let mut cases: Vec<String> = (0..1 + self.dice.below(3)).map(|_| self.constant()).collect();
            cases.sort();
            cases.dedup();
            let (default, special) = if self.dice.chance(60) { (next, out) } else { (out, next) };
            let cases: Vec<String> =
                cases.iter().map(|c| format!("i{width} {c}, label %{special}")).collect();
            self.line(&format!("switch i{width} {of}, label %{default} [ {} ]", cases.join(" ")));
            return;
        }
        let condition = self.condition(2);
        let (a, b) = if self.dice.chance(50) { (next, out) } else { (out, next) };
        self.line(&format!("br i1 {condition}, label %{a}, label %{b}"));
    }
    fn condition(&mut self, depth: u32) -> String {
        let name = self.name("t");
        if depth > 0 && self.dice.chance(22) {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            let form = combined(self.dice, &a, &b);
            self.line(&format!("{name} = {form}"));
            return name;
        }
        if self.dice.chance(6) {
            let (op, of, by) = (
                self.dice.pick(&["uadd", "sadd", "usub", "ssub", "umul", "smul"]),
                self.varying(),
                self.constant(),
            );
            let width = self.width;
            self.line(&format!(
                "{name}.w = call {{i{width}, i1}} @llvm.{op}.with.overflow.i{width}(i{width} {of}, i{width} {by})"
            ));
            self.line(&format!("{name} = extractvalue {{i{width}, i1}} {name}.w, 1"));
            return name;
        }
        let (mut width, mut left) = (self.width, self.varying());
        let mut right = if self.dice.chance(12) { self.varying() } else { self.invariant() };
        if self.dice.chance(15) {
            let cast = self.dice.pick(&["zext", "sext"]);
            let wide = width + 2;
            self.line(&format!("{name}.l = {cast} i{width} {left} to i{wide}"));
            left = format!("{name}.l");
            let cast = self.dice.pick(&["zext", "sext"]);
            self.line(&format!("{name}.r = {cast} i{width} {right} to i{wide}"));
            right = format!("{name}.r");
            width = wide;
        } else if width > 2 && self.dice.chance(8) {
            self.line(&format!("{name}.l = trunc i{width} {left} to i{}", width - 1));
            self.line(&format!("{name}.r = trunc i{width} {right} to i{}", width - 1));
            (left, right) = (format!("{name}.l"), format!("{name}.r"));
            width -= 1;
        }
        if self.dice.chance(25) {
            std::mem::swap(&mut left, &mut right);
        }
        let pred = if self.dice.chance(50) {
            self.dice.pick(&PREDICATES)
        } else {
            self.dice.pick(&["ne", "ult", "slt", "sgt"])
        };
        self.line(&format!("{name} = icmp {pred} i{width} {left}, {right}"));
        name
    }
}
