//! Pointer decomposition: a base, a constant offset and a sum of scaled integers.
//!
//! `ptr = base + offset + Σ scale · extended(value)` modulo 2^width, where width is that of GEP arithmetic. Constants
//! that an index adds or multiplies are moved out of the index where that is exact: always for an index of the same
//! width, and below an extension only if the operation does not wrap in the extension's sense. If no step wraps as
//! signed (`nusw`, `inbounds`), the equation also holds in ℤ, and `Decomposed::exact` is set.

use super::object::stripped;
use crate::cache::At;
use backedge_ir::constant::{ConstData, ConstOp};
use backedge_ir::inst::{GepFlags, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::{BinaryOp, CastOp};
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// How an integer is converted to the width of the sum.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extension {
    /// Sign-extended or, if it is too wide, truncated.
    Signed,
    /// Zero-extended.
    Zero,
}

/// A scaled integer of a sum.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The integer.
    pub value: Value,
    /// The conversion to the width of the sum.
    pub extension: Extension,
    /// The factor.
    pub scale: Int,
}

/// A decomposed pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decomposed {
    /// The base pointer.
    pub base: Value,
    /// The constant part of the offset in bytes.
    pub offset: Int,
    /// The variable part of the offset in bytes.
    pub terms: SmallVec<[Term; 4]>,
    /// Whether the sum does not wrap as signed if the pointer is not poison.
    pub exact: bool,
}

/// Limit on the number of steps along a chain of pointers or casts: bounds the time of a query. The walk stops there,
/// and the value reached is the base or a term.
const STEPS: usize = 16;
/// Limit on the number of terms of an offset: pairs of terms are compared when two offsets are subtracted. A pointer
/// with more terms is a base itself.
const TERMS: usize = 8;

/// Decomposes `ptr` as far as possible.
pub fn decompose(at: At<'_>, ptr: Value) -> Option<Decomposed> {
    let space = at.body.ty(ptr).ptr_space()?;
    let width = at.env.layout.index_bits(space);
    if width > Int::MAX_WIDTH {
        return None;
    }
    let mut this = Decomposed { base: ptr, offset: Int::zero(width), terms: SmallVec::new(), exact: true };
    for _ in 0..STEPS {
        let same_space = |v: &Value| at.body.ty(*v).ptr_space() == Some(space);
        let Some(base) = stripped(at, this.base).filter(same_space) else { break };
        let mut next = this.clone();
        if !next.add_step(at, this.base) {
            break;
        }
        this = Decomposed { base, ..next };
    }
    Some(this)
}

impl Decomposed {
    fn width(&self) -> u32 {
        self.offset.width()
    }
    /// Adds the offset of the GEP `ptr`; false if the offset cannot be expressed.
    fn add_step(&mut self, at: At<'_>, ptr: Value) -> bool {
        match ptr {
            Value::Inst(inst) => {
                let data = at.body.inst(inst);
                match &data.kind {
                    InstKind::Gep { source, flags } => self.add_gep(at, *source, *flags, &data.operands[1..]),
                    // A pointer mask changes the address; the cast operations do not.
                    InstKind::Cast(CastOp::BitCast | CastOp::AddrSpaceCast, _) => true,
                    _ => false,
                }
            }
            Value::Const(c) => match &at.body.constant(c).data {
                ConstData::Expr(e) => match &e.op {
                    ConstOp::Gep { source, flags, .. } => {
                        let indices: SmallVec<[Value; 4]> =
                            e.operands[1..].iter().map(|c| Value::Const(*c)).collect();
                        self.add_gep(at, *source, *flags, &indices)
                    }
                    ConstOp::Cast(_) => true,
                    ConstOp::Binary(..) => false,
                },
                _ => false,
            },
            Value::Arg(_) => false,
        }
    }
    fn add_gep(&mut self, at: At<'_>, source: Type, flags: GepFlags, indices: &[Value]) -> bool {
        let types = &at.env.types;
        self.exact &= flags.inbounds || flags.nusw;
        let mut ty = source;
        for (i, &index) in indices.iter().enumerate() {
            if i > 0 && types.struct_fields(ty).is_some() {
                let Some(field) = at.body.as_int(index).and_then(Int::to_u64) else { return false };
                let layout = at.env.layout.struct_layout(types, ty);
                let offset = usize::try_from(field).ok().and_then(|f| layout?.offsets.get(f).copied());
                let (Some(offset), Some(member)) = (offset, types.member(ty, field)) else { return false };
                self.move_by(Int::new(self.width(), offset.into()));
                ty = member;
                continue;
            }
            if i > 0 {
                let Some(member) = types.member(ty, 0) else { return false };
                ty = member;
            }
            let Some(stride) = at.env.layout.alloc_bytes(types, ty) else { return false };
            let narrow = at.body.ty(index).int_bits().is_none_or(|w| w > Int::MAX_WIDTH);
            let scale = Int::new(self.width(), stride.into());
            if narrow || !self.add_index(at, index, scale) {
                return false;
            }
        }
        true
    }
    /// Adds `scale · value`.
    fn add_index(&mut self, at: At<'_>, value: Value, scale: Int) -> bool {
        let width = self.width();
        let (mut value, mut scale, mut extension) = (value, scale, Extension::Signed);
        for _ in 0..STEPS {
            let narrow = at.body.ty(value).int_bits().unwrap_or(width);
            if let Some(constant) = at.body.as_int(value) {
                let constant = brought(constant, extension, width);
                // The constant may overflow in ℤ.
                self.exact &= !constant.mul_overflows_signed(scale);
                self.move_by(constant.mul(scale));
                return true;
            }
            let Some(data) = value.as_inst().map(|i| at.body.inst(i)) else { break };
            match &data.kind {
                InstKind::Cast(CastOp::ZExt, _) if narrow <= width => {
                    // A zero-extended value is not negative, so any further extension is a zero extension.
                    (value, extension) = (data.operands[0], Extension::Zero);
                }
                InstKind::Cast(CastOp::SExt, _) if narrow <= width && extension == Extension::Signed => {
                    value = data.operands[0];
                }
                InstKind::Binary(op, flags) => {
                    let Some(c) = at.body.as_int(data.operands[1]) else { break };
                    let keeps = match extension {
                        _ if narrow > width => false,
                        Extension::Signed => narrow == width || flags.nsw,
                        Extension::Zero => flags.nuw,
                    };
                    let or = *op == BinaryOp::Or && flags.disjoint;
                    let no_wrap = flags.nsw && extension == Extension::Signed;
                    let wide = brought(c, extension, width);
                    match op {
                        BinaryOp::Add | BinaryOp::Or
                            if keeps && *op == BinaryOp::Add || or && narrow <= width =>
                        {
                            // A disjoint `or` has no carry, so it wraps neither as unsigned nor as signed.
                            self.exact &= no_wrap || narrow < width || or;
                            self.exact &= !wide.mul_overflows_signed(scale);
                            self.move_by(wide.mul(scale));
                        }
                        BinaryOp::Sub if keeps => {
                            self.exact &= no_wrap || narrow < width;
                            self.exact &= !wide.mul_overflows_signed(scale) && !wide.mul(scale).is_smin();
                            self.move_by(wide.mul(scale).neg());
                        }
                        BinaryOp::Mul if keeps => {
                            self.exact &= (no_wrap || narrow < width) && !scale.mul_overflows_signed(wide);
                            scale = scale.mul(wide);
                        }
                        BinaryOp::Shl if keeps && c.bits() < u128::from(narrow) => {
                            let factor = Int::new(width, 1u128 << c.bits());
                            self.exact &= (no_wrap || narrow < width)
                                && !scale.mul_overflows_signed(factor)
                                && !factor.is_negative();
                            scale = scale.mul(factor);
                        }
                        _ => break,
                    }
                    value = data.operands[0];
                }
                _ => break,
            }
        }
        // A truncated index represents another number.
        self.exact &= at.body.ty(value).int_bits().is_some_and(|w| w <= width);
        self.add_term(Term { value, extension, scale })
    }
    fn move_by(&mut self, by: Int) {
        self.exact &= !self.offset.add_overflows_signed(by);
        self.offset = self.offset.add(by);
    }
    fn add_term(&mut self, term: Term) -> bool {
        let same = |t: &&mut Term| t.value == term.value && t.extension == term.extension;
        match self.terms.iter_mut().find(same) {
            Some(known) => {
                self.exact &= !known.scale.add_overflows_signed(term.scale);
                known.scale = known.scale.add(term.scale);
            }
            None => self.terms.push(term),
        }
        self.terms.retain(|t| !t.scale.is_zero());
        self.terms.len() <= TERMS
    }
    /// The difference `self - other` of two pointers with the same base. Equal terms cancel if `equal` says that their
    /// value is the same for both pointers.
    pub fn minus(&self, other: &Self, equal: impl Fn(Value) -> bool) -> Self {
        let mut this = self.clone();
        this.exact &= other.exact && !this.offset.sub_overflows_signed(other.offset);
        this.offset = this.offset.sub(other.offset);
        for term in &other.terms {
            let negated = Term { scale: term.scale.neg(), ..*term };
            this.exact &= !term.scale.is_smin();
            if equal(term.value) {
                this.add_term(negated);
            } else {
                this.terms.push(negated);
            }
        }
        this
    }
}

/// Converts `value` to `width`.
pub(super) fn brought(value: Int, extension: Extension, width: u32) -> Int {
    if value.width() >= width {
        return value.trunc(width);
    }
    match extension {
        Extension::Signed => value.sext(width),
        Extension::Zero => value.zext(width),
    }
}
