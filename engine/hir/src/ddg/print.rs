//! Graphs as text: one line per edge, with the node numbers of its ends and its vectors; and as Graphviz graphs.
//!
//! ```text
//! <2> (%b)[i1 + 1] --> <4> (%b)[i1] anti (<) (1)
//! ```

use super::{Ddg, Edge, End, EndPlace, Refused};
use crate::build::{Built, build};
use crate::node::{Hir, Node};
use backedge_analysis::Analyses;
use backedge_analysis::print::quoted;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;
use backedge_scev::ScalarEvolution;
use std::rc::Rc;

/// Options for printing graphs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct DdgText {
    /// Also print input dependences.
    pub input: bool,
}

/// The nests of `func` as text, each with its graph, and the reasons why other nests were not taken.
pub fn ddg_to_string(env: &Env, func: FuncId, body: &Body, options: DdgText) -> String {
    let (mut out, built) = built(env, func, body, "; ");
    for taken in &built.taken {
        out += &built.hir.region_text(taken.region);
        match graph(&built.hir, taken.region, options) {
            Ok(graph) => out += &graph.text(&built.hir),
            Err(refused) => out += &format!("; no dependence graph: {refused}\n"),
        }
    }
    out
}

/// The graphs of the nests of `func` in Graphviz' language, one digraph each.
pub fn ddg_to_dot(env: &Env, func: FuncId, body: &Body, options: DdgText) -> String {
    let (mut out, built) = built(env, func, body, "// ");
    for taken in &built.taken {
        match graph(&built.hir, taken.region, options) {
            Ok(graph) => out += &graph.dot(&built.hir),
            Err(refused) => out += &format!("// no dependence graph: {refused}\n"),
        }
    }
    out
}

/// The graph of a region, with the requested dependences.
fn graph(hir: &Hir, region: Node, options: DdgText) -> Result<Rc<Ddg>, Refused> {
    if options.input { hir.ddg_with_input(region) } else { hir.ddg(region) }
}

/// Builds the nests. Also returns the lines printed before them, which are comments in a Graphviz file.
fn built(env: &Env, func: FuncId, body: &Body, comment: &str) -> (String, Built) {
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(env, body));
    let built = build(&mut scev);
    let head = if comment == "; " { "" } else { comment };
    let mut out = format!("{head}Function: {}\n", env.funcs[func].name);
    let names = BodyPrinter::new(env, body);
    for (l, missed) in &built.missed {
        out += &format!("{comment}loop {} was not taken: {missed}\n", names.block(scev.header(*l)));
    }
    (out, built)
}

impl End {
    /// The reference as text.
    pub fn text(self, hir: &Hir) -> String {
        let number = hir.number(self.node).unwrap_or(0);
        let of = match (self.reference(hir), self.place) {
            (Some(of), EndPlace::Blob(_, blob)) => {
                let temp = of.blob_refs()[blob as usize].temp;
                format!("{{{} in {}}}", hir.blobs.temp(temp).name, hir.ref_text(self.node, of))
            }
            (Some(of), _) => hir.ref_text(self.node, of),
            (None, _) => "memory".to_owned(),
        };
        format!("<{number}> {of}")
    }
}

impl Edge {
    /// The kind, then the vectors: `flow (<) (1)`.
    pub fn label(&self) -> String {
        let vectors: Vec<String> = self.vectors.iter().map(ToString::to_string).collect();
        let vectors = vectors.join(" | ");
        let assumed = if self.assumed { " assumed" } else { "" };
        let space = if vectors == "()" { "" } else { " " };
        let vectors = if vectors == "()" { "" } else { &vectors };
        format!("{}{space}{vectors}{assumed}", self.kind.name())
    }
}

impl Ddg {
    /// All edges as text.
    pub fn text(&self, hir: &Hir) -> String {
        let line =
            |edge: &Edge| format!("{} --> {} {}\n", edge.source.text(hir), edge.sink.text(hir), edge.label());
        self.edges().iter().map(line).collect()
    }
    /// The nodes that carry references, in lexical order, and the edges between them, in Graphviz' language.
    pub fn dot(&self, hir: &Hir) -> String {
        let mut out = "digraph ddg {\n  node [shape=box, fontname=monospace];\n".to_owned();
        let id = |node: Node| hir.number(node).unwrap_or(0);
        for node in hir.nodes_in(self.root()) {
            if hir.kind(node).is_dd_node() {
                let label = quoted(&format!("<{}> {}", id(node), hir.line(node)));
                out += &format!("  n{} [label={label}];\n", id(node));
            }
        }
        for edge in self.edges() {
            let style = match edge.kind {
                super::DepKind::Flow => "solid",
                super::DepKind::Anti => "dashed",
                super::DepKind::Output => "bold",
                super::DepKind::Input => "dotted",
            };
            let label = quoted(&edge.label());
            let [from, to] = [edge.source, edge.sink].map(|end| id(end.node));
            out += &format!("  n{from} -> n{to} [label={label}, style={style}];\n");
        }
        out + "}\n"
    }
}
