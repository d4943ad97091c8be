//! Provenance: which allocation a pointer is based on, and through which restricted arguments it came.
//!
//! A pointer derived from a `noalias` argument carries that argument's scope for as long as the call runs. LangRef
//! ("Parameter Attributes", noalias): memory that is accessed through pointers based on the argument and is modified,
//! by any means, while the function runs must not be accessed through other pointers meanwhile. Each scope logs, byte
//! by byte, who touched what; the rule is broken when a byte was touched from both sides and written by either.
//! Accesses through pointers made from integers are taken to be of whichever side is allowed.

use crate::outcome::UbKind;
use crate::value::Prov;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What a restricted argument demands.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Restriction {
    pub(crate) noalias: bool,
    pub(crate) readonly: bool,
    pub(crate) writeonly: bool,
}

impl Restriction {
    pub(crate) fn is_none(self) -> bool {
        self == Self::default()
    }
}

const BASED: u8 = 1;
const OTHER: u8 = 2;
const WRITTEN: u8 = 4;

#[derive(Clone, Debug)]
struct Scope {
    restriction: Restriction,
    log: FxHashMap<u32, Vec<u8>>,
}

#[derive(Clone, Debug)]
struct Entry {
    alloc: u32,
    scopes: SmallVec<[u32; 2]>,
}

/// All provenances of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Provenances {
    entries: Vec<Entry>,
    /// Scopes that are open, by their number.
    open: Vec<(u32, Scope)>,
    next_scope: u32,
}

/// A range of an allocation that is accessed.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Touch {
    pub(crate) alloc: u32,
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) write: bool,
}

impl Provenances {
    /// The provenance of a pointer to allocation `alloc`.
    pub(crate) fn plain(&mut self, alloc: u32) -> Prov {
        self.entries.push(Entry { alloc, scopes: SmallVec::new() });
        Prov(self.entries.len() as u32 + 1)
    }
    /// The allocation that `prov` is of; `None` if it is of none or of any.
    #[inline]
    pub(crate) fn alloc_of(&self, prov: Prov) -> Option<u32> {
        let index = (prov.0 as usize).checked_sub(2)?;
        self.entries.get(index).map(|e| e.alloc)
    }
    /// Opens a scope for a restricted argument; pointers based on it get the provenance that is returned.
    pub(crate) fn restrict(&mut self, prov: Prov, restriction: Restriction) -> Prov {
        let Some(entry) = (prov.0 as usize).checked_sub(2).and_then(|i| self.entries.get(i)) else {
            return prov;
        };
        let mut entry = entry.clone();
        entry.scopes.push(self.next_scope);
        self.open.push((self.next_scope, Scope { restriction, log: FxHashMap::default() }));
        self.next_scope += 1;
        self.entries.push(entry);
        Prov(self.entries.len() as u32 + 1)
    }
    /// How many scopes are open: to be handed to [`Provenances::close_to`] when the function returns.
    pub(crate) fn open_scopes(&self) -> usize {
        self.open.len()
    }
    /// Closes the scopes that were opened last.
    pub(crate) fn close_to(&mut self, count: usize) {
        self.open.truncate(count);
    }
    /// Forgets all but the first `count` provenances.
    pub(crate) fn reset(&mut self, count: usize) {
        self.entries.truncate(count);
        self.open.clear();
        self.next_scope = 0;
    }
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether any scope is open, so that accesses have to be reported.
    #[inline]
    pub(crate) fn watching(&self) -> bool {
        !self.open.is_empty()
    }
    /// Reports an access through a pointer with provenance `prov`.
    pub(crate) fn touch(&mut self, prov: Prov, size: usize, touch: Touch) -> Result<(), UbKind> {
        let Some(entry) = (prov.0 as usize).checked_sub(2).and_then(|i| self.entries.get(i)) else {
            return Ok(());
        };
        for (number, scope) in &mut self.open {
            let based = entry.scopes.contains(number);
            if based && touch.write && scope.restriction.readonly {
                return Err(UbKind::ReadOnlyArgument);
            }
            if based && !touch.write && scope.restriction.writeonly {
                return Err(UbKind::WriteOnlyArgument);
            }
            if !scope.restriction.noalias {
                continue;
            }
            let mark = if based { BASED } else { OTHER } | if touch.write { WRITTEN } else { 0 };
            let log = scope.log.entry(touch.alloc).or_insert_with(|| vec![0; size]);
            for byte in log.iter_mut().skip(touch.at).take(touch.len) {
                *byte |= mark;
                if *byte == BASED | OTHER | WRITTEN {
                    return Err(UbKind::NoAliasViolated);
                }
            }
        }
        Ok(())
    }
}
