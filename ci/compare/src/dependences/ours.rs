//! Loads and stores of a function, and their dependences in Backedge's dependence graphs.

use backedge_analysis::Analyses;
use backedge_hir::build::build;
use backedge_hir::ddg::{Ddg, Edge, EndPlace};
use backedge_hir::{Hir, Node};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Module;
use backedge_ir::print::inst_to_string;
use backedge_scev::ScalarEvolution;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A load or store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    /// The printed instruction.
    pub(crate) text: String,
    pub(crate) writes: bool,
    /// The index of the outermost loop that contains it.
    pub(crate) nest: Option<usize>,
}

/// The dependences of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Said {
    /// In the order of the text.
    pub(crate) accesses: Vec<Access>,
    /// The result for each pair of access indices in the same nest: `Ok` if the nest's graph shows that the accesses
    /// are independent, otherwise the reason.
    pub(crate) pairs: BTreeMap<(usize, usize), Result<(), String>>,
}

/// The dependences of `func`; `input` includes pairs of two loads.
pub(crate) fn dependences(module: &Module, func: FuncId, input: bool) -> Said {
    let Some(body) = module.body(func) else { return Said::default() };
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
    let built = build(&mut scev);
    let loops = scev.loops();
    let mut said = Said::default();
    let mut insts: Vec<Inst> = Vec::new();
    for block in body.blocks() {
        for inst in body.insts(block) {
            let kind = &body.inst(*inst).kind;
            if matches!(kind, InstKind::Load(_) | InstKind::Store(_)) {
                let outermost = loops.innermost(block).map(|l| loops.outermost(l));
                let nest = loops.top_level().iter().position(|l| Some(*l) == outermost);
                let text = inst_to_string(&module.env, body, *inst).trim().to_owned();
                let writes = matches!(kind, InstKind::Store(_));
                said.accesses.push(Access { text, writes, nest });
                insts.push(*inst);
            }
        }
    }
    let is_inside = |inst: &&Inst| {
        let block = body.block_of(**inst);
        block.is_some_and(|block| built.taken.iter().any(|taken| taken.extent.contains(block)))
    };
    let inside: HashSet<Inst> = insts.iter().filter(is_inside).copied().collect();
    let mut regions: HashMap<Inst, (usize, Node)> = HashMap::new();
    let mut edges: HashMap<(Node, Node), Vec<String>> = HashMap::new();
    let mut refused = Vec::new();
    for (number, taken) in built.taken.iter().enumerate() {
        regions.extend(taken.nodes.iter().map(|(inst, node)| (*inst, (number, *node))));
        let graph = Ddg::new(&built.hir, taken.region, input);
        for edge in graph.as_ref().map_or(&[][..], Ddg::edges) {
            if !is_of_memory(&built.hir, edge) {
                continue;
            }
            let nodes = (edge.source.node.min(edge.sink.node), edge.source.node.max(edge.sink.node));
            let text = format!(
                "{} --> {} {}",
                edge.source.text(&built.hir),
                edge.sink.text(&built.hir),
                edge.label()
            );
            edges.entry(nodes).or_default().push(text);
        }
        refused.push(graph.err());
    }
    for (a, first) in insts.iter().enumerate() {
        for (b, second) in insts.iter().enumerate().skip(a) {
            let (x, y) = (&said.accesses[a], &said.accesses[b]);
            if x.nest.is_none() || x.nest != y.nest || !(input || x.writes || y.writes) {
                continue;
            }
            // A load without users has no node: skip it in a nest that was taken.
            if [first, second].into_iter().any(|i| !regions.contains_key(i) && inside.contains(i)) {
                continue;
            }
            let of_both = regions.get(first).zip(regions.get(second)).filter(|(x, y)| x.0 == y.0);
            let result = match of_both {
                None => Err("they are in no nest that is taken".to_owned()),
                Some(((region, x), (_, y))) => {
                    match (&refused[*region], edges.get(&(*x.min(y), *x.max(y)))) {
                        (Some(refused), _) => Err(refused.to_string()),
                        (None, Some(edges)) => Err(edges.join(", ")),
                        (None, None) => Ok(()),
                    }
                }
            };
            said.pairs.insert((a, b), result);
        }
    }
    said
}

/// Whether both ends of an edge are memory accesses rather than variables.
fn is_of_memory(hir: &Hir, edge: &Edge) -> bool {
    [edge.source, edge.sink].into_iter().all(|end| match end.place {
        EndPlace::Memory => true,
        EndPlace::Ref(_) => {
            end.reference(hir).is_some_and(|of| of.as_memory().is_some_and(|m| m.is_access()))
        }
        EndPlace::Blob(..) => false,
    })
}
