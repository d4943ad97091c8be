//! Random functions with a given control-flow graph: phis, arithmetic on dominating values, calls of `@trace` that show
//! values, and branches and switches on values. The graph may have unreachable blocks and double edges.

use crate::{Dice, Graph};
use std::fmt::Write;

/// The declaration of the function that shows values.
pub const TRACE: &str = "declare void @trace(i32)\n";

/// The text of the function `@name`, which calls [`TRACE`]. It has two arguments, `%a` and `%b`, and returns a value; all
/// three are `i32`. The blocks are called `b0`, `b1`, and so on, and have the successors of `graph`.
pub fn graph_function(name: &str, graph: &Graph, seed: u64) -> String {
    let dominators = dominators(graph);
    let mut writer = Writer {
        dice: Dice::new(seed),
        preds: predecessors(graph),
        next: 0,
        blocks: vec![Block::default(); graph.len()],
    };
    let arguments = vec!["%a".to_owned(), "%b".to_owned()];
    let mut order: Vec<usize> = (0..graph.len()).filter(|b| !dominators[*b].is_empty()).collect();
    order.sort_by_key(|b| dominators[*b].len());
    order.extend((0..graph.len()).filter(|b| dominators[*b].is_empty()));
    let mut every = arguments.clone();
    for block in order {
        // Every value is available in an unreachable block.
        let available = match &dominators[block][..] {
            [] => every.clone(),
            all => {
                let defined = all.iter().flat_map(|d| &writer.blocks[*d].defined);
                arguments.iter().chain(defined).cloned().collect()
            }
        };
        writer.block(block, &graph[block], available);
        every.extend_from_slice(&writer.blocks[block].defined);
    }
    let mut text = format!("define i32 @{name}(i32 %a, i32 %b) {{\n");
    for number in 0..graph.len() {
        let phis = writer.phis(number);
        let _ = write!(text, "b{number}:\n{phis}{}", writer.blocks[number].code);
    }
    text + "}\n"
}

fn predecessors(graph: &Graph) -> Vec<Vec<usize>> {
    let mut preds = vec![Vec::new(); graph.len()];
    for (from, succs) in graph.iter().enumerate() {
        succs.iter().for_each(|to| preds[*to].push(from));
    }
    preds
}

/// The strict dominators of each node and the node itself, from the entry on; none if the node is unreachable. A node
/// dominates those that are unreachable without it.
fn dominators(graph: &Graph) -> Vec<Vec<usize>> {
    let all = reachable(graph, None);
    let without: Vec<Vec<bool>> = (0..graph.len()).map(|node| reachable(graph, Some(node))).collect();
    let of_node = |node: usize| (0..graph.len()).filter(|a| all[node] && !without[*a][node]).collect();
    let unordered: Vec<Vec<usize>> = (0..graph.len()).map(of_node).collect();
    let by_depth = |mut found: Vec<usize>| {
        found.sort_by_key(|a| unordered[*a].len());
        found
    };
    unordered.iter().cloned().map(by_depth).collect()
}

/// Whether each node is reachable from the entry on a path without the node `without`.
fn reachable(graph: &Graph, without: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; graph.len()];
    let mut work = vec![0];
    while let Some(node) = work.pop() {
        if Some(node) != without && !std::mem::replace(&mut seen[node], true) {
            work.extend(&graph[node]);
        }
    }
    seen
}

/// A block that is written, except for its phis.
#[derive(Clone, Default)]
struct Block {
    phis: Vec<String>,
    code: String,
    /// The values that it defines.
    defined: Vec<String>,
    /// The values available at its end.
    at_end: Vec<String>,
}

struct Writer {
    dice: Dice,
    preds: Vec<Vec<usize>>,
    next: u32,
    blocks: Vec<Block>,
}

impl Writer {
    fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("%{stem}{}", self.next)
    }
    /// A value of `values`, or a small number.
    fn pick(&mut self, values: &[String]) -> String {
        if self.dice.one_in(6) {
            return self.dice.below(5).to_string();
        }
        // Prefer late values: they are often defined in loops.
        let from = if self.dice.one_in(2) { values.len().saturating_sub(4) } else { 0 };
        values[from + self.dice.below(values.len() - from)].clone()
    }
    /// Writes the block `number`, except for its phis, with these values available at its start.
    fn block(&mut self, number: usize, succs: &[usize], mut values: Vec<String>) {
        let before = values.len();
        let phis = if self.preds[number].is_empty() { 0 } else { self.dice.below(3) };
        let phis: Vec<String> = (0..phis).map(|_| self.fresh("p")).collect();
        values.extend_from_slice(&phis);
        let mut code = String::new();
        for _ in 0..self.dice.below(4) {
            let (x, y) = (self.pick(&values), self.pick(&values));
            if self.dice.one_in(3) {
                let _ = writeln!(code, "  call void @trace(i32 {x})");
                continue;
            }
            let (op, name) = (self.dice.pick(&["add", "xor", "mul", "sub"]), self.fresh("v"));
            let _ = writeln!(code, "  {name} = {op} i32 {x}, {y}");
            values.push(name);
        }
        let asked = self.pick(&values);
        let _ = match succs {
            [] => writeln!(code, "  ret i32 {asked}"),
            [to] => writeln!(code, "  br label %b{to}"),
            [yes, no] => {
                let condition = self.condition(&mut code, &asked, &values);
                writeln!(code, "  br i1 {condition}, label %b{yes}, label %b{no}")
            }
            [default, cases @ ..] => {
                let cases: Vec<String> =
                    (1..).zip(cases).map(|(case, to)| format!("i32 {case}, label %b{to}")).collect();
                writeln!(code, "  switch i32 {asked}, label %b{default} [ {} ]", cases.join(" "))
            }
        };
        self.blocks[number] = Block { phis, code, defined: values[before..].to_vec(), at_end: values };
    }
    /// Writes a test of `asked`: a comparison, or one of its bits.
    fn condition(&mut self, code: &mut String, asked: &str, values: &[String]) -> String {
        let condition = self.fresh("c");
        if self.dice.one_in(2) {
            let (pred, other) = (self.dice.pick(&["slt", "ugt", "ne", "eq"]), self.pick(values));
            let _ = writeln!(code, "  {condition} = icmp {pred} i32 {asked}, {other}");
        } else {
            let (masked, bit) = (self.fresh("m"), 1 << self.dice.below(4));
            let _ = writeln!(code, "  {masked} = and i32 {asked}, {bit}");
            let _ = writeln!(code, "  {condition} = icmp eq i32 {masked}, 0");
        }
        condition
    }
    /// The text of the phis of a block, once all blocks are written.
    fn phis(&mut self, number: usize) -> String {
        let mut text = String::new();
        for name in self.blocks[number].phis.clone() {
            let mut entries: Vec<(usize, String)> = Vec::new();
            for pred in self.preds[number].clone() {
                // Entries for one predecessor agree.
                let known = entries.iter().find(|e| e.0 == pred).map(|e| e.1.clone());
                let at_end = self.blocks[pred].at_end.clone();
                entries.push((pred, known.unwrap_or_else(|| self.pick(&at_end))));
            }
            let entries: Vec<String> =
                entries.iter().map(|(from, value)| format!("[ {value}, %b{from} ]")).collect();
            let _ = writeln!(text, "  {name} = phi i32 {}", entries.join(", "));
        }
        text
    }
}
