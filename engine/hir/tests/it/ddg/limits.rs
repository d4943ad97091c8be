//! Graphs of many accesses, variables and loops stay within their limits on work and memory.

use super::{built, one_loop, region};
use backedge_hir::Node;
use backedge_hir::build::Built;
use backedge_hir::ddg::{Ddg, DepKind, Edge, EndPlace, Refused};

/// A graph exists even for more accesses than can be tested in pairs, but not if its edges would fill memory.
#[test]
fn many_accesses() {
    let stores = |count: usize| {
        let store = |k: usize| {
            format!(
                "%x{k} = mul i64 %i, {}\n  %a{k} = getelementptr i8, ptr %p, i64 %x{k}\n  store i8 1, ptr %a{k}",
                k + 1
            )
        };
        let insts: Vec<String> = (0..count).map(store).collect();
        built(&one_loop("%n", &insts.iter().map(String::as_str).collect::<Vec<_>>()))
    };
    let built = stores(600);
    let graph = Ddg::new(&built.hir, region(&built), false).expect("a graph");
    let pairs = graph.pairs;
    assert_eq!(pairs.all, 600 * 601 / 2);
    assert!(pairs.assumed > 100_000 && pairs.apart == 0, "{pairs:?}");
    let is_memory = |e: &&Edge| e.kind == DepKind::Output && matches!(e.source.place, EndPlace::Ref(0));
    let of_pair = |e: &Edge| (e.source.node.min(e.sink.node), e.source.node.max(e.sink.node));
    let mut met: Vec<(Node, Node)> = graph.edges().iter().filter(is_memory).map(of_pair).collect();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len() + pairs.independent, pairs.all, "what has no edge is independent");
    let is_open = |e: &&Edge| e.assumed && e.vectors.iter().any(|v| v.to_string() == "(<=)");
    assert!(graph.edges().iter().filter(is_open).count() > 100_000);
    let built = stores(1000);
    assert_eq!(Ddg::new(&built.hir, region(&built), false).err(), Some(Refused::TooLarge));
}

/// `accesses` stores in a nest of `depth` loops, with sums of the counters as subscripts; they store constants or
/// loaded values.
fn deep(depth: usize, accesses: usize, loads: bool) -> String {
    let mut text = "define void @f(ptr noalias %p, i64 %n, i64 %m) {\nentry:\n  br label %h0\n".to_owned();
    for l in 0..depth {
        let before = if l == 0 { "entry".to_owned() } else { format!("h{}", l - 1) };
        text += &format!("h{l}:\n  %i{l} = phi i64 [ 0, %{before} ], [ %n{l}, %t{l} ]\n  ");
        text += &if l + 1 < depth { format!("br label %h{}\n", l + 1) } else { String::new() };
    }
    for at in 0..accesses {
        let mut sum = format!("{at}");
        for l in 0..depth {
            let by = ["2", "3", "%m", "5", "-1", "100", "7"][(at * 5 + l * 3) % 7];
            text +=
                &format!("%x{at}.{l} = mul i64 %i{l}, {by}\n  %y{at}.{l} = add i64 {sum}, %x{at}.{l}\n  ");
            sum = format!("%y{at}.{l}");
        }
        let stored = if loads { format!("%v{at}") } else { at.to_string() };
        let load = if loads { format!("{stored} = load i32, ptr %g{at}\n  ") } else { String::new() };
        text += &format!(
            "%g{at} = getelementptr i32, ptr %p, i64 {sum}\n  {load}store i32 {stored}, ptr %g{at}\n  "
        );
    }
    text += &format!("br label %t{}\n", depth - 1);
    for l in (0..depth).rev() {
        let out = if l == 0 { "exit".to_owned() } else { format!("t{}", l - 1) };
        text += &format!("t{l}:\n  %n{l} = add nuw nsw i64 %i{l}, 1\n  %c{l} = icmp ult i64 %n{l}, 50\n  ");
        text += &format!("br i1 %c{l}, label %h{l}, label %{out}\n");
    }
    text += "exit:\n  ret void\n}\n";
    text
}

/// The cost of a graph is bounded for any number of accesses in a nest of any depth: the graph covers all of them,
/// some assumed, and is the same each time.
#[test]
fn many_accesses_in_a_deep_nest() {
    let accesses = 30;
    let text = deep(4, accesses, false);
    let built = built(&text);
    let graph = |built: &Built| Ddg::new(&built.hir, region(built), false).expect("a graph");
    let first = graph(&built);
    assert_eq!(first.pairs.all, accesses * (accesses + 1) / 2);
    assert!(first.pairs.assumed > 0 && first.pairs.assumed < first.pairs.all, "{:?}", first.pairs);
    assert_eq!(graph(&self::built(&text)).edges(), first.edges());
    // Graphs of one tree share the step budget.
    let last = (0..4).map(|_| graph(&built)).last().expect("a graph");
    assert_eq!(last.pairs.assumed, last.pairs.all);
}

/// Variables of a deep nest have few kinds of dependences. Edges share lists of vectors instead of having one each.
#[test]
fn variables_of_a_deep_nest() {
    let depth = 40;
    let built = built(&deep(depth, 5, true));
    let graph = Ddg::new(&built.hir, region(&built), false).expect("a graph");
    let is_of_variables = |e: &&Edge| {
        !matches!(e.source.place, EndPlace::Memory)
            && e.source
                .reference(&built.hir)
                .is_some_and(|r| matches!(e.source.place, EndPlace::Blob(..)) || r.as_memory().is_none())
    };
    let edges: Vec<&Edge> = graph.edges().iter().filter(is_of_variables).collect();
    let lists: std::collections::BTreeSet<_> = edges.iter().map(|e| e.vectors.as_ptr()).collect();
    assert!(edges.len() > 10 && lists.len() <= 4, "{} in {} edges", lists.len(), edges.len());
}
