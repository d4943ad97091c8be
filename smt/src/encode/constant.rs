//! Encodes constants and the contents of constant globals.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::memory::MANY_BYTES;
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, OFFSET_BITS, Uninit};
use crate::term::{Bits, Term};
use backedge_ir::constant::{ConstData, ConstExpr, ConstOp, ConstPool, GlobalRef};
use backedge_ir::entity::{AliasId, Const};
use backedge_ir::inst::CastFlags;
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// The variables and functions that an alias resolves to; `None` if the alias is cyclic.
pub(crate) fn alias_targets(env: &Env, alias: AliasId) -> Option<Vec<GlobalRef>> {
    let (mut found, mut met, mut pending) = (Vec::new(), vec![alias], vec![env.aliases[alias].target]);
    while let Some(next) = pending.pop() {
        let Some(constant) = next else { continue };
        match &env.consts.get(constant).data {
            ConstData::Expr(expr) => pending.extend(expr.operands.iter().map(|o| Some(*o))),
            ConstData::Global(GlobalRef::Alias(id)) if met.contains(id) => return None,
            ConstData::Global(GlobalRef::Alias(id)) => {
                met.push(*id);
                pending.push(env.aliases[*id].target);
            }
            ConstData::Global(global) => found.push(*global),
            ConstData::Int(_)
            | ConstData::Float(_)
            | ConstData::Zero
            | ConstData::Undef
            | ConstData::Poison
            | ConstData::Aggregate(_)
            | ConstData::Bytes(_)
            | ConstData::Splat(_)
            | ConstData::BlockAddress(_)
            | ConstData::Metadata(_) => {}
        }
    }
    Some(found)
}

impl Encoder<'_, '_> {
    /// The constant `c` of `pool`.
    pub(crate) fn constant(&mut self, pool: &ConstPool, c: Const) -> Encoded<Sym> {
        let constant = pool.get(c);
        let ty = constant.ty;
        match &constant.data {
            ConstData::Int(int) => Ok(self.bits_of(Bits::new(int.width(), int.bits()))),
            ConstData::Float(bits) => {
                let width = self.width(ty)?;
                Ok(self.bits_of(Bits::new(width, *bits)))
            }
            ConstData::Zero => self.build(ty, &mut |e, ty| {
                let width = e.width(ty)?;
                let zero = e.w.terms.number(width, 0);
                Ok(Scalar::defined(&mut e.w.terms, zero))
            }),
            ConstData::Undef => self.build(ty, &mut |e, ty| {
                let width = e.width(ty)?;
                Ok(Scalar::undef(&mut e.w.terms, width))
            }),
            ConstData::Poison => self.poison_of(ty),
            ConstData::Aggregate(elements) => {
                let list: Encoded<Vec<Sym>> = elements.iter().map(|e| self.constant(pool, *e)).collect();
                list.map(Sym::List)
            }
            ConstData::Bytes(bytes) => {
                Ok(Sym::List(bytes.iter().map(|b| self.bits_of(Bits::new(8, u128::from(*b)))).collect()))
            }
            ConstData::Splat(element) => {
                let element = self.constant(pool, *element)?;
                let count = self.element_count(ty)?;
                Ok(Sym::List(vec![element; count as usize]))
            }
            ConstData::Global(GlobalRef::Alias(id)) => self.alias(*id),
            ConstData::Global(global) => {
                let name = self.module.env.name_of(*global);
                let number = self.w.global(name).ok_or_else(|| self.unsupported("an unknown global"))?;
                Ok(self.address(number))
            }
            ConstData::BlockAddress(id) => self.block_address(*id),
            ConstData::Expr(expr) => self.expression(pool, ty, expr),
            ConstData::Metadata(_) => Err(self.unsupported("metadata as a value")),
        }
    }
    /// The value of an alias.
    fn alias(&mut self, id: AliasId) -> Encoded<Sym> {
        let module = self.module;
        let alias = &module.env.aliases[id];
        let Some(target) = alias.known_aliasee() else { return Err(self.unsupported("an ifunc")) };
        if alias.is_interposable() {
            return Err(self.unsupported("an alias that another module may define"));
        }
        if alias_targets(&module.env, id).is_none() {
            return Err(self.unsupported("an alias of itself"));
        }
        self.constant(&module.env.consts, target)
    }
    fn bits_of(&mut self, bits: Bits) -> Sym {
        let term = self.w.terms.constant(bits);
        Scalar::defined(&mut self.w.terms, term).into()
    }
    /// The address of the start of a block.
    pub(super) fn address(&mut self, number: u32) -> Sym {
        let block = self.w.terms.number(BLOCK_BITS, number.into());
        let zero = self.w.terms.number(OFFSET_BITS, 0);
        let pointer = self.w.terms.concat(block, zero);
        Scalar::defined(&mut self.w.terms, pointer).into()
    }
    fn expression(&mut self, pool: &ConstPool, ty: Type, expr: &ConstExpr) -> Encoded<Sym> {
        let mut operands = Vec::with_capacity(expr.operands.len());
        for &operand in &expr.operands {
            operands.push((self.constant(pool, operand)?, pool.ty(operand)));
        }
        match &expr.op {
            ConstOp::Gep { source, flags, .. } => self.gep_of(*source, *flags, &operands),
            ConstOp::Cast(op) => {
                let (value, from) = &operands[0];
                self.cast_value(*op, CastFlags::default(), value, *from, ty)
            }
            ConstOp::Binary(op, flags) => {
                let (a, b) = (operands[0].0.clone(), operands[1].0.clone());
                self.zip(&a, &b, &mut |e, a, b| Ok(e.binary_scalar(*op, *flags, a, b)))
            }
        }
    }

    /// `memory` with the contents of constant globals in place. Large globals are left unconstrained.
    pub(crate) fn write_constant_globals(&mut self, memory: Term) -> Encoded<Term> {
        let module = self.module;
        let env = &module.env;
        let saved = std::mem::replace(&mut self.memory.shared, memory);
        let mut room = MANY_BYTES;
        for (_, var) in env.vars.iter() {
            let Some(init) = var.definitive_init().filter(|_| var.is_constant) else {
                continue;
            };
            if !self.w.used_globals.contains(&var.name) {
                continue;
            }
            let size = env.layout.alloc_bytes(&env.types, var.ty).unwrap_or(u64::MAX);
            if size > room {
                self.w.approximate("the contents of large constant globals are taken for anything");
                continue;
            }
            room -= size;
            let number = self.w.global(&var.name).expect("all globals have numbers");
            if env.consts.get(init).data == ConstData::Zero {
                self.write_zeros(number, size);
                continue;
            }
            // A global with an unreadable initializer stays unconstrained: this adds inputs and never removes any.
            let Ok(value) = self.constant(&env.consts, init) else {
                self.w.approximate("the contents of a constant global are taken for anything");
                continue;
            };
            if let Sym::Scalar(pointer) = self.address(number) {
                let stored = self.store_size(var.ty)?;
                self.leave_open(pointer.bits, stored, size);
                self.store(var.ty, &value, pointer.bits)?;
            }
        }
        Ok(std::mem::replace(&mut self.memory.shared, saved))
    }
    /// Makes the bytes from `from` to `to` uninitialized, because the initializer does not cover them.
    fn leave_open(&mut self, pointer: Term, from: u64, to: u64) {
        if from >= to {
            return;
        }
        let open = self.w.layout.uninit(&mut self.w.terms, self.w.uninit);
        self.w.needs_undef_mask |= self.w.uninit == Uninit::Undef && !self.w.layout.undef;
        for at in from..to {
            self.write_byte(pointer, at, open, None);
        }
    }
    /// Sets all bytes of a global to zero, including padding.
    fn write_zeros(&mut self, number: u32, size: u64) {
        let zero = self.w.terms.number(8, 0);
        let byte = self.w.layout.plain(&mut self.w.terms, zero, zero, zero);
        let Sym::Scalar(pointer) = self.address(number) else { return };
        for at in 0..size {
            self.write_byte(pointer.bits, at, byte, None);
        }
    }
}
