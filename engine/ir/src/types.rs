//! Types. A scalar is encoded in the [`Type`] itself. Aggregates, vectors and function types are interned in the
//! module's [`TypeTable`], so equal types have equal ids (identified structs are equal by name).
//!
//! A [`Type`] can name every integer width that LLVM allows. Integer *values* are modelled up to [`Type::MAX_INT_BITS`]
//! bits; the parser turns a function that uses wider ones into opaque text.

use crate::entity::{CompoundId, EntityId, PrimaryMap};
use rustc_hash::FxHashMap;
use std::fmt;

/// The maximum nesting depth of types, including identified structs within structs. The parser rejects deeper types, so
/// recursion over the members of a type is safe.
pub const MAX_NESTING: u32 = 512;

/// A type: scalars inline, everything else an index into the [`TypeTable`] of the module.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type(u32);

/// The floating-point formats.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// IEEE binary16.
    Half,
    /// bfloat16.
    BFloat,
    /// IEEE binary32.
    Float,
    /// IEEE binary64.
    Double,
    /// 80-bit x87.
    X86Fp80,
    /// IEEE binary128.
    Fp128,
    /// A pair of doubles.
    PpcFp128,
}

impl FloatKind {
    const ALL: [(Self, &'static str, u32); 7] = [
        (Self::Half, "half", 16),
        (Self::BFloat, "bfloat", 16),
        (Self::Float, "float", 32),
        (Self::Double, "double", 64),
        (Self::X86Fp80, "x86_fp80", 80),
        (Self::Fp128, "fp128", 128),
        (Self::PpcFp128, "ppc_fp128", 128),
    ];
    /// LLVM's spelling.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
    /// Size in bits of the value (80 for `x86_fp80`).
    pub fn bits(self) -> u32 {
        Self::ALL[self as usize].2
    }
    /// The format spelled `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|e| e.1 == name).map(|e| e.0)
    }
}

/// The kind of a [`Type`], for matching.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// No value.
    Void,
    /// The type of a block as an operand.
    Label,
    /// The type of a metadata operand.
    Metadata,
    /// `token`: preserved in the text, not modelled.
    Token,
    /// A floating-point type.
    Float(FloatKind),
    /// An integer with this many bits.
    Int(u32),
    /// A pointer in this address space.
    Ptr(u32),
    /// An aggregate, vector or function type.
    Compound(CompoundId),
}

/// The position of the tag in the bits of a type; the payload is below it.
const TAG_SHIFT: u32 = 28;
/// The bits of the payload.
const PAYLOAD: u32 = (1 << TAG_SHIFT) - 1;
/// The tag of types without a payload of their own: the payload is their number.
const TAG_SIMPLE: u32 = 0;
/// The tag of floating-point types; the payload is the [`FloatKind`].
const TAG_FLOAT: u32 = 1;
/// The tag of integer types; the payload is the width in bits.
const TAG_INT: u32 = 2;
/// The tag of pointer types; the payload is the address space.
const TAG_PTR: u32 = 3;
/// The tag of compound types; the payload is their index.
const TAG_COMPOUND: u32 = 4;

impl Type {
    /// The widest integer whose values are modelled, in bits: the width of [`crate::int::Int`].
    pub const MAX_INT_BITS: u32 = 128;
    /// The widest integer type that LLVM allows, in bits.
    pub const MAX_NAMEABLE_INT_BITS: u32 = 1 << 23;
    /// `void`.
    pub const VOID: Self = Self(TAG_SIMPLE << TAG_SHIFT);
    /// `label`.
    pub const LABEL: Self = Self(TAG_SIMPLE << TAG_SHIFT | 1);
    /// `metadata`.
    pub const METADATA: Self = Self(TAG_SIMPLE << TAG_SHIFT | 2);
    /// `token`.
    pub const TOKEN: Self = Self(TAG_SIMPLE << TAG_SHIFT | 3);
    /// `i1`.
    pub const I1: Self = Self::int(1);
    /// `i8`.
    pub const I8: Self = Self::int(8);
    /// `i32`.
    pub const I32: Self = Self::int(32);
    /// `i64`.
    pub const I64: Self = Self::int(64);
    /// `ptr` in address space 0.
    pub const PTR: Self = Self::ptr(0);

    /// The integer type of `bits` bits (1 to [`Type::MAX_NAMEABLE_INT_BITS`]).
    pub const fn int(bits: u32) -> Self {
        assert!(bits >= 1 && bits <= Self::MAX_NAMEABLE_INT_BITS);
        Self(TAG_INT << TAG_SHIFT | bits)
    }
    /// `ptr addrspace(space)`; LLVM allows 24 bits of address space.
    pub const fn ptr(space: u32) -> Self {
        assert!(space < 1 << 24);
        Self(TAG_PTR << TAG_SHIFT | space)
    }
    /// A floating-point type.
    pub const fn float(kind: FloatKind) -> Self {
        Self(TAG_FLOAT << TAG_SHIFT | kind as u32)
    }
    fn compound(id: CompoundId) -> Self {
        let index = u32::try_from(id.index()).ok().filter(|i| *i <= PAYLOAD).expect("more than 2^28 types");
        Self(TAG_COMPOUND << TAG_SHIFT | index)
    }
    /// The kind of this type.
    #[inline]
    pub fn kind(self) -> TypeKind {
        let payload = self.0 & PAYLOAD;
        match self.0 >> TAG_SHIFT {
            TAG_FLOAT => TypeKind::Float(FloatKind::ALL[payload as usize].0),
            TAG_INT => TypeKind::Int(payload),
            TAG_PTR => TypeKind::Ptr(payload),
            TAG_COMPOUND => TypeKind::Compound(CompoundId::from_index(payload as usize)),
            _ => match payload {
                0 => TypeKind::Void,
                1 => TypeKind::Label,
                2 => TypeKind::Metadata,
                _ => TypeKind::Token,
            },
        }
    }
    /// The width in bits if this is an integer type.
    #[inline]
    pub fn int_bits(self) -> Option<u32> {
        if self.0 >> TAG_SHIFT == TAG_INT { Some(self.0 & PAYLOAD) } else { None }
    }
    /// Whether this is an integer type.
    pub fn is_int(self) -> bool {
        self.0 >> TAG_SHIFT == TAG_INT
    }
    /// Whether this is a pointer type.
    pub fn is_ptr(self) -> bool {
        self.0 >> TAG_SHIFT == TAG_PTR
    }
    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        self.0 >> TAG_SHIFT == TAG_FLOAT
    }
    /// The address space if this is a pointer type.
    pub fn ptr_space(self) -> Option<u32> {
        if self.is_ptr() { Some(self.0 & PAYLOAD) } else { None }
    }
    /// The table entry if this is an aggregate, vector or function type.
    pub fn compound_id(self) -> Option<CompoundId> {
        if let TypeKind::Compound(id) = self.kind() { Some(id) } else { None }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            TypeKind::Void => f.write_str("void"),
            TypeKind::Label => f.write_str("label"),
            TypeKind::Metadata => f.write_str("metadata"),
            TypeKind::Token => f.write_str("token"),
            TypeKind::Float(kind) => f.write_str(kind.name()),
            TypeKind::Int(bits) => write!(f, "i{bits}"),
            TypeKind::Ptr(0) => f.write_str("ptr"),
            TypeKind::Ptr(space) => write!(f, "ptr addrspace({space})"),
            TypeKind::Compound(id) => write!(f, "{id:?}"),
        }
    }
}

/// The definition of an aggregate, vector or function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Compound {
    /// `[len x elem]`.
    Array {
        /// Number of elements.
        len: u64,
        /// Element type.
        elem: Type,
    },
    /// `<len x elem>`, or `<vscale x len x elem>`.
    Vector {
        /// The number of elements, or the factor of `vscale`.
        len: u64,
        /// Element type.
        elem: Type,
        /// Whether the length is a multiple of `vscale`.
        scalable: bool,
    },
    /// A literal struct `{ … }` or `<{ … }>`.
    Struct {
        /// Field types in order.
        fields: Box<[Type]>,
        /// Whether there is no padding.
        packed: bool,
    },
    /// An identified struct `%name`. Its body is stored separately in a [`StructBody`].
    Named {
        /// Canonical spelling of the name, without `%`.
        name: Box<str>,
    },
    /// A function type.
    Function {
        /// Return type.
        ret: Type,
        /// Parameter types in order.
        params: Box<[Type]>,
        /// Whether there is a trailing `...`.
        vararg: bool,
    },
    /// `target("…", …)`: preserved in the text, not modelled.
    Target {
        /// The text as spelled.
        text: Box<str>,
    },
}

/// The body of an identified struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructBody {
    /// Field types in order.
    pub fields: Box<[Type]>,
    /// Whether there is no padding.
    pub packed: bool,
}

/// The types of a module that are not scalars.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: PrimaryMap<CompoundId, Compound>,
    interned: FxHashMap<Compound, CompoundId>,
    bodies: FxHashMap<CompoundId, StructBody>,
}

impl TypeTable {
    /// Interns the type with this definition.
    pub fn intern(&mut self, compound: Compound) -> Type {
        if let Some(&id) = self.interned.get(&compound) {
            return Type::compound(id);
        }
        let id = self.types.push(compound.clone());
        self.interned.insert(compound, id);
        Type::compound(id)
    }
    /// The type with this definition, if it has been interned.
    pub fn lookup(&self, compound: &Compound) -> Option<Type> {
        self.interned.get(compound).map(|&id| Type::compound(id))
    }
    /// `[len x elem]`.
    pub fn array(&mut self, len: u64, elem: Type) -> Type {
        self.intern(Compound::Array { len, elem })
    }
    /// `<len x elem>`.
    pub fn vector(&mut self, len: u64, elem: Type) -> Type {
        self.intern(Compound::Vector { len, elem, scalable: false })
    }
    /// A literal struct.
    pub fn structure(&mut self, fields: &[Type], packed: bool) -> Type {
        self.intern(Compound::Struct { fields: fields.into(), packed })
    }
    /// A function type.
    pub fn function(&mut self, ret: Type, params: &[Type], vararg: bool) -> Type {
        self.intern(Compound::Function { ret, params: params.into(), vararg })
    }
    /// The definition of `id`.
    pub fn get(&self, id: CompoundId) -> &Compound {
        &self.types[id]
    }
    /// The definition of `ty` if it is not a scalar.
    pub fn compound(&self, ty: Type) -> Option<&Compound> {
        ty.compound_id().map(|id| self.get(id))
    }
    /// Sets the body of the identified struct `ty`. Returns false if `ty` is not an identified struct or already has a
    /// body.
    pub fn set_body(&mut self, ty: Type, body: StructBody) -> bool {
        let Some(id) = ty.compound_id() else { return false };
        if !matches!(self.get(id), Compound::Named { .. }) || self.bodies.contains_key(&id) {
            return false;
        }
        self.bodies.insert(id, body);
        true
    }
    /// Whether the type is a pointer or contains one.
    pub fn holds_pointer(&self, ty: Type) -> bool {
        match ty.kind() {
            TypeKind::Ptr(_) => true,
            TypeKind::Compound(id) => match self.get(id) {
                Compound::Array { elem, .. } | Compound::Vector { elem, .. } => self.holds_pointer(*elem),
                Compound::Struct { .. } | Compound::Named { .. } => {
                    let fields = self.struct_fields(ty);
                    fields.is_some_and(|(fields, _)| fields.iter().any(|f| self.holds_pointer(*f)))
                }
                Compound::Function { .. } | Compound::Target { .. } => false,
            },
            TypeKind::Void
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Float(_)
            | TypeKind::Int(_) => false,
        }
    }
    /// The floating-point type underlying a type on which fast-math flags are allowed (LangRef, "Fast-Math Flags"): the
    /// type itself, the element type of a vector, or that of an array or homogeneous struct of such types. `None` for
    /// other types.
    pub fn fast_math_type(&self, ty: Type) -> Option<Type> {
        let mut at = ty;
        loop {
            at = match self.compound(at) {
                Some(Compound::Array { elem, .. }) => *elem,
                Some(Compound::Struct { fields, .. }) => {
                    let (first, rest) = fields.split_first()?;
                    if rest.iter().any(|field| field != first) {
                        return None;
                    }
                    *first
                }
                _ => return Some(self.scalar(at)).filter(|scalar| scalar.is_float()),
            };
        }
    }
    /// The fields of a struct, literal or identified with a body, and whether it is packed.
    pub fn struct_fields(&self, ty: Type) -> Option<(&[Type], bool)> {
        let id = ty.compound_id()?;
        match self.get(id) {
            Compound::Struct { fields, packed } => Some((fields, *packed)),
            Compound::Named { .. } => self.bodies.get(&id).map(|b| (&*b.fields, b.packed)),
            Compound::Array { .. }
            | Compound::Vector { .. }
            | Compound::Function { .. }
            | Compound::Target { .. } => None,
        }
    }
    /// The return type, the parameter types and the vararg flag of a function type.
    pub fn signature(&self, ty: Type) -> Option<(Type, &[Type], bool)> {
        let Compound::Function { ret, params, vararg } = self.compound(ty)? else { return None };
        Some((*ret, params, *vararg))
    }
    /// The length and element type of a fixed vector.
    pub fn fixed_vector(&self, ty: Type) -> Option<(u64, Type)> {
        let Compound::Vector { len, elem, scalable: false } = self.compound(ty)? else { return None };
        Some((*len, *elem))
    }
    /// The element type of a vector, or the type itself.
    pub fn scalar(&self, ty: Type) -> Type {
        match self.compound(ty) {
            Some(Compound::Vector { elem, .. }) => *elem,
            _ => ty,
        }
    }
    /// The type of member `index` of an array, vector or struct.
    pub fn member(&self, ty: Type, index: u64) -> Option<Type> {
        match self.compound(ty)? {
            Compound::Array { len, elem } => (index < *len).then_some(*elem),
            Compound::Vector { len, elem, scalable } => (*scalable || index < *len).then_some(*elem),
            Compound::Struct { .. } | Compound::Named { .. } => {
                self.struct_fields(ty)?.0.get(usize::try_from(index).ok()?).copied()
            }
            Compound::Function { .. } | Compound::Target { .. } => None,
        }
    }
    /// Replaces each member type with its image under `map`; false if two types became equal.
    pub(crate) fn map_members(&mut self, map: &dyn Fn(Type) -> Type) -> bool {
        for (_, compound) in self.types.iter_mut() {
            match compound {
                Compound::Array { elem, .. } | Compound::Vector { elem, .. } => *elem = map(*elem),
                Compound::Struct { fields, .. } => fields.iter_mut().for_each(|f| *f = map(*f)),
                Compound::Function { ret, params, .. } => {
                    *ret = map(*ret);
                    params.iter_mut().for_each(|p| *p = map(*p));
                }
                Compound::Named { .. } | Compound::Target { .. } => {}
            }
        }
        for body in self.bodies.values_mut() {
            body.fields.iter_mut().for_each(|f| *f = map(*f));
        }
        self.interned = self.types.iter().map(|(id, compound)| (compound.clone(), id)).collect();
        self.interned.len() == self.types.len()
    }
    /// The number of types that are not scalars.
    pub fn len(&self) -> usize {
        self.types.len()
    }
    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
    /// All types in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (CompoundId, &Compound)> {
        self.types.iter()
    }
    /// The [`Type`] of `id`.
    pub fn handle(&self, id: CompoundId) -> Type {
        Type::compound(id)
    }
}
