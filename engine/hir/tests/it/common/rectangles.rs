//! Random nests for transforms, as text: mostly counted loops with few iterations, around loads and stores whose
//! subscripts sometimes coincide; plus a few instances of every hazard that a transform must handle.

use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_testkit::Dice;
use std::fmt::Write;

/// Bytes of each buffer.
const BUFFER: usize = 512;
/// The number of inputs for each nest.
pub(crate) const RUNS: u64 = 6;

/// Parameters of random nests.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Shape {
    /// The minimum and maximum nesting depth.
    pub(crate) depth: (usize, usize),
    /// Probability, in percent, of code beside the inner loop.
    pub(crate) beside: usize,
    /// Probability that a loop is followed by another of the same depth.
    pub(crate) siblings: usize,
    /// Probability that an innermost loop carries a value between iterations.
    pub(crate) carried: usize,
    /// Probability of each hazard.
    pub(crate) hazards: usize,
    /// Probability that a loop is inside an if that tests whether it runs.
    pub(crate) guarded: usize,
    /// Probability that all iterations update one sum, or the like.
    pub(crate) sums: usize,
}

/// Whether the two buffers of the nest with that seed may overlap.
fn may_overlap(seed: u64) -> bool {
    seed.is_multiple_of(8)
}

/// The text of a module with `@f`.
pub(crate) fn nest(seed: u64, shape: Shape) -> String {
    let mut dice = Dice::new(seed);
    let depth = dice.range(shape.depth.0, shape.depth.1);
    let coefficients = [(0..3).map(|_| dice.between(-3, 5)).collect(), vec![16, 4, 1], vec![1, 8, 32]];
    let coefficients: Vec<i64> = dice.pick(&coefficients);
    let mut maker = Maker {
        dice,
        shape,
        out: String::new(),
        next: 0,
        ivs: Vec::new(),
        coefficients,
        values: Vec::new(),
        left: None,
        sum: None,
        summed: "%m".to_owned(),
        bound: String::new(),
        again: false,
    };
    maker.out += "declare void @seen(i8)\ndeclare i8 @ends(i8) memory(none)\n\
        declare i8 @llvm.smax.i8(i8, i8)\ndeclare i8 @llvm.umin.i8(i8, i8)\n\n";
    if shape.sums > 0 && maker.dice.chance(shape.sums) {
        maker.sum = Some(maker.dice.pick(&SUMS));
    }
    let apart = if may_overlap(seed) { "" } else { " noalias" };
    let _ = writeln!(maker.out, "define i8 @f(ptr{apart} %p, ptr{apart} %q, i64 %n, i8 %m) {{");
    maker.out += "entry:\n  br label %start\nstart:\n";
    let mut end = maker.nest(depth, "start");
    if maker.dice.chance(shape.siblings.min(50)) {
        match maker.dice.below(6) {
            0 => maker.values.push("%between".to_owned()),
            1 => maker.out += "  store i8 %m, ptr %q\n",
            _ => {}
        }
        if maker.values.last().is_some_and(|value| value == "%between") {
            maker.out += "  %between = load i8, ptr %p\n";
        }
        maker.again = true;
        end = maker.nest(depth, &end);
    }
    let result = maker.left.clone().unwrap_or("0".to_owned());
    let _ = writeln!(maker.out, "  br label %end\nend:");
    let _ = end;
    let _ = writeln!(maker.out, "  ret i8 {result}\nout:\n  ret i8 9\n}}");
    maker.out
}

/// An input of the nest with seed `seed / RUNS`.
pub(crate) fn input(seed: u64) -> Input {
    let mut dice = Dice::new(seed);
    let mut buffer = || {
        let bytes: Vec<u8> = (0..BUFFER).map(|_| dice.below(256) as u8).collect();
        ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes)))
    };
    let (p, mut q) = (buffer(), buffer());
    if may_overlap(seed / RUNS) {
        q = ArgSpec::Alias { arg: 0, offset: dice.between(-3, 3) };
    }
    let (n, m) = (dice.below(6), dice.below(256));
    Input::new(vec![p, q, ArgSpec::Bits(n as u128), ArgSpec::Bits(m as u128)])
}

/// Operations that combine the sum with a value; the last two depend on the order.
const SUMS: [&str; 12] = [
    "add i8 S, V",
    "add nuw i8 V, S",
    "add nsw i8 S, V",
    "sub i8 S, V",
    "mul nsw i8 S, V",
    "and i8 V, S",
    "or disjoint i8 S, V",
    "xor i8 S, V",
    "call i8 @llvm.smax.i8(i8 S, i8 V)",
    "call i8 @llvm.umin.i8(i8 V, i8 S)",
    "sub i8 V, S",
    "add i8 S, S",
];

struct Maker {
    dice: Dice,
    shape: Shape,
    out: String,
    next: u32,
    /// The counters of the loops around the current place.
    ivs: Vec<String>,
    /// The usual coefficients of counters in subscripts.
    coefficients: Vec<i64>,
    /// The `i8` values in scope.
    values: Vec<String>,
    /// A value that is read after all loops.
    left: Option<String>,
    /// The operation of the sum, with `S` for the sum and `V` for a value; and the sum's current value.
    sum: Option<&'static str>,
    summed: String,
    /// The bound of the last loop, and whether the next one should have the same.
    bound: String,
    again: bool,
}

impl Maker {
    fn hazard(&mut self) -> bool {
        self.dice.chance(self.shape.hazards)
    }
    fn put(&mut self, text: &str) -> String {
        self.next += 1;
        let name = format!("%v{}", self.next);
        let _ = writeln!(self.out, "  {name} = {text}");
        name
    }
    /// Emits a loop with `depth - 1` loops in it, starting at the end of `from`; returns the block after it.
    fn nest(&mut self, depth: usize, from: &str) -> String {
        self.next += 1;
        let k = self.next;
        let same = std::mem::take(&mut self.again) && self.dice.chance(80);
        let bound = if same { self.bound.clone() } else { self.bound() };
        let carries = self.dice.chance(if depth == 1 { self.shape.carried } else { self.shape.carried / 3 });
        let start = self.values.last().cloned().unwrap_or("%m".to_owned());
        let is_guarded = self.dice.chance(self.shape.guarded);
        // The sum if the loop does not run.
        let unchanged = format!("[ {}, %{from} ]", self.summed);
        let (bound, from) = if is_guarded { self.guard(k, bound) } else { (bound, from.to_owned()) };
        let _ = writeln!(self.out, "  br label %h{k}\nh{k}:");
        let _ = writeln!(self.out, "  %i{k} = phi i64 [ 0, %{from} ], [ %i{k}.next, %l{k} ]");
        let kept = self.values.len();
        if carries {
            let _ = writeln!(self.out, "  %s{k} = phi i8 [ {start}, %{from} ], [ %s{k}.next, %l{k} ]");
            self.values.push(format!("%s{k}"));
        }
        if self.sum.is_some() {
            let _ =
                writeln!(self.out, "  %r{k} = phi i8 [ {}, %{from} ], [ %r{k}.next, %l{k} ]", self.summed);
            self.summed = format!("%r{k}");
            if self.hazard() {
                self.values.push(self.summed.clone());
            }
        }
        self.ivs.push(format!("%i{k}"));
        self.body(k, depth);
        let _ = writeln!(self.out, "  br label %l{k}\nl{k}:");
        let _ = writeln!(self.out, "  %i{k}.next = add nuw nsw i64 %i{k}, 1");
        let last = self.values.last().cloned().unwrap_or("%m".to_owned());
        if carries {
            let times = self.put(&format!("mul i8 %s{k}, 3"));
            let _ = writeln!(self.out, "  %s{k}.next = add i8 {times}, {last}");
        }
        if let Some(sum) = self.sum {
            if depth == 1 {
                let text = sum.replace('S', &self.summed).replace('V', &last);
                self.summed = self.put(&text);
            }
            let next = format!("[ {}, %l{k} ]", self.summed);
            self.out = self.out.replace(&format!("[ %r{k}.next, %l{k} ]"), &next);
            if self.ivs.len() == 1 {
                self.left = Some(self.summed.clone());
            }
        }
        let more = self.test(k, &bound);
        let _ = writeln!(self.out, "  br i1 {more}, label %h{k}, label %x{k}\nx{k}:");
        self.ivs.pop();
        self.bound = bound;
        self.values.truncate(kept);
        if is_guarded {
            self.join_guard(k, &unchanged);
            return format!("z{k}");
        }
        if carries && self.dice.chance(50) {
            // The value of the last iteration.
            self.values.push(format!("%s{k}"));
            if self.ivs.is_empty() {
                self.left = Some(format!("%s{k}"));
            }
        }
        format!("x{k}")
    }
    /// Emits the body of loop `k`, with `depth - 1` loops in it.
    fn body(&mut self, k: u32, depth: usize) {
        let mut block = format!("h{k}");
        if self.hazard() {
            block = self.exit(k);
        }
        if depth > 1 {
            if self.dice.chance(self.shape.beside) {
                block = self.statements(&block);
            }
            block = self.nest(depth - 1, &block);
            if self.dice.chance(self.shape.siblings) {
                self.again = true;
                block = self.nest(depth - 1, &block);
            }
            if self.dice.chance(self.shape.beside) {
                self.statements(&block);
            }
        } else {
            self.statements(&block);
        }
        if self.hazard() {
            self.exit(k);
        }
    }
    /// Emits the test of loop `k`; returns whether another iteration follows.
    fn test(&mut self, k: u32, bound: &str) -> String {
        if self.hazard() {
            // The trip count is unknown.
            let at = self.put(&format!("getelementptr i8, ptr %q, i64 %i{k}"));
            let value = self.put(&format!("load i8, ptr {at}"));
            self.put(&format!("icmp ult i8 {value}, 200"))
        } else {
            self.put(&format!("icmp ult i64 %i{k}.next, {bound}"))
        }
    }
    /// Ends the if around loop `k`; `unchanged` is the phi entry of the sum if the loop does not run.
    fn join_guard(&mut self, k: u32, unchanged: &str) {
        if self.dice.chance(10) && !self.ivs.is_empty() {
            self.store();
        }
        let _ = writeln!(self.out, "  br label %z{k}\nz{k}:");
        if self.sum.is_some() {
            self.summed = self.put(&format!("phi i8 [ {}, %x{k} ], {unchanged}", self.summed));
            if self.ivs.is_empty() {
                self.left = Some(self.summed.clone());
            }
        }
    }
    /// Emits an if around loop `k`; returns the loop's bound and the block that enters it. Some ifs test something
    /// else than whether the loop runs, and some have code before the loop.
    fn guard(&mut self, k: u32, bound: String) -> (String, String) {
        let bound = if self.dice.chance(80) { "%n".to_owned() } else { bound };
        let asks = if self.dice.chance(90) { bound.clone() } else { "%n".to_owned() };
        let (left, sign) = if self.dice.chance(90) { ("0", "ult") } else { ("3", "ne") };
        let runs = self.put(&format!("icmp {sign} i64 {left}, {asks}"));
        let _ = writeln!(self.out, "  br i1 {runs}, label %b{k}, label %z{k}\nb{k}:");
        let kept = self.values.len();
        if self.dice.chance(10) && !self.ivs.is_empty() {
            self.statement();
        }
        self.values.truncate(kept);
        (bound, format!("b{k}"))
    }
    fn bound(&mut self) -> String {
        if self.hazard() && !self.ivs.is_empty() {
            let outer = self.dice.pick(&self.ivs);
            return match self.dice.chance(30) {
                true => outer,
                false => self.put(&format!("add nuw nsw i64 {outer}, 2")),
            };
        }
        match self.dice.below(6) {
            0 => "%n".to_owned(),
            _ => self.dice.range(1, 7).to_string(),
        }
    }
    /// Emits an exit of loop `k`, to the loop's exit block or out of all loops.
    fn exit(&mut self, k: u32) -> String {
        self.next += 1;
        let on = format!("g{}", self.next);
        let leaves = if self.dice.chance(30) {
            let value = self.dice.range(1, 3);
            self.put(&format!("icmp eq i64 %i{k}, {value}"))
        } else {
            let at = self.address();
            let value = self.put(&format!("load i8, ptr {at}"));
            self.put(&format!("icmp ult i8 {value}, 30"))
        };
        // The sum is incomplete at an early exit.
        let to = if self.sum.is_some() || self.dice.chance(60) { "out".to_owned() } else { format!("x{k}") };
        let _ = writeln!(self.out, "  br i1 {leaves}, label %{to}, label %{on}\n{on}:");
        on
    }
    fn statements(&mut self, block: &str) -> String {
        let mut block = block.to_owned();
        if self.dice.chance(70) {
            self.load();
        }
        for _ in 0..self.dice.range(1, 3) {
            if self.dice.chance(12) {
                self.next += 1;
                let k = self.next;
                let iv = self.dice.pick(&self.ivs);
                let holds = self.put(&format!("icmp ult i64 {iv}, 2"));
                let _ = writeln!(self.out, "  br i1 {holds}, label %t{k}, label %j{k}\nt{k}:");
                let inside = self.values.len();
                self.statement();
                self.values.truncate(inside);
                let _ = writeln!(self.out, "  br label %j{k}\nj{k}:");
                block = format!("j{k}");
            } else {
                self.statement();
            }
        }
        if self.dice.chance(70) {
            self.store();
        }
        block
    }
    fn load(&mut self) {
        let at = self.address();
        let name = self.put(&format!("load i8, ptr {at}"));
        self.values.push(name);
    }
    fn store(&mut self) {
        let value = self.value();
        let at = self.address();
        let _ = writeln!(self.out, "  store i8 {value}, ptr {at}");
    }
    fn statement(&mut self) {
        if self.hazard() {
            let value = self.value();
            match self.dice.below(4) {
                0 => {
                    let _ = writeln!(self.out, "  call void @seen(i8 {value})");
                }
                1 => {
                    let name = self.put(&format!("call i8 @ends(i8 {value})"));
                    self.values.push(name);
                }
                2 => {
                    let at = self.address();
                    let name = self.put(&format!("load volatile i8, ptr {at}"));
                    self.values.push(name);
                }
                _ => {
                    let by = self.put(&format!("and i8 {value}, 3"));
                    let name = self.put(&format!("udiv i8 100, {by}"));
                    self.values.push(name);
                }
            }
            return;
        }
        match self.dice.below(10) {
            0..=3 => self.load(),
            4 => {
                let (a, b) = (self.value(), self.value());
                let op = self.dice.pick(&["add nuw", "xor", "mul", "sub nsw"]);
                let name = self.put(&format!("{op} i8 {a}, {b}"));
                let name = self.put(&format!("freeze i8 {name}"));
                self.values.push(name);
            }
            5 => {
                let iv = self.dice.pick(&self.ivs);
                let name = self.put(&format!("trunc i64 {iv} to i8"));
                self.values.push(name);
            }
            _ => self.store(),
        }
    }
    fn value(&mut self) -> String {
        if self.values.is_empty() || self.dice.chance(10) {
            return self.dice.pick(&["%m".to_owned(), "3".to_owned()]);
        }
        let newest = self.values.len() - 1;
        let at = if self.dice.chance(70) { newest } else { self.dice.below(self.values.len()) };
        self.values[at].clone()
    }
    fn address(&mut self) -> String {
        let base = self.dice.pick(&["%p", "%p", "%p", "%q"]);
        let shift = self.dice.pick(&[0, 0, 1, -1, 2, 3, -4, 15, 17, -8]);
        let mut sum = (160 + shift).to_string();
        for (at, iv) in self.ivs.clone().into_iter().enumerate() {
            let usual = self.coefficients.get(at).copied().unwrap_or(1);
            let by = match self.dice.below(10) {
                0..=7 => usual,
                8 => 0,
                _ => self.dice.pick(&[1, 2, -1, -2, 5]),
            };
            if by != 0 {
                let term = self.put(&format!("mul i64 {iv}, {by}"));
                sum = self.put(&format!("add i64 {sum}, {term}"));
            }
        }
        if self.dice.chance(8) {
            // An index from memory.
            let at = self.put(&format!("getelementptr inbounds i8, ptr %q, i64 {sum}"));
            let index = self.put(&format!("load i8, ptr {at}"));
            let index = self.put(&format!("and i8 {index}, 15"));
            sum = self.put(&format!("zext i8 {index} to i64"));
        }
        self.put(&format!("getelementptr inbounds i8, ptr {base}, i64 {sum}"))
    }
}
