//! Follows poison (or undefined bits) from where it was observed back to where it first arose.
//!
//! Each hop is exact: it leads to an operand, a stored value, an argument or a returned value that has the same kind
//! of bits at that place, as recorded. Members of aggregates and lanes of vectors are followed individually, by paths
//! of indices; memory is followed by bytes. If no operand accounts for the bits, they arose at that hop.

use super::record::{Node, Operand, Piece, Role, Source};
use super::writers::NodeId;
use crate::layout::Shape;
use crate::value::Val;
use backedge_ir::body::Body;
use backedge_ir::inst::{CastOp, InstKind};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Module;
use backedge_ir::types::Type;

/// The kind of bits that is followed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Bad {
    /// Poison.
    Poison,
    /// Undefined bits.
    Undef,
}

impl Bad {
    /// The kind's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Poison => "poison",
            Self::Undef => "undef",
        }
    }
    /// The kind found in `value`: poison if there is any, else undefined bits.
    pub(crate) fn of(value: &Val) -> Option<Self> {
        if value.has_poison() {
            Some(Self::Poison)
        } else {
            value.has_undef_or_poison().then_some(Self::Undef)
        }
    }
    fn is_leaf(self, value: &Val) -> bool {
        match self {
            Self::Poison => *value == Val::Poison,
            Self::Undef => value.cube().is_some_and(|c| !c.is_known()),
        }
    }
    /// Whether a scalar in `value` is of this kind.
    pub fn is_in(self, value: &Val) -> bool {
        value.any_leaf(|v| self.is_leaf(v))
    }
    /// The path to the first scalar of this kind.
    pub(crate) fn first_in(self, value: &Val) -> Option<Vec<u32>> {
        match value {
            Val::Agg(members) => members.iter().enumerate().find_map(|(i, member)| {
                let mut path = self.first_in(member)?;
                path.insert(0, i as u32);
                Some(path)
            }),
            Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_) => self.is_leaf(value).then(Vec::new),
        }
    }
}

/// The member of `value` at `path`; a scalar is the same in all lanes.
pub(crate) fn member<'a>(value: &'a Val, path: &[u32]) -> &'a Val {
    path.iter().fold(value, |v, i| v.members().get(*i as usize).unwrap_or(v))
}

/// How poison was passed on from the preceding link, in the order of the run.
#[derive(Clone, PartialEq, Debug)]
pub enum Via {
    /// It arose here.
    Arose,
    /// As an operand, by its index.
    Operand(usize),
    /// Over the edge by which control reached the phi's block.
    Edge,
    /// Through memory; offset in bytes from the first byte read.
    Memory(u64),
    /// As an argument of the call.
    Argument,
    /// As the value that the callee returned.
    Return,
}

/// One node on the way.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Hop {
    pub(crate) node: NodeId,
    /// The affected member of the node's value; for copies of bytes, the offset of the byte.
    pub(crate) path: Vec<u32>,
    pub(crate) via: Via,
}

/// Where the bits arose.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Origin {
    /// In the last node itself.
    Node,
    /// In a constant operand of the last node, by its index.
    Constant(usize),
    /// In loaded bytes: their address, and whether the object was outside its lifetime.
    Memory { addr: u64, outside_lifetime: bool },
    /// In steps that were dropped.
    NotKept,
}

/// The way from a node back to the origin.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Way {
    pub(crate) bad: Bad,
    /// The latest hop first.
    pub(crate) hops: Vec<Hop>,
    pub(crate) origin: Origin,
}

/// The target of a hop.
enum Next {
    Node { node: NodeId, path: Vec<u32>, via: Via },
    End(Origin),
}

/// Follows nodes to their operands.
#[derive(Copy, Clone)]
pub(crate) struct Tracer<'a> {
    pub(crate) module: &'a Module,
    pub(crate) nodes: &'a [Node],
}

impl<'a> Tracer<'a> {
    pub(crate) fn node(&self, id: NodeId) -> &'a Node {
        &self.nodes[id.0 as usize]
    }
    /// The way back from `node`, whose value has `bad` at `path`.
    pub(crate) fn follow(&self, node: NodeId, path: Vec<u32>, bad: Bad) -> Way {
        let mut way = Way { bad, hops: Vec::new(), origin: Origin::Node };
        let (mut node, mut path) = (node, path);
        loop {
            let next = self.next(node, &path, bad);
            let via = match &next {
                Next::Node { via, .. } => via.clone(),
                Next::End(_) => Via::Arose,
            };
            way.hops.push(Hop { node, path, via });
            match next {
                // Nodes refer only to older nodes, except for a step's store, which refers to the step's own result.
                Next::Node { node: next, path: next_path, .. } => (node, path) = (next, next_path),
                Next::End(origin) => {
                    way.origin = origin;
                    return way;
                }
            }
        }
    }
    fn next(&self, id: NodeId, path: &[u32], bad: Bad) -> Next {
        let node = self.node(id);
        // Poison made by attributes or flags from a value that was not poison arose here.
        if let Some(raw) = &node.raw
            && !bad.is_in(member(raw, path))
        {
            return Next::End(Origin::Node);
        }
        let first = |via: Via| {
            let operand = node.operands.first().filter(|o| bad.is_in(member(&o.value, path)));
            operand.map_or(Next::End(Origin::Node), |o| lead(o, 0, path.to_vec(), bad, via))
        };
        match &node.role {
            Role::Incoming => first(Via::Edge),
            Role::Argument(_) => first(Via::Argument),
            Role::Returned => first(Via::Operand(0)),
            Role::Called => first(Via::Return),
            Role::Answered => Next::End(Origin::Node),
            Role::Stored { .. } => {
                let at = node.operands.iter().position(|o| bad.is_in(member(&o.value, path)));
                at.map_or(Next::End(Origin::Node), |i| {
                    lead(&node.operands[i], i, path.to_vec(), bad, Via::Operand(i))
                })
            }
            Role::Loaded { addr, pieces, first: pair } => {
                let tail = if *pair { path.get(1..).unwrap_or_default() } else { path };
                let (from, len) = self.loaded_shape(node).map_or((0, u64::MAX), |s| span(&s, tail));
                self.through_memory(pieces, *addr, from..from.saturating_add(len), bad)
            }
            Role::Masked { lanes, rest } => {
                let lane = path.first().and_then(|i| lanes.get(*i as usize));
                if let Some(Some((addr, pieces))) = lane {
                    return self.through_memory(pieces, *addr, 0..u64::MAX, bad);
                }
                let operand = node.operands.get(*rest).filter(|o| bad.is_in(member(&o.value, path)));
                operand.map_or(Next::End(Origin::Node), |o| {
                    lead(o, *rest, path.to_vec(), bad, Via::Operand(*rest))
                })
            }
            Role::Copied { from, pieces, .. } => {
                // The path of a copy is the offset of a byte.
                let offset = path.first().copied().unwrap_or(0).into();
                self.through_memory(pieces, *from, offset..offset + 1, bad)
            }
            Role::Result => self.through_operands(node, path, bad),
        }
    }
    fn through_memory(&self, pieces: &[Piece], addr: u64, range: std::ops::Range<u64>, bad: Bad) -> Next {
        let overlaps = |p: &&Piece| p.offset < range.end && range.start < p.offset + p.len;
        let wanted = |p: &&Piece| match bad {
            Bad::Poison => p.poison,
            Bad::Undef => p.undef,
        };
        let Some(piece) = pieces.iter().find(|p| overlaps(p) && wanted(p)) else {
            return Next::End(Origin::Node);
        };
        let offset = piece.offset.max(range.start);
        let addr = addr.wrapping_add(offset);
        match piece.source {
            Source::Unwritten => Next::End(Origin::Memory { addr, outside_lifetime: false }),
            Source::OutsideLifetime => Next::End(Origin::Memory { addr, outside_lifetime: true }),
            Source::Written(writer) => {
                let path = self.path_of_byte(writer, addr, bad);
                Next::Node { node: writer, path, via: Via::Memory(offset) }
            }
        }
    }
    /// The path to the member of the value stored by `writer` that contains the byte at `addr`.
    pub(crate) fn path_of_byte(&self, writer: NodeId, addr: u64, bad: Bad) -> Vec<u32> {
        let node = self.node(writer);
        match &node.role {
            Role::Copied { addr: start, .. } => vec![addr.wrapping_sub(*start) as u32],
            Role::Stored { addr: start } => {
                let shape = self.stored_shape(node);
                let path = shape.and_then(|s| leaf_at(&s, addr.wrapping_sub(*start)));
                let fits = path.filter(|p| bad.is_in(member(&node.value, p)));
                fits.or_else(|| bad.first_in(&node.value)).unwrap_or_default()
            }
            Role::Result
            | Role::Incoming
            | Role::Loaded { .. }
            | Role::Masked { .. }
            | Role::Argument(_)
            | Role::Returned
            | Role::Called
            | Role::Answered => Vec::new(),
        }
    }
    fn body(&self, node: &Node) -> Option<&'a Body> {
        self.module.body(node.at.func)
    }
    fn loaded_shape(&self, node: &Node) -> Option<Shape> {
        let ty = self.body(node)?.inst(node.at.inst?).ty;
        let pair = matches!(node.role, Role::Loaded { first: true, .. });
        let ty = if pair { self.module.env.types.member(ty, 0)? } else { ty };
        Shape::of(&self.module.env, ty).ok()
    }
    fn stored_shape(&self, node: &Node) -> Option<Shape> {
        let body = self.body(node)?;
        let data = body.inst(node.at.inst?);
        let ty: Option<Type> = match &data.kind {
            InstKind::Store(_) => Some(body.ty(data.operands[0])),
            InstKind::AtomicRmw(..) => Some(data.ty),
            InstKind::CmpXchg(_) => Some(body.ty(data.operands[2])),
            // Masked stores. A fill has the same byte everywhere.
            InstKind::Call(_) if !node.value.members().is_empty() => Some(body.ty(data.operands[0])),
            _ => None,
        };
        Shape::of(&self.module.env, ty?).ok()
    }
    /// The operand of an ordinary instruction that accounts for its result.
    fn through_operands(&self, node: &Node, path: &[u32], bad: Bad) -> Next {
        let data = self.body(node).zip(node.at.inst).map(|(body, inst)| body.inst(inst));
        let Some(data) = data else { return Next::End(Origin::Node) };
        let operands = &node.operands;
        let pick = |i: usize, path: Vec<u32>| {
            let operand = operands.get(i).filter(|o| bad.is_in(member(&o.value, &path)));
            operand.map_or(Next::End(Origin::Node), |o| lead(o, i, path, bad, Via::Operand(i)))
        };
        let lanewise = || {
            let at = operands.iter().position(|o| bad.is_in(member(&o.value, path)));
            at.map_or(Next::End(Origin::Node), |i| pick(i, path.to_vec()))
        };
        let anywhere = || {
            let at = operands.iter().position(|o| bad.is_in(&o.value));
            at.map_or(Next::End(Origin::Node), |i| pick(i, Vec::new()))
        };
        let index = |i: usize| {
            let cube = operands.get(i).and_then(|o| o.value.cube()).filter(|c| c.is_known())?;
            u32::try_from(cube.bits).ok()
        };
        let joined = |head: &[u32], tail: &[u32]| [head, tail].concat();
        match &data.kind {
            InstKind::Select(_) => match member(&operands[0].value, path) {
                Val::Bits(bit) => pick(if *bit != 0 { 1 } else { 2 }, path.to_vec()),
                Val::Poison | Val::Wide(_) | Val::Ptr(_) | Val::Agg(_) => lanewise(),
            },
            InstKind::ExtractValue(indices) => pick(0, joined(indices, path)),
            InstKind::InsertValue(indices) => match path.strip_prefix(&**indices) {
                Some(rest) => pick(1, rest.to_vec()),
                None => pick(0, path.to_vec()),
            },
            InstKind::ExtractElement => match index(1) {
                Some(lane) if (lane as usize) < operands[0].value.members().len() => {
                    pick(0, joined(&[lane], path))
                }
                _ => pick(1, Vec::new()),
            },
            InstKind::InsertElement => match (index(2), path.split_first()) {
                (Some(lane), Some((first, rest))) if (lane as usize) < operands[0].value.members().len() => {
                    if *first == lane {
                        pick(1, rest.to_vec())
                    } else {
                        pick(0, path.to_vec())
                    }
                }
                _ => pick(2, Vec::new()),
            },
            InstKind::ShuffleVector(mask) => {
                let Some((first, rest)) = path.split_first() else { return Next::End(Origin::Node) };
                let count = operands[0].value.members().len() as u32;
                match mask.get(*first as usize).copied().flatten() {
                    Some(lane) if lane < count => pick(0, joined(&[lane], rest)),
                    Some(lane) => pick(1, joined(&[lane - count], rest)),
                    None => Next::End(Origin::Node),
                }
            }
            InstKind::Cast(CastOp::BitCast, _) if member(&operands[0].value, path).members().is_empty() => {
                let same = operands[0].value.members().len() == node.value.members().len();
                if same { lanewise() } else { anywhere() }
            }
            InstKind::Call(_) => match self.intrinsic(node) {
                Some(
                    Intrinsic::UAddWithOverflow
                    | Intrinsic::SAddWithOverflow
                    | Intrinsic::USubWithOverflow
                    | Intrinsic::SSubWithOverflow
                    | Intrinsic::UMulWithOverflow
                    | Intrinsic::SMulWithOverflow,
                ) => {
                    let lane = path.get(1..).unwrap_or_default();
                    let at = operands.iter().position(|o| bad.is_in(member(&o.value, lane)));
                    at.map_or(Next::End(Origin::Node), |i| pick(i, lane.to_vec()))
                }
                _ if path.is_empty() => anywhere(),
                _ => lanewise(),
            },
            _ => lanewise(),
        }
    }
    /// The intrinsic that a node's instruction calls.
    pub(crate) fn intrinsic(&self, node: &Node) -> Option<Intrinsic> {
        let body = self.body(node)?;
        let call = body.inst(node.at.inst?).call()?;
        body.called_function(call.callee()).and_then(|f| self.module.env.funcs[f].intrinsic)
    }
}

/// The hop to an operand that has `bad` at `path`.
fn lead(operand: &Operand, position: usize, path: Vec<u32>, bad: Bad, via: Via) -> Next {
    let below = bad.first_in(member(&operand.value, &path)).unwrap_or_default();
    // A scalar used for all lanes has no path.
    let path = if operand.value.members().is_empty() { Vec::new() } else { [path, below].concat() };
    match operand.node {
        Some(node) => Next::Node { node, path, via },
        None if operand.constant => Next::End(Origin::Constant(position)),
        None => Next::End(Origin::NotKept),
    }
}

/// The bytes of the member at `path`: offset and length.
fn span(shape: &Shape, path: &[u32]) -> (u64, u64) {
    let Some((first, rest)) = path.split_first() else { return (0, shape.store_bytes()) };
    let (offset, member) = match shape {
        Shape::Vector { elem, .. } if elem.bits().is_multiple_of(8) => {
            (u64::from(*first) * elem.store_bytes(), &**elem)
        }
        Shape::Array { stride, elem, .. } => (u64::from(*first) * stride, &**elem),
        Shape::Struct { fields, .. } => match fields.get(*first as usize) {
            Some((offset, field)) => (*offset, field),
            None => return (0, shape.store_bytes()),
        },
        Shape::Int(_) | Shape::Float(_) | Shape::Ptr(_) | Shape::Vector { .. } => {
            return (0, shape.store_bytes());
        }
    };
    let (at, len) = span(member, rest);
    (offset + at, len)
}

/// The path to the scalar that contains the byte at `offset`; `None` for padding and for vectors whose elements are
/// not whole bytes.
fn leaf_at(shape: &Shape, offset: u64) -> Option<Vec<u32>> {
    let inner = |index: u64, member: &Shape, offset: u64| {
        let mut path = leaf_at(member, offset)?;
        path.insert(0, u32::try_from(index).ok()?);
        Some(path)
    };
    match shape {
        Shape::Int(_) | Shape::Float(_) | Shape::Ptr(_) => (offset < shape.store_bytes()).then(Vec::new),
        Shape::Vector { len, elem } if elem.bits().is_multiple_of(8) => {
            let index = offset / elem.store_bytes().max(1);
            if index < *len { inner(index, elem, offset % elem.store_bytes().max(1)) } else { None }
        }
        Shape::Vector { .. } => None,
        Shape::Array { len, stride, elem } => {
            let index = offset / (*stride).max(1);
            if index < *len { inner(index, elem, offset % (*stride).max(1)) } else { None }
        }
        Shape::Struct { fields, .. } => {
            let at = fields.iter().rposition(|(start, _)| *start <= offset)?;
            inner(at as u64, &fields[at].1, offset - fields[at].0)
        }
    }
}
