//! Remarks have LLVM's names, one for each moved instruction: compares our remarks for one file with those of LLVM's
//! `opt`.

use crate::common::Files;
use backedge_testkit::peer;
use std::collections::BTreeMap;

const MODULE: &str = include_str!("../data/remarks.ll");

/// The common remarks by pass: kind, pass, name, function, and keyed arguments.
const SAID: &[(&str, &[&str])] = &[
    (
        "loop-mssa(licm)",
        &[
            "Missed licm LoadWithLoopInvariantAddressCondExecuted conditional",
            "Missed licm LoadWithLoopInvariantAddressInvalidated stays",
            "Passed licm Hoisted moved Inst=mul",
            "Passed licm InstSunk moved Inst=xor",
            "Passed licm PromoteLoopAccessesToScalar moved",
        ],
    ),
    (
        "loop(loop-deletion)",
        &["Passed loop-delete Invariant empty", "Passed loop-delete NeverExecutes never"],
    ),
    (
        "loop(loop-idiom)",
        &[
            "Passed loop-idiom ProcessLoopStoreOfLoopLoad copy",
            "Passed loop-idiom ProcessLoopStridedStore fill",
        ],
    ),
    (
        "loop(loop-unroll-full)",
        &[
            "Missed loop-unroll CantFullUnrollAsDirectedRuntimeTripCount directed",
            "Passed loop-unroll FullyUnrolled three UnrollCount=3",
        ],
    ),
    (
        "loop-unroll<runtime>",
        &[
            "Missed loop-unroll CantFullUnrollAsDirectedRuntimeTripCount directed",
            "Passed loop-unroll FullyUnrolled three UnrollCount=3",
            "Passed loop-unroll PartialUnrolled many UnrollCount=4",
        ],
    ),
];

/// The remarks in a YAML file, in order.
fn remarks(yaml: &str) -> Vec<String> {
    let plain = |text: &str| text.trim().trim_matches('\'').to_owned();
    let mut all: Vec<String> = Vec::new();
    for document in yaml.split("--- !").skip(1) {
        let (kind, rest) = document.split_once('\n').expect("a kind");
        let fields: BTreeMap<&str, String> =
            rest.lines().filter_map(|l| l.split_once(':')).map(|(key, value)| (key, plain(value))).collect();
        let mut text = format!("{kind} {} {} {}", fields["Pass"], fields["Name"], fields["Function"]);
        for key in ["Inst", "UnrollCount"] {
            // LLVM gives the operands of a copy in words.
            if let Some(value) = fields.get(format!("  - {key}").as_str()).filter(|v| !v.contains(' ')) {
                text.push_str(&format!(" {key}={value}"));
            }
        }
        all.push(text);
    }
    all.sort();
    all
}

#[test]
fn remarks_have_llvms_names() {
    let opt = peer("opt", "the names of remarks beside those of LLVM's");
    let files = Files::new(&[("in.ll", MODULE.as_bytes())]);
    for (passes, said) in SAID {
        let of = |yaml: &str| remarks(&files.read(yaml));
        let flags = "-disable-output -pass-remarks-output";
        files.backedge(&format!("opt -passes={passes} in.ll {flags}=ours.yaml")).exits(0);
        // Each side also has remarks about other loops and functions.
        let word = |text: &str, nth| text.split(' ').nth(nth).expect("a word").to_owned();
        let named =
            |text: &String| said.iter().any(|s| word(s, 2) == word(text, 2) && word(s, 3) == word(text, 3));
        let ours: Vec<String> = of("ours.yaml").into_iter().filter(named).collect();
        assert_eq!(ours, *said, "{passes}");
        if let Some(opt) = &opt {
            let yaml = files.path("theirs.yaml");
            let output = format!("-pass-remarks-output={}", yaml.display());
            let answer =
                opt.run(&[&format!("-passes={passes}"), "-disable-output", &output], MODULE.as_bytes());
            assert!(answer.ok(), "{}", answer.stderr);
            let theirs: Vec<String> = of("theirs.yaml").into_iter().filter(named).collect();
            assert_eq!(theirs, *said, "{passes}");
        }
    }
}

/// The arguments of each remark in a YAML file, concatenated.
fn messages(yaml: &str) -> Vec<String> {
    let of = |document: &str| {
        let (_, args) = document.split_once("\nArgs:\n").expect("arguments");
        let values = args.lines().filter_map(|l| l.strip_prefix("  - ")?.split_once(':'));
        let unquoted = |text: &str| {
            let text = text.trim_start();
            text[1..text.len() - 1].replace("''", "'")
        };
        values.map(|(_, text)| unquoted(text)).collect::<String>()
    };
    yaml.split("--- !").skip(1).map(of).collect()
}

#[test]
fn arguments_make_up_the_message() {
    let files = Files::new(&[("in.ll", MODULE.as_bytes())]);
    let mut keys = Vec::new();
    for (passes, _) in SAID {
        let line = format!(
            "opt -passes={passes} in.ll -disable-output --remarks --machine in-order -pass-remarks-output=r.yaml"
        );
        let answer = files.backedge(&line).exits(0);
        let said = |line: &str| {
            let rest = line.split_once(": loop ")?.1;
            let (header, rest) = rest.split_once(": ")?;
            let message = rest.split_once(": ")?.1;
            Some(format!("loop {header}: {}", message.strip_prefix("missed: ").unwrap_or(message)))
        };
        let told: Vec<String> = answer.stderr.lines().filter_map(said).collect();
        let yaml = files.read("r.yaml");
        assert_eq!(messages(&yaml), told, "{yaml}");
        keys.extend(yaml.lines().filter_map(|l| Some(l.strip_prefix("  - ")?.split_once(':')?.0.to_owned())));
    }
    for key in ["Loop", "Inst", "UnrollCount", "Machine", "CostX1", "Best"] {
        assert!(keys.iter().any(|k| k == key), "{key}");
    }
}

#[test]
fn a_moved_instruction_is_where_it_stood() {
    let text = MODULE.replace("%x, %x\n", "%x, %x, !dbg !9\n")
        .replacen("label %loop, label %exit\n", "label %loop, label %exit, !dbg !10\n", 1)
        .replace("i32 %x) {", "i32 %x) !dbg !7 {")
        + "!llvm.module.flags = !{!4}
!llvm.dbg.cu = !{!5}
!4 = !{i32 2, !\"Debug Info Version\", i32 3}
!5 = distinct !DICompileUnit(language: DW_LANG_C99, file: !6, producer: \"x\", emissionKind: FullDebug)
!6 = !DIFile(filename: \"t.c\", directory: \"/x\")
!7 = distinct !DISubprogram(name: \"moved\", scope: !6, file: !6, line: 1, type: !8, spFlags: DISPFlagDefinition, unit: !5)
!8 = !DISubroutineType(types: !{null})
!9 = !DILocation(line: 4, column: 7, scope: !7)
!10 = !DILocation(line: 5, column: 1, scope: !7)
";
    let files = Files::new(&[("in.ll", text.as_bytes())]);
    files.backedge("opt -passes=licm in.ll -disable-output -pass-remarks-output=r.yaml").exits(0);
    let yaml = files.read("r.yaml");
    let of = |name: &str| yaml.split("--- !").find(|d| d.contains(name)).expect("a remark").to_owned();
    assert!(of("Hoisted").contains("\nDebugLoc:        { File: 't.c', Line: 4, Column: 7 }\n"), "{yaml}");
    // An instruction without a location gets that of the loop.
    assert!(of("InstSunk").contains("\nDebugLoc:        { File: 't.c', Line: 5, Column: 1 }\n"), "{yaml}");
}
