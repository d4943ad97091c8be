//! Applies each transform to all nests of the corpus and of LLVM's loop tests where it is legal, whether profitable
//! or not: the functions behave the same on inputs before and after.

use crate::common::apply::{Tally, compare, transformed};
use backedge_hir::node::Kind;
use backedge_hir::transform::{
    TransformMissed, distribute, fuse, interchange, perfect, strip_mine, tile, unroll_and_jam,
};
use backedge_hir::{Hir, Node};
use backedge_interp::claims::inputs::Inputs;
use backedge_ir::parse::parse_module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_testkit::{corpus_files, llvm_tests};

/// Applies one of the transforms to a loop, if it is legal.
fn transform(number: u32, hir: &mut Hir, l: Node) -> Result<(), TransformMissed> {
    match number {
        0 => strip_mine::check(hir, l, 2).map(|legal| {
            strip_mine::apply(hir, legal);
        }),
        1 => interchange::check(hir, l).map(|legal| interchange::apply(hir, legal)),
        2 => tile::check(hir, l, 2).map(|legal| tile::apply(hir, legal)),
        3 => unroll_and_jam::check(hir, l, 2).map(|legal| unroll_and_jam::apply(hir, legal)),
        4 => distribute::check(hir, l).map(|legal| drop(distribute::apply(hir, legal))),
        _ => fuse::check(hir, l).map(|legal| fuse::apply(hir, legal)),
    }
}

/// Applies transform `number` to all loops of the corpus, and of LLVM's tests if available, as the result states.
/// Panics on any violation.
fn all(number: u32) -> (Tally, bool) {
    let form = parse_pipeline("loop-simplify,lcssa,loop-rotate,loop-simplify,lcssa").expect("a pipeline");
    let mut tally = Tally::default();
    let mut files = corpus_files();
    let of_llvm = llvm_tests("transforms of LLVM's loop tests");
    let with_llvm = of_llvm.is_some();
    files.extend(of_llvm.into_iter().flat_map(|t| t.files()));
    for path in files {
        let text = std::fs::read(&path).expect("to read a file");
        let Ok(parsed) = parse_module(&text) else { continue };
        let mut module = parsed.module;
        if run(&mut module, &form, Options::default(), &mut Nobody).is_err() {
            continue;
        }
        let funcs: Vec<_> = module.bodies().map(|(func, _)| func).collect();
        for func in funcs {
            let mut step = |hir: &mut Hir, region: Node| {
                if (1..=3).contains(&number) {
                    perfect::run(hir, region);
                }
                let nodes = hir.nodes_in(region).into_iter();
                let loops: Vec<Node> = nodes.filter(|n| matches!(hir.kind(*n), Kind::Loop(_))).collect();
                let before = tally.done;
                for l in loops {
                    if hir.region(l) != Some(region) {
                        continue;
                    }
                    match transform(number, hir, l) {
                        Ok(()) => {
                            tally.done += 1;
                            // The same two loops would be interchanged again.
                            if number == 1 {
                                break;
                            }
                        }
                        Err(missed) => tally.missed(missed),
                    }
                }
                tally.done > before
            };
            let Some((target, trees)) = transformed(&module, func, &mut step) else { continue };
            let Some(inputs) = Inputs::new(&module, func, 64, 12, 1) else { continue };
            let mut some = inputs.first(6);
            let what = || format!("{}, @{}\n{trees}", path.display(), module.env.funcs[func].name);
            compare([&module, &target], func, &mut some, &mut tally, &what, 5_000);
        }
    }
    println!("{number}: {tally:?}");
    (tally, with_llvm)
}

/// Checks that the transform applies to at least this many loops: of the corpus, and with LLVM's tests.
fn is_done_to(number: u32, [alone, with_llvm]: [u64; 2]) {
    let (tally, has_llvm) = all(number);
    let least = if has_llvm { with_llvm } else { alone };
    assert!(tally.done >= least, "{tally:?}");
}

#[test]
fn strips_of_files() {
    is_done_to(0, [500, 2000]);
}

#[test]
fn neighbours_of_files() {
    is_done_to(1, [2, 20]);
}

#[test]
fn tiles_of_files() {
    is_done_to(2, [2, 20]);
}

#[test]
fn groups_of_files() {
    is_done_to(3, [2, 25]);
}

#[test]
fn divided_files() {
    is_done_to(4, [10, 100]);
}

/// The corpus has no nest with two consecutive loops.
#[test]
fn fused_files() {
    is_done_to(5, [0, 3]);
}
