//! DDRefs: reads and writes of data in nodes, which are the ends of data dependences.
//!
//! A [`RegDdRef`] is an operand of a node: a *terminal* reference to a scalar, whose form is a [`CanonExpr`], or a
//! *memory* reference, [`MemRef`]. A [`BlobDdRef`] is attached to it for every temp that is read through a blob of
//! it: these are its dependences in addition to its own symbase.
//!
//! # Meaning of a memory reference
//!
//! ```text
//! base + offset + Σ stride(k) * index(k)      modulo 2^w, w the width of the index type
//! ```
//!
//! Dimensions are numbered from 1, the innermost, as in the document (docs/hir-terms.md): `A[0][i]` on `int A[10]` has
//! the subscript `i` and the stride 4 in dimension 1, and the subscript `0` and the stride 40 in dimension 2.
//! `index(k)` is the value of the subscript, sign-extended or truncated to `w` bits if its type has another width.
//! Strides are closed forms too, for example for a matrix with variable row length. `offset` is the number of bytes
//! that struct fields add. The address is the same whether the reference loads, stores, or only takes it.
//!
//! If dimensions were recovered from one subscript, as in `a[i * n + j]`, the original dimension is kept as well
//! ([`MemRef::flat`]): the same address, as it was computed.
//!
//! # Symbases
//!
//! A [`Symbase`] is a number for data that may be the same. Each scalar variable has one, shared by all values of a
//! strongly connected set (a recurrence through phis). Each alias set of memory has one. Constants and forms that are
//! not variables have reserved numbers, which carry no dependences.

mod path;
mod print;
mod stride;

pub(crate) use path::Joined;
pub use path::{Path, Step};
pub(crate) use print::order;
pub use stride::NoStride;

use crate::blob::{Blobs, Temp};
use crate::canon::{CanonExpr, Level, Levels};
use crate::symbase::Symbase;
use backedge_ir::inst::{GepFlags, MemAccess};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// The read of a variable through a blob of the reference that this is attached to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BlobDdRef {
    /// The variable.
    pub temp: Temp,
    /// Its symbase.
    pub symbase: Symbase,
    /// The level of the innermost loop around the reference that contains a definition of the variable.
    pub defined_at_level: Level,
}

/// The access that a memory reference performs at its address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reads a value of this type.
    Load(Type, MemAccess),
    /// Writes a value of this type.
    Store(Type, MemAccess),
    /// No access: the address is the value.
    AddressOf(Type),
}

/// One dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The subscript.
    pub subscript: CanonExpr,
    /// The distance between consecutive elements in bytes, in the width of the index type.
    pub stride: CanonExpr,
}

/// The original dimension that several dimensions were recovered from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flat {
    /// The dimension.
    pub dim: Dimension,
    /// The extents of all dimensions but the outermost, the innermost first.
    pub extents: SmallVec<[CanonExpr; 2]>,
    /// The outermost subscript is nonnegative too wherever the access executes.
    pub is_positive: bool,
}

/// A number for the instruction of the code that an access came from. It survives transforms of the nest: facts about
/// two sites hold for all of their executions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site(pub u32);

/// A reference to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemRef {
    /// The pointer that the subscripts are relative to.
    pub base: CanonExpr,
    /// The dimensions; the first is number 1.
    pub dims: SmallVec<[Dimension; 2]>,
    /// Bytes that struct fields add.
    pub offset: Int,
    /// The access.
    pub access: Access,
    /// Facts about the address wherever the access executes. `nusw`: the address is the base, as unsigned, plus the
    /// exact bytes that dimensions and fields add, with each index as signed, in ℤ; nothing wraps.
    pub flags: GepFlags,
    /// The original dimension, if several were recovered from it. Then each dimension but the outermost has an
    /// extent, and references with the same strides have the same extents. The next stride is the extent times the
    /// dimension's own stride, modulo 2^w. The subscript is, as signed, at least 0 and less than the extent. The sum
    /// of the subscripts, each multiplied by all inner extents, equals the subscript of the original dimension, in ℤ.
    pub flat: Option<Box<Flat>>,
    /// The steps of the address computation, if known.
    pub path: Option<Box<Path>>,
    /// The access of the code that the reference came from, if any.
    pub site: Option<Site>,
}

impl MemRef {
    /// The subscript of dimension `number`, counted from 1.
    pub fn subscript(&self, number: usize) -> Option<&CanonExpr> {
        self.dims.get(number.checked_sub(1)?).map(|d| &d.subscript)
    }
    /// The distance between consecutive elements of dimension `number` in bytes: `getDimensionStride`.
    pub fn dimension_stride(&self, number: usize) -> Option<&CanonExpr> {
        self.dims.get(number.checked_sub(1)?).map(|d| &d.stride)
    }
    /// The same distance if it is a constant: `getDimensionConstStride`.
    pub fn dimension_const_stride(&self, number: usize) -> Option<Int> {
        self.dimension_stride(number)?.as_constant()
    }
    /// The dimensions as the address was computed: the original dimension if several were recovered from it.
    pub fn computed_dims(&self) -> &[Dimension] {
        self.flat.as_deref().map_or(&self.dims[..], |flat| std::slice::from_ref(&flat.dim))
    }
    /// The closed forms in it: the base, then subscripts and strides from dimension 1 on, then the original dimension
    /// with its extents.
    pub fn forms(&self) -> impl Iterator<Item = &CanonExpr> {
        let flat = self.flat.as_deref();
        let dims = self.dims.iter().chain(flat.map(|flat| &flat.dim)).flat_map(|d| [&d.subscript, &d.stride]);
        std::iter::once(&self.base).chain(dims).chain(flat.into_iter().flat_map(|flat| &flat.extents))
    }
    fn forms_mut(&mut self) -> impl Iterator<Item = &mut CanonExpr> {
        let (dim, extents) = match self.flat.as_deref_mut() {
            Some(flat) => (Some(&mut flat.dim), &mut flat.extents[..]),
            None => (None, &mut [][..]),
        };
        let dims = self.dims.iter_mut().chain(dim).flat_map(|d| [&mut d.subscript, &mut d.stride]);
        std::iter::once(&mut self.base).chain(dims).chain(extents)
    }
    /// Whether its address equals its base.
    pub fn adds_nothing(&self) -> bool {
        let is_zero = |form: &CanonExpr| form.as_constant().is_some_and(Int::is_zero);
        self.offset.is_zero() && self.dims.iter().all(|dim| is_zero(&dim.subscript))
    }
    /// Whether it reads or writes memory.
    pub fn is_access(&self) -> bool {
        !matches!(self.access, Access::AddressOf(_))
    }
}

/// The form of an operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// A scalar.
    Terminal(Box<CanonExpr>),
    /// Memory, or an address.
    Memory(Box<MemRef>),
}

/// An operand of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegDdRef {
    symbase: Symbase,
    form: Form,
    blobs: Vec<BlobDdRef>,
}

impl RegDdRef {
    /// A reference to a scalar. Its blob references must be [made right](Self::refresh) for the node that it is
    /// placed in.
    pub fn terminal(form: CanonExpr) -> Self {
        Self { symbase: Symbase::RVALUE, form: Form::Terminal(Box::new(form)), blobs: Vec::new() }
    }
    /// A reference to memory of that alias set.
    pub fn memory(symbase: Symbase, form: MemRef) -> Self {
        Self { symbase, form: Form::Memory(Box::new(form)), blobs: Vec::new() }
    }
    /// Its form.
    pub fn form(&self) -> &Form {
        &self.form
    }
    /// Its symbase.
    pub fn symbase(&self) -> Symbase {
        self.symbase
    }
    /// The blob references attached to it.
    pub fn blob_refs(&self) -> &[BlobDdRef] {
        &self.blobs
    }
    /// The closed form, if it is a terminal reference.
    pub fn as_terminal(&self) -> Option<&CanonExpr> {
        if let Form::Terminal(form) = &self.form { Some(form) } else { None }
    }
    /// The memory reference, if it is one.
    pub fn as_memory(&self) -> Option<&MemRef> {
        if let Form::Memory(form) = &self.form { Some(form) } else { None }
    }
    /// The variable, if it is a terminal reference whose form is a self blob.
    pub fn as_temp(&self, blobs: &Blobs) -> Option<Temp> {
        self.as_terminal().and_then(|form| form.self_blob(blobs))
    }
    /// The type of its value; for a store, of the stored value.
    pub fn ty(&self) -> Type {
        match &self.form {
            Form::Terminal(form) => form.dest_type().ty,
            Form::Memory(form) => match form.access {
                Access::Load(ty, _) | Access::Store(ty, _) | Access::AddressOf(ty) => ty,
            },
        }
    }
    /// All closed forms in it.
    pub fn forms(&self) -> impl Iterator<Item = &CanonExpr> {
        let (terminal, memory): (Option<&CanonExpr>, _) = match &self.form {
            Form::Terminal(form) => (Some(form), None),
            Form::Memory(form) => (None, Some(form)),
        };
        terminal.into_iter().chain(memory.into_iter().flat_map(|form| form.forms()))
    }
    /// All closed forms in it, mutable. The blob references must be refreshed afterwards.
    pub fn forms_mut(&mut self) -> impl Iterator<Item = &mut CanonExpr> {
        let (terminal, memory): (Option<&mut CanonExpr>, _) = match &mut self.form {
            Form::Terminal(form) => (Some(form), None),
            Form::Memory(form) => (None, Some(form)),
        };
        terminal.into_iter().chain(memory.into_iter().flat_map(|form| form.forms_mut()))
    }
    /// The variables read to compute its value, its address, or the place that it writes. Includes the variable that
    /// a terminal reference consists of.
    pub fn collect_temp_blobs(&self, blobs: &Blobs) -> Vec<Temp> {
        blobs.temps_in(self.forms().flat_map(CanonExpr::all_blobs))
    }
    /// Recomputes everything that follows from the forms, for the place of `levels`: the levels of the forms, the
    /// symbase of a terminal reference, and the blob references. A self blob needs none: the reference itself refers
    /// to its variable.
    pub fn refresh(&mut self, blobs: &Blobs, levels: &dyn Levels) {
        for form in self.forms_mut() {
            form.update_defined_at(blobs, levels);
        }
        if let Form::Terminal(form) = &self.form {
            self.symbase = match form.self_blob(blobs) {
                Some(temp) => blobs.temp(temp).symbase,
                None if form.has_any_iv() || form.has_any_blob() => Symbase::RVALUE,
                None => Symbase::CONSTANT,
            };
        }
        let temps = if self.as_temp(blobs).is_some() { Vec::new() } else { self.collect_temp_blobs(blobs) };
        let attached = temps.into_iter().filter(|t| blobs.temp(*t).symbase != Symbase::CONSTANT);
        self.blobs = attached
            .map(|temp| BlobDdRef {
                temp,
                symbase: blobs.temp(temp).symbase,
                defined_at_level: levels.find_blob_level(temp),
            })
            .collect();
    }
}
