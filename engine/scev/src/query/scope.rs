//! The value of an expression at the scope of a loop, or outside of all loops: recurrences of exited loops have their
//! exit values.

use super::View;
use super::leaf::Evolution;
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, Node};
use backedge_analysis::LoopId;
use backedge_ir::inst::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The inputs for the exit value of a leaf or recurrence of an exited loop.
struct Left {
    l: LoopId,
    taken: Expr,
    evolution: Option<Evolution>,
}

impl ScalarEvolution<'_> {
    /// `expr` at `scope` (`None`: outside of all loops). A recurrence of a loop that does not contain `scope` has ended
    /// there: it is replaced by its value in the last iteration, if that is known.
    pub fn at_scope(&mut self, root: Expr, scope: Option<LoopId>) -> Expr {
        let epoch = self.facts.epoch();
        let known = |s: &Self, e| s.seen(e, scope, epoch).is_some();
        // An expression is evaluated after its inputs. Each input is defined earlier in the program, so no expression
        // depends on itself.
        let mut begun: FxHashMap<Expr, Option<Left>> = FxHashMap::default();
        let mut work = vec![root];
        while let Some(&expr) = work.last() {
            if known(self, expr) {
                work.pop();
            } else if let Some(left) = begun.get(&expr) {
                let seen = self.part_at_scope(expr, left.as_ref(), scope, epoch);
                let view = View { seen, open: self.is_open(expr, seen, scope).then_some(epoch) };
                let key = (expr, scope, self.context);
                self.queries.at_scope.insert(key, view);
                work.pop();
            } else {
                let left = self.left(expr, scope);
                work.extend(self.arena.node(expr).operands().iter().filter(|o| !begun.contains_key(o)));
                if let Some(left) = &left {
                    // If `scope` directly surrounds the loop, the count has no exited recurrences apart
                    // from those in the parts.
                    let taken = (self.loops.parent(left.l) != scope).then_some(left.taken);
                    let parts = left.evolution.iter().flat_map(Evolution::parts).chain(taken);
                    work.extend(parts.filter(|e| !begun.contains_key(e)));
                }
                begun.insert(expr, left);
            }
        }
        self.queries.at_scope[&(root, scope, self.context)].seen
    }
    /// The cached view of `expr`, if it is still valid.
    fn seen(&self, expr: Expr, scope: Option<LoopId>, epoch: u64) -> Option<Expr> {
        let view = self.queries.at_scope.get(&(expr, scope, self.context))?;
        view.open.is_none_or(|at| at == epoch).then_some(view.seen)
    }
    /// Whether the view `seen` of `expr` may improve with further facts: a loop has been exited, but its count or the
    /// evolution of the leaf was unknown.
    fn is_open(&self, expr: Expr, seen: Expr, scope: Option<LoopId>) -> bool {
        let is_left = |l: LoopId| !scope.is_some_and(|s| self.loops.contains_loop(l, s));
        let here = match self.arena.node(expr) {
            Node::AddRec(l, _) => is_left(*l) && self.arena.has_add_rec(seen),
            Node::Unknown(Value::Inst(inst)) => {
                let block = self.at.body.block_of(*inst);
                seen == expr && block.and_then(|b| self.loops.innermost(b)).is_some_and(is_left)
            }
            _ => false,
        };
        let is_closed = |e: &Expr| {
            let view = self.queries.at_scope.get(&(*e, scope, self.context));
            view.is_some_and(|view| view.open.is_none())
        };
        here || !self.arena.node(expr).operands().iter().all(is_closed)
    }
    /// Forgets all views, so that later queries use all facts known by then.
    pub(crate) fn forget_views(&mut self) {
        self.queries.forget_views();
    }

    /// The value of `value`, which `l` computes, when `l` is exited, as an expression defined outside;
    /// [`Node::CouldNotCompute`] if unknown.
    pub fn exit_value(&mut self, value: Value, l: LoopId) -> Expr {
        let Some(expr) = self.expr(value) else { return self.could_not_compute() };
        let left = self.at_scope(expr, self.loops.parent(l));
        if self.is_invariant(left, l) { left } else { self.could_not_compute() }
    }

    /// The inputs for `expr`, a leaf or recurrence, if `scope` is outside of its loop.
    fn left(&mut self, expr: Expr, scope: Option<LoopId>) -> Option<Left> {
        let is_inside = |l: LoopId| scope.is_some_and(|s| self.loops.contains_loop(l, s));
        match *self.arena.node(expr) {
            Node::AddRec(l, _) if !is_inside(l) => {
                Some(Left { l, taken: self.backedge_taken(l), evolution: None })
            }
            Node::Unknown(Value::Inst(inst)) => {
                let l = self.loops.innermost(self.at.body.block_of(inst)?)?;
                if is_inside(l) {
                    return None;
                }
                let taken = self.backedge_taken(l);
                if self.is_could_not_compute(taken) {
                    return None;
                }
                Some(Left { l, taken, evolution: self.evolution(inst, l) })
            }
            _ => None,
        }
    }

    fn part_at_scope(&mut self, expr: Expr, left: Option<&Left>, scope: Option<LoopId>, epoch: u64) -> Expr {
        let node = self.node(expr);
        let seen = |s: &Self, o: Expr| s.seen(o, scope, epoch).unwrap_or(o);
        let operands: SmallVec<[Expr; 4]> = node.operands().iter().map(|o| seen(self, *o)).collect();
        let same = operands.as_slice() == node.operands();
        match node {
            Node::Constant(_) | Node::CouldNotCompute => expr,
            Node::Unknown(Value::Inst(inst)) => {
                let Some(left) = left else { return expr };
                let evolution = left.evolution.map(|e| e.map(|part| seen(self, part)));
                let taken = seen(self, left.taken);
                self.leaf_at(inst, left.l, evolution.as_ref(), taken).unwrap_or(expr)
            }
            Node::Unknown(_) => expr,
            Node::AddRec(l, _) => {
                let rebuilt = if same { expr } else { self.rebuilt_recurrence(expr, l, &operands) };
                match left {
                    Some(left) => {
                        let taken = seen(self, left.taken);
                        self.last_value(rebuilt, l, taken)
                    }
                    None => rebuilt,
                }
            }
            _ if same => expr,
            Node::Cast(cast, _) => {
                let width = self.width(expr);
                match cast {
                    Cast::Trunc => self.trunc(operands[0], width),
                    Cast::ZExt => self.zext(operands[0], width),
                    Cast::SExt => self.sext(operands[0], width),
                    Cast::PtrToInt => self.ptr_to_int(operands[0]),
                }
            }
            Node::NAry(crate::NAry::Add, _) => self.add(&operands),
            Node::NAry(crate::NAry::Mul, _) => self.mul(&operands),
            Node::NAry(op, _) => self.min_max(op, &operands),
            Node::UDiv(_) => self.udiv(operands[0], operands[1]),
        }
    }

    /// The recurrence `expr` with other operands. Drops its flags: a recurrence that does not wrap from one start may
    /// wrap from another. Only absence of self-wrap is independent of the start.
    fn rebuilt_recurrence(&mut self, expr: Expr, l: LoopId, operands: &[Expr]) -> Expr {
        if operands.iter().skip(1).any(|o| !self.is_invariant(*o, l)) || !self.is_invariant(operands[0], l) {
            return expr;
        }
        self.add_rec(l, operands)
    }

    /// `expr` in the last iteration of `l`, if it is a recurrence of `l`. It may belong to another loop if the step
    /// folded to zero.
    fn last_value(&mut self, expr: Expr, l: LoopId, taken: Expr) -> Expr {
        let Some(operands) = self.arena.as_add_rec(expr).filter(|(of, _)| *of == l).map(|(_, o)| o.clone())
        else {
            return expr;
        };
        let last = self.evaluate_at(&operands, taken);
        if self.is_could_not_compute(last) { expr } else { last }
    }
}
