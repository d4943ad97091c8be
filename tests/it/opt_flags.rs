//! The flags of `opt` that LLVM users expect: remarks, printing after passes, logs and times.

use crate::common::{Files, LOOP, run};

/// A loop with debug info: its header ends at t.c:3:5.
const DEBUG: &str = r#"
define i32 @f(i32 %n) !dbg !4 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit, !dbg !7
body:
  call void @g(), !dbg !8
  %i.next = add i32 %i, 1
  br label %loop
exit:
  ret i32 %i
}
declare void @g()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", emissionKind: FullDebug)
!1 = !DIFile(filename: "t.c", directory: "/x")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !2)
!6 = distinct !DILexicalBlock(scope: !4, line: 3, column: 3)
!7 = !DILocation(line: 3, column: 5, scope: !6)
!8 = !DILocation(line: 4, column: 7, scope: !6)
"#;

#[test]
fn remarks_are_chosen_by_the_names_of_passes() {
    let files = Files::new(&[("in.ll", DEBUG.as_bytes())]);
    let opt = |flags: &str| {
        let line =
            format!("opt -passes=loop-simplify,lcssa,loop-rotate,loop-rotate in.ll -disable-output {flags}");
        files.backedge(&line).exits(0).stderr
    };
    let all = opt("-remarks");
    assert_eq!(opt(""), "");
    for dashes in ["-", "--"] {
        let passed = opt(&format!("{dashes}pass-remarks=rot.te$"));
        assert!(passed.contains("remark: t.c:3:5: @f: loop %loop: loop-rotate: "), "{passed}");
        assert!(!passed.contains("missed") && !passed.contains("lcssa:"), "{passed}");
        assert!(all.contains(&passed));
    }
    let missed = opt("-pass-remarks-missed=rotate");
    assert!(missed.lines().all(|l| l.contains("loop-rotate: missed: ")) && !missed.is_empty(), "{missed}");
    assert_eq!(opt("-pass-remarks-missed=licm"), "");
    assert_eq!(opt("-pass-remarks-analysis=.*"), "");
    let both = opt("-pass-remarks=.* -pass-remarks-missed=.*");
    assert_eq!(both, all);
    files
        .backedge("opt -passes=lcssa in.ll -pass-remarks=(")
        .exits(2)
        .says("--pass-remarks <REGEX>")
        .says("unclosed group");
}

#[test]
fn remarks_without_debug_info_say_so_as_llvms_do() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let answer =
        files.backedge("opt -passes=loop-rotate in.ll -disable-output -pass-remarks=rotate").exits(0);
    assert!(answer.stderr.starts_with("remark: <unknown>:0:0: @f: loop %"), "{}", answer.stderr);
}

#[test]
fn a_level_stands_for_its_pipeline() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    for level in ["O0", "O1", "O2", "O3", "Os", "Oz"] {
        let short = files.backedge(&format!("opt -{level} in.ll -print-pipeline-passes")).exits(0);
        let long =
            files.backedge(&format!("opt -passes=default<{level}> in.ll -print-pipeline-passes")).exits(0);
        assert_eq!(short.stdout, long.stdout);
    }
    files.backedge("opt -O4 in.ll").exits(2).says("[possible values: 0, 1, 2, 3, s, z]");
    files.backedge("opt -O2 -passes=licm in.ll").exits(2).says("cannot be used with");
}

#[test]
fn bitcode_is_told_from_text() {
    let files =
        Files::new(&[("in.bc", b"BC\xC0\xDE\x35\x14\0\0"), ("wrapped.bc", b"\xDE\xC0\x17\x0B\0\0\0\0")]);
    for name in ["in.bc", "wrapped.bc"] {
        let answer = files.backedge(&format!("opt -passes=licm {name}")).exits(2);
        answer.says("is LLVM bitcode and can't be read").says("llvm-dis");
    }
}

#[test]
fn remarks_are_written_as_yaml() {
    let files = Files::new(&[("in.ll", DEBUG.as_bytes())]);
    let line = "opt -passes=loop-simplify,lcssa,loop-rotate in.ll -o out.ll -pass-remarks-output=r.yaml";
    let answer = files.backedge(line).exits(0);
    assert_eq!(answer.stderr, "");
    let yaml = files.read("r.yaml");
    assert!(yaml.starts_with("--- !Passed\nPass:            "), "{yaml}");
    assert!(
        yaml.contains("\nDebugLoc:        { File: 't.c', Line: 3, Column: 5 }\nFunction:        'f'\n"),
        "{yaml}"
    );
    assert!(yaml.matches("--- !").count() >= 2 && yaml.ends_with("...\n"), "{yaml}");
    files.backedge(&format!("{line} -pass-remarks-filter=lcssa")).exits(0);
    assert!(!files.read("r.yaml").contains("loop-rotate"));
    // If the loop metadata has a start location, it is used.
    let back = "  br label %loop\nexit";
    assert!(DEBUG.contains(back));
    let said = DEBUG.replace(back, "  br label %loop, !llvm.loop !9\nexit")
        + "!9 = distinct !{!9, !10, !8}\n!10 = !DILocation(line: 2, column: 9, scope: !4)\n";
    let files = Files::new(&[("in.ll", said.as_bytes())]);
    files.backedge(line).exits(0);
    let yaml = files.read("r.yaml");
    assert!(yaml.contains("\nDebugLoc:        { File: 't.c', Line: 2, Column: 9 }\n"), "{yaml}");
    let files = Files::new(&[("in.ll", DEBUG.as_bytes())]);
    files.backedge("opt -passes=lcssa in.ll -o x -pass-remarks-output=x").exits(2).says("both");
    files
        .backedge("opt -passes=lcssa in.ll -o - -pass-remarks-output=in.ll")
        .exits(2)
        .says("overwrite the input in.ll");
    assert_eq!(files.read("in.ll"), DEBUG);
}

#[test]
fn functions_are_printed_after_passes() {
    let text = LOOP.to_owned() + &LOOP.replace("@f", "@g");
    let files = Files::new(&[("in.ll", text.as_bytes())]);
    let dumps = |flags: &str| -> Vec<String> {
        let line = format!("opt -passes=loop-simplify,lcssa,loop-rotate,lcssa in.ll -disable-output {flags}");
        let stderr = files.backedge(&line).exits(0).stderr;
        let heads = stderr.lines().filter_map(|l| l.trim_start_matches("; ").strip_prefix("*** IR Dump "));
        heads.map(|l| l.trim_end_matches(" ***").to_owned()).collect()
    };
    let all = dumps("-print-after-all");
    assert!(all.len() >= 8, "{all:?}");
    let rotated = |f: &str| format!("After LoopRotatePass on loop %body in function {f}");
    assert_eq!(dumps("-print-after=loop-rotate"), [rotated("f"), rotated("g")]);
    assert_eq!(dumps("-print-after=loop-rotate -filter-print-funcs=g"), [rotated("g")]);
    let before = "-print-before=loop-rotate -filter-print-funcs=g";
    assert_eq!(dumps(before), ["Before LoopRotatePass on loop %header in function g"]);
    let both = dumps("-print-before-all -print-after-all");
    assert_eq!(both.iter().filter(|d| d.starts_with("After ")).count() * 2, both.len(), "{both:?}");
    let changed = dumps("-print-changed=quiet");
    assert!(changed.len() < all.len() && changed.iter().all(|d| all.contains(d)), "{changed:?}");
    let told = dumps("-print-changed");
    let (omitted, shown): (Vec<_>, Vec<_>) =
        told.into_iter().partition(|d| d.ends_with(" omitted because no change"));
    assert_eq!(shown[0], "At Start");
    assert_eq!(shown[1..], changed);
    assert_eq!(omitted.len() + changed.len(), all.len());
    files.backedge("opt -passes=lcssa in.ll -print-changed=cdiff").exits(2).says("verbose, quiet");
    files.backedge("opt -passes=lcssa in.ll -print-after=nonsense").exits(2).says("no pass 'nonsense'");
}

#[test]
fn runs_are_logged_and_timed() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let log =
        files.backedge("opt -passes=loop-simplify,lcssa in.ll -disable-output -debug-pass-manager").exits(0);
    assert_eq!(log.stderr, "Running pass: loop-simplify on f\nRunning pass: lcssa on f\n");
    let timed = files.backedge("opt -passes=lcssa,lcssa in.ll -disable-output -time-passes").exits(0).stderr;
    assert!(timed.starts_with("Pass execution timing report\n") && timed.contains("2  lcssa\n"), "{timed}");
    let shown = files.backedge("opt -passes=loop-rotate nowhere.ll -print-pipeline-passes").exits(0).stdout;
    assert!(shown.starts_with("function(loop(loop-rotate"), "{shown}");
}

#[test]
fn passes_are_listed_and_names_that_are_near_are_told() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let listed = files.backedge("opt --print-passes").exits(0).stdout;
    assert!(listed.starts_with("Module passes:\n") && listed.contains("\n  licm "), "{listed}");
    assert!(files.backedge("opt -print-passes").exits(0).stdout == listed);
    files.backedge("opt --help").exits(0).prints("--print-passes");
    files.backedge("opt -passes=LICM in.ll").exits(2).says("did you mean 'licm'?");
    files
        .backedge("opt -passes=loop-rotate,loop-unroll<runtime> in.ll")
        .exits(2)
        .says("'loop(…),loop-unroll<runtime>'");
}

#[test]
fn unknown_flags_are_named() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    for (line, messages) in [
        (
            "opt in.ll -print-modul-scope",
            ["'-print-modul-scope' of `backedge opt`", "'-print-module-scope'?"],
        ),
        ("opt in.ll -pases=licm", ["unknown flag '-pases=licm'", "'-passes'?"]),
        ("opt in.ll -output-x", ["unknown flag '-output-x'", "-o utput-x"]),
        ("opt in.ll -oout.ll", ["unknown flag '-oout.ll'", "-o out.ll"]),
        ("opt in.ll -Sx", ["unknown flag '-Sx'", "Usage: backedge opt"]),
        ("print loops in.ll -dott", ["unknown flag '-dott' of `backedge print`", "'-dot'?"]),
        ("gate in.ll -qj2", ["unknown flag '-qj2' of `backedge gate`", "Usage: backedge gate"]),
        ("fuzz -seed=1..2", ["unknown flag '-seed=1..2' of `backedge fuzz`", "'-seeds'?"]),
        ("-passes=licm opt in.ll", ["before the command", "Usage: backedge"]),
    ] {
        let answer = files.backedge(line).exits(2);
        answer.says(messages[0]).says(messages[1]);
    }
    assert_eq!(files.names(), ["in.ll"]);
    files.backedge("opt in.ll -frobnicate").exits(2).says("try '--help'");
    files.backedge("opt -O3 -S in.ll -o=out.ll").exits(0);
    files.backedge("opt -O 3 -S in.ll -o out2.ll").exits(0);
    assert_eq!(files.read("out.ll"), files.read("out2.ll"));
    files.backedge("gate in.ll -j2 --bound 2").exits(0);
    files.backedge("--help").exits(0).prints("only for -O and -j");
}

#[test]
fn without_a_pass_the_module_is_written() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let written = files.backedge("opt in.ll").exits(0).stdout;
    assert_eq!(written, files.backedge("print ir in.ll").exits(0).stdout);
    assert_eq!(written, files.backedge("opt -S in.ll").exits(0).stdout);
    assert_eq!(written, files.backedge("opt -passes= in.ll").exits(0).stdout);
    files.backedge("opt in.ll -o out.ll").exits(0);
    assert_eq!(files.read("out.ll"), written);
    assert_eq!(run(&["opt", "-S"], LOOP.as_bytes(), files.dir()).exits(0).stdout, written);
    files.backedge("opt").exits(2).says("Usage: backedge opt");
    files.backedge("opt --help").exits(0).prints("Without a pass, the module is written unchanged");
}

#[test]
fn other_spellings_of_pipelines_are_corrected() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    files.backedge("opt -licm in.ll").exits(2).says("old pass manager").says("-passes=licm");
    files.backedge("opt -loop-rotate -licm -S in.ll").exits(2).says("-passes=loop-rotate,licm");
    files.backedge("gate --licm in.ll").exits(2).says("-passes=licm");
    files.backedge("print loops in.ll -licm").exits(2).says("unknown flag '-licm'");
    files.backedge("opt -O3 -O3 in.ll").exits(2).says("multiple times").says("default<O3>,default<O3>");
    files.backedge("opt -O3 -passes=licm in.ll").exits(2).says("default<O2>,licm");
    files.backedge("opt -passes=licm -O3 in.ll").exits(2).says("default<O2>,licm");
    for command in ["gate", "reduce", "bisect"] {
        let answer = files.backedge(&format!("{command} in.ll -O3")).exits(2);
        answer.says(&format!("`backedge {command}` takes no '-O3'; write -passes='default<O3>', or --opt"));
    }
    files.backedge("fuzz -O3 --seeds 0..1").exits(2).says("takes no '-O3'; write -passes='default<O3>'");
    files.backedge("print loops in.ll -O3").exits(2).says("unknown flag '-O3' of `backedge print`");
}

#[test]
fn passes_of_llvm_alone_are_named() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    for line in ["opt -passes=dce,gvn in.ll", "opt -gvn in.ll", "gate in.ll --passes gvn"] {
        let answer = files.backedge(line).exits(2);
        answer.says("'gvn' is a pass of LLVM").says("`backedge gate FILE --opt 'opt -passes=gvn -S'`");
    }
}
