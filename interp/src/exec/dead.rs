//! Memory that is dead after a function returns: that of its `dead_on_return` parameters.

use crate::memory::Memory;
use crate::observe::SeenMemory;
use crate::value::Val;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use std::ops::Range;

/// Byte ranges of objects that are poison for the caller after the function returns.
#[derive(Clone, Debug, Default)]
pub(super) struct Dead(Vec<(usize, Range<usize>)>);

impl Dead {
    /// The memory that `func` leaves dead when called with `args`.
    pub(super) fn of(env: &Env, func: FuncId, memory: &Memory, args: &[Val]) -> Self {
        let dead = env.funcs[func].param_attrs.iter().zip(args).filter_map(|(list, arg)| {
            let bytes = env.attrs(list).find_map(|attr| attr.dead_on_return())?;
            let Val::Ptr(ptr) = arg else { return None };
            let index = memory.object_of(*ptr)?;
            let alloc = memory.allocation(index);
            let from = usize::try_from(ptr.addr.checked_sub(alloc.base)?).ok()?;
            let size = usize::try_from(alloc.size).ok()?;
            // Without a size the attribute covers everything written through the pointer, including bytes before it.
            let Some(bytes) = bytes else { return Some((index, 0..size)) };
            let to = from.saturating_add(usize::try_from(bytes).unwrap_or(size));
            Some((index, from..to.min(size)))
        });
        Self(dead.collect())
    }
    /// Makes the dead bytes of object `index` poison.
    pub(super) fn bury(&self, index: usize, seen: &mut SeenMemory) {
        for (_, range) in self.0.iter().filter(|(dead, _)| *dead == index) {
            seen.poison(range.clone());
        }
    }
}
