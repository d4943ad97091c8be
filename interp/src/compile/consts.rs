//! Values of constants. Addresses of globals are fixed when a program is created, so constant expressions over them
//! are plain values.

use crate::exec::gep;
use crate::exec::scalar;
use crate::layout::Shape;
use crate::memory::Memory;
use crate::outcome::Feature;
use crate::value::{Cube, Pointer, Val};
use backedge_ir::constant::{ConstData, ConstExpr, ConstOp, ConstPool, GlobalRef};
use backedge_ir::entity::{BlockAddressId, Const, FuncId, GlobalId, SecondaryMap};
use backedge_ir::inst::CastOp;
use backedge_ir::module::Env;
use backedge_ir::types::{Type, TypeKind};

/// Maximum nesting of constants: bounds the recursion. A function with a deeper one is not modelled.
const MAX_DEPTH: u32 = 128;

/// Addresses of globals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses {
    pub(crate) vars: SecondaryMap<GlobalId, Option<Address>>,
    pub(crate) funcs: SecondaryMap<FuncId, Option<Address>>,
    /// Blocks of functions; their addresses cannot be accessed.
    pub(crate) blocks: SecondaryMap<BlockAddressId, Option<Address>>,
}

/// A pointer whose type can be a map's default.
pub(crate) type Address = Pointer;

/// Evaluator of constants of one pool.
pub(crate) struct Consts<'a> {
    pub(crate) env: &'a Env,
    pub(crate) pool: &'a ConstPool,
    pub(crate) addresses: &'a Addresses,
    pub(crate) memory: &'a Memory,
}

impl Consts<'_> {
    /// The value of `id`.
    pub(crate) fn value(&self, id: Const) -> Result<Val, Feature> {
        self.nested(id, 0)
    }
    fn nested(&self, id: Const, depth: u32) -> Result<Val, Feature> {
        if depth > MAX_DEPTH {
            return Err(Feature::Constant("nested too deeply"));
        }
        let constant = self.pool.get(id);
        let shape = || Shape::of(self.env, constant.ty);
        match &constant.data {
            ConstData::Int(value) => Ok(Val::int(*value)),
            ConstData::Float(bits) => Ok(shape()?.scalar_from(Cube::known(*bits))),
            ConstData::Zero => Ok(shape()?.zero()),
            ConstData::Undef => Ok(shape()?.undef()),
            ConstData::Poison => Ok(shape()?.poison()),
            ConstData::Aggregate(members) => {
                let members: Result<Vec<_>, _> = members.iter().map(|m| self.nested(*m, depth + 1)).collect();
                Ok(Val::agg(members?))
            }
            ConstData::Bytes(bytes) => Ok(Val::agg(bytes.iter().map(|b| Val::Bits((*b).into())).collect())),
            ConstData::Splat(elem) => {
                let elem = self.nested(*elem, depth + 1)?;
                let (len, _) =
                    self.env.types.fixed_vector(constant.ty).ok_or(Feature::Other("scalable vectors"))?;
                Ok(Val::agg(vec![elem; usize::try_from(len).unwrap_or(0)]))
            }
            ConstData::Global(global) => self.global(*global, depth),
            ConstData::BlockAddress(id) => self.addresses.blocks[*id]
                .map(Val::Ptr)
                .ok_or(Feature::Constant("a block without an address")),
            ConstData::Expr(expr) => self.expr(constant.ty, expr, depth),
            ConstData::Metadata(_) => Err(Feature::Constant("a metadata operand")),
        }
    }
    fn global(&self, global: GlobalRef, depth: u32) -> Result<Val, Feature> {
        let address = match global {
            GlobalRef::Func(id) => self.addresses.funcs[id],
            GlobalRef::Var(id) => self.addresses.vars[id],
            GlobalRef::Alias(id) => {
                let alias = &self.env.aliases[id];
                let target = alias.known_aliasee().ok_or(Feature::Constant("an ifunc"))?;
                if alias.is_interposable() {
                    return Err(Feature::Constant("an alias that another module may define"));
                }
                let of_module = Consts { pool: &self.env.consts, ..*self };
                return of_module.nested(target, depth + 1);
            }
        };
        address.map(Val::Ptr).ok_or(Feature::Constant("a global without an address"))
    }
    fn expr(&self, ty: Type, expr: &ConstExpr, depth: u32) -> Result<Val, Feature> {
        let operands: Result<Vec<_>, _> = expr.operands.iter().map(|o| self.nested(*o, depth + 1)).collect();
        let operands = operands?;
        let operand_ty = |i: usize| self.pool.ty(expr.operands[i]);
        match &expr.op {
            ConstOp::Cast(op) => {
                let (types, layout) = (&self.env.types, &self.env.layout);
                if layout.converts_non_integral(types, *op, operand_ty(0), ty) {
                    return Err(Feature::Constant("a conversion of a non-integral pointer"));
                }
                let (from, to) = (Shape::of(self.env, operand_ty(0))?, Shape::of(self.env, ty)?);
                scalar::const_cast(*op, &from, &to, &operands[0]).ok_or(Feature::Constant(
                    if *op == CastOp::BitCast { "bitcast" } else { "cast of undef" },
                ))
            }
            ConstOp::Binary(op, flags) => {
                let TypeKind::Int(width) = ty.kind() else {
                    return Err(Feature::Constant("vector arithmetic"));
                };
                scalar::const_binary(*op, *flags, width, &operands[0], &operands[1])
                    .ok_or(Feature::Constant("arithmetic on undef, or a division"))
            }
            ConstOp::Gep { source, flags, .. } => {
                let Some(space) = ty.ptr_space() else {
                    return Err(Feature::Constant("a vector of addresses"));
                };
                let mut terms = Vec::new();
                let index = |i: usize| operands[i + 1].cube().filter(|c| c.is_known());
                let widths: Vec<Option<u32>> =
                    (1..operands.len()).map(|i| operand_ty(i).int_bits()).collect();
                let mut walk = gep::Walk::new(self.env, *source);
                for (i, width) in widths.iter().enumerate() {
                    let width = width.ok_or(Feature::Constant("a vector of indices"))?;
                    let cube = index(i).ok_or(Feature::Constant("an undefined index"))?;
                    let value = backedge_ir::int::Int::new(width, cube.bits);
                    terms.push(walk.step(value.to_u64()).map(|scale| gep::offset_term(scale, value))?);
                }
                let spec = self.env.layout.pointer(space);
                Ok(gep::offset_pointer(self.memory, &operands[0], &terms, *flags, spec.index_bits, spec.bits))
            }
        }
    }
}
