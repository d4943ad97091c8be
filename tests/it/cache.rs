//! The cache: its results equal those without it, whatever happens to its file.

#![cfg(unix)]

use crate::common::{Answer, Files, PAIRS, run};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Pairs of all kinds: decided by runs and by the solver, right and wrong, with loops, and one that is too hard.
const MORE: &str = "
define i64 @src_rare(i64 noundef %x) {
  ret i64 0
}

define i64 @tgt_rare(i64 noundef %x) {
  %a = add i64 %x, 123456789012345
  %b = xor i64 %a, 987654321
  %c = icmp eq i64 %b, 5
  %r = zext i1 %c to i64
  ret i64 %r
}

define i64 @src_hard(i64 %x, i64 %y) {
  %q = udiv i64 %x, %y
  %p = mul i64 %q, %y
  %r = sub i64 %x, %p
  ret i64 %r
}

define i64 @tgt_hard(i64 %x, i64 %y) {
  %r = urem i64 %x, %y
  ret i64 %r
}

define i32 @src_loop(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %odd
odd:
  %far = icmp eq i32 %i, 1000
  br i1 %far, label %never, label %exit
never:
  ret i32 -1
exit:
  ret i32 %i.next
}

define i32 @tgt_loop(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 1, %i
  %c = icmp ugt i32 %n, %i.next
  br i1 %c, label %loop, label %odd
odd:
  %far = icmp eq i32 %i, 1000
  br i1 %far, label %never, label %exit
never:
  ret i32 -1
exit:
  ret i32 %i.next
}
";

const TV: &str = "tv pairs.ll --no-induction --rlimit 20000 --runs 50 --json out.json";

fn pairs() -> Files {
    Files::new(&[("pairs.ll", format!("{PAIRS}{MORE}").as_bytes())])
}

/// The records of the file without times, and the number that came from the cache.
fn records(files: &Files) -> (Vec<Value>, usize) {
    let text = files.read("out.json");
    let mut records: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    records.pop();
    let mut cached = 0;
    for record in &mut records {
        let record = record.as_object_mut().unwrap();
        record.remove("time_ms");
        cached += usize::from(record.remove("cached") == Some(Value::Bool(true)));
    }
    (records, cached)
}

/// Runs the pairs with `flags`: the records, the number that came from the cache, and the answer.
fn check(files: &Files, flags: &str) -> (Vec<Value>, usize, Answer) {
    let answer = files.backedge(&format!("{TV} {flags}")).exits(1);
    let (records, cached) = records(files);
    (records, cached, answer)
}

fn store(files: &Files) -> std::path::PathBuf {
    files.path("cache/verdicts.sqlite")
}

#[test]
fn what_is_found_again_is_what_was_found() {
    let files = pairs();
    let (expected, cached, _) = check(&files, "");
    let kinds: Vec<&str> = expected.iter().map(|r| r["verdict"]["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["refines-all", "refuted", "refuted", "inconclusive", "refines-up-to"]);
    assert_eq!((expected[1]["verdict"]["found_by"].as_str(), cached), (Some("runs"), 0));
    assert_eq!(expected[2]["verdict"]["found_by"], "solver");
    let (first, cached, _) = check(&files, "--cache cache");
    assert_eq!((&first, cached), (&expected, 0));
    for flags in ["--cache cache", "--cache cache --cache-read-only", "--cache cache --no-workers"] {
        let (again, cached, answer) = check(&files, flags);
        assert_eq!((&again, cached), (&expected, 5), "{flags}");
        assert!(answer.stdout.contains("5 judged (5 from the cache)"), "{}", answer.stdout);
        assert!(
            answer
                .stdout
                .contains("refuted: value mismatch (found by the bounded check, replayed) (from the cache)"),
            "{}",
            answer.stdout
        );
        assert_eq!(answer.stderr, "");
    }
    assert_eq!(check(&files, "").1, 0);
    files.backedge(&format!("{TV} --cache cache --no-cache")).exits(2);
    files.backedge(&format!("{TV} --cache-read-only")).exits(2).says("needs a cache");
}

#[test]
fn the_variable_names_the_directory_and_a_flag_takes_it_back() {
    let files = pairs();
    let with_variable = |flags: &str| {
        let line = format!("{TV} {flags}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_backedge"));
        command.args(line.split_whitespace()).env("BACKEDGE_CACHE", "cache").current_dir(files.dir());
        assert_eq!(command.stdout(Stdio::null()).status().unwrap().code(), Some(1));
        records(&files).1
    };
    assert_eq!(with_variable("--no-cache"), 0);
    assert!(!store(&files).exists());
    assert_eq!((with_variable(""), with_variable("")), (0, 5));
}

#[test]
fn what_was_given_up_is_tried_again_with_more() {
    let files = pairs();
    check(&files, "--cache cache");
    let run = |rlimit: &str| {
        files
            .backedge(&format!(
                "tv pairs.ll --no-induction --runs 50 --json out.json --cache cache --rlimit {rlimit}"
            ))
            .exits(1);
        records(&files).1
    };
    // Three are decided for every budget; the bounded and the hard one only for their budget.
    assert_eq!(run("10000"), 5);
    assert_eq!(run("30000"), 3);
    assert_eq!(run("30000"), 5);
    let other = files.backedge(&format!("{TV} --bound 3 --cache cache")).exits(1);
    assert_eq!(records(&files).1, 0, "{}", other.stdout);
}

#[test]
fn names_of_locals_are_those_of_the_pair_at_hand() {
    let files = pairs();
    check(&files, "--cache cache");
    let renamed = files.read("pairs.ll").replace("%never", "%rarely").replace("never:", "rarely:");
    let renamed = renamed.replace("%x", "%argument").replace("%i", "%counter");
    std::fs::write(files.path("pairs.ll"), renamed).unwrap();
    let (cached_records, cached, _) = check(&files, "--cache cache");
    assert_eq!(cached, 5);
    let (expected, ..) = check(&files, "");
    assert_eq!(cached_records, expected);
    assert!(expected[4]["verdict"].to_string().contains("%rarely"), "{}", expected[4]);
    assert!(expected[2]["verdict"].to_string().contains("%argument"), "{}", expected[2]);
}

/// Flipping or cutting off bytes anywhere in the file gives no wrong verdict and no other exit code.
#[test]
fn damage_changes_no_verdict() {
    let files = pairs();
    let (expected, ..) = check(&files, "--cache cache");
    let whole = std::fs::read(store(&files)).unwrap();
    assert!(whole.len() > 4096, "{} bytes", whole.len());
    let mut found = [0; 6];
    let mut damaged: Vec<Vec<u8>> = Vec::new();
    for at in (0..whole.len()).step_by(whole.len() / 12).chain([0, 16, 18, 28, 63, 71, 100]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        damaged.push(bytes);
    }
    damaged.extend([0, 1, 100, 4096, whole.len() / 2, whole.len() - 1].map(|n| whole[..n].to_vec()));
    damaged.push(b"not a database at all, but long enough to be looked at".repeat(100));
    damaged.push(vec![0; whole.len()]);
    for bytes in damaged {
        let _ = std::fs::remove_dir_all(files.path("cache"));
        std::fs::create_dir(files.path("cache")).unwrap();
        std::fs::write(store(&files), &bytes).unwrap();
        for flags in ["--cache cache --cache-read-only", "--cache cache"] {
            let (records, cached, answer) = check(&files, flags);
            assert_eq!(records, expected, "{}", answer.stderr);
            assert!(!answer.stderr.contains("panicked"), "{}", answer.stderr);
            found[cached] += 1;
        }
        // Later runs continue with a cache (a new one if necessary) or with a warning.
        check(&files, "--cache cache");
        let (records, cached, answer) = check(&files, "--cache cache");
        assert_eq!(records, expected);
        assert!(cached == 5 || answer.stderr.contains("warning: "), "{cached} {}", answer.stderr);
    }
    // Some damage is detected, and some bytes of the file do not matter.
    assert!(found[0] > 0 && found[5] > 0, "{found:?}");
}

#[test]
fn a_store_of_another_kind_is_left_alone() {
    let files = pairs();
    let (expected, ..) = check(&files, "--cache cache");
    let mut bytes = std::fs::read(store(&files)).unwrap();
    // The version is at byte 60 of the header, the application id at byte 68.
    // A later version has the high bit of that byte, which no version has yet.
    for (at, message) in [(63, "version"), (71, "another program")] {
        bytes[at] ^= 128;
        std::fs::write(store(&files), &bytes).unwrap();
        let (records, cached, answer) = check(&files, "--cache cache");
        assert_eq!((&records, cached), (&expected, 0));
        answer.says("is not used").says(message);
        assert_eq!(std::fs::read(store(&files)).unwrap(), bytes);
        bytes[at] ^= 128;
    }
    let (records, cached, answer) = check(&files, "--cache pairs.ll");
    assert_eq!((&records, cached), (&expected, 0));
    answer.says("is not used");
    let (records, cached, answer) = check(&files, "--cache nowhere --cache-read-only");
    assert_eq!((&records, cached), (&expected, 0));
    answer.says("is not used");
    assert!(!files.path("nowhere").exists());
}

/// The file size is limited to a size that the store soon exceeds.
#[test]
fn a_full_disk_ends_the_keeping_of_verdicts_and_nothing_else() {
    let files = pairs();
    let (expected, ..) = check(&files, "");
    for blocks in [0, 1, 4, 9, 20, 40, 64, 100] {
        let _ = std::fs::remove_dir_all(files.path("cache"));
        let answer = Command::new("sh")
            .arg("-c")
            .arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""))
            .arg(env!("CARGO_BIN_EXE_backedge"))
            .args("tv pairs.ll --no-induction --rlimit 20000 --runs 50 --json - --cache cache".split(' '))
            .env_remove("BACKEDGE_CACHE")
            .current_dir(files.dir())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&answer.stderr);
        assert_eq!(answer.status.code(), Some(1), "{stderr}");
        assert!(blocks > 20 || stderr.contains("warning: "), "{blocks} blocks: {stderr}");
        std::fs::write(files.path("out.json"), &answer.stdout).unwrap();
        assert_eq!(records(&files).0, expected, "{stderr}");
        let (next, _, answer) = check(&files, "--cache cache");
        assert_eq!(next, expected, "{}", answer.stderr);
        assert_eq!(check(&files, "--cache cache").1, 5);
    }
}

/// The process is killed at any moment, and several processes write concurrently: the store stays consistent.
#[test]
fn death_and_company_do_no_harm() {
    let files = pairs();
    let (expected, ..) = check(&files, "");
    let start = |json: &str| {
        let line = format!("tv pairs.ll --no-induction --rlimit 20000 --runs 50 --json {json} --cache cache");
        let mut command = Command::new(env!("CARGO_BIN_EXE_backedge"));
        command.args(line.split(' ')).env_remove("BACKEDGE_CACHE").current_dir(files.dir());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    for wait in [2, 10, 25, 50, 80, 120, 200, 300, 450] {
        let mut child = start("killed.json");
        std::thread::sleep(Duration::from_millis(wait));
        // It may have finished already.
        let _ = child.kill();
        child.wait().unwrap();
    }
    let mut together: Vec<_> = (0..4).map(|i| start(&format!("{i}.json"))).collect();
    for child in &mut together {
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
    let (again, cached, answer) = check(&files, "--cache cache");
    assert_eq!((&again, cached), (&expected, 5), "{}", answer.stderr);
    assert_eq!(answer.stderr, "");
}

#[test]
fn gates_share_what_they_found() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = Files::new(&[]);
    let cache = files.path("cache").display().to_string();
    let gate = |flags: &[&str]| {
        let args = ["gate", "corpus/exits", "--bound", "1", "--runs", "100", "--cache", &cache, "--quiet"];
        run(&[&args[..], flags].concat(), b"", checkout).exits(0).stdout
    };
    assert!(!gate(&["--jobs", "2"]).contains("cache"));
    let again = gate(&["--jobs", "4"]);
    assert!(again.contains(" judged (") && again.contains(" from the cache)"), "{again}");
}
