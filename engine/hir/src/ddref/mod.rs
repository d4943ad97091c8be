//! DDRefs: the places in nodes where data is read or written, which are the ends of data dependences.
//!
//! A [`RegDdRef`] is an operand of a node: a *terminal* reference to a scalar, whose form is a [`CanonExpr`], or a
//! *memory* reference, [`MemRef`]. A [`BlobDdRef`] is attached to it for every temp that is read through a blob of it: what
//! the reference depends on besides its own symbase.
//!
//! # What a memory reference means
//!
//! ```text
//! base + offset + Σ stride(k) * index(k)      modulo 2^w, w the width of the index type
//! ```
//!
//! Dimensions are numbered from 1, the innermost, as the document does: `A[0][i]` on `int A[10]` has the subscript `i` and
//! the stride 4 in dimension 1, `0` and 40 in dimension 2. `index(k)` is the value of the subscript, sign-extended or cut
//! to `w` bits where its type has another width. Strides are closed forms too: those of a matrix whose row length is a
//! variable are. `offset` are the bytes that fields of structs add. The address is that whether the reference loads,
//! stores, or only takes it.
//!
//! Where dimensions were recovered from one subscript, as in `a[i * n + j]`, that one is kept beside them
//! ([`MemRef::flat`]): the same address, as it was computed.
//!
//! # Symbases
//!
//! A [`Symbase`] is a number for what can be the same datum: each scalar variable has one, which all values of a strongly
//! connected set (a recurrence through phis) share; of memory each alias set has one. Constants and forms that are no
//! variable have numbers of their own, of which nothing depends on anything.

mod path;
mod print;
mod stride;

pub(crate) use path::Joined;
pub use path::{Path, Step};
pub(crate) use print::order;
pub use stride::NoStride;

use crate::blob::{Blobs, Temp};
use crate::canon::{CanonExpr, Level, Levels};
use backedge_ir::inst::{GepFlags, MemAccess};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use smallvec::SmallVec;
use std::fmt;

/// A number for what can be the same datum.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbase(pub u32);

impl Symbase {
    /// That of constants.
    pub const CONSTANT: Self = Self(0);
    /// That of closed forms that are neither a constant nor a variable.
    pub const RVALUE: Self = Self(1);
    /// The first one of a variable or an alias set.
    pub const FIRST: Self = Self(2);
}

impl fmt::Display for Symbase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// That a variable is read through a blob of the reference that this is attached to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BlobDdRef {
    /// The variable.
    pub temp: Temp,
    /// Its symbase.
    pub symbase: Symbase,
    /// The level of the innermost loop around the reference that the variable is defined in.
    pub defined_at_level: Level,
}

/// What a memory reference does at its address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reads a value of that type.
    Load(Type, MemAccess),
    /// Writes a value of that type.
    Store(Type, MemAccess),
    /// Nothing: the address is the value.
    AddressOf(Type),
}

/// One dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The subscript.
    pub subscript: CanonExpr,
    /// Bytes from one element to the next, in the width of the index type.
    pub stride: CanonExpr,
}

/// The one dimension that several were recovered from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flat {
    /// The dimension.
    pub dim: Dimension,
    /// The extents of the dimensions but the outermost, that of the innermost first.
    pub extents: SmallVec<[CanonExpr; 2]>,
    /// The outermost subscript is no negative number either where the access happens.
    pub is_positive: bool,
}

/// A number for the instruction of the code that an access is of, whatever has become of its nest: what is known of two such
/// holds of all their executions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site(pub u32);

/// A reference to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemRef {
    /// The pointer that the subscripts count from.
    pub base: CanonExpr,
    /// The dimensions; the first is number 1.
    pub dims: SmallVec<[Dimension; 2]>,
    /// Bytes that fields of structs add.
    pub offset: Int,
    /// What is done there.
    pub access: Access,
    /// What is known of the address wherever the access happens. `nusw`: it is the base, as unsigned, plus the exact bytes
    /// that dimensions and fields add, each index as signed, in ℤ; nothing wraps around.
    pub flags: GepFlags,
    /// The one dimension that there was, if several were recovered from it. Then each dimension but the outermost has an
    /// extent, references with the same strides the same ones: the next stride is that many times its own, modulo 2^w; its
    /// subscript is, as signed, at least 0 and less than that; and the sum of subscripts, each times all extents within it, is
    /// what this one's is, in ℤ.
    pub flat: Option<Box<Flat>>,
    /// How the address is computed, if it is known in steps.
    pub path: Option<Box<Path>>,
    /// Which access of the code it is, if it is one.
    pub site: Option<Site>,
}

impl MemRef {
    /// The subscript of dimension `number`, from 1.
    pub fn subscript(&self, number: usize) -> Option<&CanonExpr> {
        self.dims.get(number.checked_sub(1)?).map(|d| &d.subscript)
    }
    /// Bytes from one element of dimension `number` to the next: `getDimensionStride`.
    pub fn dimension_stride(&self, number: usize) -> Option<&CanonExpr> {
        self.dims.get(number.checked_sub(1)?).map(|d| &d.stride)
    }
    /// The same if it is known as a number: `getDimensionConstStride`.
    pub fn dimension_const_stride(&self, number: usize) -> Option<Int> {
        self.dimension_stride(number)?.as_constant()
    }
    /// The dimensions as the address was computed: what was recovered from one dimension as that one.
    pub fn computed_dims(&self) -> &[Dimension] {
        self.flat.as_deref().map_or(&self.dims[..], |flat| std::slice::from_ref(&flat.dim))
    }
    /// The closed forms in it: the base, then subscripts and strides from dimension 1 on, then what these were recovered from.
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
    /// Whether its address is its base.
    pub fn adds_nothing(&self) -> bool {
        let is_zero = |form: &CanonExpr| form.as_constant().is_some_and(Int::is_zero);
        self.offset.is_zero() && self.dims.iter().all(|dim| is_zero(&dim.subscript))
    }
    /// Whether it reads or writes memory.
    pub fn is_access(&self) -> bool {
        !matches!(self.access, Access::AddressOf(_))
    }
}

/// What an operand refers to.
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
    /// A reference to a scalar. What is attached is to be [made right](Self::refresh) for the node that it comes into.
    pub fn terminal(form: CanonExpr) -> Self {
        Self { symbase: Symbase::RVALUE, form: Form::Terminal(Box::new(form)), blobs: Vec::new() }
    }
    /// A reference to memory of that alias set.
    pub fn memory(symbase: Symbase, form: MemRef) -> Self {
        Self { symbase, form: Form::Memory(Box::new(form)), blobs: Vec::new() }
    }
    /// What it refers to.
    pub fn form(&self) -> &Form {
        &self.form
    }
    /// Its symbase.
    pub fn symbase(&self) -> Symbase {
        self.symbase
    }
    /// What is attached to it.
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
    /// The variable that it is, if it is a terminal reference whose form is a self blob.
    pub fn as_temp(&self, blobs: &Blobs) -> Option<Temp> {
        self.as_terminal().and_then(|form| form.self_blob(blobs))
    }
    /// The type of its value: of a store, of what is stored.
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
    /// Changes all closed forms in it. What is attached is to be made right after it.
    pub fn forms_mut(&mut self) -> impl Iterator<Item = &mut CanonExpr> {
        let (terminal, memory): (Option<&mut CanonExpr>, _) = match &mut self.form {
            Form::Terminal(form) => (Some(form), None),
            Form::Memory(form) => (None, Some(form)),
        };
        terminal.into_iter().chain(memory.into_iter().flat_map(|form| form.forms_mut()))
    }
    /// The variables that are read when its value, its address, or, of what is written, its place is found. The variable
    /// that a terminal reference itself is belongs to them.
    pub fn collect_temp_blobs(&self, blobs: &Blobs) -> Vec<Temp> {
        blobs.temps_in(self.forms().flat_map(CanonExpr::all_blobs))
    }
    /// Makes right for the place of `levels` what follows from the forms: their levels, the symbase of a terminal
    /// reference, and the blob references. A self blob needs none: the reference itself is to its variable.
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
