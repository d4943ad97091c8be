//! `opt -print-changed=dot-cfg`: a graph of each change of a pass, and `passes.html`, which lists them.
//!
//! A graph shows the control flow before and after in one: what the pass removed is red, what it added is green. The
//! files are in Graphviz's language, in the directory of `-dot-cfg-dir`, under LLVM's names.

use crate::output;
use backedge_analysis::print::quoted;
use backedge_ir::body::Body;
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;
use backedge_pipeline::run::PassRun;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Color of what a pass removed.
const REMOVED: &str = "red";
/// Color of what a pass added.
const ADDED: &str = "forestgreen";

/// The changes of a run.
pub(super) struct DotChanges {
    dir: PathBuf,
    /// Items of the list: one for each run of a pass.
    items: String,
    changes: usize,
    /// The first write that failed; no more files are written after it.
    failed: Option<miette::Report>,
}

impl DotChanges {
    /// Writes to the directory `dir`, which must exist.
    pub(super) fn new(dir: PathBuf) -> Self {
        Self { dir, items: String::new(), changes: 0, failed: None }
    }

    /// Writes the graph of a run of a pass on the function called `name`, if the pass changed it.
    pub(super) fn add(&mut self, run: &PassRun<'_>, name: &str) {
        let title = format!("{}. {} on {name}", run.number, run.pass);
        if !run.changed {
            let _ = writeln!(self.items, "<p>{} omitted because no change</p>", escaped(&title));
            return;
        }
        let file = format!("diff_{}.dot", self.changes);
        self.changes += 1;
        let _ = writeln!(self.items, "<p><a href=\"{file}\">{}</a></p>", escaped(&title));
        if self.failed.is_none() {
            self.failed = output::write(&self.dir.join(file), &graph(run, &title)).err();
        }
    }

    /// Writes the list.
    ///
    /// # Errors
    ///
    /// The first write that failed.
    pub(super) fn finish(self) -> miette::Result<()> {
        self.failed.map_or(Ok(()), Err)?;
        let text = format!(
            "<!doctype html>\n<html>\n<head><meta charset=\"utf-8\"><title>passes.html</title></head>\n<body>\n{}</body>\n</html>\n",
            self.items
        );
        output::write(&self.dir.join("passes.html"), &text)
    }
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The blocks of a function: lines and successors by label, in order.
struct Graph {
    labels: Vec<String>,
    blocks: BTreeMap<String, (String, Vec<String>)>,
}

impl Graph {
    fn new(env: &Env, body: &Body) -> Self {
        let printer = BodyPrinter::new(env, body);
        let slots = printer.slots();
        let label = |block| slots.block_label(body, block);
        let lines =
            |block| body.insts(block).iter().map(|inst| printer.inst(*inst) + "\n").collect::<String>();
        let ends = |block| body.terminator(block).map(|end| body.inst(end).successors());
        let successors = |block| ends(block).into_iter().flatten().copied().map(label).collect::<Vec<_>>();
        let blocks = body.blocks().map(|block| (label(block), (lines(block), successors(block))));
        Self { labels: body.blocks().map(label).collect(), blocks: blocks.collect() }
    }

    fn has_edge(&self, from: &str, to: &String) -> bool {
        self.blocks.get(from).is_some_and(|(_, successors)| successors.contains(to))
    }
}

/// The control flow before and after a pass, in Graphviz's language.
fn graph(run: &PassRun<'_>, title: &str) -> String {
    let (before, after) = (Graph::new(run.env, run.before), Graph::new(run.env, run.after));
    let title = quoted(title);
    let mut text = format!("digraph {title} {{\nlabel={title};\nnode [shape=box, fontname=monospace];\n");
    let removed = before.labels.iter().filter(|label| !after.blocks.contains_key(*label));
    let empty = (String::new(), Vec::new());
    for label in after.labels.iter().chain(removed) {
        let [old, new] = [&before, &after].map(|graph| graph.blocks.get(label));
        let color = color(old.is_some(), new.is_some());
        let [old, new] = [old, new].map(|block| block.unwrap_or(&empty));
        let lines = similar::TextDiff::from_lines(&old.0, &new.0);
        let lines: String = lines.iter_all_changes().map(|c| format!("{}{}", c.tag(), c.value())).collect();
        let shown = quoted(&format!("{label}:\n{lines}"));
        let _ = writeln!(text, "{} [label={shown}, color={color}];", quoted(label));
        let gone = old.1.iter().filter(|to| !new.1.contains(to));
        for to in new.1.iter().chain(gone) {
            let color = self::color(before.has_edge(label, to), after.has_edge(label, to));
            let _ = writeln!(text, "{} -> {} [color={color}];", quoted(label), quoted(to));
        }
    }
    text + "}\n"
}

fn color(before: bool, after: bool) -> &'static str {
    match (before, after) {
        (true, false) => REMOVED,
        (false, true) => ADDED,
        _ => "black",
    }
}
