//! Queries about types that several rules share, and detection of structs that contain themselves.

use crate::entity::{CompoundId, SecondaryMap};
use crate::print::type_to_string;
use crate::types::{Compound, FloatKind, Type, TypeKind, TypeTable};
use crate::verify::TypeName;
use smallvec::SmallVec;

/// The number of lanes of a vector, and whether it is a multiple of `vscale`; `None` for scalars.
pub(super) type Shape = Option<(u64, bool)>;

/// A type table with computed properties of its types.
pub(super) struct Types<'a> {
    pub(super) table: &'a TypeTable,
    sized: SecondaryMap<CompoundId, bool>,
    /// Identified structs that contain themselves.
    pub(super) recursive: Vec<Type>,
}

#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Visit {
    #[default]
    Not,
    Now,
    Done,
}

impl<'a> Types<'a> {
    /// Visits each type once, without recursion.
    pub(super) fn new(table: &'a TypeTable) -> Self {
        let mut this = Self { table, sized: SecondaryMap::new(), recursive: Vec::new() };
        let mut state: SecondaryMap<CompoundId, Visit> = SecondaryMap::new();
        for (id, _) in table.iter() {
            let mut stack: Vec<(CompoundId, SmallVec<[CompoundId; 8]>)> = Vec::new();
            if state[id] == Visit::Not {
                state[id] = Visit::Now;
                stack.push((id, this.parts(id)));
            }
            while let Some((at, parts)) = stack.last_mut() {
                let at = *at;
                let Some(part) = parts.pop() else {
                    state[at] = Visit::Done;
                    this.sized[at] = this.decide_size(at);
                    stack.pop();
                    continue;
                };
                match state[part] {
                    Visit::Not => {
                        state[part] = Visit::Now;
                        let inner = this.parts(part);
                        stack.push((part, inner));
                    }
                    Visit::Now => this.recursive.push(table.handle(part)),
                    Visit::Done => {}
                }
            }
        }
        this
    }

    /// The non-scalar types that a value of `id` contains.
    fn parts(&self, id: CompoundId) -> SmallVec<[CompoundId; 8]> {
        match self.table.get(id) {
            Compound::Array { elem, .. } | Compound::Vector { elem, .. } => {
                elem.compound_id().into_iter().collect()
            }
            Compound::Struct { .. } | Compound::Named { .. } => {
                let fields = self.table.struct_fields(self.table.handle(id)).map_or(&[][..], |(f, _)| f);
                fields.iter().filter_map(|f| f.compound_id()).collect()
            }
            Compound::Function { .. } | Compound::Target { .. } => SmallVec::new(),
        }
    }

    fn decide_size(&self, id: CompoundId) -> bool {
        match self.table.get(id) {
            Compound::Array { elem, .. } | Compound::Vector { elem, .. } => self.is_sized(*elem),
            Compound::Struct { .. } | Compound::Named { .. } => {
                let fields = self.table.struct_fields(self.table.handle(id));
                fields.is_some_and(|(fields, _)| fields.iter().all(|f| self.is_sized(*f)))
            }
            Compound::Function { .. } => false,
            // The target determines the properties of a target type; it is kept as text.
            Compound::Target { .. } => true,
        }
    }

    /// Whether the type is sized.
    pub(super) fn is_sized(&self, ty: Type) -> bool {
        match ty.kind() {
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => false,
            TypeKind::Float(_) | TypeKind::Int(_) | TypeKind::Ptr(_) => true,
            TypeKind::Compound(id) => self.sized[id],
        }
    }

    pub(super) fn name(&self, ty: Type) -> TypeName {
        TypeName { ty, text: type_to_string(self.table, ty).into() }
    }

    pub(super) fn shape(&self, ty: Type) -> Shape {
        match self.table.compound(ty) {
            Some(Compound::Vector { len, scalable, .. }) => Some((*len, *scalable)),
            _ => None,
        }
    }
    pub(super) fn scalar(&self, ty: Type) -> Type {
        self.table.scalar(ty)
    }
    pub(super) fn is_int_like(&self, ty: Type) -> bool {
        self.scalar(ty).is_int()
    }
    pub(super) fn is_float_like(&self, ty: Type) -> bool {
        self.scalar(ty).is_float()
    }
    pub(super) fn is_ptr_like(&self, ty: Type) -> bool {
        self.scalar(ty).is_ptr()
    }
    pub(super) fn is_bool_like(&self, ty: Type) -> bool {
        self.scalar(ty) == Type::I1
    }
    /// Whether a value can have the type: excludes functions, `void` and structs without a body.
    pub(super) fn is_first_class(&self, ty: Type) -> bool {
        match ty.kind() {
            TypeKind::Void => false,
            TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Float(_)
            | TypeKind::Int(_)
            | TypeKind::Ptr(_) => true,
            TypeKind::Compound(id) => match self.table.get(id) {
                Compound::Function { .. } => false,
                Compound::Named { .. } => self.table.struct_fields(ty).is_some(),
                Compound::Array { .. }
                | Compound::Vector { .. }
                | Compound::Struct { .. }
                | Compound::Target { .. } => true,
            },
        }
    }
    pub(super) fn is_aggregate(&self, ty: Type) -> bool {
        matches!(self.table.compound(ty), Some(Compound::Array { .. }))
            || self.table.struct_fields(ty).is_some()
    }
    /// Whether fast-math flags are allowed for a result of the type: floating point, a vector of it, or arrays and
    /// literal structs of one such type.
    pub(super) fn may_be_fast(&self, ty: Type) -> bool {
        self.table.fast_math_type(ty).is_some()
    }
    /// Size in bits of a type that `bitcast` allows: non-pointer scalars and vectors of them.
    pub(super) fn primitive_bits(&self, ty: Type) -> Option<(u64, bool)> {
        let bits = match self.scalar(ty).kind() {
            TypeKind::Int(bits) => bits,
            TypeKind::Float(kind) => kind.bits(),
            TypeKind::Void
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Ptr(_)
            | TypeKind::Compound(_) => return None,
        };
        let (lanes, scalable) = self.shape(ty).unwrap_or((1, false));
        Some((u64::from(bits).checked_mul(lanes)?, scalable))
    }
    pub(super) fn float_kind(&self, ty: Type) -> Option<FloatKind> {
        if let TypeKind::Float(kind) = self.scalar(ty).kind() { Some(kind) } else { None }
    }
    pub(super) fn int_bits(&self, ty: Type) -> Option<u32> {
        self.scalar(ty).int_bits()
    }
}
