//! The data-dependence graph: which references must stay in the order in which they are executed, and how many iterations
//! of each loop are between them.
//!
//! # What an edge says
//!
//! Its ends are references ([`End`]): operands of nodes, variables that are read through blobs of operands, or what a node
//! does to memory besides. Source and sink are of one symbase, or one of them is of the last kind. It stands for all pairs
//! of executions, the source's before the sink's, of which the distances are allowed by one of its [`Vector`]s, and says
//! that there *may* be a dependence of that kind between them: of memory, that both touch a byte in common; of a variable,
//! that nothing writes it in between. **What has no edge is independent**: of any two executions of accesses in one run of
//! the region of which one writes and which touch a byte in common, the earlier has an edge to the later one that allows
//! their distances. So it is for runs without undefined behaviour, in which a variable that is `undef` is one value, as
//! lowering freezes it; where noalias arguments are in it, for bytes that are written.
//!
//! - *flow*: written, then read; *anti*: read, then written; *output*: written, then written; *input*, on request: read,
//!   then read.
//! - Memory: all pairs are there, also where something else writes the bytes in between.
//! - Variables: flow edges are the definitions that reach a use, so that following them backward finds what a value is
//!   made of ([`Ddg::definitions`], [`Ddg::indexed_by`]).
//!
//! # How it is decided
//!
//! For two references to memory, a system of linear inequalities over ℤ is made (`pair`), in which all that could wrap
//! around does so by an unknown, and put to the tests of the literature, all of which are the narrowing of one kind of
//! system (`solve`): ZIV is a system without unknowns; strong SIV one in which the distance alone is left; weak-zero,
//! weak-crossing and exact SIV equations in two unknowns; MIV is narrowed by greatest common divisors and bounds.
//! Directions are tried from the outermost level inwards, as in Burke and Cytron's hierarchy, so that each vector is
//! tested with what its directions imply: bounds, the same iteration, variables that have one value in it. Sources: Goff,
//! Kennedy, Tseng, "Practical Dependence Testing" (1991); Banerjee, "Dependence Analysis" (1997). No dimension is tested by
//! itself: that the subscripts of one dimension differ shows nothing where another may run over its end.
//!
//! What that takes is bounded, for each pair, each graph and all graphs of a region together, counted in steps of the solver:
//! the same of the same trees on all machines. Of what is beyond, dependences are assumed, in all directions: such edges share
//! what they say, so that several hundred accesses that may all meet have a graph. There is none of what has more pairs than
//! memory should hold edges of.
//!
//! A graph is of a region, or of a loop: then for one execution of it, with `=` at the levels around it. [`Hir::ddg`] and
//! [`Hir::ddg_with_input`] keep it until the tree changes.
//!
//! | what | file |
//! |---|---|
//! | the graph, its edges, both ways | here |
//! | vectors of directions and distances | `vector` |
//! | accesses to memory, pair by pair | `memory` |
//! | accesses that go through their object from one end to the other | `walk` |
//! | two references as a system | `pair`; what is known of variables: `facts` |
//! | what holds where an access is executed | `guards` |
//! | systems of inequalities | `solve` |
//! | variables | `scalar` |
//! | what reaches, what is live | `reach` |
//! | text, picture | `print` |

pub(crate) mod facts;
mod guards;
mod memory;
mod pair;
mod print;
mod reach;
mod scalar;
pub(crate) mod solve;

mod vector;
mod walk;

pub use print::{DdgText, ddg_to_dot, ddg_to_string};
pub use vector::{Component, Directions, Vector};

use crate::ddref::{RegDdRef, Symbase};
use crate::node::{Hir, HlGoto, Kind, Node, Target};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;
use std::rc::Rc;

/// References, and accesses to memory among them, beyond which no graph is made.
const MOST_ENDS: usize = 20_000;
const MOST_ACCESSES: usize = 3000;
/// Edges of graphs that are kept, with the components of vectors in these.
const MOST_KEPT: usize = 2_000_000;

/// Which reference of a node.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// The operand of that number, as [`Kind::refs`] counts.
    Ref(u32),
    /// What is attached to an operand, by number: a variable that is read through a blob of it.
    Blob(u32, u32),
    /// What the node does to memory besides.
    Memory,
}

/// An end of an edge.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The node.
    pub node: Node,
    /// Which reference of it.
    pub place: Place,
}

/// What kind of dependence.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DepKind {
    /// Written, then read.
    Flow,
    /// Read, then written.
    Anti,
    /// Written, then written.
    Output,
    /// Read, then read.
    Input,
}

impl DepKind {
    fn of(source_writes: bool, sink_writes: bool) -> Self {
        match (source_writes, sink_writes) {
            (true, false) => Self::Flow,
            (false, true) => Self::Anti,
            (true, true) => Self::Output,
            (false, false) => Self::Input,
        }
    }
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flow => "flow",
            Self::Anti => "anti",
            Self::Output => "output",
            Self::Input => "input",
        }
    }
}

/// A dependence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// What is executed first.
    pub source: End,
    /// What is executed then.
    pub sink: End,
    /// What kind.
    pub kind: DepKind,
    /// The distances that are possible, at least one; a component for each loop around both, the outermost first.
    pub vectors: Rc<[Vector]>,
    /// Nothing could be found out of it, or too much was asked of the graph or the region before.
    pub assumed: bool,
}

/// Why there is no graph.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It would have too many ends or edges.
    TooLarge,
    /// A goto goes back other than to begin the next iteration of its loop: lexical order is not that of execution.
    Backward(Node),
    /// It is no region, and no loop of one.
    NoRegion,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "there are too many references",
            Self::Backward(_) => "a goto goes back",
            Self::NoRegion => "it is no region, and no loop of one",
        })
    }
}

/// The dependences of a region or of a loop.
#[derive(Debug)]
pub struct Ddg {
    root: Node,
    edges: Vec<Edge>,
    outgoing: FxHashMap<End, Vec<u32>>,
    incoming: FxHashMap<End, Vec<u32>>,
    /// How many edges there are, with the components of their vectors, which several may have in common.
    size: usize,
    /// How many pairs of accesses were looked at, of which at least one writes, and how many of them are independent.
    pub pairs: Pairs,
}

/// What became of pairs of accesses to memory of which at least one writes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// All; a reference with itself is one.
    pub all: usize,
    /// Those that are independent as of two alias sets, or of pointers that never meet.
    pub apart: usize,
    /// Those of one base or alias set that are independent.
    pub independent: usize,
    /// Those of which nothing could be found out.
    pub assumed: usize,
}

impl Ddg {
    /// The graph of `root`, a region or a loop; with input dependences or without.
    pub fn new(hir: &Hir, root: Node, input: bool) -> Result<Self, Refused> {
        let region = hir.region(root).ok_or(Refused::NoRegion)?;
        if !matches!(hir.kind(root), Kind::Region(_) | Kind::Loop(_)) {
            return Err(Refused::NoRegion);
        }
        if let Some(goto) = hir.nodes_in(region).into_iter().find(|n| goes_back(hir, *n)) {
            return Err(Refused::Backward(goto));
        }
        let nodes = hir.nodes_in(root);
        let ends: usize = nodes.iter().map(|n| ends_of(hir, *n).len()).sum();
        let accesses = nodes.iter().flat_map(|n| hir.kind(*n).refs()).filter(|r| is_access(r)).count();
        if ends > MOST_ENDS || accesses > MOST_ACCESSES {
            return Err(Refused::TooLarge);
        }
        let mut graph = Self {
            root,
            edges: Vec::new(),
            outgoing: FxHashMap::default(),
            incoming: FxHashMap::default(),
            size: 0,
            pairs: Pairs::default(),
        };
        let mut edges = scalar::edges(hir, region, root, input).ok_or(Refused::TooLarge)?;
        let spent = hir.spent().borrow().get(&region).copied().unwrap_or_default();
        let mut left = solve::Steps(memory::MOST_STEPS_OF_REGION.saturating_sub(spent));
        let of_memory = memory::edges(hir, root, input, &mut graph.pairs, &mut left);
        hir.spent().borrow_mut().insert(region, memory::MOST_STEPS_OF_REGION - left.0);
        edges.extend(of_memory.ok_or(Refused::TooLarge)?);
        edges.sort_by_key(|e| (hir.number(e.source.node), e.source, hir.number(e.sink.node), e.sink, e.kind));
        for (number, edge) in (0..).zip(&edges) {
            graph.outgoing.entry(edge.source).or_default().push(number);
            graph.incoming.entry(edge.sink).or_default().push(number);
        }
        let lists: FxHashMap<*const Vector, &Rc<[Vector]>> =
            edges.iter().map(|edge| (edge.vectors.as_ptr(), &edge.vectors)).collect();
        graph.size =
            edges.len() + lists.values().flat_map(|list| list.iter()).map(|v| v.0.len()).sum::<usize>();
        graph.edges = edges;
        Ok(graph)
    }
    /// What it is the graph of.
    pub fn root(&self) -> Node {
        self.root
    }
    /// All edges, in the lexical order of their sources.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
    /// The edges that `end` is the source of.
    pub fn outgoing(&self, end: End) -> impl Iterator<Item = &Edge> {
        self.outgoing.get(&end).into_iter().flatten().map(|at| &self.edges[*at as usize])
    }
    /// The edges that `end` is the sink of.
    pub fn incoming(&self, end: End) -> impl Iterator<Item = &Edge> {
        self.incoming.get(&end).into_iter().flatten().map(|at| &self.edges[*at as usize])
    }
    /// The nodes whose writes reach what `end` reads.
    pub fn definitions(&self, end: End) -> impl Iterator<Item = Node> {
        self.incoming(end).filter(|e| e.kind == DepKind::Flow).map(|e| e.source.node)
    }
    /// What the subscripts and the base of an operand are read from: the loads that reach it by way of variables, each with
    /// the end that is the load. The document's "indexed memref" has some.
    pub fn indexed_by(&self, hir: &Hir, node: Node, operand: u32) -> Vec<End> {
        let reads = |n: Node| ends_of(hir, n).into_iter().filter(|e| !matches!(e.place, Place::Memory));
        let mut work: Vec<End> =
            reads(node).filter(|e| matches!(e.place, Place::Blob(number, _) if number == operand)).collect();
        let (mut found, mut seen) = (Vec::new(), Vec::new());
        while let Some(end) = work.pop() {
            for from in self.definitions(end) {
                if seen.contains(&from) {
                    continue;
                }
                seen.push(from);
                let writes = usize::from(matches!(hir.kind(from), Kind::Inst(inst) if inst.lval.is_some()));
                for end in reads(from) {
                    match end.place {
                        Place::Ref(number) if (number as usize) < writes => {}
                        _ if end.reference(hir).is_some_and(is_access) => match end.place {
                            Place::Ref(_) => found.push(end),
                            // How that address is found is its own matter.
                            Place::Blob(..) | Place::Memory => {}
                        },
                        _ => work.push(end),
                    }
                }
            }
        }
        found.sort_unstable_by_key(|end| (hir.number(end.node), end.place));
        found
    }
}

fn is_access(of: &RegDdRef) -> bool {
    of.as_memory().is_some_and(|m| m.is_access())
}

/// Whether a node is a goto that goes back, other than to begin the next iteration of an unknown loop from within.
fn goes_back(hir: &Hir, node: Node) -> bool {
    let Kind::Goto(HlGoto { target: Target::Label(label) }) = hir.kind(node) else { return false };
    let is_next = hir.begun_at(*label).is_some_and(|l| hir.is_in_body(l, node));
    !is_next && !hir.comes_before(node, *label)
}

/// The references of a node.
fn ends_of(hir: &Hir, node: Node) -> SmallVec<[End; 4]> {
    let mut ends = SmallVec::new();
    for (number, of) in (0..).zip(hir.kind(node).refs()) {
        ends.push(End { node, place: Place::Ref(number) });
        let attached = (0..).zip(of.blob_refs()).map(|(blob, _)| Place::Blob(number, blob));
        ends.extend(attached.map(|place| End { node, place }));
    }
    if let Kind::Inst(inst) = hir.kind(node)
        && !inst.reaches.is_empty()
    {
        ends.push(End { node, place: Place::Memory });
    }
    ends
}

impl End {
    /// The operand that it is, or that it is attached to.
    pub fn reference(self, hir: &Hir) -> Option<&RegDdRef> {
        let (Place::Ref(number) | Place::Blob(number, _)) = self.place else { return None };
        hir.kind(self.node).refs().get(number as usize).copied()
    }
    /// Its symbase; that of what is no reference to one thing is `None`.
    pub fn symbase(self, hir: &Hir) -> Option<Symbase> {
        let of = self.reference(hir)?;
        match self.place {
            Place::Blob(_, blob) => of.blob_refs().get(blob as usize).map(|b| b.symbase),
            Place::Ref(_) => Some(of.symbase()),
            Place::Memory => None,
        }
    }
}

impl Hir {
    /// The graph of a region or loop without input dependences, made once for the tree as it is.
    pub fn ddg(&self, root: Node) -> Result<Rc<Ddg>, Refused> {
        self.kept_graph(root, false)
    }
    /// The same with input dependences.
    pub fn ddg_with_input(&self, root: Node) -> Result<Rc<Ddg>, Refused> {
        self.kept_graph(root, true)
    }
    fn kept_graph(&self, root: Node, input: bool) -> Result<Rc<Ddg>, Refused> {
        let known = self.found().borrow().ddg.get(&(root, input)).cloned();
        known.unwrap_or_else(|| {
            let graph = Ddg::new(self, root, input).map(Rc::new);
            let mut found = self.found().borrow_mut();
            let kept = found.ddg.values().chain([&graph]).flatten().map(|graph| graph.size).sum::<usize>();
            if kept > MOST_KEPT {
                found.ddg.clear();
            }
            found.ddg.insert((root, input), graph.clone());
            graph
        })
    }
}
