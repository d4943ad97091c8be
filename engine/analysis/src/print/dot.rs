//! The control-flow graph for Graphviz (`dot -Tsvg`): loops are nested clusters, backedges are bold, entries of
//! irreducible cycles have double frames, and unreachable blocks are dashed.

use super::block_names;
use crate::irreducible;
use crate::{Cfg, Dominators, LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId, EntitySet, FuncId};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;
use std::fmt::Write;

/// The contents of the nodes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// The names of blocks.
    Names,
    /// The names and the instructions of blocks.
    Instructions,
}

/// The graph of `func` with body `body`, in Graphviz's language.
pub fn cfg_to_dot(env: &Env, func: FuncId, body: &Body, detail: Detail) -> String {
    let cfg = Cfg::new(body);
    let loops = LoopForest::new(&cfg, &Dominators::new(body, &cfg));
    let cycles = irreducible::cycles(&cfg, &loops);
    let mut writer = Writer {
        body,
        printer: BodyPrinter::new(env, body),
        names: block_names(env, body),
        detail,
        entries: cycles.into_iter().flat_map(|c| c.entries).collect(),
        out: String::new(),
    };
    let title = format!("CFG of function '{}'", env.funcs[func].name);
    writer.line(format_args!("digraph {} {{", quoted(&title)));
    writer.line(format_args!("label={};", quoted(&title)));
    writer.line(format_args!("node [shape=box, fontname=monospace];"));
    for block in body.blocks().filter(|b| loops.innermost(*b).is_none()) {
        writer.node(block, cfg.is_reachable(block));
    }
    writer.clusters(&loops);
    for block in body.blocks() {
        writer.edges(block, &loops);
    }
    writer.line(format_args!("}}"));
    writer.out
}

/// A string of Graphviz's language; each line break ends a left-justified line.
pub fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
    format!("\"{escaped}\"")
}

struct Writer<'a> {
    body: &'a Body,
    printer: BodyPrinter<'a>,
    names: Vec<String>,
    detail: Detail,
    entries: EntitySet<Block>,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn node(&mut self, block: Block, is_reachable: bool) {
        let mut label = self.names[block.index()].clone();
        if self.detail == Detail::Instructions {
            label.push_str(":\n");
            for &inst in self.body.insts(block) {
                let _ = writeln!(label, "  {}", self.printer.inst(inst));
            }
        }
        let style = if is_reachable { "" } else { ", style=dashed" };
        let frame = if self.entries.contains(block) { ", peripheries=2" } else { "" };
        self.line(format_args!("{block:?} [label={}{style}{frame}];", quoted(&label)));
    }

    /// The loops as clusters, each with the blocks that are in no nested loop.
    fn clusters(&mut self, loops: &LoopForest) {
        let mut open: Vec<LoopId> = Vec::new();
        for l in loops.ids() {
            while open.last().is_some_and(|o| !loops.contains_loop(*o, l)) {
                open.pop();
                self.line(format_args!("}}"));
            }
            open.push(l);
            let title = format!("loop {}, depth {}", self.names[loops.header(l).index()], loops.depth(l));
            self.line(format_args!("subgraph cluster_{} {{", l.index()));
            self.line(format_args!("label={};", quoted(&title)));
            // A loop's own blocks precede those of nested loops.
            for &block in loops.blocks_unordered(l).iter().take_while(|b| loops.innermost(**b) == Some(l)) {
                self.node(block, true);
            }
        }
        for _ in open {
            self.line(format_args!("}}"));
        }
    }

    fn edges(&mut self, block: Block, loops: &LoopForest) {
        for (index, &to) in self.body.successors(block).iter().enumerate() {
            let is_backedge = loops.with_header(to).is_some_and(|l| loops.contains(l, block));
            let style = if is_backedge { ", style=bold" } else { "" };
            let label = quoted(&self.edge_label(block, index));
            self.line(format_args!("{block:?} -> {to:?} [label={label}{style}];"));
        }
    }

    /// The condition under which the edge is taken.
    fn edge_label(&self, block: Block, index: usize) -> String {
        let Some(terminator) = self.body.terminator(block) else { return String::new() };
        let data = self.body.inst(terminator);
        match (&data.kind, index) {
            (InstKind::CondBr, 0) => "true".to_owned(),
            (InstKind::CondBr, _) => "false".to_owned(),
            (InstKind::Switch, 0) => "default".to_owned(),
            (InstKind::Switch, n) => {
                data.operands.get(n).map_or_else(String::new, |c| self.printer.operand(*c))
            }
            (InstKind::Invoke(_), 1) => "unwind".to_owned(),
            _ => String::new(),
        }
    }
}
