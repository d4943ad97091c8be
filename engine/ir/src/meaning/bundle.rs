//! The meanings of operand bundles: LangRef, "Operand Bundles" and its subsections.

use super::Meaning;
use crate::types::{Type, TypeKind};

macro_rules! bundle_tags {
    ($($variant:ident = $text:literal,)*) => {
        /// The tag of an operand bundle, under LLVM's names.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "each variant is named by its spelling, which LangRef documents")]
        pub enum BundleTag { $($variant,)* }

        impl BundleTag {
            /// All tags.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// LLVM's spelling.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
            /// The tag spelled `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

bundle_tags! {
    Align = "align",
    ClangArcAttachedCall = "clang.arc.attachedcall",
    Cold = "cold",
    ConvergenceCtrl = "convergencectrl",
    DeactivationSymbol = "deactivation-symbol",
    Deopt = "deopt",
    Dereferenceable = "dereferenceable",
    DereferenceableOrNull = "dereferenceable_or_null",
    Funclet = "funclet",
    GcLive = "gc-live",
    GcTransition = "gc-transition",
    Ignore = "ignore",
    Kcfi = "kcfi",
    NonNull = "nonnull",
    NoUndef = "noundef",
    Preallocated = "preallocated",
    PtrAuth = "ptrauth",
    SeparateStorage = "separate_storage",
}

impl BundleTag {
    /// The meaning of the bundle on `llvm.assume`.
    pub fn on_assume(self) -> Meaning {
        match self {
            Self::Cold | Self::Ignore => Meaning::Nothing,
            Self::Align
            | Self::Dereferenceable
            | Self::DereferenceableOrNull
            | Self::NonNull
            | Self::NoUndef
            | Self::SeparateStorage => Meaning::UbIfViolated,
            Self::ClangArcAttachedCall
            | Self::ConvergenceCtrl
            | Self::DeactivationSymbol
            | Self::Deopt
            | Self::Funclet
            | Self::GcLive
            | Self::GcTransition
            | Self::Kcfi
            | Self::Preallocated
            | Self::PtrAuth => Meaning::Misplaced,
        }
    }
    /// Whether LangRef defines the bundle on `llvm.assume` with operands of these types. Numbers wider than addresses
    /// are excluded.
    pub fn takes(self, operands: &[Type]) -> bool {
        let is_pointer = |ty: &Type| ty.ptr_space() == Some(0);
        let is_number = |ty: &Type| matches!(ty.kind(), TypeKind::Int(1..=64));
        match self {
            Self::Cold | Self::Ignore => true,
            Self::NoUndef => matches!(operands, [_]),
            Self::NonNull => matches!(operands, [pointer] if is_pointer(pointer)),
            Self::Align => match operands {
                [pointer, numbers @ ..] => {
                    is_pointer(pointer) && matches!(numbers.len(), 1 | 2) && numbers.iter().all(is_number)
                }
                [] => false,
            },
            Self::Dereferenceable | Self::DereferenceableOrNull => {
                matches!(operands, [pointer, bytes] if is_pointer(pointer) && is_number(bytes))
            }
            Self::ClangArcAttachedCall
            | Self::ConvergenceCtrl
            | Self::DeactivationSymbol
            | Self::Deopt
            | Self::Funclet
            | Self::GcLive
            | Self::GcTransition
            | Self::Kcfi
            | Self::Preallocated
            | Self::PtrAuth
            | Self::SeparateStorage => false,
        }
    }
    /// The meaning of the bundle on any other call: caller and callee agree on the state that it passes, or on how the
    /// call is made. The tags of assumptions are unknown on such calls.
    pub fn on_call(self) -> Meaning {
        match self {
            Self::ClangArcAttachedCall
            | Self::DeactivationSymbol
            | Self::Deopt
            | Self::Funclet
            | Self::GcLive
            | Self::GcTransition
            | Self::Kcfi
            | Self::Preallocated
            | Self::PtrAuth => Meaning::Agreed,
            // Convergence is not modelled; a single thread can't observe the token.
            Self::ConvergenceCtrl => Meaning::Nothing,
            Self::Align
            | Self::Cold
            | Self::Dereferenceable
            | Self::DereferenceableOrNull
            | Self::Ignore
            | Self::NonNull
            | Self::NoUndef
            | Self::SeparateStorage => Meaning::Unknown,
        }
    }
    /// The LangRef section that defines the bundle.
    pub fn section(self) -> &'static str {
        match self {
            Self::Deopt => "Deoptimization Operand Bundles",
            Self::Funclet => "Funclet Operand Bundles",
            Self::GcTransition => "GC Transition Operand Bundles",
            Self::Preallocated => "Preallocated Operand Bundles",
            Self::GcLive => "GC Live Operand Bundles",
            Self::ClangArcAttachedCall => "ObjC ARC Attached Call Operand Bundles",
            Self::PtrAuth => "Pointer Authentication Operand Bundles",
            Self::Kcfi => "KCFI Operand Bundles",
            Self::ConvergenceCtrl => "Convergence Control Operand Bundles",
            Self::DeactivationSymbol => "Deactivation Symbol Operand Bundles",
            Self::Align
            | Self::Cold
            | Self::Dereferenceable
            | Self::DereferenceableOrNull
            | Self::Ignore
            | Self::NonNull
            | Self::NoUndef
            | Self::SeparateStorage => "Assume Operand Bundles",
        }
    }
}

/// The meaning of a bundle with this tag, on `llvm.assume` or on another call.
pub fn meaning(tag: &str, on_assume: bool) -> Meaning {
    match BundleTag::from_name(tag) {
        Some(tag) if on_assume => tag.on_assume(),
        Some(tag) => tag.on_call(),
        None => Meaning::Unknown,
    }
}
