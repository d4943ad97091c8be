//! Entries of the semantics registry that the interpreter models: violating one makes the run UB or the value poison.
//! The matches are exhaustive, so a new entry requires a decision here.

use crate::compile::class::executes;
use backedge_ir::attr::{FlagAttr, IntAttr};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::attribute::{AttrKind, AttrPosition, TextAttr};
use backedge_ir::meaning::bundle::BundleTag;
use backedge_ir::meaning::metadata::{self, Carrier, OtherKind};
use backedge_ir::meaning::{Meaning, Modelled};
use backedge_ir::metadata::MdKind;

/// Whether violating an attribute at a position has its effect.
pub fn attribute(kind: AttrKind, place: AttrPosition) -> Modelled {
    match kind.meaning(place) {
        Meaning::Nothing => return Modelled::Yes,
        Meaning::Misplaced | Meaning::Unknown => return Modelled::No,
        Meaning::PoisonIfViolated
        | Meaning::UbIfViolated
        | Meaning::Permission
        | Meaning::Promise
        | Meaning::Agreed => {}
    }
    match kind {
        AttrKind::Flag(flag) => of_flag(flag),
        AttrKind::Int(IntAttr::Align | IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull)
        | AttrKind::Range
        | AttrKind::Text(TextAttr::NoFpClass) => Modelled::Yes,
        // The parser represents `uwtable(…)` as text.
        AttrKind::Text(TextAttr::UwTable) => Modelled::Yes,
        AttrKind::Int(IntAttr::AlignStack)
        | AttrKind::Type(_)
        | AttrKind::Memory
        | AttrKind::Text(
            TextAttr::AllocKind
            | TextAttr::AllocSize
            | TextAttr::Captures
            | TextAttr::DeadOnReturn
            | TextAttr::Initializes
            | TextAttr::Range
            | TextAttr::VScaleRange,
        )
        | AttrKind::String(_)
        | AttrKind::Unknown => Modelled::No,
    }
}

#[expect(clippy::too_many_lines, reason = "one line for each attribute")]
fn of_flag(flag: FlagAttr) -> Modelled {
    use FlagAttr as F;
    match flag {
        F::NoUndef | F::NonNull | F::Returned => Modelled::Yes,
        // No effect on semantics.
        F::AlwaysInline
        | F::Cold
        | F::Convergent
        | F::DisableSanitizerInstrumentation
        | F::FnRetThunkExtern
        | F::Hot
        | F::HybridPatchable
        | F::ImmArg
        | F::InlineHint
        | F::JumpTable
        | F::MinSize
        | F::NoCfCheck
        | F::NoDuplicate
        | F::NoImplicitFloat
        | F::NoInline
        | F::NoMerge
        | F::NoOutline
        | F::NoProfile
        | F::NoRedZone
        | F::NoSanitizeBounds
        | F::NoSanitizeCoverage
        | F::NonLazyBind
        | F::OptForFuzzing
        | F::OptDebug
        | F::OptSize
        | F::OptNone
        | F::SafeStack
        | F::SanitizeAddress
        | F::SanitizeAllocToken
        | F::SanitizeHwAddress
        | F::SanitizeMemTag
        | F::SanitizeMemory
        | F::SanitizeNumericalStability
        | F::SanitizeRealtime
        | F::SanitizeRealtimeBlocking
        | F::SanitizeThread
        | F::SanitizeType
        | F::ShadowCallStack
        | F::SkipProfile
        | F::SpeculativeLoadHardening
        | F::Ssp
        | F::SspReq
        | F::SspStrong
        | F::UwTable => Modelled::Yes,
        F::AllocAlign
        | F::AllocPtr
        | F::Builtin
        | F::CoroDestroyOnlyWhenComplete
        | F::CoroElideSafe
        | F::DeadOnUnwind
        | F::InReg
        | F::MustProgress
        | F::Naked
        | F::Nest
        | F::NoAlias
        | F::NoBuiltin
        | F::NoCallback
        | F::NoCreateUndefOrPoison
        | F::NoDivergenceSource
        | F::NoExt
        | F::NoFree
        | F::NoRecurse
        | F::NoReturn
        | F::NoSync
        | F::NoUnwind
        | F::NullPointerIsValid
        | F::PresplitCoroutine
        | F::ReadNone
        | F::ReadOnly
        | F::ReturnsTwice
        | F::SExt
        | F::Speculatable
        | F::StrictFp
        | F::SwiftAsync
        | F::SwiftError
        | F::SwiftSelf
        | F::WillReturn
        | F::Writable
        | F::WriteOnly
        | F::ZExt => Modelled::No,
    }
}

/// Whether violating metadata on such an instruction has its effect.
pub fn metadata(kind: &MdKind, carrier: Carrier) -> Modelled {
    match kind {
        MdKind::Range
        | MdKind::NonNull
        | MdKind::NoUndef
        | MdKind::Align
        | MdKind::Dereferenceable
        | MdKind::DereferenceableOrNull => match carrier {
            Carrier::Load => Modelled::Yes,
            Carrier::Call => Modelled::Yes,
            Carrier::Store | Carrier::Atomic | Carrier::Other | Carrier::Global => Modelled::No,
        },
        // `llvm.loop.mustprogress`; parallel accesses are covered by their groups.
        MdKind::Loop => Modelled::Yes,
        MdKind::Dbg
        | MdKind::DIAssignID
        | MdKind::Prof
        | MdKind::NonTemporal
        | MdKind::Unpredictable
        | MdKind::MakeImplicit
        | MdKind::Srcloc
        | MdKind::Callback
        | MdKind::Annotation
        | MdKind::NoSanitize => Modelled::Yes,
        MdKind::Tbaa
        | MdKind::TbaaStruct
        | MdKind::FpMath
        | MdKind::InvariantLoad
        | MdKind::InvariantGroup
        | MdKind::AliasScope
        | MdKind::NoAlias
        | MdKind::MemParallelLoopAccess
        | MdKind::AccessGroup
        | MdKind::Callees => Modelled::No,
        MdKind::Other(name) => match OtherKind::from_name(name) {
            Some(kind) => of_other(kind),
            None if metadata::is_known(&MdKind::Other(name.clone())) => Modelled::Yes,
            None => Modelled::No,
        },
    }
}

fn of_other(kind: OtherKind) -> Modelled {
    use OtherKind as K;
    match kind {
        K::AbsoluteSymbol
        | K::Captures
        | K::IrrLoop
        | K::FuncSanitize
        | K::KcfiType
        | K::Mmra
        | K::NoAliasAddrSpace
        | K::NoFpClass
        | K::NoFree
        | K::Type => Modelled::No,
        K::AllocToken
        | K::Associated
        | K::CalleeType
        | K::Callsite
        | K::CoroOutsideFrame
        | K::Exclude
        | K::HeapAllocSite
        | K::ImplicitRef
        | K::LoopClone
        | K::MemProf
        | K::PcSections
        | K::Preserve
        | K::SectionPrefix
        | K::StackProtector
        | K::VcallVisibility => Modelled::Yes,
    }
}

/// Whether an operand bundle has its effect, on `llvm.assume` or on another call.
pub fn bundle(tag: BundleTag, on_assume: bool) -> Modelled {
    use BundleTag as B;
    if !on_assume {
        return if tag.on_call() == Meaning::Nothing { Modelled::Yes } else { Modelled::No };
    }
    match tag {
        B::Align
        | B::Cold
        | B::Dereferenceable
        | B::DereferenceableOrNull
        | B::Ignore
        | B::NonNull
        | B::NoUndef => Modelled::Yes,
        B::ClangArcAttachedCall
        | B::ConvergenceCtrl
        | B::DeactivationSymbol
        | B::Deopt
        | B::Funclet
        | B::GcLive
        | B::GcTransition
        | B::Kcfi
        | B::Preallocated
        | B::PtrAuth
        | B::SeparateStorage => Modelled::No,
    }
}

/// Whether the interpreter executes an intrinsic.
pub fn intrinsic(which: Intrinsic) -> Modelled {
    if executes(which) { Modelled::Yes } else { Modelled::No }
}
