//! Known memory contents along a path of blocks with one predecessor each.

use backedge_analysis::alias::location::{accessed_type, pointer_operand};
use backedge_analysis::alias::{Aliasing, Iterations, MemoryLocation};
use backedge_analysis::cache::At;
use backedge_analysis::must_execute::guaranteed_to_transfer;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::types::Type;

/// Maximum number of tracked values, which each access is compared with; the oldest is dropped.
const MOST_KNOWN: usize = 32;
/// Maximum number of tracked unobserved stores, which each access is compared with; the oldest is dropped.
const MOST_UNSEEN: usize = 16;

/// The known contents at an address.
#[derive(Copy, Clone, Debug)]
struct Known {
    /// The leader of the pointer.
    ptr: Value,
    /// The location, with the pointer operand of the access itself.
    location: MemoryLocation,
    ty: Type,
    value: Value,
    /// The load that gave the value, if it was a load.
    by: Option<Inst>,
}

/// A store of this block that nothing can have observed yet.
#[derive(Copy, Clone, Debug)]
struct Unseen {
    store: Inst,
    ptr: Value,
    location: MemoryLocation,
    ty: Type,
}

/// Known memory contents at a program point.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    known: Vec<Known>,
    unseen: Vec<Unseen>,
}

/// The result for an access.
#[derive(Debug)]
pub(super) enum Fate {
    /// It is needed.
    Stays,
    /// It is a load of a known value.
    Known {
        /// The value.
        value: Value,
        /// The load that gave the value, if it was a load.
        by: Option<Inst>,
    },
    /// It is a store of the value already in memory.
    There,
    /// It is a store that makes these earlier stores dead.
    Overwrites(Vec<Inst>),
}

impl Memory {
    /// Updates the state for `inst`, which has a side effect or accesses memory. `leader` maps a value to its
    /// representative; `fits` tells whether a value may replace `inst`.
    pub(super) fn meet(
        &mut self,
        at: At<'_>,
        inst: Inst,
        leader: impl Fn(Value) -> Value,
        fits: impl Fn(Value) -> bool,
    ) -> Fate {
        let Some(access) = plain(at, inst, &leader) else {
            self.forget(at, inst);
            return Fate::Stays;
        };
        let same = |k: &&Known| k.ptr == access.ptr && k.ty == access.ty;
        let found = self.known.iter().rev().find(same).copied();
        match at.body.inst(inst).kind {
            InstKind::Load(_) => {
                if let Some(Known { value, by, .. }) = found.filter(|k| fits(k.value)) {
                    return Fate::Known { value, by };
                }
                self.forget(at, inst);
                self.learn(Known { value: inst.into(), by: Some(inst), ..access });
                Fate::Stays
            }
            _ => {
                // Storing a loaded value clears bits of the last byte that do not belong to the value. If the value
                // is poison because these bits were set, memory did not hold the stored value.
                let whole = access.ty.int_bits().is_none_or(|bits| bits.is_multiple_of(8));
                if found.is_some_and(|k| k.value == access.value && (whole || k.by.is_none())) {
                    return Fate::There;
                }
                self.forget(at, inst);
                let covered = |u: &Unseen| u.ptr == access.ptr && u.ty == access.ty;
                let over: Vec<Inst> = self.unseen.iter().filter(|u| covered(u)).map(|u| u.store).collect();
                self.unseen.retain(|u| !covered(u));
                if self.unseen.len() == MOST_UNSEEN {
                    self.unseen.remove(0);
                }
                self.unseen.push(Unseen {
                    store: inst,
                    ptr: access.ptr,
                    location: access.location,
                    ty: access.ty,
                });
                self.learn(access);
                if over.is_empty() { Fate::Stays } else { Fate::Overwrites(over) }
            }
        }
    }
    /// Updates the state for `inst`, which does not access memory.
    pub(super) fn pass(&mut self, at: At<'_>, inst: Inst) {
        if !guaranteed_to_transfer(at.env, at.body, inst) {
            self.unseen.clear();
        }
    }
    /// After a block, its stores may be observed.
    pub(super) fn leave_block(&mut self) {
        self.unseen.clear();
    }
    fn learn(&mut self, known: Known) {
        if self.known.len() == MOST_KNOWN {
            self.known.remove(0);
        }
        self.known.push(known);
    }
    /// Drops contents that `inst` may change, and stores that it may observe.
    fn forget(&mut self, at: At<'_>, inst: Inst) {
        let aliasing = Aliasing::new(at);
        let effect = |location| aliasing.mod_ref(inst, location, Iterations::Same);
        self.known.retain(|k| !effect(k.location).writes);
        if guaranteed_to_transfer(at.env, at.body, inst) {
            self.unseen.retain(|u| !effect(u.location).reads);
        } else {
            self.unseen.clear();
        }
    }
}

/// `inst` as a load or store, if it is a plain one of a single value; for a store, with the value.
fn plain(at: At<'_>, inst: Inst, leader: impl Fn(Value) -> Value) -> Option<Known> {
    let data = at.body.inst(inst);
    let (InstKind::Load(access) | InstKind::Store(access)) = &data.kind else { return None };
    let ty = accessed_type(at.body, inst)?;
    let single = ty.is_int() || ty.is_ptr() || ty.is_float();
    if access.volatile || access.ordering.is_some() || !single {
        return None;
    }
    let location = MemoryLocation::of_access(at, inst)?;
    let ptr = leader(pointer_operand(at.body, inst)?);
    Some(Known { ptr, location, ty, value: leader(data.operands[0]), by: None })
}
