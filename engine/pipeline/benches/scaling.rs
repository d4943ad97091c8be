//! How the time of each pass grows with the size of one function: loops in a row, nested loops, the blocks of one loop,
//! its exits, the copies of one body.
//!
//! `cargo bench -p backedge-pipeline`. If the time more than doubles when the size doubles, some work is done on the
//! whole function for each loop. If `BACKEDGE_BENCH_DIR` names a directory, the modules are written there, to run `opt`
//! on them.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use divan::Bencher;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

fn main() {
    if let Some(dir) = std::env::var_os("BACKEDGE_BENCH_DIR").map(std::path::PathBuf::from) {
        for (name, text) in TEXTS.iter() {
            std::fs::write(dir.join(format!("{name}.ll")), text).expect("the directory can be written to");
        }
    }
    divan::main();
}

/// The passes, run on loops in their original form, or rotated first if the pass otherwise has nothing to do.
const PASSES: [&str; 13] = [
    "loop-simplify,lcssa",
    "loop-rotate",
    "loop-rotate,licm",
    "loop-rotate,indvars",
    "loop-rotate,loop-idiom",
    "loop-rotate,loop-deletion",
    "loop-simplifycfg",
    "simple-loop-unswitch<nontrivial>",
    "loop-rotate,loop-peel<count=1>",
    "loop-rotate,loop-peel<last;threshold=1000000>",
    "function(loop(loop-rotate),loop-unroll<runtime;count=4>)",
    "iteration-set-split",
    "loop-rotate,loop(licm,indvars,loop-deletion)",
];

static TEXTS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for n in [100, 200, 400, 1500] {
        all.insert(format!("row{n}"), row(n));
    }
    for n in [75, 150, 300] {
        all.insert(format!("nest{n}"), nest(n));
    }
    for n in [500, 1000, 2000] {
        all.insert(format!("blocks{n}"), blocks(n));
        all.insert(format!("exits{n}"), exits(n));
    }
    all
});

fn module(name: &str) -> Module {
    parse_module(TEXTS[name].as_bytes()).expect("a module").module
}

/// `n` loops in sequence, each with a sum that is used after it.
fn row(n: usize) -> String {
    let mut text = "define void @f(ptr %p, i32 %n, i32 %m) {\nentry:\n  br label %h0\n".to_owned();
    for i in 0..n {
        let from = if i == 0 { "entry".to_owned() } else { format!("x{}", i - 1) };
        let to = if i + 1 == n { "end".to_owned() } else { format!("h{}", i + 1) };
        let _ = write!(
            text,
            "h{i}:
  %i{i} = phi i32 [ 0, %{from} ], [ %i{i}n, %b{i} ]
  %s{i} = phi i32 [ 0, %{from} ], [ %s{i}n, %b{i} ]
  %c{i} = icmp slt i32 %i{i}, %n
  br i1 %c{i}, label %b{i}, label %x{i}
b{i}:
  %e{i} = sext i32 %i{i} to i64
  %g{i} = getelementptr inbounds i32, ptr %p, i64 %e{i}
  %v{i} = load i32, ptr %g{i}
  %w{i} = mul i32 %v{i}, %m
  store i32 %w{i}, ptr %g{i}
  %s{i}n = add i32 %s{i}, %w{i}
  %i{i}n = add nsw i32 %i{i}, 1
  br label %h{i}
x{i}:
  store volatile i32 %s{i}, ptr %p
  br label %{to}
"
        );
    }
    text.push_str("end:\n  ret void\n}\n");
    text
}

/// `n` nested loops.
fn nest(n: usize) -> String {
    let mut text = "define void @f(ptr %p, i32 %n) {\nentry:\n  br label %h0\n".to_owned();
    for i in 0..n {
        let from = if i == 0 { "entry".to_owned() } else { format!("h{}", i - 1) };
        let to = if i + 1 == n { format!("l{i}") } else { format!("h{}", i + 1) };
        let _ = write!(text, "h{i}:\n  %i{i} = phi i32 [ 0, %{from} ], [ %i{i}n, %l{i} ]\n");
        if i + 1 == n {
            let _ = write!(
                text,
                "  %e = sext i32 %i{i} to i64
  %g = getelementptr inbounds i32, ptr %p, i64 %e
  %v = load i32, ptr %g
  %w = mul i32 %v, %i0
  store i32 %w, ptr %g
"
            );
        }
        let _ = writeln!(text, "  br label %{to}");
    }
    for i in (0..n).rev() {
        let to = if i == 0 { "end".to_owned() } else { format!("l{}", i - 1) };
        let _ = write!(
            text,
            "l{i}:
  %i{i}n = add nsw i32 %i{i}, 1
  %c{i} = icmp slt i32 %i{i}n, %n
  br i1 %c{i}, label %h{i}, label %{to}
"
        );
    }
    text.push_str("end:\n  ret void\n}\n");
    text
}

/// A loop with slightly more than `n` blocks.
fn blocks(n: usize) -> String {
    let mut text = "define void @f(ptr %p, i32 %n) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %in, %l ]
  br label %b0
"
    .to_owned();
    for i in 0..n / 2 {
        let next = i + 1;
        let _ = write!(
            text,
            "b{i}:
  %g{i} = getelementptr inbounds i32, ptr %p, i64 {i}
  %v{i} = load i32, ptr %g{i}
  %c{i} = icmp slt i32 %v{i}, %i
  br i1 %c{i}, label %t{i}, label %b{next}
t{i}:
  store i32 %i, ptr %g{i}
  br label %b{next}
"
        );
    }
    let _ = write!(
        text,
        "b{}:
  br label %l
l:
  %in = add nsw i32 %i, 1
  %c = icmp slt i32 %in, %n
  br i1 %c, label %h, label %end
end:
  ret void
}}
",
        n / 2
    );
    text
}

/// A loop of `n` exiting blocks whose exit conditions are loop-invariant, without side effects before the exits.
fn exits(n: usize) -> String {
    let conditions: Vec<String> = (0..n).map(|i| format!(", i1 %c{i}")).collect();
    let mut text = format!("define void @f(i32 %n{}) {{\nentry:\n  br label %b0\nb0:\n", conditions.concat());
    text.push_str("  %i = phi i32 [ 0, %entry ], [ %in, %l ]\n");
    for i in 0..n {
        let next = i + 1;
        let _ = write!(text, "  br i1 %c{i}, label %b{next}, label %end\nb{next}:\n");
    }
    text.push_str(
        "  br label %l
l:
  %in = add nsw i32 %i, 1
  %c = icmp slt i32 %in, %n
  br i1 %c, label %b0, label %end
end:
  ret void
}
",
    );
    text
}

/// A loop of `n` iterations.
fn counted(n: usize) -> String {
    format!(
        "define i32 @f(ptr %p) {{
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %in, %h ]
  %s = phi i32 [ 0, %entry ], [ %sn, %h ]
  %e = zext i32 %i to i64
  %g = getelementptr i32, ptr %p, i64 %e
  %v = load i32, ptr %g
  %sn = add i32 %s, %v
  %in = add nuw nsw i32 %i, 1
  %c = icmp eq i32 %in, {n}
  br i1 %c, label %x, label %h
x:
  ret i32 %sn
}}
"
    )
}

fn over(bencher: Bencher<'_, '_>, name: &str, passes: &str) {
    let (module, pipeline) = (module(name), parse_pipeline(passes).expect("a pipeline"));
    bencher.with_inputs(|| module.clone()).bench_values(|mut module| {
        run(&mut module, &pipeline, Options::default(), &mut Nobody).expect("a run");
        module
    });
}

#[divan::bench(args = PASSES, consts = [100, 200, 400, 1500], sample_count = 1, sample_size = 1)]
fn loops_in_a_row<const N: usize>(bencher: Bencher<'_, '_>, passes: &str) {
    over(bencher, &format!("row{N}"), passes);
}

#[divan::bench(args = PASSES, consts = [75, 150, 300], sample_count = 1, sample_size = 1)]
fn nest_of_loops<const N: usize>(bencher: Bencher<'_, '_>, passes: &str) {
    over(bencher, &format!("nest{N}"), passes);
}

#[divan::bench(args = PASSES, consts = [500, 1000, 2000], sample_count = 1, sample_size = 1)]
fn loop_of_blocks<const N: usize>(bencher: Bencher<'_, '_>, passes: &str) {
    over(bencher, &format!("blocks{N}"), passes);
}

#[divan::bench(args = ["simple-loop-unswitch", "simple-loop-unswitch<nontrivial>"], consts = [500, 1000, 2000],
    sample_count = 1, sample_size = 1)]
fn loop_of_exits<const N: usize>(bencher: Bencher<'_, '_>, passes: &str) {
    over(bencher, &format!("exits{N}"), passes);
}

#[divan::bench(consts = [2000, 20_000], sample_count = 1, sample_size = 1)]
fn unroll_by<const N: usize>(bencher: Bencher<'_, '_>) {
    let module = parse_module(counted(3 * N).as_bytes()).expect("a module").module;
    let text = format!("loop-unroll<count={N};threshold=100000000>");
    let pipeline = parse_pipeline(&text).expect("a pipeline");
    bencher.with_inputs(|| module.clone()).bench_values(|mut module| {
        run(&mut module, &pipeline, Options::default(), &mut Nobody).expect("a run");
        module
    });
}
