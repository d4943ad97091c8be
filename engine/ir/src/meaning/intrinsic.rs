//! Effects of intrinsics: what LLVM 22 declares of each, and the LangRef section that defines it.
//!
//! The table of facts has a row for each [`Intrinsic`], in the order of the enum; the compiler rejects a missing row.
//! Two further lists have the other documented intrinsics, and prefixes of those of targets and of passes. A name that
//! none of the three has is unknown. A test compares the rows with the declarations that `opt` prints.

mod declared;
mod facts;
mod others;

use crate::attr::{FlagAttr, MemoryEffects};
use crate::intrinsic::Intrinsic;
use facts::FACTS;
use others::{FAMILIES, OTHERS};

/// What LLVM declares of an intrinsic; LangRef may permit less.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Memory that it may access.
    pub memory: MemoryEffects,
    /// Flags of its declaration, among [`Facts::STATED`].
    flags: &'static [FlagAttr],
}

impl Facts {
    /// The flags that rows state; others that LLVM declares are not part of them.
    pub const STATED: [FlagAttr; 7] = [
        FlagAttr::NoCallback,
        FlagAttr::NoFree,
        FlagAttr::NoReturn,
        FlagAttr::NoSync,
        FlagAttr::NoUnwind,
        FlagAttr::Speculatable,
        FlagAttr::WillReturn,
    ];
    /// Whether LLVM declares the intrinsic with a flag.
    pub fn has(&self, flag: FlagAttr) -> bool {
        self.flags.contains(&flag)
    }
}

/// A documented intrinsic that [`Intrinsic`] does not have.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Other {
    /// The name without `llvm.` and type suffixes.
    pub name: &'static str,
    /// What LLVM declares.
    pub facts: Facts,
    /// LangRef's section.
    pub section: &'static str,
}

/// What is known about a function whose name begins with `llvm.`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Known {
    /// An intrinsic of [`Intrinsic`].
    Intrinsic(Intrinsic),
    /// A documented intrinsic besides.
    Other(Other),
    /// An intrinsic of a target or a pass, by its prefix.
    Family(&'static str),
}

/// What is known about the function `name` (without `@`); nothing for names that no table has.
pub fn known(name: &str) -> Option<Known> {
    if let Some(intrinsic) = Intrinsic::from_function_name(name) {
        return Some(Known::Intrinsic(intrinsic));
    }
    let full = name.strip_prefix("llvm.")?;
    let mut base = full;
    loop {
        if let Some((name, facts, section)) = OTHERS.iter().find(|row| row.0 == base) {
            return Some(Known::Other(Other { name, facts: *facts, section }));
        }
        let Some(dot) = base.rfind('.') else { break };
        base = &base[..dot];
    }
    FAMILIES.iter().find(|prefix| full.starts_with(**prefix)).map(|prefix| Known::Family(prefix))
}

impl Intrinsic {
    /// What LLVM declares of the intrinsic.
    pub fn facts(self) -> &'static Facts {
        &FACTS[self as usize].1
    }
    /// LangRef's section on the intrinsic; empty where LangRef has none.
    pub fn section(self) -> &'static str {
        FACTS[self as usize].2
    }
}

// A row for each intrinsic, at its place.
const _: () = {
    let mut at = 0;
    while at < FACTS.len() {
        assert!(FACTS[at].0 as usize == at);
        at += 1;
    }
};
