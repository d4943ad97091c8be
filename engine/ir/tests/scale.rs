//! Inputs that are large in one dimension: parsing, verifying, printing and the control-flow analyses of this crate
//! take nearly linear time. Each shape is measured at two sizes, one eight times the other, and the larger one may take
//! at most forty times as long (quadratic time would take 64 times as long).

use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::parse::read_module;
use backedge_ir::print::module_to_string;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Parses, verifies, prints and parses again; returns the time taken.
fn run(source: &str) -> Duration {
    let start = Instant::now();
    let parsed = read_module(source.as_bytes()).unwrap_or_else(|wrong| panic!("{}", wrong[0].message));
    let read = start.elapsed();
    for (_, body) in parsed.module.bodies() {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        assert!(body.blocks().all(|b| dominators.dominates(b, b)));
    }
    let analysed = start.elapsed();
    let printed = module_to_string(&parsed.module);
    let time = start.elapsed();
    println!(
        "  {:>9} bytes: read {read:.2?}, analysed {:.2?}, printed {:.2?}",
        source.len(),
        analysed - read,
        time - analysed
    );
    let again = read_module(printed.as_bytes()).unwrap_or_else(|wrong| panic!("{}", wrong[0].message));
    assert_eq!(module_to_string(&again.module), printed);
    time
}

/// Checks a shape; `make(size)` is its text.
fn check(name: &str, size: usize, make: impl Fn(usize) -> String) {
    println!("{name}");
    let (small, large) = (make(size / 8), make(size));
    compare(name, || run(&small), || run(&large));
}

/// Checks that `large` takes at most forty times as long as `small`. Measurements run one at a time and slow ones are
/// repeated, so that other load on the machine does not look like a slow parser.
fn compare(name: &str, small: impl Fn() -> Duration, large: impl Fn() -> Duration) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut times = Vec::new();
    for _ in 0..4 {
        let small = small().max(Duration::from_millis(4));
        let large = large();
        if large < small * 40 {
            return;
        }
        times.push((small, large));
    }
    panic!("{name}: an eighth, and the whole: {times:?}");
}

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).flat_map(|i| [line(i), "\n".to_owned()]).collect()
}

fn void_function(body: &str) -> String {
    format!("define void @f(ptr %p, i32 %a, i1 %c) {{\nentry:\n{body}}}\n")
}

#[test]
fn many_functions() {
    check("declarations", 100_000, |n| repeated(n, |i| format!("declare void @f{i}(i32)")));
    check("definitions", 100_000, |n| {
        repeated(n, |i| format!("define i32 @f{i}(i32 %x) {{\n  ret i32 %x\n}}"))
    });
    check("globals", 100_000, |n| repeated(n, |i| format!("@g{i} = global ptr @g{i}")));
    check("metadata", 100_000, |n| repeated(n, |i| format!("!{i} = !{{!{i}, !\"text\"}}")));
    check("attribute groups", 100_000, |n| {
        repeated(n, |i| format!("attributes #{i} = {{ nounwind \"a\"=\"{i}\" }}"))
    });
}

#[test]
fn many_instructions() {
    check("instructions of one block", 200_000, |n| {
        let adds = repeated(n, |i| format!("  %v{i} = add i32 %a, {i}"));
        void_function(&format!("{adds}  ret void\n"))
    });
    check("unnamed instructions", 200_000, |n| {
        let adds = repeated(n, |i| format!("  %{} = add i32 %a, {i}", i + 1));
        format!("define void @f(i32 %a) {{\n{adds}  ret void\n}}\n")
    });
    check("a chain in one block", 200_000, |n| {
        let adds = repeated(n, |i| format!("  %v{} = add i32 %v{i}, 1", i + 1));
        void_function(&format!("  %v0 = add i32 %a, 1\n{adds}  ret void\n"))
    });
    check("backward uses far apart", 200_000, |n| {
        let first = repeated(n / 2, |i| format!("  %v{i} = add i32 %a, {i}"));
        let second = repeated(n / 2, |i| format!("  %w{i} = add i32 %v{i}, %v0"));
        void_function(&format!("{first}{second}  ret void\n"))
    });
    check("uses before definitions", 200_000, |n| {
        let uses = repeated(n / 2, |i| format!("  %w{i} = add i32 %v{i}, 1"));
        let definitions = repeated(n / 2, |i| format!("  %v{i} = add i32 %a, 1"));
        void_function(&format!(
            "  br label %second\nfirst:\n{uses}  ret void\nsecond:\n{definitions}  br label %first\n"
        ))
    });
}

#[test]
fn many_blocks() {
    check("a chain of blocks", 100_000, |n| {
        let chain = repeated(n, |i| format!("b{i}:\n  br label %b{}", i + 1));
        void_function(&format!("  br label %b0\n{chain}b{n}:\n  ret void\n"))
    });
    check("blocks that go backward", 100_000, |n| {
        let chain = repeated(n, |i| format!("b{}:\n  br label %b{}", n - i, n - i - 1));
        void_function(&format!("  br label %b{n}\n{chain}b0:\n  ret void\n"))
    });
    check("a nest of loops", 50_000, |n| {
        let enter = repeated(n, |i| format!("h{i}:\n  br label %h{}", i + 1));
        let leave =
            repeated(n, |i| format!("l{}:\n  br i1 %c, label %h{}, label %l{}", n - i, n - i - 1, n - i - 1));
        let leave = leave.replace("label %l0\n", "label %exit\n");
        void_function(&format!("  br label %h0\n{enter}h{n}:\n  br label %l{n}\n{leave}exit:\n  ret void\n"))
    });
}

#[test]
fn large_instructions() {
    check("cases of a switch", 100_000, |n| {
        let cases = repeated(n, |i| format!("    i32 {i}, label %b"));
        void_function(&format!("  switch i32 %a, label %b [\n{cases}  ]\nb:\n  ret void\n"))
    });
    check("targets of a switch and a phi of them", 50_000, |n| {
        let cases = repeated(n, |i| format!("    i32 {i}, label %b{i}"));
        let blocks = repeated(n, |i| format!("b{i}:\n  br label %end"));
        let phi = repeated(n, |i| format!("{}[ {i}, %b{i} ]", if i > 0 { ", " } else { "" }));
        void_function(&format!(
            "  switch i32 %a, label %out [\n{cases}  ]\n{blocks}end:\n  %x = phi i32 {phi}\n  ret void\nout:\n  ret void\n"
        ))
    });
    check("arguments of a call", 50_000, |n| {
        let types = vec!["i32"; n].join(", ");
        let values = vec!["i32 %a"; n].join(", ");
        format!(
            "declare void @g({types})\n{}",
            void_function(&format!("  call void @g({values})\n  ret void\n"))
        )
    });
    check("elements of a constant", 200_000, |n| {
        let values = vec!["i32 7"; n].join(", ");
        format!("@x = global [{n} x i32] [{values}]\n")
    });
    check("fields of a struct", 100_000, |n| {
        let fields = vec!["i32"; n].join(", ");
        let uses = "  getelementptr %t, ptr %p, i64 1, i32 1\n".repeat(10);
        format!("%t = type {{ {fields} }}\n{}", void_function(&format!("{uses}  ret void\n")))
    });
}

/// The value of an invoke is available only after its normal edge.
#[test]
fn many_invokes() {
    check("invokes", 50_000, |n| {
        let invokes = repeated(n, |i| {
            format!("b{i}:\n  %v{i} = invoke i32 @g(i32 %a) to label %b{} unwind label %pad", i + 1)
        });
        let uses = repeated(n, |i| format!("  %u{i} = add i32 %v{i}, 1"));
        format!(
            "declare i32 @g(i32)\ndeclare i32 @p(...)\ndefine void @f(i32 %a) personality ptr @p {{\nentry:\n  \
             br label %b0\n{invokes}b{n}:\n{uses}  ret void\npad:\n  %l = landingpad ptr cleanup\n  ret void\n}}\n"
        )
    });
}

/// Misplaced landing pads and phis, each a finding.
#[test]
fn many_findings() {
    let run = |n: usize| {
        let phis = repeated(n, |i| format!("  %p{i} = phi i32 [ 0, %entry ], [ 1, %gone ]"));
        let pads = repeated(n, |i| format!("  %l{i} = landingpad ptr cleanup"));
        let source = format!(
            "define void @f() {{\nentry:\n  br label %b\nb:\n{phis}{pads}  ret void\ngone:\n  ret void\n}}\n"
        );
        let start = Instant::now();
        let wrong = read_module(source.as_bytes()).expect_err("findings");
        assert_eq!(wrong.len(), 101, "a hundred, and how many more");
        assert!(wrong[100].message.contains("further findings"), "{}", wrong[100].message);
        start.elapsed()
    };
    compare("findings", || run(2_000), || run(16_000));
}
