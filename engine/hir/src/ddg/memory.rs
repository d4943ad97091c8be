//! Dependences of memory: all pairs of accesses of one alias set, and whatever else touches memory with all of them.

use super::facts::Facts;
use super::pair::{Builder, Pair, Place as PairPlace, Subject};
use super::vector::{Component, Directions, Vector, merge};
use super::{DepKind, Edge, End, Pairs, Place, ends_of};
use crate::blob::Temp;
use crate::canon::{CanonExpr, Level};
use crate::ddref::{Access, MemRef, Symbase};
use crate::node::{Hir, Kind, List, Node};
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;

/// Directions that are tried for one pair, and halvings of intervals for one vector.
const MOST_TRIED: u32 = 200;
const HALVINGS: u32 = 24;
/// Directions that are tried in all, and systems that are made; beyond them dependences are assumed.
const MOST_TRIED_IN_ALL: u32 = 50_000;

/// One access.
struct Touch<'h> {
    end: End,
    reads: bool,
    writes: bool,
    /// Where; `None` if that is not known.
    mem: Option<&'h MemRef>,
    symbase: Option<Symbase>,
    /// The loops around it, the outermost first.
    loops: Vec<Node>,
    line: u32,
}

/// The dependences of memory in `root`.
pub(super) fn edges(hir: &Hir, region: Node, root: Node, input: bool, pairs: &mut Pairs) -> Vec<Edge> {
    let touches: Vec<Touch<'_>> =
        hir.nodes_in(root).into_iter().flat_map(|node| touches_of(hir, node)).collect();
    let definitions = definitions_in(hir, region);
    let mut finder = Finder {
        hir,
        region,
        definitions: &definitions,
        outside: hir.level(root) as usize,
        left: MOST_TRIED_IN_ALL,
    };
    let mut edges = Vec::new();
    for (at, a) in touches.iter().enumerate() {
        for b in &touches[at..] {
            let is_written = a.writes || b.writes;
            if !(input || is_written) {
                continue;
            }
            pairs.all += usize::from(is_written);
            if are_apart(hir, a, b) {
                pairs.apart += usize::from(is_written);
                continue;
            }
            let Answer { forward, backward, assumed } = finder.vectors(a, b);
            let is_independent = forward.is_empty() && backward.is_empty();
            pairs.independent += usize::from(is_independent && is_written);
            pairs.assumed += usize::from(assumed && is_written);
            for (source, sink, vectors) in [(a, b, forward), (b, a, backward)] {
                put(&mut edges, source, sink, &vectors, assumed, input);
            }
        }
    }
    edges
}

/// Edges of the kinds that there are between two accesses.
fn put(
    edges: &mut Vec<Edge>,
    source: &Touch<'_>,
    sink: &Touch<'_>,
    vectors: &[Vector],
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
        edges.push(Edge { source: source.end, sink: sink.end, kind, vectors: vectors.to_vec(), assumed });
    }
}

fn touches_of(hir: &Hir, node: Node) -> Vec<Touch<'_>> {
    let Kind::Inst(inst) = hir.kind(node) else { return Vec::new() };
    let mut loops: Vec<Node> = hir.loops_around(node).collect();
    loops.reverse();
    let line = hir.number(node).unwrap_or(0);
    let touch = |end: End, reads, writes, mem, symbase| Touch {
        end,
        reads,
        writes,
        mem,
        symbase,
        loops: loops.clone(),
        line,
    };
    let refs = hir.kind(node).refs();
    let written = usize::from(inst.lval.is_some());
    let mut touches = Vec::new();
    // What is said of the node as a whole takes its references in.
    let as_whole = inst.memory.reads || inst.memory.writes;
    for end in ends_of(hir, node) {
        match end.place {
            Place::Ref(number) if !as_whole => {
                let number = number as usize;
                let Some(mem) = refs[number].as_memory().filter(|m| m.is_access()) else { continue };
                let writes = number < written;
                touches.push(touch(end, !writes, writes, Some(mem), Some(refs[number].symbase())));
            }
            Place::Memory => touches.push(touch(end, inst.memory.reads, inst.memory.writes, None, None)),
            Place::Ref(_) | Place::Blob(..) => {}
        }
    }
    // What is read is read before anything is written.
    touches.sort_by_key(|t| t.writes);
    touches
}

/// Whether two accesses are of alias sets, or through pointers, that never meet; or one of them is undefined behaviour.
fn are_apart(hir: &Hir, a: &Touch<'_>, b: &Touch<'_>) -> bool {
    let temp = |m: &MemRef| m.base.self_blob(&hir.blobs);
    let is_nowhere = |m: &MemRef| temp(m).is_some_and(|base| hir.facts.nowhere.contains(&base));
    if a.mem.is_some_and(is_nowhere) || b.mem.is_some_and(is_nowhere) {
        return true;
    }
    let (Some(x), Some(y)) = (a.mem, b.mem) else { return false };
    let sets = a.symbase.zip(b.symbase);
    if sets.is_some_and(|(s, t)| s != t && s >= Symbase::FIRST && t >= Symbase::FIRST) {
        return true;
    }
    if x.site.zip(y.site).is_some_and(|(s, t)| hir.facts.are_sites_apart(s, t)) {
        return true;
    }
    temp(x).zip(temp(y)).is_some_and(|(s, t)| s != t && hir.facts.are_apart(s, t))
}

/// The nodes of a region that write each variable.
fn definitions_in(hir: &Hir, region: Node) -> FxHashMap<Temp, Vec<Node>> {
    let mut all: FxHashMap<Temp, Vec<Node>> = FxHashMap::default();
    for node in hir.nodes_in(region) {
        if let Some(temp) = hir.written(node) {
            all.entry(temp).or_default().push(node);
        }
    }
    all
}

/// What is possible between two accesses.
struct Answer {
    /// From the first to the second.
    forward: Vec<Vector>,
    backward: Vec<Vector>,
    assumed: bool,
}

struct Finder<'h> {
    hir: &'h Hir,
    region: Node,
    definitions: &'h FxHashMap<Temp, Vec<Node>>,
    /// The loops around the graph's root: both executions are in one iteration of them.
    outside: usize,
    /// Directions that may be tried yet.
    left: u32,
}

impl Finder<'_> {
    /// The vectors of two accesses, of which the first stands first in lexical order, or is the second.
    fn vectors(&mut self, a: &Touch<'_>, b: &Touch<'_>) -> Answer {
        let common = a.loops.iter().zip(&b.loops).take_while(|(x, y)| x == y).count();
        let facts: &Facts = &self.hir.facts;
        let is_known = self.left > 0 && a.loops.iter().chain(&b.loops).all(|l| is_normalized(self.hir, *l));
        let builder = a.mem.zip(b.mem).filter(|_| is_known).map(|(x, y)| Builder {
            hir: self.hir,
            region: self.region,
            facts,
            a: Subject { mem: x, bytes: bytes(facts, x), loops: &a.loops },
            b: Subject { mem: y, bytes: bytes(facts, y), loops: &b.loops },
            common,
            place: Between { hir: self.hir, definitions: self.definitions, a, b, common },
        });
        let mut answer = Answer { forward: Vec::new(), backward: Vec::new(), assumed: true };
        let mut tried = MOST_TRIED.min(self.left);
        let before = tried;
        for equal in self.outside..=common {
            // One access with itself, in iterations of the innermost loop alone.
            if a.end == b.end && equal + 1 == common && self.walks_through_object(a) {
                break;
            }
            tried = tried.saturating_sub(1);
            let pair = builder.as_ref().and_then(|builder| builder.pair(equal));
            answer.assumed &= pair.is_none();
            let pair = match pair {
                Some(mut pair) => {
                    // In the same iterations of more loops nothing more is possible.
                    if !pair.system.narrow() {
                        break;
                    }
                    pair.system.derive();
                    if !pair.system.narrow() {
                        break;
                    }
                    Some(pair)
                }
                None => None,
            };
            if equal == common {
                let may = pair.is_none_or(|pair| pair.system.may_hold(&mut { HALVINGS }));
                if may && a.end != b.end {
                    answer.forward.push(Vector::starting(common, []));
                }
                break;
            }
            for first in [Directions::LESS, Directions::GREATER] {
                if first == Directions::GREATER && a.end == b.end {
                    // It is the same pair the other way round.
                    continue;
                }
                let mut found = Vec::new();
                match &pair {
                    Some(pair) => {
                        let mut pair = pair.clone();
                        pair.restrict(equal, first);
                        explore(pair, equal, &mut vec![first], &mut tried, &mut found);
                    }
                    None => {
                        let first = if first == Directions::LESS {
                            Component::later(false)
                        } else {
                            Component::EARLIER
                        };
                        let rest = std::iter::repeat_n(Component::ALL, common - equal - 1);
                        found.push(Vector::starting(equal, std::iter::once(first).chain(rest)));
                    }
                }
                if first == Directions::LESS {
                    answer.forward.extend(found);
                } else {
                    answer.backward.extend(found.iter().map(Vector::negated));
                }
            }
        }
        self.left -= before - tried;
        merge(&mut answer.forward);
        merge(&mut answer.backward);
        answer.assumed &= !(answer.forward.is_empty() && answer.backward.is_empty());
        answer
    }
    /// Whether an access in two iterations of the innermost loop around it touches no byte twice, however often that loop
    /// runs: it is executed in each iteration from the one to the other, each time by the same number of bytes further,
    /// modulo 2^w. All these addresses are made of one pointer, so that they are in one object, and as none is larger than
    /// half of what indices reach (LangRef, "Allocated Objects"), each is that number further in ℤ too.
    fn walks_through_object(&self, of: &Touch<'_>) -> bool {
        let Some(by) = self.advance(of) else { return false };
        let bytes = of.mem.and_then(|mem| bytes(&self.hir.facts, mem));
        bytes.is_some_and(|bytes| bytes > 0 && by.signed().unsigned_abs() >= bytes.unsigned_abs())
    }
    /// The bytes, modulo 2^w, by which an access that is executed in each iteration of the innermost loop around it moves
    /// from one to the next, if that is known and always the same.
    fn advance(&self, of: &Touch<'_>) -> Option<Int> {
        let (mem, l, node) = (of.mem?, *of.loops.last()?, of.end.node);
        let hir = self.hir;
        let may_be_passed = |other: &Node| {
            let is_goto = matches!(hir.kind(*other), Kind::Goto(goto) if goto.label().is_some());
            is_goto && !hir.comes_before(node, *other)
        };
        let is_in_body = hir.parent(node) == Some(l) && hir.list_of(node) == Some(List::Body);
        if !is_normalized(hir, l) || !is_in_body || hir.nodes_in(l).iter().any(may_be_passed) {
            return None;
        }
        let is_same =
            |temp: Temp| self.definitions.get(&temp).is_none_or(|all| !all.iter().any(|d| hir.is_in(l, *d)));
        if !mem.forms().flat_map(|form| form.temps(&hir.blobs)).all(is_same) {
            return None;
        }
        let level = Level::try_from(of.loops.len()).ok()?;
        let width = mem.base.dest_type().width;
        let has_level = |form: &CanonExpr| form.has_iv(level);
        if has_level(&mem.base) || mem.dims.iter().any(|dim| has_level(&dim.stride)) {
            return None;
        }
        let mut sum = Int::zero(width);
        for dim in mem.dims.iter().filter(|dim| has_level(&dim.subscript)) {
            let form = &dim.subscript;
            let is_plain = form.src_type().width == width
                && form.dest_type().width == width
                && form.denominator() == Int::one(width);
            let (_, coefficient) = form.ivs().iter().find(|(of, _)| *of == level)?;
            let stride = dim.stride.as_constant().filter(|_| is_plain && coefficient.blob.is_none())?;
            sum = sum.add(coefficient.constant.mul(stride));
        }
        Some(sum)
    }
}

/// Finds what directions are possible at the levels behind `equal` and those in `directions`.
fn explore(
    mut pair: Pair,
    equal: usize,
    directions: &mut Vec<Directions>,
    tried: &mut u32,
    found: &mut Vec<Vector>,
) {
    let is_over = *tried == 0;
    *tried = tried.saturating_sub(1);
    if !pair.system.narrow() {
        return;
    }
    let levels = pair.distances.len();
    let at = equal + directions.len();
    if at == levels || is_over {
        if at == levels {
            pair.system.derive();
            if !pair.system.narrow() || !pair.system.clone().may_hold(&mut { HALVINGS }) {
                return;
            }
        }
        let component = |(level, var): (usize, &Option<usize>)| {
            let known = directions.get(level - equal).copied();
            let distance = var.map_or(super::solve::Interval::ZERO, |var| pair.system.domain(var));
            Component::new(known.unwrap_or(Directions::ALL), distance)
        };
        let rest = pair.distances.iter().enumerate().skip(equal).map(component);
        found.push(Vector::starting(equal, rest));
        return;
    }
    for direction in [Directions::LESS, Directions::EQUAL, Directions::GREATER] {
        let mut next = pair.clone();
        next.restrict(at, direction);
        directions.push(direction);
        explore(next, equal, directions, tried, found);
        directions.pop();
    }
}

fn bytes(facts: &Facts, of: &MemRef) -> Option<i128> {
    let (Access::Load(ty, _) | Access::Store(ty, _) | Access::AddressOf(ty)) = of.access;
    facts.bytes(ty)
}

/// Whether the number of an iteration is what its induction variable is in forms.
fn is_normalized(hir: &Hir, l: Node) -> bool {
    matches!(hir.kind(l), Kind::Loop(of) if of.is_normalized())
}

/// Two accesses, for the question what varies between them.
struct Between<'m, 'h> {
    hir: &'m Hir,
    definitions: &'m FxHashMap<Temp, Vec<Node>>,
    a: &'m Touch<'h>,
    b: &'m Touch<'h>,
    common: usize,
}

impl PairPlace for Between<'_, '_> {
    /// In the same iterations of `n` loops, control is in one execution of the next loop around both from the one access to
    /// the other: a variable that is not written in that has one value. Within the innermost one, or outside of all, it
    /// has one if whatever writes it comes before both: stands before both, and not with one of them in a loop that the
    /// other is not in. Lexical order is that of execution in one iteration, as no goto goes back.
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
}
