//! Aliases that stand for themselves are refused, as by LLVM; aliases of a common target are not.

use backedge_ir::module::Module;
use backedge_ir::parse::{parse_module, read_module};
use backedge_ir::verify::{FindingKind, verify_module};
use backedge_testkit::peer;
use std::fmt::Write;

const CYCLES: [(&str, usize); 5] = [
    ("@a = alias i8, ptr @a\n", 1),
    ("@a = alias i8, ptr @b\n@b = alias i8, ptr @a\n@c = alias i8, ptr @b\n", 1),
    (
        "@a = alias i8, getelementptr (i8, ptr @b, i64 1)\n@b = alias i8, ptr @c\n\
         @c = alias i8, getelementptr (i8, ptr @a, i64 1)\n",
        1,
    ),
    // The search enters the shared constant from outside of the cycle.
    (
        "@x = alias i8, getelementptr (i8, ptr @a, i64 1)\n@a = alias i8, getelementptr (i8, ptr @a, i64 1)\n",
        1,
    ),
    ("@a = alias i8, ptr @a\n@b = alias i8, ptr @b\n", 2),
];

const TREES: [&str; 2] = [
    "@v = global [2 x i8] zeroinitializer\n@a = alias i8, ptr @v\n@b = alias i8, getelementptr (i8, ptr @a, i64 1)\n\
     @c = alias i8, getelementptr (i8, ptr @a, i64 1)\n@d = alias i8, ptr @c\n",
    // The value of a variable is no part of its address.
    "@v = global ptr @a\n@a = alias ptr, ptr @v\n",
];

fn cycles(module: &Module) -> usize {
    let findings = verify_module(module);
    let is_cycle = |kind: &FindingKind| matches!(kind, FindingKind::AliasCycle { .. });
    assert!(findings.iter().all(|finding| is_cycle(&finding.kind)), "{findings:?}");
    findings.len()
}

fn parsed(source: &str) -> Module {
    parse_module(source.as_bytes()).unwrap_or_else(|e| panic!("{source}: {e}")).module
}

#[test]
fn a_cycle_is_reported_once() {
    for (source, count) in CYCLES {
        assert_eq!(cycles(&parsed(source)), count, "{source}");
    }
    for source in TREES {
        assert_eq!(cycles(&parsed(source)), 0, "{source}");
    }
}

#[test]
fn a_cycle_is_reported_at_an_alias() {
    let source = "; a comment\n@v = global i8 0\n@a = alias i8, ptr @a\n";
    let errors = read_module(source.as_bytes()).expect_err("it is a cycle");
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!(&source[error.span.range()], "@a = alias i8, ptr @a");
    assert!(error.message.starts_with("@a is an alias of itself"), "{}", error.message);
}

#[test]
fn a_chain_of_any_length_is_searched_without_recursion() {
    let mut chain = String::new();
    for nth in 0..100_000 {
        let _ = writeln!(chain, "@a{nth} = alias i8, ptr @a{}", nth + 1);
    }
    let end = |target: &str| chain.clone() + &format!("@a100000 = {target}\n");
    assert_eq!(cycles(&parsed(&end("global i8 0"))), 0);
    assert_eq!(cycles(&parsed(&end("alias i8, ptr @a0"))), 1);
}

#[test]
fn llvm_as_agrees() {
    let Some(llvm_as) = peer("llvm-as", "llvm-as on cycles of aliases") else { return };
    let mut named = 0;
    for (source, _) in CYCLES {
        let answer = llvm_as.run(&["-disable-output"], source.as_bytes());
        // On some cycles LLVM 22 recurses until its stack ends.
        assert!(!answer.ok(), "{source}");
        named += usize::from(answer.stderr.contains("Aliases cannot form a cycle"));
    }
    assert!(2 * named > CYCLES.len(), "{named} of {} cycles are named", CYCLES.len());
    for source in TREES {
        let answer = llvm_as.run(&["-disable-output"], source.as_bytes());
        assert!(answer.ok(), "{source}: {}", answer.stderr);
    }
}
