//! `ci/compare-reduce`: compares Backedge's reducer with LLVM's on the same files and the same test, by the number of
//! remaining instructions and the time.
//!
//! A test is a command that exits with 0 if a file is interesting. Alternatively, a file is interesting if
//! `backedge gate --opt` finds a fault of an optimizer on it by running code only. Files that are not interesting
//! initially are skipped. Both reducers run one after the other, with the same number of threads, on files in LLVM's
//! syntax.

use crate::files::collect;
use crate::process::{Ended, backedge, run};
use anyhow::{Context, Result, bail};
use backedge_ir::inst::InstKind;
use backedge_ir::parse::read_module;
use clap::Args as ClapArgs;
use comfy_table::{Table, presets};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Compare how small Backedge's and LLVM's reducers make files with the same test, and how long they take
#[derive(ClapArgs, Debug)]
#[command(after_help = "Example:
  ci/compare-reduce findings --opt 'opt-14 -opaque-pointers -passes=gvn,instcombine -S'

Exit codes: 0 ours leaves no more instructions anywhere, and takes no more time in all; 1 not so; 2 bad input.")]
pub(crate) struct Args {
    /// Files, and directories of which every .ll file is taken
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The test: a command that exits with 0 if its last argument is an interesting file
    #[arg(long, value_name = "COMMAND", required_unless_present = "opt")]
    test: Option<String>,
    /// An optimizer instead of a test: a file is interesting if the optimizer miscompiles it or crashes on it
    #[arg(long, value_name = "COMMAND", conflicts_with = "test")]
    opt: Option<String>,
    /// LLVM's reducer
    #[arg(long, value_name = "PROGRAM", default_value = "llvm-reduce-22")]
    llvm_reduce: String,
    /// Our executable; default: the one beside this program
    #[arg(long, value_name = "FILE")]
    backedge: Option<PathBuf>,
    /// Minimum number of instructions of a file
    #[arg(long, default_value_t = 60)]
    least: usize,
    /// Maximum number of instructions of a file
    #[arg(long, default_value_t = 300)]
    most: usize,
    /// Maximum number of files
    #[arg(long, default_value_t = 20)]
    count: usize,
    /// Threads of each reducer
    #[arg(long, default_value_t = 1)]
    jobs: u32,
    /// Time limit of a reducer for one file, in seconds
    #[arg(long, default_value_t = 600)]
    limit: u64,
}

/// The result of a reducer: the number of remaining instructions, or `None` if it failed, and the time.
struct Outcome {
    left: Option<usize>,
    time: Duration,
}

/// Runs the command; returns whether Backedge's results are nowhere larger, and its total time is not greater.
pub(crate) fn run_reduce(args: &Args) -> Result<bool> {
    let ours = backedge(args.backedge.as_deref())?;
    let dir = tempfile::tempdir()?;
    let script = dir.path().join("test.sh");
    fs::write(&script, text_of_test(args, &ours)?)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["file", "instructions", "ours", "LLVM's", "seconds", "LLVM's"]);
    let (mut taken, mut fine, mut times) = (0, true, [Duration::ZERO; 2]);
    for path in collect(&args.inputs)? {
        if taken == args.count {
            break;
        }
        let Some(before) = instructions(&path).filter(|n| (args.least..=args.most).contains(n)) else {
            continue;
        };
        if run(Command::new(&script).arg(&path), Duration::from_secs(60))? != Ended::Done {
            continue;
        }
        taken += 1;
        let jobs = args.jobs.to_string();
        let out = dir.path().join("out.ll");
        let one = reduced(
            Command::new(&ours).arg("reduce").arg(&path).arg("--test").arg(&script).args(["--jobs", &jobs]),
            &out,
            args,
        )?;
        let other = reduced(
            Command::new(&args.llvm_reduce)
                .arg(format!("--test={}", script.display()))
                .arg(format!("-j={jobs}"))
                .arg(&path),
            &out,
            args,
        )?;
        fine &= match (one.left, other.left) {
            (Some(ours), Some(theirs)) => ours <= theirs,
            (ours, _) => ours.is_some(),
        };
        times[0] += one.time;
        times[1] += other.time;
        let left = |o: &Outcome| o.left.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let seconds = |o: &Outcome| format!("{:.1}", o.time.as_secs_f64());
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        eprintln!("{name}: {before} -> {} / {}", left(&one), left(&other));
        table.add_row([name, before.to_string(), left(&one), left(&other), seconds(&one), seconds(&other)]);
    }
    if taken == 0 {
        bail!("none of the files has {} to {} instructions and is interesting", args.least, args.most);
    }
    println!("{table}");
    let [one, other] = times.map(|t| t.as_secs_f64());
    println!("{taken} files, {one:.1} s, LLVM's {other:.1} s");
    Ok(fine && times[0] <= times[1])
}

fn text_of_test(args: &Args, ours: &Path) -> Result<String> {
    let quoted =
        |text: &str| shlex::try_quote(text).map(|t| t.into_owned()).context("a word with a zero byte");
    let command = match (&args.test, &args.opt) {
        (Some(test), _) => format!("{test} \"$1\""),
        (None, Some(opt)) => {
            let ours = quoted(&ours.display().to_string())?;
            let opt = quoted(opt)?;
            format!(
                "{ours} gate \"$1\" --opt {opt} --no-solver --no-workers --jobs 1 --runs 200 --fuel 5000 --quiet >/dev/null 2>&1\n\
                 test $? = 1"
            )
        }
        (None, None) => bail!("there is no test"),
    };
    Ok(format!("#!/bin/sh\n{command}\n"))
}

fn reduced(command: &mut Command, out: &Path, args: &Args) -> Result<Outcome> {
    // Remove the output of an earlier run.
    let _ = fs::remove_file(out);
    let start = Instant::now();
    let ended = run(command.arg("-o").arg(out), Duration::from_secs(args.limit))?;
    let time = start.elapsed();
    let left = if ended == Ended::Time { None } else { instructions(out) };
    Ok(Outcome { left, time })
}

/// The number of instructions in the functions of a file.
fn instructions(path: &Path) -> Option<usize> {
    let module = read_module(&fs::read(path).ok()?).ok()?.module;
    let counts = |inst: &InstKind| !matches!(inst, InstKind::DebugRecord(_));
    Some(module.bodies().map(|(_, b)| b.all_insts().filter(|i| counts(&b.inst(*i).kind)).count()).sum())
}
