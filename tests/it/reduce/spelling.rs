//! Files are written in the spelling that the command reads: attributes and pointers of older versions of LLVM.

use super::{instructions, reduce, run_lit};
use crate::common::Files;
use backedge_testkit::opt_of;

/// Output for an older LLVM is written in a form that it can read.
#[test]
fn what_is_written_is_spelled_as_the_command_reads_it() {
    let script = "if [ \"$1\" = --version ]; then echo 'LLVM version 14.0.6'; exit; fi\n\
                  if grep -q 'memory(' \"$1\"; then echo 'error: memory' >&2; exit 1; fi; sed '/^;/d; s/, 3$/, 5/' \"$1\"";
    let input = "declare i8 @g() memory(none)\n\ndefine i8 @f(i8 %x) {\n  %g = call i8 @g()\n  %y = mul i8 %g, 3\n  \
                 ret i8 %y\n}\n";
    let files = Files::with_script(input, script);
    let flags =
        ["--opt", "./opt", "-o", "small.ll", "--lit", "lit.ll", "--issue", "issue.md", "--max-tries", "0"];
    reduce(&files, &flags).exits(0);
    for name in ["small.ll", "lit.ll", "issue.md"] {
        let text = files.read(name);
        assert!(text.contains("readnone") && !text.contains("memory("), "{name}: {text}");
    }
    assert_ne!(run_lit(&files, "lit.ll"), Some(false), "{}", files.read("lit.ll"));
}

/// Accepts opaque pointers only with a flag, as LLVM 14 does, and is wrong about `mul`.
const TYPED: &str = "\
for word; do case $word in -opaque-pointers) new=1;; *) file=$word;; esac; done
if [ -z \"$new\" ] && grep -q 'ptr' \"$file\"; then echo \"$file:1:2: expected type\" >&2; exit 1; fi
sed '/^;/d; s/= mul \\(.*\\), 3$/= mul \\1, 5/' \"$file\"";

/// A refusal of our spelling of the file is not a finding: only the command's result for the original file counts.
#[test]
fn a_refusal_of_our_spelling_is_not_kept() {
    let input = "define i8 @f(i8 %x, i8* %p) {\n  %y = mul i8 %x, 3\n  store i8 %x, i8* %p\n  ret i8 %y\n}\n";
    let files = Files::with_script(input, TYPED);
    let flags = ["--opt", "./opt", "-o", "small.ll", "--lit", "lit.ll", "--issue", "issue.md"];
    reduce(&files, &flags)
        .exits(0)
        .says("it is given -opaque-pointers as well")
        .says("kept: @f: value mismatch");
    assert!(files.read("small.ll").contains("mul i"), "{}", files.read("small.ll"));
    assert!(files.read("lit.ll").contains("\n; RUN: ./opt -opaque-pointers %s | FileCheck %s\n"));
    assert_ne!(run_lit(&files, "lit.ll"), Some(false));
    assert!(files.read("issue.md").contains("`./opt -opaque-pointers` miscompiles this"));
    // A command that does not accept our spelling with any flag.
    files.write_script(&TYPED.replace("-opaque-pointers) new=1;;", "-opaque-pointers) ;;"));
    std::fs::remove_file(files.path("small.ll")).unwrap();
    reduce(&files, &flags)
        .exits(4)
        .says("the command takes in.ll, but not in the spelling that is tried: exit code 1: in.ll:1:2: expected type");
    assert!(!files.path("small.ll").exists());
    // Another failure, caused by the flag, is not that of the file.
    files.write_script(&TYPED.replace("new=1;;", "new=1; echo no file >&2; kill -SEGV $$;;"));
    reduce(&files, &flags).exits(2).says("does not occur with -opaque-pointers: no failure to preserve");
    // If the file itself has opaque pointers, the message says what the command lacks.
    let files = Files::with_script(&input.replace("i8*", "ptr"), TYPED);
    reduce(&files, &flags).exits(4).says("the command does not take pointers without a type (LLVM 13 and 14");
    // A refusal of the file for another reason is a finding.
    let files =
        Files::with_script(input, &format!("for f; do :; done; grep -q ' mul ' \"$f\" && exit 7\n{TYPED}"));
    reduce(&files, &flags).exits(0).says("kept: @f: the optimizer refuses it: exit code 7");
}

/// With LLVM's own `opt`, on the loop of docs/how-to/crash-to-llvm-issue.md as LLVM 14 prints it.
#[test]
fn a_file_with_typed_pointers_is_reduced_for_llvm_14() {
    if opt_of(14, "reducing what LLVM 14 takes without a flag").is_none() {
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/poison/unswitch-needs-freeze.ll");
    let text = std::fs::read_to_string(path).expect("the file");
    let typed = text.replace("i32, ptr %", "i32, i32* %").replace("ptr %", "i32* %");
    let files = Files::new(&[("in.ll", typed.as_bytes())]);
    reduce(&files, &["--opt", "opt-14 -passes=simple-loop-unswitch<nontrivial> -S", "-o", "small.ll"])
        .exits(0)
        .says("kept: @sum: source is more defined than target");
    assert_eq!(instructions(&files.read("small.ll")), 5, "{}", files.read("small.ll"));
}
