//! The corpus' expectations on pipelines: what the loop notes ask for of their examples is done, and is right.

mod common;

use common::{Files, backedge};
use rayon::prelude::*;
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

/// Whether what the entry asks of `file` is done, and is not refuted.
fn complaint(file: &Path, expected: &Expected) -> Option<String> {
    let Expected { passes, function, remark } = expected;
    let (name, out) = (file.display(), Files::new(&[]));
    let answer = backedge(&format!("opt -passes={passes} --remarks --disable-output {name}")).exits(0);
    let said = |l: &str| l.contains(&format!("@{function}: ")) && l.contains(remark);
    let Some(line) = answer.stderr.lines().find(|l| said(l)) else {
        return Some(format!("{name} {passes}: {remark}\n{}", answer.stderr));
    };
    if line.contains(": missed: ") {
        return None;
    }
    let json = out.path("out.json").display().to_string();
    let limits = "--jobs 1 --bound 3 --rlimit 4000000 --max-inconclusive 1";
    backedge(&format!("gate {name} --passes {passes} --json {json} {limits}")).exits(0);
    let records = out.read("out.json");
    let of_function = |r: &Value| r["function"] == function.as_str() && r["kind"] == "validation";
    let mut records = records.lines().map(|l| serde_json::from_str::<Value>(l).expect("a record"));
    (!records.any(|r| of_function(&r))).then(|| format!("{name} {passes}: nothing was judged"))
}

#[test]
fn pipelines_do_to_the_corpus_what_is_expected_of_them() {
    let files = backedge_testkit::corpus_files();
    let all =
        files.iter().flat_map(|f| expectations(&f.with_extension("toml")).into_iter().map(move |e| (f, e)));
    let all: Vec<_> = all.collect();
    assert!(all.len() >= 12, "{} expectations were found", all.len());
    let complaints: Vec<String> = all.par_iter().filter_map(|(file, e)| complaint(file, e)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
