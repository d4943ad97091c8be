//! Writes random loops for the vectorizer: accesses at consecutive and other addresses, arithmetic, reductions,
//! conditions, and exits.

use backedge_testkit::Dice;
use std::fmt::Write;

/// A loop under construction.
struct Writer {
    dice: Dice,
    body: String,
    phis: String,
    /// The 32-bit values available in the loop.
    values: Vec<String>,
    /// The values that may be used after the loop, from its latch and from the middle.
    last: Vec<String>,
    middle: Vec<String>,
    next: usize,
    /// The current block.
    block: String,
}

impl Writer {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%x{}", self.next)
    }
    fn value(&mut self) -> String {
        let constants = ["%a", "7", "-3", "0"];
        if self.dice.one_in(60) {
            return self.dice.pick(&["undef", "%loose"]).to_owned();
        }
        if self.values.is_empty() || self.dice.one_in(5) {
            return self.dice.pick(&constants).to_owned();
        }
        let at = self.dice.below(self.values.len());
        self.values[at].clone()
    }
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }
    fn define(&mut self, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        name
    }
    /// An address in the middle of a buffer.
    fn address(&mut self, size: i64) -> String {
        let base = self.dice.pick(&["%p", "%q", "%q"]);
        let scale = self.dice.pick(&[size, size, size, -size, 2 * size, 0, 3, -2 * size]);
        let offset = 160 + size * self.dice.pick(&[0, 0, 1, 2, -1, 3, 5]);
        let moved = self.define(&format!("mul i64 %i, {scale}"));
        let mut at = self.define(&format!("add i64 {moved}, {offset}"));
        if self.dice.one_in(8) {
            at = self.define(&format!("add i64 {at}, %m"));
        }
        if self.dice.one_in(12) {
            let value = self.value();
            let few = self.define(&format!("and i32 {value}, 63"));
            at = self.define(&format!("zext i32 {few} to i64"));
        }
        self.define(&format!("getelementptr i8, ptr {base}, i64 {at}"))
    }
    fn load(&mut self) {
        let bits = self.dice.pick(&[32, 32, 8, 16]);
        let at = self.address(bits / 8);
        let loaded = self.define(&format!("load i{bits}, ptr {at}, align 1"));
        let value = match bits {
            32 => loaded,
            _ => {
                let cast = self.dice.pick(&["sext", "zext"]);
                self.define(&format!("{cast} i{bits} {loaded} to i32"))
            }
        };
        self.values.push(value);
    }
    fn store(&mut self) {
        let bits = self.dice.pick(&[32, 32, 8, 16]);
        let value = self.value();
        let value = match bits {
            32 => value,
            _ => self.define(&format!("trunc i32 {value} to i{bits}")),
        };
        let at = self.address(bits / 8);
        self.line(&format!("store i{bits} {value}, ptr {at}, align 1"));
    }
    /// Loads of adjacent values, perhaps with a gap, or stores of all of them.
    fn neighbours(&mut self) {
        let (base, factor) = (self.dice.pick(&["%p", "%q", "%d"]), self.dice.pick(&[2, 2, 3]));
        let moved = self.define(&format!("mul i64 %i, {}", 4 * factor));
        let (stores, turned) = (self.dice.one_in(2), self.dice.one_in(3));
        let left_out = if stores { 9 } else { self.dice.pick(&[0, 1, 9, 9]) };
        let place = |n: i64| if turned { factor - 1 - n } else { n };
        for n in (0..factor).map(place).filter(|n| *n != left_out) {
            let at = self.define(&format!("add i64 {moved}, {}", 40 + 4 * n));
            let at = self.define(&format!("getelementptr i8, ptr {base}, i64 {at}"));
            if stores {
                let value = self.value();
                self.line(&format!("store i32 {value}, ptr {at}, align 1"));
            } else {
                let loaded = self.define(&format!("load i32, ptr {at}, align 1"));
                self.values.push(loaded);
            }
        }
    }
    /// A function of the iteration number, perhaps the same in several iterations, or a value loaded with it.
    fn of_counter(&mut self) -> String {
        let part = match self.dice.below(4) {
            0 => "%i".to_owned(),
            1 => self.define("lshr i64 %i, 1"),
            2 => self.define("lshr i64 %i, 2"),
            _ => self.define("and i64 %i, 3"),
        };
        if part != "%i" && self.dice.one_in(2) {
            let few = self.define(&format!("and i64 {part}, 63"));
            let at = self.define(&format!("getelementptr i32, ptr %q, i64 {few}"));
            return self.define(&format!("load i32, ptr {at}, align 1"));
        }
        self.define(&format!("trunc i64 {part} to i32"))
    }
    fn compute(&mut self) {
        let (a, b) = (self.value(), self.value());
        let op = self.dice.pick(&[
            "add",
            "add nsw",
            "sub nuw",
            "mul",
            "xor",
            "and",
            "or",
            "shl",
            "lshr exact",
            "udiv",
            "or disjoint",
        ]);
        let value = match self.dice.below(8) {
            7 => self.define(&format!("call i32 @silent(i32 {a}, i32 {b})")),
            0 => {
                let pred = self.dice.pick(&["eq", "slt", "ugt", "samesign ult"]);
                let bit = self.define(&format!("icmp {pred} i32 {a}, {b}"));
                let other = self.value();
                self.define(&format!("select i1 {bit}, i32 {a}, i32 {other}"))
            }
            1 => self.define(&format!("call i32 @llvm.smax.i32(i32 {a}, i32 {b})")),
            2 => self.define(&format!("freeze i32 {a}")),
            3 => {
                let narrow = self.define(&format!("trunc nuw i32 {a} to i8"));
                self.define(&format!("sext i8 {narrow} to i32"))
            }
            4 | 5 => self.of_counter(),
            _ if op == "udiv" => self.define(&format!("udiv i32 {a}, 5")),
            _ => self.define(&format!("{op} i32 {a}, {b}")),
        };
        self.values.push(value);
    }
    /// A phi that accumulates values of all iterations.
    fn collect(&mut self) {
        let (phi, next) = (self.name(), self.name());
        let start = self.dice.pick(&["%a", "0", "5"]);
        let _ = writeln!(self.phis, "  {phi} = phi i32 [ {start}, %entry ], [ {next}, %latch ]");
        let value = self.value();
        let condition = |this: &mut Self| {
            let compared = this.value();
            if this.dice.one_in(3) {
                // Poison in some iterations, which later iterations hide.
                let few = this.define(&format!("and i32 {compared}, 300"));
                let narrow = this.define(&format!("trunc nuw i32 {few} to i8"));
                return this.define(&format!("icmp ugt i8 {narrow}, 20"));
            }
            this.define(&format!("icmp sgt i32 {compared}, 20"))
        };
        let text = match self.dice.below(10) {
            0 => format!("add nsw i32 {phi}, {value}"),
            1 => format!("mul i32 {value}, {phi}"),
            2 => format!("xor i32 {phi}, {value}"),
            3 => format!("sub i32 {phi}, {value}"),
            4 => format!("call i32 @llvm.smax.i32(i32 {phi}, i32 {value})"),
            5 => {
                let less = self.define(&format!("icmp ult i32 {phi}, {value}"));
                format!("select i1 {less}, i32 {phi}, i32 {value}")
            }
            6 => {
                let bit = condition(self);
                format!("select i1 {bit}, i32 %b, i32 {phi}")
            }
            8 => {
                let bit = condition(self);
                format!("select i1 {bit}, i32 {value}, i32 {phi}")
            }
            7 => {
                let (sum, bit) = (self.define(&format!("add i32 {phi}, {value}")), condition(self));
                format!("select i1 {bit}, i32 {sum}, i32 {phi}")
            }
            _ => format!("and i32 {phi}, {value}"),
        };
        self.line(&format!("{next} = {text}"));
        if self.dice.one_in(4) {
            let place = self.dice.pick(&["%d", "%d", "%q", "%far"]);
            self.line(&format!("store i32 {next}, ptr {place}, align 1"));
        }
        self.last.extend([next, phi.clone()]);
        self.middle.push(phi);
    }
    /// A phi with a value of the previous iteration.
    fn hand_on(&mut self) {
        let handed = self.value();
        if !handed.starts_with("%x") {
            return;
        }
        let phi = self.name();
        let _ = writeln!(self.phis, "  {phi} = phi i32 [ %b, %entry ], [ {handed}, %latch ]");
        self.values.push(phi.clone());
        self.middle.push(phi);
    }
    /// A block that some iterations enter, perhaps with a nested one, and its result.
    fn branch(&mut self, deep: usize) {
        let compared = self.value();
        let pred = self.dice.pick(&["sgt", "ult", "ne"]);
        let flag = self.define(&format!("icmp {pred} i32 {compared}, 40"));
        self.next += 1;
        let (then, join, before) =
            (format!("then{}", self.next), format!("join{}", self.next), self.block.clone());
        let outside = self.values.clone();
        let ways = if self.dice.one_in(2) { [&then, &join] } else { [&join, &then] };
        self.line(&format!("br i1 {flag}, label %{}, label %{}", ways[0], ways[1]));
        let _ = writeln!(self.body, "{then}:");
        self.block = then;
        for _ in 0..1 + self.dice.below(3) {
            match self.dice.below(6) {
                0 | 1 => self.load(),
                2 | 3 => self.store(),
                4 if deep > 0 => self.branch(deep - 1),
                4 => {
                    let (a, b) = (self.value(), self.value());
                    let op = self.dice.pick(&["udiv", "sdiv", "urem", "srem"]);
                    let divided = self.define(&format!("{op} i32 {a}, {b}"));
                    self.values.push(divided);
                }
                _ => self.compute(),
            }
        }
        let inside = self.value();
        let collects = (deep == 1 && self.dice.one_in(2)).then(|| {
            let (phi, next) = (self.name(), self.name());
            let _ = writeln!(self.phis, "  {phi} = phi i32 [ %b, %entry ], [ {next}, %latch ]");
            let changed = match self.dice.below(3) {
                0 => self.define(&format!("add i32 {phi}, {inside}")),
                1 => self.define(&format!("xor i32 {inside}, {phi}")),
                _ if self.dice.one_in(2) => inside.clone(),
                _ => "%a".to_owned(),
            };
            (phi, next, changed)
        });
        let from = self.block.clone();
        self.line(&format!("br label %{join}"));
        let _ = writeln!(self.body, "{join}:");
        self.block = join;
        self.values = outside;
        let other = self.value();
        let merged = self.define(&format!("phi i32 [ {inside}, %{from} ], [ {other}, %{before} ]"));
        if let Some((phi, next, changed)) = collects {
            self.line(&format!("{next} = phi i32 [ {changed}, %{from} ], [ {phi}, %{before} ]"));
            self.last.extend([next, phi]);
        }
        self.values.push(merged);
    }
    /// A data-dependent exit condition from memory.
    fn exit_condition_from_memory(&mut self, count: &str) -> String {
        let at = match count {
            "i64" => "%c".to_owned(),
            _ => self.define(&format!("zext {count} %c to i64")),
        };
        if self.dice.one_in(3) {
            let low = self.define(&format!("trunc i64 {at} to i32"));
            let other = self.dice.pick(&["%a", "%b", "13"]);
            let mixed = self.define(&format!("xor i32 {low}, {other}"));
            let few = self.define(&format!("and i32 {mixed}, 15"));
            return self.define(&format!("icmp eq i32 {few}, 9"));
        }
        let scale = self.dice.pick(&[1, 1, 2, -1]);
        let moved = self.define(&format!("mul nsw i64 {at}, {scale}"));
        let at = self.define(&format!("add i64 {moved}, 100"));
        let at = self.define(&format!("getelementptr inbounds i8, ptr %p, i64 {at}"));
        let mut byte = self.define(&format!("load i8, ptr {at}, align 1"));
        if self.dice.one_in(3) {
            byte = self.define(&format!("add nuw i8 {byte}, 9"));
        }
        let pred = self.dice.pick(&["ult", "ult", "ugt"]);
        self.define(&format!("icmp {pred} i8 {byte}, 20"))
    }
    fn exit_value(&mut self, of: &[String]) -> String {
        if of.is_empty() || self.dice.one_in(4) {
            return self.dice.pick(&["%a", "9"]).to_owned();
        }
        let at = self.dice.below(of.len());
        of[at].clone()
    }
}

/// A function with one loop.
pub(super) fn program(seed: u64) -> String {
    let mut w = Writer {
        dice: Dice::new(seed),
        body: String::new(),
        phis: String::new(),
        values: Vec::new(),
        last: Vec::new(),
        middle: Vec::new(),
        next: 0,
        block: "loop".to_owned(),
    };
    let count = w.dice.pick(&["i64", "i64", "i32", "i8"]);
    let (start, by) = (w.dice.pick(&["0", "0", "%m", "-3"]), w.dice.pick(&["1", "1", "2", "-1"]));
    let steps = 2 + w.dice.below(6);
    let by_data = w.dice.one_in(2);
    let exit_at = w.dice.below(2 * steps);
    let mut middle = None;
    for step in 0..steps {
        match w.dice.below(8) {
            0 | 1 => w.load(),
            2 => w.store(),
            6 => w.branch(1),
            7 => w.neighbours(),
            3 if step > 0 => w.collect(),
            4 if step > 0 => w.hand_on(),
            _ => w.compute(),
        }
        if step == exit_at {
            let flag = match by_data {
                true => w.exit_condition_from_memory(count),
                false => w.define(&format!("icmp uge {count} %c, %k")),
            };
            let ways = if w.dice.one_in(4) { ["rest", "exit"] } else { ["exit", "rest"] };
            w.line(&format!("br i1 {flag}, label %{}, label %{}", ways[0], ways[1]));
            let _ = writeln!(w.body, "rest:");
            let values = [w.values.clone(), w.middle.clone()].concat();
            middle = Some((w.exit_value(&values), w.block.clone()));
            w.block = "rest".to_owned();
        }
    }
    let all = [w.values.clone(), w.last.clone()].concat();
    let values = [w.exit_value(&all), w.exit_value(&all)];
    let (first, last) = match &middle {
        Some((value, from)) => (format!("[ {value}, %{from} ], "), format!("[ 1, %{from} ], ")),
        None => (String::new(), String::new()),
    };
    // The iteration in which the loop exits.
    let mut phi = String::new();
    let (after, result) = match w.dice.pick(&["%i", "%i.next", "", ""]) {
        "" => ("", "%r"),
        counter => {
            let middle = middle.as_ref().map_or(String::new(), |(_, from)| format!("[ 3, %{from} ], "));
            phi = format!("  %w = phi i64 {middle}[ {counter}, %latch ]\n");
            ("  %far.come = trunc i64 %w to i32\n  %both = add i32 %r, %far.come\n", "%both")
        }
    };
    let certain = if w.dice.one_in(3) { "" } else { "noundef" };
    let (narrow, of_k) = match count {
        "i64" => ("  %nn = and i64 %n, 31\n".to_owned(), "  %k = add i64 %m, 0\n".to_owned()),
        _ => (
            format!("  %few = and i64 %n, 31\n  %nn = trunc i64 %few to {count}\n"),
            format!("  %k = trunc i64 %m to {count}\n"),
        ),
    };
    format!(
        "declare i32 @llvm.smax.i32(i32, i32)\n\
         define i32 @silent(i32 %x, i32 %y) memory(none) nounwind willreturn {{\n  %z = mul i32 %x, %y\n  \
         ret i32 %z\n}}\n\
         define i32 @f(ptr dereferenceable(400) align 1 %p, ptr %q, i64 {certain} %n, i64 %m, i32 %a, i32 %b, ptr %d) {{\nentry:\n\
         {narrow}{of_k}  %odd = trunc i64 %m to i1\n  %loose = select i1 %odd, i32 %a, i32 undef\n  \
         %far = getelementptr i8, ptr %p, i64 396\n  br label %loop\nloop:\n  \
         %i = phi i64 [ {start}, %entry ], [ %i.next, %latch ]\n  \
         %c = phi {count} [ 0, %entry ], [ %c.next, %latch ]\n{}{}  br label %latch\nlatch:\n  \
         %i.next = add i64 %i, {by}\n  %c.next = add {count} %c, 1\n  %again = icmp ult {count} %c.next, %nn\n  \
         br i1 %again, label %loop, label %exit\nexit:\n  %u = phi i32 {first}[ {}, %latch ]\n  \
         %v = phi i32 {last}[ {}, %latch ]\n{phi}  %r = xor i32 %u, %v\n{after}  ret i32 {result}\n}}\n",
        w.phis, w.body, values[0], values[1]
    )
}
