//! The passes to test: Backedge's, with one pipeline each, and LLVM's, with one test directory each.

use std::path::Path;

/// Backedge's transforms, one by one.
pub(crate) const OURS: [&str; 30] = [
    "loop-simplify",
    "lcssa",
    "loop-rotate",
    "loop-mssa(licm)",
    "loop-mssa(lnicm)",
    "indvars",
    "loop-mssa(simple-loop-unswitch<nontrivial>)",
    "loop-peel",
    "loop-peel<count=2>",
    "loop-peel<last>",
    "loop-unroll-full",
    "loop-unroll<runtime;partial>",
    "loop-unroll<runtime;count=4;allow-expensive-trip-count;threshold=100000>",
    "loop-unroll<runtime;count=3;rest=prologue>",
    "iteration-set-split",
    "iteration-set-split<multiple=4>",
    "early-exit-inversion",
    "bound-restriction",
    "loop-deletion",
    "loop-idiom",
    "loop-instsimplify",
    "loop-simplifycfg",
    "instsimplify",
    "early-cse",
    "simplifycfg",
    "dce",
    "simple-loop-unswitch",
    "loop-unroll",
    "loop-vectorize<force-vector-width=4>",
    "vplan-roundtrip",
];

/// LLVM's passes on programs.
pub(crate) const REAL: [&str; 12] = [
    "licm",
    "indvars",
    "loop-rotate",
    "simple-loop-unswitch",
    "loop-deletion",
    "loop-idiom",
    "loop-unroll<O3>",
    "gvn",
    "early-cse",
    "dse",
    "sroa",
    "instcombine",
];

/// A directory of LLVM's transform tests, and the pass under test as a pipeline.
pub(crate) struct Directory {
    pub(crate) name: &'static str,
    pub(crate) pipeline: &'static str,
}

const fn directory(name: &'static str, pipeline: &'static str) -> Directory {
    Directory { name, pipeline }
}

/// The directories of the loop passes.
pub(crate) const LLVM: [Directory; 20] = [
    directory("LoopRotate", "loop-rotate"),
    directory("IRCE", "irce"),
    directory("LICM", "licm"),
    directory("IndVarSimplify", "indvars"),
    directory("LoopUnroll", "loop-unroll"),
    directory("SimpleLoopUnswitch", "simple-loop-unswitch<nontrivial>"),
    directory("LoopDeletion", "loop-deletion"),
    directory("LoopIdiom", "loop-idiom"),
    directory("LCSSA", "lcssa"),
    directory("LoopSimplify", "loop-simplify"),
    directory("LoopSimplifyCFG", "loop-simplifycfg"),
    directory("LoopInstSimplify", "loop-instsimplify"),
    directory("LoopBoundSplit", "loop-bound-split"),
    directory("LoopPredication", "loop-predication"),
    directory("LoopLoadElim", "loop-load-elim"),
    directory("LoopFlatten", "loop-flatten"),
    directory("LoopFusion", "loop-fusion"),
    directory("LoopInterchange", "loop-interchange"),
    directory("LoopStrengthReduce", "loop-reduce"),
    directory("LoopVectorize", "loop-vectorize"),
];

/// Options of a `RUN:` line that matter only to its test, and those with an argument.
const DROPPED: [&str; 4] = ["-S", "-disable-output", "--disable-output", "-verify-memoryssa"];
const DROPPED_WITH_NEXT: [&str; 2] = ["-o", "--o"];

impl Directory {
    /// The arguments of `opt` for a test: those of its first `RUN:` line that runs the pass, without options for files
    /// and output. If no line is usable, the directory's pipeline.
    pub(crate) fn arguments(&self, test: &str) -> Vec<String> {
        let pass = self.pipeline.split('<').next().unwrap_or_default();
        run_lines(test).iter().find_map(|line| arguments(line, pass)).unwrap_or_else(|| self.plain())
    }

    /// Only the pass.
    pub(crate) fn plain(&self) -> Vec<String> {
        vec![format!("-passes={}", self.pipeline)]
    }
}

/// The test directory that contains `file`.
pub(crate) fn directory_of(file: &Path) -> Option<&'static Directory> {
    let mut parts = file.components().rev().filter_map(|c| c.as_os_str().to_str());
    parts.find_map(|part| LLVM.iter().find(|d| d.name == part))
}

/// The commands of a test's `RUN:` lines, with continuation lines joined.
fn run_lines(test: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = String::new();
    for line in test.lines() {
        let Some((_, words)) = line.split_once("RUN:") else { continue };
        match words.trim().strip_suffix('\\') {
            Some(begin) => current += begin,
            None => lines.push(std::mem::take(&mut current) + words.trim()),
        }
    }
    lines
}

fn arguments(line: &str, pass: &str) -> Option<Vec<String>> {
    let command = line.split('|').next()?;
    let command = command.replace("2>&1", " ").replace("< %s", " ").replace("<%s", " ").replace("%s", " ");
    let words = shlex::split(&command)?;
    let (program, rest) = words.split_first()?;
    if program != "opt" {
        return None;
    }
    let mut kept = Vec::new();
    let mut rest = rest.iter();
    let mut runs = false;
    while let Some(word) = rest.next() {
        if DROPPED_WITH_NEXT.contains(&&**word) {
            rest.next();
        } else if word.contains('%') || word.contains('>') && !word.contains("passes=") {
            // A file other than the test, or a redirection.
            return None;
        } else if word.trim_start_matches('-').starts_with("debug") {
            // Builds without assertions reject it.
            return None;
        } else if !DROPPED.contains(&&**word) {
            runs |= word.trim_start_matches('-').starts_with("passes=") && word.contains(pass);
            kept.push(word.clone());
        }
    }
    runs.then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, test: &str) -> Vec<String> {
        LLVM.iter().find(|d| d.name == name).unwrap().arguments(test)
    }

    #[test]
    fn the_arguments_are_those_of_the_first_line_that_runs_the_pass() {
        let test = "; RUN: not opt -passes=irce %s\n; RUN: opt < %s -passes=loop-simplify -S | FileCheck %s\n\
            ; RUN: opt -verify-loop-info \\\n; RUN:   -passes='require<branch-prob>,irce' -S < %s 2>&1 | FileCheck %s\n";
        assert_eq!(of("IRCE", test), ["-verify-loop-info", "-passes=require<branch-prob>,irce"]);
        assert_eq!(of("LICM", test), ["-passes=licm"]);
        assert_eq!(
            of("LoopUnroll", "; RUN: opt %s -o - -S -passes=loop-unroll -unroll-count=3"),
            ["-passes=loop-unroll", "-unroll-count=3"]
        );
    }

    #[test]
    fn lines_with_other_files_are_left_out() {
        for line in [
            "; RUN: opt -passes=licm -pass-remarks-output=%t %s",
            "; RUN: opt -passes=licm -debug-only=licm %s",
            "; RUN: opt -passes=licm %s > /dev/null",
            "; RUN: opt -passes='licm",
        ] {
            assert_eq!(of("LICM", line), ["-passes=licm"], "{line}");
        }
    }

    #[test]
    fn a_file_is_of_the_innermost_directory_that_is_known() {
        let of = |path: &str| directory_of(Path::new(path)).map(|d| d.name);
        assert_eq!(of("x/Transforms/LICM/more/a.ll"), Some("LICM"));
        assert_eq!(of("x/Analysis/a.ll"), None);
    }
}
