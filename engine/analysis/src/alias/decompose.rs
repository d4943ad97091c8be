//! Pointers as a base, a constant and a sum of scaled integers.
//!
//! `ptr = base + offset + Σ scale · extended(value)` modulo 2^width, width being that of GEP arithmetic. Additions of and
//! multiplications with constants are taken out of an index where that is exact: at the width itself always, under an
//! extension if the operation does not wrap in its sense. Where each step is promised not to wrap as signed (`nusw`,
//! `inbounds`), the equation holds in ℤ too, which the decomposition says.

use super::object::stripped;
use crate::cache::At;
use backedge_ir::constant::{ConstData, ConstOp};
use backedge_ir::inst::{GepFlags, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::{BinaryOp, CastOp};
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// How an integer is brought to the width of the sum.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extension {
    /// Sign-extended or, if it is wider, truncated.
    Signed,
    /// Zero-extended.
    Zero,
}

/// A scaled integer of a sum.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The integer.
    pub value: Value,
    /// How it is brought to the width of the sum.
    pub extension: Extension,
    /// What it is multiplied with.
    pub scale: Int,
}

/// A pointer taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decomposed {
    /// The pointer that is moved.
    pub base: Value,
    /// By how many bytes, apart from the terms.
    pub offset: Int,
    /// By which multiples.
    pub terms: SmallVec<[Term; 4]>,
    /// Whether the sum does not wrap as signed where the pointer is not poison.
    pub exact: bool,
}

/// How many pointers are followed.
const STEPS: usize = 16;
/// How many terms are kept; a pointer with more is a base itself.
const TERMS: usize = 8;

/// Takes `ptr` apart as far as it goes.
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
    /// Adds what the GEP `ptr` moves its base by; false if that can't be said.
    fn add_step(&mut self, at: At<'_>, ptr: Value) -> bool {
        match ptr {
            Value::Inst(inst) => {
                let data = at.body.inst(inst);
                match &data.kind {
                    InstKind::Gep { source, flags } => self.add_gep(at, *source, *flags, &data.operands[1..]),
                    // A masked pointer is somewhere else; the other operations move nothing.
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
                // In ℤ, the constant itself may not survive.
                self.exact &= !constant.mul_overflows_signed(scale);
                self.move_by(constant.mul(scale));
                return true;
            }
            let Some(data) = value.as_inst().map(|i| at.body.inst(i)) else { break };
            match &data.kind {
                InstKind::Cast(CastOp::ZExt, _) if narrow <= width => {
                    // A zero-extended value is not negative, whichever way it is extended further.
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
                            // Without a carry there is no unsigned wrap, and none as signed.
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
        // A truncated index stands for another number.
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
    /// The difference to `other`, which has the same base: what `self` is further on. Equal terms cancel where `equal`
    /// says that the value is the same for both.
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

/// `value` at `width`.
pub(super) fn brought(value: Int, extension: Extension, width: u32) -> Int {
    if value.width() >= width {
        return value.trunc(width);
    }
    match extension {
        Extension::Signed => value.sext(width),
        Extension::Zero => value.zext(width),
    }
}
