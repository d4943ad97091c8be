//! Blobs: the value trees that a [`crate::CanonExpr`] contains in addition to induction variables.
//!
//! A blob is a SCEV without add recurrences whose leaves are [`Temp`]s. Temps are scalar variables of a loop nest,
//! not SSA values, so a transformed nest with variables of its own still has blobs. A [`Blobs`] is the table of all
//! blobs of a function's nests; equal trees are one [`Blob`], the index that closed forms refer to.
//!
//! Requirements: the operands of one operation have one width; pointers appear only as leaves and in
//! [`Cast::PtrToInt`]. Guarantees: the result of a constructor equals the operation on the operands for all leaf
//! values for which the operation is defined, and is defined for them; arithmetic is modulo 2^width as in
//! `ScalarEvolution`. Blobs have no wrap flags: a blob states a value, not facts about it.
//!
//! Canonical forms: a sum is a flat linear combination of trees that are neither sums nor constants nor multiples,
//! ordered by index, with constants multiplied in. A product is flat, with at most one constant, which comes first
//! and does not multiply a sum. Minima and maxima are flat lists without repetition. Indices carry no meaning, except
//! that operands have lower ones.
//!
//! | purpose | file |
//! |---|---|
//! | the table, temps | here |
//! | operations | `fold` |
//! | substitution of variables | `replace` |
//! | evaluation | `value` |
//! | text | `print` |

mod fold;
mod print;
mod replace;
mod value;

pub use backedge_scev::{Cast, NAry};
pub use fold::Linear;
pub(crate) use print::cast_name;

use crate::symbase::Symbase;
use backedge_ir::data_layout::DataLayout;
use backedge_ir::entity::PrimaryMap;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

backedge_ir::entity_ids! {
    /// A blob: its index in a [`Blobs`].
    Blob, "blob";
    /// A scalar variable. The simplest blob is a single temp.
    Temp, "temp";
}

/// A type that a closed form can have.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScalarType {
    /// The type in the IR.
    pub ty: Type,
    /// The width of its arithmetic in bits: the width of an integer, or the index width of a pointer. For types
    /// without arithmetic (floats, vectors, aggregates) it is 1, which suffices to represent "once, with nothing
    /// added".
    pub width: u32,
}

impl ScalarType {
    /// The scalar type of values of type `ty`; `None` for integers wider than supported.
    pub fn new(layout: &DataLayout, ty: Type) -> Option<Self> {
        let width = match ty.kind() {
            TypeKind::Int(width) if width <= Int::MAX_WIDTH => width,
            TypeKind::Int(_) => return None,
            TypeKind::Ptr(space) => layout.index_bits(space),
            _ => 1,
        };
        Some(Self { ty, width })
    }
    /// The integer type of `width` bits.
    pub fn int(width: u32) -> Self {
        Self { ty: Type::int(width), width }
    }
    /// Whether it has sums and products, that is, whether it is an integer.
    pub fn is_int(self) -> bool {
        self.ty.is_int()
    }
}

/// A scalar variable.
#[derive(Clone, Debug)]
pub struct TempData {
    /// The name: `%x.018`, `@b`, `0.000000e+00`.
    pub name: Box<str>,
    /// Its type.
    pub ty: ScalarType,
    /// The variable's symbase. All values of a strongly connected set share one variable and one symbase.
    pub symbase: Symbase,
    /// The body's value that the variable equals outside of all nests, or was derived from; `None` for a variable
    /// introduced by a transform.
    pub value: Option<Value>,
}

/// The node of a blob's tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant; part of other blobs, but never a blob of a closed form by itself.
    Constant(Int),
    /// A variable.
    Temp(Temp),
    /// A conversion to the type of the blob.
    Cast(Cast, Blob),
    /// An operation on two or more operands.
    NAry(NAry, Arc<[Blob]>),
    /// The unsigned quotient.
    UDiv([Blob; 2]),
}

impl Node {
    /// The operands in order.
    pub fn operands(&self) -> &[Blob] {
        match self {
            Self::Constant(_) | Self::Temp(_) => &[],
            Self::Cast(_, operand) => std::slice::from_ref(operand),
            Self::NAry(_, operands) => operands,
            Self::UDiv(operands) => operands,
        }
    }
}

/// The blobs table.
#[derive(Clone, Debug, Default)]
pub struct Blobs {
    nodes: PrimaryMap<Blob, (Node, ScalarType)>,
    ids: FxHashMap<(Node, ScalarType), Blob>,
    temps: PrimaryMap<Temp, TempData>,
}

impl Blobs {
    /// Creates a variable.
    pub fn add_temp(&mut self, data: TempData) -> Temp {
        self.temps.push(data)
    }
    /// The data of `temp`.
    pub fn temp(&self, temp: Temp) -> &TempData {
        &self.temps[temp]
    }
    /// Changes the IR value that `temp` represents.
    pub(crate) fn set_value(&mut self, temp: Temp, value: Value) {
        self.temps[temp].value = Some(value);
    }
    /// All variables.
    pub fn temps(&self) -> impl DoubleEndedIterator<Item = Temp> + ExactSizeIterator + use<> {
        self.temps.keys()
    }
    /// The node of `blob`.
    pub fn node(&self, blob: Blob) -> &Node {
        &self.nodes[blob].0
    }
    /// The type of `blob`.
    pub fn ty(&self, blob: Blob) -> ScalarType {
        self.nodes[blob].1
    }
    /// The width of `blob` in bits.
    pub fn width(&self, blob: Blob) -> u32 {
        self.nodes[blob].1.width
    }
    /// The number of blobs.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there is no blob.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// The variable, if `blob` is a temp blob.
    pub fn as_temp(&self, blob: Blob) -> Option<Temp> {
        if let Node::Temp(temp) = self.node(blob) { Some(*temp) } else { None }
    }
    /// The integer, if `blob` is a constant.
    pub fn as_constant(&self, blob: Blob) -> Option<Int> {
        if let Node::Constant(value) = self.node(blob) { Some(*value) } else { None }
    }
    /// Calls `visit` once for each blob in the trees of `roots`, including the roots. Not recursive.
    pub fn all_parts(&self, roots: impl IntoIterator<Item = Blob>, mut visit: impl FnMut(Blob, &Node)) {
        let mut seen = FxHashSet::default();
        let mut work: Vec<Blob> = roots.into_iter().collect();
        while let Some(blob) = work.pop() {
            if seen.insert(blob) {
                let node = self.node(blob);
                visit(blob, node);
                work.extend_from_slice(node.operands());
            }
        }
    }
    /// The variables in `roots`, without duplicates, in ascending order.
    pub fn temps_in(&self, roots: impl IntoIterator<Item = Blob>) -> Vec<Temp> {
        let mut found = Vec::new();
        self.all_parts(roots, |_, node| {
            if let Node::Temp(temp) = node {
                found.push(*temp);
            }
        });
        found.sort_unstable();
        found
    }
    fn intern(&mut self, node: Node, ty: ScalarType) -> Blob {
        let key = (node, ty);
        if let Some(known) = self.ids.get(&key) {
            return *known;
        }
        let id = self.nodes.push(key.clone());
        self.ids.insert(key, id);
        id
    }
}
