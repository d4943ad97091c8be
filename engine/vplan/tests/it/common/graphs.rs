//! Functions from random graphs: three variables that every block changes, phis of them at every join, calls that show
//! what a block computes, and branches and switches on it. A block with one incoming edge uses values across the edge.

use backedge_testkit::Graph;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::fmt::Write;

/// Variables of the function; a block has a phi for each, unless it inherits the value.
const VARIABLES: usize = 3;

/// The text of a module with one function, `@f`, whose CFG is `graph`.
pub(crate) fn text(graph: &Graph, seed: u64) -> String {
    let mut random = StdRng::seed_from_u64(seed);
    let mut preds: Vec<Vec<usize>> = vec![Vec::new(); graph.len()];
    for (from, succs) in graph.iter().enumerate() {
        succs.iter().for_each(|to| preds[*to].push(from));
    }
    let order = reachable(graph);
    let mut out = String::from("declare void @show(i32)\n\ndefine i32 @f(i32 %a, i32 %b) {\n");
    // The value of each variable at the end of each block.
    let mut ends: Vec<Vec<String>> = vec![Vec::new(); graph.len()];
    let changes: Vec<Vec<bool>> =
        (0..graph.len()).map(|_| (0..VARIABLES).map(|_| random.random_bool(0.5)).collect()).collect();
    // A block with one incoming edge reads its predecessor's values; it comes after the predecessor in this order.
    let mut starts: Vec<Vec<String>> = vec![Vec::new(); graph.len()];
    for block in order.iter().copied().chain((0..graph.len()).filter(|b| !order.contains(b))) {
        for v in 0..VARIABLES {
            let is_inherited = order.contains(&block) && preds[block].len() == 1;
            let start = match (block, is_inherited) {
                (0, _) => ["%a", "%b", "7"][v].to_owned(),
                (_, true) => ends[preds[block][0]][v].clone(),
                (_, false) if preds[block].is_empty() => "1".to_owned(),
                (_, false) => format!("%p{block}.{v}"),
            };
            ends[block].push(if changes[block][v] { format!("%v{block}.{v}") } else { start.clone() });
            starts[block].push(start);
        }
    }
    for (block, succs) in graph.iter().enumerate() {
        let _ = writeln!(out, "b{block}:");
        for (v, start) in starts[block].iter().enumerate() {
            if *start == format!("%p{block}.{v}") {
                let entry = |p: &usize| format!("[ {}, %b{p} ]", ends[*p][v]);
                let entries: Vec<String> = preds[block].iter().map(entry).collect();
                let _ = writeln!(out, "  {start} = phi i32 {}", entries.join(", "));
            }
        }
        for v in 0..VARIABLES {
            if changes[block][v] {
                let op = ["add", "sub", "xor", "mul"][random.random_range(0..4)];
                let other = &starts[block][random.random_range(0..VARIABLES)];
                let number = random.random_range(1..9);
                let second = if random.random_bool(0.5) { other.clone() } else { number.to_string() };
                let _ = writeln!(out, "  %v{block}.{v} = {op} i32 {}, {second}", starts[block][v]);
            }
        }
        let asked = &ends[block][random.random_range(0..VARIABLES)];
        if random.random_bool(0.4) {
            let _ = writeln!(out, "  call void @show(i32 {asked})");
        }
        match succs[..] {
            [] => {
                let _ = writeln!(out, "  ret i32 {asked}");
            }
            [to] => {
                let _ = writeln!(out, "  br label %b{to}");
            }
            [set, clear] => {
                let bit = 1 << random.random_range(0..4);
                let _ = writeln!(out, "  %m{block} = and i32 {asked}, {bit}");
                let _ = writeln!(out, "  %c{block} = icmp eq i32 %m{block}, 0");
                let _ = writeln!(out, "  br i1 %c{block}, label %b{set}, label %b{clear}");
            }
            [default, ref cases @ ..] => {
                let _ = writeln!(out, "  %m{block} = and i32 {asked}, 3");
                let case = |(n, to): (usize, &usize)| format!("i32 {n}, label %b{to}");
                let cases: Vec<String> = cases.iter().enumerate().map(case).collect();
                let _ = writeln!(out, "  switch i32 %m{block}, label %b{default} [ {} ]", cases.join(" "));
            }
        }
    }
    out + "}\n"
}

/// The reachable nodes, each after a predecessor.
fn reachable(graph: &Graph) -> Vec<usize> {
    let mut order = vec![0];
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        at += 1;
        for &to in &graph[node] {
            if !order.contains(&to) {
                order.push(to);
            }
        }
    }
    order
}
