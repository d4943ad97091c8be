//! Metadata. Nodes keep the numbers of the input, so text that is kept verbatim (opaque functions, debug info) remains
//! valid. Nodes written inline are numbered when printed.

use crate::constant::ConstPool;
use crate::entity::{Const, MdId, PrimaryMap};
use rustc_hash::FxHashMap;
use std::sync::Arc;

macro_rules! md_kinds {
    ($($variant:ident = $text:literal,)*) => {
        /// The kind of a metadata attachment, under LLVM's names.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs, reason = "each variant is named by its spelling, which LangRef documents")]
        pub enum MdKind {
            $($variant,)*
            /// A kind without modelled semantics, by its canonical spelling.
            Other(Arc<str>),
        }

        impl MdKind {
            /// The spelling without `!`.
            pub fn name(&self) -> &str {
                match self { $(Self::$variant => $text,)* Self::Other(name) => name }
            }
            /// The kind spelled `name`.
            pub fn from_name(name: &str) -> Self {
                match name { $($text => Self::$variant,)* _ => Self::Other(name.into()) }
            }
        }
    };
}

md_kinds! {
    Dbg = "dbg",
    DIAssignID = "DIAssignID",
    Tbaa = "tbaa",
    TbaaStruct = "tbaa.struct",
    Prof = "prof",
    FpMath = "fpmath",
    Range = "range",
    InvariantLoad = "invariant.load",
    InvariantGroup = "invariant.group",
    AliasScope = "alias.scope",
    NoAlias = "noalias",
    NonTemporal = "nontemporal",
    MemParallelLoopAccess = "llvm.mem.parallel_loop_access",
    AccessGroup = "llvm.access.group",
    Loop = "llvm.loop",
    NonNull = "nonnull",
    NoUndef = "noundef",
    Align = "align",
    Dereferenceable = "dereferenceable",
    DereferenceableOrNull = "dereferenceable_or_null",
    Unpredictable = "unpredictable",
    MakeImplicit = "make.implicit",
    Srcloc = "srcloc",
    Callees = "callees",
    Callback = "callback",
    Annotation = "annotation",
    NoSanitize = "nosanitize",
}

/// The target of an attachment or of a node's operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MdRef {
    /// A node of the module.
    Node(MdId),
    /// A constant of the module's pool, wrapped as metadata.
    Const(Const),
}

/// An operand of a metadata tuple.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MdOperand {
    /// `null`.
    Null,
    /// `!"…"`, in canonical spelling without the quotes.
    String(Box<str>),
    /// A node.
    Node(MdId),
    /// A constant of the module's pool.
    Const(Const),
}

/// The contents of a metadata node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MdBody {
    /// `!{…}`.
    Tuple(Vec<MdOperand>),
    /// `!DIxxx(…)`, `!DIExpression(…)` and the like, kept as spelled.
    Text(Box<str>),
    /// `!"…"` in a position that refers to a node, in canonical spelling without the quotes.
    String(Box<str>),
}

/// A metadata node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MdNode {
    /// Its number in the text; `None` if it was written inline.
    pub number: Option<u32>,
    /// Whether it is `distinct`.
    pub distinct: bool,
    /// Its contents; `None` while it has only been referenced.
    pub body: Option<MdBody>,
}

/// The name of the named metadata that holds the module flags.
pub const MODULE_FLAGS: &str = "llvm.module.flags";

/// All metadata of a module.
#[derive(Clone, Debug, Default)]
pub struct MdTable {
    nodes: PrimaryMap<MdId, MdNode>,
    by_number: FxHashMap<u32, MdId>,
    /// `!name = !{…}` in text order.
    pub named: Vec<(Box<str>, Vec<MdId>)>,
}

impl MdTable {
    /// The node with this number, created without a body if it is new.
    pub fn numbered(&mut self, number: u32) -> MdId {
        *self
            .by_number
            .entry(number)
            .or_insert_with(|| self.nodes.push(MdNode { number: Some(number), distinct: false, body: None }))
    }
    /// Adds a node that was written inline or created by a transform.
    pub fn add(&mut self, distinct: bool, body: MdBody) -> MdId {
        self.nodes.push(MdNode { number: None, distinct, body: Some(body) })
    }
    /// Adds a distinct tuple whose first operand is the tuple itself, followed by `rest`: a loop id.
    pub fn add_distinct(&mut self, rest: impl IntoIterator<Item = MdOperand>) -> MdId {
        let id = self.nodes.push(MdNode { number: None, distinct: true, body: None });
        let operands = std::iter::once(MdOperand::Node(id)).chain(rest).collect();
        self.nodes[id].body = Some(MdBody::Tuple(operands));
        id
    }
    /// Defines the contents of node `id`; false if it is already defined.
    pub fn define(&mut self, id: MdId, distinct: bool, body: MdBody) -> bool {
        let node = &mut self.nodes[id];
        if node.body.is_some() {
            return false;
        }
        node.distinct = distinct;
        node.body = Some(body);
        true
    }
    /// The node `id`.
    pub fn get(&self, id: MdId) -> &MdNode {
        &self.nodes[id]
    }
    /// The operands of `id` if it is a tuple.
    pub fn tuple(&self, id: MdId) -> Option<&[MdOperand]> {
        match self.nodes[id].body.as_ref()? {
            MdBody::Tuple(operands) => Some(operands),
            MdBody::Text(_) | MdBody::String(_) => None,
        }
    }
    /// The source location of a loop's start: the first location in its `!llvm.loop` node, if there is one.
    pub fn start_of_loop(&self, options: MdRef) -> Option<MdRef> {
        let MdRef::Node(id) = options else { return None };
        let is_location = |of: &MdId| matches!(&self.get(*of).body, Some(MdBody::Text(text)) if text.trim_start_matches('!').starts_with("DILocation("));
        self.tuple(id)?.iter().find_map(|operand| match operand {
            MdOperand::Node(of) if is_location(of) => Some(MdRef::Node(*of)),
            MdOperand::Node(_) | MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
        })
    }
    /// All nodes in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (MdId, &MdNode)> {
        self.nodes.iter()
    }
    /// The half-open ranges `[lo, hi)` of a `!range` node.
    pub fn ranges(&self, id: MdId, pool: &ConstPool) -> Option<Vec<(crate::int::Int, crate::int::Int)>> {
        let operands = self.tuple(id)?;
        let ints: Option<Vec<_>> = operands
            .iter()
            .map(|o| match o {
                MdOperand::Const(c) => pool.as_int(*c),
                MdOperand::Null | MdOperand::String(_) | MdOperand::Node(_) => None,
            })
            .collect();
        let ints = ints?;
        (ints.len() % 2 == 0).then(|| ints.chunks(2).map(|p| (p[0], p[1])).collect())
    }
    /// The fields of a `!tbaa.struct` node: offset and size in bytes, and access tag. `None` for a malformed field.
    pub fn fields(&self, id: MdId, pool: &ConstPool) -> impl Iterator<Item = Option<(u64, u64, MdId)>> {
        let number = |operand: &MdOperand| match operand {
            MdOperand::Const(c) => pool.as_int(*c)?.to_u64(),
            MdOperand::Null | MdOperand::String(_) | MdOperand::Node(_) => None,
        };
        let operands = self.tuple(id).unwrap_or_default();
        operands.chunks(3).map(move |field| match field {
            [at, size, MdOperand::Node(tag)] => Some((number(at)?, number(size)?, *tag)),
            _ => None,
        })
    }
    /// Whether the node is a valid `!tbaa.struct` whose fields cover the bytes `0..len`.
    pub fn fields_cover(&self, id: MdId, pool: &ConstPool, len: u64) -> bool {
        let ends = self.fields(id, pool).map(|field| {
            let (at, size, _) = field?;
            Some((at, at.checked_add(size)?))
        });
        let fields: Option<Vec<(u64, u64)>> = ends.collect();
        let Some(mut fields) = fields.filter(|_| self.tuple(id).is_some()) else { return false };
        fields.sort_unstable();
        let covered =
            fields.iter().fold(0_u64, |end, (from, to)| if *from <= end { end.max(*to) } else { end });
        covered >= len
    }
    /// An unused number, larger than all others.
    pub fn next_number(&self) -> u32 {
        self.nodes.values().filter_map(|n| n.number).max().map_or(0, |n| n.saturating_add(1))
    }
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there are neither nodes nor named metadata.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.named.is_empty()
    }
}
