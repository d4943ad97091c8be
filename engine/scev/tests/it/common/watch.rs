//! Observes an execution and checks the analysis results: values equal their expressions (P3), and facts hold in their
//! scopes (P1, P2 of docs/semantics.md). Both are checked from their definitions: expressions are evaluated on the
//! current leaves, flags in unbounded integers. Violations count only if the execution ends without UB.

use backedge_analysis::LoopId;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Arg, Block, EntityId, FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_scev::expr::ExprPrinter;
use backedge_scev::{Cast, Expr, Flags, NAry, Node, ScalarEvolution};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// The value of an expression at a moment.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Now {
    Is(Int),
    Poison,
    /// A leaf is undefined, is no number, or is not computed yet: there is no claim.
    Unknown,
    /// A division by zero.
    Undefined,
}

/// A fact with the block from which it holds; `None` for its whole defining scope.
pub(crate) type Fact = (Expr, Option<Block>, Flags);

pub(crate) struct Watcher<'s, 'a> {
    scev: &'s ScalarEvolution<'a>,
    func: FuncId,
    /// The expressions to check values against.
    exprs: BTreeMap<Value, Vec<Expr>>,
    facts: Vec<Fact>,
    /// The leaves of the expressions in facts.
    leaves: BTreeSet<Value>,
    /// Values that depend on undefined bits: uses may see different bits, so there is no claim about them.
    undefined: BTreeSet<Value>,
    values: BTreeMap<Value, Now>,
    block: Option<Block>,
    /// The instructions executed in the current visit of the block.
    visited: BTreeSet<Inst>,
    /// The last executed instruction, if it is not checked yet: the interpreter may report it again, as poison.
    last: Option<Inst>,
    arrivals: BTreeMap<LoopId, u64>,
    seen: BTreeSet<String>,
    /// A phi with its claimed value at each arrival.
    history: Option<(Value, Vec<Option<Expr>>)>,
    pub(crate) violations: Vec<String>,
    /// Numbers of values and facts compared.
    pub(crate) compared: u64,
    pub(crate) facts_tested: u64,
}

impl<'s, 'a> Watcher<'s, 'a> {
    /// Checks all known expressions and facts against the executions of `func`.
    pub(crate) fn new(scev: &'s ScalarEvolution<'a>, func: FuncId) -> Self {
        let body = scev.body();
        let insts = body.all_insts().map(Value::Inst);
        let exprs = insts.map(|v| (v, scev.exprs(v).to_vec())).filter(|(_, e)| !e.is_empty()).collect();
        let mut facts: Vec<Fact> =
            scev.arena().iter().map(|e| (e, None, scev.flags(e))).filter(|f| !f.2.is_empty()).collect();
        facts.extend(scev.facts().all_scoped().map(|(e, block, flags)| (e, Some(block), flags)));
        let mut leaves = BTreeSet::new();
        for (expr, ..) in &facts {
            scev.arena().all_parts(*expr, |_, node| {
                leaves.extend(if let Node::Unknown(value) = node { Some(*value) } else { None });
                true
            });
        }
        Self {
            leaves,
            undefined: BTreeSet::new(),
            scev,
            func,
            exprs,
            facts,
            values: BTreeMap::new(),
            block: None,
            visited: BTreeSet::new(),
            last: None,
            arrivals: BTreeMap::new(),
            seen: BTreeSet::new(),
            history: None,
            violations: Vec::new(),
            compared: 0,
            facts_tested: 0,
        }
    }
    /// Also checks the value of `phi` at each header arrival against an expression.
    pub(crate) fn with_history(mut self, phi: Value, at: &[Option<Expr>]) -> Self {
        self.history = Some((phi, at.to_vec()));
        self
    }
    fn check_history(&mut self, value: Value) {
        let Some((phi, at)) = &self.history else { return };
        let l = self.block.and_then(|b| self.scev.loops().with_header(b));
        let arrival = l.and_then(|l| self.arrivals.get(&l)).map(|n| *n as usize);
        let (true, Some(arrival), Now::Is(is)) = (*phi == value, arrival, self.now(value)) else { return };
        let Some(Some(expr)) = at.get(arrival).copied() else { return };
        let said = self.evaluate(expr);
        self.compared += u64::from(said != Now::Unknown);
        if !matches!(said, Now::Unknown) && said != Now::Is(is) {
            self.violation(format!("at arrival {arrival} the phi is {is}, said is {said:?}"));
        }
    }
    /// Observes the values in executions of `func` without checking them.
    pub(crate) fn of_values(scev: &'s ScalarEvolution<'a>, func: FuncId) -> Self {
        let mut watcher = Self::new(scev, func);
        watcher.exprs.clear();
        watcher.facts.clear();
        watcher.leaves.clear();
        watcher
    }
    fn violation(&mut self, what: String) {
        if self.violations.len() < 20 && !self.violations.contains(&what) {
            self.violations.push(what);
        }
    }
    fn now(&self, value: Value) -> Now {
        if let Some(value) = self.scev.body().as_int(value) {
            return Now::Is(value);
        }
        self.values.get(&value).copied().unwrap_or(Now::Unknown)
    }
    fn of_val(&self, value: Value, val: &Val) -> Now {
        let ty = self.scev.body().ty(value);
        let Some(ty) = self.scev.expr_type(ty) else { return Now::Unknown };
        match val {
            Val::Poison => Now::Poison,
            _ => val.as_int(128.min(ty.width)).map_or(Now::Unknown, Now::Is),
        }
    }

    /// Evaluates `expr` on the current leaves.
    pub(crate) fn evaluate(&self, expr: Expr) -> Now {
        let arena = self.scev.arena();
        let mut known: BTreeMap<Expr, Now> = BTreeMap::new();
        let mut work = vec![expr];
        while let Some(&next) = work.last() {
            let node = arena.node(next);
            let before = work.len();
            work.extend(node.operands().iter().filter(|o| !known.contains_key(o)));
            if work.len() > before {
                continue;
            }
            work.pop();
            let mut operands: Vec<Now> = node.operands().iter().map(|o| known[o]).collect();
            if let Node::AddRec(l, _) = node
                && let Some(n) = self.arrivals.get(l)
            {
                // Terms that are added later do not matter yet.
                operands.truncate(usize::try_from(*n).unwrap_or(usize::MAX).saturating_add(1));
            }
            let now = match node {
                Node::Constant(value) => Now::Is(*value),
                Node::Unknown(value) => self.now(*value),
                Node::CouldNotCompute => Now::Unknown,
                Node::NAry(NAry::UMinSeq, _) => sequential(&operands),
                _ => match operands
                    .iter()
                    .find(|o| **o == Now::Unknown)
                    .or_else(|| operands.iter().find(|o| !matches!(o, Now::Is(_))))
                {
                    Some(worst) => *worst,
                    None => self.apply(node, &numbers(&operands), self.scev.width(next)),
                },
            };
            known.insert(next, now);
        }
        known[&expr]
    }
    fn apply(&self, node: &Node, all: &[Int], width: u32) -> Now {
        let first = all[0];
        let fold = |f: fn(Int, Int) -> Int| Now::Is(all[1..].iter().fold(first, |a, b| f(a, *b)));
        match node {
            Node::Cast(Cast::Trunc, _) => Now::Is(first.trunc(width)),
            Node::Cast(Cast::ZExt, _) => Now::Is(first.zext(width)),
            Node::Cast(Cast::SExt, _) => Now::Is(first.sext(width)),
            Node::Cast(Cast::PtrToInt, _) => Now::Is(first),
            Node::NAry(op, _) => match op {
                NAry::Add => fold(Int::add),
                NAry::Mul => fold(Int::mul),
                NAry::UMax => fold(Int::umax),
                NAry::SMax => fold(Int::smax),
                NAry::UMin | NAry::UMinSeq => fold(Int::umin),
                NAry::SMin => fold(Int::smin),
            },
            Node::UDiv(_) => first.udiv(all[1]).map_or(Now::Undefined, Now::Is),
            Node::AddRec(l, _) => match self.arrivals.get(l) {
                Some(n) => Now::Is(chain(all, *n, width)),
                None => Now::Unknown,
            },
            Node::Constant(_) | Node::Unknown(_) | Node::CouldNotCompute => Now::Unknown,
        }
    }

    /// Checks the results of the last instruction, or of all phis of the block.
    fn check_last(&mut self) {
        let (Some(last), Some(block)) = (self.last.take(), self.block) else { return };
        let body = self.scev.body();
        if body.inst(last).kind.is_phi() {
            for phi in body.phis(block) {
                self.check_value(phi.into());
                self.check_history(phi.into());
            }
            self.check_facts();
        } else {
            self.check_value(last.into());
            if self.leaves.contains(&Value::Inst(last)) {
                self.check_facts();
            }
        }
    }
    fn check_value(&mut self, value: Value) {
        let Now::Is(is) = self.now(value) else { return };
        let Some(exprs) = self.exprs.get(&value).cloned() else { return };
        for expr in exprs {
            let said = self.evaluate(expr);
            if said == Now::Unknown {
                continue;
            }
            self.compared += 1;
            if said != Now::Is(is) {
                let printer = ExprPrinter::new(self.scev).limit(60);
                let name = printer.names().operand(value);
                let text = printer.text(self.scev, expr);
                self.violation(format!("{name} is {is}, but {text} is {said:?}"));
            }
        }
    }
    fn check_facts(&mut self) {
        let Some(block) = self.block else { return };
        for i in 0..self.facts.len() {
            let (expr, from, flags) = self.facts[i];
            let holds_here = match from {
                Some(from) => self.scev.dominators().dominates(from, block),
                None => self.is_in_scope(expr, block),
            };
            if holds_here {
                self.check_fact(expr, from, flags);
            }
        }
    }
    fn check_fact(&mut self, expr: Expr, from: Option<Block>, flags: Flags) {
        let node = self.scev.arena().node(expr).clone();
        let operands: Vec<Now> = node.operands().iter().map(|e| self.evaluate(*e)).collect();
        let all = numbers(&operands);
        if all.len() != operands.len() {
            return;
        }
        let arrival = if let Node::AddRec(l, _) = &node { self.arrivals.get(l).copied() } else { Some(0) };
        let Some(arrival) = arrival else { return };
        if !self.seen.insert(format!("{expr:?} {from:?} {arrival} {all:?}")) {
            return;
        }
        for kind in [Flags::NUW, Flags::NSW, Flags::NW] {
            if !flags.contains(kind) {
                continue;
            }
            self.facts_tested += 1;
            let holds = match &node {
                Node::NAry(NAry::Add, _) => sums_fit(&all, kind),
                Node::NAry(NAry::Mul, _) => products_fit(&all, kind),
                Node::AddRec(..) if all.len() == 2 => recurrence_fits(&all, arrival, kind),
                _ => true,
            };
            if !holds {
                let printer = ExprPrinter::new(self.scev).limit(60);
                let text = printer.text(self.scev, expr);
                let place = from.map_or(String::from("everywhere"), |b| printer.names().block(b));
                self.violation(format!(
                    "{kind:?} of {text} fails at arrival {arrival} for {all:?}; from {place}"
                ));
            }
        }
    }
    /// Whether all leaves of `expr` are defined at some point of `block`.
    fn is_in_scope(&self, expr: Expr, block: Block) -> bool {
        let dominators = self.scev.dominators();
        self.scev.arena().all_parts(expr, |_, node| match node {
            Node::Unknown(Value::Inst(inst)) => {
                self.scev.body().block_of(*inst).is_some_and(|b| dominators.dominates(b, block))
                    && self.values.contains_key(&Value::Inst(*inst))
                    && !self.is_later(*inst, block)
            }
            Node::AddRec(l, _) => dominators.dominates(self.scev.header(*l), block),
            _ => true,
        })
    }
    fn is_undefined_operand(&self, value: Value) -> bool {
        let is_undef = |c| matches!(self.scev.body().constant(c).data, ConstData::Undef);
        self.undefined.contains(&value) || value.as_const().is_some_and(is_undef)
    }
    /// Whether `inst`, an instruction of `block`, has not been executed yet in this visit.
    fn is_later(&self, inst: Inst, block: Block) -> bool {
        self.scev.body().block_of(inst) == Some(block) && !self.visited.contains(&inst)
    }
}

fn is_undefined(val: &Val) -> bool {
    match val {
        Val::Agg(members) => members.iter().any(is_undefined),
        _ => val.cube().is_some_and(|c| !c.is_known()),
    }
}

fn numbers(all: &[Now]) -> Vec<Int> {
    all.iter().filter_map(|o| if let Now::Is(v) = o { Some(*v) } else { None }).collect()
}

fn sequential(operands: &[Now]) -> Now {
    let mut least: Option<Int> = None;
    for operand in operands {
        match operand {
            Now::Is(value) => {
                least = Some(least.map_or(*value, |l| l.umin(*value)));
                if value.is_zero() {
                    break;
                }
            }
            other => return *other,
        }
    }
    least.map_or(Now::Unknown, Now::Is)
}

/// The value of a chain of recurrences at arrival `n`: the sum of `all[k] * binomial(n, k)`.
fn chain(all: &[Int], n: u64, width: u32) -> Int {
    let mut binomial = BigInt::from(1);
    let mut sum = BigInt::from(0);
    for (k, operand) in all.iter().enumerate() {
        sum += BigInt::from(operand.bits()) * &binomial;
        binomial = binomial * (BigInt::from(n) - k) / (k + 1);
    }
    let modulus = BigInt::from(1) << width;
    let reduced = ((sum % &modulus) + &modulus) % &modulus;
    Int::new(width, u128::try_from(reduced).expect("reduced"))
}

fn read(value: Int, kind: Flags) -> BigInt {
    if kind == Flags::NUW { BigInt::from(value.bits()) } else { BigInt::from(value.signed()) }
}
fn fits(value: &BigInt, width: u32, kind: Flags) -> bool {
    let (least, most) = if kind == Flags::NUW {
        (BigInt::from(0), Int::all_ones(width))
    } else {
        (BigInt::from(Int::signed_min(width).signed()), Int::signed_max(width))
    };
    *value >= least && *value <= BigInt::from(most.bits())
}
/// Whether every subset of the operands has a sum in range.
fn sums_fit(all: &[Int], kind: Flags) -> bool {
    let width = all[0].width();
    let values = || all.iter().map(|v| read(*v, kind));
    let zero = BigInt::from(0);
    let positive: BigInt = values().filter(|v| *v > zero).sum();
    let negative: BigInt = values().filter(|v| *v < zero).sum();
    fits(&positive, width, kind) && fits(&negative, width, kind)
}
/// Whether every subset of the operands has a product in range.
fn products_fit(all: &[Int], kind: Flags) -> bool {
    let width = all[0].width();
    (1u32..1 << all.len()).all(|subset| {
        let chosen = all.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
        fits(&chosen.map(|(_, v)| read(*v, kind)).product(), width, kind)
    })
}
/// P2 of docs/semantics.md at all arrivals up to this one.
fn recurrence_fits(all: &[Int], arrival: u64, kind: Flags) -> bool {
    let width = all[0].width();
    if kind == Flags::NW {
        let step = all[1].signed().unsigned_abs();
        return BigInt::from(step) * arrival <= BigInt::from(Int::all_ones(width).bits());
    }
    // The value is monotone, so checking the ends is sufficient.
    let start = read(all[0], kind);
    let now = &start + read(all[1], kind) * arrival;
    fits(&now, width, kind)
}

impl Observer for Watcher<'_, '_> {
    fn call(&mut self, entry: Entry<'_>) {
        if entry.func != self.func || entry.depth != 0 {
            return;
        }
        self.last = None;
        self.values.clear();
        self.undefined.clear();
        self.arrivals.clear();
        self.visited.clear();
        self.block = self.scev.body().entry();
        for (i, val) in entry.args.iter().enumerate() {
            let arg = Value::Arg(Arg::from_index(i));
            let now = self.of_val(arg, val);
            self.values.insert(arg, now);
            if is_undefined(val) {
                self.undefined.insert(arg);
            }
        }
        self.check_facts();
    }
    fn enter(&mut self, func: FuncId, block: Block, depth: usize) {
        if func != self.func || depth != 0 {
            return;
        }
        self.check_last();
        let loops = self.scev.loops();
        if let Some(l) = loops.with_header(block) {
            let again = self.block.is_some_and(|from| loops.contains(l, from));
            let count = self.arrivals.entry(l).or_default();
            *count = if again { *count + 1 } else { 0 };
        }
        self.block = Some(block);
        self.visited.clear();
        if self.scev.body().phis(block).next().is_none() {
            self.check_facts();
        }
    }
    fn step(&mut self, done: Done<'_>) {
        if done.func != self.func || done.depth != 0 {
            return;
        }
        let body = self.scev.body();
        let value = Value::Inst(done.inst);
        let is_phi = |i: Inst| body.inst(i).kind.is_phi();
        // All phis of a block change at once; an instruction that is reported again is checked after the last report.
        let goes_on = |last: Inst| last == done.inst || is_phi(last) && is_phi(done.inst);
        if self.last.is_some_and(|last| !goes_on(last)) {
            self.check_last();
        }
        if let Some(val) = done.value {
            let data = body.inst(done.inst);
            let undefined = is_undefined(val)
                || !matches!(data.kind, InstKind::Freeze)
                    && data.operands.iter().any(|v| self.is_undefined_operand(*v));
            let now = if undefined {
                self.undefined.insert(value);
                Now::Unknown
            } else {
                self.undefined.remove(&value);
                self.of_val(value, val)
            };
            self.values.insert(value, now);
        }
        self.visited.insert(done.inst);
        self.last = Some(done.inst);
    }
}
