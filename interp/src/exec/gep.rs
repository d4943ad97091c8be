//! Address arithmetic: `getelementptr` in the index width of the address space, with its flags.
//!
//! LangRef, "getelementptr": `nusw` and `nuw` constrain the truncation of an index, its product with the element
//! size, the sum of the offsets, and the sum with the address. `inbounds` implies `nusw` and requires the base and
//! every partial sum to be in the base's object or one past its end, unless all offsets are zero.

use super::ctx::Ctx;
use super::regs::Regs;
use crate::compile::op::{GepOp, GepTerm};
use crate::compile::reg::Reg;
use crate::memory::Memory;
use crate::outcome::{Feature, Step};
use crate::value::{Pointer, Val, mask};
use backedge_ir::inst::GepFlags;
use backedge_ir::int::Int;
use backedge_ir::module::Env;
use backedge_ir::types::{Compound, Type};
use smallvec::SmallVec;

/// The meaning of an index.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Scale {
    /// It counts elements of this many bytes.
    Bytes(u64),
    /// It selects a field at this offset.
    Field(u64),
}

/// An offset with a known value.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Offset {
    Const(u64),
    Index(Int, u64),
}

/// Walks the source element type along the indices.
pub(crate) struct Walk<'a> {
    env: &'a Env,
    ty: Type,
    first: bool,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(env: &'a Env, source: Type) -> Self {
        Self { env, ty: source, first: true }
    }
    /// The meaning of the next index; `value` is its value if it is constant.
    pub(crate) fn step(&mut self, value: Option<u64>) -> Result<Scale, Feature> {
        let no_size = Feature::Other("address arithmetic over a type without a size");
        let types = &self.env.types;
        if std::mem::take(&mut self.first) {
            return self.env.layout.alloc_bytes(types, self.ty).map(Scale::Bytes).ok_or(no_size);
        }
        match types.compound(self.ty) {
            Some(Compound::Array { elem, .. } | Compound::Vector { elem, scalable: false, .. }) => {
                self.ty = *elem;
                self.env.layout.alloc_bytes(types, self.ty).map(Scale::Bytes).ok_or(no_size)
            }
            Some(Compound::Struct { .. } | Compound::Named { .. }) => {
                let field = value.and_then(|v| usize::try_from(v).ok()).ok_or_else(|| no_size.clone())?;
                let layout = self.env.layout.struct_layout(types, self.ty).ok_or_else(|| no_size.clone())?;
                self.ty = types.member(self.ty, field as u64).ok_or_else(|| no_size.clone())?;
                layout.offsets.get(field).copied().map(Scale::Field).ok_or(no_size)
            }
            Some(Compound::Vector { .. } | Compound::Function { .. } | Compound::Target { .. }) | None => {
                Err(no_size)
            }
        }
    }
}

/// The offset of an index with a known value.
pub(crate) fn offset_term(scale: Scale, index: Int) -> Offset {
    match scale {
        Scale::Bytes(bytes) => Offset::Index(index, bytes),
        Scale::Field(offset) => Offset::Const(offset),
    }
}

/// Executes a `getelementptr`, lane by lane if the result is a vector.
pub(crate) fn run(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, op: &GepOp) -> Step<()> {
    let result = match op.lanes {
        None => one(ctx, op, &|reg| regs.get(reg)),
        Some(lanes) => {
            let lane = |i: u64| {
                let pick = |reg: Reg| match regs.get(reg) {
                    Val::Agg(members) => members[i as usize].clone(),
                    scalar @ (Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_)) => scalar,
                };
                one(ctx, op, &pick)
            };
            Val::agg((0..lanes).map(lane).collect())
        }
    };
    regs.set(op.dst, result);
    Ok(())
}

fn one(ctx: &mut Ctx<'_, '_>, op: &GepOp, read: &dyn Fn(Reg) -> Val) -> Val {
    let strict = op.flags.inbounds || op.flags.nusw || op.flags.nuw;
    let mut offsets: SmallVec<[Offset; 4]> = SmallVec::with_capacity(op.terms.len());
    for term in &op.terms {
        offsets.push(match term {
            GepTerm::Const(bytes) => Offset::Const(*bytes),
            GepTerm::Index { reg, width, scale } => {
                let Some(cube) = read(*reg).cube() else { return Val::Poison };
                // Some choice of the index is out of bounds for every object.
                if strict && cube.undef == mask(*width) && *width >= op.index_bits && *scale != 0 {
                    return Val::Poison;
                }
                Offset::Index(ctx.narrow(*width, cube), *scale)
            }
        });
    }
    let base = match read(op.base) {
        Val::Wide(cube) => {
            Val::ptr(ctx.narrow(op.pointer_bits, *cube).bits() as u64, crate::value::Prov::NONE)
        }
        base @ (Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Agg(_)) => base,
    };
    offset_pointer(ctx.memory, &base, &offsets, op.flags, op.index_bits, op.pointer_bits)
}

/// The pointer at `base` plus the offsets.
pub(crate) fn offset_pointer(
    memory: &Memory,
    base: &Val,
    offsets: &[Offset],
    flags: GepFlags,
    index_bits: u32,
    pointer_bits: u32,
) -> Val {
    let Val::Ptr(base) = base else { return Val::Poison };
    let flags = GepFlags { nusw: flags.nusw || flags.inbounds, ..flags };
    let mut sum =
        Sum { address: Int::new(index_bits, u128::from(base.addr)), total: Int::zero(index_bits), flags };
    let mut visited: SmallVec<[(Int, Int); 4]> = SmallVec::with_capacity(offsets.len());
    for offset in offsets {
        let Some(bytes) = offset_bytes(*offset, index_bits, flags) else { return Val::Poison };
        if !sum.add(bytes) {
            return Val::Poison;
        }
        visited.push((bytes, sum.address));
    }
    let whole = |address: Int| {
        let high = u128::from(base.addr) & !mask(index_bits) & mask(pointer_bits);
        (high | address.bits()) as u64
    };
    let moves = visited.iter().any(|(bytes, _)| !bytes.is_zero());
    if flags.inbounds && moves {
        let addresses = std::iter::once(base.addr).chain(visited.iter().map(|(_, a)| whole(*a)));
        if !is_inbounds(memory, *base, addresses) {
            return Val::Poison;
        }
    }
    Val::Ptr(Pointer { addr: whole(sum.address), prov: base.prov })
}

/// Whether all addresses are in the object of `base` or one past its end. The object need not be live. An object that
/// may be larger than declared counts as large enough; an access beyond its declared end ends the run.
fn is_inbounds(memory: &Memory, base: Pointer, mut addresses: impl Iterator<Item = u64>) -> bool {
    let Some(object) = memory.object_of(base) else { return false };
    let alloc = memory.allocation(object);
    addresses.all(|a| a.wrapping_sub(alloc.base) <= alloc.size || alloc.open_ended && a >= alloc.base)
}

struct Sum {
    address: Int,
    total: Int,
    flags: GepFlags,
}

impl Sum {
    /// Adds an offset; false if a flag is violated.
    fn add(&mut self, bytes: Int) -> bool {
        let GepFlags { nusw, nuw, .. } = self.flags;
        let address = self.address.add(bytes);
        // The address is unsigned and the offset signed, so the sum must be on the side given by the sign.
        let wraps = if bytes.is_negative() { address.ugt(self.address) } else { address.ult(self.address) };
        let fails = nusw && (self.total.add_overflows_signed(bytes) || wraps)
            || nuw
                && (self.total.add_overflows_unsigned(bytes) || self.address.add_overflows_unsigned(bytes));
        self.total = self.total.add(bytes);
        self.address = address;
        !fails
    }
}

/// The offset in bytes at the index width; `None` if a flag is violated.
fn offset_bytes(offset: Offset, index_bits: u32, flags: GepFlags) -> Option<Int> {
    match offset {
        Offset::Const(bytes) => Some(Int::new(index_bits, bytes.into())),
        Offset::Index(index, scale) => {
            let index = if index.width() > index_bits {
                let loses = flags.nusw && index.trunc_loses_signed(index_bits)
                    || flags.nuw && index.trunc_loses_unsigned(index_bits);
                if loses {
                    return None;
                }
                index.trunc(index_bits)
            } else {
                index.sext(index_bits)
            };
            let scale = Int::new(index_bits, scale.into());
            let fails = flags.nusw && index.mul_overflows_signed(scale)
                || flags.nuw && index.mul_overflows_unsigned(scale);
            (!fails).then(|| index.mul(scale))
        }
    }
}
