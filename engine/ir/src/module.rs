//! A module: everything outside function bodies ([`Env`]), and the bodies. They are separate, so a transform can hold
//! one body mutably and read the rest.

use crate::attr::{Attr, AttrList, FlagAttr, IntAttr, MemoryEffects, TypeAttr};
use crate::body::Body;
use crate::constant::{ConstPool, GlobalRef};
use crate::data_layout::DataLayout;
use crate::entity::{AliasId, BlockAddressId, Const, FuncId, GlobalId, MdId, PrimaryMap};
use crate::intrinsic::Intrinsic;
use crate::metadata::{MdKind, MdRef, MdTable};
use crate::types::{Type, TypeTable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The linkage of a global.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs, reason = "each variant is named by its spelling, which LangRef documents")]
pub enum Linkage {
    #[default]
    External,
    Private,
    Internal,
    AvailableExternally,
    Linkonce,
    LinkonceOdr,
    Weak,
    WeakOdr,
    Common,
    Appending,
    ExternWeak,
}

impl Linkage {
    const NAMES: [(&'static str, Self); 11] = [
        ("external", Self::External),
        ("private", Self::Private),
        ("internal", Self::Internal),
        ("available_externally", Self::AvailableExternally),
        ("linkonce", Self::Linkonce),
        ("linkonce_odr", Self::LinkonceOdr),
        ("weak", Self::Weak),
        ("weak_odr", Self::WeakOdr),
        ("common", Self::Common),
        ("appending", Self::Appending),
        ("extern_weak", Self::ExternWeak),
    ];
    /// LLVM's spelling.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
    /// The linkage spelled `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|(_, l)| *l)
    }
    /// Whether the symbol is invisible to other modules.
    pub fn is_local(self) -> bool {
        matches!(self, Self::Private | Self::Internal)
    }
    /// Whether a definition may be dropped if nothing in its module refers to it.
    pub fn is_discardable_if_unused(self) -> bool {
        self.is_local() || matches!(self, Self::Linkonce | Self::LinkonceOdr | Self::AvailableExternally)
    }
    /// Whether the linker may replace the definition with another one, so that its contents imply nothing about
    /// behavior.
    pub fn is_interposable(self) -> bool {
        matches!(self, Self::Linkonce | Self::Weak | Self::Common | Self::ExternWeak)
    }
}

/// A function as callers see it. Its code, if any, is in [`Module::code`].
#[derive(Clone, Debug)]
pub struct Function {
    /// Canonical spelling of the name, without `@`.
    pub name: Arc<str>,
    /// The function type.
    pub ty: Type,
    /// Linkage.
    pub linkage: Linkage,
    /// Words between linkage and return type, kept as spelled: `dso_local`, visibility, DLL storage class.
    pub prefix_words: Vec<Box<str>>,
    /// Calling convention as spelled; empty for the C convention.
    pub cc: Box<str>,
    /// Attributes of the result.
    pub ret_attrs: AttrList,
    /// Attributes of the parameters, one list per parameter.
    pub param_attrs: Vec<AttrList>,
    /// `unnamed_addr` or `local_unnamed_addr`, or empty.
    pub unnamed_addr: Box<str>,
    /// Address space of the function.
    pub addrspace: u32,
    /// Attributes of the function.
    pub attrs: AttrList,
    /// The clauses after the attributes, kept as spelled: section, partition, comdat, align, gc, prefix, prologue,
    /// personality.
    pub suffix: Vec<Box<str>>,
    /// Metadata attachments.
    pub metadata: Vec<(MdKind, MdRef)>,
    /// The intrinsic with this name, if there is one.
    pub intrinsic: Option<Intrinsic>,
    /// The asm expression that this function represents, as spelled. It has no declaration; calls refer to it by this
    /// text ([`crate::inline_asm`]).
    pub asm: Option<Box<str>>,
}

impl Function {
    /// Whether its address may equal that of another function; see [`GlobalVar::may_coincide`].
    pub fn may_coincide(&self) -> bool {
        self.linkage.is_interposable() || &*self.unnamed_addr == "unnamed_addr"
    }
    /// The clause of [`Function::suffix`] that begins with `word`, as spelled.
    pub fn suffix_part(&self, word: &str) -> Option<&str> {
        self.suffix.iter().map(|part| &**part).find(|part| part.split_whitespace().next() == Some(word))
    }
    /// A function with this name and type and no attributes, like a bare declaration.
    pub fn plain(name: Arc<str>, ty: Type, params: usize) -> Self {
        let intrinsic = Intrinsic::from_function_name(&name);
        Self {
            name,
            ty,
            linkage: Linkage::External,
            prefix_words: Vec::new(),
            cc: "".into(),
            ret_attrs: AttrList::default(),
            param_attrs: vec![AttrList::default(); params],
            unnamed_addr: "".into(),
            addrspace: 0,
            attrs: AttrList::default(),
            suffix: Vec::new(),
            metadata: Vec::new(),
            intrinsic,
            asm: None,
        }
    }
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct GlobalVar {
    /// Canonical spelling of the name, without `@`.
    pub name: Arc<str>,
    /// The type of its contents.
    pub ty: Type,
    /// Linkage.
    pub linkage: Linkage,
    /// Words before `global`, kept as spelled: `external` or the like of a declaration, `dso_local`, visibility,
    /// `thread_local(…)`, `unnamed_addr`, `externally_initialized`.
    pub prefix_words: Vec<Box<str>>,
    /// Address space of the pointer.
    pub addrspace: u32,
    /// `constant` rather than `global`.
    pub is_constant: bool,
    /// Initializer in [`Env::consts`]; `None` for a declaration.
    pub init: Option<Const>,
    /// Alignment in bytes if given.
    pub align: Option<u64>,
    /// The clauses after the initializer, kept as spelled: section, comdat, code model, attributes.
    pub suffix: Vec<Box<str>>,
    /// Metadata attachments.
    pub metadata: Vec<(MdKind, MdRef)>,
}

impl GlobalVar {
    /// Whether the size of its type is its actual size regardless of other modules: it is defined here, and the linker
    /// can't replace the definition.
    pub fn is_definitive(&self) -> bool {
        self.init.is_some() && !self.linkage.is_interposable()
    }
    /// The initializer if the variable holds it when the program starts: LLVM's `hasDefinitiveInitializer`.
    pub fn definitive_init(&self) -> Option<Const> {
        let is_written = self.has_word("externally_initialized");
        self.init.filter(|_| self.is_definitive() && !is_written)
    }
    /// Whether its address may equal that of another global: the linker may replace the definition, or may merge it
    /// with a constant of the same contents because the address is not significant (`unnamed_addr`).
    pub fn may_coincide(&self) -> bool {
        self.linkage.is_interposable() || self.is_constant && self.has_word("unnamed_addr")
    }
    fn has_word(&self, word: &str) -> bool {
        self.prefix_words.iter().any(|w| **w == *word)
    }
}

/// An alias or ifunc.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Canonical spelling of the name, without `@`.
    pub name: Arc<str>,
    /// The type of the aliasee.
    pub ty: Type,
    /// Address space of the pointer.
    pub addrspace: u32,
    /// The aliasee or resolver, in [`Env::consts`].
    pub target: Option<Const>,
    /// The whole definition after `=`, as spelled.
    pub text: Box<str>,
}

impl Alias {
    /// The linkage, if one is spelled.
    pub fn linkage(&self) -> Option<Linkage> {
        let mut words = self.text.split_whitespace().take_while(|word| !matches!(*word, "alias" | "ifunc"));
        words.find_map(Linkage::from_name)
    }
    /// Whether it is an ifunc: the target is a resolver function, which picks the actual function at load time.
    pub fn is_ifunc(&self) -> bool {
        self.text.split_whitespace().find(|word| matches!(*word, "alias" | "ifunc")) == Some("ifunc")
    }
    /// The aliasee, if it is known statically.
    pub fn known_aliasee(&self) -> Option<Const> {
        self.target.filter(|_| !self.is_ifunc())
    }
    /// Whether the linker may replace the definition with another one.
    pub fn is_interposable(&self) -> bool {
        self.linkage().is_some_and(Linkage::is_interposable)
    }
}

/// A top-level item, in text order.
#[derive(Clone, PartialEq, Debug)]
pub enum TopLevel {
    /// `source_filename`, `target`, `module asm`, comdats, summaries: kept as spelled.
    Text(Box<str>),
    /// `%name = type …`.
    TypeDef(Type),
    /// A global variable.
    Var(GlobalId),
    /// A global variable whose initializer is not modelled, with its definition as spelled. [`Env::vars`] represents it
    /// as an external variable with unknown contents.
    CarriedVar(GlobalId, Box<str>),
    /// An alias or ifunc.
    Alias(AliasId),
    /// A function, declared or defined.
    Func(FuncId),
    /// `attributes #n = { … }`.
    AttrGroup(u32),
    /// A numbered metadata node.
    Metadata(MdId),
    /// A named metadata node, by its index in [`MdTable::named`].
    NamedMetadata(usize),
}

/// A block whose address is taken. It has a name and is pinned ([`crate::body::Body::is_pinned`]), so it can be neither
/// removed nor renamed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockAddress {
    /// The function, which has a body.
    pub func: FuncId,
    /// The name of the block, without `%`, in canonical spelling.
    pub label: Arc<str>,
}

/// Everything in a module except the function bodies.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// Aggregate, vector and function types.
    pub types: TypeTable,
    /// The data layout; LLVM's default if the module specifies none.
    pub layout: DataLayout,
    /// Constants used by initializers and metadata.
    pub consts: ConstPool,
    /// Functions.
    pub funcs: PrimaryMap<FuncId, Function>,
    /// Global variables.
    pub vars: PrimaryMap<GlobalId, GlobalVar>,
    /// Aliases and ifuncs.
    pub aliases: PrimaryMap<AliasId, Alias>,
    /// Blocks whose addresses are taken, each once.
    pub block_addresses: PrimaryMap<BlockAddressId, BlockAddress>,
    /// The global with each name.
    pub symbols: FxHashMap<Arc<str>, GlobalRef>,
    /// Attribute groups by number.
    pub attr_groups: FxHashMap<u32, Vec<Attr>>,
    /// Metadata.
    pub metadata: MdTable,
    /// Top-level items in text order.
    pub order: Vec<TopLevel>,
}

impl Env {
    /// All attributes of `list`, including those of its groups.
    pub fn attrs<'a>(&'a self, list: &'a AttrList) -> impl Iterator<Item = &'a Attr> {
        let groups = list.groups.iter().filter_map(|g| self.attr_groups.get(g)).flatten();
        list.own.iter().chain(groups)
    }
    /// Whether `list`, including its groups, has the flag.
    pub fn has_attr(&self, list: &AttrList, flag: FlagAttr) -> bool {
        self.attrs(list).any(|a| *a == Attr::Flag(flag))
    }
    /// Whether `list`, of an argument or a result, makes a violating value immediate undefined behavior, where other
    /// attributes make it poison.
    pub fn demands_defined(&self, list: &AttrList) -> bool {
        let demands = |attr: &Attr| {
            matches!(
                attr,
                Attr::Flag(FlagAttr::NoUndef)
                    | Attr::Int(IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull, _)
            )
        };
        self.attrs(list).any(demands)
    }
    /// The effects that the `memory(…)` attribute of `list` allows; `None` if there is no such attribute. The last of
    /// several attributes wins, and groups come after the list's own attributes, as LLVM merges them.
    pub fn memory_effects(&self, list: &AttrList) -> Option<MemoryEffects> {
        self.attrs(list).filter_map(|a| if let Attr::Memory(m) = a { Some(*m) } else { None }).last()
    }
    /// The target triple of the last `target triple` line. Linear in the number of top-level items.
    pub fn target_triple(&self) -> Option<&str> {
        self.order.iter().rev().find_map(|item| match item {
            TopLevel::Text(text) => text.trim().strip_prefix("target triple")?.split('"').nth(1),
            TopLevel::TypeDef(_)
            | TopLevel::Var(_)
            | TopLevel::CarriedVar(..)
            | TopLevel::Alias(_)
            | TopLevel::Func(_)
            | TopLevel::AttrGroup(_)
            | TopLevel::Metadata(_)
            | TopLevel::NamedMetadata(_) => None,
        })
    }
    /// The function with this name.
    pub fn func_named(&self, name: &str) -> Option<FuncId> {
        if let Some(GlobalRef::Func(id)) = self.symbols.get(name) { Some(*id) } else { None }
    }
    /// The number of dereferenceable bytes that an attribute implies for a parameter that represents a value in memory
    /// (`byval`, `sret`, `byref`, `inalloca`, `preallocated`; LangRef, `writable`). 0 for other attributes.
    pub fn pointee_bytes(&self, attr: &Attr) -> u64 {
        let Attr::Type(kind, Some(ty)) = attr else { return 0 };
        if *kind == TypeAttr::ElementType {
            return 0;
        }
        self.layout.store_bytes(&self.types, *ty).unwrap_or(0)
    }
    /// The number of bytes that a function may load and store back on entry through a parameter with these attributes,
    /// because the parameter is `writable` (LangRef, "Parameter Attributes").
    pub fn stored_back(&self, list: &AttrList) -> u64 {
        let has = |flag| self.has_attr(list, flag);
        let is_kept_from = [FlagAttr::ReadNone, FlagAttr::ReadOnly, FlagAttr::WriteOnly].into_iter().any(has);
        if !has(FlagAttr::Writable) || is_kept_from {
            return 0;
        }
        let bytes = |attr: &Attr| {
            if let Attr::Int(IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull, bytes) = attr {
                *bytes
            } else {
                self.pointee_bytes(attr)
            }
        };
        self.attrs(list).map(bytes).max().unwrap_or(0)
    }
    /// The minimum alignment of a variable in bytes: the spelled one, or the ABI alignment of its type.
    pub fn variable_align(&self, id: GlobalId) -> u64 {
        let var = &self.vars[id];
        var.align.or_else(|| self.layout.abi_align(&self.types, var.ty)).unwrap_or(1)
    }
    /// The name of `global`, in canonical spelling without `@`.
    pub fn name_of(&self, global: GlobalRef) -> &str {
        match global {
            GlobalRef::Func(id) => &self.funcs[id].name,
            GlobalRef::Var(id) => &self.vars[id].name,
            GlobalRef::Alias(id) => &self.aliases[id].name,
        }
    }
    /// Declares the intrinsic `name` of type `ty` unless it is declared already; `None` if the name belongs to another
    /// kind of global or to a function of another type.
    pub fn declare_intrinsic(&mut self, name: &str, ty: Type) -> Option<FuncId> {
        match self.symbols.get(name) {
            Some(GlobalRef::Func(id)) => return (self.funcs[*id].ty == ty).then_some(*id),
            Some(GlobalRef::Var(_) | GlobalRef::Alias(_)) => return None,
            None => {}
        }
        Intrinsic::from_function_name(name)?;
        let params = self.types.signature(ty)?.1.len();
        let name: Arc<str> = name.into();
        let id = self.funcs.push(Function::plain(name.clone(), ty, params));
        self.symbols.insert(name, GlobalRef::Func(id));
        self.order.push(TopLevel::Func(id));
        Some(id)
    }
    /// The pointer type of the address of `global`.
    pub fn address_type(&self, global: GlobalRef) -> Type {
        Type::ptr(match global {
            GlobalRef::Func(id) => self.funcs[id].addrspace,
            GlobalRef::Var(id) => self.vars[id].addrspace,
            GlobalRef::Alias(id) => self.aliases[id].addrspace,
        })
    }
}

/// The code of a function.
#[derive(Clone, Debug)]
pub enum Code {
    /// The function is only declared.
    Declaration,
    /// The function is defined.
    Body(Box<Body>),
    /// The function is defined, but uses an unsupported feature: its text, printed back unchanged.
    Opaque(OpaqueCode),
}

/// The text of a function that is not modelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpaqueCode {
    /// From `define` to `}` as spelled, except that calls of `@llvm.dbg.*` are converted to debug records, as in all
    /// other functions.
    pub text: Box<str>,
    /// The unsupported feature, as shown to the user.
    pub feature: Box<str>,
}

/// A module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Everything but the code.
    pub env: Env,
    /// The code of each function of [`Env::funcs`].
    pub code: PrimaryMap<FuncId, Code>,
}

impl Module {
    /// The body of `func`, if it is defined and modelled.
    pub fn body(&self, func: FuncId) -> Option<&Body> {
        match self.code.get(func)? {
            Code::Body(body) => Some(body),
            Code::Declaration | Code::Opaque(_) => None,
        }
    }
    /// The environment, and the body of `func` for editing. Functions added to the environment have no entry in
    /// [`Module::code`] until [`Module::adopt_declarations`] runs.
    pub fn body_mut(&mut self, func: FuncId) -> Option<(&mut Env, &mut Body)> {
        match &mut self.code[func] {
            Code::Body(body) => Some((&mut self.env, body)),
            Code::Declaration | Code::Opaque(_) => None,
        }
    }
    /// Adds a declaration for each function that was added to the environment.
    pub fn adopt_declarations(&mut self) {
        while self.code.len() < self.env.funcs.len() {
            self.code.push(Code::Declaration);
        }
    }
    /// The functions with modelled bodies, in order of creation.
    pub fn bodies(&self) -> impl Iterator<Item = (FuncId, &Body)> {
        self.code.iter().filter_map(|(id, code)| match code {
            Code::Body(body) => Some((id, &**body)),
            Code::Declaration | Code::Opaque(_) => None,
        })
    }
}
