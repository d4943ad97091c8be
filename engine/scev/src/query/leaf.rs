//! Leaves that change in a loop, evaluated at a given header arrival: header phis that are not add recurrences, and
//! values computed from them.
//!
//! | leaf | value at arrival `n` |
//! |---|---|
//! | a phi whose next value is invariant | that value, if `n` is not 0 |
//! | a recurrence with a closed form | the form, for constant `n`; if it alternates or settles, for any `n` |
//! | phis that depend only on constants and one another | evaluated for `n` up to [`crate::Limits::brute_force`] |
//! | values computed from such values alone | evaluated |
//!
//! All such phis of a header are evaluated together, once for each `n`, within [`crate::Limits::run_work`]. The
//! guarantee is that of P3 of docs/semantics.md: a value that is not poison at that arrival equals the answer.
//!
//! Source: LLVM evaluates constants this way too; the closed forms are those of [`crate::recognize`].

use crate::ScalarEvolution;
use crate::count::{Known, Plan};
use crate::expr::Expr;
use crate::recognize::{ClosedForm, Recurrence};
use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// A description of how a header phi evolves; all expressions are defined outside of the loop.
#[derive(Copy, Clone, Debug)]
pub(super) struct Evolution {
    start: Expr,
    /// The backedge value, if it is invariant.
    left: Option<Expr>,
    recurrence: Option<Recurrence>,
    /// Whether the queried value is not the phi but its backedge value, which is one step ahead.
    ahead: bool,
}

impl Evolution {
    /// The expressions in this description.
    pub(super) fn parts(&self) -> SmallVec<[Expr; 4]> {
        let mut parts = smallvec![self.start];
        parts.extend(self.left);
        parts.extend(self.recurrence.map(|r| r.by));
        parts
    }
    /// Applies `change` to each expression.
    pub(super) fn map(&self, change: impl Fn(Expr) -> Expr) -> Self {
        let start = change(self.start);
        let recurrence = self.recurrence.map(|r| Recurrence { start, by: change(r.by), ..r });
        Self { start, left: self.left.map(&change), recurrence, ahead: self.ahead }
    }
}

/// Values of header phis at the arrivals for which their loop was evaluated.
pub(super) type Runs = FxHashMap<(LoopId, u64), (u64, Arc<FxHashMap<Inst, Int>>)>;

impl ScalarEvolution<'_> {
    /// The evolution of `inst`, whose innermost loop is `l`: for a header phi, or for the backedge value of a phi that
    /// is a recurrence.
    pub(super) fn evolution(&mut self, inst: Inst, l: LoopId) -> Option<Evolution> {
        let body = self.at.body;
        let is_phi = |i: Inst| body.inst(i).kind.is_phi() && body.block_of(i) == Some(self.loops.header(l));
        if !is_phi(inst) {
            let phis = body.inst(inst).operands.iter().filter_map(|v| v.as_inst()).filter(|i| is_phi(*i));
            let phis: SmallVec<[Inst; 2]> = phis.collect();
            return phis.into_iter().find_map(|phi| {
                let brings = |(v, from): (Value, _)| v == inst.into() || !self.loops.contains(l, from);
                let evolution =
                    body.inst(phi).incoming().all(brings).then(|| self.evolution_of_phi(phi))??;
                evolution.recurrence.is_some().then_some(Evolution { left: None, ahead: true, ..evolution })
            });
        }
        self.evolution_of_phi(inst)
    }
    fn evolution_of_phi(&mut self, phi: Inst) -> Option<Evolution> {
        let body = self.at.body;
        let incoming = self.incoming(phi)?;
        let recurrence = self.recurrence(phi.into());
        let start = match recurrence {
            Some(recurrence) => recurrence.start,
            None => {
                let start = self.expr(*incoming.start.first()?)?;
                let same = incoming.start.iter().all(|v| self.expr(*v) == Some(start));
                same.then_some(start)?
            }
        };
        let (first, _) = *incoming.back.first()?;
        let left = incoming.back.iter().all(|(v, _)| *v == first)
            && self.loops.is_invariant(body, incoming.l, first);
        let left = if left { self.expr(first) } else { None };
        Some(Evolution { start, left, recurrence, ahead: false })
    }

    /// The expressions that may replace a leaf that changes in `l` at a given arrival ([`Self::at_arrival`]). Poison in
    /// the first one makes the leaf poison at all arrivals; poison in the others makes it poison at later arrivals
    /// only.
    pub fn sources(&mut self, leaf: Value, l: LoopId) -> Option<(Expr, SmallVec<[Expr; 4]>)> {
        let inst = leaf.as_inst()?;
        self.at.body.block_of(inst).filter(|b| self.loops.innermost(*b) == Some(l))?;
        let evolution = self.evolution(inst, l)?;
        let mut parts = evolution.parts();
        Some((parts.remove(0), parts))
    }

    /// The value of `inst` at arrival `n` of `l`, its innermost loop.
    pub(super) fn leaf_at_arrival(&mut self, inst: Inst, l: LoopId, n: Expr) -> Option<Expr> {
        let evolution = self.evolution(inst, l);
        self.leaf_at(inst, l, evolution.as_ref(), n)
    }
    /// Like [`Self::leaf_at_arrival`], with a known evolution.
    pub(super) fn leaf_at(
        &mut self,
        inst: Inst,
        l: LoopId,
        evolution: Option<&Evolution>,
        n: Expr,
    ) -> Option<Expr> {
        if self.is_could_not_compute(n) || !self.at.body.ty(inst.into()).is_int() && evolution.is_none() {
            return None;
        }
        if let Some(evolution) = evolution
            && let Some(at) = self.evolved(evolution, n)
        {
            return Some(at);
        }
        let n = self.as_constant(n)?.to_u64()?;
        let value =
            if self.is_phi_of(inst, l) { self.run_to(inst, l, n) } else { self.computed_at(inst, l, n) };
        Some(self.constant(value?))
    }
    fn is_phi_of(&self, inst: Inst, l: LoopId) -> bool {
        let body = self.at.body;
        body.inst(inst).kind.is_phi() && body.block_of(inst) == Some(self.header(l))
    }

    /// Evaluates the closed form.
    fn evolved(&mut self, evolution: &Evolution, n: Expr) -> Option<Expr> {
        let constant = self.as_constant(n);
        if !evolution.ahead && constant.is_some_and(Int::is_zero) {
            return Some(evolution.start);
        }
        let is_later = |this: &mut Self| {
            let zero = this.int(this.width(n), 0);
            this.is_known(IntPredicate::Ne, n, zero)
        };
        if let Some(left) = evolution.left
            && is_later(self)
        {
            return Some(left);
        }
        let recurrence = evolution.recurrence?;
        if let Some(n) = constant.and_then(Int::to_u64) {
            return self.recurrence_at_iteration(&recurrence, n.checked_add(evolution.ahead.into())?);
        }
        match self.closed_form(&recurrence)? {
            ClosedForm::Alternates(even, odd) => {
                let (even, odd) = if evolution.ahead { (odd, even) } else { (even, odd) };
                let width = self.width(even);
                let parity = self.trunc_or_zext(n, 1);
                let parity = self.trunc_or_zext(parity, width);
                let between = self.sub(odd, even);
                let way = self.mul(&[between, parity]);
                Some(self.add(&[even, way]))
            }
            ClosedForm::Settles(_, then) => (evolution.ahead || is_later(self)).then_some(then),
            ClosedForm::Geometric(..) | ClosedForm::Shifted(..) | ClosedForm::Divided(..) => None,
        }
    }

    /// `phi`, a header phi of `l`, at arrival `n`, if it and its dependencies start from constants.
    fn run_to(&mut self, phi: Inst, l: LoopId, n: u64) -> Option<Int> {
        if n > self.limits.brute_force.into() {
            return None;
        }
        let epoch = self.facts.epoch();
        let known = self.queries.runs.get(&(l, n)).filter(|(at, _)| *at == epoch);
        let values = match known {
            Some((_, values)) => Arc::clone(values),
            None => {
                let values = Arc::new(self.run_phis(l, n));
                self.queries.runs.insert((l, n), (epoch, Arc::clone(&values)));
                values
            }
        };
        values.get(&phi).copied()
    }
    fn run_phis(&mut self, l: LoopId, n: u64) -> FxHashMap<Inst, Int> {
        let body = self.at.body;
        let mut plan = Plan::default();
        for phi in body.phis(self.header(l)) {
            if !body.ty(phi.into()).is_int() {
                continue;
            }
            let is_sum = self.expr(phi.into()).is_none_or(|e| self.arena.as_add_rec(e).is_some());
            if !is_sum {
                self.extend_plan(&mut plan, l, phi.into(), &mut |this, phi| this.header_phi(l, phi));
            }
        }
        if u64::from(self.limits.run_work) < plan.size() as u64 * n {
            return FxHashMap::default();
        }
        for _ in 0..n {
            self.iterate(&mut plan);
            plan.advance();
        }
        plan.phis().filter_map(|phi| Some((phi, plan.value(phi.into())?))).collect()
    }
    /// `inst`, which is no phi, evaluated from the header phis of `l` in iteration `n`, if these are constants.
    fn computed_at(&mut self, inst: Inst, l: LoopId, n: u64) -> Option<Int> {
        let mut plan = Plan::default();
        let planned = self.extend_plan(&mut plan, l, inst.into(), &mut |this, phi| {
            let expr = this.is_phi_of(phi, l).then(|| this.expr(phi.into()))??;
            let value = match this.arena.as_add_rec(expr) {
                Some((of, operands)) if of == l => {
                    let operands = Arc::clone(operands);
                    let n = this.int(64, n.into());
                    this.evaluate_at(&operands, n)
                }
                _ => {
                    let evolution = this.evolution(phi, l)?;
                    let at = this.int(64, n.into());
                    let evolved = this.evolved(&evolution, at).filter(|e| this.as_constant(*e).is_some());
                    evolved.or_else(|| this.run_to(phi, l, n).map(|v| this.constant(v)))?
                }
            };
            Some(Known { now: this.as_constant(value)?, next: None })
        });
        if !planned {
            return None;
        }
        self.iterate(&mut plan);
        plan.value(inst.into())
    }
}
