//! Blobs: the trees of values that a [`crate::CanonExpr`] is made of besides induction variables.
//!
//! A blob is a SCEV without add recurrences, whose leaves are [`Temp`]s: scalar variables of a loop nest, not values in
//! SSA form, so that a nest that has been transformed, with variables of its own, still has blobs. A [`Blobs`] is the
//! table of all blobs of a function's nests; equal trees are one [`Blob`], which is the index that closed forms name.
//!
//! Needs: operands of one operation have one width; pointers take part only as leaves and in
//! [`Cast::PtrToInt`]. Guarantees: what a constructor gives equals the operation on the operands for all values of the
//! leaves for which the operation is defined, in arithmetic modulo 2^width as in `ScalarEvolution`, and is defined then.
//! No wrap flags are kept: a blob says what a value is, not what is known of it.
//!
//! Forms: a sum is flat, a linear combination of trees that are neither sums nor constants nor multiples, in the order of
//! their indices, constants multiplied in; a product is flat, with at most one constant, in front, and that not of a sum;
//! minima and maxima are flat lists without repetition. An index says nothing of what stands in the tree, but operands
//! have lower ones.
//!
//! | what | file |
//! |---|---|
//! | the table, temps | here |
//! | operations | `fold` |
//! | other variables | `replace` |
//! | values | `value` |
//! | text | `print` |

mod fold;
mod print;
mod replace;
mod value;

pub use backedge_scev::{Cast, NAry};
pub use fold::Linear;
pub(crate) use print::cast_name;

use crate::ddref::Symbase;
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
    /// A scalar variable: the most basic kind of blob is one of these alone.
    Temp, "temp";
}

/// A type that closed forms can have.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScalarType {
    /// The type in the IR.
    pub ty: Type,
    /// The width in which it is computed: of an integer its own, of a pointer that of its index type. Of a type without
    /// arithmetic (floats, vectors, aggregates) it is 1, which is enough to say "once, and nothing added".
    pub width: u32,
}

impl ScalarType {
    /// The type of values of type `ty`; `None` of integers that are wider than is modelled.
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
    /// Whether sums and products of it are meant: whether it is an integer.
    pub fn is_int(self) -> bool {
        self.ty.is_int()
    }
}

/// A scalar variable.
#[derive(Clone, Debug)]
pub struct TempData {
    /// What it is called: `%x.018`, `@b`, `0.000000e+00`.
    pub name: Box<str>,
    /// Its type.
    pub ty: ScalarType,
    /// The number of the datum that it is. Values of a strongly connected set have one variable, and that one number.
    pub symbase: Symbase,
    /// The value of the body that it stands for outside of all nests, or came from; `None` if a transform made it.
    pub value: Option<Value>,
}

/// What a blob is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A known integer; no blob of a closed form by itself, but a part of blobs.
    Constant(Int),
    /// A variable.
    Temp(Temp),
    /// A conversion to the type of the blob.
    Cast(Cast, Blob),
    /// An operation on two or more operands.
    NAry(NAry, Arc<[Blob]>),
    /// The quotient as unsigned.
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
    /// A new variable.
    pub fn add_temp(&mut self, data: TempData) -> Temp {
        self.temps.push(data)
    }
    /// What `temp` is.
    pub fn temp(&self, temp: Temp) -> &TempData {
        &self.temps[temp]
    }
    /// Says that `temp` is another value of the code now.
    pub(crate) fn set_value(&mut self, temp: Temp, value: Value) {
        self.temps[temp].value = Some(value);
    }
    /// All variables.
    pub fn temps(&self) -> impl DoubleEndedIterator<Item = Temp> + ExactSizeIterator + use<> {
        self.temps.keys()
    }
    /// What `blob` is.
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
    /// How many blobs there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there is no blob.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// The variable that `blob` is, if it is a temp blob.
    pub fn as_temp(&self, blob: Blob) -> Option<Temp> {
        if let Node::Temp(temp) = self.node(blob) { Some(*temp) } else { None }
    }
    /// The integer that `blob` is, if it is one.
    pub fn as_constant(&self, blob: Blob) -> Option<Int> {
        if let Node::Constant(value) = self.node(blob) { Some(*value) } else { None }
    }
    /// Calls `visit` once for each blob in `roots`, themselves included. Not recursive.
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
    /// The variables in `roots`, each once, in ascending order.
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
