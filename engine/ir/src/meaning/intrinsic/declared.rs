//! The groups of attributes that LLVM declares intrinsics with, and the titles of LangRef's sections.

use super::Facts;
use crate::attr::{FlagAttr, MemoryEffects, ModRef};

pub(super) const RETURNING: &[FlagAttr] =
    &[FlagAttr::NoCallback, FlagAttr::NoFree, FlagAttr::NoSync, FlagAttr::NoUnwind, FlagAttr::WillReturn];
pub(super) const SPECULATABLE: &[FlagAttr] = &[
    FlagAttr::NoCallback,
    FlagAttr::NoFree,
    FlagAttr::NoSync,
    FlagAttr::NoUnwind,
    FlagAttr::Speculatable,
    FlagAttr::WillReturn,
];
pub(super) const SYNCING: &[FlagAttr] =
    &[FlagAttr::NoCallback, FlagAttr::NoFree, FlagAttr::NoUnwind, FlagAttr::WillReturn];
pub(super) const ATOMIC: &[FlagAttr] = &[FlagAttr::NoSync, FlagAttr::NoUnwind, FlagAttr::WillReturn];
pub(super) const NO_MEMORY: MemoryEffects = MemoryEffects::all(ModRef::NONE);
pub(super) const ALL_MEMORY: MemoryEffects = MemoryEffects::all(ModRef::READ_WRITE);
pub(super) const fn hidden(effect: ModRef) -> MemoryEffects {
    MemoryEffects { inaccessiblemem: effect, ..NO_MEMORY }
}
pub(super) const fn arguments(effect: ModRef) -> MemoryEffects {
    MemoryEffects { argmem: effect, ..NO_MEMORY }
}
pub(super) const fn facts(memory: MemoryEffects, flags: &'static [FlagAttr]) -> Facts {
    Facts { memory, flags }
}

pub(super) const VALUE: Facts = facts(NO_MEMORY, SPECULATABLE);
pub(super) const PURE: Facts = facts(NO_MEMORY, RETURNING);
pub(super) const HIDDEN: Facts = facts(hidden(ModRef::READ_WRITE), RETURNING);
pub(super) const HIDDEN_WRITE: Facts = facts(hidden(ModRef::WRITE), RETURNING);
pub(super) const HIDDEN_SPECULATABLE: Facts = facts(hidden(ModRef::READ_WRITE), SPECULATABLE);
pub(super) const ARGUMENTS: Facts = facts(arguments(ModRef::READ_WRITE), RETURNING);
pub(super) const READ_ARGUMENTS: Facts = facts(arguments(ModRef::READ), RETURNING);
pub(super) const WRITE_ARGUMENTS: Facts = facts(arguments(ModRef::WRITE), RETURNING);
pub(super) const ARGUMENTS_AND_HIDDEN: Facts =
    facts(MemoryEffects { inaccessiblemem: ModRef::READ_WRITE, ..arguments(ModRef::READ_WRITE) }, RETURNING);
pub(super) const READ: Facts = facts(MemoryEffects::all(ModRef::READ), RETURNING);
pub(super) const WRITE: Facts = facts(MemoryEffects::all(ModRef::WRITE), RETURNING);
pub(super) const COPY: Facts = facts(arguments(ModRef::READ_WRITE), SYNCING);
pub(super) const FILL: Facts = facts(arguments(ModRef::WRITE), SYNCING);
pub(super) const ATOMIC_COPY: Facts = facts(arguments(ModRef::READ_WRITE), ATOMIC);
pub(super) const ATOMIC_FILL: Facts = facts(arguments(ModRef::WRITE), ATOMIC);
pub(super) const RETURNS: Facts = facts(ALL_MEMORY, RETURNING);
pub(super) const RETURNS_WRITING: Facts =
    facts(MemoryEffects::all(ModRef::WRITE), &[FlagAttr::NoUnwind, FlagAttr::WillReturn]);
pub(super) const TRAP: Facts = facts(hidden(ModRef::WRITE), &[FlagAttr::NoReturn, FlagAttr::NoUnwind]);
pub(super) const NO_UNWIND: Facts = facts(ALL_MEMORY, &[FlagAttr::NoUnwind]);
pub(super) const NO_UNWIND_NONE: Facts = facts(NO_MEMORY, &[FlagAttr::NoUnwind]);
pub(super) const NO_UNWIND_READS: Facts = facts(arguments(ModRef::READ), &[FlagAttr::NoUnwind]);
pub(super) const NO_UNWIND_ACCESSES: Facts = facts(arguments(ModRef::READ_WRITE), &[FlagAttr::NoUnwind]);
/// No assumptions: LLVM declares no attributes, or no example of its declaration is available for comparison.
pub(super) const UNSTATED: Facts = facts(ALL_MEMORY, &[]);

pub(super) const BITS: &str = "Bit Manipulation Intrinsics";
pub(super) const CODE_GENERATOR: &str = "Code Generator Intrinsics";
pub(super) const COLLECTION: &str = "Accurate Garbage Collection Intrinsics";
pub(super) const CONSTRAINED: &str = "Constrained Floating-Point Intrinsics";
pub(super) const CONSTRAINED_LIBM: &str = "Constrained libm-equivalent Intrinsics";
pub(super) const CONVERSIONS: &str = "Saturating floating-point to integer conversions";
pub(super) const ELEMENTWISE: &str = "Element Wise Atomic Memory Intrinsics";
pub(super) const ENVIRONMENT: &str = "Floating Point Environment Manipulation intrinsics";
pub(super) const EXPANDING: &str = "Masked Vector Expanding Load and Compressing Store Intrinsics";
pub(super) const EXPERIMENTAL_VECTORS: &str = "Experimental Vector Intrinsics";
pub(super) const FIXED_POINT: &str = "Fixed Point Arithmetic Intrinsics";
pub(super) const FLOAT_CONVERSIONS: &str = "Floating-Point Conversion Intrinsics";
pub(super) const FLOAT_TESTS: &str = "Floating-Point Test Intrinsics";
pub(super) const GATHER: &str = "Masked Vector Gather and Scatter Intrinsics";
pub(super) const GENERAL: &str = "General Intrinsics";
pub(super) const HALF: &str = "Half Precision Floating-Point Intrinsics";
pub(super) const HARDWARE_LOOPS: &str = "Hardware-Loop Intrinsics";
pub(super) const LIBRARY: &str = "Standard C/C++ Library Intrinsics";
pub(super) const MARKERS: &str = "Memory Use Markers";
pub(super) const MASKED: &str = "Masked Vector Load and Store Intrinsics";
pub(super) const MATRIX: &str = "Matrix Intrinsics";
pub(super) const OBJC: &str = "Objective-C ARC Runtime Intrinsics";
pub(super) const OVERFLOW: &str = "Arithmetic with Overflow Intrinsics";
pub(super) const PARTIAL_REDUCTION: &str = "Vector Partial Reduction Intrinsics";
pub(super) const PREDICATION: &str = "Vector Predication Intrinsics";
pub(super) const PRESERVING: &str = "Preserving Debug Information Intrinsics";
pub(super) const REDUCTION: &str = "Vector Reduction Intrinsics";
pub(super) const SATURATION: &str = "Saturation Arithmetic Intrinsics";
pub(super) const SPECIALIZED: &str = "Specialized Arithmetic Intrinsics";
pub(super) const TRAMPOLINES: &str = "Trampoline Intrinsics";
pub(super) const UNDOCUMENTED: &str = "";
pub(super) const VARIABLE_ARGUMENTS: &str = "Variable Argument Handling Intrinsics";
pub(super) const VECTORS: &str = "Vector Manipulation Intrinsics";
