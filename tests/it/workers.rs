//! The records of a batch do not depend on the worker, the number of workers, or the load of the machine.

#![cfg(unix)]

use crate::common::{Files, run_for};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(600);
/// About twenty changes, most of which need the solver.
const BATCH: &str = "gate corpus/exits corpus/infinite corpus/irreducible --bound 1 --runs 100 --fuel 500 --rlimit 500000 --no-induction --max-inconclusive 1";

fn checkout() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The records in `text` without times, including the summary.
fn records(text: &str) -> Vec<Value> {
    let mut records: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    for record in &mut records {
        record.as_object_mut().unwrap().remove("time_ms");
    }
    records
}

/// The records of the batch with further `flags`.
fn batch(flags: &str) -> Vec<Value> {
    let line = format!("{BATCH} {flags} --json -");
    let args: Vec<&str> = line.split_whitespace().collect();
    records(&run_for(&args, b"", checkout(), LIMIT).exits(0).stdout)
}

/// Kills the process at the end of the test, passed or not.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn records_do_not_depend_on_who_judges_nor_on_the_load() {
    let alone = batch("--jobs 1 --no-workers");
    assert!(alone.len() > 15, "{} records", alone.len());
    assert_eq!(batch("--jobs 4"), alone);
    assert_eq!(batch("--jobs 4 --no-workers"), alone);
    let hogs: Vec<Ended> = (0..std::thread::available_parallelism().map_or(4, usize::from) + 2)
        .map(|_| Ended(Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap()))
        .collect();
    assert_eq!(batch("--jobs 1"), alone);
    drop(hogs);
}

/// The processes whose parent is `parent`.
fn children(parent: u32) -> BTreeSet<u32> {
    let all = std::fs::read_dir("/proc").unwrap().filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        after_name.split_whitespace().nth(1) == Some(&parent.to_string())
    };
    all.filter(is_child).collect()
}

fn signal(name: &str, pid: u32) {
    // It may have ended already.
    let _ = Command::new("kill").args([name, &pid.to_string()]).stderr(Stdio::null()).status();
}

#[cfg(target_os = "linux")]
#[test]
fn killed_workers_are_replaced() {
    let expected = batch("--jobs 2");
    let files = Files::new(&[]);
    let out = std::fs::File::create(files.path("out.json")).unwrap();
    let line = format!("{BATCH} --jobs 2 --json -");
    let child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(line.split_whitespace())
        .env_remove("BACKEDGE_CACHE")
        .current_dir(checkout())
        .stdout(out)
        .spawn()
        .unwrap();
    let mut child = Ended(child);
    let (mut killed, start) = (0, Instant::now());
    while child.0.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < LIMIT);
        // One at a time, and rarely enough that no pair loses two workers.
        if let Some(pid) = children(child.0.id()).into_iter().next().filter(|_| killed < 3) {
            signal(["-KILL", "-SEGV", "-TERM"][killed], pid);
            killed += 1;
        }
        std::thread::sleep(Duration::from_millis(700));
    }
    assert!(killed > 0, "there was no worker to be killed");
    assert_eq!(records(&files.read("out.json")), expected);
}

#[cfg(target_os = "linux")]
#[test]
fn workers_end_with_the_process_that_they_work_for() {
    // With `--self`, a function is not decided by being identical to itself.
    let hard = "tv corpus/c/matrix-transpose-o1.ll corpus/c/matrix-transpose-o1.ll --self --no-induction --bound 64 --min-bound 64 \
                --rlimit 4000000000 --timeout 600";
    let child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(hard.split_whitespace())
        .current_dir(checkout())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut child = Ended(child);
    let start = Instant::now();
    let workers = loop {
        let workers = children(child.0.id());
        if !workers.is_empty() {
            break workers;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "no worker was started");
        assert!(child.0.try_wait().unwrap().is_none(), "it was done without a worker");
        std::thread::sleep(Duration::from_millis(50));
    };
    std::thread::sleep(Duration::from_secs(1));
    signal("-KILL", child.0.id());
    child.0.wait().unwrap();
    let start = Instant::now();
    while workers.iter().any(|pid| Path::new(&format!("/proc/{pid}/exe")).exists()) {
        assert!(start.elapsed() < Duration::from_secs(20), "a worker lives on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// With little address space the work may be left undone, but no result is wrong; afterwards everything works again.
#[cfg(target_os = "linux")]
#[test]
fn a_gigabyte_is_enough_to_say_nothing_wrong() {
    let expected = batch("--jobs 2");
    for kilobytes in [1_048_576, 400_000] {
        let answer = Command::new("sh")
            .arg("-c")
            .arg(format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\""))
            .arg(env!("CARGO_BIN_EXE_backedge"))
            .args(format!("{BATCH} --jobs 2 --json -").split_whitespace())
            .env_remove("BACKEDGE_CACHE")
            .current_dir(checkout())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&answer.stderr);
        let stdout = String::from_utf8_lossy(&answer.stdout);
        if stdout.is_empty() {
            assert!(!answer.status.success() && !stderr.is_empty(), "{answer:?}");
            continue;
        }
        let got = records(&stdout);
        assert_eq!(got.len(), expected.len());
        for (got, expected) in got.iter().zip(&expected) {
            let kind = |record: &Value| record["verdict"]["kind"].as_str().unwrap_or_default().to_owned();
            let open = ["inconclusive", "internal-error"].contains(&kind(got).as_str());
            // If memory does not suffice for a proof, a bounded result is still true.
            let weaker = kind(expected) == "refines-all" && kind(got) == "refines-up-to";
            assert!(open || weaker || kind(got) == kind(expected), "{got}\nin place of\n{expected}");
        }
    }
}
