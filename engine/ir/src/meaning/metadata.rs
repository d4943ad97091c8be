//! The meanings of metadata attachments by carrier: LangRef, "Metadata", and the instructions that refer to it.
//!
//! [`MdKind`] has the kinds that several parts of the project interpret; [`OtherKind`] has the rest of LangRef's kinds
//! and of LLVM's fixed kinds. Any other kind may be dropped, but must not be added.

use super::Meaning;
use crate::body::Body;
use crate::entity::Inst;
use crate::inst::InstKind;
use crate::intrinsic::Intrinsic;
use crate::metadata::{MdKind, MdRef};
use crate::module::Env;

/// The carrier of an attachment.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Carrier {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic read-modify-write, a compare-and-exchange, or a fence.
    Atomic,
    /// A call or invoke.
    Call,
    /// Another instruction.
    Other,
    /// A function or a global variable.
    Global,
}

impl Carrier {
    /// All carriers.
    pub const ALL: [Self; 6] = [Self::Load, Self::Store, Self::Atomic, Self::Call, Self::Other, Self::Global];
    /// The carrier class of an instruction.
    pub fn of(kind: &InstKind) -> Self {
        #[expect(clippy::wildcard_enum_match_arm, reason = "all other instructions are alike here")]
        match kind {
            InstKind::Load(_) => Self::Load,
            InstKind::Store(_) => Self::Store,
            InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::Fence(..) => Self::Atomic,
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => Self::Call,
            _ => Self::Other,
        }
    }
}

macro_rules! other_kinds {
    ($($variant:ident = $text:literal,)*) => {
        /// Kinds that LangRef or LLVM name and that [`MdKind`] represents as [`MdKind::Other`].
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "each variant is named by its spelling, which LangRef documents")]
        pub enum OtherKind { $($variant,)* }

        impl OtherKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// LLVM's spelling.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
            /// The kind spelled `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

other_kinds! {
    AbsoluteSymbol = "absolute_symbol",
    AllocToken = "alloc_token",
    Associated = "associated",
    CalleeType = "callee_type",
    Callsite = "callsite",
    Captures = "captures",
    CoroOutsideFrame = "coro.outside.frame",
    Exclude = "exclude",
    FuncSanitize = "func_sanitize",
    HeapAllocSite = "heapallocsite",
    ImplicitRef = "implicit.ref",
    IrrLoop = "irr_loop",
    KcfiType = "kcfi_type",
    LoopClone = "loop_constrainer.loop.clone",
    MemProf = "memprof",
    Mmra = "mmra",
    NoAliasAddrSpace = "noalias.addrspace",
    NoFpClass = "nofpclass",
    NoFree = "nofree",
    PcSections = "pcsections",
    Preserve = "preserve.access.index",
    SectionPrefix = "section_prefix",
    StackProtector = "stack-protector",
    Type = "type",
    VcallVisibility = "vcall_visibility",
}

/// Whether LangRef or LLVM names the kind.
pub fn is_known(kind: &MdKind) -> bool {
    if let MdKind::Other(name) = kind { is_own(name) || OtherKind::from_name(name).is_some() } else { true }
}

/// Whether the name is a marker that an LLVM pass leaves for its own use.
fn is_own(name: &str) -> bool {
    name.starts_with("irce.")
}

/// The meaning of an attachment.
pub fn meaning(kind: &MdKind, carrier: Carrier) -> Meaning {
    match kind {
        MdKind::Other(name) if is_own(name) => Meaning::Nothing,
        MdKind::Other(name) => OtherKind::from_name(name).map_or(Meaning::Unknown, OtherKind::meaning),
        // The promise is about a value, which only loads and calls have; elsewhere the verifier rejects it.
        MdKind::Range | MdKind::NoUndef | MdKind::NonNull | MdKind::Align
            if !matches!(carrier, Carrier::Load | Carrier::Call) =>
        {
            Meaning::Misplaced
        }
        MdKind::Range | MdKind::NonNull | MdKind::Align => Meaning::PoisonIfViolated,
        MdKind::NoUndef | MdKind::Dereferenceable | MdKind::DereferenceableOrNull => Meaning::UbIfViolated,
        MdKind::Tbaa
        | MdKind::TbaaStruct
        | MdKind::InvariantLoad
        | MdKind::InvariantGroup
        | MdKind::AliasScope
        | MdKind::NoAlias
        | MdKind::MemParallelLoopAccess
        | MdKind::AccessGroup
        | MdKind::Callees => Meaning::UbIfViolated,
        MdKind::FpMath => Meaning::Permission,
        // `llvm.loop.mustprogress` and `llvm.loop.parallel_accesses` are promises; all other options are advice.
        MdKind::Loop => Meaning::Promise,
        MdKind::Dbg
        | MdKind::DIAssignID
        | MdKind::Prof
        | MdKind::NonTemporal
        | MdKind::Unpredictable
        | MdKind::MakeImplicit
        | MdKind::Srcloc
        | MdKind::Callback
        | MdKind::Annotation
        | MdKind::NoSanitize => Meaning::Nothing,
    }
}

/// Whether a copy, load or store has a `!tbaa.struct` whose fields may not cover all accessed bytes. LangRef: the
/// uncovered bytes do not carry useful data and need not be preserved. Also true if the node is malformed or the length
/// is not constant.
pub fn may_skip_bytes(env: &Env, body: &Body, inst: Inst) -> bool {
    use Intrinsic as I;
    let data = body.inst(inst);
    let Some(attached) = data.metadata_of(&MdKind::TbaaStruct) else { return false };
    let len = if let Some(call) = data.call() {
        let which = body.called_function(call.callee()).and_then(|func| env.funcs[func].intrinsic);
        let copies = matches!(
            which,
            Some(I::Memcpy | I::MemcpyInline | I::Memmove | I::MemcpyElementAtomic | I::MemmoveElementAtomic)
        );
        if !copies {
            return false;
        }
        call.args().get(2).and_then(|len| body.as_int(*len)?.to_u64())
    } else if matches!(data.kind, InstKind::Load(_)) {
        env.layout.store_bytes(&env.types, data.ty)
    } else if matches!(data.kind, InstKind::Store(_)) {
        env.layout.store_bytes(&env.types, body.ty(data.operands[0]))
    } else {
        return false;
    };
    match (attached, len) {
        (MdRef::Node(node), Some(len)) => !env.metadata.fields_cover(*node, &env.consts, len),
        (MdRef::Node(_), None) | (MdRef::Const(_), _) => true,
    }
}

/// The meaning of an option in the operand of `!llvm.loop`, or of another string that LangRef defines there.
pub fn loop_option(name: &str) -> Meaning {
    match name {
        "llvm.loop.mustprogress" => Meaning::Promise,
        "llvm.loop.parallel_accesses" => Meaning::UbIfViolated,
        name if name.starts_with("llvm.loop.") || name.starts_with("llvm.licm.") => Meaning::Nothing,
        _ => Meaning::Unknown,
    }
}

/// The LangRef section on a kind; empty if there is none.
pub fn section(kind: &MdKind) -> &'static str {
    match kind {
        MdKind::Tbaa => "'``tbaa``' Metadata",
        MdKind::TbaaStruct => "'``tbaa.struct``' Metadata",
        MdKind::NoAlias | MdKind::AliasScope => "'``noalias``' and '``alias.scope``' Metadata",
        MdKind::FpMath => "'``fpmath``' Metadata",
        MdKind::Range => "'``range``' Metadata",
        MdKind::Callees => "'``callees``' Metadata",
        MdKind::Callback => "'``callback``' Metadata",
        MdKind::Unpredictable => "'``unpredictable``' Metadata",
        MdKind::Dereferenceable => "'``dereferenceable``' Metadata",
        MdKind::DereferenceableOrNull => "'``dereferenceable_or_null``' Metadata",
        MdKind::InvariantGroup => "'``invariant.group``' Metadata",
        MdKind::Prof => "'``prof``' Metadata",
        MdKind::Annotation => "'``annotation``' Metadata",
        MdKind::Srcloc => "Inline Asm Metadata",
        MdKind::InvariantLoad | MdKind::NonTemporal | MdKind::NonNull | MdKind::NoUndef | MdKind::Align => {
            "'``load``' Instruction"
        }
        MdKind::Dbg
        | MdKind::DIAssignID
        | MdKind::MemParallelLoopAccess
        | MdKind::AccessGroup
        | MdKind::Loop
        | MdKind::MakeImplicit
        | MdKind::NoSanitize => "",
        MdKind::Other(name) => OtherKind::from_name(name).map_or("", OtherKind::section),
    }
}

impl OtherKind {
    /// The meaning of the kind.
    pub fn meaning(self) -> Meaning {
        match self {
            Self::Captures | Self::IrrLoop | Self::NoAliasAddrSpace | Self::NoFree => Meaning::UbIfViolated,
            Self::NoFpClass => Meaning::PoisonIfViolated,
            // It relaxes the ordering that the memory model requires with respect to other threads.
            Self::Mmra => Meaning::Permission,
            // `llvm.type.test` reads `!type`. Callers read the prefix data that the other two place before a function.
            Self::AbsoluteSymbol | Self::FuncSanitize | Self::KcfiType | Self::Type => Meaning::Agreed,
            Self::AllocToken
            | Self::Associated
            | Self::CalleeType
            | Self::Callsite
            | Self::CoroOutsideFrame
            | Self::Exclude
            | Self::HeapAllocSite
            | Self::ImplicitRef
            | Self::LoopClone
            | Self::MemProf
            | Self::PcSections
            | Self::Preserve
            | Self::SectionPrefix
            | Self::StackProtector
            | Self::VcallVisibility => Meaning::Nothing,
        }
    }
    /// The LangRef section on the kind; empty if there is none.
    pub fn section(self) -> &'static str {
        match self {
            Self::AbsoluteSymbol => "'``absolute_symbol``' Metadata",
            Self::AllocToken => "'``alloc_token``' Metadata",
            Self::Associated => "'``associated``' Metadata",
            Self::CalleeType => "'``callee_type``' Metadata",
            Self::Callsite => "'``callsite``' Metadata",
            Self::Captures => "'``captures``' Metadata",
            Self::Exclude => "'``exclude``' Metadata",
            Self::FuncSanitize => "'``func_sanitize``' Metadata",
            Self::ImplicitRef => "'``implicit.ref``' Metadata",
            Self::IrrLoop => "'``irr_loop``' Metadata",
            Self::KcfiType => "'``kcfi_type``' Metadata",
            Self::MemProf => "'``memprof``' Metadata",
            Self::Mmra => "'``mmra``' Metadata",
            Self::NoAliasAddrSpace => "'``noalias.addrspace``' Metadata",
            Self::NoFpClass => "'``load``' Instruction",
            Self::NoFree => "'``nofree``' Metadata",
            Self::PcSections => "'``pcsections``' Metadata",
            Self::StackProtector => "'``stack-protector``' Metadata",
            Self::Type => "'``type``' Metadata",
            Self::CoroOutsideFrame
            | Self::HeapAllocSite
            | Self::LoopClone
            | Self::Preserve
            | Self::SectionPrefix
            | Self::VcallVisibility => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::may_skip_bytes;
    use crate::parse::parse_module;

    #[test]
    fn fields_of_a_copy_may_leave_bytes_out() {
        let copy = "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64";
        let lines = [
            (format!("{copy} 8, i1 false)"), false),
            (format!("{copy} 8, i1 false), !tbaa.struct !0"), false),
            (format!("{copy} 4, i1 false), !tbaa.struct !0"), false),
            (format!("{copy} 9, i1 false), !tbaa.struct !0"), true),
            (format!("{copy} %n, i1 false), !tbaa.struct !0"), true),
            (format!("{copy} 12, i1 false), !tbaa.struct !1"), true),
            (format!("{copy} 4, i1 false), !tbaa.struct !1"), false),
            (format!("{copy} 4, i1 false), !tbaa.struct !2"), true),
            (format!("{copy} 4, i1 false), !tbaa.struct !3"), true),
            ("store i64 %n, ptr %p, !tbaa.struct !0".to_owned(), false),
            ("store i64 %n, ptr %p, !tbaa.struct !1".to_owned(), true),
            ("%v = load i32, ptr %p, !tbaa.struct !1".to_owned(), false),
            ("%w = load i64, ptr %p, !tbaa.struct !1".to_owned(), true),
            ("call void @g(ptr %p), !tbaa.struct !1".to_owned(), false),
        ];
        let code: Vec<&str> = lines.iter().map(|(line, _)| &**line).collect();
        let text = format!(
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @g(ptr)\n\
             define void @f(ptr %p, ptr %q, i64 %n) {{\n{}\nret void\n}}\n\
             !0 = !{{i64 4, i64 4, !4, i64 0, i64 4, !4}}\n!1 = !{{i64 0, i64 4, !4, i64 8, i64 4, !4}}\n\
             !2 = !{{i64 0, i64 4}}\n!3 = !{{}}\n!4 = !{{!5, !5, i64 0}}\n\
             !5 = !{{!\"int\", !6}}\n!6 = !{{!\"root\"}}\n",
            code.join("\n")
        );
        let module = parse_module(text.as_bytes()).expect("a module").module;
        let body = module.env.func_named("f").and_then(|func| module.body(func)).expect("a body");
        let found: Vec<bool> = body.all_insts().map(|inst| may_skip_bytes(&module.env, body, inst)).collect();
        let expected: Vec<bool> = lines.iter().map(|(_, expected)| *expected).chain([false]).collect();
        assert_eq!(found, expected);
    }
}
