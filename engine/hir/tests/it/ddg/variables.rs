//! Dependences of variables: ranges, reaching definitions, references indexed by a variable, liveness.

use super::{NONE, built, of_memory, one_loop, region, store_and_load};
use backedge_hir::Hir;
use backedge_hir::ddg::DepKind;
use backedge_hir::node::Kind;

/// Unknown and known ranges of variables.
#[test]
fn variables() {
    let text = |index: &str| {
        let guarded = one_loop("%n", &store_and_load(index, "add i64 %i, 0").each_ref().map(String::as_str));
        // The loop runs if %n is positive.
        guarded.replace(
            "entry:\n  br label %loop",
            "entry:\n  %c = icmp sgt i64 %n, 0\n  br i1 %c, label %loop, label %exit",
        )
    };
    // i + n is beyond the range of i.
    assert_eq!(of_memory(&text("add i64 %i, %n")), NONE);
    assert_eq!(of_memory(&text("add i64 %n, 0")), NONE);
    assert!(!of_memory(&text("add i64 %i, %m")).is_empty());
}

#[test]
fn definitions_and_indexed_references() {
    let text = "define void @f(ptr noalias %a, ptr noalias %b) {\nentry:\n  br label %loop\nloop:\n  \
        %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  \
        %at = getelementptr inbounds i64, ptr %b, i64 %i\n  %x = load i64, ptr %at\n  \
        %y = add i64 %x, 1\n  %to = getelementptr inbounds float, ptr %a, i64 %y\n  \
        store float 1.0, ptr %to\n  %i.next = add nuw nsw i64 %i, 1\n  \
        %more = icmp ult i64 %i.next, 8\n  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}\n";
    let built = built(text);
    let hir: &Hir = &built.hir;
    let graph = hir.ddg(region(&built)).expect("a graph");
    let store = hir
        .nodes_in(region(&built))
        .into_iter()
        .find(|n| matches!(hir.kind(*n), Kind::Inst(i) if i.lval.as_ref().is_some_and(|l| l.as_memory().is_some())))
        .expect("a store");
    let loads = graph.indexed_by(hir, store, 0);
    let texts: Vec<String> = loads.iter().map(|end| end.text(hir)).collect();
    assert_eq!(texts.len(), 1, "{texts:?}\n{}", graph.text(hir));
    assert!(texts[0].ends_with("(%b)[i1]"), "{texts:?}");
    let kinds: Vec<DepKind> = graph.outgoing(loads[0]).map(|e| e.kind).collect();
    assert_eq!(kinds, []);
    // The graph is cached until the tree changes.
    let again = hir.ddg(region(&built)).expect("a graph");
    assert!(std::rc::Rc::ptr_eq(&graph, &again));
    let input = hir.ddg_with_input(region(&built)).expect("a graph");
    assert!(!std::rc::Rc::ptr_eq(&graph, &input));
    assert!(std::rc::Rc::ptr_eq(&input, &hir.ddg_with_input(region(&built)).expect("a graph")));
}

#[test]
fn live_variables() {
    let text = "define i32 @f(ptr %p, i32 %start, i32 %by) {\nentry:\n  br label %loop\nloop:\n  \
        %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]\n  %s = phi i32 [ %start, %entry ], [ %t, %loop ]\n  \
        %v = load i32, ptr %p\n  %u = mul i32 %v, %by\n  %t = xor i32 %s, %u\n  %i.next = add nuw nsw i32 %i, 1\n  \
        %more = icmp ult i32 %i.next, 8\n  br i1 %more, label %loop, label %exit\nexit:\n  \
        %r = phi i32 [ %t, %loop ]\n  ret i32 %r\n}\n";
    let built = built(text);
    let hir = &built.hir;
    let region = region(&built);
    let l = hir.nodes_in(region).into_iter().find(|n| matches!(hir.kind(*n), Kind::Loop(_))).expect("a loop");
    let names = |temps: Vec<backedge_hir::Temp>| -> Vec<String> {
        let mut names: Vec<String> = temps.into_iter().map(|t| hir.blobs.temp(t).name.to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(names(hir.live_in(region)), ["%by", "%p", "%start"], "{}", hir.text());
    assert_eq!(names(hir.live_in(l)), ["%by", "%p", "%s"], "{}", hir.text());
    assert_eq!(names(hir.live_out(region)), ["%r"], "{}", hir.text());
    assert_eq!(names(hir.live_out(l)), ["%r"], "{}", hir.text());
}
