//! The tree: nodes in lists, and its editing operations. Nodes are ids in an arena; a removed node stays in the arena
//! together with its subtree and can be inserted again.

use super::id::Node;
use super::{HlLoop, HlRegion, Kind, List};
use crate::blob::{Blobs, Temp};
use crate::canon::Level;
use crate::ddg::facts::Facts;
use crate::ddg::{Ddg, Refused};
use crate::symbase::Symbase;
use backedge_ir::entity::PrimaryMap;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::RefCell;
use std::rc::Rc;

/// The first and the last node of a list.
type Ends = Option<(Node, Node)>;

#[derive(Clone, Debug)]
struct Entry {
    kind: Kind,
    /// The parent and the index of the parent's list that contains this node.
    parent: Option<(Node, u32)>,
    prev: Option<Node>,
    next: Option<Node>,
    lists: SmallVec<[Ends; 3]>,
}

/// The nests of one function in lexical order, and the blobs of their closed forms.
#[derive(Clone, Debug, Default)]
pub struct Hir {
    /// The blobs and variables.
    pub blobs: Blobs,
    /// Facts about the code that the nests were built from.
    pub(crate) facts: Facts,
    /// Spelling of instruction types, for printing.
    pub(crate) type_names: FxHashMap<Type, Box<str>>,
    nodes: PrimaryMap<Node, Entry>,
    regions: Vec<Node>,
    /// The number of symbases created so far.
    symbases: u32,
    /// Cached results for the current tree.
    found: RefCell<Cached>,
    /// Solver steps spent on dependence graphs, by region. Shared with all later versions of this tree and with its
    /// trial copies.
    spent: Rc<RefCell<FxHashMap<Node, u32>>>,
}

/// Cached results derived from the tree; cleared whenever the tree changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cached {
    pub(super) order: Option<Rc<super::order::Order>>,
    pub(super) flow: FxHashMap<Node, Rc<super::flow::Flow>>,
    /// Dependence graphs, by root and by whether they contain input dependences.
    pub(crate) ddg: FxHashMap<(Node, bool), Result<Rc<Ddg>, Refused>>,
    /// The nodes that write each variable, by region.
    definitions: FxHashMap<Node, Rc<FxHashMap<Temp, Vec<Node>>>>,
}

impl Hir {
    /// The regions, in order of creation.
    pub fn regions(&self) -> &[Node] {
        &self.regions
    }
    /// A fresh symbase.
    pub fn new_symbase(&mut self) -> Symbase {
        self.symbases += 1;
        Symbase(Symbase::FIRST.0 + self.symbases - 1)
    }
    /// Creates an empty region.
    pub fn add_region(&mut self, region: HlRegion) -> Node {
        let node = self.create(Kind::Region(region));
        self.regions.push(node);
        node
    }
    /// Removes the most recently added region from the list of regions.
    pub(crate) fn drop_last_region(&mut self) {
        self.forget();
        self.regions.pop();
    }
    /// Creates a node that is in no list yet.
    pub fn create(&mut self, kind: Kind) -> Node {
        let lists = smallvec![None; kind.lists()];
        self.nodes.push(Entry { kind, parent: None, prev: None, next: None, lists })
    }
    /// The kind of `node`.
    pub fn kind(&self, node: Node) -> &Kind {
        &self.nodes[node].kind
    }
    /// Edits `node` in place. It must keep its kind, and a switch its number of cases. Refresh the references afterwards
    /// ([`Self::refresh`]); refresh those of all nodes if another variable is written.
    pub fn edit<T>(&mut self, node: Node, change: impl FnOnce(&mut Kind, &mut Blobs) -> T) -> T {
        self.forget();
        let result = change(&mut self.nodes[node].kind, &mut self.blobs);
        debug_assert_eq!(self.nodes[node].lists.len(), self.nodes[node].kind.lists(), "another kind of node");
        result
    }
    /// Edits `l` in place if it is a loop; otherwise does nothing.
    pub fn edit_loop(&mut self, l: Node, change: impl FnOnce(&mut HlLoop)) {
        self.edit(l, |kind, _| {
            if let Kind::Loop(of) = kind {
                change(of);
            }
        });
    }
    /// The number of nodes created.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether no node was created.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// The node whose list contains `node`.
    pub fn parent(&self, node: Node) -> Option<Node> {
        self.nodes[node].parent.map(|(parent, _)| parent)
    }
    /// The list of its parent that contains `node`.
    pub fn list_of(&self, node: Node) -> Option<List> {
        self.nodes[node].parent.map(|(parent, list)| self.kind(parent).list_at(list as usize))
    }
    /// The lists of `node`, in lexical order.
    pub fn lists(&self, node: Node) -> impl DoubleEndedIterator<Item = List> + ExactSizeIterator + '_ {
        let entry = &self.nodes[node];
        (0..entry.lists.len()).map(|at| entry.kind.list_at(at))
    }
    /// The node before `node` in its list.
    pub fn prev(&self, node: Node) -> Option<Node> {
        self.nodes[node].prev
    }
    /// The node after `node` in its list.
    pub fn next(&self, node: Node) -> Option<Node> {
        self.nodes[node].next
    }
    /// The first node of a list; `None` if the list is empty or missing.
    pub fn first(&self, parent: Node, list: List) -> Option<Node> {
        self.ends(parent, list).map(|(first, _)| first)
    }
    /// The last node of a list; `None` if the list is empty or missing.
    pub fn last(&self, parent: Node, list: List) -> Option<Node> {
        self.ends(parent, list).map(|(_, last)| last)
    }
    fn ends(&self, parent: Node, list: List) -> Ends {
        let entry = &self.nodes[parent];
        entry.kind.list_index(list).and_then(|index| entry.lists[index])
    }
    /// The nodes of a list in order.
    pub fn children(&self, parent: Node, list: List) -> impl Iterator<Item = Node> + '_ {
        std::iter::successors(self.first(parent, list), |node| self.next(*node))
    }
    /// Inserts `node`, which is in no list, at the front of a list of `parent`.
    pub fn insert_first(&mut self, parent: Node, list: List, node: Node) {
        let next = self.first(parent, list);
        self.link(parent, self.index(parent, list), [None, next], node);
    }
    /// Inserts `node`, which is in no list, at the end of a list of `parent`.
    pub fn insert_last(&mut self, parent: Node, list: List, node: Node) {
        let prev = self.last(parent, list);
        self.link(parent, self.index(parent, list), [prev, None], node);
    }
    /// Inserts `node`, which is in no list, before `at`, which is in one.
    pub fn insert_before(&mut self, at: Node, node: Node) {
        let (parent, list) = self.nodes[at].parent.expect("a node in a list");
        self.link(parent, list, [self.nodes[at].prev, Some(at)], node);
    }
    /// Inserts `node`, which is in no list, after `at`, which is in one.
    pub fn insert_after(&mut self, at: Node, node: Node) {
        let (parent, list) = self.nodes[at].parent.expect("a node in a list");
        self.link(parent, list, [Some(at), self.nodes[at].next], node);
    }
    fn index(&self, parent: Node, list: List) -> u32 {
        self.kind(parent).list_index(list).expect("a list that the node has") as u32
    }
    fn link(&mut self, parent: Node, list: u32, [prev, next]: [Option<Node>; 2], node: Node) {
        self.forget();
        assert!(self.nodes[node].parent.is_none(), "{node:?} is in a list already");
        debug_assert!(!self.ancestors(parent).any(|a| a == node), "{node:?} would be in itself");
        let entry = &mut self.nodes[node];
        (entry.parent, entry.prev, entry.next) = (Some((parent, list)), prev, next);
        if let Some(prev) = prev {
            self.nodes[prev].next = Some(node);
        }
        if let Some(next) = next {
            self.nodes[next].prev = Some(node);
        }
        let ends = &mut self.nodes[parent].lists[list as usize];
        let (first, last) = ends.unwrap_or((node, node));
        *ends = Some((if prev.is_none() { node } else { first }, if next.is_none() { node } else { last }));
    }
    /// Removes `node` from its list, together with its subtree.
    pub fn remove(&mut self, node: Node) {
        self.forget();
        let entry = &mut self.nodes[node];
        let (prev, next) = (entry.prev.take(), entry.next.take());
        let Some((parent, list)) = entry.parent.take() else { return };
        if let Some(prev) = prev {
            self.nodes[prev].next = next;
        }
        if let Some(next) = next {
            self.nodes[next].prev = prev;
        }
        let ends = &mut self.nodes[parent].lists[list as usize];
        *ends = match (*ends, prev, next) {
            (Some((_, last)), None, Some(next)) => Some((next, last)),
            (Some((first, _)), Some(prev), None) => Some((first, prev)),
            (_, None, None) => None,
            (ends, Some(_), Some(_)) => ends,
            (None, ..) => None,
        };
    }
    /// Moves `node` with its subtree before `at`, which is not in that subtree.
    pub fn move_before(&mut self, at: Node, node: Node) {
        if at != node {
            self.remove(node);
            self.insert_before(at, node);
        }
    }
    /// Moves `node` with its subtree after `at`, which is not in that subtree.
    pub fn move_after(&mut self, at: Node, node: Node) {
        if at != node {
            self.remove(node);
            self.insert_after(at, node);
        }
    }
    /// Moves all nodes of a list to the end of another list, which is in the subtree of none of them.
    pub fn move_all(&mut self, from: (Node, List), to: (Node, List)) {
        if from == to {
            return;
        }
        while let Some(node) = self.first(from.0, from.1) {
            self.remove(node);
            self.insert_last(to.0, to.1, node);
        }
    }
    /// `node` and its ancestors, innermost first.
    pub fn ancestors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        std::iter::successors(Some(node), |node| self.parent(*node))
    }
    /// The innermost loop whose body contains `node`; a loop does not count for nodes in its preheader or postexit,
    /// or its bounds.
    pub fn parent_loop(&self, node: Node) -> Option<Node> {
        let is_body = |n: &Node| self.list_of(*n) == Some(List::Body);
        let mut inside = self.ancestors(node).filter(is_body).filter_map(|n| self.parent(n));
        inside.find(|n| matches!(self.kind(*n), Kind::Loop(_)))
    }
    /// The loops whose bodies contain `node`, innermost first.
    pub fn loops_around(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        std::iter::successors(self.parent_loop(node), |l| self.parent_loop(*l))
    }
    /// The number of loops whose bodies contain `node`. Closed forms of `node` may use the induction variables of
    /// these levels. The same holds for the bounds of a loop, which is not in its own body.
    pub fn level(&self, node: Node) -> Level {
        self.loops_around(node).count() as Level
    }
    /// The level of a loop's induction variable: one more than the level of the loop node.
    pub fn loop_level(&self, l: Node) -> Level {
        self.level(l) + 1
    }
    /// The region that contains `node`.
    pub fn region(&self, node: Node) -> Option<Node> {
        self.ancestors(node).last().filter(|n| matches!(self.kind(*n), Kind::Region(_)))
    }
    /// Recomputes the position-dependent parts of `node`'s references: levels, symbases, blob references.
    pub fn refresh(&mut self, node: Node) {
        // Keeps the cached results: the written variable does not change.
        self.nodes[node].kind = self.refreshed(node);
    }
    /// The kind of `node` with refreshed references.
    pub(super) fn refreshed(&self, node: Node) -> Kind {
        let around: Vec<Node> = self.loops_around(node).collect();
        let definitions = self.region(node).map(|region| self.definitions(region));
        let find_blob_level = |temp: Temp| {
            let all = definitions.as_ref().and_then(|definitions| definitions.get(&temp));
            let inside =
                |l: &Node| all.is_some_and(|all| all.iter().any(|d| self.loops_around(*d).any(|x| x == *l)));
            around.iter().position(inside).map_or(0, |at| (around.len() - at) as Level)
        };
        let mut kind = self.kind(node).clone();
        for of in kind.refs_mut() {
            of.refresh(&self.blobs, &find_blob_level);
        }
        kind
    }
    /// Refreshes all nodes in `root`.
    pub fn refresh_all(&mut self, root: Node) {
        self.nodes_in(root).into_iter().for_each(|node| self.refresh(node));
    }
    /// The nodes of `region` that write each variable, in lexical order.
    pub(crate) fn definitions(&self, region: Node) -> Rc<FxHashMap<Temp, Vec<Node>>> {
        let known = self.found.borrow().definitions.get(&region).cloned();
        known.unwrap_or_else(|| {
            let mut all: FxHashMap<Temp, Vec<Node>> = FxHashMap::default();
            for node in self.nodes_in(region) {
                if let Some(temp) = self.written(node) {
                    all.entry(temp).or_default().push(node);
                }
            }
            let all = Rc::new(all);
            self.found.borrow_mut().definitions.insert(region, Rc::clone(&all));
            all
        })
    }
    /// The variable that `node` writes.
    pub fn written(&self, node: Node) -> Option<Temp> {
        match self.kind(node) {
            Kind::Inst(inst) => inst.lval.as_ref().and_then(|lval| lval.as_temp(&self.blobs)),
            _ => None,
        }
    }
    /// The cached results for the current tree.
    pub(crate) fn found(&self) -> &RefCell<Cached> {
        &self.found
    }
    pub(crate) fn spent(&self) -> &RefCell<FxHashMap<Node, u32>> {
        &self.spent
    }
    fn forget(&mut self) {
        *self.found.get_mut() = Cached::default();
    }
}
