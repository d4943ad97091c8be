//! Random functions that test four-bit arguments before they enter a loop, with all their executions.

use backedge_testkit::Dice;
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The width of all values except conditions.
pub(crate) const WIDTH: u32 = 4;
const MASK: u128 = 15;
/// The number of iterations after which an execution repeats itself: there are only that many values.
const MOST_ITERATIONS: u128 = 17;
const PREDS: [&str; 10] = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];

/// An instruction: name, operation and operands.
#[derive(Clone, Debug)]
struct Step {
    name: String,
    op: String,
    operands: [Operand; 2],
}

#[derive(Clone, Debug)]
enum Operand {
    Name(String),
    Number(u128),
}

/// The values of all names at a point of an execution.
pub(crate) type Values = BTreeMap<String, u128>;

/// A point of an execution.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) values: Values,
    /// The iteration number.
    pub(crate) iteration: u128,
}

/// Observations from all executions without UB.
#[derive(Default, Debug)]
pub(crate) struct Seen {
    /// Each entry of the loop.
    pub(crate) entries: Vec<Moment>,
    /// Each arrival at the block `body`.
    pub(crate) bodies: Vec<Moment>,
    /// Each time that the backedge is taken.
    pub(crate) backedges: Vec<Moment>,
}

/// A function, and a model of its behavior.
pub(crate) struct Guarded {
    pub(crate) text: String,
    /// The steps of each entry block; each block ends with a test of its last value.
    guards: Vec<(Vec<Step>, bool)>,
    start: Operand,
    step: u128,
    flags: (bool, bool),
    /// The tests in the header and in the latch.
    inside: [(Vec<Step>, bool); 2],
    /// Names of four-bit values that are defined before the loop.
    pub(crate) before: Vec<String>,
}

struct Maker {
    dice: Dice,
    count: usize,
    names: Vec<String>,
}

impl Maker {
    fn operand(&mut self) -> Operand {
        if self.dice.random_bool(0.3) {
            return Operand::Number(self.dice.random_range(0..16));
        }
        Operand::Name(self.names.choose(&mut self.dice).expect("names").clone())
    }
    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("v{}", self.count)
    }
    /// Steps that compute a condition.
    fn condition(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut conditions: Vec<String> = Vec::new();
        for _ in 0..self.dice.random_range(1..3) {
            for _ in 0..self.dice.random_range(0..3) {
                let op = *["add", "sub", "urem", "udiv", "and", "mul", "umin", "smax", "lshr"]
                    .choose(&mut self.dice)
                    .expect("operations");
                let left = Operand::Name(self.names.choose(&mut self.dice).expect("names").clone());
                let right = match op {
                    "urem" | "udiv" | "mul" => Operand::Number(self.dice.random_range(1..7)),
                    "lshr" => Operand::Number(self.dice.random_range(0..4)),
                    "and" => Operand::Number(*[1u128, 3, 7].choose(&mut self.dice).expect("masks")),
                    _ => self.operand(),
                };
                let name = self.fresh();
                steps.push(Step { name: name.clone(), op: op.into(), operands: [left, right] });
                self.names.push(name);
            }
            let pred = *PREDS.choose(&mut self.dice).expect("predicates");
            let newest = self.names.last().cloned().expect("names");
            let left = if self.dice.random_bool(0.5) { Operand::Name(newest) } else { self.operand() };
            let right = self.operand();
            let name = self.fresh();
            steps.push(Step { name: name.clone(), op: format!("icmp {pred}"), operands: [left, right] });
            conditions.push(name);
        }
        if let [a, b] = conditions.as_slice() {
            let op =
                *["and i1", "or i1", "select and", "select or"].choose(&mut self.dice).expect("operations");
            let operands = [Operand::Name(a.clone()), Operand::Name(b.clone())];
            steps.push(Step { name: self.fresh(), op: op.into(), operands });
        }
        steps
    }
}

fn spelled(operand: &Operand) -> String {
    match operand {
        Operand::Name(name) => format!("%{name}"),
        Operand::Number(n) => n.to_string(),
    }
}

fn write_steps(text: &mut String, steps: &[Step]) {
    for Step { name, op, operands: [a, b] } in steps {
        let (a, b) = (spelled(a), spelled(b));
        let inst = match op.as_str() {
            "umin" | "smax" => format!("call i4 @llvm.{op}.i4(i4 {a}, i4 {b})"),
            "select and" => format!("select i1 {a}, i1 {b}, i1 false"),
            "select or" => format!("select i1 {a}, i1 true, i1 {b}"),
            "and i1" | "or i1" => format!("{op} {a}, {b}"),
            _ => format!("{op} i4 {a}, {b}"),
        };
        writeln!(text, "  %{name} = {inst}").expect("a string takes all");
    }
}

fn signed(v: u128) -> i128 {
    if v & 8 != 0 { v as i128 - 16 } else { v as i128 }
}

fn run(steps: &[Step], values: &mut Values) -> bool {
    let mut last = false;
    for step in steps {
        let of = |operand: &Operand| match operand {
            Operand::Name(name) => values[name],
            Operand::Number(n) => *n,
        };
        let (a, b) = (of(&step.operands[0]), of(&step.operands[1]));
        let (x, y) = (signed(a), signed(b));
        let value = match step.op.as_str() {
            "add" => (a + b) & MASK,
            "sub" => (a + 16 - b) & MASK,
            "mul" => (a * b) & MASK,
            "urem" => a % b,
            "udiv" => a / b,
            "lshr" => a >> b,
            "and" | "and i1" | "select and" => a & b,
            "or i1" | "select or" => a | b,
            "umin" => a.min(b),
            "smax" => {
                if x > y {
                    a
                } else {
                    b
                }
            }
            "icmp eq" => u128::from(a == b),
            "icmp ne" => u128::from(a != b),
            "icmp ugt" => u128::from(a > b),
            "icmp uge" => u128::from(a >= b),
            "icmp ult" => u128::from(a < b),
            "icmp ule" => u128::from(a <= b),
            "icmp sgt" => u128::from(x > y),
            "icmp sge" => u128::from(x >= y),
            "icmp slt" => u128::from(x < y),
            "icmp sle" => u128::from(x <= y),
            other => panic!("no operation {other}"),
        };
        values.insert(step.name.clone(), value);
        last = value != 0;
    }
    last
}

impl Guarded {
    pub(crate) fn new(seed: u64) -> Self {
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let mut maker = Maker { dice: Dice::new(seed), count: 0, names };
        let mut guards = Vec::new();
        for _ in 0..maker.dice.random_range(1..4) {
            guards.push((maker.condition(), maker.dice.random_bool(0.6)));
        }
        let before = maker.names.clone();
        let start = maker.operand();
        let step = *[1, 1, 1, 15, 2, 3].choose(&mut maker.dice).expect("steps");
        let flags = (maker.dice.random_bool(0.3), maker.dice.random_bool(0.3));
        maker.names.push("i".into());
        let header = (maker.condition(), maker.dice.random_bool(0.6));
        maker.names.push("i.next".into());
        let mut latch = maker.condition();
        // A poison next value must be UB, so the last test always compares it.
        let name = maker.fresh();
        let bound = maker.operand();
        let pred = *PREDS.choose(&mut maker.dice).expect("predicates");
        latch.push(Step {
            name,
            op: format!("icmp {pred}"),
            operands: [Operand::Name("i.next".into()), bound],
        });
        let latch = (latch, maker.dice.random_bool(0.7));
        let mut this =
            Self { text: String::new(), guards, start, step, flags, inside: [header, latch], before };
        this.write();
        this
    }
    fn write(&mut self) {
        let mut text = String::from("define void @f(i4 %a, i4 %b, i4 %c) {\n");
        for (i, (steps, truth)) in self.guards.iter().enumerate() {
            writeln!(text, "g{i}:").expect("a string takes all");
            write_steps(&mut text, steps);
            let next = if i + 1 == self.guards.len() { "header".into() } else { format!("g{}", i + 1) };
            Self::branch(&mut text, steps, *truth, &next);
        }
        let from = format!("g{}", self.guards.len() - 1);
        let start = spelled(&self.start);
        writeln!(text, "header:\n  %i = phi i4 [ {start}, %{from} ], [ %i.next, %body ]")
            .expect("a string takes all");
        write_steps(&mut text, &self.inside[0].0);
        Self::branch(&mut text, &self.inside[0].0, self.inside[0].1, "body");
        let flags = [(self.flags.0, " nuw"), (self.flags.1, " nsw")];
        let flags: String = flags.iter().filter(|(is, _)| *is).map(|(_, s)| *s).collect();
        writeln!(text, "body:\n  %i.next = add{flags} i4 %i, {}", self.step).expect("a string takes all");
        write_steps(&mut text, &self.inside[1].0);
        Self::branch(&mut text, &self.inside[1].0, self.inside[1].1, "header");
        text.push_str(
            "exit:\n  ret void\n}\ndeclare i4 @llvm.umin.i4(i4, i4)\ndeclare i4 @llvm.smax.i4(i4, i4)\n",
        );
        self.text = text;
    }
    fn branch(text: &mut String, steps: &[Step], truth: bool, next: &str) {
        let name = &steps.last().expect("a condition").name;
        let (yes, no) = if truth { (next, "exit") } else { ("exit", next) };
        writeln!(text, "  br i1 %{name}, label %{yes}, label %{no}").expect("a string takes all");
    }
    /// All executions, for all arguments.
    pub(crate) fn runs(&self) -> Seen {
        let mut all = Seen::default();
        for args in 0..1u128 << 12 {
            let mut values = Values::new();
            values.extend(
                [("a", args & 15), ("b", args >> 4 & 15), ("c", args >> 8)].map(|(n, v)| (n.into(), v)),
            );
            if self.guards.iter().all(|(steps, truth)| run(steps, &mut values) == *truth)
                && let Some(seen) = self.run_loop(values)
            {
                all.entries.extend(seen.entries);
                all.bodies.extend(seen.bodies);
                all.backedges.extend(seen.backedges);
            }
        }
        all
    }
    /// An execution from the entry of the loop on; `None` if it has UB.
    fn run_loop(&self, mut values: Values) -> Option<Seen> {
        let mut seen = Seen::default();
        seen.entries.push(Moment { values: values.clone(), iteration: 0 });
        let start = match &self.start {
            Operand::Name(name) => values[name],
            Operand::Number(n) => *n,
        };
        values.insert("i".into(), start);
        for iteration in 0..MOST_ITERATIONS {
            if run(&self.inside[0].0, &mut values) != self.inside[0].1 {
                break;
            }
            seen.bodies.push(Moment { values: values.clone(), iteration });
            let i = values["i"];
            let exact = (i + self.step, signed(i) + signed(self.step));
            if self.flags.0 && exact.0 > MASK || self.flags.1 && !(-8..8).contains(&exact.1) {
                return None;
            }
            values.insert("i.next".into(), exact.0 & MASK);
            if run(&self.inside[1].0, &mut values) != self.inside[1].1 {
                break;
            }
            seen.backedges.push(Moment { values: values.clone(), iteration });
            values.insert("i".into(), exact.0 & MASK);
        }
        Some(seen)
    }
}
