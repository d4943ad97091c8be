//! Run time of the analysis: whole processes compared with LLVM's, and each function compared with its share of
//! instructions.
//!
//! Whole processes are `backedge print scev FILE` and `opt -passes='print<scalar-evolution>' -disable-output FILE`. For
//! each file they run in direct succession, so that both see the same load; the best of several runs counts. The
//! start-up time is measured with an empty module and printed, but not subtracted. Files that either side rejects are
//! skipped.
//!
//! The share of time of a function is compared with its share of instructions, over all functions of all files.
//! Functions below a minimum time are too short to measure; they are excluded from this comparison, but not from the
//! sums.

use super::Args;
use crate::process;
use anyhow::{Context, Result, ensure};
use backedge_claim::text::PrintOptions;
use backedge_ir::module::Module;
use backedge_scev::print::scev_to_string;
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The maximum ratio between a function's share of time and its share of instructions.
const MOST: f64 = 20.0;
/// The maximum number of listed functions and files.
const LISTED: usize = 10;

/// Prints the comparison; returns whether Backedge's total is not greater and no function exceeds the ratio [`MOST`].
pub(crate) fn run(args: &Args, files: &[PathBuf]) -> Result<bool> {
    let processes = Processes::measure(args, files)?;
    let functions = Functions::measure(args, files)?;
    print!("{}{}", processes.render(), functions.render(args));
    Ok(processes.ours() <= processes.llvms() && functions.worst(args).all(|f| f.times <= MOST))
}

/// The times of both analyses as processes.
struct Processes {
    /// For an empty module: Backedge's, LLVM's.
    start: [Duration; 2],
    files: Vec<(PathBuf, [Duration; 2])>,
    left_out: usize,
}

impl Processes {
    fn measure(args: &Args, files: &[PathBuf]) -> Result<Self> {
        let ours = process::backedge(args.backedge.as_deref())?;
        let limit = Duration::from_secs(args.timeout);
        let commands = |file: &Path| {
            let mut mine = Command::new(&ours);
            mine.args(["print", "scev"]).arg(file);
            let mut llvm = Command::new(&args.opt);
            llvm.args(["-passes=print<scalar-evolution>", "-disable-output"]).arg(file);
            [mine, llvm]
        };
        let empty = std::env::temp_dir().join(format!("backedge-compare-{}.ll", std::process::id()));
        fs::write(&empty, "")?;
        let start = process::best(&mut commands(&empty), args.repeats * 5, limit);
        fs::remove_file(&empty)?;
        let start = start?.context("one of both refuses an empty module")?;
        let mut all = Self { start, files: Vec::new(), left_out: 0 };
        for file in files {
            match process::best(&mut commands(file), args.repeats, limit)? {
                Some(times) => all.files.push((file.clone(), times)),
                None => all.left_out += 1,
            }
        }
        ensure!(!all.files.is_empty(), "there is no file that both take");
        Ok(all)
    }
    fn ours(&self) -> Duration {
        self.files.iter().map(|f| f.1[0]).sum()
    }
    fn llvms(&self) -> Duration {
        self.files.iter().map(|f| f.1[1]).sum()
    }
    fn render(&self) -> String {
        let mut out = String::new();
        let ratio = |[a, b]: [Duration; 2]| a.as_secs_f64() / b.as_secs_f64().max(1e-9);
        let totals = [self.ours(), self.llvms()];
        let count = self.files.len() as u32;
        _ = writeln!(
            out,
            "whole processes, {count} files ({} left out): ours {:.2} s, LLVM {:.2} s, ratio {:.2}",
            self.left_out,
            totals[0].as_secs_f64(),
            totals[1].as_secs_f64(),
            ratio(totals)
        );
        let start = self.start.map(|t| t.as_secs_f64() * 1e3);
        _ = writeln!(out, "  of that, to start each: ours {:.1} ms, LLVM {:.1} ms", start[0], start[1]);
        let mut slow: Vec<_> = self.files.iter().filter(|f| f.1[0] > f.1[1]).collect();
        slow.sort_by(|a, b| (b.1[0] - b.1[1]).cmp(&(a.1[0] - a.1[1])));
        _ = writeln!(out, "  files on which ours takes longer: {}", slow.len());
        for (file, times) in slow.into_iter().take(LISTED) {
            let [ours, llvm] = times.map(|t| t.as_secs_f64() * 1e3);
            _ = writeln!(out, "    {}: {ours:.1} ms, LLVM {llvm:.1} ms", file.display());
        }
        out
    }
}

/// The times of Backedge's analysis of each function.
struct Functions {
    all: Vec<Function>,
    time: Duration,
    insts: usize,
}

struct Function {
    place: String,
    insts: usize,
    time: Duration,
}

/// A function with the ratio of its share of time to its share of instructions.
struct Share<'f> {
    function: &'f Function,
    times: f64,
}

impl Functions {
    fn measure(args: &Args, files: &[PathBuf]) -> Result<Self> {
        let mut all = Vec::new();
        for file in files {
            let text = fs::read(file).context("can't be read")?;
            if let Ok(parsed) = backedge_ir::parse::parse_module(&text) {
                all.extend(measure_module(args, file, &parsed.module));
            }
        }
        let time = all.iter().map(|f| f.time).sum();
        let insts = all.iter().map(|f| f.insts).sum();
        ensure!(insts > 0, "there is no instruction");
        Ok(Self { all, time, insts })
    }
    /// Functions that take at least the minimum time.
    fn worst(&self, args: &Args) -> impl Iterator<Item = Share<'_>> {
        let floor = Duration::from_micros(args.floor);
        let per_inst = self.time.as_secs_f64() / self.insts as f64;
        self.all.iter().filter(move |f| f.time >= floor).map(move |function| Share {
            function,
            times: function.time.as_secs_f64() / (per_inst * function.insts.max(1) as f64),
        })
    }
    fn render(&self, args: &Args) -> String {
        let mut out = String::new();
        let mut worst: Vec<_> = self.worst(args).collect();
        worst.sort_by(|a, b| b.times.total_cmp(&a.times));
        _ = writeln!(
            out,
            "{} functions, {} instructions, {:.3} s; {} take {} us or more, {} of them more than {MOST} times their share",
            self.all.len(),
            self.insts,
            self.time.as_secs_f64(),
            worst.len(),
            args.floor,
            worst.iter().filter(|f| f.times > MOST).count()
        );
        for share in worst.into_iter().take(LISTED) {
            let Function { place, insts, time } = share.function;
            _ = writeln!(
                out,
                "  {:6.1} times: {place}: {insts} instructions, {:.2} ms",
                share.times,
                time.as_secs_f64() * 1e3
            );
        }
        out
    }
}

fn measure_module(args: &Args, file: &Path, module: &Module) -> Vec<Function> {
    let measure = |(func, body)| {
        let mut best = Duration::MAX;
        for _ in 0..args.repeats {
            let began = Instant::now();
            black_box(scev_to_string(&module.env, func, body, PrintOptions::default()));
            best = best.min(began.elapsed());
        }
        let body: &backedge_ir::body::Body = body;
        Function {
            place: format!("{} @{}", file.display(), module.env.funcs[func].name),
            insts: body.all_insts().count(),
            time: best,
        }
    };
    module.bodies().map(measure).collect()
}
