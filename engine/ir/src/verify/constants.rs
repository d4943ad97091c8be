//! Checks that constants fit their types.

use super::types::Types;
use super::{Check, FindingKind};
use crate::constant::{ConstData, ConstExpr, ConstOp, ConstPool, Constant, GlobalRef};
use crate::entity::Const;
use crate::inst::{BinaryOp, CastOp};
use crate::module::Env;
use crate::types::{Compound, Type, TypeKind};

/// The errors in the constants of `pool`.
pub(super) fn check_pool(env: &Env, types: &Types<'_>, pool: &ConstPool) -> Vec<FindingKind> {
    let rules = Rules { env, types, pool };
    let wrong = pool.iter().filter_map(|(id, constant)| Some((id, constant.ty, rules.fault(constant)?)));
    wrong.map(|(constant, ty, why)| FindingKind::Constant { constant, ty: types.name(ty), why }).collect()
}

impl Check<'_, '_> {
    pub(super) fn constants(&mut self) {
        for kind in check_pool(self.env, self.types, self.body.consts()) {
            self.report(kind);
        }
    }
}

struct Rules<'a> {
    env: &'a Env,
    types: &'a Types<'a>,
    pool: &'a ConstPool,
}

impl Rules<'_> {
    fn fault(&self, constant: &Constant) -> Option<&'static str> {
        let ty = constant.ty;
        let (holds, why) = match &constant.data {
            ConstData::Int(value) => {
                (ty.int_bits() == Some(value.width()), "an integer must be as wide as its type")
            }
            ConstData::Float(bits) => {
                (self.float_fits(ty, *bits), "the bits must fit the format of the type")
            }
            ConstData::Zero => (self.may_be_zero(ty), "a zero is of a pointer, aggregate or vector type"),
            ConstData::Undef | ConstData::Poison => {
                let value = self.types.is_first_class(ty) && ty != Type::LABEL && ty != Type::METADATA;
                (value, "it must be of a type that values can have")
            }
            ConstData::Aggregate(elements) => return self.aggregate(ty, elements),
            ConstData::Bytes(bytes) => {
                let array = self.types.table.compound(ty);
                let fits = matches!(array, Some(Compound::Array { len, elem })
                    if *elem == Type::I8 && *len == bytes.len() as u64);
                (fits, "a string is an array of as many `i8`")
            }
            ConstData::Splat(element) => {
                let fits = self.types.shape(ty).is_some() && self.types.scalar(ty) == self.pool.ty(*element);
                (fits, "a splat is a vector of its element's type")
            }
            ConstData::Global(global) => (
                ty == self.env.address_type(*global),
                "an address is a pointer into the address space of its global",
            ),
            ConstData::BlockAddress(id) => {
                let func = self.env.block_addresses[*id].func;
                let fits = ty == self.env.address_type(GlobalRef::Func(func));
                (fits, "the address of a block is a pointer into the address space of its function")
            }
            ConstData::Expr(expr) => return self.expr(ty, expr),
            ConstData::Metadata(_) => (ty == Type::METADATA, "metadata is of type `metadata`"),
        };
        (!holds).then_some(why)
    }

    fn float_fits(&self, ty: Type, bits: u128) -> bool {
        match ty.kind() {
            TypeKind::Float(kind) => bits.checked_shr(kind.bits()).is_none_or(|rest| rest == 0),
            TypeKind::Void
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Int(_)
            | TypeKind::Ptr(_)
            | TypeKind::Compound(_) => false,
        }
    }

    fn may_be_zero(&self, ty: Type) -> bool {
        match ty.kind() {
            TypeKind::Ptr(_) | TypeKind::Token => true,
            TypeKind::Compound(_) => self.types.is_first_class(ty),
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Float(_) | TypeKind::Int(_) => {
                false
            }
        }
    }

    fn aggregate(&self, ty: Type, elements: &[Const]) -> Option<&'static str> {
        let count = elements.len() as u64;
        let has_count = match self.types.table.compound(ty) {
            Some(Compound::Array { len, .. } | Compound::Vector { len, scalable: false, .. }) => {
                *len == count
            }
            Some(Compound::Struct { .. } | Compound::Named { .. }) => {
                self.types.table.struct_fields(ty).is_some_and(|(fields, _)| fields.len() as u64 == count)
            }
            Some(Compound::Vector { .. } | Compound::Function { .. } | Compound::Target { .. }) | None => {
                false
            }
        };
        if !has_count {
            return Some("it must have as many elements as its type");
        }
        let member_fits =
            |(i, c): (usize, &Const)| self.types.table.member(ty, i as u64) == Some(self.pool.ty(*c));
        (!elements.iter().enumerate().all(member_fits))
            .then_some("its elements must have the types of its members")
    }

    fn expr(&self, ty: Type, expr: &ConstExpr) -> Option<&'static str> {
        let of = |i: usize| expr.operands.get(i).map(|c| self.pool.ty(*c));
        match &expr.op {
            ConstOp::Gep { source, .. } => {
                let Some(base) = of(0) else { return Some("a `getelementptr` has a base") };
                let types = self.types;
                let pointers = types.is_ptr_like(base) && types.scalar(ty) == types.scalar(base);
                let ints = expr.operands.iter().skip(1).all(|c| types.is_int_like(self.pool.ty(*c)));
                let fits = pointers && ints && types.is_sized(*source);
                (!fits).then_some("a `getelementptr` goes from a pointer by integers over a type with a size")
            }
            ConstOp::Cast(op) => match (of(0), expr.operands.len()) {
                (Some(from), 1) if self.cast_fits(*op, from, ty) => None,
                _ => Some("there is no such cast of constants"),
            },
            ConstOp::Binary(op, flags) => {
                let (wrap, exact, disjoint) = op.allowed_flags();
                let flags_fit = (wrap || !(flags.nuw || flags.nsw))
                    && (exact || !flags.exact)
                    && (disjoint || !flags.disjoint);
                let known = matches!(
                    op,
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor | BinaryOp::Mul | BinaryOp::Shl
                );
                let pair = expr.operands.len() == 2 && of(0) == Some(ty) && of(1) == Some(ty);
                let fits = flags_fit && known && pair && self.types.is_int_like(ty);
                (!fits).then_some("there is no such operation on constants of these types")
            }
        }
    }

    fn cast_fits(&self, op: CastOp, from: Type, to: Type) -> bool {
        let types = self.types;
        let (ptr_from, ptr_to) = (types.is_ptr_like(from), types.is_ptr_like(to));
        let (int_from, int_to) = (types.is_int_like(from), types.is_int_like(to));
        match op {
            CastOp::Trunc => int_from && int_to && types.int_bits(from) > types.int_bits(to),
            CastOp::PtrToInt | CastOp::PtrToAddr => ptr_from && int_to,
            CastOp::IntToPtr => int_from && ptr_to,
            CastOp::AddrSpaceCast => ptr_from && ptr_to && types.scalar(from) != types.scalar(to),
            CastOp::BitCast => match (ptr_from, ptr_to) {
                (true, true) => types.scalar(from) == types.scalar(to),
                (false, false) => types.primitive_bits(from) == types.primitive_bits(to),
                (true, false) | (false, true) => false,
            },
            CastOp::ZExt
            | CastOp::SExt
            | CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp => false,
        }
    }
}
