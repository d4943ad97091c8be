//! What an expression is elsewhere: at a scope, at an iteration, behind a loop.
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry, Node};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How deep expressions are rewritten.
const DEEPEST: u32 = 64;

/// How an expression behaves in a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Disposition {
    /// It may change in ways that are not known.
    Variant,
    /// It is one value in all iterations of one entry of the loop.
    Invariant,
    /// It is a function of the iteration.
    Computable,
}

/// Answers computed.
#[derive(Debug, Default)]
pub(crate) struct QueryCache {
    pub(crate) at_scope: FxHashMap<(Expr, Option<LoopId>), Expr>,
    pub(crate) dispositions: FxHashMap<(Expr, LoopId), Disposition>,
}

impl ScalarEvolution<'_> {
    /// How `expr` behaves in `l`.
    pub fn disposition(&mut self, expr: Expr, l: LoopId) -> Disposition {
        let mut work = vec![expr];
        while let Some(&next) = work.last() {
            if self.queries.dispositions.contains_key(&(next, l)) {
                work.pop();
                continue;
            }
            let known = match self.arena.node(next) {
                Node::Constant(_) => Some(Disposition::Invariant),
                Node::CouldNotCompute => Some(Disposition::Variant),
                Node::Unknown(value) => Some(match value.as_inst() {
                    Some(inst) if self.loops.contains_inst(self.body(), l, inst) => Disposition::Variant,
                    _ => Disposition::Invariant,
                }),
                Node::AddRec(m, _) if *m == l => Some(Disposition::Computable),
                Node::AddRec(m, _) if self.loops.contains_loop(*m, l) => Some(Disposition::Invariant),
                Node::AddRec(m, _) if self.loops.contains_loop(l, *m) => Some(Disposition::Variant),
                Node::AddRec(..) | Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => None,
            };
            let known = known.or_else(|| self.disposition_of_operands(next, l, &mut work));
            if let Some(known) = known {
                self.queries.dispositions.insert((next, l), known);
                work.pop();
            }
        }
        self.queries.dispositions[&(expr, l)]
    }
    /// That of an operation from those of its operands; where these are not known, they are added to `work`.
    fn disposition_of_operands(&self, expr: Expr, l: LoopId, work: &mut Vec<Expr>) -> Option<Disposition> {
        let mut all = Some(Disposition::Invariant);
        for operand in self.arena.node(expr).operands() {
            match self.queries.dispositions.get(&(*operand, l)) {
                None => {
                    work.push(*operand);
                    all = None;
                }
                Some(Disposition::Variant) => all = all.map(|_| Disposition::Variant),
                Some(Disposition::Computable) => {
                    all = all.map(|d| if d == Disposition::Invariant { Disposition::Computable } else { d });
                }
                Some(Disposition::Invariant) => {}
            }
        }
        all
    }
    /// Whether `expr` is one value in all iterations of one entry of `l`.
    pub fn is_invariant(&mut self, expr: Expr, l: LoopId) -> bool {
        self.disposition(expr, l) == Disposition::Invariant
    }
    /// Whether all of `expr` is defined before the loop is entered: it can be evaluated in its preheader.
    pub fn is_available_at_entry(&mut self, expr: Expr, l: LoopId) -> bool {
        let header = self.header(l);
        self.arena.all_parts(expr, |_, node| match node {
            Node::Unknown(Value::Inst(inst)) => {
                self.body().block_of(*inst).is_some_and(|b| self.dominates_properly(b, header))
            }
            Node::AddRec(m, _) => self.dominates_properly(self.loops.header(*m), header),
            Node::CouldNotCompute => false,
            _ => true,
        })
    }
    fn dominates_properly(&self, a: Block, b: Block) -> bool {
        a != b && self.dominators.dominates(a, b)
    }
    /// `expr` as seen from `scope` (`None`: from outside of all loops): what has run out before is taken at its last
    /// value, if that is known.
    pub fn at_scope(&mut self, expr: Expr, scope: Option<LoopId>) -> Expr {
        self.at_scope_within(expr, scope, 0)
    }
    fn at_scope_within(&mut self, expr: Expr, scope: Option<LoopId>, depth: u32) -> Expr {
        if !self.arena.has_add_rec(expr) || depth > DEEPEST {
            return expr;
        }
        // Known until counts become known.
        let cached = !self.has_context();
        if cached && let Some(known) = self.queries.at_scope.get(&(expr, scope)) {
            return *known;
        }
        let seen = self.operands_at_scope(expr, scope, depth);
        if cached {
            self.queries.at_scope.insert((expr, scope), seen);
        }
        seen
    }
    fn operands_at_scope(&mut self, expr: Expr, scope: Option<LoopId>, depth: u32) -> Expr {
        let mut operands: SmallVec<[Expr; 4]> = SmallVec::from_slice(self.arena.node(expr).operands());
        let mut changed = false;
        for operand in &mut operands {
            let seen = self.at_scope_within(*operand, scope, depth + 1);
            changed |= seen != *operand;
            *operand = seen;
        }
        let width = self.width(expr);
        match self.node(expr) {
            Node::AddRec(l, _) => {
                let inside = scope.is_some_and(|s| self.loops.contains_loop(l, s));
                if !inside {
                    let count = self.counts(l).exact;
                    if !self.is_could_not_compute(count) {
                        let count = self.at_scope_within(count, scope, depth + 1);
                        let last = self.evaluate_at(&operands, count);
                        return if self.is_could_not_compute(last) { expr } else { last };
                    }
                }
                if changed { self.add_rec(l, &operands) } else { expr }
            }
            _ if !changed => expr,
            Node::NAry(NAry::Add, _) => self.add(&operands),
            Node::NAry(NAry::Mul, _) => self.mul(&operands),
            Node::NAry(op, _) => self.min_max(op, &operands),
            Node::UDiv(_) => self.udiv(operands[0], operands[1]),
            Node::Cast(Cast::Trunc, _) => self.trunc(operands[0], width),
            Node::Cast(Cast::ZExt, _) => self.zext(operands[0], width),
            Node::Cast(Cast::SExt, _) => self.sext(operands[0], width),
            Node::Cast(Cast::PtrToInt, _) => self.ptr_to_int(operands[0]),
            Node::Constant(_) | Node::Unknown(_) | Node::CouldNotCompute => expr,
        }
    }
    /// The value of `{operands…}` at header arrival `n`, counted from 0.
    pub fn evaluate_at(&mut self, operands: &[Expr], n: Expr) -> Expr {
        let width = self.width(operands[0]);
        let mut terms: SmallVec<[Expr; 4]> = SmallVec::from_slice(&operands[..1]);
        for (k, operand) in (1..).zip(&operands[1..]) {
            let Some(binomial) = self.binomial(n, k, width) else { return self.could_not_compute() };
            terms.push(self.mul(&[*operand, binomial]));
        }
        self.add(&terms)
    }
    /// `n` over `k` modulo 2^width: the product of `k` factors in as many more bits as `k!` has factors of two, divided
    /// by these; and by the odd rest, which has an inverse.
    fn binomial(&mut self, n: Expr, k: u32, width: u32) -> Option<Expr> {
        if k == 1 {
            return Some(self.trunc_or_zext(n, width));
        }
        let factorial = (1..=u128::from(k)).try_fold(1u128, u128::checked_mul)?;
        let twos = factorial.trailing_zeros();
        let wide = width + twos;
        if wide > Int::MAX_WIDTH {
            return None;
        }
        let n = self.trunc_or_zext(n, wide);
        let mut factors: SmallVec<[Expr; 4]> = SmallVec::new();
        for i in 0..k {
            let less = self.int(wide, -i128::from(i));
            factors.push(self.add(&[n, less]));
        }
        let product = self.mul(&factors);
        let power = self.constant(Int::new(wide, 1 << twos));
        let quotient = self.udiv(product, power);
        let quotient = self.trunc(quotient, width);
        let inverse = crate::count::odd_inverse(Int::new(width, factorial >> twos));
        let inverse = self.constant(inverse);
        Some(self.mul(&[inverse, quotient]))
    }
}
