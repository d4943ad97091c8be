//! Volatile accesses: events that the environment answers. LangRef, "Volatile Memory Accesses".
//!
//! A volatile access may use an address without memory, such as null. It then touches no block, and a load yields any
//! value; such an access does not show that a plain access to the address is defined. Poison pointers and misaligned
//! addresses are still UB, and so are accesses to existing memory that attributes forbid.
//!
//! The event contains the address, the type, the stored value, and the bytes present before the access. Where a plain
//! store is allowed, the environment chooses the bytes after the access. They are unrelated to the loaded value:
//! reading a device register may clear it. A volatile load surely returns. LangRef does not allow the assumption that a
//! volatile store returns, so UB after the store does not excuse behavior before it.
//!
//! The interpreter tries fewer environments, so a counterexample that needs other environments is inconclusive.

use crate::encode::access::Access;
use crate::encode::function::{Encoded, Encoder};
use crate::encode::memory::MANY_BYTES;
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::value::Sym;
use crate::encode::world::{Event, Touched};
use crate::term::Term;
use backedge_ir::attr::MemoryEffects;
use backedge_ir::entity::Inst;
use backedge_ir::print::type_to_string;

impl Encoder<'_, '_> {
    /// A volatile load.
    pub(crate) fn volatile_load(&mut self, access: Access) -> Encoded<Sym> {
        self.w.approximate("the environment chooses the result of a volatile load and the bytes after it");
        let inside = self.volatile_place(access, false)?;
        let found = self.volatile_bytes(access, inside)?;
        let result = self.free_value(access.ty, "volatile")?;
        let touched = Touched { inside, pointer: access.pointer.bits, usual: found.clone(), found };
        let args = vec![access.pointer.into()];
        let left = self.volatile_event("load", access, args, touched, Some(result.clone()));
        let read_only = {
            let block = block_of(&mut self.w.terms, access.pointer.bits);
            self.w.is_read_only(block)
        };
        let writable = self.w.terms.not(read_only);
        let changed = self.w.terms.and(inside, writable);
        if self.may_write() {
            self.leave_bytes(access, changed, left);
        }
        Ok(result)
    }
    /// A volatile store.
    pub(crate) fn volatile_store(&mut self, access: Access, value: &Sym) -> Encoded<()> {
        self.w.approximate("the environment chooses the bytes before and after a volatile store");
        let inside = self.volatile_place(access, true)?;
        let found = self.volatile_bytes(access, inside)?;
        let usual = self.value_bytes(access.ty, value)?;
        let touched = Touched { inside, pointer: access.pointer.bits, usual, found };
        let args = vec![access.pointer.into(), value.clone()];
        let left = self.volatile_event("store", access, args, touched, None);
        // The store need not return.
        self.memory.firm = self.memory.trace;
        self.leave_bytes(access, inside, left);
        Ok(())
    }

    /// Whether the address has memory that this access may touch. Conditions that are UB in both cases become UB here.
    fn volatile_place(&mut self, access: Access, write: bool) -> Encoded<Term> {
        let Access { ty, operand, pointer, align } = access;
        let undef = pointer.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(pointer.poison, undef);
        self.ub(bad);
        if self.store_size(ty)? == 0 {
            return Ok(self.w.terms.bool(false));
        }
        let extent = self.extent(ty)?;
        let (block, offset) =
            (block_of(&mut self.w.terms, pointer.bits), offset_of(&mut self.w.terms, pointer.bits));
        self.check_alignment(block, offset, align);
        let in_bounds = self.is_in_bounds(block, offset, extent);
        let live = self.is_live(block);
        let mut inside = self.w.terms.and(in_bounds, live);
        if write {
            let read_only = self.w.is_read_only(block);
            let writable = self.w.terms.not(read_only);
            inside = self.w.terms.and(inside, writable);
        }
        let path = self.path;
        let outside = self.w.terms.not(inside);
        self.path = self.w.terms.and(path, inside);
        self.check_allowed(operand, pointer.bits, write)?;
        let elsewhere = self.w.terms.and(path, outside);
        self.path = self.w.terms.or(self.path, elsewhere);
        Ok(inside)
    }
    /// The bytes at the address; zeros if there is no memory.
    fn volatile_bytes(&mut self, access: Access, inside: Term) -> Encoded<Vec<Term>> {
        let size = self.store_size(access.ty)?;
        if size > MANY_BYTES {
            return Err(self.unsupported("a volatile access of more than 256 bytes"));
        }
        let zero = self.w.terms.number(self.w.layout.byte_bits(), 0);
        let read = |at| {
            let byte = self.read_byte(access.pointer.bits, at);
            self.w.terms.ite(inside, byte, zero)
        };
        Ok((0..size).map(read).collect())
    }
    /// Whether the function's `memory(…)` attribute allows plain stores.
    fn may_write(&self) -> bool {
        let env = &self.module.env;
        let allowed = env.memory_effects(&env.funcs[self.func].attrs).map(MemoryEffects::accessible);
        allowed.is_none_or(|m| m.writes)
    }

    /// Adds the event; returns the memory that contains the bytes after the access.
    fn volatile_event(
        &mut self,
        kind: &str,
        access: Access,
        args: Vec<Sym>,
        touched: Touched,
        result: Option<Sym>,
    ) -> Term {
        let (after, leaves) = (self.w.fresh_trace(), self.w.fresh_memory());
        let (yes, no) = (self.w.terms.bool(true), self.w.terms.bool(false));
        // LangRef forbids to change the type or the address space of a volatile access.
        let types = &self.module.env.types;
        let through = type_to_string(types, self.ty(access.operand));
        let callee = format!("volatile {kind} of {} through {through}", type_to_string(types, access.ty));
        let inst: Inst = self.inst.expect("at an instruction");
        self.w.add_event(Event {
            side: self.side,
            inst,
            happens: self.path,
            before: self.memory.trace,
            callee: callee.into(),
            promises: Vec::new(),
            args,
            memory: None,
            touched: Some(touched),
            found: None,
            after: Some(after),
            result,
            returns: yes,
            throws: no,
            by_history: false,
            leaves: Some(leaves),
            speculatable: true,
            allocas: Vec::new(),
        });
        self.memory.trace = after;
        leaves
    }
    /// Writes the bytes chosen by the environment to the address, if `changed` holds.
    fn leave_bytes(&mut self, access: Access, changed: Term, left: Term) {
        let when = (self.w.terms.as_bool(changed) != Some(true)).then_some(changed);
        let Ok(size) = self.store_size(access.ty) else { return };
        for at in 0..size {
            let byte = self.byte_from_outside(left, access.pointer.bits, at);
            self.write_byte(access.pointer.bits, at, byte, when);
        }
    }
}
