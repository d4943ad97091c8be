//! The data-dependence graph: which references must keep their execution order, and how many iterations of each loop
//! are between them.
//!
//! # Meaning of an edge
//!
//! The ends are references ([`End`]): operands of nodes, variables read through blobs of operands, or other memory
//! effects of a node. Source and sink have one symbase, or one of them is a memory effect. The edge represents all
//! pairs of executions, the source's before the sink's, whose distances one of its [`Vector`]s allows. It states that
//! such a pair *may* have a dependence of its kind. For memory: both touch a common byte. For a variable: no write of
//! it is in between. **Accesses without an edge are independent**: consider two executions of accesses in one run of
//! the region, at least one of them a write, that touch a common byte; then the earlier one has an edge to the later
//! one that allows their distances. This holds for runs without UB, in which an `undef` variable has a single value,
//! because lowering freezes it. With noalias arguments it holds for bytes that are written.
//!
//! - *flow*: write, then read; *anti*: read, then write; *output*: write, then write; *input*, on request: read, then
//!   read.
//! - Memory: all pairs are included, even if another access writes the bytes in between.
//! - Variables: flow edges come from the definitions that reach a use, so following them backward finds the origin of
//!   a value ([`Ddg::definitions`], [`Ddg::indexed_by`]).
//!
//! # Algorithm
//!
//! Two memory references become a system of linear inequalities over ℤ (`pair`), in which every possible wrap is
//! represented by an unknown. The tests of the literature are all narrowings of one kind of system (`solve`): ZIV is
//! a system without unknowns; strong SIV has only the distance left; weak-zero, weak-crossing and exact SIV are
//! equations in two unknowns; MIV is narrowed by greatest common divisors and bounds. Directions are tried from the
//! outermost level inwards, as in Burke and Cytron's hierarchy, so each vector is tested together with the
//! consequences of its directions: bounds, equal iterations, and variables with one value in an iteration. Sources:
//! Goff, Kennedy, Tseng, "Practical Dependence Testing" (1991); Banerjee, "Dependence Analysis" (1997). No dimension
//! is tested in isolation: different subscripts in one dimension prove nothing if another dimension may overrun its
//! extent.
//!
//! The work is bounded for each pair, each graph, and all graphs of a region together. It is counted in solver steps,
//! so the result is the same for the same trees on all machines. Beyond the bound, dependences are assumed in all
//! directions. Assumed edges share their vectors, so several hundred accesses that may all conflict still have a
//! graph. There is no graph if the pairs would exceed the memory limit for edges.
//!
//! A graph covers a region or a loop; for a loop it covers one execution, with `=` at the levels around it.
//! [`Hir::ddg`] and [`Hir::ddg_with_input`] cache it until the tree changes.
//!
//! | purpose | file |
//! |---|---|
//! | the graph and its edges, in both directions | here |
//! | direction and distance vectors | `vector` |
//! | memory accesses, pair by pair | `memory` |
//! | accesses that sweep an object from one end to the other | `walk` |
//! | two references as a system | `pair`; facts about variables: `facts` |
//! | guards under which an access executes | `guards` |
//! | systems of inequalities | `solve` |
//! | variables | `scalar` |
//! | reachability and liveness | `reach` |
//! | text and graphs for Graphviz | `print` |

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

use crate::ddref::RegDdRef;
use crate::node::{Hir, HlGoto, Kind, Node, Target};
use crate::symbase::Symbase;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;
use std::rc::Rc;

/// Limit on the references of a graph, which needs memory for each; larger graphs are refused.
const MOST_ENDS: usize = 20_000;
/// Limit on the memory accesses of a graph, which are compared pair by pair; larger graphs are refused.
const MOST_ACCESSES: usize = 3000;
/// Limit on the cached edges plus the components of their vectors: bounds the memory of a region. Beyond it earlier
/// graphs are dropped.
const MOST_KEPT: usize = 2_000_000;

/// A reference of a node.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EndPlace {
    /// The operand of that number, in the order of [`Kind::refs`].
    Ref(u32),
    /// A blob reference of an operand, both by number: a variable read through a blob of the operand.
    Blob(u32, u32),
    /// The other memory effects of the node.
    Memory,
}

/// An end of an edge.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The node.
    pub node: Node,
    /// The reference of the node.
    pub place: EndPlace,
}

/// The kind of a dependence.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DepKind {
    /// Write, then read.
    Flow,
    /// Read, then write.
    Anti,
    /// Write, then write.
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
    /// The name of the kind.
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
    /// The access that executes first.
    pub source: End,
    /// The access that executes later.
    pub sink: End,
    /// The kind.
    pub kind: DepKind,
    /// The possible distances, at least one vector; a vector has one component per loop around both ends, the
    /// outermost first.
    pub vectors: Rc<[Vector]>,
    /// Nothing could be proved about the pair, or the step limit of the graph or region was exhausted.
    pub assumed: bool,
}

/// Why a graph was refused.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It would have too many ends or edges.
    TooLarge,
    /// A goto jumps backward without being its loop's backedge: lexical order is not execution order.
    Backward(Node),
    /// The root is neither a region nor a loop in one.
    NoRegion,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "there are too many references",
            Self::Backward(_) => "a goto jumps backward",
            Self::NoRegion => "it is neither a region nor a loop in one",
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
    /// The number of edges plus the components of their vectors; shared vectors count once.
    size: usize,
    /// Counts of memory access pairs with at least one write, by result.
    pub pairs: Pairs,
}

/// Counts of memory access pairs with at least one write, by result.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// All pairs; an access paired with itself is one.
    pub all: usize,
    /// Pairs that are independent because of different alias sets, or of pointers that never alias.
    pub apart: usize,
    /// Pairs of one base or alias set that are independent.
    pub independent: usize,
    /// Pairs about which nothing could be proved.
    pub assumed: usize,
}

impl Ddg {
    /// Builds the graph of `root`, a region or a loop, with or without input dependences.
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
    /// The region or loop of the graph.
    pub fn root(&self) -> Node {
        self.root
    }
    /// All edges, in the lexical order of their sources.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
    /// The edges with source `end`.
    pub fn outgoing(&self, end: End) -> impl Iterator<Item = &Edge> {
        self.outgoing.get(&end).into_iter().flatten().map(|at| &self.edges[*at as usize])
    }
    /// The edges with sink `end`.
    pub fn incoming(&self, end: End) -> impl Iterator<Item = &Edge> {
        self.incoming.get(&end).into_iter().flatten().map(|at| &self.edges[*at as usize])
    }
    /// The nodes whose writes reach the read at `end`.
    pub fn definitions(&self, end: End) -> impl Iterator<Item = Node> {
        self.incoming(end).filter(|e| e.kind == DepKind::Flow).map(|e| e.source.node)
    }
    /// The loads that define the subscripts and the base of an operand through variables, each as the end that is the
    /// load. An indexed memref (docs/hir-terms.md) has some.
    pub fn indexed_by(&self, hir: &Hir, node: Node, operand: u32) -> Vec<End> {
        let reads = |n: Node| ends_of(hir, n).into_iter().filter(|e| !matches!(e.place, EndPlace::Memory));
        let mut work: Vec<End> = reads(node)
            .filter(|e| matches!(e.place, EndPlace::Blob(number, _) if number == operand))
            .collect();
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
                        EndPlace::Ref(number) if (number as usize) < writes => {}
                        _ if end.reference(hir).is_some_and(is_access) => match end.place {
                            EndPlace::Ref(_) => found.push(end),
                            // The address of that load is not followed.
                            EndPlace::Blob(..) | EndPlace::Memory => {}
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

/// Whether a node is a backward goto other than the backedge of an unknown loop around it.
fn goes_back(hir: &Hir, node: Node) -> bool {
    let Kind::Goto(HlGoto { target: Target::Label(label) }) = hir.kind(node) else { return false };
    let is_next = hir.begun_at(*label).is_some_and(|l| hir.is_in_body(l, node));
    !is_next && !hir.comes_before(node, *label)
}

/// The references of a node.
fn ends_of(hir: &Hir, node: Node) -> SmallVec<[End; 4]> {
    let mut ends = SmallVec::new();
    for (number, of) in (0..).zip(hir.kind(node).refs()) {
        ends.push(End { node, place: EndPlace::Ref(number) });
        let attached = (0..).zip(of.blob_refs()).map(|(blob, _)| EndPlace::Blob(number, blob));
        ends.extend(attached.map(|place| End { node, place }));
    }
    if let Kind::Inst(inst) = hir.kind(node)
        && !inst.reaches.is_empty()
    {
        ends.push(End { node, place: EndPlace::Memory });
    }
    ends
}

impl End {
    /// The operand that it is, or that it is attached to.
    pub fn reference(self, hir: &Hir) -> Option<&RegDdRef> {
        let (EndPlace::Ref(number) | EndPlace::Blob(number, _)) = self.place else { return None };
        hir.kind(self.node).refs().get(number as usize).copied()
    }
    /// Its symbase; `None` for the memory effects of a node.
    pub fn symbase(self, hir: &Hir) -> Option<Symbase> {
        let of = self.reference(hir)?;
        match self.place {
            EndPlace::Blob(_, blob) => of.blob_refs().get(blob as usize).map(|b| b.symbase),
            EndPlace::Ref(_) => Some(of.symbase()),
            EndPlace::Memory => None,
        }
    }
}

impl Hir {
    /// The graph of a region or loop without input dependences, cached for the current tree.
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
