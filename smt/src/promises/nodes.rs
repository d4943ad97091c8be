//! Compares metadata nodes by contents, because node numbers differ between modules.
//!
//! A node has a hash of its contents at any depth. A reference to the node itself or to an enclosing one is hashed as
//! its distance. Distinct nodes with equal contents are distinguished by their position among the nodes that the
//! function refers to, in text order; they are unequal if the functions have different numbers of them. A node that is
//! too deep or too large is equal to nothing in the other function.

use super::Promised;
use crate::refinement::FunctionRef;
use backedge_ir::constant::{ConstData, MetadataConst};
use backedge_ir::entity::MdId;
use backedge_ir::metadata::{MdBody, MdOperand, MdRef};
use backedge_ir::module::Env;
use backedge_ir::print::constant_to_string;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash as _, Hasher as _};

/// Maximum number of nodes visited for one function: bounds the time. Further nodes are equal to themselves alone.
const MANY: usize = 50_000;
/// Maximum depth of nodes: bounds the recursion. Deeper nodes are equal to themselves alone.
const DEPTH: usize = 500;

/// One of the functions of a pair.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Of {
    /// The source.
    Source,
    /// The target.
    Target,
}

/// The nodes that a function refers to.
pub(super) struct Nodes<'m> {
    env: &'m Env,
    of: Of,
    /// Hashes of nodes without references to enclosing nodes.
    hashes: FxHashMap<MdId, u64>,
    /// The position of a distinct node among those with equal contents, and the number of these nodes.
    places: FxHashMap<MdId, (usize, usize)>,
    /// Number of nodes that may still be visited.
    left: usize,
}

impl<'m> Nodes<'m> {
    pub(super) fn new(side: FunctionRef<'m>, of: Of) -> Self {
        let env = &side.module.env;
        let mut nodes =
            Self { env, of, hashes: FxHashMap::default(), places: FxHashMap::default(), left: MANY };
        let mut alike: BTreeMap<u64, Vec<MdId>> = BTreeMap::new();
        for node in nodes.distinct(side) {
            alike.entry(nodes.of_node(node)).or_default().push(node);
        }
        for group in alike.into_values().filter(|group| group.len() > 1) {
            let places = group.iter().enumerate().map(|(at, node)| (*node, (at, group.len())));
            nodes.places.extend(places);
        }
        nodes.hashes.clear();
        nodes
    }
    /// A hash of the contents of an attachment or operand.
    pub(super) fn of(&mut self, md: MdRef) -> u64 {
        match md {
            MdRef::Const(c) => hash_of(constant_to_string(self.env, c)),
            MdRef::Node(id) => self.of_node(id),
        }
    }
    /// A hash of the contents of a node.
    pub(super) fn of_node(&mut self, id: MdId) -> u64 {
        self.follow(id, &mut Vec::new()).0
    }
    /// The distinct nodes that a function refers to.
    fn distinct(&mut self, side: FunctionRef<'_>) -> BTreeSet<MdId> {
        let env = self.env;
        let attached = env.funcs[side.func].metadata.iter();
        let body = side.module.body(side.func);
        let attached = attached.chain(
            body.into_iter().flat_map(|body| body.all_insts().flat_map(|inst| &body.inst(inst).metadata)),
        );
        let mut work: Vec<MdId> = attached.filter_map(|(_, md)| node(*md)).collect();
        let constants = body.into_iter().flat_map(|body| body.consts().iter());
        work.extend(constants.filter_map(|(_, constant)| match constant.data {
            ConstData::Metadata(MetadataConst::Node(id)) => Some(id),
            _ => None,
        }));
        let mut seen: FxHashSet<MdId> = work.iter().copied().collect();
        let mut found = BTreeSet::new();
        while let Some(id) = work.pop().filter(|_| seen.len() <= MANY) {
            let inner = env.metadata.tuple(id).unwrap_or_default().iter().filter_map(operand);
            let is_own = |other: &MdId| *other == id;
            if env.metadata.get(id).distinct || inner.clone().any(|other| is_own(&other)) {
                found.insert(id);
            }
            work.extend(inner.filter(|id| seen.insert(*id)));
        }
        found
    }
    /// The hash of a node enclosed by `above`, and the outermost of these nodes that it refers to.
    fn follow(&mut self, id: MdId, above: &mut Vec<MdId>) -> (u64, usize) {
        /// No enclosing node.
        const NONE: usize = usize::MAX;
        let depth = above.len();
        if let Some(at) = above.iter().position(|other| *other == id) {
            return (hash_of(("above", depth - at)), at);
        }
        if let Some(hash) = self.hashes.get(&id) {
            return (*hash, NONE);
        }
        if self.left == 0 || depth >= DEPTH {
            return (hash_of(("not looked at", self.of, id)), 0);
        }
        self.left -= 1;
        above.push(id);
        let env = self.env;
        let node = env.metadata.get(id);
        let mut highest = NONE;
        let mut hasher = FxHasher::default();
        (node.distinct, self.places.get(&id)).hash(&mut hasher);
        match &node.body {
            Some(MdBody::Tuple(operands)) => {
                for operand in operands {
                    match operand {
                        MdOperand::Null => 0.hash(&mut hasher),
                        MdOperand::String(text) => (1, text).hash(&mut hasher),
                        MdOperand::Const(c) => (2, constant_to_string(env, *c)).hash(&mut hasher),
                        MdOperand::Node(inner) => {
                            let (hash, at) = self.follow(*inner, above);
                            (3, hash).hash(&mut hasher);
                            highest = highest.min(at);
                        }
                    }
                }
            }
            Some(MdBody::Text(text) | MdBody::String(text)) => (4, text).hash(&mut hasher),
            None => 5.hash(&mut hasher),
        }
        above.pop();
        let hash = hasher.finish();
        if highest < depth {
            return (hash, highest);
        }
        self.hashes.insert(id, hash);
        (hash, NONE)
    }
}

/// The text of an attachment that contains constants and strings.
pub(super) fn words(env: &Env, md: MdRef) -> String {
    let id = match md {
        MdRef::Const(c) => return constant_to_string(env, c),
        MdRef::Node(id) => id,
    };
    let operand = |operand: &MdOperand| match operand {
        MdOperand::Null => "null".to_owned(),
        MdOperand::String(text) => format!("\"{text}\""),
        MdOperand::Const(c) => constant_to_string(env, *c),
        MdOperand::Node(_) => "a node".to_owned(),
    };
    let operands = env.metadata.tuple(id).unwrap_or_default().iter();
    format!("{{{}}}", operands.map(operand).collect::<Vec<_>>().join(", "))
}

fn hash_of(what: impl std::hash::Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

fn node(md: MdRef) -> Option<MdId> {
    match md {
        MdRef::Node(id) => Some(id),
        MdRef::Const(_) => None,
    }
}

/// The node of an operand, if it is one.
pub(super) fn operand(operand: &MdOperand) -> Option<MdId> {
    match operand {
        MdOperand::Node(id) => Some(*id),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    }
}

/// The claim that the function `name` keeps the promise of this kind of metadata at a place.
pub(super) fn claimed(name: &str, kind: &str, place: &str) -> Promised {
    Promised::new(format!("`!{kind}`"), place).claiming(format!("@{name} keeps !{kind}"))
}
