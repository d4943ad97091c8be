//! Run time of the loop pipelines, as whole processes.
//!
//! For each file both sides run in direct succession, so that they see the same load; the best of several runs counts.
//! The start-up time is measured with an empty module and printed, but not subtracted. Files that either side rejects
//! or does not finish are skipped and listed.

use super::side::Optimizer;
use super::{Args, llvm_pipeline};
use crate::process;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The maximum number of listed files: the slowest ones.
const LISTED: usize = 10;

/// Prints the comparison; returns whether Backedge's total is not greater than LLVM's.
pub(crate) fn run(
    args: &Args,
    files: &[PathBuf],
    [ours, llvm]: &[Optimizer; 2],
    limit: Duration,
) -> Result<bool> {
    let pipeline = llvm_pipeline(true);
    let commands = |file: &Path| {
        let mine = ours.command(&args.passes, &["--disable-output"], file);
        [mine, llvm.command(&pipeline, &["-disable-output"], file)]
    };
    let dir = tempfile::tempdir()?;
    let empty = dir.path().join("empty.ll");
    fs::write(&empty, "")?;
    let start = process::best(&mut commands(&empty), args.repeats * 5, limit)?;
    let start = start.context("one of both refuses an empty module")?;
    let mut all = Vec::new();
    let mut left_out = 0;
    for file in files {
        match process::best(&mut commands(file), args.repeats, limit)? {
            Some(times) => all.push((file, times)),
            None => {
                left_out += 1;
                println!("left out: {}", file.display());
            }
        }
    }
    ensure!(!all.is_empty(), "there is no file that both take");
    let totals: [Duration; 2] = [0, 1].map(|side| all.iter().map(|(_, times)| times[side]).sum());
    let [mine, theirs] = totals.map(|t| t.as_secs_f64());
    println!(
        "whole processes, {} files ({left_out} left out): ours {mine:.2} s, LLVM {theirs:.2} s, ratio {:.2}",
        all.len(),
        mine / theirs.max(1e-9)
    );
    let milliseconds = |times: [Duration; 2]| times.map(|t| t.as_secs_f64() * 1e3);
    let [mine, theirs] = milliseconds(start);
    println!("  of that, to start each: ours {mine:.1} ms, LLVM {theirs:.1} ms");
    all.retain(|(_, [mine, theirs])| mine > theirs);
    all.sort_by_key(|(_, [mine, theirs])| std::cmp::Reverse(*mine - *theirs));
    println!("  files on which ours takes longer: {}", all.len());
    for (file, times) in all.into_iter().take(LISTED) {
        let [mine, theirs] = milliseconds(times);
        println!("    {}: {mine:.1} ms, LLVM {theirs:.1} ms", file.display());
    }
    Ok(totals[0] <= totals[1])
}
