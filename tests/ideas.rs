//! The corpus' expectations on pipelines: what the loop notes ask for of their examples is done, and is right.

mod common;

use common::{Files, backedge};
use serde_json::Value;
use std::path::Path;

/// What an `[[optimized]]` entry expects.
struct Expected {
    passes: String,
    function: String,
    remark: String,
}

fn expectations(toml: &Path) -> Vec<Expected> {
    let Ok(text) = std::fs::read_to_string(toml) else { return Vec::new() };
    let table: toml::Table = text.parse().unwrap_or_else(|e| panic!("{}: {e}", toml.display()));
    let entries = table.get("optimized").and_then(|p| p.as_array()).cloned().unwrap_or_default();
    let text = |entry: &toml::Value, key: &str| entry[key].as_str().expect(key).to_owned();
    let expected = |entry: &toml::Value| Expected {
        passes: text(entry, "passes"),
        function: text(entry, "function"),
        remark: text(entry, "remark"),
    };
    entries.iter().map(expected).collect()
}

#[test]
fn pipelines_do_to_the_corpus_what_is_expected_of_them() {
    let out = Files::new(&[]);
    let json = out.path("out.json").display().to_string();
    let mut checked = 0;
    for file in backedge_testkit::corpus_files() {
        let name = file.display().to_string();
        for expected in expectations(&file.with_extension("toml")) {
            checked += 1;
            let Expected { passes, function, remark } = expected;
            let answer =
                backedge(&format!("opt -passes={passes} --remarks --disable-output {name}")).exits(0);
            let said = |l: &str| l.contains(&format!("@{function}: ")) && l.contains(&remark);
            let line = answer.stderr.lines().find(|l| said(l));
            let Some(line) = line else { panic!("{name} {passes}: {remark}\n{}", answer.stderr) };
            if line.contains(": missed: ") {
                continue;
            }
            let limits = "--bound 3 --rlimit 4000000 --max-inconclusive 1";
            backedge(&format!("gate {name} --passes {passes} --json {json} {limits}")).exits(0);
            let records = out.read("out.json");
            let of_function = |r: &Value| r["function"] == function.as_str() && r["kind"] == "validation";
            let records = records.lines().map(|l| serde_json::from_str::<Value>(l).expect("a record"));
            assert!(records.filter(of_function).count() > 0, "{name} {passes}: nothing was judged");
        }
    }
    assert!(checked >= 12, "{checked} expectations were found");
}
