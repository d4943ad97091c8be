//! Transforms, as text: resulting loops, bounds, subscripts and variables; also for trees that no code produces.

mod between_loops;
mod guarded_loops;
mod rectangles;
mod variables;

use crate::common::apply::{in_form, module, named, transformed};
use backedge_hir::node::Kind;
use backedge_hir::print::NUMBERS;
use backedge_hir::{Hir, Node};

/// A loop with the counter `%{iv}` around `inside`, with `count` iterations, as text.
fn around(iv: char, count: &str, inside: &str) -> String {
    format!(
        "  br label %p{iv}\np{iv}:\n  br label %h{iv}\nh{iv}:\n  \
         %{iv} = phi i64 [ 0, %p{iv} ], [ %{iv}.next, %l{iv} ]\n{inside}  br label %l{iv}\nl{iv}:\n  \
         %{iv}.next = add nuw nsw i64 %{iv}, 1\n  %{iv}.more = icmp ult i64 %{iv}.next, {count}\n  \
         br i1 %{iv}.more, label %h{iv}, label %x{iv}\nx{iv}:\n"
    )
}

/// A store of zero to `p[row][column]`, in a matrix with rows of a hundred elements.
fn store(name: &str, row: &str, column: &str) -> String {
    format!(
        "  %{name} = getelementptr inbounds [100 x i32], ptr %p, i64 {row}, i64 {column}\n  \
         store i32 0, ptr %{name}, align 4\n"
    )
}

/// The tree of `@f` with that body after `change`.
fn after(body: &str, change: &mut dyn FnMut(&mut Hir, Node)) -> String {
    let text = format!(
        "define void @f(ptr noalias %p, i64 %n) {{\nentry:\n{body}  br label %end\nend:\n  ret void\n}}\n"
    );
    let mut module = module(&text);
    in_form(&mut module);
    let mut after = String::new();
    transformed(&module, named(&module), &mut |hir, region| {
        change(hir, region);
        assert_eq!(hir.check(region), [], "{}", hir.text());
        after = hir.region_text(region);
        true
    });
    println!("{after}");
    // Removes node numbers and the marker of loops without other exits.
    let text = |line: &str| line.get(NUMBERS..).unwrap_or_default().replace("   <DO_LOOP>", "");
    after.lines().map(|line| text(line).trim_end().to_owned() + "\n").collect()
}

/// The loops of a region, in preorder.
fn loops(hir: &Hir, region: Node) -> Vec<Node> {
    hir.nodes_in(region).into_iter().filter(|n| matches!(hir.kind(*n), Kind::Loop(_))).collect()
}

fn first(hir: &Hir, region: Node) -> Node {
    loops(hir, region)[0]
}
