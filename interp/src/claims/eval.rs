//! Expressions as a flat program, evaluated on the values of a run.
//!
//! Nodes are in the order of the claims' arena, operands first; the program of one expression is the list of its
//! nodes. A value is a bit pattern at the node's width (a pointer's address at its index width).

use crate::Program;
use crate::value::{Val, mask};
use backedge_claim::expr::{CastOp, ExprId, Exprs, Foreign, NaryOp, Node};
use backedge_claim::loops::NaturalLoops;
use backedge_ir::constant::{ConstData, ConstPool, Constant};
use backedge_ir::entity::{Const, EntityId};
use backedge_ir::inst::Value;
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Result of an evaluation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// A bit pattern.
    Bits(u128),
    /// Poison, or a division by zero.
    Poison,
    /// Not comparable: undefined bits, a leaf not computed yet, or `vscale`.
    Nothing,
}

impl Outcome {
    pub(super) fn bits(self) -> Option<u128> {
        if let Self::Bits(bits) = self { Some(bits) } else { None }
    }
    /// A value of the run at `width` bits.
    pub(super) fn of_val(value: &Val, width: u32) -> Self {
        match value {
            Val::Poison => Self::Poison,
            Val::Bits(bits) => Self::Bits(u128::from(*bits) & mask(width)),
            Val::Ptr(ptr) => Self::Bits(u128::from(ptr.addr) & mask(width)),
            Val::Wide(cube) if cube.is_known() => Self::Bits(cube.bits & mask(width)),
            Val::Wide(_) | Val::Agg(_) => Self::Nothing,
        }
    }
}

/// Index of a leaf among the recorded values of a run.
pub(super) type Slot = u32;

#[derive(Clone, Debug)]
enum Op {
    Fixed(Outcome),
    Leaf(Slot),
    /// Truncation, zero extension, and pointers as integers.
    Resize(ExprId),
    SExt(ExprId),
    Nary(NaryOp, SmallVec<[ExprId; 3]>),
    UDiv(ExprId, ExprId),
    AddRec(SmallVec<[ExprId; 3]>, usize),
}

/// All expressions of the claims on one function.
#[derive(Clone, Debug)]
pub(super) struct Table {
    ops: Vec<(Op, u32)>,
    /// Slots of the values that leaves need.
    pub(super) slots: FxHashMap<Value, Slot>,
}

/// Arrivals at the header of a loop.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Arrivals {
    /// Whether control is in the loop.
    pub(super) active: bool,
    /// Whether control was ever in the loop.
    pub(super) ever: bool,
    /// Number of the latest arrival, from 0: backedges taken since the loop was entered.
    pub(super) index: u64,
}

/// Values of a run on which expressions are evaluated.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Leaf values, by slot.
    pub(super) leaves: Vec<Outcome>,
    /// Loops, by their number.
    pub(super) loops: Vec<Arrivals>,
    /// Node values; only those of the last evaluated expression are valid.
    pub(super) nodes: Vec<Outcome>,
}

/// The width of arithmetic on `ty`; `None` if it has none.
pub(super) fn width_of(env: &Env, ty: Type) -> Option<u32> {
    ty.int_bits().or_else(|| ty.ptr_space().map(|space| env.layout.index_bits(space))).filter(|w| *w <= 128)
}

impl Table {
    pub(super) fn new(program: &Program<'_>, exprs: &Exprs, pool: &ConstPool, loops: &NaturalLoops) -> Self {
        let mut table = Self { ops: Vec::with_capacity(exprs.len()), slots: FxHashMap::default() };
        let maker = Maker { program, exprs, pool, loops };
        for (id, _) in exprs.iter() {
            let width = width_of(&program.module().env, exprs.ty(id));
            let op = width.map_or(Op::Fixed(Outcome::Nothing), |width| maker.op(&mut table, id, width));
            table.ops.push((op, width.unwrap_or(1)));
        }
        table
    }
    /// The slot of `value`; allocates one if needed.
    pub(super) fn slot(&mut self, value: Value) -> Slot {
        let next = self.slots.len() as Slot;
        *self.slots.entry(value).or_insert(next)
    }
    pub(super) fn width(&self, expr: ExprId) -> u32 {
        self.ops[expr.index()].1
    }
    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.ops.len()
    }
    /// Evaluates the nodes of `order`, operands first, and returns the value of the last one.
    pub(super) fn evaluate(&self, order: &[ExprId], state: &mut State) -> Outcome {
        let mut last = Outcome::Nothing;
        for id in order {
            let (op, width) = &self.ops[id.index()];
            last = self.node(op, *width, state);
            state.nodes[id.index()] = last;
        }
        last
    }
    fn node(&self, op: &Op, width: u32, state: &State) -> Outcome {
        let value = |id: &ExprId| state.nodes[id.index()];
        let map = |id: &ExprId, f: &dyn Fn(u128) -> u128| match value(id) {
            Outcome::Bits(bits) => Outcome::Bits(f(bits) & mask(width)),
            other @ (Outcome::Poison | Outcome::Nothing) => other,
        };
        match op {
            Op::Fixed(outcome) => *outcome,
            Op::Leaf(slot) => state.leaves[*slot as usize],
            Op::Resize(id) => map(id, &|bits| bits),
            Op::SExt(id) => map(id, &|bits| signed(bits, self.width(*id)) as u128),
            Op::UDiv(lhs, rhs) => match (value(lhs), value(rhs)) {
                (Outcome::Nothing, _) | (_, Outcome::Nothing) => Outcome::Nothing,
                (Outcome::Bits(a), Outcome::Bits(b)) => {
                    a.checked_div(b).map_or(Outcome::Poison, Outcome::Bits)
                }
                (Outcome::Poison, _) | (_, Outcome::Poison) => Outcome::Poison,
            },
            Op::Nary(NaryOp::UMinSeq, operands) => umin_seq(operands.iter().map(value)),
            Op::Nary(op, operands) => nary(*op, width, operands.iter().map(value)),
            Op::AddRec(operands, index) => {
                let arrivals = state.loops[*index];
                if !arrivals.ever {
                    return Outcome::Nothing;
                }
                let mut sum = 0u128;
                // Operand k does not affect arrivals before number k: the phi does not read it.
                let reached = operands.iter().enumerate().take_while(|(k, _)| *k as u64 <= arrivals.index);
                for (k, operand) in reached {
                    let Outcome::Bits(bits) = value(operand) else { return value(operand) };
                    let Some(times) = binomial(arrivals.index, k) else { return Outcome::Nothing };
                    sum = sum.wrapping_add(bits.wrapping_mul(times));
                }
                Outcome::Bits(sum & mask(width))
            }
        }
    }
}

/// Translates nodes into operations.
struct Maker<'a, 'm> {
    program: &'a Program<'m>,
    exprs: &'a Exprs,
    pool: &'a ConstPool,
    loops: &'a NaturalLoops,
}

impl Maker<'_, '_> {
    fn op(&self, table: &mut Table, id: ExprId, width: u32) -> Op {
        match self.exprs.node(id) {
            Node::Int(int) => Op::Fixed(Outcome::Bits(int.bits())),
            Node::Unknown(Value::Const(id)) => Op::Fixed(self.constant(self.pool, *id, width)),
            Node::Unknown(value) => Op::Leaf(table.slot(*value)),
            Node::Foreign(foreign) => Op::Fixed(self.foreign(foreign, self.exprs.ty(id), width)),
            Node::Cast(CastOp::SExt, operand) => Op::SExt(*operand),
            Node::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::PtrToAddr, operand) => {
                Op::Resize(*operand)
            }
            Node::Nary(op, operands, _) => Op::Nary(*op, operands.clone()),
            Node::UDiv(lhs, rhs) => Op::UDiv(*lhs, *rhs),
            Node::AddRec { operands, header, .. } => match self.loops.index_of(*header) {
                Some(index) => Op::AddRec(operands.clone(), index),
                None => Op::Fixed(Outcome::Nothing),
            },
            Node::VScale | Node::CouldNotCompute => Op::Fixed(Outcome::Nothing),
        }
    }
    fn constant(&self, pool: &ConstPool, id: Const, width: u32) -> Outcome {
        // An undefined constant differs at each use, and an unmodelled one has no value.
        let value = self.program.constant_of(pool, id);
        value.map_or(Outcome::Nothing, |value| Outcome::of_val(&value, width))
    }
    fn foreign(&self, foreign: &Foreign, ty: Type, width: u32) -> Outcome {
        match foreign {
            Foreign::Undef | Foreign::Text(_) => Outcome::Nothing,
            Foreign::Poison => Outcome::Poison,
            Foreign::Null => Outcome::Bits(0),
            Foreign::Global(global) => {
                let mut pool = ConstPool::default();
                let id = pool.intern(Constant { ty, data: ConstData::Global(*global) });
                self.constant(&pool, id, width)
            }
        }
    }
}

/// `bits`, of `width` bits, as a signed number.
pub(super) fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

/// The binomial coefficient (i over k) in ℤ, if it fits.
pub(super) fn binomial(i: u64, k: usize) -> Option<u128> {
    let mut result = 1u128;
    for j in 0..k as u64 {
        if j >= i {
            return Some(0);
        }
        result = result.checked_mul(u128::from(i - j))? / u128::from(j + 1);
    }
    Some(result)
}

fn umin_seq(operands: impl Iterator<Item = Outcome>) -> Outcome {
    let mut least = u128::MAX;
    for operand in operands {
        match operand {
            Outcome::Bits(bits) => least = least.min(bits),
            other @ (Outcome::Poison | Outcome::Nothing) => return other,
        }
        if least == 0 {
            break;
        }
    }
    Outcome::Bits(least)
}

fn nary(op: NaryOp, width: u32, operands: impl Iterator<Item = Outcome>) -> Outcome {
    let mut result: Option<u128> = None;
    let mut poison = false;
    for operand in operands {
        match operand {
            Outcome::Bits(bits) => result = Some(result.map_or(bits, |r| fold(op, width, r, bits))),
            Outcome::Poison => poison = true,
            Outcome::Nothing => return Outcome::Nothing,
        }
    }
    if poison { Outcome::Poison } else { result.map_or(Outcome::Nothing, Outcome::Bits) }
}

fn fold(op: NaryOp, width: u32, a: u128, b: u128) -> u128 {
    let by_sign = |first: bool| if (signed(a, width) <= signed(b, width)) == first { a } else { b };
    match op {
        NaryOp::Add => a.wrapping_add(b) & mask(width),
        NaryOp::Mul => a.wrapping_mul(b) & mask(width),
        NaryOp::UMax => a.max(b),
        NaryOp::UMin | NaryOp::UMinSeq => a.min(b),
        NaryOp::SMin => by_sign(true),
        NaryOp::SMax => by_sign(false),
    }
}
