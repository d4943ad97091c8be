//! Parsing, verifying and printing in separate processes, checked against the performance goals: on one module of 20 MB
//! at least as fast as `llvm-as` and `llvm-dis` in the same run, linear in the text, peak memory below 20 times the
//! size of the text.
//!
//! `cargo bench -p backedge-ir --bench whole` prints the figures and fails if a goal is missed. Each of our runs is a
//! separate process, which reports its peak memory; this requires Linux. Without LLVM the comparison is skipped.

mod common;

use backedge_ir::parse::read_module;
use backedge_ir::print::module_to_string;
use backedge_testkit::peer;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Bytes in one MB, the unit of the report.
const MB: usize = 1 << 20;
/// Sizes of the text in MB; the comparison with LLVM uses 20.
const SIZES: [usize; 4] = [5, 10, 20, 40];
/// Runs of each program on one text; the best time counts, which other load on the machine disturbs least.
const RUNS: usize = 3;
/// The environment variable that names the file for a child process.
const TASK: &str = "BACKEDGE_BENCH_TASK";

fn main() -> ExitCode {
    if let Some(path) = std::env::var_os(TASK) {
        return task(Path::new(&path));
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut missed = Vec::new();
    let mut per_mb = Vec::new();
    println!("size of text | our time | per MB | peak memory | times the text");
    for size in SIZES {
        let text = common::text(size * MB);
        let path = dir.path().join(format!("{size}.ll"));
        std::fs::write(&path, &text).expect("a temporary file");
        let (time, peak) = ours(&path);
        let ratio = peak as f64 / text.len() as f64;
        let rate = time.as_secs_f64() / (text.len() as f64 / MB as f64);
        println!("{size} MB | {time:.2?} | {:.1} ms | {} MB | {ratio:.1}", rate * 1e3, peak / MB as u64);
        per_mb.push(rate);
        if ratio >= 20.0 {
            missed.push(format!("{size} MB take {ratio:.1} times their size of memory"));
        }
        if size == 20 {
            missed.extend(against_llvm(&path, time));
        }
    }
    let spread = per_mb[SIZES.len() - 1] / per_mb[0];
    println!("per MB the largest takes {spread:.2} times as long as the smallest");
    if spread > 1.5 {
        missed.push(format!("not linear: {spread:.2} times as long per MB"));
    }
    for miss in &missed {
        println!("MISSED: {miss}");
    }
    if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Parses, verifies and prints; reports the peak memory in bytes.
fn task(path: &Path) -> ExitCode {
    let source = std::fs::read(path).expect("the text");
    let module = read_module(&source).expect("a right module").module;
    std::fs::write("/dev/null", module_to_string(&module)).expect("/dev/null");
    let status = std::fs::read_to_string("/proc/self/status").expect("the state of this process");
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("the peak");
    let kb: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    println!("{}", kb * 1024);
    ExitCode::SUCCESS
}

/// The best time of our child processes, and the largest peak memory in bytes.
fn ours(path: &Path) -> (Duration, u64) {
    let program = std::env::current_exe().expect("this program");
    let (mut best, mut peak) = (Duration::MAX, 0);
    for _ in 0..RUNS {
        let start = Instant::now();
        let output = Command::new(&program).env(TASK, path).output().expect("a process of ours");
        best = best.min(start.elapsed());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        peak = peak.max(String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number"));
    }
    (best, peak)
}

/// Compares with `llvm-as` and `llvm-dis`; returns the missed goal.
fn against_llvm(path: &Path, ours: Duration) -> Option<String> {
    let what = "llvm-as and llvm-dis on the same text";
    let (llvm_as, llvm_dis) = (peer("llvm-as", what)?, peer("llvm-dis", what)?);
    let text = path.to_str().expect("a path of text");
    let code = format!("{text}.bc");
    let limit = Duration::from_secs(120);
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        for (tool, args) in [(&llvm_as, [text, "-o", &code]), (&llvm_dis, [&*code, "-o", "/dev/null"])] {
            let answer = tool.run_for(&args, b"", limit);
            assert!(answer.ok(), "{}", answer.stderr);
        }
        best = best.min(start.elapsed());
    }
    let ratio = best.as_secs_f64() / ours.as_secs_f64();
    println!("llvm-as and llvm-dis: {best:.2?}, {ratio:.2} times our time");
    (ratio < 1.0).then(|| format!("LLVM is faster: {best:.2?} against {ours:.2?}"))
}
