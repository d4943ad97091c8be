//! Memory dependences: tests all pairs of accesses of one alias set, and all other memory effects against every
//! access that may overlap. Intrinsics that fill or copy bytes reach a number of bytes from their operands on; other
//! calls reach what their memory effects allow.

use super::facts::Facts;
use super::guards::Guards;
use super::pair::{Builder, Guard, Pair, PairPlace, PairSide, Subject};
use super::solve::Steps;
use super::vector::{Component, Directions, Vector, merge};
use super::walk::Walker;
use super::{DepKind, Edge, End, EndPlace, Pairs, ends_of};
use crate::blob::Temp;
use crate::ddref::{Access, Dimension, MemRef, RegDdRef};
use crate::node::{Hir, HlInst, Kind, Node, Reach};
use crate::symbase::Symbase;
use backedge_ir::inst::GepFlags;
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::rc::Rc;

/// Limit on the directions tried for one pair: their number grows exponentially with the loops around both. Untried
/// ones may hold.
const MOST_TRIED: u32 = 200;
/// Limit on the bisections of intervals for one vector: bounds the work where intervals do not shrink otherwise. An
/// undecided vector may hold.
const HALVINGS: u32 = 24;
/// Limit on the solver steps ([`Steps`]) for one pair of accesses. Beyond a limit on steps a pair is not refined any
/// further; a pair about which nothing was proved is assumed dependent.
const MOST_STEPS_OF_PAIR: u32 = 20_000;
/// Limit on the solver steps for one graph.
const MOST_STEPS: u32 = 400_000;
/// Limit on the solver steps for all graphs of one region together: transforms ask for new graphs after each change.
pub(super) const MOST_STEPS_OF_REGION: u32 = 1_200_000;
/// Cost of building a system, in solver steps.
const STEPS_OF_SYSTEM: u32 = 20;
/// The multiple of its even share of the remaining steps that a pair gets: many pairs need fewer.
const SHARES: u32 = 2;
/// The least number of solver steps that a pair gets if available: with fewer, hardly anything can be proved.
const LEAST_STEPS_OF_PAIR: u32 = 100;
/// The number of pairs that may be dependent up to which vector components are not counted. Beyond it they are: a pair
/// has one vector per loop around both, with one component per loop, and every query of the graph visits them.
const FEW_PAIRS: usize = 80_000;
/// Limit on the pairs that may be dependent: each needs memory for its edges. There is no graph beyond it.
const MOST_PAIRS: usize = 400_000;
/// Limit on the vector components of more than [`FEW_PAIRS`] pairs, for the same reason.
const MOST_COMPONENTS: usize = 4_000_000;

/// One access.
struct Touch<'h> {
    end: End,
    reads: bool,
    writes: bool,
    /// The address; `None` if unknown.
    mem: Option<Cow<'h, MemRef>>,
    /// The number of bytes touched from there on; `None` if unknown.
    bytes: Option<i128>,
    /// The reach of the node that this access represents.
    reach: Reach,
    symbase: Option<Symbase>,
    /// The loops around it, outermost first.
    loops: Vec<Node>,
    /// The guards that hold wherever it executes.
    guards: Rc<[Guard<'h>]>,
    line: u32,
}

/// The memory dependences in `root`, found within the steps of the region; `None` if there are too many.
pub(super) fn edges(
    hir: &Hir,
    root: Node,
    input: bool,
    pairs: &mut Pairs,
    of_region: &mut Steps,
) -> Option<Vec<Edge>> {
    let region = hir.region(root)?;
    let mut guards = Guards::new(hir);
    let touches: Vec<Touch<'_>> =
        hir.nodes_in(root).into_iter().flat_map(|node| touches_of(hir, node, &mut guards)).collect();
    let mut near: Vec<(&Touch<'_>, &Touch<'_>)> = Vec::new();
    let mut components = 0usize;
    for (at, a) in touches.iter().enumerate() {
        for b in &touches[at..] {
            let is_written = a.writes || b.writes;
            if !(input || is_written) {
                continue;
            }
            pairs.all += usize::from(is_written);
            if are_apart(hir, a, b) {
                pairs.apart += usize::from(is_written);
            } else {
                near.push((a, b));
                components += (common(a, b) + 1).pow(2);
                let are_many = near.len() > FEW_PAIRS && components > MOST_COMPONENTS;
                if are_many || near.len() > MOST_PAIRS {
                    return None;
                }
            }
        }
    }
    let before = MOST_STEPS.min(of_region.0);
    let mut finder = Finder {
        hir,
        region,
        definitions: &hir.definitions(region),
        outside: hir.level(root) as usize,
        left: Steps(before),
        walks: FxHashMap::default(),
        assumed: FxHashMap::default(),
    };
    let mut edges = Vec::new();
    for (number, (a, b)) in (0..).zip(&near) {
        let Answer { forward, backward, assumed } = finder.vectors(a, b, near.len() as u32 - number);
        let (is_independent, is_written) = (forward.is_empty() && backward.is_empty(), a.writes || b.writes);
        pairs.independent += usize::from(is_independent && is_written);
        pairs.assumed += usize::from(assumed && is_written);
        for (source, sink, vectors) in [(a, b, forward), (b, a, backward)] {
            put(&mut edges, source, sink, &vectors, assumed, input);
        }
    }
    of_region.take(before - finder.left.0);
    Some(edges)
}

/// The number of loops around both.
fn common(a: &Touch<'_>, b: &Touch<'_>) -> usize {
    a.loops.iter().zip(&b.loops).take_while(|(x, y)| x == y).count()
}

/// Adds the edges of all kinds that apply between two accesses.
fn put(
    edges: &mut Vec<Edge>,
    source: &Touch<'_>,
    sink: &Touch<'_>,
    vectors: &Rc<[Vector]>,
    assumed: bool,
    input: bool,
) {
    if vectors.is_empty() {
        return;
    }
    let kinds = [
        (source.writes && sink.reads, DepKind::Flow),
        (source.reads && sink.writes, DepKind::Anti),
        (source.writes && sink.writes, DepKind::Output),
        (input && source.reads && sink.reads, DepKind::Input),
    ];
    for (_, kind) in kinds.into_iter().filter(|(is, _)| *is) {
        edges.push(Edge { source: source.end, sink: sink.end, kind, vectors: Rc::clone(vectors), assumed });
    }
}

fn touches_of<'h>(hir: &'h Hir, node: Node, guards: &mut Guards<'h>) -> Vec<Touch<'h>> {
    let Kind::Inst(inst) = hir.kind(node) else { return Vec::new() };
    let mut loops: Vec<Node> = hir.loops_around(node).collect();
    loops.reverse();
    let line = hir.number(node).unwrap_or(0);
    let guards = guards.around(node);
    let refs = hir.kind(node).refs();
    let written = usize::from(inst.lval.is_some());
    let mut touches = Vec::new();
    // An effect on all memory subsumes the references of the node.
    let as_whole = inst.reaches.iter().any(|(reach, _)| *reach == Reach::Everything);
    for end in ends_of(hir, node) {
        match end.place {
            EndPlace::Ref(number) if !as_whole => {
                let of = refs[number as usize];
                let Some(mem) = of.as_memory().filter(|m| m.is_access()) else { continue };
                let writes = (number as usize) < written;
                touches.push(Touch {
                    end,
                    reads: !writes,
                    writes,
                    bytes: bytes(&hir.facts, mem),
                    mem: Some(Cow::Borrowed(mem)),
                    reach: Reach::Operand(number, None),
                    symbase: Some(of.symbase()),
                    loops: loops.clone(),
                    guards: Rc::clone(&guards),
                    line,
                });
            }
            EndPlace::Memory => touches.extend(inst.reaches.iter().map(|(reach, how)| {
                let mem = inst.pointer_of(*reach).and_then(pointed_to);
                let bytes = match reach {
                    Reach::Operand(_, bytes) => bytes.map(i128::from),
                    Reach::Everything | Reach::Inaccessible => None,
                };
                let (reads, writes, reach, loops) = (how.reads, how.writes, *reach, loops.clone());
                let guards = Rc::clone(&guards);
                Touch { end, reads, writes, mem, bytes, reach, symbase: None, loops, guards, line }
            })),
            EndPlace::Ref(_) | EndPlace::Blob(..) => {}
        }
    }
    // A node reads before it writes.
    touches.sort_by_key(|t| t.writes);
    touches
}

/// The target of a pointer, as a memory reference.
fn pointed_to(of: &RegDdRef) -> Option<Cow<'_, MemRef>> {
    let (memory, terminal) = (of.as_memory().map(Cow::Borrowed), of.as_terminal());
    memory.or_else(|| {
        let base = terminal?.clone();
        let (ty, width) = (base.dest_type().ty, base.dest_type().width);
        Some(Cow::Owned(MemRef {
            base,
            dims: SmallVec::new(),
            offset: Int::zero(width),
            access: Access::AddressOf(ty),
            flags: GepFlags::default(),
            flat: None,
            path: None,
            site: None,
        }))
    })
}

/// Whether two accesses have alias sets or pointers that never overlap, or one of them is UB.
fn are_apart(hir: &Hir, a: &Touch<'_>, b: &Touch<'_>) -> bool {
    let temp = |m: &MemRef| m.base.self_blob(&hir.blobs);
    let is_nowhere = |m: &MemRef| temp(m).is_some_and(|base| hir.facts.nowhere.contains(&base));
    if a.mem.as_deref().is_some_and(is_nowhere) || b.mem.as_deref().is_some_and(is_nowhere) {
        return true;
    }
    // Inaccessible memory is reached only by accesses that may reach everything.
    let is_apart_from = |x: &Touch<'_>, y: &Touch<'_>| {
        x.reach == Reach::Inaccessible && matches!(y.reach, Reach::Operand(..))
    };
    if is_apart_from(a, b) || is_apart_from(b, a) {
        return true;
    }
    let (Some(x), Some(y)) = (a.mem.as_deref(), b.mem.as_deref()) else { return false };
    let sets = a.symbase.zip(b.symbase);
    if sets.is_some_and(|(s, t)| s != t && s >= Symbase::FIRST && t >= Symbase::FIRST) {
        return true;
    }
    if x.site.zip(y.site).is_some_and(|(s, t)| hir.facts.are_sites_apart(s, t)) {
        return true;
    }
    temp(x).zip(temp(y)).is_some_and(|(s, t)| s != t && hir.facts.are_apart(s, t))
}

/// The possible dependences between two accesses.
#[derive(Clone)]
struct Answer {
    /// Vectors from the first to the second access.
    forward: Rc<[Vector]>,
    backward: Rc<[Vector]>,
    assumed: bool,
}

/// The properties of two accesses that determine their assumed dependences.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Kin {
    /// The number of loops around both.
    common: usize,
    /// See [`Finder::walked`].
    walked: usize,
    /// Both are the same reach of one node (`is_one`), or the same end (`is_end`).
    is_one: bool,
    is_end: bool,
}

struct Finder<'h> {
    hir: &'h Hir,
    region: Node,
    definitions: &'h FxHashMap<Temp, Vec<Node>>,
    /// The number of loops around the graph's root: both executions are in one iteration of them.
    outside: usize,
    /// The steps left.
    left: Steps,
    /// Cached sweep depths of accesses, by access and size ([`super::walk`]).
    walks: FxHashMap<(End, Option<u32>, i128), usize>,
    /// Cached assumed answers.
    assumed: FxHashMap<Kin, Answer>,
}

impl Finder<'_> {
    /// The vectors of two accesses. The first precedes the second in lexical order, or equals it. `pairs` is the
    /// number of pairs left to test, this one included.
    fn vectors(&mut self, a: &Touch<'_>, b: &Touch<'_>, pairs: u32) -> Answer {
        let common = common(a, b);
        let facts: &Facts = &self.hir.facts;
        let share = (self.left.0 / pairs.max(1)).saturating_mul(SHARES);
        let before = share.clamp(LEAST_STEPS_OF_PAIR, MOST_STEPS_OF_PAIR).min(self.left.0);
        let is_end = a.end == b.end;
        let kin = Kin { common, walked: self.walked(a, b), is_one: is_end && a.reach == b.reach, is_end };
        let is_known = a.loops.iter().chain(&b.loops).all(|l| is_normalized(self.hir, *l));
        let Some((x, y)) = a.mem.as_deref().zip(b.mem.as_deref()).filter(|_| is_known && before > 0) else {
            return self.assume(kin);
        };
        let builder = Builder {
            hir: self.hir,
            region: self.region,
            facts,
            a: Subject { mem: x, bytes: a.bytes, loops: &a.loops, guards: &a.guards },
            b: Subject { mem: y, bytes: b.bytes, loops: &b.loops, guards: &b.guards },
            common,
            place: Between { hir: self.hir, definitions: self.definitions, a, b, common },
        };
        let mut steps = Steps(before);
        let answer = search(Some(&builder), kin, self.outside, &mut steps);
        self.left.take(before - steps.0);
        answer
    }
    /// The possible dependences if nothing else is known.
    fn assume(&mut self, kin: Kin) -> Answer {
        let outside = self.outside;
        let answer = || search(None::<&Builder<'_, Between<'_, '_>>>, kin, outside, &mut Steps(0));
        self.assumed.entry(kin).or_insert_with(answer).clone()
    }
    /// For accesses with one address: the number of innermost loops around both in which neither touches a byte in
    /// one iteration that either access touches in another iteration ([`super::walk`]).
    fn walked(&mut self, a: &Touch<'_>, b: &Touch<'_>) -> usize {
        let (Some(x), Some(y)) = (a.mem.as_deref(), b.mem.as_deref()) else { return 0 };
        let widest = a.bytes.zip(b.bytes).map(|(x, y)| x.max(y));
        let Some(widest) = widest.filter(|_| a.loops == b.loops && has_address_of(x, y)) else { return 0 };
        let walker = Walker { hir: self.hir, definitions: self.definitions, loops: &a.loops };
        let walks = &mut self.walks;
        let mut depth = |of: &Touch<'_>, mem| {
            let reach = match of.reach {
                Reach::Operand(number, _) => Some(number),
                Reach::Everything | Reach::Inaccessible => None,
            };
            let known = walks.entry((of.end, reach, widest));
            *known.or_insert_with(|| walker.depth(of.end.node, mem, widest))
        };
        let of_first = depth(a, x);
        if a.end == b.end && a.reach == b.reach { of_first } else { of_first.max(depth(b, y)) }
    }
}

/// The vectors of two accesses; `builder` builds the system, if one can be built.
fn search<P: PairPlace>(
    builder: Option<&Builder<'_, P>>,
    kin: Kin,
    outside: usize,
    steps: &mut Steps,
) -> Answer {
    let Kin { common, walked, is_one, is_end } = kin;
    let (mut forward, mut backward, mut assumed) = (Vec::new(), Vec::new(), true);
    let mut tried = MOST_TRIED;
    for equal in outside..=common {
        // The accesses have the same address, which differs between iterations of the remaining loops.
        if equal + walked >= common && equal < common {
            if !is_end {
                forward.push(Vector::starting(common, []));
            }
            assumed &= equal > outside;
            break;
        }
        tried = tried.saturating_sub(1);
        let pair = match builder {
            Some(builder) if !steps.is_over() => {
                steps.take(STEPS_OF_SYSTEM);
                builder.pair(equal)
            }
            _ => None,
        };
        let mut pair = match pair {
            Some(mut pair) => {
                // Equal iterations of more loops are impossible too.
                if !is_possible(&mut pair, steps) {
                    assumed = false;
                    break;
                }
                Some(pair).filter(|_| !steps.is_over())
            }
            None => None,
        };
        assumed &= pair.is_none();
        if equal == common {
            let may = pair.is_none_or(|mut pair| pair.system.may_hold(HALVINGS, steps));
            if may && !is_end {
                forward.push(Vector::starting(common, []));
            }
            break;
        }
        for first in [Directions::LESS, Directions::GREATER] {
            if first == Directions::GREATER && is_one {
                // The same pair with source and sink exchanged.
                continue;
            }
            let mut found = Vec::new();
            match &mut pair {
                Some(pair) => {
                    let mut search = Search { pair, equal, tried: &mut tried, steps: &mut *steps };
                    search.explore(&mut vec![first], &mut found);
                }
                None => found.push(any_from(first, equal, common)),
            }
            if first == Directions::LESS {
                forward.extend(found);
            } else {
                backward.extend(found.iter().map(Vector::negated));
            }
        }
    }
    merge(&mut forward);
    merge(&mut backward);
    assumed &= !(forward.is_empty() && backward.is_empty());
    Answer { forward: forward.into(), backward: backward.into(), assumed }
}

/// Whether the system may have a solution, without bisection.
fn is_possible(pair: &mut Pair, steps: &mut Steps) -> bool {
    let system = &mut pair.system;
    if !system.narrow(steps) {
        return false;
    }
    system.derive(steps);
    system.narrow(steps)
}

/// The vector with `=` at `equal` levels, then the direction `first`, then any directions.
fn any_from(first: Directions, equal: usize, common: usize) -> Vector {
    let first = if first == Directions::LESS { Component::later(false) } else { Component::EARLIER };
    let rest = std::iter::repeat_n(Component::ALL, common - equal - 1);
    Vector::starting(equal, std::iter::once(first).chain(rest))
}

/// Whether both references have the same address whenever their variables have the same values.
fn has_address_of(a: &MemRef, b: &MemRef) -> bool {
    let (x, y) = (a.computed_dims(), b.computed_dims());
    let is_same =
        |(x, y): (&Dimension, &Dimension)| x.subscript.same_as(&y.subscript) && x.stride.same_as(&y.stride);
    a.base.same_as(&b.base) && a.offset == b.offset && x.len() == y.len() && x.iter().zip(y).all(is_same)
}

/// Search for the possible directions at the levels from `equal` on.
struct Search<'p> {
    pair: &'p mut Pair,
    equal: usize,
    tried: &'p mut u32,
    steps: &'p mut Steps,
}

impl Search<'_> {
    /// Finds all vectors that begin with `directions`; the last direction is not yet applied to the system.
    fn explore(&mut self, directions: &mut Vec<Directions>, found: &mut Vec<Vector>) {
        let Some(last) = directions.last().copied() else { return };
        let mark = self.pair.system.mark();
        self.pair.restrict(self.equal + directions.len() - 1, last);
        self.explore_restricted(directions, found);
        self.pair.system.undo(&mark);
    }
    fn explore_restricted(&mut self, directions: &mut Vec<Directions>, found: &mut Vec<Vector>) {
        let is_over = *self.tried == 0 || self.steps.is_over();
        *self.tried = self.tried.saturating_sub(1);
        let system = &mut self.pair.system;
        if !system.narrow(self.steps) {
            return;
        }
        let levels = self.pair.distances.len();
        let is_whole = self.equal + directions.len() == levels;
        if is_whole {
            system.derive(self.steps);
            if !system.narrow(self.steps) {
                return;
            }
            let mark = system.mark();
            let may = system.may_hold(HALVINGS, self.steps);
            system.undo(&mark);
            if !may {
                return;
            }
        }
        if is_whole || is_over {
            let component = |(at, var): (usize, &Option<usize>)| {
                let known = directions.get(at).copied();
                let distance = var.map_or(super::solve::Interval::ZERO, |var| self.pair.system.domain(var));
                Component::new(known.unwrap_or(Directions::ALL), distance)
            };
            let rest = self.pair.distances[self.equal..].iter().enumerate().map(component);
            found.push(Vector::starting(self.equal, rest));
            return;
        }
        for direction in [Directions::LESS, Directions::EQUAL, Directions::GREATER] {
            directions.push(direction);
            self.explore(directions, found);
            directions.pop();
        }
    }
}

fn bytes(facts: &Facts, of: &MemRef) -> Option<i128> {
    let (Access::Load(ty, _) | Access::Store(ty, _) | Access::AddressOf(ty)) = of.access;
    facts.bytes(ty)
}

/// Whether the induction variable equals the iteration number.
fn is_normalized(hir: &Hir, l: Node) -> bool {
    matches!(hir.kind(l), Kind::Loop(of) if of.is_normalized())
}

/// Two accesses, for queries about variables that change between them.
struct Between<'m, 'h> {
    hir: &'m Hir,
    definitions: &'m FxHashMap<Temp, Vec<Node>>,
    a: &'m Touch<'h>,
    b: &'m Touch<'h>,
    common: usize,
}

impl PairPlace for Between<'_, '_> {
    /// In equal iterations of `n` loops, control stays within one execution of the next loop around both between the
    /// two accesses, so a variable that this loop does not write has one value. Within the innermost common loop, or
    /// outside of all loops, it has one value if all its writes precede both accesses: they precede both lexically,
    /// and none is in a loop around only one of them. Lexical order is execution order within one iteration, because
    /// no goto goes backward.
    fn same_from(&self, temp: Temp) -> Option<usize> {
        let all = self.definitions.get(&temp).map_or(&[][..], |all| all);
        let outside = |l: Node| !all.iter().any(|d| self.hir.is_in(l, *d));
        if all.is_empty() {
            return Some(0);
        }
        if let Some(n) = (0..self.common).find(|n| outside(self.a.loops[*n])) {
            return Some(n);
        }
        let own = [self.a, self.b].into_iter().filter_map(|t| t.loops.get(self.common).copied());
        let are_before = all.iter().all(|d| {
            let line = self.hir.number(*d);
            line.is_some_and(|line| line < self.a.line && line < self.b.line)
        });
        (are_before && own.into_iter().all(outside)).then_some(self.common)
    }
    fn is_invariant(&self, temp: Temp) -> bool {
        !self.definitions.contains_key(&temp)
    }
    /// The only write of the variable, if control passes it in each iteration before the access: it dominates the
    /// access, and all loops around it are also around the access.
    fn computed_by(&self, temp: Temp, side: PairSide) -> Option<&HlInst> {
        let at = match side {
            PairSide::A => self.a.end.node,
            PairSide::B => self.b.end.node,
        };
        let [definition] = self.definitions.get(&temp)?[..] else { return None };
        let mut around = self.hir.loops_around(definition);
        let is_before = definition != at && self.hir.dominates(definition, at);
        match self.hir.kind(definition) {
            Kind::Inst(inst) if is_before && around.all(|l| self.hir.is_in(l, at)) => Some(inst),
            _ => None,
        }
    }
}
