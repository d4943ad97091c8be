//! Loads and stores of a loop, and the progression of their addresses from iteration to iteration.
//!
//! Facts about an address hold where it is not poison, in particular where the access executes. In lanes that do not
//! execute the access its address may be poison, so the address of lane 0 of a masked access is recomputed without
//! flags.

use super::masks::Masks;
use super::ops::Op;
use super::{Form, LegalityMissed};
use backedge_analysis::LoopId;
use backedge_analysis::alias::location::{accessed_type, pointer_operand};
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::types::Type;
use backedge_scev::{Expr, ScalarEvolution};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Limit for the number of accesses of a loop, which are compared pair by pair. Larger loops are not vectorized.
pub(super) const MOST_ACCESSES: usize = 128;

/// The relation of the addresses of consecutive lanes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// All addresses are equal.
    Uniform,
    /// Each address is the previous one plus the size of the value.
    Consecutive,
    /// Each address is the previous one minus the size of the value.
    Reverse,
    /// Each address is the previous one plus this many bytes.
    Strided(i64),
    /// Each lane computes its own address: a gather or scatter.
    Scattered,
}

impl Pattern {
    /// The pattern of addresses with the stride `step`, for values of `size` bytes.
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
    /// Whether it is a store.
    pub is_store: bool,
    /// Its pointer operand.
    pub pointer: Value,
    /// The type of the value.
    pub ty: Type,
    /// The size of the value in bytes.
    pub bytes: u64,
    /// The alignment of the address in bytes.
    pub align: u64,
    /// Whether it executes only in some lanes.
    pub masked: bool,
    /// The address pattern of its lanes.
    pub pattern: Pattern,
    /// The address in the first iteration, and the stride in bytes if it is constant.
    pub affine: Option<(Expr, i64)>,
    /// The same for accesses of a loop nest.
    pub reach: Option<Reach>,
}

pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    ops: &FxHashMap<Inst, Op>,
    masks: &Masks,
) -> Result<Vec<Access>, LegalityMissed> {
    in_order(form, ops)?.into_iter().map(|inst| access(scev, form, masks, inst)).collect()
}

/// The loads and stores in linear order, if they do not exceed the limit.
pub(super) fn in_order(form: &Form, ops: &FxHashMap<Inst, Op>) -> Result<Vec<Inst>, LegalityMissed> {
    let is_access = |i: &Inst| matches!(ops.get(i), Some(Op::Load | Op::Store));
    let insts: Vec<Inst> = form.insts().iter().copied().filter(is_access).collect();
    if insts.len() > MOST_ACCESSES { Err(LegalityMissed::TooLarge) } else { Ok(insts) }
}

/// An access with only its type, size and alignment; assumes nothing else about it.
pub(super) fn sized(scev: &ScalarEvolution<'_>, inst: Inst) -> Result<Access, LegalityMissed> {
    let (env, body) = (scev.at.env, scev.body());
    let data = body.inst(inst);
    let (InstKind::Load(how) | InstKind::Store(how)) = &data.kind else {
        return Err(LegalityMissed::Ordered);
    };
    let pointer = pointer_operand(body, inst).ok_or(LegalityMissed::Type)?;
    let ty = accessed_type(body, inst).ok_or(LegalityMissed::Type)?;
    // Vector elements are packed, whereas an array element occupies its allocation size.
    let bits = env.layout.size_bits(&env.types, ty).ok_or(LegalityMissed::Type)?;
    let bytes = env.layout.alloc_bytes(&env.types, ty).ok_or(LegalityMissed::Type)?;
    if bits == 0 || bytes.checked_mul(8) != Some(bits) {
        return Err(LegalityMissed::Padding);
    }
    let natural = env.layout.abi_align(&env.types, ty).unwrap_or(1);
    let (align, is_store) = (how.align.unwrap_or(natural).max(1), matches!(data.kind, InstKind::Store(_)));
    let (masked, pattern) = (false, Pattern::Scattered);
    Ok(Access { inst, is_store, pointer, ty, bytes, align, masked, pattern, affine: None, reach: None })
}

fn access(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    masks: &Masks,
    inst: Inst,
) -> Result<Access, LegalityMissed> {
    let mut access = sized(scev, inst)?;
    let body = scev.body();
    let size = i64::try_from(access.bytes).map_err(|_| LegalityMissed::Type)?;
    access.affine = affine(scev, form, access.pointer);
    access.pattern = match access.affine {
        _ if scev.loops().is_invariant(body, form.l, access.pointer) => Pattern::Uniform,
        Some((_, step)) => Pattern::of_step(step, size),
        None => Pattern::Scattered,
    };
    let block = body.block_of(inst);
    access.masked = match (access.pattern, access.is_store) {
        // A uniform load may also execute for iterations past the end of a folded tail, provided all iterations compute
        // its address from the same values. Otherwise the address may be poison there, or its computation divide by
        // zero, and a part may have no real iteration at all.
        (Pattern::Uniform, false) if is_computed_uniformly(body, form, access.pointer) => {
            block.is_some_and(|b| masks.is_conditional(b))
        }
        _ => block.is_some_and(|b| masks.has_mask(b)),
    };
    Ok(access)
}

/// Limit for the number of instructions that compute an address: bounds the time for one access. Beyond it the address
/// counts as different in each iteration.
const MOST_OF_ADDRESS: usize = 32;

/// Whether all iterations compute the address from the same values by deterministic instructions that cannot trap.
fn is_computed_uniformly(body: &Body, form: &Form, pointer: Value) -> bool {
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

/// The address in the first iteration, which must be available before the loop, and the constant stride.
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

/// The contribution of an inner loop to an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The loop.
    pub l: LoopId,
    /// The step in bytes per iteration; available before the outer loop.
    pub step: Expr,
}

/// The address of an access of a loop nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The address in the first iteration of all loops.
    pub start: Expr,
    /// The step in bytes per iteration of the outer loop.
    pub step: i64,
    /// The terms of the inner loops.
    pub terms: Vec<Term>,
}
