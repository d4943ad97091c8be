//! Properties of references as text: the document's queries (docs/hir-terms.md), evaluated for each reference of a
//! region.
//!
//! ```text
//! DR4((@A)[0][2 * i1][%b * i1]) in <2> at level 1
//!     dimension 3: 0; IVs: none; defined at 0; linear at 1; invariant at 1; stride 400
//!     dimension 2: 2 * i1; IVs: i1; defined at 0; linear at 1; invariant at none; stride 40
//!     dimension 1: %b * i1; IVs: i1; defined at 0; linear at 1; invariant at none; stride 4
//!     base: @A; IVs: none; defined at 0; linear at 1; invariant at 1
//!     stride at 1: 4 * %b + 80
//! ```
//!
//! References have the names that lists of symbases give them ([`crate::print`]). Levels are those of the loops
//! around the node, the outermost 1. For each form the text lists its induction variables ([`CanonExpr::has_iv`]),
//! the level at which it is defined ([`CanonExpr::defined_at_level`]), and the levels at which it is linear and
//! invariant ([`CanonExpr::is_linear_at_level`], [`CanonExpr::is_invariant_at_level`]). For a memory reference the
//! text has these properties of each subscript, with the element distance of the dimension in bytes
//! ([`MemRef::dimension_stride`]), and of the base; then the bytes by which the reference advances at each level
//! ([`RegDdRef::stride_at_level`]), or why they are unknown; and the loads that define its base and subscripts, if
//! any ([`Ddg::indexed_by`]).

use crate::canon::{CanonExpr, Level};
use crate::ddg::{Ddg, End, EndPlace};
use crate::ddref::{MemRef, RegDdRef};
use crate::node::{Hir, Node};
use std::fmt::Write;
use std::rc::Rc;

impl Hir {
    /// The query results for all references of a region.
    pub fn queries_text(&mut self, region: Node) -> String {
        // Without a graph the loads are omitted.
        let graph = self.ddg(region).ok();
        let refs = self.named_refs(region);
        let mut out = String::new();
        for (number, end) in (1..).zip(&refs) {
            out += &self.queries_of(number, *end);
            for from in self.indices(graph.as_ref(), *end) {
                let index = refs.iter().position(|other| *other == from).map_or(0, |at| at + 1);
                let _ = writeln!(out, "    indexed by DR{index}({})", self.end_text(from));
            }
        }
        out
    }
    /// The references of a region, in the order of their names.
    fn named_refs(&self, region: Node) -> Vec<End> {
        let of_node = |node: Node| {
            let count = self.kind(node).refs().len() as u32;
            (0..count).map(move |number| End { node, place: EndPlace::Ref(number) })
        };
        self.nodes_in(region).into_iter().flat_map(of_node).collect()
    }
    fn end_text(&self, end: End) -> String {
        end.reference(self).map_or_else(String::new, |of| self.ref_text(end.node, of))
    }
    fn indices(&self, graph: Option<&Rc<Ddg>>, end: End) -> Vec<End> {
        let is_access = end.reference(self).and_then(RegDdRef::as_memory).is_some_and(MemRef::is_access);
        match (graph, end.place) {
            (Some(graph), EndPlace::Ref(number)) if is_access => graph.indexed_by(self, end.node, number),
            _ => Vec::new(),
        }
    }
    fn queries_of(&mut self, number: u32, end: End) -> String {
        let Some(of) = end.reference(self).cloned() else { return String::new() };
        let level = self.level(end.node);
        let line = self.number(end.node).unwrap_or(0);
        let mut out = format!("DR{number}({}) in <{line}> at level {level}\n", self.end_text(end));
        if let Some(form) = of.as_terminal() {
            let _ = writeln!(out, "    {}", self.form_queries(form, level));
        }
        if let Some(memory) = of.as_memory() {
            for (number, dim) in memory.dims.iter().enumerate().rev() {
                let (form, stride) = (self.form_queries(&dim.subscript, level), dim.stride.text(&self.blobs));
                let _ = writeln!(out, "    dimension {}: {form}; stride {stride}", number + 1);
            }
            let _ = writeln!(out, "    base: {}", self.form_queries(&memory.base, level));
            for at in 1..=level {
                let stride = match memory.stride_at_level(at, &mut self.blobs) {
                    Ok(stride) => stride.text(&self.blobs),
                    Err(none) => format!("unknown, as {none}"),
                };
                let _ = writeln!(out, "    stride at {at}: {stride}");
            }
        }
        out
    }
    /// The properties of a form at a place of that level.
    fn form_queries(&self, form: &CanonExpr, level: Level) -> String {
        let list = |prefix: &str, is: &dyn Fn(Level) -> bool| {
            let all: Vec<String> =
                (1..=level).filter(|at| is(*at)).map(|at| format!("{prefix}{at}")).collect();
            if all.is_empty() { "none".to_owned() } else { all.join(", ") }
        };
        format!(
            "{}; IVs: {}; defined at {}; linear at {}; invariant at {}",
            form.text(&self.blobs),
            list("i", &|at| form.has_iv(at)),
            form.defined_at_level(),
            list("", &|at| form.is_linear_at_level(at)),
            list("", &|at| form.is_invariant_at_level(at)),
        )
    }
}
