//! Shapes: types with precomputed sizes and offsets, so that running needs neither the type table nor the data
//! layout.
//!
//! A shape is nested at most [`MAX_DEPTH`] deep and has at most [`MAX_LEAVES`] scalars. Larger types are rejected, so
//! recursion over a shape is bounded.

use crate::outcome::Feature;
use crate::value::{Cube, Pointer, Val};
use backedge_ir::module::Env;
use backedge_ir::types::{Compound, FloatKind, Type, TypeKind};
use std::sync::Arc;

/// Maximum nesting of shapes: bounds recursion over members.
pub const MAX_DEPTH: u32 = 64;
/// Maximum number of scalars of a value: each has a value of its own at run time.
pub const MAX_LEAVES: u64 = 1 << 16;

/// The shape of a type whose values are modelled.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// An integer of 1 to 128 bits.
    Int(u32),
    /// A floating-point value.
    Float(FloatKind),
    /// A pointer of this many bits, at most 64.
    Ptr(u32),
    /// A fixed vector; its elements' bits are adjacent in memory.
    Vector {
        /// Number of elements.
        len: u64,
        /// The element.
        elem: Arc<Shape>,
    },
    /// An array.
    Array {
        /// Number of elements.
        len: u64,
        /// Bytes from one element to the next.
        stride: u64,
        /// The element.
        elem: Arc<Shape>,
    },
    /// A struct: offset in bytes and shape of each field.
    Struct {
        /// The fields.
        fields: Arc<[(u64, Shape)]>,
        /// Size in bytes, padding included.
        size: u64,
    },
}

impl Shape {
    /// The shape of `ty`, or the reason why its values are not modelled.
    pub fn of(env: &Env, ty: Type) -> Result<Self, Feature> {
        let shape = Self::nested(env, ty, 0)?;
        if shape.leaves() > MAX_LEAVES {
            return Err(Feature::Other("an aggregate value with too many members"));
        }
        Ok(shape)
    }
    fn nested(env: &Env, ty: Type, depth: u32) -> Result<Self, Feature> {
        let refuse = || Err(Feature::Type(format!("{ty:?}")));
        if depth > MAX_DEPTH {
            return Err(Feature::Other("a deeply nested type"));
        }
        match ty.kind() {
            TypeKind::Int(bits) if bits <= Type::MAX_INT_BITS => Ok(Self::Int(bits)),
            TypeKind::Float(kind) => Ok(Self::Float(kind)),
            TypeKind::Ptr(space) => match env.layout.pointer(space).bits {
                bits @ 1..=64 => Ok(Self::Ptr(bits)),
                _ => Err(Feature::Other("pointers wider than 64 bits")),
            },
            TypeKind::Compound(id) => match env.types.get(id) {
                Compound::Vector { len, elem, scalable: false } => {
                    Ok(Self::Vector { len: *len, elem: Arc::new(Self::nested(env, *elem, depth + 1)?) })
                }
                Compound::Array { len, elem } => {
                    let stride = env.layout.alloc_bytes(&env.types, *elem);
                    let stride = stride.ok_or(Feature::Other("a type without a size"))?;
                    let elem = Arc::new(Self::nested(env, *elem, depth + 1)?);
                    Ok(Self::Array { len: *len, stride, elem })
                }
                Compound::Struct { .. } | Compound::Named { .. } => Self::structure(env, ty, depth),
                Compound::Vector { scalable: true, .. } => Err(Feature::Other("scalable vectors")),
                Compound::Function { .. } | Compound::Target { .. } => refuse(),
            },
            TypeKind::Int(_) => Err(Feature::Other("integers wider than 128 bits")),
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => refuse(),
        }
    }
    fn structure(env: &Env, ty: Type, depth: u32) -> Result<Self, Feature> {
        let no_size = Feature::Other("a struct without a size");
        let layout = env.layout.struct_layout(&env.types, ty).ok_or_else(|| no_size.clone())?;
        let (types, _) = env.types.struct_fields(ty).ok_or(no_size)?;
        let fields: Result<Vec<_>, Feature> = types
            .iter()
            .zip(&layout.offsets)
            .map(|(field, offset)| Ok((*offset, Self::nested(env, *field, depth + 1)?)))
            .collect();
        Ok(Self::Struct { fields: fields?.into(), size: layout.size_bytes })
    }
    /// Number of scalars of a value, saturating.
    fn leaves(&self) -> u64 {
        match self {
            Self::Int(_) | Self::Float(_) | Self::Ptr(_) => 1,
            Self::Vector { len, elem } | Self::Array { len, elem, .. } => len.saturating_mul(elem.leaves()),
            Self::Struct { fields, .. } => {
                fields.iter().fold(0, |sum: u64, (_, f)| sum.saturating_add(f.leaves()))
            }
        }
    }
    /// Bits of a scalar, or of all elements of a vector; for arrays and structs their size in memory.
    pub fn bits(&self) -> u64 {
        match self {
            Self::Int(bits) | Self::Ptr(bits) => (*bits).into(),
            Self::Float(kind) => kind.bits().into(),
            Self::Vector { len, elem } => len * elem.bits(),
            Self::Array { len, stride, .. } => len.saturating_mul(*stride).saturating_mul(8),
            Self::Struct { size, .. } => size.saturating_mul(8),
        }
    }
    /// Number of bytes that a store writes.
    pub fn store_bytes(&self) -> u64 {
        self.bits().div_ceil(8)
    }
    /// Whether a store writes bytes that belong to no member of an aggregate.
    pub(crate) fn has_padding(&self) -> bool {
        match self {
            Self::Int(_) | Self::Float(_) | Self::Ptr(_) | Self::Vector { .. } => false,
            Self::Array { len, stride, elem } => {
                *len > 0 && (elem.store_bytes() != *stride || elem.has_padding())
            }
            Self::Struct { fields, size } => {
                let taken: u64 = fields.iter().map(|(_, f)| f.store_bytes()).sum();
                taken != *size || fields.iter().any(|(_, f)| f.has_padding())
            }
        }
    }
    /// The width of a scalar in bits; `None` for aggregates and vectors.
    pub fn scalar_bits(&self) -> Option<u32> {
        match self {
            Self::Int(bits) | Self::Ptr(bits) => Some(*bits),
            Self::Float(kind) => Some(kind.bits()),
            Self::Vector { .. } | Self::Array { .. } | Self::Struct { .. } => None,
        }
    }
    /// The element of a vector, or the shape itself.
    pub(crate) fn element(&self) -> &Self {
        if let Self::Vector { elem, .. } = self { elem } else { self }
    }
    /// Whether it is a pointer.
    pub fn is_ptr(&self) -> bool {
        matches!(self, Self::Ptr(_))
    }
    /// The members of an aggregate or vector in order.
    pub(crate) fn members(&self) -> Box<dyn Iterator<Item = &Shape> + '_> {
        match self {
            Self::Int(_) | Self::Float(_) | Self::Ptr(_) => Box::new(std::iter::empty()),
            Self::Vector { len, elem } | Self::Array { len, elem, .. } => {
                Box::new(std::iter::repeat_n(&**elem, usize::try_from(*len).unwrap_or(usize::MAX)))
            }
            Self::Struct { fields, .. } => Box::new(fields.iter().map(|(_, f)| f)),
        }
    }
    /// The value whose scalars are `leaf` of their shapes.
    pub fn fill(&self, leaf: &mut impl FnMut(&Shape) -> Val) -> Val {
        match self {
            Self::Int(_) | Self::Float(_) | Self::Ptr(_) => leaf(self),
            Self::Vector { .. } | Self::Array { .. } | Self::Struct { .. } => {
                let mut members = Vec::new();
                for member in self.members() {
                    members.push(member.fill(leaf));
                }
                Val::agg(members)
            }
        }
    }
    /// All scalars poison.
    pub fn poison(&self) -> Val {
        self.fill(&mut |_| Val::Poison)
    }
    /// All scalars undefined.
    pub fn undef(&self) -> Val {
        self.fill(&mut |leaf| Val::undef(leaf.scalar_bits().unwrap_or(1)))
    }
    /// All bits zero.
    pub fn zero(&self) -> Val {
        self.fill(&mut |leaf| leaf.scalar_from(Cube::known(0)))
    }
    /// The scalar of this shape with those bits; a pointer has no provenance.
    pub(crate) fn scalar_from(&self, cube: Cube) -> Val {
        let width = self.scalar_bits().unwrap_or(128);
        match self {
            Self::Ptr(_) if cube.is_known() => {
                let addr = u64::try_from(cube.bits & crate::value::mask(width)).unwrap_or(u64::MAX);
                Val::Ptr(Pointer { addr, prov: crate::value::Prov::NONE })
            }
            Self::Ptr(_)
            | Self::Int(_)
            | Self::Float(_)
            | Self::Vector { .. }
            | Self::Array { .. }
            | Self::Struct { .. } => Val::from_cube(width, cube),
        }
    }
}
