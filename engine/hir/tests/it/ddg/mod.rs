//! Dependences, class by class: independence, distances of dependences, reaching definitions, liveness.

mod guards;
mod limits;
mod objects;
mod subscripts;
mod variables;

use backedge_analysis::Analyses;
use backedge_hir::Node;
use backedge_hir::build::{Built, build};
use backedge_hir::ddg::{Ddg, Edge, End, EndPlace};
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_scev::ScalarEvolution;
use backedge_testkit::module;

/// The nests of `@f` in that text.
fn built(text: &str) -> Built {
    let mut module = module(text);
    let form = parse_pipeline("loop-simplify,lcssa").expect("a pipeline");
    run(&mut module, &form, Options::default(), &mut Nobody).expect("the form");
    let func = module.env.func_named("f").expect("it has @f");
    let body = module.body(func).expect("it has code");
    let analyses = Analyses::of(func);
    build(&mut ScalarEvolution::new(analyses.at(&module.env, body)))
}

/// A loop that runs `trips` times, with the 64-bit counter `%i` from 0, and these instructions.
fn one_loop(trips: &str, insts: &[&str]) -> String {
    format!(
        "define void @f(ptr noalias %p, i64 %n, i64 %m, i8 %b) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  {}\n  %i.next = add nuw nsw i64 %i, 1\n  \
         %more = icmp ult i64 %i.next, {trips}\n  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n",
        insts.join("\n  ")
    )
}

/// Two loops; the inner one has the 64-bit counter `%j`.
fn two_loops(outer: &str, inner: &str, insts: &[&str]) -> String {
    format!(
        "define void @f(ptr noalias %p, i64 %n, i64 %m, i8 %b) {{\nentry:\n  br label %outer\nouter:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  br label %loop\nloop:\n  \
         %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]\n  {}\n  %j.next = add nuw nsw i64 %j, 1\n  \
         %more = icmp ult i64 %j.next, {inner}\n  br i1 %more, label %loop, label %latch\nlatch:\n  \
         %i.next = add nuw nsw i64 %i, 1\n  %again = icmp ult i64 %i.next, {outer}\n  \
         br i1 %again, label %outer, label %exit\nexit:\n  ret void\n}}\n",
        insts.join("\n  ")
    )
}

fn region(built: &Built) -> Node {
    built.taken.first().unwrap_or_else(|| panic!("a nest is taken: {:?}", built.missed)).region
}

/// The labels of the memory dependences between references, such as `flow (<) (1)`.
fn of_memory(text: &str) -> Vec<String> {
    let built = built(text);
    let graph = Ddg::new(&built.hir, region(&built), false).expect("a graph");
    let is_memory = |e: &&Edge| e.source.reference(&built.hir).is_some_and(|r| r.as_memory().is_some());
    let is_memory = |e: &&Edge| {
        is_memory(e)
            && matches!(e.source.place, backedge_hir::ddg::EndPlace::Ref(_))
            && matches!(e.sink.place, backedge_hir::ddg::EndPlace::Ref(_))
    };
    graph.edges().iter().filter(is_memory).map(Edge::label).collect()
}

/// A load through `%from` and a store through `%at`, both of `i32`, with the instructions that compute their
/// subscripts.
fn store_and_load(index_of_load: &str, index_of_store: &str) -> [String; 6] {
    [
        format!("%x = {index_of_load}"),
        "%from = getelementptr inbounds i32, ptr %p, i64 %x".to_owned(),
        "%v = load i32, ptr %from, align 4".to_owned(),
        format!("%y = {index_of_store}"),
        "%at = getelementptr inbounds i32, ptr %p, i64 %y".to_owned(),
        "%w = add i32 %v, 1\n  store i32 %w, ptr %at, align 4".to_owned(),
    ]
}

fn single(trips: &str, load: &str, store: &str) -> Vec<String> {
    let insts = store_and_load(load, store);
    of_memory(&one_loop(trips, &insts.each_ref().map(String::as_str)))
}

const NONE: [&str; 0] = [];

/// All dependences except those of variables: the ends are accesses or other memory effects of nodes.
fn of_all_memory(text: &str) -> Vec<String> {
    let built = built(text);
    let graph = Ddg::new(&built.hir, region(&built), false).expect("a graph");
    let is_memory = |end: End| {
        let is_access = || end.reference(&built.hir).is_some_and(|r| r.as_memory().is_some());
        end.place == EndPlace::Memory || matches!(end.place, EndPlace::Ref(_)) && is_access()
    };
    graph.edges().iter().filter(|e| is_memory(e.source) && is_memory(e.sink)).map(Edge::label).collect()
}
