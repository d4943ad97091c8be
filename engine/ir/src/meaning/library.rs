//! C and C++ library functions: which calls refer to them, and which functions LLVM recognizes.
//!
//! The name alone is not sufficient. As in LLVM's `TargetLibraryInfo`, a call refers to a library function only if the
//! function is an external declaration of the expected type, neither the call (`nobuiltin`) nor the caller
//! (`"no-builtins"`, `"no-builtin-NAME"`) forbids it, and the target has a C library. The engines define the semantics
//! of the functions; an engine that does not model a function must name it and make its verdict inconclusive.

mod names;
mod target;

use self::target::Presence;
use crate::attr::{Attr, AttrList, FlagAttr};
use crate::body::Body;
use crate::entity::{FuncId, Inst};
use crate::metadata::{MODULE_FLAGS, MdOperand};
use crate::module::{Code, Env, Linkage, Module};
use crate::types::Type;

macro_rules! library {
    ($($(#[$doc:meta])* $variant:ident: $($name:literal $types:literal),+;)*) => {
        /// A library function with known behavior. Names with the same behavior share an entry.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum Library { $($(#[$doc])* $variant,)* }

        /// Name, type and function. A type is a string with a letter for the result and one for each parameter: `p` a
        /// pointer, `i` an `int`, `l` an integer of at least 32 bits, `L` an integer of 64 bits, `z` a `size_t`, `v`
        /// void, `.` varargs.
        const TABLE: &[(&str, &str, Library)] = &[$($(($name, $types, Library::$variant),)+)*];
    };
}

library! {
    /// The absolute value; undefined for the minimum value.
    Abs: "abs" "ii", "labs" "ll", "llabs" "LL";
    /// The one-based index of the lowest set bit; 0 if there is none.
    Ffs: "ffs" "ii", "ffsl" "il", "ffsll" "iL";
    /// Whether a character is a decimal digit.
    IsDigit: "isdigit" "ii";
    /// Whether a number is less than 128.
    IsAscii: "isascii" "ii";
    /// The low seven bits.
    ToAscii: "toascii" "ii";
    /// The number of bytes before the first zero.
    StrLen: "strlen" "zp";
    /// The number of bytes before the first zero, at most a limit.
    StrNLen: "strnlen" "zpz";
    /// The number of four-byte characters before the first zero.
    WcsLen4: "wcslen" "zp";
    /// The number of two-byte characters before the first zero.
    WcsLen2: "wcslen" "zp";
    /// Comparison of bytes.
    MemCmp: "memcmp" "ippz";
    /// Comparison of bytes for equality only.
    Bcmp: "bcmp" "ippz";
    /// Comparison of strings.
    StrCmp: "strcmp" "ipp";
    /// Comparison of the first bytes of strings.
    StrNCmp: "strncmp" "ippz";
    /// The first occurrence of a character in a string.
    StrChr: "strchr" "ppi";
    /// The last occurrence of a character in a string.
    StrRChr: "strrchr" "ppi";
    /// The first occurrence of a byte in memory.
    MemChr: "memchr" "ppiz";
    /// Copies bytes between disjoint ranges.
    MemCpy: "memcpy" "pppz";
    /// Copies bytes between disjoint ranges; returns the end of the destination.
    MemPCpy: "mempcpy" "pppz";
    /// Copies bytes between possibly overlapping ranges.
    MemMove: "memmove" "pppz";
    /// Fills bytes.
    MemSet: "memset" "ppiz";
    /// Fills bytes with zeros.
    Bzero: "bzero" "vpz";
    /// Copies a string.
    StrCpy: "strcpy" "ppp";
    /// Copies a string; returns the end of the destination.
    StpCpy: "stpcpy" "ppp";
    /// Appends a string to another.
    StrCat: "strcat" "ppp";
    /// Allocates memory; returns null on failure.
    Malloc: "malloc" "pz", "_ZnwmRKSt9nothrow_t" "pzp", "_ZnamRKSt9nothrow_t" "pzp", "_ZnwjRKSt9nothrow_t" "pzp",
        "_ZnajRKSt9nothrow_t" "pzp";
    /// Allocates zeroed memory; returns null on failure.
    Calloc: "calloc" "pzz";
    /// Allocates aligned memory; returns null on failure.
    AlignedAlloc: "aligned_alloc" "pzz", "memalign" "pzz";
    /// Allocates memory; throws an exception on failure.
    New: "_Znwm" "pz", "_Znam" "pz", "_Znwj" "pz", "_Znaj" "pz";
    /// Resizes an allocation.
    Realloc: "realloc" "ppz";
    /// Frees an allocation.
    Free: "free" "vp", "_ZdlPv" "vp", "_ZdaPv" "vp", "_ZdlPvm" "vpz", "_ZdaPvm" "vpz", "_ZdlPvj" "vpz", "_ZdaPvj" "vpz",
        "_ZdlPvRKSt9nothrow_t" "vpp", "_ZdaPvRKSt9nothrow_t" "vpp";
    /// Writes formatted text to standard output.
    Printf: "printf" "ip.";
    /// Writes a line to standard output.
    Puts: "puts" "ip";
    /// Writes a character to standard output.
    PutChar: "putchar" "ii";
    /// Writes formatted text to a stream.
    FPrintf: "fprintf" "ipp.";
    /// Writes a string to a stream.
    FPuts: "fputs" "ipp";
    /// Writes a character to a stream.
    FPutC: "fputc" "iip", "putc" "iip";
    /// Writes objects to a stream.
    FWrite: "fwrite" "zpzzp";
}

/// The library function that a call refers to.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    /// A function with known behavior.
    Function(Library),
    /// A library function that no engine models.
    Unmodelled,
}

impl Library {
    /// Whether the result depends only on the argument values and is computed without a loop.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Self::Abs | Self::Ffs | Self::IsDigit | Self::IsAscii | Self::ToAscii)
    }
    /// Whether runs can enumerate every possible result. For other functions the result is an arbitrary number of which
    /// runs try a few values.
    pub fn result_is_enumerated(self) -> bool {
        matches!(self, Self::Abs | Self::Ffs | Self::ToAscii)
            || matches!(self, Self::StrLen | Self::StrNLen | Self::WcsLen2 | Self::WcsLen4)
            || matches!(self, Self::Malloc | Self::Calloc | Self::Free)
    }
    /// Whether it reads or writes memory byte by byte; false for allocation and output functions.
    pub fn is_of_bytes(self) -> bool {
        let reads = matches!(
            self,
            Self::StrLen
                | Self::StrNLen
                | Self::WcsLen2
                | Self::WcsLen4
                | Self::MemCmp
                | Self::Bcmp
                | Self::StrCmp
                | Self::StrNCmp
                | Self::StrChr
                | Self::StrRChr
                | Self::MemChr
        );
        reads || self.writes_bytes()
    }
    /// Whether it writes memory byte by byte.
    pub fn writes_bytes(self) -> bool {
        matches!(
            self,
            Self::MemCpy
                | Self::MemPCpy
                | Self::MemMove
                | Self::MemSet
                | Self::Bzero
                | Self::StrCpy
                | Self::StpCpy
                | Self::StrCat
        )
    }
    /// The size of a character that it processes, in bytes.
    pub fn character_bytes(self) -> u64 {
        if self == Self::WcsLen4 {
            4
        } else if self == Self::WcsLen2 {
            2
        } else {
            1
        }
    }
    /// Whether it allocates memory.
    pub fn allocates(self) -> bool {
        matches!(self, Self::Malloc | Self::Calloc | Self::AlignedAlloc | Self::New | Self::Realloc)
    }
}

/// Allocation families: memory of a family may be released only by functions of the same family (LangRef,
/// `"alloc-family"`).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// `malloc` and `free`.
    Malloc,
    /// `operator new` and `operator delete`.
    New,
    /// `operator new[]` and `operator delete[]`.
    NewArray,
}

impl Family {
    /// The family of a library function that allocates or releases memory.
    pub fn of(name: &str) -> Self {
        match name {
            _ if name.starts_with("_Znw") || name.starts_with("_ZdlP") => Self::New,
            _ if name.starts_with("_Zna") || name.starts_with("_ZdaP") => Self::NewArray,
            _ => Self::Malloc,
        }
    }
}

/// Whether an attribute ([`Attr::replaces_memory`]) of a call of an intrinsic or library function makes the function
/// receive memory other than the argument's. The semantics of these functions assume the argument's own memory.
pub fn replaces_argument(module: &Module, caller: FuncId, body: &Body, inst: Inst) -> bool {
    let Some(view) = body.inst(inst).call() else { return false };
    let Some(func) = body.called_function(view.callee()) else { return false };
    let header = &module.env.funcs[func];
    let replaces = |list: &AttrList| module.env.attrs(list).any(Attr::replaces_memory);
    let at_call = view.info.arg_attrs.iter().any(replaces);
    match header.intrinsic {
        Some(_) => at_call,
        None => {
            (at_call || header.param_attrs.iter().any(replaces))
                && called(module, caller, body, inst).is_some()
        }
    }
}

/// The library function that the call or invoke `inst` in `caller` refers to.
pub fn called(module: &Module, caller: FuncId, body: &Body, inst: Inst) -> Option<Known> {
    let view = body.inst(inst).call()?;
    let func = body.called_function(view.callee())?;
    let known = declared(module, func)?;
    let env = &module.env;
    let header = &env.funcs[func];
    let lists = [&view.info.fn_attrs, &header.attrs];
    let has = |flag| lists.iter().any(|list| env.has_attr(list, flag));
    if has(FlagAttr::NoBuiltin) && !env.has_attr(&view.info.fn_attrs, FlagAttr::Builtin) {
        return None;
    }
    let own = format!("no-builtin-{}", header.name);
    let forbids = |attr: &Attr| match attr {
        Attr::String(key, _) => **key == *"no-builtins" || **key == *own,
        Attr::Flag(_)
        | Attr::Int(..)
        | Attr::Type(..)
        | Attr::Range(..)
        | Attr::Memory(_)
        | Attr::NoCapture
        | Attr::Text(_) => false,
    };
    let forbidden = env.attrs(&env.funcs[caller].attrs).any(forbids);
    (!forbidden && view.info.fn_ty == header.ty && view.info.bundles.is_empty()).then_some(known)
}

/// The library function that `func` declares, regardless of the caller.
pub fn declared(module: &Module, func: FuncId) -> Option<Known> {
    let header = &module.env.funcs[func];
    if !matches!(module.code[func], Code::Declaration)
        || header.linkage != Linkage::External
        || !matches!(&*header.cc, "" | "ccc")
    {
        return None;
    }
    let row = TABLE.iter().find(|(name, ..)| **name == *header.name);
    let known = match row {
        Some((_, types, which)) => {
            let known = of_wide_characters(&module.env, *which);
            has_type(module, header.ty, types).then_some(known)
        }
        None => {
            let (ret, params, _) = module.env.types.signature(header.ty)?;
            names::is_unmodelled(&header.name, ret, params).then_some(Known::Unmodelled)
        }
    };
    // The triple is looked up last, because most functions are not library functions.
    let known = known?;
    match target::presence(&module.env, &header.name) {
        Presence::There => Some(known),
        Presence::Unsure => Some(Known::Unmodelled),
        Presence::Missing => None,
    }
}

/// A function of the table. Wide-character functions have one entry per character size; as in LLVM, the module flag
/// `wchar_size` selects the entry. Without the flag the function is unmodelled.
fn of_wide_characters(env: &Env, which: Library) -> Known {
    if !matches!(which, Library::WcsLen2 | Library::WcsLen4) {
        return Known::Function(which);
    }
    let flags = env.metadata.named.iter().filter(|(name, _)| **name == *MODULE_FLAGS);
    let mut sizes =
        flags.flat_map(|(_, nodes)| nodes).filter_map(|node| match env.metadata.tuple(*node)? {
            [_, MdOperand::String(name), MdOperand::Const(size)] if **name == *"wchar_size" => {
                env.consts.as_int(*size)?.to_u64()
            }
            _ => None,
        });
    match (sizes.next(), sizes.next()) {
        (Some(2), None) => Known::Function(Library::WcsLen2),
        (Some(4), None) => Known::Function(Library::WcsLen4),
        _ => Known::Unmodelled,
    }
}

/// Whether the function type `ty` matches `letters`. All `l` of a signature have the same width.
fn has_type(module: &Module, ty: Type, letters: &str) -> bool {
    let env = &module.env;
    let Some((ret, params, variadic)) = env.types.signature(ty) else { return false };
    let size = env.layout.pointer(0).bits;
    let fits = |ty: Type, letter: char| match letter {
        'p' => ty == Type::PTR,
        'i' => ty == Type::I32,
        'l' => ty.int_bits().is_some_and(|bits| bits == 32 || bits == 64),
        'L' => ty == Type::I64,
        'z' => ty.int_bits() == Some(size),
        'v' => ty == Type::VOID,
        _ => false,
    };
    let mut rest = letters.chars();
    let result = rest.next();
    let fixed: Vec<char> = rest.filter(|letter| *letter != '.').collect();
    let longs = [ret].into_iter().chain(params.iter().copied()).zip(letters.chars());
    let mut longs = longs.filter(|(_, letter)| *letter == 'l').map(|(ty, _)| ty);
    let one_width = longs.next().is_none_or(|first| longs.all(|ty| ty == first));
    one_width
        && result.is_some_and(|letter| fits(ret, letter))
        && variadic == letters.ends_with('.')
        && fixed.len() == params.len()
        && params.iter().zip(fixed).all(|(ty, letter)| fits(*ty, letter))
}
