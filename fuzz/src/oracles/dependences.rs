//! Dependence graphs cover all dependences that runs show. If two accesses in one execution of a nest overlap and at
//! least one of them writes, then the graph has an edge from the earlier to the later access that allows their
//! distance vector. If a variable is written by a single instruction, then each read of it has a flow edge from its
//! last write.
//!
//! A run counts only if it ends without UB, does not choose values for undefined bits of an operand, and violates no
//! promise about memory that the graphs rely on.

pub use super::position::in_form;
use super::position::{MAX_INPUTS, Position, Watched, formed, global_address};
use super::{Evidence, Judge, Label, Oracle};
use backedge_analysis::alias::location::{MemoryLocation, Size};
use backedge_analysis::cache::{Analyses, At};
use backedge_hir::build::{Built, Extent, Taken, build};
use backedge_hir::ddg::{Ddg, DepKind, Edge, End, EndPlace, Pairs};
use backedge_hir::node::Kind;
use backedge_hir::{Hir, Node, Temp};
use backedge_interp::input::Input;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program, promise};
use backedge_ir::entity::{Arg, Block, EntityId, FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Module;
use backedge_scev::ScalarEvolution;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// Maximum number of accesses that are compared pair by pair, per execution of a nest.
const MAX_ACCESSES: usize = 160;
/// Maximum number of variable uses that are checked, per run: bounds the time of the oracle.
const MAX_USES: usize = 1000;

/// The oracle.
pub struct Dependences;

/// The salt of the inputs.
const SALT: u64 = 14;

impl Oracle for Dependences {
    fn question(&self) -> &'static str {
        "do dependence graphs cover the dependences in runs?"
    }
    fn judge(&self) -> Judge {
        Judge::Function(|case| {
            check(case.module, case.func, (case.number)(SALT))?;
            Ok(())
        })
    }
}

/// Statistics of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Runs.
    pub runs: u64,
    /// Runs that were defined and chose no undefined bits.
    pub defined: u64,
    /// Pairs of executed accesses with at least one write.
    pub pairs: u64,
    /// Pairs that overlap.
    pub conflicts: u64,
    /// Conflicts whose edge has exact distances at all levels, at least one of them not by assumption.
    pub exact: u64,
    /// Graphs.
    pub graphs: u64,
    /// Regions without a graph.
    pub refused: u64,
    /// Reads of variables after a write of the variable.
    pub reads: u64,
    /// The graphs' statistics about pairs of references.
    pub said: Pairs,
}

/// A dependence that a run shows and the graph does not cover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uncovered {
    /// The source and the sink of the dependence, in execution order.
    pub ends: [String; 2],
    /// The kind of dependence.
    pub kind: DepKind,
    /// The distance vector, in iterations of each common loop.
    pub distances: Vec<i128>,
    /// The tree and the graph.
    pub graph: String,
    /// The input of the run.
    pub input: String,
}

impl fmt::Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ends: [source, sink], kind, distances, graph, input } = self;
        let kind = kind.name();
        write!(f, "{source} --> {sink} {kind} at distances {distances:?} has no edge, on {input}\n{graph}")
    }
}

impl Evidence for Box<Uncovered> {
    fn label(&self) -> Label {
        Label::of("no-dependence").with_words(self.kind.name())
    }
}

/// Checks `func` on a few generated inputs, after bringing it into the form that nests require.
pub fn check(module: &Module, func: FuncId, seed: u64) -> Result<Seen, Box<Uncovered>> {
    let mut seen = Seen::default();
    let Some((module, inputs)) = formed(module, func, seed) else { return Ok(seen) };
    check_on(&module, func, &mut inputs.first(MAX_INPUTS), &mut seen)?;
    Ok(seen)
}

/// An executed memory access.
#[derive(Clone, Debug)]
struct Happened {
    end: End,
    writes: bool,
    address: u64,
    bytes: u64,
    /// The iterations of the enclosing loops, outermost first.
    iterations: Vec<i128>,
    /// The number of the nest's execution.
    entry: u64,
}

/// An executed read or write of a variable.
#[derive(Clone, Debug)]
struct Used {
    end: End,
    temp: Temp,
    writes: bool,
    iterations: Vec<i128>,
    entry: u64,
}

/// A nest with its dependence graph and its executed accesses; maps instructions to ends.
struct Nest {
    extent: Extent,
    graph: Ddg,
    ends: HashMap<Inst, End>,
    happened: Vec<Happened>,
    /// The reads and writes of single-definition variables by each instruction, reads first.
    variables: HashMap<Inst, Vec<(End, Temp, bool)>>,
    used: Vec<Used>,
}

impl Nest {
    fn new(hir: &Hir, taken: &Taken, graph: Ddg) -> Self {
        let nodes = hir.nodes_in(taken.region);
        let written: Vec<Temp> = nodes.iter().filter_map(|n| hir.written(*n)).collect();
        let is_of_one = |temp: Temp| written.iter().filter(|t| **t == temp).count() == 1;
        let mut variables: HashMap<Inst, Vec<(End, Temp, bool)>> = HashMap::new();
        let own: HashSet<Temp> = taken.nodes.iter().filter_map(|(_, n)| hir.written(*n)).collect();
        for (inst, node) in &taken.nodes {
            let Kind::Inst(of) = hir.kind(*node) else { continue };
            let target = usize::from(of.lval.as_ref().is_some_and(|l| l.as_memory().is_none()));
            let mut all = Vec::new();
            for (number, of) in (0u32..).zip(hir.kind(*node).refs()) {
                let end = |place| End { node: *node, place };
                all.extend(
                    of.as_temp(&hir.blobs)
                        .map(|temp| (end(EndPlace::Ref(number)), temp, (number as usize) < target)),
                );
                let blobs = (0..).zip(of.blob_refs());
                all.extend(blobs.map(|(blob, b)| (end(EndPlace::Blob(number, blob)), b.temp, false)));
            }
            all.retain(|(_, temp, _)| own.contains(temp) && is_of_one(*temp));
            all.sort_by_key(|(.., writes)| *writes);
            variables.insert(*inst, all);
        }
        let ends = taken.nodes.iter().filter_map(|(inst, node)| Some((*inst, end_of(hir, *node)?)));
        Self {
            extent: taken.extent.clone(),
            graph,
            ends: ends.collect(),
            happened: Vec::new(),
            variables,
            used: Vec::new(),
        }
    }
}

struct Watch<'a> {
    at: At<'a>,
    position: Position<'a>,
    nests: Vec<Nest>,
    values: HashMap<Value, u64>,
    /// The number of executions of each nest.
    entries: Vec<u64>,
}

impl Watch<'_> {
    fn address(&self, ptr: Value, done: &Done<'_>) -> Option<u64> {
        if let Some(known) = self.values.get(&ptr) {
            return Some(*known);
        }
        global_address(self.at, ptr.as_const()?, done.memory)
    }
    fn note_variables(&mut self, inst: Inst) {
        let Some(block) = self.at.body.block_of(inst) else { return };
        for at in 0..self.nests.len() {
            let extent = &self.nests[at].extent;
            if !extent.contains(block) || self.nests[at].used.len() > MAX_USES {
                continue;
            }
            let (iterations, entry) = (self.position.iterations(extent, block), self.entries[at]);
            let Nest { variables, used, .. } = &mut self.nests[at];
            for (end, temp, writes) in variables.get(&inst).into_iter().flatten() {
                let iterations = iterations.clone();
                used.push(Used { end: *end, temp: *temp, writes: *writes, iterations, entry });
            }
        }
    }
    fn note(&mut self, inst: Inst, done: &Done<'_>) {
        let access = |at| MemoryLocation::of_access(at, inst);
        let (read, written) = match self.at.body.inst(inst).kind {
            InstKind::Load(_) => (access(self.at), None),
            InstKind::Store(_) => (None, access(self.at)),
            InstKind::Call(_) => MemoryLocation::of_transfer(self.at, inst)
                .map_or((None, None), |(read, written)| (read, Some(written))),
            _ => return,
        };
        for (location, writes) in read.map(|of| (of, false)).into_iter().chain(written.map(|of| (of, true))) {
            self.note_access(inst, done, location, writes);
        }
    }
    fn note_access(&mut self, inst: Inst, done: &Done<'_>, location: MemoryLocation, writes: bool) {
        let MemoryLocation { ptr, size: Size::Precise(bytes) } = location else { return };
        let Some(address) = self.address(ptr, done) else { return };
        let Some(block) = self.at.body.block_of(inst) else { return };
        for at in 0..self.nests.len() {
            let extent = &self.nests[at].extent;
            let Some(end) = self.nests[at].ends.get(&inst).copied().filter(|_| extent.contains(block)) else {
                continue;
            };
            let (iterations, entry) = (self.position.iterations(extent, block), self.entries[at]);
            self.nests[at].happened.push(Happened { end, writes, address, bytes, iterations, entry });
        }
    }
}

impl Observer for Watch<'_> {
    fn call(&mut self, entry: Entry<'_>) {
        if entry.depth == 0 {
            for (i, value) in entry.args.iter().enumerate() {
                if let Val::Ptr(ptr) = value {
                    self.values.insert(Arg::from_index(i).into(), ptr.addr);
                }
            }
        }
    }
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        if depth > 0 {
            return;
        }
        let from = self.position.block();
        for (nest, entries) in self.nests.iter().zip(&mut self.entries) {
            let is_inside = |block: Block| nest.extent.contains(block);
            *entries += u64::from(is_inside(block) && !from.is_some_and(is_inside));
        }
        self.position.enter(block);
    }
    fn step(&mut self, done: Done<'_>) {
        if done.depth > 0 {
            return;
        }
        self.note(done.inst, &done);
        self.note_variables(done.inst);
        match done.value {
            Some(Val::Ptr(ptr)) => {
                self.values.insert(done.inst.into(), ptr.addr);
            }
            _ => {
                self.values.remove(&Value::Inst(done.inst));
            }
        }
    }
}

/// The end of a node's memory access.
fn end_of(hir: &Hir, node: Node) -> Option<End> {
    let Kind::Inst(inst) = hir.kind(node) else { return None };
    if !inst.reaches.is_empty() {
        return Some(End { node, place: EndPlace::Memory });
    }
    let refs = hir.kind(node).refs();
    let at = refs.iter().position(|r| r.as_memory().is_some_and(|m| m.is_access()))?;
    Some(End { node, place: EndPlace::Ref(at as u32) })
}

/// Runs `func`, which is in canonical form, on each input, and looks for conflicts that no edge covers.
pub fn check_on(
    module: &Module,
    func: FuncId,
    inputs: &mut dyn Iterator<Item = Input>,
    seen: &mut Seen,
) -> Result<(), Box<Uncovered>> {
    check_edges(module, func, inputs, seen, &|_| true)
}

/// Like [`check_on`], restricted to the edges that `counts` accepts.
fn check_edges(
    module: &Module,
    func: FuncId,
    inputs: &mut dyn Iterator<Item = Input>,
    seen: &mut Seen,
    counts: &dyn Fn(&Edge) -> bool,
) -> Result<(), Box<Uncovered>> {
    let Some(body) = module.body(func) else { return Ok(()) };
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, body);
    let built: Built = build(&mut ScalarEvolution::new(at));
    let forest = at.loops();
    let mut nests = Vec::new();
    for taken in &built.taken {
        let graph = match Ddg::new(&built.hir, taken.region, false) {
            Ok(graph) => graph,
            Err(_) => {
                seen.refused += 1;
                continue;
            }
        };
        seen.graphs += 1;
        let Pairs { all, apart, independent, assumed } = graph.pairs;
        seen.said.all += all;
        seen.said.apart += apart;
        seen.said.independent += independent;
        seen.said.assumed += assumed;
        nests.push(Nest::new(&built.hir, taken, graph));
    }
    if nests.is_empty() {
        return Ok(());
    }
    let config = Config { fuel: 3000, max_bytes: 1 << 20, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let entries = vec![0; nests.len()];
    let mut watch = Watch { at, position: Position::new(&forest), nests, values: HashMap::new(), entries };
    let script = Arc::default();
    for (number, input) in inputs.enumerate() {
        watch.values.clear();
        watch.position.restart();
        for nest in &mut watch.nests {
            nest.happened.clear();
            nest.used.clear();
        }
        let mut chooser = Watched::new(number as u64);
        let Ok(result) = machine.run(func, &input, &mut chooser, &mut watch) else { break };
        seen.runs += 1;
        let is_broken =
            |machine: &mut Machine<'_>| promise::broken(machine, func, &input, &script, &[]).is_some();
        if chooser.counts(&result.outcome) && !is_broken(&mut machine) {
            seen.defined += 1;
            for nest in &watch.nests {
                judge(&Judged { hir: &built.hir, nest, input: &input }, counts, seen)?;
            }
        }
    }
    Ok(())
}

/// One run of a nest.
struct Judged<'j> {
    hir: &'j Hir,
    nest: &'j Nest,
    input: &'j Input,
}

impl Judged<'_> {
    fn uncovered(&self, ends: [End; 2], kind: DepKind, distances: Vec<i128>) -> Box<Uncovered> {
        let Self { hir, nest, input } = self;
        Box::new(Uncovered {
            ends: ends.map(|end| end.text(hir).to_string()),
            kind,
            distances,
            graph: format!("{}{}", hir.text(), nest.graph.text(hir)),
            input: format!("{:?}", input.args),
        })
    }
}

/// The distance vector from `first` to `second` over the common loops, outermost first.
fn distances(hir: &Hir, first: (End, &[i128]), second: (End, &[i128])) -> Vec<i128> {
    let around = |end: End| {
        let mut around: Vec<Node> = hir.loops_around(end.node).collect();
        around.reverse();
        around
    };
    let (x, y) = (around(first.0), around(second.0));
    let common = x.iter().zip(&y).take_while(|(a, b)| a == b).count();
    second.1.iter().zip(first.1).take(common).map(|(later, earlier)| later - earlier).collect()
}

type Edges<'e> = HashMap<(End, End), Vec<&'e Edge>>;

fn judge_variables(judged: &Judged<'_>, edges: &Edges<'_>, seen: &mut Seen) -> Result<(), Box<Uncovered>> {
    let mut last: HashMap<Temp, &Used> = HashMap::new();
    for used in &judged.nest.used {
        if used.writes {
            last.insert(used.temp, used);
            continue;
        }
        let Some(write) = last.get(&used.temp).filter(|w| w.entry == used.entry) else { continue };
        seen.reads += 1;
        let distances = distances(judged.hir, (write.end, &write.iterations), (used.end, &used.iterations));
        let mut found = edges.get(&(write.end, used.end)).into_iter().flatten();
        let covers = |e: &&Edge| e.kind == DepKind::Flow && e.vectors.iter().any(|v| v.allows(&distances));
        if !found.any(covers) {
            return Err(judged.uncovered([write.end, used.end], DepKind::Flow, distances));
        }
    }
    Ok(())
}

fn judge(judged: &Judged<'_>, counts: &dyn Fn(&Edge) -> bool, seen: &mut Seen) -> Result<(), Box<Uncovered>> {
    let mut edges: Edges<'_> = HashMap::new();
    for edge in judged.nest.graph.edges().iter().filter(|edge| counts(edge)) {
        edges.entry((edge.source, edge.sink)).or_default().push(edge);
    }
    judge_variables(judged, &edges, seen)?;
    let happened = &judged.nest.happened;
    for (at, later) in happened.iter().enumerate().take(MAX_ACCESSES) {
        for earlier in happened[..at].iter().filter(|e| e.entry == later.entry) {
            if !earlier.writes && !later.writes {
                continue;
            }
            seen.pairs += 1;
            let overlap = earlier.address < later.address + later.bytes
                && later.address < earlier.address + earlier.bytes;
            // Accesses within one execution of an instruction have no order.
            let is_one = earlier.end == later.end && earlier.iterations == later.iterations;
            if !overlap || is_one {
                continue;
            }
            seen.conflicts += 1;
            let distances =
                distances(judged.hir, (earlier.end, &earlier.iterations), (later.end, &later.iterations));
            let kind = match (earlier.writes, later.writes) {
                (true, false) => DepKind::Flow,
                (false, true) => DepKind::Anti,
                _ => DepKind::Output,
            };
            let found = edges.get(&(earlier.end, later.end)).into_iter().flatten();
            let mut covering = found.filter(|e| {
                e.vectors.iter().any(|v| v.allows(&distances))
                    && (e.kind == kind
                        || e.source.place == EndPlace::Memory
                        || e.sink.place == EndPlace::Memory)
            });
            let Some(edge) = covering.next() else {
                return Err(judged.uncovered([earlier.end, later.end], kind, distances));
            };
            let knows = |e: &Edge| e.vectors.iter().any(|v| v.0.iter().all(|c| c.distance().is_some()));
            seen.exact += u64::from(!edge.assumed && knows(edge));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_interp::input::ArgSpec;
    use backedge_interp::memory::Contents;
    use backedge_ir::parse::parse_module;

    /// Each iteration writes the location that the iteration after next reads.
    const TEXT: &str = "define void @f(ptr %p) {\nentry:\n  br label %loop\nloop:\n  \
        %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  %from = getelementptr inbounds i8, ptr %p, i64 %i\n  \
        %v = load i8, ptr %from\n  %at = add nuw nsw i64 %i, 2\n  %to = getelementptr inbounds i8, ptr %p, i64 %at\n  \
        store i8 %v, ptr %to\n  %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %i.next, 6\n  \
        br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}\n";

    #[test]
    fn what_has_no_edge_is_found() {
        let mut module = parse_module(TEXT.as_bytes()).expect("a module").module;
        assert!(in_form(&mut module));
        let func = module.env.func_named("f").expect("it has @f");
        let look = |counts: &dyn Fn(&Edge) -> bool| {
            let buffer = ArgSpec::Buffer(Box::new(Contents::from_bytes(vec![0; 16])));
            let mut seen = Seen::default();
            let mut inputs = std::iter::once(Input::new(vec![buffer]));
            check_edges(&module, func, &mut inputs, &mut seen, counts).map(|()| seen)
        };
        let seen = look(&|_| true).expect("all that happens has an edge");
        assert_eq!((seen.defined, seen.conflicts, seen.exact), (1, 4, 4), "{seen:?}");
        let is_of_memory =
            |edge: &Edge| edge.vectors.iter().any(|v| v.0.iter().any(|c| c.distance() == Some(2)));
        let missing = look(&|edge| !is_of_memory(edge)).expect_err("the next but one reads it");
        assert_eq!((missing.kind, &missing.distances[..]), (DepKind::Flow, &[2][..]), "{missing}");
    }

    /// Fills and copies access exactly their range of bytes.
    #[test]
    fn bytes_that_are_filled_and_copied() {
        let text = |filled: u32, from: i64, step: u32| {
            format!(
                "@g = global [160 x i8] zeroinitializer\n\
                 declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n\
                 declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n\
                 define void @f(i8 noundef %x) {{\nentry:\n  br label %loop\nloop:\n  \
                 %i = phi i64 [ 0, %entry ], [ %n, %loop ]\n  %s = mul nuw nsw i64 %i, {step}\n  \
                 %to = getelementptr inbounds i8, ptr @g, i64 %s\n  \
                 call void @llvm.memset.p0.i64(ptr %to, i8 %x, i64 {filled}, i1 false)\n  \
                 %a = add nsw i64 %s, {from}\n  %at = getelementptr inbounds i8, ptr @g, i64 %a\n  \
                 %b = add nsw i64 %s, 8\n  %bt = getelementptr inbounds i8, ptr @g, i64 %b\n  \
                 call void @llvm.memmove.p0.p0.i64(ptr %bt, ptr %at, i64 4, i1 false)\n  \
                 %v = load i8, ptr %at\n  %n = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %n, 6\n  \
                 br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n"
            )
        };
        let look = |text: &str| {
            let module = parse_module(text.as_bytes()).expect("a module").module;
            let func = module.env.func_named("f").expect("it has @f");
            check(&module, func, 1).unwrap_or_else(|missing| panic!("{missing}"))
        };
        for (filled, from, step) in [(4, 12, 16), (5, 2, 4), (16, 20, 12), (3, 8, 8), (9, 8, 16)] {
            let seen = look(&text(filled, from, step));
            let disjoint = (filled, from, step) == (4, 12, 16);
            assert!(seen.graphs == 1 && seen.defined > 0, "{seen:?}");
            assert_eq!(seen.conflicts == 0, disjoint, "{filled} {from} {step}: {seen:?}");
            assert_eq!(seen.said.independent == seen.said.all, disjoint, "{filled} {from} {step}: {seen:?}");
        }
    }

    /// A phi that starts as `undef` may have a different value at each use in a run, but is one variable in a tree.
    #[test]
    fn runs_that_choose_undefined_bits_do_not_count() {
        let text = |start: &str| {
            format!(
                "@g = global [64 x i8] zeroinitializer\ndefine void @f(i4 noundef %x) {{\nentry:\n  br label %loop\n\
                 loop:\n  %i = phi i4 [ 0, %entry ], [ %n, %loop ]\n  %p = phi i4 [ {start}, %entry ], [ %q, %loop ]\n  \
                 %m = and i4 %p, 1\n  %at = getelementptr i8, ptr @g, i4 %m\n  store i8 0, ptr %at\n  \
                 %q = add i4 %p, 1\n  %n = add i4 %i, 1\n  %more = icmp ult i4 %n, 6\n  \
                 br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n"
            )
        };
        let look = |start: &str| {
            let module = parse_module(text(start).as_bytes()).expect("a module").module;
            let func = module.env.func_named("f").expect("it has @f");
            check(&module, func, 1).expect("all that counts has an edge")
        };
        let (undef, known) = (look("undef"), look("%x"));
        assert!(undef.graphs == 1 && undef.runs > 0 && undef.defined == 0, "{undef:?}");
        assert!(known.defined > 0 && known.conflicts > 0, "{known:?}");
    }
}
