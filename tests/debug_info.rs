//! What is said of a program's variables changes none of its code: each pass makes the same of a function with and without
//! debug information, which LLVM's `debugify` invents. And what a pass takes away is not said any more.

mod common;

use backedge_testkit::{corpus_dir, files_with_extension, peer};
use common::run;
use std::path::Path;

const PASSES: [&str; 11] = [
    "default<O3>",
    "loop(loop-rotate,indvars)",
    "loop-mssa(licm)",
    "loop-unroll<runtime;count=4>",
    "loop-peel",
    "simplifycfg<speculate-blocks>",
    "loop-mssa(simple-loop-unswitch<nontrivial>)",
    "loop-idiom",
    "loop-deletion",
    "loop-simplifycfg",
    "iteration-set-split",
];

/// The module without what is said of variables and places, and with metadata nodes of one name.
fn code(text: &str) -> String {
    let told = |line: &&str| !line.starts_with(['!', ';']) && !line.contains("#dbg_") && !line.is_empty();
    let mut lines = Vec::new();
    for line in text.lines().filter(told) {
        let mut kept = String::new();
        let mut rest = line;
        while let Some(at) = rest.find('!') {
            let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '.';
            let end = rest[at + 1..].find(is_end).map_or(rest.len(), |length| at + 1 + length);
            let (before, node) = (&rest[..at], &rest[at..end]);
            rest = &rest[end..];
            let is_number = node[1..].starts_with(|c: char| c.is_ascii_digit());
            kept.push_str(before);
            kept.push_str(if is_number { "!N" } else { node });
        }
        kept.push_str(rest);
        lines.push(kept.replace(", !dbg !N", "").replace(" !dbg !N", ""));
    }
    lines.join("\n")
}

#[test]
fn what_is_said_of_variables_changes_no_code() {
    let Some(opt) = peer("opt", "passes on code with debug information") else { return };
    let dir = tempfile::tempdir().expect("a directory");
    let mut differ = Vec::new();
    let mut compared = 0;
    for folder in
        ["kernels", "exits/shared", "exits/shared-lcssa", "exits/distinct", "optimizer", "ideas/unroll"]
    {
        for file in files_with_extension(&corpus_dir().join(folder), "ll") {
            let text = std::fs::read(&file).expect("a file");
            let said = opt.run(&["-passes=debugify", "-S"], &text);
            assert!(said.ok(), "{}: {}", file.display(), said.stderr);
            let unsaid = opt.run(&["-strip-debug", "-S"], said.stdout.as_bytes());
            for passes in PASSES {
                let of = |text: &str| {
                    let line = format!("-passes={passes}");
                    run(&["opt", &line, "-S", "-"], text.as_bytes(), dir.path()).exits(0).stdout
                };
                let [with, without] = [&said.stdout, &unsaid.stdout].map(|text| of(text));
                compared += 1;
                if code(&with) != code(&without) {
                    let name = file.file_name().map(Path::new).map(|n| n.display().to_string());
                    differ.push(format!("{} of {}", passes, name.unwrap_or_default()));
                }
            }
        }
    }
    assert!(compared > 300, "{compared} are compared");
    assert!(differ.is_empty(), "{differ:#?}");
}

#[test]
fn of_what_a_deleted_loop_gave_values_none_is_known_behind_it() {
    let text = "\
define i32 @f(i32 %n) !dbg !3 {
entry:
    #dbg_value(i32 7, !5, !DIExpression(), !6)
  br label %l, !dbg !6
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
    #dbg_value(i32 %i, !5, !DIExpression(), !6)
  %j = add nuw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %x, !dbg !6
x:
  ret i32 %n, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"a.c\", directory: \"/\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!3 = distinct !DISubprogram(name: \"f\", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocalVariable(name: \"v\", scope: !3, file: !1, line: 2)
!6 = !DILocation(line: 2, scope: !3)
";
    let dir = tempfile::tempdir().expect("a directory");
    let after =
        run(&["opt", "-passes=loop-deletion", "-S", "-"], text.as_bytes(), dir.path()).exits(0).stdout;
    let behind = after.split_once("x:").expect("the exit").1;
    assert!(behind.contains("#dbg_value(i32 poison, !5,"), "{after}");
    assert!(!after.contains("add nuw"), "{after}");
}
