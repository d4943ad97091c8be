//! The formats of a gate's report: text for people, and formats of tools, which are checked against published schemas.

#![cfg(unix)]

mod junit_schema;

use crate::common::{Files, LOOP, PAIRS, backedge};
use backedge_testkit::skip;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Two functions with mangled names, and one that a command breaks.
const MANGLED: &str = "\
; nothing

define i32 @_Z4goodi(i32 %x) {
  %r = add i32 %x, 10
  ret i32 %r
}

define i32 @_ZN4core3bad17h0123456789abcdefE(i32 %x) {
  %r = add i32 %x, 20
  ret i32 %r
}

define float @half(float %x) {
  %r = fmul float %x, 5.000000e-01
  ret float %r
}
";

/// A command that changes all three functions, two of them wrongly.
const WRONG: &str = "sed 's/ 10/ 4/; s/add i32 %x, 4/sub i32 %x, -10/; s/ 20/ 21/; s/5.0/2.5/' \"$1\"";

fn schema_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/schemas").join(name)
}

/// Asserts that `value` conforms to `schema`.
#[track_caller]
fn conforms(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).expect("a schema");
    let wrong: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(wrong.is_empty(), "{}\n{value:#}", wrong.join("\n"));
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}

#[test]
fn all_formats_of_one_run_tell_the_same() {
    let files = Files::with_script(MANGLED, WRONG);
    let command = "gate in.ll --opt ./opt --format lines --format github --format json=a.jsonl \
                   --format sarif=a.sarif --format junit=a.xml --format markdown=a.md --json b.jsonl";
    let answer = files.backedge(command).exits(1);

    // Lines for people, and annotations.
    let lines: Vec<&str> = answer.stdout.lines().collect();
    let bad =
        lines.iter().find(|line| line.starts_with("in.ll:8: core::bad: ./opt: refuted: ")).expect("a line");
    assert!(bad.contains("value mismatch"), "{bad}");
    assert!(!answer.stdout.contains("good"), "proved changes are not listed: {}", answer.stdout);
    assert!(answer.stdout.contains("1 proved change is not listed (--all lists all)"), "{}", answer.stdout);
    assert!(
        answer
            .stdout
            .contains("\n::error file=in.ll,line=8,title=core%3A%3Abad ./opt::refuted: value mismatch"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stdout.contains(
            "::notice title=backedge gate::3 judged: 1 refines if no input is undef (all), 2 refuted"
        ),
        "{}",
        answer.stdout
    );
    // Floats are floats.
    assert!(answer.stdout.contains("\n  %x = ") && !answer.stdout.contains("bits:0x3f"), "{}", answer.stdout);

    // Data.
    assert_eq!(files.read("a.jsonl"), files.read("b.jsonl"));
    let records: Vec<Value> = files.read("a.jsonl").lines().map(json).collect();
    assert_eq!(records.len(), 4);
    let schema = json(&backedge("schema").exits(0).stdout);
    records.iter().for_each(|record| conforms(&schema, record));

    let sarif = json(&files.read("a.sarif"));
    // ECMAScript accepts a bracket that nothing opens, which a pattern of the schema has; other dialects do not.
    let published = std::fs::read_to_string(schema_file("sarif-2.1.0.json")).unwrap();
    conforms(&json(&published.replace("{2}]?$", "{2}\\\\]?$")), &sarif);
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    assert_eq!((&results[0]["ruleId"], &results[0]["level"]), (&"refuted".into(), &"error".into()));
    let location = &results[0]["locations"][0];
    let artifact = &location["physicalLocation"]["artifactLocation"];
    assert_eq!((&artifact["uri"], &artifact["uriBaseId"]), (&"in.ll".into(), &"%SRCROOT%".into()));
    assert_eq!(location["physicalLocation"]["region"]["startLine"], 8);
    assert_eq!(location["logicalLocations"][0]["fullyQualifiedName"], "core::bad");
    assert_eq!(location["logicalLocations"][0]["decoratedName"], "_ZN4core3bad17h0123456789abcdefE");
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let index = results[0]["ruleIndex"].as_u64().expect("an index");
    assert_eq!(rules[index as usize]["id"], "refuted");

    let junit = files.read("a.xml");
    junit_schema::check(&std::fs::read_to_string(schema_file("junit-10.xsd")).unwrap(), &junit);
    assert!(junit.contains("tests=\"3\" failures=\"2\" errors=\"0\""), "{junit}");
    assert!(junit.contains("<testcase name=\"good(int) ./opt\" classname=\"in.ll\""), "{junit}");

    let markdown = files.read("a.md");
    assert!(markdown.starts_with("## backedge gate: failed\n"), "{markdown}");
    assert!(markdown.contains("| ❌ | in.ll:8 core::bad | ./opt | refuted: value mismatch"), "{markdown}");
}

/// A file is relative to the current directory if it is below it, however it is named.
#[test]
fn sarif_names_files_below_the_current_directory_relatively() {
    let files = Files::with_script(MANGLED, WRONG);
    std::fs::create_dir(files.path("sub")).unwrap();
    let absolute = files.path("in.ll").canonicalize().unwrap();
    let places = |dir: &str, file: &str| {
        let line = ["gate", file, "--opt", "../opt", "--format", "sarif=a.sarif"];
        crate::common::run(&line, b"", &files.path(dir).canonicalize().unwrap()).exits(1);
        let sarif = json(&files.read(&format!("{dir}/a.sarif")));
        let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert!(sarif["runs"][0]["originalUriBaseIds"]["%SRCROOT%"].is_object(), "{sarif}");
        (place["uri"].as_str().map(str::to_owned), place["uriBaseId"].as_str().map(str::to_owned))
    };
    let absolute = absolute.to_str().unwrap();
    assert_eq!(places("sub", absolute), (Some(format!("file://{absolute}")), None));
    std::fs::copy(absolute, files.path("sub/in.ll")).unwrap();
    let below = absolute.replace("in.ll", "sub/in.ll");
    for name in ["in.ll", "./in.ll", &below] {
        assert_eq!(places("sub", name), (Some("in.ll".into()), Some("%SRCROOT%".into())), "{name}");
    }
}

#[test]
fn all_formats_name_stale_entries_of_the_baseline() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    let entry =
        "\n[[accepted]]\nbucket = \"licm-crash-0123456789\"\nreason = \"issue 1\"\nexpires = 2199-01-01\n";
    std::fs::write(files.path("base.toml"), entry).unwrap();
    let formats =
        "--format lines --format github --format sarif=a.sarif --format junit=a.xml --format markdown=a.md";
    let answer = files.backedge(&format!("gate in.ll --bound 2 --baseline base.toml {formats}")).exits(6);
    let words = "licm-crash-0123456789 (issue 1) is not found any more";
    let answer = answer.prints(&format!("stale: line 3: {words}"));
    answer.prints(&format!("::error title=stale entry of the baseline::line 3: {words}"));

    let sarif = json(&files.read("a.sarif"));
    let published = std::fs::read_to_string(schema_file("sarif-2.1.0.json")).unwrap();
    conforms(&json(&published.replace("{2}]?$", "{2}\\\\]?$")), &sarif);
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().expect("results");
    let stale = results.iter().find(|result| result["ruleId"] == "stale").expect("the entry");
    assert_eq!((&stale["level"], &stale["message"]["text"]), (&"error".into(), &words.into()));
    let place = &stale["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "base.toml");
    assert_eq!(place["region"]["startLine"], 3);
    let index = stale["ruleIndex"].as_u64().expect("an index");
    assert_eq!(run["tool"]["driver"]["rules"][index as usize]["id"], "stale");

    let junit = files.read("a.xml");
    junit_schema::check(&std::fs::read_to_string(schema_file("junit-10.xsd")).unwrap(), &junit);
    assert!(junit.contains("errors=\"1\"") && junit.contains(words), "{junit}");
    assert!(
        junit.contains("<testcase name=\"stale: licm-crash-0123456789\" classname=\"base.toml\""),
        "{junit}"
    );
    let markdown = files.read("a.md");
    assert!(markdown.contains("stale entry of the baseline: line 3: licm"), "{markdown}");
}

#[test]
fn a_schema_checker_finds_what_is_wrong() {
    let xsd = std::fs::read_to_string(schema_file("junit-10.xsd")).unwrap();
    for wrong in [
        "<testsuites><testsuite name=\"a\" tests=\"1\" failures=\"0\"/></testsuites>",
        "<testsuites><testcase name=\"a\"/></testsuites>",
        "<testsuites skipped=\"1\"></testsuites>",
        "<testsuites time=\"1e3\"></testsuites>",
        "<report/>",
        "<testsuites>text</testsuites>",
    ] {
        assert!(junit_schema::complaint(&xsd, wrong).is_some(), "{wrong}");
    }
    let schema = json(&backedge("schema").exits(0).stdout);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let record = r#"{"schema":1,"file":"a.ll","function":"f","time_ms":0,"kind":"opaque","feature":"x"}"#;
    assert!(validator.is_valid(&json(record)));
    for (from, to) in [("\"x\"", "1"), ("opaque", "opaquer"), ("\"file\":\"a.ll\",", "")] {
        assert!(!validator.is_valid(&json(&record.replace(from, to))), "{from} {to}");
    }
}

#[test]
fn records_of_all_commands_conform_to_the_schema() {
    let schema = json(&backedge("schema").exits(0).stdout);
    let files = Files::new(&[
        ("in.ll", LOOP.as_bytes()),
        ("pairs.ll", PAIRS.as_bytes()),
        ("bad.ll", b"define"),
        ("straight.ll", b"define void @s() {\n  ret void\n}\n"),
    ]);
    files.write_script("sed 's/ 10/ 11/' \"$1\"");
    std::fs::write(files.path("two.ll"), crate::common::TWO).unwrap();
    for (line, code, kinds) in [
        ("gate in.ll bad.ll --json -", 2, &["validation", "bad-input", "summary"][..]),
        ("gate straight.ll --json -", 3, &["summary"]),
        ("tv pairs.ll --json -", 1, &["validation", "summary"]),
        (
            "tv pairs.ll --src-fn src_wrong --tgt-fn tgt_wrong --reproducer wrong.ll --json -",
            1,
            &["validation"],
        ),
        (
            "tv pairs.ll --src-fn src_right --tgt-fn tgt_right --certificate right.json --json -",
            0,
            &["validation"],
        ),
        ("recheck right.json --json -", 0, &["rechecked"]),
        ("recheck right.json pairs.ll bad-name.ll --json -", 2, &[]),
        ("replay wrong.ll --json -", 1, &["replayed"]),
        ("reduce two.ll --opt ./opt -o small.ll --json -", 0, &["reduced"]),
        ("bisect two.ll --opt ./opt --json -", 1, &["guilty"]),
        ("bisect in.ll --passes loop-rotate --json -", 0, &["nothing-wrong"]),
        ("scev check in.ll --json - --max-inconclusive 1", 0, &["claim"]),
        ("fuzz --seeds 0..2 --passes licm --json - --quiet", 0, &["campaign"]),
    ] {
        let answer = files.backedge(line).exits(code);
        let records: Vec<Value> = answer.stdout.lines().map(json).collect();
        records.iter().for_each(|record| conforms(&schema, record));
        for kind in kinds {
            assert!(records.iter().any(|r| r["kind"] == *kind), "no {kind} in {line}:\n{}", answer.stdout);
        }
        assert!(!answer.stdout.contains("\\n"), "a line break in {line}");
    }
}

#[test]
fn a_summary_is_appended_to_that_of_the_job() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("summary.md", b"before\n")]);
    let run = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_backedge"));
        command.args(["gate", "in.ll", "--bound", "2", "--format", format]).current_dir(files.dir());
        let done = command.env("GITHUB_STEP_SUMMARY", "summary.md").output().expect("a run");
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).expect("text")
    };
    let text = run("markdown");
    assert!(text.starts_with("## backedge gate: passed\n"), "{text}");
    assert_eq!(files.read("summary.md"), format!("before\n{text}"));
    run("lines");
    assert_eq!(files.read("summary.md"), format!("before\n{text}"));
}

#[test]
fn formats_must_not_mix_on_standard_output() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    for (flags, said) in [
        ("--format json --format lines", "json can't share standard output"),
        ("--format json --format lines", "--format json=FILE"),
        ("--format sarif --json -", "sarif can't share standard output"),
        ("--format html", "table, lines, json, sarif, junit, github, markdown"),
        ("--format json=a --format sarif=./a", "a and ./a are one file"),
        ("--format sarif=in.ll", "would overwrite the input in.ll"),
        ("--format sarif=", "sarif=FILE"),
    ] {
        files.backedge(&format!("gate in.ll {flags}")).exits(2).says(said);
    }
    assert_eq!(files.names(), ["in.ll"]);
    // Without a format on standard output, lines are printed.
    files.backedge("gate in.ll --bound 2 --format sarif=a.sarif").exits(0).prints(" judged: ");
    files.backedge("gate in.ll --all --format lines").exits(0).prints("in.ll:1: @f: loop-rotate: refines");
}

/// The output of `gate` on a terminal of so many columns (0: as a terminal that knows no width reports).
fn on_terminal(files: &Files, columns: u16, environment: &[(&str, &str)], arguments: &str) -> Option<String> {
    let there = Command::new("script").arg("--version").output();
    if !there.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("util-linux")) {
        skip("tables on a terminal", "there is no `script` of util-linux");
        return None;
    }
    let command = format!(
        "stty cols {columns}; exec '{}' gate {arguments} 2>/dev/null",
        env!("CARGO_BIN_EXE_backedge")
    );
    let status = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "typescript"])
        .current_dir(files.dir())
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("script runs");
    assert!(status.code().is_some());
    let sent = files.read("typescript").replace('\r', "");
    let begin = sent.find('\n').map_or(0, |at| at + 1);
    let end = sent.rfind("\nScript done").unwrap_or(sent.len());
    Some(sent[begin..end.max(begin)].to_owned())
}

/// The text without colours.
fn plain(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(|part| part.split_once('m').map_or("", |(_, rest)| rest)).collect::<String>()
}

#[test]
fn tables_fit_the_terminal_and_break_no_path() {
    let folder = "a-folder-with-a-long-name/and-another-one-that-is-not-short/and-a-third-folder";
    let files = Files::with_script(MANGLED, WRONG);
    std::fs::create_dir_all(files.path(folder)).unwrap();
    let name = format!("{folder}/in.ll");
    std::fs::copy(files.path("in.ll"), files.path(&name)).unwrap();
    let arguments = format!("{name} --opt ./opt --all");
    for (columns, width) in [(60, 60), (100, 100), (0, 120)] {
        let Some(sent) = on_terminal(&files, columns, &[], &arguments) else { return };
        assert!(sent.contains("\x1b["), "no colours: {sent:?}");
        let text = plain(&sent);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some(name.as_str()), "{text}");
        let rows: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        assert!(rows.len() >= 3, "{text}");
        assert!(
            rows.iter().all(|row| row.starts_with("  ") && row.chars().count() <= width),
            "{columns}: {text}"
        );
        assert!(rows.concat().contains("good(int)"), "{text}");
    }
    let Some(sent) = on_terminal(&files, 80, &[("NO_COLOR", "1")], &arguments) else { return };
    assert!(!sent.contains('\x1b'), "{sent:?}");
}
