//! Interchange and tiling on a product of matrices: memory is gone to as often, but more of what is accessed is in a cache
//! still. Accesses are those of runs in the interpreter, the cache is a small model.

mod common;

use backedge_hir::transform::{interchange, tile};
use backedge_hir::{Hir, Node};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::module::Module;
use common::apply::{Tally, compare, module, named, transformed};
use common::cache::{Counts, misses};

/// Rows and columns of each matrix: one is twice as large as the cache.
const SIZE: usize = 32;

/// `c[i][j] += a[i][k] * b[k][j]`, in loops over the named variables, the outermost first.
fn product(order: [char; 3]) -> Module {
    let [x, y, z] = order;
    let text = format!(
        "define void @f(ptr noalias %c, ptr noalias %a, ptr noalias %b) {{\nentry:\n  br label %hx\nhx:\n  \
         %{x} = phi i64 [ 0, %entry ], [ %{x}.next, %lx ]\n  br label %hy\nhy:\n  \
         %{y} = phi i64 [ 0, %hx ], [ %{y}.next, %ly ]\n  br label %hz\nhz:\n  \
         %{z} = phi i64 [ 0, %hy ], [ %{z}.next, %hz ]\n  \
         %at.a = getelementptr inbounds [{SIZE} x i32], ptr %a, i64 %i, i64 %k\n  \
         %at.b = getelementptr inbounds [{SIZE} x i32], ptr %b, i64 %k, i64 %j\n  \
         %at.c = getelementptr inbounds [{SIZE} x i32], ptr %c, i64 %i, i64 %j\n  \
         %l = load i32, ptr %at.a, align 4\n  %r = load i32, ptr %at.b, align 4\n  %t = mul i32 %l, %r\n  \
         %s = load i32, ptr %at.c, align 4\n  %u = add i32 %s, %t\n  store i32 %u, ptr %at.c, align 4\n  \
         %{z}.next = add nuw nsw i64 %{z}, 1\n  %mz = icmp ult i64 %{z}.next, {SIZE}\n  \
         br i1 %mz, label %hz, label %ly\nly:\n  \
         %{y}.next = add nuw nsw i64 %{y}, 1\n  %my = icmp ult i64 %{y}.next, {SIZE}\n  \
         br i1 %my, label %hy, label %lx\nlx:\n  \
         %{x}.next = add nuw nsw i64 %{x}, 1\n  %mx = icmp ult i64 %{x}.next, {SIZE}\n  \
         br i1 %mx, label %hx, label %exit\nexit:\n  ret void\n}}\n"
    );
    module(&text)
}

fn input() -> Input {
    let matrix = |by: usize| {
        let bytes: Vec<u8> = (0..SIZE * SIZE * 4).map(|at| (at * by % 251) as u8).collect();
        ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes)))
    };
    Input::new(vec![matrix(0), matrix(7), matrix(13)])
}

/// What the product accesses before and after.
fn before_and_after(order: [char; 3], change: &mut dyn FnMut(&mut Hir, Node) -> bool) -> [Counts; 2] {
    let source = product(order);
    let (target, trees) = transformed(&source, named(&source), change).expect("something was done");
    let mut tally = Tally::default();
    compare(
        [&source, &target],
        named(&source),
        &mut std::iter::once(input()),
        &mut tally,
        &|| trees.clone(),
        2_000_000,
    );
    assert_eq!(tally.refined, 1, "{tally:?}");
    let counts = [&source, &target].map(|module| misses(module, &input()));
    println!("{order:?}: {counts:?}");
    assert_eq!(counts[0].accesses, counts[1].accesses);
    counts
}

fn interchanged(hir: &mut Hir, region: Node) -> bool {
    interchange::run(hir, region).iter().any(|o| o.result.is_ok())
}

#[test]
fn interchange_goes_through_rows() {
    for order in [['i', 'j', 'k'], ['j', 'k', 'i'], ['k', 'j', 'i']] {
        let [before, after] = before_and_after(order, &mut interchanged);
        assert!(after.misses * 2 < before.misses, "{order:?}: {before:?}, {after:?}");
    }
    // All orders become the best one of them.
    let best = misses(&product(['i', 'k', 'j']), &input()).misses;
    let [_, after] = before_and_after(['j', 'k', 'i'], &mut interchanged);
    assert!(after.misses <= best + best / 10, "{after:?}, {best}");
}

#[test]
fn tiles_stay_in_the_cache() {
    for order in [['i', 'j', 'k'], ['i', 'k', 'j']] {
        let tiled = &mut |hir: &mut Hir, region: Node| {
            tile::run(hir, region, 8).iter().any(|outcome| outcome.result.is_ok())
        };
        let [before, after] = before_and_after(order, tiled);
        assert!(after.misses * 5 < before.misses * 4, "{order:?}: {before:?}, {after:?}");
    }
}
