//! Loads and stores of a loop: how their addresses go on from iteration to iteration.
//!
//! What is said of an address is true where it is no poison, which it is not where the access is executed. In lanes that do
//! not execute it an address may be poison: what is computed for lane 0 of a masked access is computed without flags.

use super::masks::Masks;
use super::ops::Op;
use super::walk::Reach;
use super::{Form, Missed};
use backedge_analysis::alias::location::{accessed_type, pointer_operand};
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::types::Type;
use backedge_scev::{Expr, ScalarEvolution};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Loops with more accesses are not looked at.
pub(super) const MOST_ACCESSES: usize = 128;

/// How the addresses of lanes lie to each other.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// All are the same.
    Uniform,
    /// Each is behind the one before by the size of the value.
    Consecutive,
    /// Each is in front of the one before by the size of the value.
    Reverse,
    /// Each is so many bytes behind the one before.
    Strided(i64),
    /// They are computed lane by lane: a gather or scatter.
    Scattered,
}

impl Pattern {
    /// Of addresses that go on by `step`, of values of `size` bytes.
    pub(super) fn of_step(step: i64, size: i64) -> Self {
        match step {
            0 => Self::Uniform,
            _ if step == size => Self::Consecutive,
            _ if step == -size => Self::Reverse,
            _ => Self::Strided(step),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str("uniform"),
            Self::Consecutive => f.write_str("consecutive"),
            Self::Reverse => f.write_str("reverse"),
            Self::Strided(bytes) => write!(f, "strided by {bytes}"),
            Self::Scattered => f.write_str("scattered"),
        }
    }
}

/// A load or store.
#[derive(Clone, Debug)]
pub struct Access {
    /// The instruction.
    pub inst: Inst,
    /// Whether it writes.
    pub is_store: bool,
    /// Its pointer.
    pub pointer: Value,
    /// The type of the value.
    pub ty: Type,
    /// The size of the value.
    pub bytes: u64,
    /// What the address is a multiple of.
    pub align: u64,
    /// Whether it is not made for all lanes.
    pub masked: bool,
    /// How its lanes lie.
    pub pattern: Pattern,
    /// The address in the first iteration, and by how many bytes it goes on, where that is a constant.
    pub affine: Option<(Expr, i64)>,
    /// The same of accesses in a loop with loops in it.
    pub reach: Option<Reach>,
}

pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    (ops, masks): (&FxHashMap<Inst, Op>, &Masks),
) -> Result<Vec<Access>, Missed> {
    in_order(form, ops)?.into_iter().map(|inst| access(scev, form, masks, inst)).collect()
}

/// The loads and stores in the linear order, if they are not too many.
pub(super) fn in_order(form: &Form, ops: &FxHashMap<Inst, Op>) -> Result<Vec<Inst>, Missed> {
    let is_access = |i: &Inst| matches!(ops.get(i), Some(Op::Load | Op::Store));
    let insts: Vec<Inst> = form.insts().iter().copied().filter(is_access).collect();
    if insts.len() > MOST_ACCESSES { Err(Missed::TooLarge) } else { Ok(insts) }
}

/// An access of which nothing is known but its type and size.
pub(super) fn sized(scev: &ScalarEvolution<'_>, inst: Inst) -> Result<Access, Missed> {
    let (env, body) = (scev.at.env, scev.body());
    let data = body.inst(inst);
    let (InstKind::Load(how) | InstKind::Store(how)) = &data.kind else { return Err(Missed::Ordered) };
    let pointer = pointer_operand(body, inst).ok_or(Missed::Type)?;
    let ty = accessed_type(body, inst).ok_or(Missed::Type)?;
    // In a vector values lie close together; in an array each takes what is allocated for it.
    let bits = env.layout.size_bits(&env.types, ty).ok_or(Missed::Type)?;
    let bytes = env.layout.alloc_bytes(&env.types, ty).ok_or(Missed::Type)?;
    if bits == 0 || bytes.checked_mul(8) != Some(bits) {
        return Err(Missed::Padding);
    }
    let natural = env.layout.abi_align(&env.types, ty).unwrap_or(1);
    let (align, is_store) = (how.align.unwrap_or(natural).max(1), matches!(data.kind, InstKind::Store(_)));
    let (masked, pattern) = (false, Pattern::Scattered);
    Ok(Access { inst, is_store, pointer, ty, bytes, align, masked, pattern, affine: None, reach: None })
}

fn access(scev: &mut ScalarEvolution<'_>, form: &Form, masks: &Masks, inst: Inst) -> Result<Access, Missed> {
    let mut access = sized(scev, inst)?;
    let body = scev.body();
    let size = i64::try_from(access.bytes).map_err(|_| Missed::Type)?;
    access.affine = affine(scev, form, access.pointer);
    access.pattern = match access.affine {
        _ if scev.loops().is_invariant(body, form.l, access.pointer) => Pattern::Uniform,
        Some((_, step)) => Pattern::of_step(step, size),
        None => Pattern::Scattered,
    };
    let block = body.block_of(inst);
    access.masked = match (access.pattern, access.is_store) {
        // What one iteration loads can be loaded for those that there are not, if the address is computed alike in these: by
        // what differs it may be poison, or divide by zero, and of a part there may be no other iterations.
        (Pattern::Uniform, false) if is_made_alike(body, form, access.pointer) => {
            block.is_some_and(|b| masks.is_conditional(b))
        }
        _ => block.is_some_and(|b| masks.has_mask(b)),
    };
    Ok(access)
}

/// How many instructions of an address are looked at.
const MOST_OF_ADDRESS: usize = 32;

/// Whether an address is made in all iterations of the same values, by instructions that do the same with these each time.
fn is_made_alike(body: &Body, form: &Form, pointer: Value) -> bool {
    let mut work = vec![pointer];
    let mut seen = FxHashSet::default();
    while let Some(value) = work.pop() {
        let Some(inst) = value.as_inst().filter(|i| form.contains(*i)) else { continue };
        if !seen.insert(inst) {
            continue;
        }
        let data = body.inst(inst);
        let is_plain = match data.kind {
            InstKind::Binary(op, _) => !op.is_division(),
            InstKind::Cast(..) | InstKind::Gep { .. } => true,
            _ => false,
        };
        if !is_plain || seen.len() > MOST_OF_ADDRESS {
            return false;
        }
        work.extend(data.operands.iter().copied());
    }
    true
}

/// The address in the first iteration, defined in front of the loop, and the constant by which it goes on.
fn affine(scev: &mut ScalarEvolution<'_>, form: &Form, pointer: Value) -> Option<(Expr, i64)> {
    let expr = scev.expr(pointer)?;
    if scev.is_available_at_entry(expr, form.l) {
        return Some((expr, 0));
    }
    let (of, operands) = scev.arena().as_add_rec(expr)?;
    let &[start, step] = &operands[..] else { return None };
    let step = scev.as_constant(step)?.to_i64()?;
    (of == form.l && scev.is_available_at_entry(start, form.l)).then_some((start, step))
}
