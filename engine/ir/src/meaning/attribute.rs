//! The meanings of attributes by position: LangRef, "Parameter Attributes", "Function Attributes" and "Call Site
//! Attributes". The rows are exhaustive matches; string attributes have a list of known keys.

use super::Meaning;
use crate::attr::{Attr, FlagAttr, IntAttr, TypeAttr};

/// The function header or call that carries a list of attributes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Carrier {
    /// A function with a body.
    Definition,
    /// A function without a body.
    Declaration,
    /// A call of a function.
    Call,
    /// A call of an intrinsic.
    IntrinsicCall,
}

/// The entity that an attribute describes within a function or call.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    /// The function or call itself.
    Function,
    /// Its result.
    Result,
    /// A parameter or argument.
    Parameter,
}

/// A position at which attributes may appear.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AttrPosition {
    /// The header or call that carries the list.
    pub carrier: Carrier,
    /// The entity that the list describes.
    pub slot: Slot,
}

impl AttrPosition {
    /// All positions.
    pub fn all() -> impl Iterator<Item = Self> {
        let carriers = [Carrier::Definition, Carrier::Declaration, Carrier::Call, Carrier::IntrinsicCall];
        let slots = [Slot::Function, Slot::Result, Slot::Parameter];
        carriers.into_iter().flat_map(move |carrier| slots.map(|slot| Self { carrier, slot }))
    }
}

/// Attributes that [`Attr::Text`] keeps as spelled, and `captures(none)`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TextAttr {
    /// `allockind("…")`.
    AllocKind,
    /// `allocsize(…)`.
    AllocSize,
    /// `captures(…)`.
    Captures,
    /// `dead_on_return`, with or without a number of bytes.
    DeadOnReturn,
    /// `initializes((…))`.
    Initializes,
    /// `nofpclass(…)`.
    NoFpClass,
    /// `range(…)` of integers that are too wide for [`Attr::Range`].
    Range,
    /// `uwtable(sync)` and the like.
    UwTable,
    /// `vscale_range(…)`.
    VScaleRange,
}

impl TextAttr {
    /// All text attributes.
    pub const ALL: [Self; 9] = [
        Self::AllocKind,
        Self::AllocSize,
        Self::Captures,
        Self::DeadOnReturn,
        Self::Initializes,
        Self::NoFpClass,
        Self::Range,
        Self::UwTable,
        Self::VScaleRange,
    ];
    /// LLVM's spelling, without operands.
    pub fn name(self) -> &'static str {
        match self {
            Self::AllocKind => "allockind",
            Self::AllocSize => "allocsize",
            Self::Captures => "captures",
            Self::DeadOnReturn => "dead_on_return",
            Self::Initializes => "initializes",
            Self::NoFpClass => "nofpclass",
            Self::Range => "range",
            Self::UwTable => "uwtable",
            Self::VScaleRange => "vscale_range",
        }
    }
    /// The attribute that `text` spells: a name, and operands in parentheses.
    pub fn of_text(text: &str) -> Option<Self> {
        let name = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        Self::ALL.into_iter().find(|attr| attr.name() == name)
    }
}

/// An attribute without its operands.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AttrKind {
    /// An attribute without operand.
    Flag(FlagAttr),
    /// An attribute with a number.
    Int(IntAttr),
    /// An attribute with a type.
    Type(TypeAttr),
    /// `range(…)`.
    Range,
    /// `memory(…)`.
    Memory,
    /// An attribute that is kept as spelled, including `captures(none)`.
    Text(TextAttr),
    /// A string attribute with a known key.
    String(StringAttr),
    /// A string attribute with an unknown key, or a text that is not a [`TextAttr`].
    Unknown,
}

impl AttrKind {
    /// The kind of an attribute.
    pub fn of(attr: &Attr) -> Self {
        match attr {
            Attr::Flag(flag) => Self::Flag(*flag),
            Attr::Int(attr, _) => Self::Int(*attr),
            Attr::Type(attr, _) => Self::Type(*attr),
            Attr::Range(..) => Self::Range,
            Attr::Memory(_) => Self::Memory,
            Attr::NoCapture => Self::Text(TextAttr::Captures),
            Attr::Text(text) => TextAttr::of_text(text).map_or(Self::Unknown, Self::Text),
            Attr::String(key, _) => StringAttr::of_key(key).map_or(Self::Unknown, Self::String),
        }
    }
    /// All kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        let ints =
            [IntAttr::Align, IntAttr::AlignStack, IntAttr::Dereferenceable, IntAttr::DereferenceableOrNull];
        let flags = FlagAttr::ALL.iter().map(|flag| Self::Flag(*flag));
        flags
            .chain(ints.map(Self::Int))
            .chain(TypeAttr::ALL.map(Self::Type))
            .chain(TextAttr::ALL.map(Self::Text))
            .chain(StringAttr::all().map(Self::String))
            .chain([Self::Range, Self::Memory])
    }
    /// The kind spelled `name`; string attributes include their quotes.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.strip_prefix('"').and_then(|n| n.strip_suffix('"')) {
            Some(key) => StringAttr::of_key(key).map(Self::String),
            None => Self::all().find(|kind| !matches!(kind, Self::String(_)) && kind.name() == name),
        }
    }
    /// LLVM's spelling; the key of a string attribute.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flag(flag) => flag.name(),
            Self::Int(attr) => attr.name(),
            Self::Type(attr) => attr.name(),
            Self::Range => "range",
            Self::Memory => "memory",
            Self::Text(attr) => attr.name(),
            Self::String(attr) => attr.key(),
            Self::Unknown => "unknown",
        }
    }
    /// Whether the attribute of a parameter or result restricts which values it may have. Such a restriction holds for
    /// values alone: it says nothing about what a function does.
    pub fn constrains_values(self) -> bool {
        matches!(
            self,
            Self::Flag(FlagAttr::NoUndef | FlagAttr::NonNull | FlagAttr::Returned)
                | Self::Int(IntAttr::Align | IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull)
                | Self::Range
                | Self::Text(TextAttr::Range | TextAttr::NoFpClass)
        )
    }
    /// The meaning of the attribute at a position.
    pub fn meaning(self, place: AttrPosition) -> Meaning {
        self.row().at(place)
    }
    /// The LangRef section that defines the attribute.
    pub fn section(self) -> &'static str {
        self.row().section
    }
    fn row(self) -> Row {
        match self {
            Self::Flag(flag) => flag_row(flag),
            Self::Int(IntAttr::Align) => on_values(Meaning::PoisonIfViolated),
            Self::Int(IntAttr::AlignStack) => {
                Row { result: Meaning::Misplaced, ..anywhere(Meaning::Agreed, FUNCTION) }
            }
            Self::Int(IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull) => {
                on_values(Meaning::UbIfViolated)
            }
            Self::Type(attr) => type_row(attr),
            Self::Range | Self::Text(TextAttr::Range | TextAttr::NoFpClass) => {
                on_values(Meaning::PoisonIfViolated)
            }
            Self::Memory => on_functions(Meaning::Promise),
            Self::Text(TextAttr::AllocKind | TextAttr::AllocSize) => on_functions(Meaning::Promise),
            // It bounds the sizes of scalable types.
            Self::Text(TextAttr::VScaleRange) => on_functions(Meaning::Promise),
            Self::Text(TextAttr::UwTable) => on_functions(Meaning::Nothing),
            Self::Text(TextAttr::Captures | TextAttr::Initializes) => on_parameters(Meaning::UbIfViolated),
            // Memory written through the pointer is poison after the return, so the caller observes less.
            Self::Text(TextAttr::DeadOnReturn) => on_parameters(Meaning::Permission),
            Self::String(attr) => anywhere(attr.meaning(), FUNCTION),
            Self::Unknown => anywhere(Meaning::Unknown, FUNCTION),
        }
    }
}

/// The meaning of an attribute at a position.
pub fn meaning(attr: &Attr, place: AttrPosition) -> Meaning {
    AttrKind::of(attr).meaning(place)
}

const PARAMETER: &str = "Parameter Attributes";
const FUNCTION: &str = "Function Attributes";

/// The meanings of one attribute.
#[derive(Copy, Clone, Debug)]
struct Row {
    function: Meaning,
    result: Meaning,
    parameter: Meaning,
    /// Whether only calls may carry the attribute.
    calls_alone: bool,
    section: &'static str,
}

impl Row {
    fn at(self, place: AttrPosition) -> Meaning {
        let at_call = matches!(place.carrier, Carrier::Call | Carrier::IntrinsicCall);
        match place.slot {
            _ if self.calls_alone && !at_call => Meaning::Misplaced,
            Slot::Function => self.function,
            Slot::Result => self.result,
            Slot::Parameter => self.parameter,
        }
    }
}

const fn anywhere(meaning: Meaning, section: &'static str) -> Row {
    Row { function: meaning, result: meaning, parameter: meaning, calls_alone: false, section }
}
const fn on_functions(meaning: Meaning) -> Row {
    Row { function: meaning, ..anywhere(Meaning::Misplaced, FUNCTION) }
}
const fn on_parameters(meaning: Meaning) -> Row {
    Row { parameter: meaning, ..anywhere(Meaning::Misplaced, PARAMETER) }
}
const fn on_values(meaning: Meaning) -> Row {
    Row { result: meaning, ..on_parameters(meaning) }
}

fn type_row(attr: TypeAttr) -> Row {
    match attr {
        TypeAttr::ByVal | TypeAttr::SRet | TypeAttr::ByRef | TypeAttr::ElementType | TypeAttr::InAlloca => {
            on_parameters(Meaning::Agreed)
        }
        TypeAttr::Preallocated => Row { function: Meaning::Agreed, ..on_parameters(Meaning::Agreed) },
    }
}

fn flag_row(flag: FlagAttr) -> Row {
    use FlagAttr as F;
    match flag {
        // Values.
        F::NoUndef => on_values(Meaning::UbIfViolated),
        F::NonNull => on_values(Meaning::PoisonIfViolated),
        F::Returned => on_parameters(Meaning::UbIfViolated),
        F::NoAlias => Row { result: Meaning::Promise, ..on_parameters(Meaning::UbIfViolated) },
        F::NoFree => Row { parameter: Meaning::UbIfViolated, ..on_functions(Meaning::Promise) },
        F::ReadNone | F::ReadOnly | F::WriteOnly => {
            Row { function: Meaning::Promise, ..on_parameters(Meaning::UbIfViolated) }
        }
        // The attribute permits stores within the dereferenceable memory; if that memory is not writable, it is
        // violated.
        F::Writable => on_parameters(Meaning::UbIfViolated),
        F::DeadOnUnwind => on_parameters(Meaning::Permission),
        F::AllocAlign | F::AllocPtr => on_parameters(Meaning::Promise),
        F::InReg | F::SExt | F::ZExt | F::NoExt => on_values(Meaning::Agreed),
        F::Nest | F::SwiftAsync | F::SwiftError | F::SwiftSelf => on_parameters(Meaning::Agreed),
        // The verifier checks the operand.
        F::ImmArg => on_parameters(Meaning::Nothing),
        // Functions and calls.
        F::Builtin => Row { calls_alone: true, ..on_functions(Meaning::Promise) },
        F::NoBuiltin | F::Naked | F::StrictFp | F::NullPointerIsValid | F::ReturnsTwice => {
            on_functions(Meaning::Agreed)
        }
        F::MustProgress
        | F::WillReturn
        | F::NoReturn
        | F::NoUnwind
        | F::NoSync
        | F::NoRecurse
        | F::NoCallback
        | F::NoCreateUndefOrPoison
        | F::NoDivergenceSource
        | F::Speculatable
        | F::CoroDestroyOnlyWhenComplete
        | F::CoroElideSafe
        | F::PresplitCoroutine => on_functions(Meaning::Promise),
        F::AlwaysInline
        | F::Cold
        | F::Convergent
        | F::DisableSanitizerInstrumentation
        | F::FnRetThunkExtern
        | F::Hot
        | F::HybridPatchable
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
        | F::UwTable => on_functions(Meaning::Nothing),
    }
}

/// A string attribute with a known key: an index into the table of keys.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StringAttr(u8);

impl StringAttr {
    /// The attribute with a key.
    pub fn of_key(key: &str) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "the list has fewer than 256 entries")]
        STRINGS.iter().position(|(known, _)| *known == key).map(|at| Self(at as u8))
    }
    /// All string attributes with known keys.
    pub fn all() -> impl Iterator<Item = Self> {
        STRINGS.iter().filter_map(|(key, _)| Self::of_key(key))
    }
    /// The key, without quotes.
    pub fn key(self) -> &'static str {
        STRINGS[usize::from(self.0)].0
    }
    /// The meaning, the same at all positions.
    pub fn meaning(self) -> Meaning {
        STRINGS[usize::from(self.0)].1
    }
}

/// Keys of string attributes: those in LangRef, and those that clang emits for all targets.
const STRINGS: [(&str, Meaning); 72] = {
    use Meaning::{Agreed, Nothing, Promise};
    [
        ("alloc-family", Promise),
        ("alloc-variant-zeroed", Promise),
        ("approx-func-fp-math", Agreed),
        ("denormal-fp-math", Agreed),
        ("denormal-fp-math-f32", Agreed),
        ("no-builtins", Agreed),
        ("no-infs-fp-math", Agreed),
        ("no-nans-fp-math", Agreed),
        ("no-signed-zeros-fp-math", Agreed),
        ("unsafe-fp-math", Agreed),
        // The body forwards arguments of unknown types.
        ("thunk", Agreed),
        // A vector version may replace calls.
        ("vector-function-abi-variant", Promise),
        // The callee handles only the named aspects of the format.
        ("modular-format", Promise),
        ("async-unwind-tables", Nothing),
        ("bpf-preserve-access-index", Nothing),
        ("branch-target-enforcement", Nothing),
        ("cf-protection-branch", Nothing),
        ("correctly-rounded-divide-sqrt-fp-math", Nothing),
        ("darwin-stkchk-strong-link", Nothing),
        ("disable-tail-calls", Nothing),
        ("dontcall-error", Nothing),
        ("dontcall-warn", Nothing),
        ("enable-split-stack", Nothing),
        ("fentry-call", Nothing),
        ("fp-contract-model", Nothing),
        ("frame-pointer", Nothing),
        ("function_entry_count", Nothing),
        ("function-inline-cost", Nothing),
        ("function-inline-cost-multiplier", Nothing),
        ("guard_nocf", Nothing),
        ("implicit-section-name", Nothing),
        ("indirect-tls-seg-refs", Nothing),
        ("inline-remark", Nothing),
        ("instrument-function-entry", Nothing),
        ("instrument-function-exit", Nothing),
        ("less-precise-fpmad", Nothing),
        ("loader-replaceable", Nothing),
        ("min-legal-vector-width", Nothing),
        ("mrecord-mcount", Nothing),
        ("no-frame-pointer-elim", Nothing),
        ("no-frame-pointer-elim-non-leaf", Nothing),
        ("no-inline-line-tables", Nothing),
        ("no-jump-tables", Nothing),
        ("no-realign-stack", Nothing),
        ("no-stack-arg-probe", Nothing),
        ("no-trapping-math", Nothing),
        ("nooutline", Nothing),
        ("noimplicitfloat", Nothing),
        ("patchable-function", Nothing),
        ("patchable-function-entry", Nothing),
        ("patchable-function-prefix", Nothing),
        ("prefer-vector-width", Nothing),
        ("probe-stack", Nothing),
        ("profile-sample-accurate", Nothing),
        ("realign-stack", Nothing),
        ("reciprocal-estimates", Nothing),
        ("relocation-model", Nothing),
        ("sample-profile-suffix-elision-policy", Nothing),
        ("save-reg-params", Nothing),
        ("sign-return-address", Nothing),
        ("sign-return-address-key", Nothing),
        ("split-stack", Nothing),
        ("ssp-buffers-size", Nothing),
        ("stack-probe-size", Nothing),
        ("stack-protector-buffer-size", Nothing),
        ("stackrealign", Nothing),
        ("target-cpu", Nothing),
        ("target-features", Nothing),
        ("tune-cpu", Nothing),
        ("use-soft-float", Nothing),
        ("warn-stack-size", Nothing),
        ("zero-call-used-regs", Nothing),
    ]
};
