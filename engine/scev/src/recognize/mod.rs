//! Recognition: finds the expression of a value.
//!
//! Requires reachable code in SSA form; a value that is never computed is a leaf. Guarantees P3 of docs/semantics.md:
//! whenever a value is computed and is not poison, it equals its expression for the current values of the leaves. A
//! worklist replaces recursion: operands are processed before users, in time linear in the queried values.
//!
//! While the backedge value of a header phi is being found, the phi is *open* and counts as a leaf. If it is a
//! recurrence, expressions that contain it as a leaf are forgotten, and are found again when they are queried;
//! otherwise it remains a leaf. Source of the method: van Engelen, "Efficient Symbolic Analysis for Optimizing
//! Compilers", 2001; the idioms are those of LLVM's `ScalarEvolution`.
//!
//! | task | module |
//! |---|---|
//! | classification of a value as an operation | `operation` |
//! | sums, products, quotients | `arith`; logic and shifts: `bits`; conversions: `cast`; addresses: `address` |
//! | selects, merging phis | `select` |
//! | calls | `call` |
//! | header phis | `phi`, `shifted`; header phis without an add recurrence: `recurrences` |
//! | flags that are facts, and their scopes | `facts`, `poison` |
//! | values that may differ between uses and stay leaves | `undef` |

mod address;
mod arith;
mod bits;
mod call;
mod cast;
mod facts;
mod operation;
mod phi;
mod poison;
mod recurrences;
mod select;
mod shifted;
mod undef;

pub use recurrences::{ClosedForm, Recurrence, Step};

use crate::ScalarEvolution;
use crate::expr::{Arena, Expr, Node};
use crate::facts::Flags;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use operation::Operation;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The number of attempts before a phi remains a leaf; each attempt follows the success of a phi that depended on it.
const MOST_TRIES: u8 = 4;

/// The expressions of each value, best first, and the state of the search.
#[derive(Debug, Default)]
pub(crate) struct ValueMap {
    pub(crate) of: FxHashMap<Value, SmallVec<[Expr; 1]>>,
    /// Values found while a phi is open, in order.
    log: Vec<Value>,
    /// The open phis, each with the length of the log when it was opened.
    open: Vec<(Inst, usize)>,
    /// The number of attempts for each phi.
    tries: FxHashMap<Inst, u8>,
    /// The definition point of the latest leaf of each expression.
    defined: FxHashMap<Expr, poison::Point>,
    /// Instructions whose execution is UB if the key is poison.
    undefined_by: FxHashMap<Inst, poison::Proofs>,
    /// For each phi, the flags of its recurrence that hold wherever the phi is not poison.
    phi_flags: FxHashMap<Inst, Flags>,
    /// The recurrences of phis that no expression describes.
    recurrences: FxHashMap<Inst, Option<Recurrence>>,
    /// Blocks of irreducible cycles.
    irreducible: Option<FxHashSet<Block>>,
    /// Instructions whose results depend on an `undef` constant.
    from_undef: Option<FxHashSet<Inst>>,
}

impl ValueMap {
    /// Whether a phi is open.
    pub(crate) fn is_searching(&self) -> bool {
        !self.open.is_empty()
    }
}

enum Task {
    Find(Value),
    Close(Inst),
}

impl ScalarEvolution<'_> {
    /// The best known expression of `value`; `None` if its type has no expressions.
    pub fn expr(&mut self, value: Value) -> Option<Expr> {
        self.expr_type(self.at.body.ty(value))?;
        self.propagate_facts_if_due();
        if let Some(known) = self.found(value) {
            return Some(known);
        }
        self.find(value);
        self.found(value)
    }
    /// All known expressions of `value`, best first. Each equals the value wherever the value is defined.
    pub fn exprs(&self, value: Value) -> &[Expr] {
        self.values.of.get(&value).map_or(&[], |exprs| exprs)
    }

    /// The best expression of `value`, if one has been found.
    fn found(&self, value: Value) -> Option<Expr> {
        self.values.of.get(&value).and_then(|exprs| exprs.first().copied())
    }
    /// The expression of an operand; operands are found before their users.
    fn operand(&mut self, value: Value) -> Expr {
        self.found(value).unwrap_or_else(|| self.unknown(value))
    }
    fn record(&mut self, value: Value, expr: Expr) {
        let exprs = self.values.of.entry(value).or_default();
        exprs.retain(|e| *e != expr);
        exprs.insert(0, expr);
        self.existing.note(value, expr);
        if !self.values.open.is_empty() {
            self.values.log.push(value);
        }
    }

    fn find(&mut self, value: Value) {
        let mut work = vec![Task::Find(value)];
        while let Some(task) = work.pop() {
            match task {
                Task::Find(value) if self.found(value).is_some() => {}
                Task::Find(value) => self.find_one(value, &mut work),
                Task::Close(phi) => self.close(phi, &mut work),
            }
        }
    }
    fn find_one(&mut self, value: Value, work: &mut Vec<Task>) {
        let operation = self.operation(value);
        if let Operation::Header(phi) = operation {
            return self.open(phi, work);
        }
        if self.asks_for(&operation.needs(self.at.body), Task::Find(value), work) {
            return;
        }
        // A value is used where it is computed, so facts that hold there may be used for its expression.
        let block = value.as_inst().and_then(|i| self.at.body.block_of(i));
        let expr = self.within(block, |s| s.build(value, operation));
        self.record(value, expr);
    }
    /// Builds the expression of `value` again from current facts of its operands, and puts it first. Not for header
    /// phis.
    pub(crate) fn create(&mut self, value: Value) -> Expr {
        let operation = self.operation(value);
        for operand in operation.needs(self.at.body) {
            if self.expr_type(self.at.body.ty(operand)).is_some() {
                self.expr(operand);
            }
        }
        let block = value.as_inst().and_then(|i| self.at.body.block_of(i));
        let expr = self.within(block, |s| s.build(value, operation));
        self.record(value, expr);
        expr
    }
    /// Whether some of `needs` must be found before `task`; if so, pushes them on the worklist.
    fn asks_for(&self, needs: &[Value], task: Task, work: &mut Vec<Task>) -> bool {
        let missing =
            |v: &&Value| self.found(**v).is_none() && self.expr_type(self.at.body.ty(**v)).is_some();
        let mut missing = needs.iter().filter(missing).peekable();
        if missing.peek().is_none() {
            return false;
        }
        work.push(task);
        work.extend(missing.map(|v| Task::Find(*v)));
        true
    }
    /// The expression of `value` as `operation` applied to the expressions of its operands.
    fn build(&mut self, value: Value, operation: Operation) -> Expr {
        let built = match operation {
            Operation::Leaf | Operation::Header(_) => None,
            Operation::Same(of) => Some(self.operand(of)),
            Operation::Binary(op, flags, operands) => self.recognized_binary(value, op, flags, operands),
            Operation::Overflow(op, signed, operands) => {
                Some(self.with_overflow(value, op, signed, operands))
            }
            Operation::Cast(op, flags, operand) => self.cast_of(value, op, flags, operand),
            Operation::Address(source, flags, operands) => {
                self.recognized_address(value, source, flags, &operands)
            }
            Operation::Select { condition, arms } => self.recognized_select(value, condition, arms),
            Operation::Intrinsic(intrinsic, operands) => self.recognized_intrinsic(intrinsic, &operands),
        };
        let ty = self.expr_type(self.at.body.ty(value));
        built.filter(|e| Some(self.ty(*e)) == ty).unwrap_or_else(|| self.unknown(value))
    }

    /// Opens a phi: it is a leaf until its incoming values are found.
    fn open(&mut self, phi: Inst, work: &mut Vec<Task>) {
        let leaf = self.unknown(phi.into());
        let tries = self.values.tries.entry(phi).or_default();
        *tries += 1;
        let given_up = *tries > MOST_TRIES;
        if !given_up {
            self.values.open.push((phi, self.values.log.len()));
            work.push(Task::Close(phi));
        }
        self.record(phi.into(), leaf);
    }
    fn close(&mut self, phi: Inst, work: &mut Vec<Task>) {
        let incoming = self.at.body.inst(phi).operands.clone();
        if self.asks_for(&incoming, Task::Close(phi), work) {
            return;
        }
        let found = self.recurrence_of_phi(phi);
        let (_, from) = self.values.open.pop().expect("a phi is closed once, innermost first");
        if let Some(expr) = found {
            self.forget_since(from);
            self.values.of.remove(&phi.into());
            self.record(phi.into(), expr);
            if self.values.tries.get(&phi).is_some_and(|tries| *tries > 1) {
                self.forget_users_of_leaf(phi);
            }
            self.learn_recurrence(phi, expr);
        }
        if self.values.open.is_empty() {
            self.values.log.clear();
        }
    }
    /// Forgets the values with `phi` as a leaf in their expressions, from attempts in which `phi` had to remain a leaf.
    /// Walks from the users of `phi` onwards, except past values whose expressions are known not to contain it.
    fn forget_users_of_leaf(&mut self, phi: Inst) {
        let body = self.at.body;
        let leaf = self.unknown(phi.into());
        let mut seen: FxHashSet<Inst> = FxHashSet::default();
        let mut work = vec![phi];
        while let Some(inst) = work.pop() {
            for user in body.code_uses(inst.into()).map(|u| u.user) {
                if seen.len() >= self.limits.search as usize || !seen.insert(user) {
                    continue;
                }
                let exprs = self.exprs(user.into());
                let has_leaf = |e: &Expr| !self.arena.all_parts(*e, |part, _| part != leaf);
                if exprs.iter().any(has_leaf) {
                    self.values.of.remove(&user.into());
                } else if !exprs.is_empty() {
                    continue;
                }
                work.push(user);
            }
        }
    }
    /// Forgets the values that were found since log position `from` and depend on a phi that was a leaf then.
    fn forget_since(&mut self, from: usize) {
        let since = self.values.log.split_off(from);
        let body = self.at.body;
        let is_phi = |v: &Value| v.as_inst().is_some_and(|i| body.inst(i).kind.is_phi());
        let leaves: FxHashSet<Value> = since.iter().copied().filter(is_phi).collect();
        let mut depends = FxHashMap::default();
        for value in since {
            let Some(exprs) = self.values.of.get(&value) else { continue };
            let arena = &self.arena;
            let doubtful = exprs.iter().any(|e| {
                bottom_up(arena, &mut depends, *e, |_, node, known| match node {
                    Node::Unknown(leaf) => leaves.contains(leaf),
                    _ => node.operands().iter().any(|o| known[o]),
                })
            });
            if doubtful {
                self.values.of.remove(&value);
            } else if !self.values.open.is_empty() {
                self.values.log.push(value);
            }
        }
    }
}

/// Evaluates `of` for `root` after its parts, with results cached in `known`. Not recursive.
fn bottom_up<T: Copy>(
    arena: &Arena,
    known: &mut FxHashMap<Expr, T>,
    root: Expr,
    mut of: impl FnMut(Expr, &Node, &FxHashMap<Expr, T>) -> T,
) -> T {
    let mut work = vec![root];
    while let Some(&expr) = work.last() {
        let node = arena.node(expr);
        let before = work.len();
        if !known.contains_key(&expr) {
            work.extend(node.operands().iter().filter(|o| !known.contains_key(o)));
        }
        if work.len() == before {
            if !known.contains_key(&expr) {
                let answer = of(expr, node, known);
                known.insert(expr, answer);
            }
            work.pop();
        }
    }
    known[&root]
}
