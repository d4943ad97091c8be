//! Determines when each claim is checked.
//!
//! An expression is defined from the latest definition among its leaves on. That point is a position in a block: its
//! start (after the phis; arguments are defined at the start of the entry block, recurrences at that of their loop's
//! header) or an instruction. Flags and ranges are checked whenever control passes that point, because no leaf
//! defined there changes between two passes. A narrower scope begins at a block or a loop's header and includes
//! definitions inside it.
//!
//! That alone would make an analysis responsible for poison values: LLVM gives the recurrence of a phi the flags of
//! its increment, whether or not its poison is UB. Flags and ranges of recurrences are therefore also checked where a
//! value whose expression contains them executes and is not poison. A failure there is *shown* by a value; a failure
//! at the header alone is *hidden*.
//!
//! If no leaf's definition comes after all others (values of sibling loops), there is no such point, and claims about
//! the expression are not checked.

use super::eval::{Slot, Table, width_of};
use crate::Program;
use backedge_claim::claim::{
    ClaimKind, Claims, CountKind, Disposition, Predicate, Range, RecurrenceKind, Scope,
};
use backedge_claim::derive::{Subject, derive_flag_claims};
use backedge_claim::expr::{ExprId, Flag, NaryOp, Node};
use backedge_claim::loops::NaturalLoops;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, FuncId, Inst, SecondaryMap};
use backedge_ir::inst::Value;
use rustc_hash::FxHashMap;

/// A point in a block: 0 is before the phis, 1 is after them, and n + 2 is after instruction n.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Point {
    block: Block,
    at: usize,
}

/// The nodes of an expression in evaluation order.
pub(super) type Order = Vec<ExprId>;

#[derive(Clone, Debug)]
pub(super) enum What {
    /// The value in the slot equals the expression.
    Equal(Slot),
    /// The flag of a sum or product holds.
    Nary { op: NaryOp, flag: Flag, operands: Vec<ExprId> },
    /// The flag of a recurrence in that loop holds.
    AddRec { flag: Flag, operands: Vec<ExprId>, around: usize },
    /// The value is in the set.
    Range(Range),
    /// The value equals the first non-poison value found since the loop was entered.
    Invariant { around: usize, held: usize },
    /// The value in the slot follows the closed form; start and step are held since arrival 0.
    Recurrence { kind: RecurrenceKind, around: usize, slot: Slot, held: usize },
}

#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) subject: usize,
    pub(super) order: Order,
    pub(super) width: u32,
    pub(super) what: What,
    /// The loop whose iteration is reported.
    pub(super) around: Option<usize>,
    /// The value for which the check is made; skipped if the value is poison.
    pub(super) shown_by: Option<Slot>,
    /// Whether a failure concerns no value; other checks cover the values.
    pub(super) hidden: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Counted {
    /// The exits of a block out of the loop, or the one to a certain block.
    Exit {
        block: Block,
        to: Option<Block>,
        exact: bool,
        /// Whether the branch may execute several times in one iteration; then the last execution decides.
        repeats: bool,
    },
    Taken {
        exact: bool,
        max_or_zero: bool,
    },
    Multiple(u64),
}

#[derive(Clone, Debug)]
pub(super) struct AssumedPredicate {
    pub(super) predicate: Predicate,
    /// The two sides of a comparison, or start and step of a recurrence of the loop.
    pub(super) orders: [Order; 2],
    pub(super) width: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Count {
    pub(super) subject: usize,
    pub(super) around: usize,
    pub(super) order: Order,
    pub(super) what: Counted,
    pub(super) assumed: Vec<AssumedPredicate>,
}

#[derive(Clone, Debug)]
pub(super) struct ExitValue {
    pub(super) subject: usize,
    pub(super) order: Order,
    pub(super) slot: Slot,
    pub(super) width: u32,
    /// Exiting blocks at which the value has been computed.
    pub(super) from: Vec<Block>,
}

/// The claims on one function, prepared for checking on runs.
#[derive(Debug)]
pub struct Checker<'m> {
    pub(super) func: FuncId,
    pub(super) body: &'m Body,
    pub(super) claims: &'m Claims,
    pub(super) loops: NaturalLoops,
    pub(super) table: Table,
    pub(super) subjects: Vec<Subject>,
    pub(super) checks: Vec<Check>,
    pub(super) at_block: SecondaryMap<Block, Vec<usize>>,
    pub(super) after: SecondaryMap<Inst, Vec<usize>>,
    pub(super) counts: Vec<Count>,
    pub(super) counts_of_loop: Vec<Vec<usize>>,
    pub(super) counts_of_exit: SecondaryMap<Block, Vec<usize>>,
    pub(super) exit_values: Vec<Vec<ExitValue>>,
    /// Number of values held from arrival 0 on.
    pub(super) held: usize,
    /// The held values of each loop that are cleared when the loop is entered.
    pub(super) held_of_loop: Vec<Vec<usize>>,
    /// Slots and widths of instruction results.
    pub(super) kept: SecondaryMap<Inst, Option<(Slot, u32)>>,
    pub(super) kept_args: Vec<Option<(Slot, u32)>>,
}

impl<'m> Checker<'m> {
    /// Creates a checker of `claims` on a function of `program`; `None` if the function's body is not modelled.
    pub fn new(program: &Program<'m>, claims: &'m Claims) -> Option<Self> {
        let module = program.module();
        let body = module.body(claims.func)?;
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let loops = NaturalLoops::with(&cfg, &dominators);
        let table = Table::new(program, &claims.exprs, body.consts(), &loops);
        let checker = Self {
            func: claims.func,
            body,
            claims,
            counts_of_loop: vec![Vec::new(); loops.loops.len()],
            exit_values: vec![Vec::new(); loops.loops.len()],
            held_of_loop: vec![Vec::new(); loops.loops.len()],
            loops,
            table,
            subjects: Vec::new(),
            checks: Vec::new(),
            at_block: SecondaryMap::new(),
            after: SecondaryMap::new(),
            counts: Vec::new(),
            counts_of_exit: SecondaryMap::new(),
            held: 0,
            kept: SecondaryMap::new(),
            kept_args: Vec::new(),
        };
        let mut planner = Planner {
            checker,
            cfg,
            dominators,
            positions: FxHashMap::default(),
            shown_by: FxHashMap::default(),
        };
        planner.plan();
        let mut checker = planner.checker;
        let width = |value: Value| width_of(&module.env, body.ty(value)).unwrap_or(1);
        checker.kept_args = vec![None; body.args().len()];
        for (&value, &slot) in &checker.table.slots {
            match value {
                Value::Inst(inst) => checker.kept[inst] = Some((slot, width(value))),
                Value::Arg(arg) => {
                    checker.kept_args[backedge_ir::entity::EntityId::index(arg)] = Some((slot, width(value)));
                }
                Value::Const(_) => {}
            }
        }
        Some(checker)
    }
    /// The checked subjects. Claims without content (counts that could not be computed, `Variant`) are not included.
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }
    /// The function's body.
    pub fn body(&self) -> &'m Body {
        self.body
    }
    /// The function.
    pub fn func(&self) -> FuncId {
        self.func
    }
}

struct Planner<'m> {
    checker: Checker<'m>,
    cfg: Cfg,
    dominators: Dominators,
    positions: FxHashMap<Inst, usize>,
    /// For each recurrence or top-level expression: the instructions whose expressions contain it.
    shown_by: FxHashMap<ExprId, Vec<Inst>>,
}

/// Maximum number of values checked for one recurrence: each is a check of its own in every iteration.
const MAX_SHOWN_BY: usize = 16;

impl Planner<'_> {
    fn plan(&mut self) {
        self.find_values();
        let body = self.checker.body;
        for block in body.blocks() {
            self.positions.extend(body.insts(block).iter().enumerate().map(|(n, inst)| (*inst, n + 2)));
        }
        let claims = self.checker.claims;
        for (index, claim) in claims.claims.iter().enumerate() {
            self.claim(index, &claim.kind);
        }
        for flag in derive_flag_claims(claims) {
            let subject = self.subject(Subject::Flag(flag));
            self.flag(subject, flag.expr, flag.flag, flag.scope);
        }
    }
    /// Finds the values by which violations of flags and ranges can be shown.
    fn find_values(&mut self) {
        let claims = self.checker.claims;
        for claim in &claims.claims {
            let ClaimKind::Value { value: Value::Inst(inst), expr } = claim.kind else { continue };
            for id in claims.exprs.subexpressions(expr) {
                let is_addrec = matches!(claims.exprs.node(id), Node::AddRec { .. });
                let known = self.shown_by.get(&id).map_or(0, Vec::len);
                if (is_addrec || id == expr) && known < MAX_SHOWN_BY {
                    self.shown_by.entry(id).or_default().push(inst);
                }
            }
        }
    }
    fn subject(&mut self, subject: Subject) -> usize {
        self.checker.subjects.push(subject);
        self.checker.subjects.len() - 1
    }
    fn order(&self, expr: ExprId) -> Order {
        self.checker.claims.exprs.subexpressions(expr)
    }
    fn claim(&mut self, index: usize, kind: &ClaimKind) {
        let claims = self.checker.claims;
        let says_nothing = |expr: ExprId| claims.exprs.has_could_not_compute(expr);
        match kind {
            ClaimKind::Value { value, expr } | ClaimKind::ValueAtScope { value, expr } => {
                let trivial = matches!(claims.exprs.node(*expr), Node::Unknown(v) if v == value);
                if !says_nothing(*expr) && !trivial {
                    self.value(index, *value, *expr);
                }
            }
            ClaimKind::Flag { expr, flag, scope } => {
                let subject = self.subject(Subject::Claim(index));
                self.flag(subject, *expr, *flag, *scope);
            }
            ClaimKind::Range { range: Range::Full, .. } => {}
            ClaimKind::Range { expr, range, scope, .. } => {
                if !says_nothing(*expr) {
                    let subject = self.subject(Subject::Claim(index));
                    self.scoped(subject, *expr, *scope, What::Range(*range));
                }
            }
            ClaimKind::ExitCount { header, block, edge, kind, count, predicates } => {
                let to = edge.map(|e| self.checker.body.successors(*block).get(e as usize).copied());
                let around = self.checker.loops.index_of(*header);
                let repeats = around.is_some_and(|l| self.checker.loops.repeats_within(&self.cfg, l, *block));
                let exact = *kind == CountKind::Exact;
                let what = Counted::Exit { block: *block, to: to.flatten(), exact, repeats };
                if !says_nothing(*count) && self.is_unique_edge(*block, *edge) {
                    self.count(index, *header, Some(*count), what, predicates.as_deref());
                }
            }
            ClaimKind::TakenCount { header, kind, count, max_or_zero, predicates } => {
                if !says_nothing(*count) {
                    let what = Counted::Taken { exact: *kind == CountKind::Exact, max_or_zero: *max_or_zero };
                    self.count(index, *header, Some(*count), what, predicates.as_deref());
                }
            }
            ClaimKind::TripMultiple { multiple: 1, .. } => {}
            ClaimKind::TripMultiple { header, multiple } => {
                self.count(index, *header, None, Counted::Multiple(*multiple), None);
            }
            ClaimKind::Disposition { expr, header, disposition: Disposition::Invariant, .. } => {
                if !says_nothing(*expr) {
                    self.invariant(index, *expr, *header);
                }
            }
            // The value's own claim checks that a recurrence has its closed form in each iteration.
            ClaimKind::Disposition { .. } => {}
            ClaimKind::ExitValue { value, header, expr } => {
                if !says_nothing(*expr) {
                    self.exit_value(index, *value, *header, *expr);
                }
            }
            ClaimKind::Recurrence { value, kind, start, step, header } => {
                self.recurrence(index, *value, *kind, [*start, *step], *header);
            }
        }
    }
    /// Whether the edge of a block, if one is given, is the only one to its target.
    fn is_unique_edge(&self, block: Block, edge: Option<u32>) -> bool {
        let successors = self.checker.body.successors(block);
        let Some(edge) = edge else { return true };
        let Some(target) = successors.get(edge as usize) else { return false };
        successors.iter().filter(|s| *s == target).count() == 1
    }
    fn value(&mut self, index: usize, value: Value, expr: ExprId) {
        let Value::Inst(inst) = value else { return };
        let subject = self.subject(Subject::Claim(index));
        let slot = self.checker.table.slot(value);
        let point = self.point_of(inst);
        self.check(subject, expr, What::Equal(slot), point);
    }
    fn flag(&mut self, subject: usize, expr: ExprId, flag: Flag, scope: Scope) {
        let what = match self.checker.claims.exprs.node(expr) {
            Node::Nary(op, operands, _) => What::Nary { op: *op, flag, operands: operands.to_vec() },
            Node::AddRec { operands, header, .. } => {
                let Some(around) = self.checker.loops.index_of(*header) else { return };
                What::AddRec { flag, operands: operands.to_vec(), around }
            }
            Node::Int(_)
            | Node::Unknown(_)
            | Node::Foreign(_)
            | Node::Cast(..)
            | Node::UDiv(..)
            | Node::VScale
            | Node::CouldNotCompute => return,
        };
        self.scoped(subject, expr, scope, what);
    }
    fn scoped(&mut self, subject: usize, expr: ExprId, scope: Scope, what: What) {
        if scope == Scope::Defining && !matches!(what, What::Nary { .. }) {
            self.by_values(subject, expr, &what);
        }
        if let Some(point) = self.defined(expr).and_then(|point| self.within(point, scope)) {
            self.check(subject, expr, what, Some(point));
            if let Some(check) = self.checker.checks.last_mut() {
                let by_values = scope == Scope::Defining && !matches!(check.what, What::Nary { .. });
                check.hidden = by_values && self.shown_by.contains_key(&expr);
            }
        }
    }
    /// Checks a flag or range of a recurrence where a value expressed by it executes and is not poison.
    fn by_values(&mut self, subject: usize, expr: ExprId, what: &What) {
        for inst in self.shown_by.get(&expr).cloned().unwrap_or_default() {
            let (slot, point) = (self.checker.table.slot(inst.into()), self.point_of(inst));
            if point.is_some() {
                self.check(subject, expr, what.clone(), point);
                if let Some(check) = self.checker.checks.last_mut() {
                    check.shown_by = Some(slot);
                }
            }
        }
    }
    fn check(&mut self, subject: usize, expr: ExprId, what: What, point: Option<Point>) {
        let Some(point) = point else { return };
        let around = match what {
            What::AddRec { around, .. }
            | What::Invariant { around, .. }
            | What::Recurrence { around, .. } => Some(around),
            What::Equal(_) | What::Nary { .. } | What::Range(_) => self.checker.loops.innermost(point.block),
        };
        let order = self.order(expr);
        let width = self.checker.table.width(expr);
        let number = self.checker.checks.len();
        let check = Check { subject, order, width, what, around, shown_by: None, hidden: false };
        self.checker.checks.push(check);
        match point.at.checked_sub(2) {
            None => self.checker.at_block[point.block].push(number),
            Some(n) => self.checker.after[self.checker.body.insts(point.block)[n]].push(number),
        }
    }
    /// The point at which the result of `inst` is known; phis are known all at once. `None` if `inst` is in no block.
    fn point_of(&self, inst: Inst) -> Option<Point> {
        let block = self.checker.body.block_of(inst)?;
        let phi = self.checker.body.inst(inst).kind.is_phi();
        Some(Point { block, at: if phi { 1 } else { self.positions[&inst] } })
    }
    /// The point at which all leaves of `expr` are known.
    fn defined(&self, expr: ExprId) -> Option<Point> {
        let mut points = vec![Point { block: self.checker.body.entry()?, at: 0 }];
        for id in self.order(expr) {
            match self.checker.claims.exprs.node(id) {
                Node::Unknown(Value::Inst(inst)) => points.push(self.point_of(*inst)?),
                Node::AddRec { header, .. } => points.push(Point { block: *header, at: 1 }),
                Node::Int(_)
                | Node::Unknown(Value::Arg(_) | Value::Const(_))
                | Node::Foreign(_)
                | Node::Cast(..)
                | Node::Nary(..)
                | Node::UDiv(..)
                | Node::VScale
                | Node::CouldNotCompute => {}
            }
        }
        let latest = points.iter().copied().find(|p| points.iter().all(|q| self.is_at_or_after(*p, *q)))?;
        self.dominators.is_reachable(latest.block).then_some(latest)
    }
    /// Whether `b` dominates `a` or they are the same point.
    fn is_at_or_after(&self, a: Point, b: Point) -> bool {
        if a.block == b.block { a.at >= b.at } else { self.dominators.dominates(b.block, a.block) }
    }
    /// The point at which a fact known from `point` on is checked in `scope`.
    fn within(&self, point: Point, scope: Scope) -> Option<Point> {
        let start = match scope {
            Scope::Defining => return Some(point),
            Scope::Block(block) => block,
            Scope::Loop(header) => header,
        };
        let start = Point { block: start, at: 1 };
        if self.is_at_or_after(start, point) {
            return Some(start);
        }
        let inside = match scope {
            Scope::Loop(header) => self.checker.loops.of_header(header)?.blocks.contains(point.block),
            Scope::Defining | Scope::Block(_) => self.is_at_or_after(point, start),
        };
        inside.then_some(point)
    }
    fn count(
        &mut self,
        index: usize,
        header: Block,
        count: Option<ExprId>,
        what: Counted,
        predicates: Option<&[Predicate]>,
    ) {
        let Some(around) = self.checker.loops.index_of(header) else { return };
        let assumed: Option<Vec<AssumedPredicate>> =
            predicates.unwrap_or_default().iter().map(|p| self.assumption(p, header)).collect();
        // A claim whose assumptions cannot be evaluated is not checked.
        let Some(assumed) = assumed else { return };
        let subject = self.subject(Subject::Claim(index));
        let order = count.map_or_else(Vec::new, |c| self.order(c));
        let number = self.checker.counts.len();
        if let Counted::Exit { block, .. } = what {
            self.checker.counts_of_exit[block].push(number);
        }
        self.checker.counts_of_loop[around].push(number);
        self.checker.counts.push(Count { subject, around, order, what, assumed });
    }
    fn assumption(&self, predicate: &Predicate, header: Block) -> Option<AssumedPredicate> {
        let exprs = &self.checker.claims.exprs;
        match predicate {
            Predicate::Compare { lhs, rhs, .. } => Some(AssumedPredicate {
                predicate: predicate.clone(),
                orders: [self.order(*lhs), self.order(*rhs)],
                width: self.checker.table.width(*lhs),
            }),
            Predicate::Wrap { addrec, .. } => {
                let Node::AddRec { operands, header: at, .. } = exprs.node(*addrec) else { return None };
                let [start, step] = operands[..] else { return None };
                (*at == header).then(|| AssumedPredicate {
                    predicate: predicate.clone(),
                    orders: [self.order(start), self.order(step)],
                    width: self.checker.table.width(*addrec),
                })
            }
        }
    }
    fn hold(&mut self) -> usize {
        self.checker.held += 1;
        self.checker.held - 1
    }
    /// Checks an expression at each arrival or, if its leaves are known only after the header, where they are. At an
    /// arrival it would still have the last iteration's value, and in the iteration that leaves the loop it would
    /// have none.
    fn invariant(&mut self, index: usize, expr: ExprId, header: Block) {
        let Some(around) = self.checker.loops.index_of(header) else { return };
        let subject = self.subject(Subject::Claim(index));
        let Some(defined) = self.defined(expr) else { return };
        let inside = self.checker.loops.loops[around].blocks.contains(defined.block);
        let point = if inside { defined } else { Point { block: header, at: 1 } };
        let what = What::Invariant { around, held: self.hold() };
        self.checker.held_of_loop[around].push(self.checker.held - 1);
        self.check(subject, expr, what, Some(point));
    }
    fn recurrence(
        &mut self,
        index: usize,
        value: Value,
        kind: RecurrenceKind,
        parts: [ExprId; 2],
        header: Block,
    ) {
        let Some(around) = self.checker.loops.index_of(header) else { return };
        let subject = self.subject(Subject::Claim(index));
        let (slot, held) = (self.checker.table.slot(value), self.hold());
        self.hold();
        let what = What::Recurrence { kind, around, slot, held };
        self.check(subject, parts[0], what, Some(Point { block: header, at: 1 }));
        let order = self.checker.claims.exprs.evaluation_order(&parts);
        if let Some(check) = self.checker.checks.last_mut() {
            // The start comes before the step; the check reads both from their nodes.
            check.order = order;
            check.order.extend(parts);
        }
    }
    fn exit_value(&mut self, index: usize, value: Value, header: Block, expr: ExprId) {
        let (Some(around), Value::Inst(inst)) = (self.checker.loops.index_of(header), value) else { return };
        let Some(block) = self.checker.body.block_of(inst) else { return };
        let exiting = self.checker.loops.loops[around].exiting.iter();
        let from: Vec<Block> = exiting.copied().filter(|b| self.dominators.dominates(block, *b)).collect();
        let subject = self.subject(Subject::Claim(index));
        let slot = self.checker.table.slot(value);
        let (order, width) = (self.order(expr), self.checker.table.width(expr));
        self.checker.exit_values[around].push(ExitValue { subject, order, slot, width, from });
    }
}
