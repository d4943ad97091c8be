//! The parts of an expression, each once per place where it is needed, operands before users.
//!
//! Three walks without recursion: the parts and the existing values among them; the values that are used more than
//! once; the creation of each part.

use super::plan::{Chain, Op, Operand, Plan, Step};
use super::{Obstacle, Options};
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, ExprType, NAry, Node};
use backedge_analysis::LoopId;
use backedge_analysis::poison::Defined;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CastOp, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Limit on the number of retries without certain existing values: each excludes values that would be more poisonous.
/// After it all existing values are excluded.
const MOST_ROUNDS: u32 = 4;

/// An expression, and the instruction before which it is needed.
pub(super) type Key = (Expr, Inst);

/// The way in which a part is produced.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    Int(Int),
    /// An existing value of the body.
    Value(Value),
    /// An operation on parts.
    Operation(SmallVec<[Key; 4]>),
    /// A sum of parts; the flag marks parts to negate.
    Sum(SmallVec<[(Key, bool); 4]>),
    Recurrence {
        l: LoopId,
        start: Key,
        step: Key,
    },
}

/// The result of building a part.
#[derive(Copy, Clone, Debug)]
pub(super) struct Built {
    pub(super) operand: Operand,
    /// A leaf may be poison or undef.
    pub(super) undefined: bool,
    /// Poison if facts do not hold, which is possible in executions that reach UB later.
    pub(super) flagged: bool,
    /// Contains a division with a guarded divisor.
    pub(super) guarded: bool,
}

impl Built {
    /// A result without parts.
    fn leaf(operand: Operand, undefined: bool) -> Self {
        Self { operand, undefined, flagged: false, guarded: false }
    }
    /// The result `operand` of an operation on `parts`.
    pub(super) fn of(operand: Operand, parts: &[Self]) -> Self {
        Self {
            operand,
            undefined: parts.iter().any(|p| p.undefined),
            flagged: parts.iter().any(|p| p.flagged),
            guarded: parts.iter().any(|p| p.guarded),
        }
    }
}

pub(super) struct Planner<'p, 'a> {
    pub(super) scev: &'p mut ScalarEvolution<'a>,
    pub(super) options: Options,
    pub(super) chains: FxHashMap<Inst, Chain>,
    choices: FxHashMap<Key, Choice>,
    /// Operands before users.
    order: Vec<Key>,
    /// Values that are used more than once.
    shared: FxHashSet<Value>,
    /// Leaves that may be undef and would be used beside existing values computed from them. No such existing value is
    /// used, since it may have seen another value of the undef.
    pub(super) excluded_leaves: FxHashSet<Value>,
    built: FxHashMap<Key, Built>,
    pub(super) steps: Vec<Step>,
    pub(super) known_steps: FxHashMap<(Op, Type), SmallVec<[usize; 1]>>,
}

impl<'p, 'a> Planner<'p, 'a> {
    pub(super) fn new(scev: &'p mut ScalarEvolution<'a>, options: Options) -> Self {
        Self {
            scev,
            options,
            chains: FxHashMap::default(),
            choices: FxHashMap::default(),
            order: Vec::new(),
            shared: FxHashSet::default(),
            excluded_leaves: FxHashSet::default(),
            built: FxHashMap::default(),
            steps: Vec::new(),
            known_steps: FxHashMap::default(),
        }
    }

    /// An existing value that equals `expr` before `at`.
    pub(super) fn find(mut self, expr: Expr, at: Inst) -> Option<Value> {
        self.check_place(at).ok()?;
        match self.scev.arena.node(expr) {
            Node::Constant(_) | Node::CouldNotCompute => None,
            Node::Unknown(value) => {
                let value = *value;
                self.choose_leaf(value, at).is_ok().then_some(value)
            }
            Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) | Node::AddRec(..) => self.existing(expr, at),
        }
    }
    fn check_place(&self, at: Inst) -> Result<(), Obstacle> {
        let body = self.scev.at.body;
        let kind = &body.inst(at).kind;
        let is_place = !kind.is_phi() && !matches!(kind, InstKind::LandingPad { .. });
        if !is_place || !body.block_of(at).is_some_and(|b| self.scev.cfg.is_reachable(b)) {
            return Err(Obstacle::Place(at));
        }
        Ok(())
    }

    pub(super) fn plan(mut self, expr: Expr, at: Inst) -> Result<Plan, Obstacle> {
        self.check_place(at)?;
        let root = (expr, at);
        self.choose_all(root)?;
        for round in 0.. {
            if !self.exclude_leaves() {
                break;
            }
            self.options.reuse &= round < MOST_ROUNDS;
            self.choices.clear();
            self.order.clear();
            self.choose_all(root)?;
        }
        self.find_shared(root);
        for key in std::mem::take(&mut self.order) {
            let built = self.build(key)?;
            self.built.insert(key, built);
        }
        let mut result = self.built[&root];
        let is_frozen = self.options.freeze && result.undefined;
        if is_frozen {
            result.operand = self.freeze(result.operand, self.ir_type(expr), at);
        }
        let mut plan = Plan { steps: self.steps, result: result.operand };
        if self.options.freeze && !is_frozen {
            // Without flags, the result is as defined as its leaves.
            plan.drop_flags();
        }
        Ok(plan)
    }

    pub(super) fn ir_type(&self, expr: Expr) -> Type {
        let ExprType { width, space } = self.scev.arena.ty(expr);
        space.map_or_else(|| Type::int(width), Type::ptr)
    }
    pub(super) fn parts_of(&self, keys: &[Key]) -> SmallVec<[Built; 4]> {
        keys.iter().map(|key| self.built[key]).collect()
    }
    pub(super) fn built(&self, key: Key) -> Built {
        self.built[&key]
    }

    fn choose_all(&mut self, root: Key) -> Result<(), Obstacle> {
        let mut work = vec![(root, false)];
        while let Some((key, done)) = work.pop() {
            if done {
                self.order.push(key);
                continue;
            }
            if self.choices.contains_key(&key) {
                continue;
            }
            if self.choices.len() >= self.options.most_parts {
                return Err(Obstacle::TooLarge);
            }
            let choice = self.choose(key)?;
            work.push((key, true));
            let needs = choice.needs(1);
            work.extend(
                needs.iter().rev().map(|(k, _)| (*k, false)).filter(|(k, _)| !self.choices.contains_key(k)),
            );
            self.choices.insert(key, choice);
        }
        Ok(())
    }
    fn choose(&mut self, (expr, anchor): Key) -> Result<Choice, Obstacle> {
        let node = self.scev.node(expr);
        match &node {
            Node::Constant(value) => return Ok(Choice::Int(*value)),
            Node::CouldNotCompute => return Err(Obstacle::NotComputed),
            Node::Unknown(value) => return self.choose_leaf(*value, anchor),
            Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) | Node::AddRec(..) => {}
        }
        if let Some(value) = self.existing(expr, anchor) {
            return Ok(Choice::Value(value));
        }
        self.check_pointers(expr, &node)?;
        Ok(match &node {
            Node::NAry(NAry::Add, operands) => {
                let part = |this: &mut Self, e: Expr| match this.negated(e) {
                    Some(inner) if this.existing(e, anchor).is_none() => ((inner, anchor), true),
                    _ => ((e, anchor), false),
                };
                Choice::Sum(operands.iter().map(|e| part(self, *e)).collect())
            }
            Node::AddRec(l, operands) => self.choose_recurrence(*l, operands, anchor)?,
            _ => Choice::Operation(node.operands().iter().map(|e| (*e, anchor)).collect()),
        })
    }
    fn choose_leaf(&mut self, value: Value, anchor: Inst) -> Result<Choice, Obstacle> {
        if !self.is_defined_before(value, anchor) {
            return Err(Obstacle::NotAvailable(value));
        }
        if self.options.lcssa && !self.is_closed(value, anchor) {
            return Err(Obstacle::NotClosed(value));
        }
        Ok(Choice::Value(value))
    }
    /// Whether every loop that contains the definition of `value` also contains `place`.
    pub(super) fn is_closed(&self, value: Value, place: Inst) -> bool {
        let Value::Inst(inst) = value else { return true };
        let innermost = self.scev.at.body.block_of(inst).and_then(|b| self.scev.loops.innermost(b));
        innermost.is_none_or(|l| self.scev.loops.contains(l, self.block_of(place)))
    }
    /// Minima and maxima compare all bits of pointers, and conversions read all bits.
    fn check_pointers(&self, expr: Expr, node: &Node) -> Result<(), Obstacle> {
        let space = node.operands().first().and_then(|o| self.scev.arena.ty(*o).space);
        let takes_all = matches!(node, Node::Cast(Cast::PtrToInt, _))
            || matches!(node, Node::NAry(op, _) if op.is_min_max());
        match space.filter(|_| takes_all).map(|s| self.scev.at.env.layout.pointer(s)) {
            Some(spec) if spec.bits != spec.index_bits => Err(Obstacle::Pointer(expr)),
            _ => Ok(()),
        }
    }

    /// Finds leaves that may be undef and occur through several values. Returns whether there are new ones.
    fn exclude_leaves(&mut self) -> bool {
        let values = self.order.iter().filter_map(|key| match self.choices[key] {
            Choice::Value(value) => Some((value, *key)),
            Choice::Int(_) | Choice::Operation(_) | Choice::Sum(_) | Choice::Recurrence { .. } => None,
        });
        let (mut seen, mut by): (FxHashSet<Value>, FxHashMap<Value, Value>) = Default::default();
        let mut apart = Vec::new();
        for (value, (expr, anchor)) in values {
            if !seen.insert(value) || self.is_defined(value, anchor, Defined::NotUndef) {
                continue;
            }
            self.scev.arena.all_parts(expr, |_, node| {
                if let Node::Unknown(leaf) = node
                    && *by.entry(*leaf).or_insert(value) != value
                    && !self.is_defined(*leaf, anchor, Defined::NotUndef)
                {
                    apart.push(*leaf);
                }
                true
            });
        }
        let before = self.excluded_leaves.len();
        self.excluded_leaves.extend(apart);
        self.excluded_leaves.len() > before
    }
    /// Finds the values with more than one use path: each use of an undef could be another value.
    fn find_shared(&mut self, root: Key) {
        let mut ways: FxHashMap<Key, u32> = FxHashMap::from_iter([(root, 1)]);
        let mut uses: FxHashMap<Value, u32> = FxHashMap::default();
        for key in self.order.iter().rev() {
            let to = ways.get(key).copied().unwrap_or(0);
            if let Choice::Value(value) = &self.choices[key] {
                let uses = uses.entry(*value).or_default();
                *uses = uses.saturating_add(to);
            }
            for (need, times) in self.choices[key].needs(self.times_used(key.0)) {
                let ways = ways.entry(need).or_default();
                *ways = ways.saturating_add(to.saturating_mul(times));
            }
        }
        self.shared = uses.into_iter().filter(|(_, n)| *n > 1).map(|(value, _)| value).collect();
    }
    /// The number of times that the operation `expr` uses each operand.
    fn times_used(&self, expr: Expr) -> u32 {
        match self.scev.arena.node(expr) {
            Node::NAry(op, _) if op.is_min_max() && self.intrinsic(*op, expr).is_none() => 2,
            _ => 1,
        }
    }

    fn build(&mut self, key: Key) -> Result<Built, Obstacle> {
        let (expr, anchor) = key;
        match self.choices[&key].clone() {
            Choice::Int(value) => Ok(Built::leaf(Operand::Int(value), false)),
            Choice::Value(value) => Ok(self.value(value, self.ir_type(expr), anchor)),
            Choice::Sum(parts) => Ok(self.sum(expr, &parts, anchor)),
            Choice::Recurrence { l, start, step } => Ok(self.recurrence(expr, l, [start, step], anchor)),
            Choice::Operation(keys) => match self.scev.node(expr) {
                Node::Cast(cast, _) => Ok(self.cast(expr, cast, keys[0], anchor)),
                Node::NAry(NAry::Mul, _) => Ok(self.product(expr, &keys, anchor)),
                Node::NAry(op, _) => Ok(self.min_max(expr, op, &keys, anchor)),
                Node::UDiv(_) => self.quotient(expr, [keys[0], keys[1]], anchor),
                Node::Constant(_) | Node::Unknown(_) | Node::AddRec(..) | Node::CouldNotCompute => {
                    unreachable!("no operation")
                }
            },
        }
    }
    fn value(&mut self, value: Value, ty: Type, anchor: Inst) -> Built {
        let operand = Operand::Value(value);
        let undefined = !self.is_defined(value, anchor, Defined::NotUndef);
        if undefined && self.shared.contains(&value) {
            return Built::leaf(self.freeze(operand, ty, anchor), false);
        }
        Built::leaf(operand, undefined)
    }
    pub(super) fn freeze(&mut self, operand: Operand, ty: Type, anchor: Inst) -> Operand {
        self.step(anchor, ty, Op::Freeze(operand))
    }
    fn cast(&mut self, expr: Expr, cast: Cast, key: Key, anchor: Inst) -> Built {
        let op = match cast {
            Cast::Trunc => CastOp::Trunc,
            Cast::ZExt => CastOp::ZExt,
            Cast::SExt => CastOp::SExt,
            Cast::PtrToInt => CastOp::PtrToInt,
        };
        let part = self.built[&key];
        let operand = self.step(anchor, self.ir_type(expr), Op::Cast(op, part.operand));
        Built::of(operand, &[part])
    }
}

impl Choice {
    /// The required parts, each with its number of uses, if an operation uses each operand `times` times.
    fn needs(&self, times: u32) -> SmallVec<[(Key, u32); 4]> {
        match self {
            Self::Int(_) | Self::Value(_) => SmallVec::new(),
            Self::Operation(keys) => keys.iter().map(|k| (*k, times)).collect(),
            Self::Sum(parts) => parts.iter().map(|(k, _)| (*k, times)).collect(),
            // The step is added in each iteration.
            Self::Recurrence { start, step, .. } => SmallVec::from_slice(&[(*start, 1), (*step, 2)]),
        }
    }
}
