//! The claims of the analysis about a function, as data that others can check.
//!
//! Flags that hold in an expression's defining scope are part of the expression, as in LLVM's output. Flags of narrower
//! scopes are separate claims, with the block from which they hold. The order is that of LLVM's printer: values in
//! program order, then loops, inner loops first.

use crate::ScalarEvolution;
use crate::count::LoopCounts;
use crate::expr::{Cast, Expr, NAry, Node};
use crate::facts::Flags;
use crate::query;
use crate::recognize::Step;
use backedge_analysis::LoopId;
use backedge_analysis::range::ConstantRange;
use backedge_claim::claim::{
    ClaimKind, Claims, CountKind, Disposition, Range, RecurrenceKind, Scope, Signedness, Source,
};
use backedge_claim::expr::{CastOp, ExprId, Exprs, Flag, NaryOp, Node as Stated};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::Value;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// An order of queries.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// Values in program order; building the claims then queries the counts.
    Forwards,
    /// Counts, inner loops last, then values from the last to the first.
    Backwards,
    /// Counts, inner loops first, then values.
    CountsFirst,
}

impl ScalarEvolution<'_> {
    /// All claims about `func`, the function of this body, after all facts are [settled](Self::settle). The result does
    /// not depend on earlier queries.
    pub fn claims(&mut self, func: FuncId) -> Claims {
        self.settle();
        self.claims_now(func)
    }

    /// The claims after queries in that order, without settling: also true, but possibly fewer.
    pub fn claims_unsettled(&mut self, func: FuncId, order: Order) -> Claims {
        self.ask(order);
        self.claims_now(func)
    }

    /// Queries all values and counts in that order.
    pub fn ask(&mut self, order: Order) {
        let body = self.body();
        let mut values: Vec<Value> = body.all_insts().map(Value::Inst).collect();
        let mut loops: Vec<LoopId> = self.loops.ids().collect();
        match order {
            Order::Forwards => values.iter().for_each(|v| _ = self.expr(*v)),
            Order::Backwards => {
                loops.iter().for_each(|l| _ = self.counts(*l));
                values.reverse();
                values.iter().for_each(|v| _ = self.expr(*v));
            }
            Order::CountsFirst => {
                loops.reverse();
                loops.iter().for_each(|l| _ = self.counts(*l));
                values.iter().for_each(|v| _ = self.expr(*v));
            }
        }
    }

    fn claims_now(&mut self, func: FuncId) -> Claims {
        let mut export = Export { scev: self, made: FxHashMap::default(), claims: Claims::new(func) };
        export.values();
        let top: Vec<LoopId> = export.scev.loops.top_level().to_vec();
        for l in top {
            export.nest(l);
        }
        export.recurrences();
        export.scoped_flags();
        export.claims
    }
}

struct Export<'s, 'a> {
    scev: &'s mut ScalarEvolution<'a>,
    made: FxHashMap<Expr, ExprId>,
    claims: Claims,
}

impl Export<'_, '_> {
    fn push(&mut self, kind: ClaimKind) {
        self.claims.push(kind, Source::Analysis);
    }

    fn values(&mut self) {
        let body = self.scev.body();
        let blocks: Vec<Block> = body.blocks().collect();
        for block in blocks {
            for inst in body.insts(block) {
                if self.scev.expr_type(body.inst(*inst).ty).is_some() {
                    self.value(block, *inst);
                }
            }
        }
    }

    fn value(&mut self, block: Block, inst: Inst) {
        let value = Value::Inst(inst);
        let Some(best) = self.scev.expr(value) else { return };
        let expr = self.state(best);
        self.push(ClaimKind::Value { value, expr });
        self.ranges(best);
        let l = self.scev.loops.innermost(block);
        let at_scope = self.scev.at_scope(best, l);
        if at_scope != best {
            let expr = self.state(at_scope);
            self.push(ClaimKind::ValueAtScope { value, expr });
            self.ranges(at_scope);
        }
        if let Some(l) = l {
            self.in_loops(value, best, expr, l);
        }
        let others: Vec<Expr> = self.scev.exprs(value).iter().copied().filter(|e| *e != best).collect();
        for other in others {
            let expr = self.state(other);
            self.push(ClaimKind::Value { value, expr });
        }
    }

    fn ranges(&mut self, of: Expr) {
        let expr = self.state(of);
        for (signedness, range) in [
            (Signedness::Unsigned, self.scev.unsigned_range(of)),
            (Signedness::Signed, self.scev.signed_range(of)),
        ] {
            let range = stated_range(range);
            self.push(ClaimKind::Range { expr, signedness, range, scope: Scope::Defining });
        }
    }

    /// The exit value of a value, and its dispositions in the loops around and inside.
    fn in_loops(&mut self, value: Value, best: Expr, expr: ExprId, l: LoopId) {
        let loops = self.scev.loops();
        let exit = self.scev.at_scope(best, loops.parent(l));
        let exit = if self.scev.is_invariant(exit, l) { exit } else { self.scev.could_not_compute() };
        let (exit, header) = (self.state(exit), loops.header(l));
        self.push(ClaimKind::ExitValue { value, header, expr: exit });
        let around = loops.ancestors(l).filter(|a| *a != l);
        let inside = loops.nest(l).filter(|n| *n != l);
        let all: Vec<LoopId> = std::iter::once(l).chain(around).chain(inside).collect();
        for l in all {
            let disposition = match self.scev.disposition(best, l) {
                query::Disposition::Variant => Disposition::Variant,
                query::Disposition::Invariant => Disposition::Invariant,
                query::Disposition::Computable => Disposition::Computable,
            };
            self.push(ClaimKind::Disposition { value, expr, header: loops.header(l), disposition });
        }
    }

    /// The counts of `l` and its nested loops, inner loops first.
    fn nest(&mut self, l: LoopId) {
        let loops = self.scev.loops();
        let nest: Vec<LoopId> = loops.nest(l).collect();
        for l in nest.into_iter().rev() {
            let counts = self.scev.counts(l);
            self.counts(loops.header(l), &counts);
        }
    }

    fn counts(&mut self, header: Block, counts: &LoopCounts) {
        let taken = |kind, count, max_or_zero| ClaimKind::TakenCount {
            header,
            kind,
            count,
            max_or_zero,
            predicates: None,
        };
        // A single exit has the count of the loop.
        let several = if counts.exits.len() > 1 { &counts.exits[..] } else { &[] };
        let exits = |export: &mut Self, kind| {
            for (block, exit) in several {
                let count = if kind == CountKind::Exact { exit.exact } else { exit.symbolic_max };
                let count = export.state(count);
                let (block, edge) = (*block, None);
                export.push(ClaimKind::ExitCount { header, block, edge, kind, count, predicates: None });
            }
        };
        let exact = self.state(counts.exact);
        self.push(taken(CountKind::Exact, exact, false));
        exits(self, CountKind::Exact);
        let constant = self.state(counts.constant_max);
        self.push(taken(CountKind::ConstantMax, constant, counts.max_or_zero));
        let symbolic = self.state(counts.symbolic_max);
        self.push(taken(CountKind::SymbolicMax, symbolic, false));
        exits(self, CountKind::SymbolicMax);
        if let Some(multiple) =
            counts.trip_multiple.to_u64().filter(|_| !self.scev.is_could_not_compute(counts.exact))
        {
            self.push(ClaimKind::TripMultiple { header, multiple });
        }
    }

    /// Header phis that follow a recurrence other than an addition.
    fn recurrences(&mut self) {
        let body = self.scev.body();
        let loops = self.scev.loops();
        let headers: Vec<Block> = loops.ids().map(|l| loops.header(l)).collect();
        for phi in headers.into_iter().flat_map(|header| body.phis(header)) {
            let value = Value::Inst(phi);
            // Add recurrences are part of the expressions.
            let is_sum = self.scev.expr(value).is_none_or(|e| self.scev.arena().as_add_rec(e).is_some());
            let Some(recurrence) = self.scev.recurrence(value).filter(|_| !is_sum) else { continue };
            let kind = match recurrence.step {
                Step::Xor => RecurrenceKind::Xor,
                Step::Reflect => RecurrenceKind::SubFrom,
                Step::And => RecurrenceKind::And,
                Step::Or => RecurrenceKind::Or,
                Step::Mul => RecurrenceKind::Mul,
                Step::Shl => RecurrenceKind::Shl,
                Step::LShr => RecurrenceKind::LShr,
                Step::AShr => RecurrenceKind::AShr,
                Step::UDiv => RecurrenceKind::UDiv,
                // The claim format has no such recurrences.
                Step::Extreme(_) => continue,
            };
            let (start, step) = (self.state(recurrence.start), self.state(recurrence.by));
            let header = loops.header(recurrence.l);
            self.push(ClaimKind::Recurrence { value, kind, start, step, header });
        }
    }

    /// Flags that hold only in narrower scopes, in the order of the exported expressions.
    fn scoped_flags(&mut self) {
        let mut facts: Vec<(Expr, Block, Flags)> = self.scev.facts.all_scoped().collect();
        facts.sort_by_key(|(expr, block, _)| (*expr, *block));
        let mut stated: Vec<(ExprId, Block, Flag)> = Vec::new();
        for (expr, block, flags) in facts {
            // Exporting the expression may prove that a flag holds everywhere.
            let id = self.state(expr);
            let flags = flags.without(self.scev.flags(expr));
            stated.extend(stated_flags(flags).iter().map(|flag| (id, block, flag)));
        }
        stated.sort_unstable();
        for (expr, block, flag) in stated {
            self.push(ClaimKind::Flag { expr, flag, scope: Scope::Block(block) });
        }
    }

    /// Exports `root` into the expressions of the claims. Not recursive.
    fn state(&mut self, root: Expr) -> ExprId {
        let mut work = vec![root];
        while let Some(expr) = work.last().copied() {
            if self.made.contains_key(&expr) {
                work.pop();
                continue;
            }
            let node = self.scev.node(expr);
            let missing: Vec<Expr> =
                node.operands().iter().copied().filter(|o| !self.made.contains_key(o)).collect();
            if missing.is_empty() {
                self.scev.learn_of_part(expr);
                let id = self.state_node(expr, &node);
                self.made.insert(expr, id);
                work.pop();
            } else {
                work.extend(missing);
            }
        }
        self.made[&root]
    }

    fn state_node(&mut self, expr: Expr, node: &Node) -> ExprId {
        let flags = stated_flags(self.scev.flags(expr));
        let ty = self.scev.ty(expr);
        let ty = ty.space.map_or(Type::int(ty.width), Type::ptr);
        let made = &self.made;
        let operands = node.operands().iter().map(|o| made[o]).collect();
        let exprs: &mut Exprs = &mut self.claims.exprs;
        let stated = match node {
            Node::Constant(value) => Stated::Int(*value),
            Node::Unknown(value) => Stated::Unknown(*value),
            Node::Cast(cast, operand) => Stated::Cast(stated_cast(*cast), made[operand]),
            Node::NAry(op, _) => Stated::Nary(stated_op(*op), operands, flags),
            Node::UDiv([left, right]) => Stated::UDiv(made[left], made[right]),
            Node::AddRec(l, _) => Stated::AddRec { operands, header: self.scev.header(*l), flags },
            Node::CouldNotCompute => return exprs.could_not_compute(),
        };
        exprs.intern(stated, ty)
    }
}

fn stated_flags(flags: Flags) -> backedge_claim::expr::Flags {
    let (nuw, nsw) = (flags.nuw(), flags.nsw());
    backedge_claim::expr::Flags { nuw, nsw, nw: flags == Flags::NW }
}

fn stated_cast(cast: Cast) -> CastOp {
    match cast {
        Cast::Trunc => CastOp::Trunc,
        Cast::ZExt => CastOp::ZExt,
        Cast::SExt => CastOp::SExt,
        Cast::PtrToInt => CastOp::PtrToInt,
    }
}

fn stated_op(op: NAry) -> NaryOp {
    match op {
        NAry::Add => NaryOp::Add,
        NAry::Mul => NaryOp::Mul,
        NAry::UMax => NaryOp::UMax,
        NAry::SMax => NaryOp::SMax,
        NAry::UMin => NaryOp::UMin,
        NAry::SMin => NaryOp::SMin,
        NAry::UMinSeq => NaryOp::UMinSeq,
    }
}

fn stated_range(range: ConstantRange) -> Range {
    if range.is_full() {
        Range::Full
    } else if range.is_empty() {
        Range::Empty
    } else {
        Range::HalfOpen { lo: range.lower().bits(), hi: range.upper().bits() }
    }
}
