//! Instructions that access memory: alloca, load, store.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::memory::{Alloca, MANY_BYTES};
use crate::encode::pointer::block_of;
use crate::encode::stated::Stated;
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, KnownBlock, LOCAL_BLOCK, OFFSET_BITS, UNKNOWN_BLOCK, Uninit};
use crate::term::Term;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::{AllocaInfo, InstKind, MemAccess, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::metadata::may_skip_bytes;
use backedge_ir::types::Type;
use std::collections::BTreeMap;

/// The bytes that a load or store accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// The type of the loaded or stored value.
    pub(crate) ty: Type,
    /// The address operand.
    pub(crate) operand: Value,
    /// The address.
    pub(crate) pointer: Scalar,
    /// The stated alignment in bytes.
    pub(crate) align: u64,
}

impl Encoder<'_, '_> {
    /// Allocas whose address is used only by loads, stores and comparisons.
    pub(crate) fn non_escaping_allocas(&self) -> EntitySet<Inst> {
        self.body
            .all_insts()
            .filter(|i| matches!(self.body.inst(*i).kind, InstKind::Alloca(_)) && self.stays((*i).into()))
            .collect()
    }
    /// Whether an address is used only by loads, stores and comparisons.
    pub(crate) fn stays(&self, pointer: Value) -> bool {
        let mut seen: EntitySet<Inst> = EntitySet::new();
        let mut work = vec![pointer];
        while let Some(pointer) = work.pop() {
            for use_ in self.body.uses(pointer) {
                let user = self.body.inst(use_.user);
                let passes_on = match &user.kind {
                    InstKind::Load(_) | InstKind::ICmp { .. } | InstKind::DebugRecord(_) => false,
                    InstKind::Store(_) if use_.index == 1 => false,
                    InstKind::Gep { .. } | InstKind::Phi(_) | InstKind::Select(_) | InstKind::Freeze => true,
                    InstKind::Call(_) if self.is_of_bytes(use_.user) => user.ty.is_ptr(),
                    InstKind::Call(_) => match self.intrinsic_of(use_.user) {
                        Some(
                            Intrinsic::LifetimeStart
                            | Intrinsic::LifetimeEnd
                            | Intrinsic::Memset
                            | Intrinsic::Memcpy
                            | Intrinsic::Memmove
                            | Intrinsic::Assume,
                        ) => false,
                        _ => return false,
                    },
                    _ => return false,
                };
                if passes_on && seen.insert(use_.user) {
                    work.push(use_.user.into());
                }
            }
        }
        true
    }

    /// Non-escaping allocas that are only accessed as whole values at fixed offsets: each offset has one type, and no
    /// accesses overlap.
    pub(crate) fn allocas_in_slots(&self) -> EntitySet<Inst> {
        self.kept.iter().filter(|alloca| self.is_in_slots(*alloca)).collect()
    }
    fn is_in_slots(&self, alloca: Inst) -> bool {
        let env = &self.module.env;
        let mut accesses: BTreeMap<u64, (u64, Type)> = BTreeMap::new();
        let mut work = vec![(alloca, 0u64)];
        while let Some((pointer, offset)) = work.pop() {
            for use_ in self.body.uses(pointer.into()) {
                let user = self.body.inst(use_.user);
                let ty = match &user.kind {
                    InstKind::Load(access) if !access.volatile => user.ty,
                    InstKind::Store(access) if !access.volatile => self.ty(user.operands[0]),
                    InstKind::DebugRecord(_) => continue,
                    InstKind::Gep { source, .. } => match self.constant_offset(*source, &user.operands) {
                        Some(delta) if delta <= 1 << 16 => {
                            work.push((use_.user, offset + delta));
                            continue;
                        }
                        _ => return false,
                    },
                    InstKind::Call(_)
                        if matches!(
                            self.intrinsic_of(use_.user),
                            Some(Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd)
                        ) =>
                    {
                        continue;
                    }
                    _ => return false,
                };
                let Some(size) = env.layout.store_bytes(&env.types, ty) else { return false };
                if *accesses.entry(offset).or_insert((size, ty)) != (size, ty) || offset > 1 << 20 {
                    return false;
                }
            }
        }
        let mut end = 0;
        accesses.into_iter().all(|(offset, (size, _))| {
            let apart = offset >= end;
            end = offset + size;
            apart
        })
    }
    /// The offset in bytes of a getelementptr with constant, nonnegative indices.
    fn constant_offset(&self, source: Type, operands: &[Value]) -> Option<u64> {
        let env = &self.module.env;
        let mut ty = source;
        let mut offset = 0u64;
        for (i, &operand) in operands[1..].iter().enumerate() {
            let index = u64::try_from(self.body.as_int(operand)?.bits()).ok().filter(|i| *i <= 1 << 16)?;
            let step = if i == 0 {
                env.layout.alloc_bytes(&env.types, ty)?.checked_mul(index)?
            } else if let Some(layout) = env.layout.struct_layout(&env.types, ty) {
                ty = env.types.member(ty, index)?;
                *layout.offsets.get(usize::try_from(index).ok()?)?
            } else {
                ty = env.types.member(ty, 0)?;
                env.layout.alloc_bytes(&env.types, ty)?.checked_mul(index)?
            };
            offset = offset.checked_add(step)?;
        }
        Some(offset)
    }

    /// Whether an alloca is dead until a marker starts its lifetime: true if such a marker exists.
    fn waits_for_its_lifetime(&self, alloca: Inst) -> bool {
        let uses = self.body.uses(alloca.into());
        uses.iter().any(|u| self.intrinsic_of(u.user) == Some(Intrinsic::LifetimeStart))
    }

    /// The size of an alloca on runs that execute it, if it is below half of the address space; otherwise zero. Facts
    /// about a block's size must hold on all runs.
    fn size_where_executed(&mut self, size: Term) -> Term {
        if self.w.terms.as_bits(size).is_some() {
            return size;
        }
        let half = self.w.terms.number(OFFSET_BITS, 1 << (self.w.layout.address_bits - 1));
        let zero = self.w.terms.number(OFFSET_BITS, 0);
        let small = self.w.terms.ult(size, half);
        let allocates = self.w.terms.and(self.path, small);
        self.w.terms.ite(allocates, size, zero)
    }

    /// UB if the object takes half of the address space or more (LangRef, "Allocated Objects").
    fn check_alloca_size(&mut self, count: Term, element: u64) {
        if element == 0 {
            return;
        }
        let most = ((1u128 << (self.w.layout.address_bits - 1)) - 1) / u128::from(element);
        let terms = &mut self.w.terms;
        let width = terms.width(count);
        if width < 128 && most >> width != 0 {
            return;
        }
        let most = terms.number(width, most);
        let too_many = terms.ult(most, count);
        self.ub(too_many);
    }
    pub(crate) fn alloca(&mut self, inst: Inst, info: &AllocaInfo) -> Encoded<Sym> {
        let env = &self.module.env;
        let element = env.layout.alloc_bytes(&env.types, info.ty);
        let element = element.ok_or_else(|| self.unsupported("an alloca of a type without a size"))?;
        let align = info.align.or_else(|| env.layout.preferred_align(&env.types, info.ty)).unwrap_or(1);
        let size = match self.body.inst(inst).operands.first() {
            None => self.w.terms.number(OFFSET_BITS, element.into()),
            Some(&count) => {
                let count = self.scalar(count)?;
                let undef = count.has_undef(&mut self.w.terms);
                let bad = self.w.terms.or(count.poison, undef);
                self.ub(bad);
                self.check_alloca_size(count.bits, element);
                let count = self.w.terms.zext_or_truncate(count.bits, OFFSET_BITS);
                let element = self.w.terms.number(OFFSET_BITS, element.into());
                let size = self.w.terms.mul(count, element);
                self.size_where_executed(size)
            }
        };
        let number = if self.kept.contains(inst) {
            let own = self.allocas.iter().filter(|a| a.number & LOCAL_BLOCK != 0).count() as u32;
            if own >= LOCAL_BLOCK - 1 {
                return Err(self.unsupported("more than 32,766 allocas"));
            }
            LOCAL_BLOCK | own
        } else {
            if self.w.blocks.len() as u32 >= UNKNOWN_BLOCK - 2 {
                return Err(self.unsupported("more than 16,382 globals and allocas"));
            }
            let (label, counters) = (self.label(inst), self.copy.counters.clone());
            let block = KnownBlock {
                name: format!("%{label}").into(),
                size: Some(size),
                align,
                read_only: Some(false),
                may_coincide: false,
            };
            self.w.escaped_alloca(self.side, (&label, &counters), block)
        };
        self.allocas.push(Alloca { number, size, align, slotted: self.slotted.contains(inst) });
        let index = self.allocas.len() - 1;
        self.set_alive(index, !self.waits_for_its_lifetime(inst));
        let block = self.w.terms.number(BLOCK_BITS, number.into());
        let zero = self.w.terms.number(OFFSET_BITS, 0);
        let pointer = self.w.terms.concat(block, zero);
        if number & LOCAL_BLOCK == 0 {
            self.fill_uninit(pointer, size);
        } else if !self.slotted.contains(inst) {
            self.w.needs_undef_mask |= !self.w.layout.undef && self.w.uninit == Uninit::Undef;
        }
        Ok(Scalar::defined(&mut self.w.terms, pointer).into())
    }
    /// Makes the contents of a block uninitialized.
    pub(crate) fn fill_uninit(&mut self, pointer: Term, size: Term) {
        let block = block_of(&mut self.w.terms, pointer);
        if let Some(index) = self.alloca_of(block).filter(|i| self.allocas[*i].slotted) {
            let number = self.allocas[index].number;
            self.memory.slots.retain(|(block, _), _| *block != number);
            return;
        }
        self.w.needs_undef_mask |= !self.w.layout.undef && self.w.uninit == Uninit::Undef;
        let byte = self.w.layout.uninit(&mut self.w.terms, self.w.uninit);
        let known = self.w.terms.as_bits(size).and_then(crate::term::Bits::to_u128);
        let Some(size) = known.filter(|s| *s <= MANY_BYTES.into()) else {
            self.clear_block(block, byte);
            return;
        };
        for at in 0..size as u64 {
            self.write_byte(pointer, at, byte, None);
        }
    }

    fn align_of(&self, access: &MemAccess, ty: Type) -> u64 {
        let env = &self.module.env;
        access.align.or_else(|| env.layout.abi_align(&env.types, ty)).unwrap_or(1)
    }
    /// Makes an access UB where LangRef or an attribute of the function says so. An access of zero bytes only checks the
    /// pointer. Returns whether a read sees the memory contents; otherwise it sees poison.
    fn check_accessed(&mut self, access: Access, write: bool) -> Encoded<Term> {
        let Access { ty, operand, pointer, align } = access;
        let extent = self.extent(ty)?;
        if self.w.terms.as_bits(extent.0).is_some_and(crate::term::Bits::is_zero) {
            let undef = pointer.has_undef(&mut self.w.terms);
            let bad = self.w.terms.or(pointer.poison, undef);
            self.ub(bad);
            return Ok(self.w.terms.bool(true));
        }
        let alive = self.check_access_of(pointer, extent, align, write);
        let seen = self.check_allowed(operand, pointer.bits, write)?;
        Ok(self.w.terms.and(alive, seen))
    }
    /// Rejects an access that need not preserve all its bytes.
    pub(super) fn check_fields(&self, inst: Inst) -> Encoded<()> {
        if may_skip_bytes(&self.module.env, self.body, inst) {
            return Err(self.unsupported("`!tbaa.struct` that leaves out bytes of the access"));
        }
        Ok(())
    }
    pub(crate) fn load_instruction(&mut self, inst: Inst, access: &MemAccess) -> Encoded<Sym> {
        self.check_fields(inst)?;
        if access.ordering.is_some() {
            return Err(self.unsupported("an atomic access"));
        }
        let data = self.body.inst(inst);
        let (ty, pointer) = (data.ty, self.scalar(data.operands[0])?);
        let (operand, align) = (data.operands[0], self.align_of(access, ty));
        let plain = Access { ty, operand, pointer, align };
        let value = if access.volatile {
            self.volatile_load(plain)?
        } else {
            let alive = self.check_accessed(plain, false)?;
            let value = self.load(ty, pointer.bits)?;
            let dead = self.w.terms.not(alive);
            value.map(&mut |s| s.or_poison(&mut self.w.terms, dead))
        };
        self.constrain(Stated { lists: &[], metadata: &data.metadata }, ty, value)
    }
    pub(crate) fn store_instruction(&mut self, inst: Inst, access: &MemAccess) -> Encoded<()> {
        self.check_fields(inst)?;
        if access.ordering.is_some() {
            return Err(self.unsupported("an atomic access"));
        }
        let operands = &self.body.inst(inst).operands;
        let (value, pointer) = (self.value(operands[0])?, self.scalar(operands[1])?);
        let ty = self.ty(operands[0]);
        let (operand, align) = (operands[1], self.align_of(access, ty));
        let plain = Access { ty, operand, pointer, align };
        if access.volatile {
            return self.volatile_store(plain, &value);
        }
        self.check_accessed(plain, true)?;
        self.store(ty, &value, pointer.bits)
    }
    /// A value of type `ty` chosen by the environment; its pointers lead to blocks that the environment can know.
    pub(crate) fn free_value(&mut self, ty: Type, name: &str) -> Encoded<Sym> {
        self.build(ty, &mut |e, ty| {
            let width = e.width(ty)?;
            let value = e.w.free_scalar(name, width);
            if ty.is_ptr() {
                e.w.poison_memory = true;
                let fact = e.w.points_outside_own(value.bits);
                e.w.axioms.push(fact);
            }
            Ok(value)
        })
    }
}
