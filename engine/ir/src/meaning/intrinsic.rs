//! Effects of intrinsics: LLVM 22's declaration of each, and the LangRef section that defines it.
//!
//! The table of facts has one row per [`Intrinsic`], in the order of the enum; a missing row is a compile error. Two
//! further lists hold the other documented intrinsics and the name prefixes of target-specific and pass-specific
//! intrinsics. A name in none of the three is unknown. A test compares the rows with the declarations that `opt`
//! prints.

mod declared;
mod facts;
mod others;

use crate::attr::{FlagAttr, MemoryEffects};
use crate::intrinsic::Intrinsic;
use facts::FACTS;
use others::{FAMILIES, OTHERS};

/// The declaration of an intrinsic in LLVM; LangRef may permit less.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The memory that it may access.
    pub memory: MemoryEffects,
    /// The flags of its declaration that are in [`Facts::STATED`].
    flags: &'static [FlagAttr],
}

impl Facts {
    /// The flags that the rows record; other flags of LLVM's declarations are omitted.
    pub const STATED: [FlagAttr; 7] = [
        FlagAttr::NoCallback,
        FlagAttr::NoFree,
        FlagAttr::NoReturn,
        FlagAttr::NoSync,
        FlagAttr::NoUnwind,
        FlagAttr::Speculatable,
        FlagAttr::WillReturn,
    ];
    /// Whether LLVM declares the intrinsic with the flag.
    pub fn has(&self, flag: FlagAttr) -> bool {
        self.flags.contains(&flag)
    }
}

/// A documented intrinsic that is not an [`Intrinsic`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Other {
    /// The name without `llvm.` and type suffixes.
    pub name: &'static str,
    /// LLVM's declaration.
    pub facts: Facts,
    /// The LangRef section.
    pub section: &'static str,
}

/// The knowledge about a function whose name begins with `llvm.`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Known {
    /// An intrinsic of [`Intrinsic`].
    Intrinsic(Intrinsic),
    /// Another documented intrinsic.
    Other(Other),
    /// A target-specific or pass-specific intrinsic, by its prefix.
    Family(&'static str),
}

/// The table entry for the function `name` (without `@`); `None` if no table has it.
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
    /// LLVM's declaration of the intrinsic.
    pub fn facts(self) -> &'static Facts {
        &FACTS[self as usize].1
    }
    /// The LangRef section on the intrinsic; empty if there is none.
    pub fn section(self) -> &'static str {
        FACTS[self as usize].2
    }
}

// Each intrinsic has its row at its index.
const _: () = {
    let mut at = 0;
    while at < FACTS.len() {
        assert!(FACTS[at].0 as usize == at);
        at += 1;
    }
};
