//! Judges counts and facts by executions of the interpreter: P2 and P5 to P7 of docs/semantics.md, from their
//! definitions.
//!
//! Claims about a loop are evaluated when the loop is entered, and checked at every header arrival and every edge
//! taken. A violation counts only if the execution ends without UB and is not cut short.

use backedge_analysis::LoopId;
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::entity::{Block, EntityId, FuncId};
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use backedge_scev::{Cast, Expr, LoopCounts, NAry, Node, ScalarEvolution};
use std::collections::HashMap;
use std::sync::Arc;

/// A value of a small width; `None` if it is poison or divides by zero.
type Number = Option<u128>;

/// All claims about one loop.
struct Claimed {
    l: LoopId,
    counts: Arc<LoopCounts>,
    /// Add recurrences of the loop with known flags.
    recurrences: Vec<Expr>,
}

/// The results for one function.
#[derive(Default, Debug)]
pub(crate) struct Verdict {
    /// Loops exited with an exact count.
    pub(crate) confirmed: usize,
    pub(crate) violations: Vec<String>,
}

struct Watch<'s, 'a> {
    scev: &'s ScalarEvolution<'a>,
    claims: &'s [Claimed],
    values: HashMap<Value, Number>,
    at: Option<Block>,
    /// The loops around the current block, with iteration numbers and claims evaluated at their entry.
    running: Vec<Running>,
    found: Vec<String>,
    confirmed: usize,
}

struct Running {
    claim: usize,
    iteration: u128,
    exact: Option<Number>,
    constant_max: Option<Number>,
    symbolic_max: Option<Number>,
    exits: Vec<(Option<Number>, Option<Number>)>,
    /// Start and step of each recurrence.
    recurrences: Vec<(Number, Number)>,
}

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}
fn signed(value: u128, width: u32) -> i128 {
    if value >> (width - 1) & 1 != 0 { value as i128 - (1 << width) } else { value as i128 }
}

impl Watch<'_, '_> {
    fn evaluate(&self, expr: Expr) -> Number {
        let width = self.scev.width(expr);
        let operand = |e: &Expr| self.evaluate(*e);
        match self.scev.node(expr) {
            Node::Constant(value) => Some(value.bits()),
            Node::Unknown(value) => {
                *self.values.get(&value).unwrap_or_else(|| panic!("{value:?} not computed"))
            }
            Node::Cast(Cast::Trunc, of) => Some(self.evaluate(of)? & mask(width)),
            Node::Cast(Cast::SExt, of) => {
                Some(signed(self.evaluate(of)?, self.scev.width(of)) as u128 & mask(width))
            }
            Node::Cast(Cast::ZExt | Cast::PtrToInt, of) => self.evaluate(of),
            Node::UDiv([a, b]) => self.evaluate(a)?.checked_div(self.evaluate(b)?),
            Node::NAry(NAry::UMinSeq, operands) => {
                let mut least = u128::MAX;
                for e in operands.iter() {
                    least = least.min(self.evaluate(*e)?);
                    if least == 0 {
                        break;
                    }
                }
                Some(least)
            }
            Node::NAry(op, operands) => {
                let all: Vec<u128> = operands.iter().map(operand).collect::<Option<_>>()?;
                let by_sign = |v: &u128| signed(*v, width);
                match op {
                    NAry::Add => Some(all.iter().sum::<u128>() & mask(width)),
                    NAry::Mul => Some(all.iter().fold(1, |p, v| (p * v) & mask(width))),
                    NAry::UMax => all.into_iter().max(),
                    NAry::UMin | NAry::UMinSeq => all.into_iter().min(),
                    NAry::SMax => all.into_iter().max_by_key(by_sign),
                    NAry::SMin => all.into_iter().min_by_key(by_sign),
                }
            }
            Node::AddRec(l, operands) => {
                let running = self.running.iter().find(|r| self.claims[r.claim].l == l);
                let i = running.expect("a recurrence of a loop around").iteration;
                let mut sum = 0u128;
                let mut binomial = 1u128;
                for (k, e) in operands.iter().enumerate() {
                    let k = k as u128;
                    if k > 0 {
                        binomial = if i < k { 0 } else { binomial * (i - k + 1) / k };
                    }
                    // A term with coefficient zero does not matter, even if it is poison.
                    if binomial > 0 {
                        sum = sum.wrapping_add(self.evaluate(*e)?.wrapping_mul(binomial));
                    }
                }
                Some(sum & mask(width))
            }
            Node::CouldNotCompute => panic!("no value"),
        }
    }
    fn known(&self, expr: Expr) -> Option<Number> {
        (!self.scev.is_could_not_compute(expr)).then(|| self.evaluate(expr))
    }
    fn violated(&mut self, what: String) {
        if self.found.len() < 3 {
            self.found.push(what);
        }
    }

    fn enters(&mut self, claim: usize) {
        let of = &self.claims[claim];
        let counts = Arc::clone(&of.counts);
        let recurrences = of.recurrences.iter().map(|e| match self.scev.node(*e) {
            Node::AddRec(_, operands) => (self.evaluate(operands[0]), self.evaluate(operands[1])),
            _ => (None, None),
        });
        let running = Running {
            claim,
            iteration: 0,
            exact: self.known(counts.exact),
            constant_max: self.known(counts.constant_max),
            symbolic_max: self.known(counts.symbolic_max),
            exits: counts
                .exits
                .iter()
                .map(|(_, e)| (self.known(e.exact), self.known(e.constant_max)))
                .collect(),
            recurrences: recurrences.collect(),
        };
        self.running.push(running);
    }
    /// Checks a header arrival, after `taken` backedges.
    fn arrives(&mut self) {
        let Some(running) = self.running.last() else { return };
        let taken = running.iteration;
        let l = self.claims[running.claim].l;
        let mut wrong = Vec::new();
        let mut bound = |name: &str, most: Option<Number>| {
            if let Some(Some(most)) = most
                && taken > most
            {
                wrong.push(format!("{l:?}: {name} {most}, but {taken} backedges taken"));
            }
        };
        bound("exact", running.exact);
        bound("constant max", running.constant_max);
        bound("symbolic max", running.symbolic_max);
        running.exits.iter().for_each(|(_, most)| bound("exit's max", *most));
        for (e, (start, step)) in self.claims[running.claim].recurrences.iter().zip(&running.recurrences) {
            let (Some(start), Some(step)) = (start, step) else { continue };
            let (width, flags) = (self.scev.width(*e), self.scev.flags(*e));
            let by = signed(*step, width);
            if flags.nuw() && start + step * taken > mask(width) {
                wrong.push(format!("{l:?}: {start} + {taken} * {step} is not nuw in i{width}"));
            }
            let sum = signed(*start, width) + by * taken as i128;
            if flags.nsw() && signed(sum as u128 & mask(width), width) != sum {
                wrong.push(format!("{l:?}: {start} + {taken} * {by} is not nsw in i{width}"));
            }
            if flags.nw() && by.unsigned_abs() * taken > mask(width) {
                wrong.push(format!("{l:?}: {start} + {taken} * {by} is not nw in i{width}"));
            }
        }
        wrong.into_iter().for_each(|w| self.violated(w));
    }
    /// Checks an edge from `from` in the running loop; `leaves` says whether it leaves the loop.
    fn passes(&mut self, index: usize, from: Block, leaves: bool) {
        let running = &self.running[index];
        let of = &self.claims[running.claim];
        let i = running.iteration;
        let mut wrong = Vec::new();
        for ((block, exit), (count, _)) in of.counts.exits.iter().zip(&running.exits) {
            if *block != from {
                continue;
            }
            let l = of.l;
            if exit.never && leaves {
                wrong.push(format!("{l:?}: {block:?} never leaves, but does in iteration {i}"));
            }
            match count {
                Some(None) => {
                    wrong.push(format!("{l:?}: the count of {block:?} is poison, but it is reached"))
                }
                Some(Some(n)) if i < *n && leaves || i == *n && !leaves => {
                    wrong.push(format!("{l:?}: {block:?} has count {n}; iteration {i} leaves: {leaves}"));
                }
                _ => {}
            }
        }
        if leaves {
            let l = of.l;
            if let Some(Some(exact)) = running.exact {
                self.confirmed += 1;
                if exact != i {
                    wrong.push(format!("{l:?}: exact {exact}, but {i} taken"));
                }
            }
            let multiple = of.counts.trip_multiple.bits();
            if !(i + 1).is_multiple_of(multiple) {
                wrong.push(format!("{l:?}: {} iterations, not a multiple of {multiple}", i + 1));
            }
            if of.counts.max_or_zero
                && let Some(Some(most)) = running.constant_max
                && i != 0
                && i != most
            {
                wrong.push(format!("{l:?}: {most} or zero, but {i} taken"));
            }
        }
        wrong.into_iter().for_each(|w| self.violated(w));
    }
}

impl Observer for Watch<'_, '_> {
    fn call(&mut self, entry: Entry<'_>) {
        for (i, value) in entry.args.iter().enumerate() {
            let arg = Value::Arg(backedge_ir::entity::Arg::from_index(i));
            let width = self.scev.body().ty(arg).int_bits().expect("an integer");
            self.values.insert(arg, number(value, width));
        }
        self.at = self.scev.body().entry();
    }
    fn enter(&mut self, _: FuncId, block: Block, _: usize) {
        let loops = self.scev.loops();
        if let Some(from) = self.at {
            for index in (0..self.running.len()).rev() {
                let l = self.claims[self.running[index].claim].l;
                let leaves = !loops.contains(l, block);
                self.passes(index, from, leaves);
            }
        }
        self.running.retain(|r| loops.contains(self.claims[r.claim].l, block));
        self.at = Some(block);
        if let Some(claim) = self.claims.iter().position(|c| loops.header(c.l) == block) {
            match self.running.iter_mut().find(|r| r.claim == claim) {
                Some(running) => running.iteration += 1,
                None => self.enters(claim),
            }
            self.arrives();
        }
    }
    fn step(&mut self, done: Done<'_>) {
        if let (Some(width), Some(value)) = (self.scev.body().inst(done.inst).ty.int_bits(), done.value) {
            self.values.insert(done.inst.into(), number(value, width));
        }
    }
}

fn number(value: &Val, width: u32) -> Number {
    value.as_int(width).map(|v| v.bits())
}

/// Executes `func` on all its inputs, including poison, `choosers` times each. The counts of all loops must have been
/// queried from `scev` before.
pub(crate) fn judge(scev: &mut ScalarEvolution<'_>, module: &Module, func: FuncId, choosers: u64) -> Verdict {
    let loops = scev.loops();
    let mut claims = Vec::new();
    for l in loops.ids() {
        let counts = scev.counts(l);
        let recurrences = scev.arena().iter().filter(|e| match scev.node(*e) {
            Node::AddRec(of, operands) => of == l && operands.len() == 2 && !scev.flags(*e).is_empty(),
            _ => false,
        });
        claims.push(Claimed { l, counts, recurrences: recurrences.collect() });
    }
    let config = Config { fuel: 3000, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let body = module.body(func).expect("a definition");
    let widths: Vec<u32> = body.args().map(|a| body.ty(a.into()).int_bits().expect("an integer")).collect();
    let all = backedge_interp::batch::Exhaustive::new(widths, true).expect("few inputs");
    let mut verdict = Verdict::default();
    let mut input = Input::new(Vec::<ArgSpec>::new());
    for number in 0..all.count() {
        all.fill(number, &mut input);
        for seed in 0..choosers {
            let mut watch = Watch {
                scev,
                claims: &claims,
                values: HashMap::new(),
                at: None,
                running: Vec::new(),
                found: Vec::new(),
                confirmed: 0,
            };
            let mut chooser = RandomChooser::new(seed);
            let run = machine.run(func, &input, &mut chooser, &mut watch).expect("inputs that fit");
            if run.outcome.shows_nothing() || matches!(run.outcome, Outcome::Ub { .. }) {
                continue;
            }
            if matches!(run.outcome, Outcome::Diverges { .. }) {
                // One of the surrounding loops runs forever.
                let ends = |r: &Running| r.exact.flatten().is_some() || r.constant_max.is_some();
                if watch.running.iter().all(ends) {
                    watch.found.push("all loops have counts, but one runs forever".to_owned());
                }
            }
            verdict.confirmed += watch.confirmed;
            for found in watch.found {
                verdict
                    .violations
                    .push(format!("{:?}, chooser {seed}: {:?}: {found}", input.args, run.outcome));
            }
        }
    }
    verdict
}
