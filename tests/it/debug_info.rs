//! Debug information does not change the code: each pass has the same result for a function with and without debug
//! information, which LLVM's `debugify` generates. Debug information of removed code is dropped.

use crate::common::run;
use backedge_testkit::{Peer, corpus_dir, files_with_extension, peer};
use std::path::{Path, PathBuf};

const PASSES: [&str; 15] = [
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
    "hir-roundtrip",
    "hir-strip-mine<4>",
    "hir-interchange",
    "hir-distribute",
];

/// The module without debug records, debug metadata and comments, and with all metadata node numbers replaced by one
/// name.
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

/// The module `text` after `passes`. It defines `@f` and everything that `@f` names; `!3` is the DISubprogram of `@f`,
/// and `!6` is a location in it.
fn after_passes(passes: &str, text: &str) -> String {
    const METADATA: &str = "\
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"a.c\", directory: \"/\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!3 = distinct !DISubprogram(name: \"f\", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 2, scope: !3)
";
    let dir = tempfile::tempdir().expect("a directory");
    let (line, text) = (format!("-passes={passes}"), format!("{text}{METADATA}"));
    run(&["opt", &line, "-S", "-"], text.as_bytes(), dir.path()).exits(0).stdout
}

/// The files in `folders` of the corpus, and their text with LLVM's debug information.
fn debugified(opt: &Peer, folders: &[&str]) -> impl Iterator<Item = (PathBuf, String)> {
    let files = folders.iter().flat_map(|folder| files_with_extension(&corpus_dir().join(folder), "ll"));
    files.map(|file| {
        let text = std::fs::read(&file).expect("a file");
        let said = opt.run(&["-passes=debugify", "-S"], &text);
        assert!(said.ok(), "{}: {}", file.display(), said.stderr);
        (file, said.stdout)
    })
}

#[test]
fn what_is_said_of_variables_changes_no_code() {
    let Some(opt) = peer("opt", "passes on code with debug information") else { return };
    let dir = tempfile::tempdir().expect("a directory");
    let mut differ = Vec::new();
    let mut compared = 0;
    let folders =
        ["kernels", "exits/shared", "exits/shared-lcssa", "exits/distinct", "optimizer", "ideas/unroll"];
    for (index, (file, said)) in debugified(&opt, &folders).enumerate() {
        let unsaid = opt.run(&["-strip-debug", "-S"], said.as_bytes());
        // Each file meets a third of the passes, and each pass a third of the files.
        for passes in PASSES.iter().skip(index % 3).step_by(3) {
            let of = |text: &str| {
                let line = format!("-passes={passes}");
                run(&["opt", &line, "-S", "-"], text.as_bytes(), dir.path()).exits(0).stdout
            };
            let [with, without] = [&said, &unsaid.stdout].map(|text| of(text));
            compared += 1;
            if code(&with) != code(&without) {
                let name = file.file_name().map(Path::new).map(|n| n.display().to_string());
                differ.push(format!("{} of {}", passes, name.unwrap_or_default()));
            }
        }
    }
    assert!(compared > 300, "{compared} are compared");
    assert!(differ.is_empty(), "{differ:#?}");
}

/// Passes that keep code at plausible source locations.
const PLACED: [&str; 10] = [
    "loop-simplify,lcssa",
    "loop-rotate",
    "loop-unroll<runtime;count=4>",
    "loop-unroll-full",
    "loop-peel<count=2>",
    "loop-mssa(simple-loop-unswitch<nontrivial>)",
    "loop-idiom",
    "iteration-set-split",
    "loop-vectorize<force-vector-width=4>",
    "hir-roundtrip",
];

#[test]
fn new_code_says_where_it_is_from() {
    let Some(opt) = peer("opt", "which code has no place in the source") else { return };
    let dir = tempfile::tempdir().expect("a directory");
    let mut lost = Vec::new();
    let mut changed = 0;
    let folders = ["kernels", "exits/shared-lcssa", "exits/distinct", "ideas/unroll"];
    for (index, (file, said)) in debugified(&opt, &folders).enumerate() {
        // Each file meets half of the passes, and each pass half of the files.
        for passes in PLACED.iter().skip(index % 2).step_by(2) {
            let line = format!("-passes={passes}");
            let after = run(&["opt", &line, "-S", "-"], said.as_bytes(), dir.path()).exits(0).stdout;
            changed += usize::from(code(&after) != code(&said));
            let checked = opt.run(&["-passes=check-debugify", "-disable-output"], after.as_bytes());
            let empty = checked.stderr.lines().filter(|l| l.contains("empty DebugLoc"));
            lost.extend(empty.map(|l| format!("{passes} of {}: {l}", file.display())));
        }
    }
    assert!(changed > 100, "{changed} are changed");
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn the_store_after_a_loop_is_the_assignment_that_the_one_within_was() {
    let text = "\
define void @f(ptr %p, i32 %n) !dbg !3 {
entry:
  br label %l, !dbg !6
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %old = load i32, ptr %p, align 4, !dbg !6
  %sum = add i32 %old, %i, !dbg !6
  store i32 %sum, ptr %p, align 4, !dbg !7, !DIAssignID !8
  %j = add nuw i32 %i, 1, !dbg !6
  %c = icmp ult i32 %j, %n, !dbg !6
  br i1 %c, label %l, label %x, !dbg !6
x:
  ret void, !dbg !6
}
!7 = !DILocation(line: 3, scope: !3)
!8 = distinct !DIAssignID()
";
    let after = after_passes("loop-mssa(licm)", text);
    let following = after.split_once("x:").expect("the exit").1;
    let store = following.lines().find(|l| l.contains("store i32")).expect("a store after the loop");
    let node = |kind: &str| {
        let at = store.split_once(kind).unwrap_or_else(|| panic!("no{kind}: {store}")).1;
        at.split(',').next().unwrap_or_default().trim().to_owned()
    };
    assert!(after.contains(&format!("{} = !DILocation(line: 3", node("!dbg"))), "{after}");
    assert!(after.contains(&format!("{} = distinct !DIAssignID()", node("!DIAssignID"))), "{after}");
}

#[test]
fn of_what_a_deleted_loop_gave_values_none_is_known_after_it() {
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
!5 = !DILocalVariable(name: \"v\", scope: !3, file: !1, line: 2)
";
    let after = after_passes("loop-deletion", text);
    let following = after.split_once("x:").expect("the exit").1;
    assert!(following.contains("#dbg_value(i32 poison, !5,"), "{after}");
    assert!(!after.contains("add nuw"), "{after}");
}

/// After a nest became a tree and code again, debug records of its values are preserved, and those of removed values
/// become unknown. The counter of the new loop has the location of the loop's start.
#[test]
fn trees_keep_what_is_said_of_their_values() {
    let text = "\
define i32 @f(ptr %p, i64 %n) !dbg !3 {
entry:
  br label %l, !dbg !6
l:
  %i = phi i64 [ 0, %entry ], [ %next, %l ]
  %sum = phi i32 [ 0, %entry ], [ %s, %l ]
    #dbg_value(i64 %i, !10, !DIExpression(), !6)
  %at = getelementptr inbounds i32, ptr %p, i64 %i, !dbg !7
    #dbg_value(ptr %at, !11, !DIExpression(), !6)
  %v = load i32, ptr %at, !dbg !7
  %s = add i32 %sum, %v, !dbg !8
    #dbg_value(i32 %s, !12, !DIExpression(), !6)
  store i32 %s, ptr %at, !dbg !8
  %next = add nuw nsw i64 %i, 1, !dbg !8
    #dbg_value(i64 %n, !13, !DIExpression(), !6)
  %more = icmp ult i64 %next, 9, !dbg !8
    #dbg_value(i1 %more, !14, !DIExpression(), !6)
  br i1 %more, label %l, label %exit, !dbg !8, !llvm.loop !20
exit:
  ret i32 %s, !dbg !8
}
!14 = !DILocalVariable(name: \"more\", scope: !3, file: !1, line: 1)
!7 = !DILocation(line: 7, scope: !3)
!8 = !DILocation(line: 8, scope: !3)
!10 = !DILocalVariable(name: \"i\", scope: !3, file: !1, line: 1)
!11 = !DILocalVariable(name: \"at\", scope: !3, file: !1, line: 1)
!12 = !DILocalVariable(name: \"s\", scope: !3, file: !1, line: 1)
!13 = !DILocalVariable(name: \"n\", scope: !3, file: !1, line: 1)
!20 = distinct !{!20, !9}
!9 = !DILocation(line: 9, scope: !3)
";
    let after = after_passes("hir-roundtrip", text);
    let line =
        |part: &str| after.lines().find(|l| l.contains(part)).unwrap_or_else(|| panic!("{part}\n{after}"));
    let counter = line("phi i64").trim().split(' ').next().unwrap_or_default().to_owned();
    let address = line("%v = load").split(", ").nth(1).unwrap_or_default();
    let [counter, address] = [format!("i64 {counter}, !10"), format!("{address}, !11")];
    for told in [&*counter, &*address, "i32 %sum, !12", "i64 %n, !13", "i1 poison, !14"] {
        assert!(after.contains(&format!("#dbg_value({told}, !DIExpression(), !6)")), "{told}\n{after}");
    }
    assert!(line("%v = load").ends_with("!dbg !7") && line("store i32").ends_with("!dbg !8"), "{after}");
    for counting in ["add nuw nsw i64", "icmp eq"] {
        assert!(line(counting).ends_with("!dbg !9"), "{after}");
    }
    assert!(line("!llvm.loop").contains("!dbg !9"), "{after}");
    // The iteration numbers change.
    let strips = after_passes("hir-strip-mine<4>", text);
    assert!(strips.contains("#dbg_value(i64 poison, !10"), "{strips}");
}
