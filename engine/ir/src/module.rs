//! A module: everything outside function bodies ([`Env`]), and the bodies. The two are apart so that a transform can
//! hold one body mutably and read the rest.

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

/// How a global is visible to the linker.
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
    /// Whether no other module can see it.
    pub fn is_local(self) -> bool {
        matches!(self, Self::Private | Self::Internal)
    }
    /// Whether a definition may be left out where nothing in its module refers to it.
    pub fn is_discardable_if_unused(self) -> bool {
        self.is_local() || matches!(self, Self::Linkonce | Self::LinkonceOdr | Self::AvailableExternally)
    }
    /// Whether the linker may put another definition in its place, so that this one says nothing about behaviour.
    pub fn is_interposable(self) -> bool {
        matches!(self, Self::Linkonce | Self::Weak | Self::Common | Self::ExternWeak)
    }
}

/// A function as callers see it. Its code, if any, is in [`Module::bodies`].
#[derive(Clone, Debug)]
pub struct Function {
    /// Canonical spelling of the name, without `@`.
    pub name: Arc<str>,
    /// The function type.
    pub ty: Type,
    /// Linkage.
    pub linkage: Linkage,
    /// Words between linkage and return type that are carried: `dso_local`, visibility, DLL storage class.
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
    /// What follows the attributes and is carried as spelled: section, partition, comdat, align, gc, prefix,
    /// prologue, personality.
    pub suffix: Vec<Box<str>>,
    /// Metadata attachments.
    pub metadata: Vec<(MdKind, MdRef)>,
    /// The intrinsic that the name stands for.
    pub intrinsic: Option<Intrinsic>,
    /// The asm expression that it stands for, as spelled: nothing declares it, and calls name it by this text
    /// ([`crate::inline_asm`]).
    pub asm: Option<Box<str>>,
}

impl Function {
    /// Whether its address may be that of another function, as of a variable: [`GlobalVar::may_coincide`].
    pub fn may_coincide(&self) -> bool {
        self.linkage.is_interposable() || &*self.unnamed_addr == "unnamed_addr"
    }
    /// What is carried of it that begins with `word`, as spelled.
    pub fn suffix_part(&self, word: &str) -> Option<&str> {
        self.suffix.iter().map(|part| &**part).find(|part| part.split_whitespace().next() == Some(word))
    }
    /// A function of that name and type without attributes: as a declaration that says nothing more spells it.
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
    /// Whether `external` or the like was spelled for a declaration, and other words before `global` that are
    /// carried: `dso_local`, visibility, `thread_local(…)`, `unnamed_addr`, `externally_initialized`.
    pub prefix_words: Vec<Box<str>>,
    /// Address space of the pointer.
    pub addrspace: u32,
    /// `constant` rather than `global`.
    pub is_constant: bool,
    /// Initializer in [`Env::consts`]; `None` for a declaration.
    pub init: Option<Const>,
    /// Alignment in bytes if given.
    pub align: Option<u64>,
    /// What follows and is carried as spelled: section, comdat, code model, attributes.
    pub suffix: Vec<Box<str>>,
    /// Metadata attachments.
    pub metadata: Vec<(MdKind, MdRef)>,
}

impl GlobalVar {
    /// Whether it is as large as its type says, whatever other modules say: it is defined here, and the linker puts no other
    /// definition in its place.
    pub fn is_definitive(&self) -> bool {
        self.init.is_some() && !self.linkage.is_interposable()
    }
    /// The initializer, if the variable holds that when the program begins: LLVM's `hasDefinitiveInitializer`.
    pub fn definitive_init(&self) -> Option<Const> {
        let is_written = self.has_word("externally_initialized");
        self.init.filter(|_| self.is_definitive() && !is_written)
    }
    /// Whether its address may be that of another global: the linker may put another definition in its place, or merge it
    /// with a constant of the same contents because nothing depends on where it lies (`unnamed_addr`).
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
    /// The type of what it names.
    pub ty: Type,
    /// Address space of the pointer.
    pub addrspace: u32,
    /// What it stands for, in [`Env::consts`].
    pub target: Option<Const>,
    /// The whole definition after `=` as spelled.
    pub text: Box<str>,
}

impl Alias {
    /// The linkage that is spelled, if one is.
    pub fn linkage(&self) -> Option<Linkage> {
        let mut words = self.text.split_whitespace().take_while(|word| !matches!(*word, "alias" | "ifunc"));
        words.find_map(Linkage::from_name)
    }
    /// Whether it is an ifunc: what it names is a function that says what it stands for when the program is linked.
    pub fn is_ifunc(&self) -> bool {
        self.text.split_whitespace().find(|word| matches!(*word, "alias" | "ifunc")) == Some("ifunc")
    }
    /// What it is another name for, if that is known here.
    pub fn stands_for(&self) -> Option<Const> {
        self.target.filter(|_| !self.is_ifunc())
    }
    /// Whether the linker may put another definition in its place.
    pub fn is_interposable(&self) -> bool {
        self.linkage().is_some_and(Linkage::is_interposable)
    }
}

/// An item at the top level, in the order of the text.
#[derive(Clone, PartialEq, Debug)]
pub enum TopLevel {
    /// `source_filename`, `target`, `module asm`, comdats, summaries: carried as spelled.
    Text(Box<str>),
    /// `%name = type …`.
    TypeDef(Type),
    /// A global variable.
    Var(GlobalId),
    /// A global variable whose initializer is not modelled, with its definition as spelled. [`Env::vars`] has it
    /// as an external one, whose contents may be anything.
    CarriedVar(GlobalId, Box<str>),
    /// An alias or ifunc.
    Alias(AliasId),
    /// A function, declared or defined.
    Func(FuncId),
    /// `attributes #n = { … }`.
    AttrGroup(u32),
    /// A numbered metadata node.
    Metadata(MdId),
    /// A named metadata node, by its position in [`MdTable::named`].
    NamedMetadata(usize),
}

/// A block whose address is taken. It bears a name, and is pinned ([`crate::body::Body::is_pinned`]): it keeps both
/// its place in the body and its name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockAddress {
    /// The function, which has code.
    pub func: FuncId,
    /// The name of the block, without `%`, in canonical spelling.
    pub label: Arc<str>,
}

/// Everything of a module but the function bodies.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// Types beyond scalars.
    pub types: TypeTable,
    /// The data layout, LLVM's default where the module gives none.
    pub layout: DataLayout,
    /// Constants of initializers and metadata.
    pub consts: ConstPool,
    /// Functions.
    pub funcs: PrimaryMap<FuncId, Function>,
    /// Global variables.
    pub vars: PrimaryMap<GlobalId, GlobalVar>,
    /// Aliases and ifuncs.
    pub aliases: PrimaryMap<AliasId, Alias>,
    /// Blocks whose addresses are taken, each once.
    pub block_addresses: PrimaryMap<BlockAddressId, BlockAddress>,
    /// What each name stands for.
    pub symbols: FxHashMap<Arc<str>, GlobalRef>,
    /// Attribute groups by number.
    pub attr_groups: FxHashMap<u32, Vec<Attr>>,
    /// Metadata.
    pub metadata: MdTable,
    /// Top-level items in the order of the text.
    pub order: Vec<TopLevel>,
}

impl Env {
    /// All attributes of `list`, groups included.
    pub fn attrs<'a>(&'a self, list: &'a AttrList) -> impl Iterator<Item = &'a Attr> {
        let groups = list.groups.iter().filter_map(|g| self.attr_groups.get(g)).flatten();
        list.own.iter().chain(groups)
    }
    /// Whether `list` has the flag, groups included.
    pub fn has_attr(&self, list: &AttrList, flag: FlagAttr) -> bool {
        self.attrs(list).any(|a| *a == Attr::Flag(flag))
    }
    /// Whether `list`, of an argument or a result, makes a value undefined behaviour that is not as it says, where other
    /// attributes make poison of it.
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
    /// What the `memory(…)` attribute of `list` allows; `None` if it has none. Of several the last one counts, and
    /// groups come after what is spelled at the place, as LLVM merges them.
    pub fn memory_effects(&self, list: &AttrList) -> Option<MemoryEffects> {
        self.attrs(list).filter_map(|a| if let Attr::Memory(m) = a { Some(*m) } else { None }).last()
    }
    /// The target triple that the module names last. Takes time that grows with the number of items at the top.
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
    /// The function called `name`.
    pub fn func_named(&self, name: &str) -> Option<FuncId> {
        if let Some(GlobalRef::Func(id)) = self.symbols.get(name) { Some(*id) } else { None }
    }
    /// How many bytes a parameter leads to because it stands for a value in memory (`byval`, `sret`, `byref`, `inalloca`,
    /// `preallocated`): these are dereferenceable (LangRef, `writable`). 0 for other attributes.
    pub fn pointee_bytes(&self, attr: &Attr) -> u64 {
        let Attr::Type(kind, Some(ty)) = attr else { return 0 };
        if *kind == TypeAttr::ElementType {
            return 0;
        }
        self.layout.store_bytes(&self.types, *ty).unwrap_or(0)
    }
    /// How many bytes from a parameter with these attributes on are loaded and stored back on entry to its function: it is
    /// `writable` (LangRef, "Parameter Attributes").
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
    /// The alignment in bytes that a variable has at least: the one that is spelled, or that of its type.
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
    /// The intrinsic called `name` of type `ty`, declared if it is not yet; `None` if the name stands for something else,
    /// or for a function of another type.
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

/// What a module knows of a function's code.
#[derive(Clone, Debug)]
pub enum Code {
    /// The function is declared only.
    Declaration,
    /// The function is defined.
    Body(Box<Body>),
    /// The function is defined, but uses what is not modelled: its text, printed back unchanged.
    Opaque(OpaqueCode),
}

/// The text of a function that is not modelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpaqueCode {
    /// From `define` to `}` as spelled, but that calls of `@llvm.dbg.*` are debug records, as in all other functions.
    pub text: Box<str>,
    /// The feature that is not modelled, as said to the user.
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
    /// The body of `func` if it has one that is modelled.
    pub fn body(&self, func: FuncId) -> Option<&Body> {
        match self.code.get(func)? {
            Code::Body(body) => Some(body),
            Code::Declaration | Code::Opaque(_) => None,
        }
    }
    /// The environment, and the body of `func` for editing. Functions that are added to the environment have code once
    /// [`Module::adopt_declarations`] has run.
    pub fn body_mut(&mut self, func: FuncId) -> Option<(&mut Env, &mut Body)> {
        match &mut self.code[func] {
            Code::Body(body) => Some((&mut self.env, body)),
            Code::Declaration | Code::Opaque(_) => None,
        }
    }
    /// Takes the functions that were added to the environment for declarations.
    pub fn adopt_declarations(&mut self) {
        while self.code.len() < self.env.funcs.len() {
            self.code.push(Code::Declaration);
        }
    }
    /// Functions with modelled bodies, in order of creation.
    pub fn bodies(&self) -> impl Iterator<Item = (FuncId, &Body)> {
        self.code.iter().filter_map(|(id, code)| match code {
            Code::Body(body) => Some((id, &**body)),
            Code::Declaration | Code::Opaque(_) => None,
        })
    }
}
