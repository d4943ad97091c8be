//! The expectations of the corpus on pipelines: the transforms that *LLVM Loop Opt Ideas* asks for in its examples are
//! made, and are correct.

use crate::common::{Files, backedge};
use backedge_testkit::corpus::{Expectation, Expectations, LoopCounts, Optimized};
use backedge_testkit::every;
use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;

/// The difference between a loop of `module`, whose loops are printed in `loops`, and its expected instructions.
fn difference(expected: &LoopCounts, module: &str, loops: &str, function: &str) -> Option<String> {
    let header = format!("%{}<header>", expected.header);
    let of_function =
        loops.split("Loop info for function ").find(|l| l.starts_with(&format!("'{function}'")))?;
    let Some(line) = of_function.lines().find(|l| l.contains(&header)) else {
        return Some(format!("no loop {header} in\n{of_function}"));
    };
    let names = line.split_once(": ").map_or("", |(_, names)| names).split(',');
    let blocks: Vec<&str> = names.map(|n| n.split('<').next().unwrap_or(n).trim_start_matches('%')).collect();
    let start = module.find(&format!("@{function}("))?;
    let text = &module[start..start + module[start..].find("\n}")?];
    let mut inside = false;
    let mut opcodes = Vec::new();
    for line in text.lines().skip(1) {
        match line.strip_prefix("  ") {
            Some(inst) if inside => opcodes.extend(inst.split("= ").last().and_then(|i| i.split(' ').next())),
            Some(_) => {}
            None => inside = line.split_once(':').is_some_and(|(label, _)| blocks.contains(&label)),
        }
    }
    Some(format!("{} in\n{text}", expected.complaint(&opcodes)?))
}

/// Why the entry's expectation for `file` is not met, or its change is refuted.
fn complaint(file: &Path, expected: &Optimized) -> Option<String> {
    let Optimized { passes, function, remark, counts } = expected;
    let (name, out) = (file.display(), Files::new(&[]));
    let ll = out.path("out.ll").display().to_string();
    let answer = backedge(&format!("opt -passes={passes} --remarks {name} -S -o {ll}")).exits(0);
    let said = |l: &str| l.contains(&format!("@{function}: ")) && l.contains(remark);
    let Some(line) = answer.stderr.lines().find(|l| said(l)) else {
        return Some(format!("{name} {passes}: {remark}\n{}", answer.stderr));
    };
    if line.contains(": missed: ") {
        return None;
    }
    if let Some(counts) = counts {
        let loops = backedge(&format!("print loops {ll}")).exits(0);
        if let Some(other) = difference(counts, &out.read("out.ll"), &loops.stdout, function) {
            return Some(format!("{name} {passes}: {other}"));
        }
    }
    let json = out.path("out.json").display().to_string();
    // Proofs are left to the gate, and the solver to campaigns; here no run may show a difference.
    let solver = if every(2) > 1 { "--no-solver" } else { "--no-induction --bound 2 --max-bound 2" };
    let limits = format!("--jobs 1 {solver} --fuel 2000 --rlimit 500000 --max-inconclusive 1");
    backedge(&format!("gate {name} --passes {passes} --json {json} {limits}")).exits(0);
    let records = out.read("out.json");
    let of_function = |r: &Value| r["function"] == function.as_str() && r["kind"] == "validation";
    let mut records = records.lines().map(|l| serde_json::from_str::<Value>(l).expect("a record"));
    (!records.any(|r| of_function(&r))).then(|| format!("{name} {passes}: nothing was judged"))
}

#[test]
fn pipelines_do_to_the_corpus_what_is_expected_of_them() {
    let files = backedge_testkit::corpus_files();
    let all = files.iter().flat_map(|f| Expectations::of(f).optimized.into_iter().map(move |e| (f, e)));
    let all: Vec<_> = all.collect();
    assert!(all.len() >= 12, "{} expectations were found", all.len());
    let complaints: Vec<String> = all.par_iter().filter_map(|(file, e)| complaint(file, e)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
