//! Flags of LLVM's `opt` that change or show a run: targets, factors, statistics, diffs, the whole module.

use crate::common::{Files, LOOP};

/// A loop from which `licm` hoists an addition, and a function without loops.
const TWO: &str = "\
source_filename = \"x.c\"
target triple = \"avr\"

define void @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = add i32 %n, 7
  call void @use(i32 %x)
  %i.next = add i32 %i, 1
  %c = icmp slt i32 %i.next, 64
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

declare void @use(i32)

define void @g() {
  ret void
}
";

#[test]
fn changes_are_counted() {
    let files = Files::new(&[("in.ll", TWO.as_bytes())]);
    let counted = files.backedge("opt -passes=licm,licm in.ll -disable-output -stats").exits(0).stderr;
    let rule = format!("==={}===", "-".repeat(73));
    let expected = format!(
        "{rule}\n                          ... Statistics Collected ...\n{rule}\n\n\
         1 licm - Number of remarks 'Hoisted'\n1 licm - Number of runs that changed the code\n"
    );
    assert_eq!(counted, expected);
    let line = "opt -passes=licm,loop(no-op-loop) in.ll -disable-output -stats";
    assert_eq!(files.backedge(line).exits(0).stderr, expected);
    // The names of passes are aligned.
    let line = "opt -passes=loop-unroll,licm in.ll -disable-output -stats -unroll-count=2";
    let counted = files.backedge(line).exits(0).stderr;
    let runs = "Number of runs that changed the code\n";
    assert!(counted.contains(&format!("\n1 loop-unroll - {runs}")), "{counted}");
    assert!(counted.contains(&format!("\n1 licm        - {runs}")), "{counted}");
    let none = files.backedge("opt in.ll -disable-output -stats").exits(0).stderr;
    assert_eq!(none.trim_end(), expected[..expected.find("1 licm").unwrap()].trim_end());
}

#[test]
fn changes_are_shown_as_diffs() {
    let files = Files::new(&[("in.ll", TWO.as_bytes())]);
    let shown =
        files.backedge("opt -passes=licm in.ll -disable-output -print-changed=diff-quiet").exits(0).stderr;
    let expected = "\
*** IR Dump After LICMPass on loop %loop in function f ***
 define void @f(ptr %p, i32 %n) {
 entry:
+  %x = add i32 %n, 7
   br label %loop
 
 loop:                                             ; preds = %loop, %entry
   %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
-  %x = add i32 %n, 7
   call void @use(i32 %x)
";
    assert!(shown.starts_with(expected), "{shown}");
    assert_eq!(shown.matches("*** IR").count(), 1, "{shown}");
    let verbose =
        files.backedge("opt -passes=licm in.ll -disable-output -print-changed=diff").exits(0).stderr;
    assert!(verbose.starts_with("*** IR Dump At Start ***\n") && verbose.contains(expected), "{verbose}");
    assert!(
        verbose.contains("*** IR Dump After LCSSAPass on f omitted because no change ***\n"),
        "{verbose}"
    );
    let line = "opt -passes=licm in.ll -print-changed=diff -print-module-scope";
    files.backedge(line).exits(2).says("prints functions");
}

#[test]
fn the_whole_module_is_printed() {
    let files = Files::new(&[("in.ll", TWO.as_bytes())]);
    for (flags, dumps) in [
        ("-print-after=licm", 1),
        ("-print-before=licm", 1),
        ("-print-changed=quiet", 1),
        ("-print-before-all -filter-print-funcs=f", 3),
        ("", 0),
    ] {
        let line = format!("opt -passes=licm in.ll -disable-output {flags}");
        let function = files.backedge(&line).exits(0).stderr;
        assert_eq!(function.matches("define void @g()").count(), 0, "{flags}: {function}");
        let module = files.backedge(&format!("{line} -print-module-scope")).exits(0).stderr;
        assert_eq!(module.matches("*** IR Dump").count(), dumps, "{flags}: {module}");
        assert_eq!(module.matches("define void @g()").count(), dumps, "{flags}: {module}");
        assert_eq!(module.matches("source_filename = \"x.c\"").count(), dumps, "{flags}: {module}");
    }
}

#[test]
fn the_triple_is_replaced() {
    let files = Files::new(&[("in.ll", TWO.as_bytes()), ("bare.ll", LOOP.as_bytes())]);
    let written = files.backedge("opt in.ll -mtriple=x86_64-unknown-linux-gnu").exits(0).stdout;
    let original = files.backedge("opt in.ll").exits(0).stdout;
    assert_eq!(written, original.replace("\"avr\"", "\"x86_64-unknown-linux-gnu\""));
    let bare = files.backedge("opt bare.ll -mtriple x86_64-pc-linux -passes=dce").exits(0).stdout;
    assert_eq!(bare.matches("target triple = \"x86_64-pc-linux\"").count(), 1, "{bare}");
    for bad in ["", "a\"b", "a b"] {
        files.backedge(&format!("opt in.ll '-mtriple={bad}'")).exits(2).says("mtriple");
    }
}

#[test]
fn loops_are_unrolled_by_a_factor() {
    let files = Files::new(&[("in.ll", TWO.as_bytes())]);
    for passes in ["loop-unroll", "default<O2>"] {
        let line = format!("opt -passes={passes} in.ll -unroll-count=4");
        let copies = files.backedge(&line).exits(0).stdout.matches("call void @use").count();
        assert_eq!(copies, 4, "{line}");
    }
    let line = "opt -passes=loop-unroll<count=8> in.ll -unroll-count=4";
    assert_eq!(files.backedge(line).exits(0).stdout.matches("call void @use").count(), 8);
    let shown =
        files.backedge("opt -passes=loop-unroll -unroll-count=4 -print-pipeline-passes").exits(0).stdout;
    assert_eq!(shown, "function(loop-unroll<count=4>)\n");
    files.backedge("opt -passes=loop-unroll in.ll -unroll-count=0").exits(2).says("between 1 and 65536");
}

#[test]
fn verification_can_be_disabled() {
    let files = Files::new(&[("in.ll", TWO.as_bytes())]);
    let written = files.backedge("opt -passes=licm in.ll -disable-verify").exits(0).stdout;
    assert_eq!(written, files.backedge("opt -passes=licm in.ll").exits(0).stdout);
    files.backedge("opt -passes=licm in.ll -disable-verify -verify-each").exits(2).says("cannot be used");
}

/// As LLVM's tools do: a function's own processor stays, and features are appended.
#[test]
fn processors_and_features_become_attributes() {
    let text = "define void @f() #0 {\n  ret void\n}\n\ndefine void @g() #0 {\n  ret void\n}\n\n\
                define void @h() {\n  ret void\n}\n\nattributes #0 = { \"target-cpu\"=\"atom\" \"target-features\"=\"+sse\" }\n";
    let files = Files::new(&[("in.ll", text.as_bytes()), ("loop.ll", TWO.as_bytes())]);
    let out = files.backedge("opt in.ll -mcpu=x86-64-v3 -mattr=+avx2,-fma").exits(0).stdout;
    let own = out.lines().find(|line| line.contains("@h")).expect("a line");
    assert!(own.contains("\"target-cpu\"=\"x86-64-v3\" \"target-features\"=\"+avx2,-fma\""), "{out}");
    let both = out.lines().find(|line| line.contains("@f")).expect("a line");
    assert!(both.contains("\"target-cpu\"=\"atom\" \"target-features\"=\"+sse,+avx2,-fma\""), "{out}");
    // The cost model follows a processor that executes in order.
    let remarks = |cpu: &str| {
        let line = format!("opt loop.ll -mcpu={cpu} -passes=loop-unroll<runtime> -remarks -disable-output");
        files.backedge(&line).exits(0).stderr
    };
    assert!(remarks("cortex-a53").contains("weighed for in-order"), "{}", remarks("cortex-a53"));
    assert!(remarks("znver4").contains("weighed for ooo"), "{}", remarks("znver4"));
    files.backedge("opt in.ll -mcpu=atom --machine ooo").exits(2);
    files.backedge("opt in.ll -mattr=avx2").exits(2).says("expected features with + or - in front");
    files.backedge("opt in.ll '-mcpu=a\"b'").exits(2).says("expected the name of a processor");
}

#[test]
fn changes_are_drawn() {
    let files = Files::new(&[("in.ll", TWO.as_bytes())]);
    std::fs::create_dir(files.path("graphs")).expect("a directory");
    let line = "opt -passes=licm,licm in.ll -disable-output -print-changed=dot-cfg -dot-cfg-dir=graphs";
    assert_eq!(files.backedge(line).exits(0).stderr, "");
    let graph = files.read("graphs/diff_0.dot");
    assert!(graph.starts_with("digraph \"") && graph.contains("on f\";\n"), "{graph}");
    assert!(graph.contains("+%x = add i32 %n, 7\\l") && graph.contains("-%x = add i32 %n, 7\\l"), "{graph}");
    assert!(
        graph.contains("\"%loop\" -> \"%exit\" [color=black];")
            || graph.contains("\"loop\" -> \"exit\" [color=black];"),
        "{graph}"
    );
    let list = files.read("graphs/passes.html");
    assert!(list.contains("<a href=\"diff_0.dot\">") && list.contains("omitted because no change"), "{list}");
    assert!(!files.path("graphs/diff_1.dot").exists());
    files.backedge("opt -passes=licm in.ll -print-changed=dot-cfg -dot-cfg-dir=none").exits(2);
    files.backedge("opt -passes=licm in.ll -print-changed=dot-cfg -print-module-scope").exits(2);
}
