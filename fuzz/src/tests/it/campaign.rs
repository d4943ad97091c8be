//! A campaign has the same result for any number of workers and any order of replies.

use backedge_fuzz::campaign::examine;
use backedge_fuzz::campaign::findings::{self, Findings, Kept};
use backedge_fuzz::campaign::state::{State, StateError, StateFile};
use backedge_fuzz::campaign::task::{Counts, Finding, Raw, Reply, SCHEMA, Still, System, Task};
use backedge_fuzz::campaign::{Loss, Outcome, Plan, Workers, run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A temporary directory, deleted on drop.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("backedge-campaign-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }
    fn files(&self) -> BTreeMap<PathBuf, String> {
        let folders = std::fs::read_dir(&self.0).expect("a directory").flatten().map(|e| e.path());
        let files =
            folders.filter(|p| p.is_dir()).flat_map(|p| std::fs::read_dir(p).expect("a directory").flatten());
        let text = |path: &Path| std::fs::read_to_string(path).expect("a file");
        files
            .map(|e| (e.path().strip_prefix(&self.0).expect("it is in it").to_owned(), text(&e.path())))
            .collect()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Every third program fails in one of two ways, every 50th hangs, and tasks take some time.
struct Fake;

fn raw(seed: u64, kind: &str) -> Raw {
    Raw {
        seed,
        system: 0,
        oracle: "runs".to_owned(),
        kind: kind.to_owned(),
        words: String::new(),
        pass: Some("licm".to_owned()),
        function: "f".to_owned(),
        message: format!("wrong on {seed}"),
        case: None,
    }
}

impl Workers for Fake {
    fn work(&self, thread: usize, task: &Task) -> Result<Reply, Loss> {
        match task {
            Task::Examine { first, count } => {
                let seeds = *first..first + count;
                std::thread::sleep(Duration::from_millis((first * 7 + thread as u64 * 3) % 5));
                // Some programs hang only together with others.
                if seeds.clone().any(|seed| seed % 50 == 49) || *count > 1 && seeds.contains(&203) {
                    return Err(Loss { kind: "hang", words: "it took too long".to_owned() });
                }
                let wrong = seeds.filter(|seed| seed % 3 == 0);
                let kind = |seed: u64| if seed.is_multiple_of(2) { "even" } else { "odd" };
                let found: Vec<Raw> = wrong.map(|seed| raw(seed, kind(seed))).collect();
                let counts = Counts { programs: *count, findings: found.len() as u64, ..Counts::default() };
                Ok(Reply::Examined { counts, found })
            }
            Task::WorkUp { raw } => {
                std::thread::sleep(Duration::from_millis(raw.seed % 7));
                // Findings reduce to few forms, one of them rare.
                let form = if raw.seed == 90 { 9 } else { raw.seed % 2 };
                // A lost worker is attributed to the system of its program.
                assert!(raw.kind != "hang" || raw.system == examine::pick(raw.seed, 3));
                if raw.seed == 6 {
                    return Ok(Reply::WorkedUp { finding: Err("it is gone".to_owned()) });
                }
                let finding = Finding {
                    schema: SCHEMA,
                    bucket: format!("licm-{}-{form}", raw.kind),
                    pass: raw.pass.clone(),
                    kind: raw.kind.clone(),
                    oracle: raw.oracle.clone(),
                    words: String::new(),
                    function: "f".to_owned(),
                    message: raw.message.clone(),
                    system: System::Passes("licm".to_owned()),
                    reduced_system: System::Passes("licm".to_owned()),
                    machine: None,
                    seed: raw.seed,
                    origin: String::new(),
                    instructions: 10,
                    reduced_instructions: 2,
                    tries: 3,
                    unreduced: None,
                    case: None,
                    original: "original".to_owned(),
                    text: format!("; {form}, first of {}\ndefine void @f() {{\n  ret void\n}}\n", raw.seed),
                };
                Ok(Reply::WorkedUp { finding: Ok(Box::new(finding)) })
            }
            Task::Recheck { .. } => Ok(Reply::Rechecked { now: Still::Holds }),
        }
    }
}

fn campaign(dir: &Dir, (first, end): (u64, u64), jobs: usize, max_new: u64) -> Outcome {
    let settings = ["a test".to_owned()];
    let (file, state) = StateFile::open(&dir.0, &settings, 9, false).expect("a state");
    let stop = AtomicBool::new(false);
    let plan = Plan { first, end, batch: 8, systems: 3, jobs, time: None, max_new, work_ups: 4, stop: &stop };
    run(&plan, &Fake, (&file, state), &Findings::new(dir.0.clone()), &mut |_| {}).expect("it ends")
}

#[test]
fn result_is_independent_of_thread_count() {
    let one = Dir::new("one");
    let expected = campaign(&one, (0, 500), 1, u64::MAX);
    assert_eq!(expected.counts.programs, 500);
    assert_eq!((expected.lost, expected.counts.timeouts, expected.counts.unconfirmed), (1, 10, 1));
    // The rare form is the sixteenth of its kind: after all that are worked up unconditionally, but still found.
    let names: Vec<&str> = expected.met.keys().map(String::as_str).collect();
    assert_eq!(names, ["licm-even-0", "licm-even-9", "licm-hang-1", "licm-odd-1"]);
    for jobs in [2, 5] {
        let dir = Dir::new(&format!("jobs-{jobs}"));
        let outcome = campaign(&dir, (0, 500), jobs, u64::MAX);
        assert_eq!(
            (&outcome.state, &outcome.met, &outcome.alike),
            (&expected.state, &expected.met, &expected.alike)
        );
        assert_eq!(dir.files(), one.files());
    }
}

#[test]
fn split_campaign_equals_whole_campaign() {
    let whole = Dir::new("whole");
    let expected = campaign(&whole, (0, 400), 2, u64::MAX);
    let parts = Dir::new("parts");
    let first = campaign(&parts, (0, 400), 3, 1);
    assert_eq!(first.met.len(), 1);
    assert!(!first.state.pending.is_empty() || first.state.next(0) < 400);
    let second = campaign(&parts, (0, 130), 3, u64::MAX);
    assert_eq!((first.waiting, second.waiting), (0, first.state.pending.len() as u64));
    let last = campaign(&parts, (0, 400), 2, u64::MAX);
    assert_eq!(last.state.done, [(0, 400)]);
    assert_eq!((&last.state.counts, &last.state.groups), (&expected.state.counts, &expected.state.groups));
    assert_eq!(last.state.buckets, expected.state.buckets);
    assert_eq!(parts.files(), whole.files());
    // No work is left.
    assert_eq!(campaign(&parts, (0, 400), 2, u64::MAX).counts, Counts::default());
}

#[test]
fn a_campaign_is_of_one_process_at_a_time() {
    let dir = Dir::new("lock");
    let settings = ["a test".to_owned()];
    let (held, _) = StateFile::open(&dir.0, &settings, 9, false).expect("a state");
    assert!(matches!(StateFile::open(&dir.0, &settings, 9, false), Err(StateError::Locked(_))));
    let (_, other) = StateFile::open(&dir.0, &["another".to_owned()], 9, false).expect("another state");
    assert_eq!(other.done, State::default().done);
    drop(held);
    assert!(StateFile::open(&dir.0, &settings, 9, false).is_ok());
}

/// The files of `dir` with this extension.
fn with_ending(dir: &Dir, ending: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(&dir.0).expect("a directory").flatten().map(|e| e.path());
    all.filter(|p| p.extension().is_some_and(|e| e == ending)).collect()
}

#[test]
fn a_damaged_state_is_no_empty_one() {
    let dir = Dir::new("damaged");
    let settings = ["a test".to_owned()];
    campaign(&dir, (0, 20), 1, u64::MAX);
    let [state] = &*with_ending(&dir, "json") else { panic!("one state") };
    let whole = std::fs::read_to_string(state).expect("a state");
    for text in ["", "{}", "[]", "null", "{\"settings\": [\"another\"]}", &whole[..whole.len() / 2]] {
        std::fs::write(state, text).expect("it can be written");
        let damaged = StateFile::open(&dir.0, &settings, 9, false);
        let Err(StateError::Damaged(..)) = &damaged else { panic!("{text}: {damaged:?}") };
        assert!(damaged.expect_err("it is damaged").to_string().contains("--restart"), "{text}");
        let (file, empty) = StateFile::open(&dir.0, &settings, 9, true).expect("a new state");
        assert_eq!(empty.done, []);
        file.save(&empty).expect("it can be written");
        drop(file);
        assert!(StateFile::open(&dir.0, &settings, 9, false).is_ok(), "{text}");
    }
}

/// A user with write access to a directory of findings must not be able to truncate other files.
#[cfg(unix)]
#[test]
fn what_a_link_leads_to_stays_as_it_is() {
    let dir = Dir::new("links");
    campaign(&dir, (0, 20), 1, u64::MAX);
    let precious = dir.0.join("precious");
    std::fs::write(&precious, "precious").expect("it can be written");
    let [lock] = &*with_ending(&dir, "lock") else { panic!("one lock") };
    std::fs::remove_file(lock).expect("it was there");
    for ending in ["lock", "tmp"] {
        std::os::unix::fs::symlink(&precious, lock.with_extension(ending)).expect("a link");
    }
    campaign(&dir, (0, 40), 1, u64::MAX);
    assert_eq!(std::fs::read_to_string(&precious).expect("it is there"), "precious");
}

#[test]
fn half_a_finding_is_written_again() {
    let dir = Dir::new("halves");
    let findings = Findings::new(dir.0.clone());
    let expected = campaign(&dir, (0, 20), 1, u64::MAX);
    let whole = dir.files();
    let code = whole.keys().find(|p| p.extension().is_some_and(|e| e == "ll")).expect("a finding");
    let data = code.with_extension("json");
    let finding = findings::read(&dir.0.join(code)).expect("a finding");
    let finding = Finding { text: finding.text.split_once("\n\n").expect("a head").1.to_owned(), ..finding };
    assert_eq!(findings.keep(&finding).expect("it is kept"), Kept::Known);
    // A program alone, complete or truncated; then data alone.
    for (gone, text) in [(&data, "; half"), (&data, &*whole[code]), (code, "")] {
        std::fs::remove_file(dir.0.join(gone)).expect("it was there");
        if gone == &data {
            std::fs::write(dir.0.join(code), text).expect("it can be written");
        }
        assert!(!findings.knows(&finding.bucket) && findings.example(&finding.bucket).is_none());
        assert_eq!(findings.keep(&finding).expect("it is kept"), Kept::New(dir.0.join(code)));
        assert_eq!(dir.files(), whole, "{text}");
    }
    // Both files exist, and one is truncated.
    std::fs::write(dir.0.join(&data), "{ \"schema\"").expect("it can be written");
    assert!(!findings.knows(&finding.bucket));
    assert_eq!(findings.keep(&finding).expect("it is kept"), Kept::New(dir.0.join(code)));
    assert_eq!(dir.files(), whole);
    assert!(expected.met.contains_key(&finding.bucket));
    std::fs::write(dir.0.join(code), "; value mis").expect("it can be written");
    assert!(!findings.knows(&finding.bucket));
    findings.keep(&finding).expect("it is kept");
    assert!(findings.knows(&finding.bucket));
    assert_eq!(dir.files(), whole);
}

#[test]
fn what_is_in_the_way_is_named() {
    let dir = Dir::new("in-the-way");
    std::fs::write(dir.0.join("licm-even-0"), "a file").expect("it can be written");
    let settings = ["a test".to_owned()];
    let (file, state) = StateFile::open(&dir.0, &settings, 9, false).expect("a state");
    let stop = AtomicBool::new(false);
    let plan = Plan {
        first: 0,
        end: 20,
        batch: 8,
        systems: 3,
        jobs: 1,
        time: None,
        max_new: 9,
        work_ups: 4,
        stop: &stop,
    };
    let done = run(&plan, &Fake, (&file, state), &Findings::new(dir.0.clone()), &mut |_| {});
    let words = done.expect_err("it can't be kept").to_string();
    assert!(words.contains("licm-even-0") && words.contains("can't be written"), "{words}");
}

#[test]
fn what_is_kept_is_read_again() {
    let dir = Dir::new("read");
    campaign(&dir, (0, 20), 1, u64::MAX);
    let file = dir.files().into_keys().find(|p| p.extension().is_some_and(|e| e == "ll")).expect("a finding");
    let finding = findings::read(&dir.0.join(&file)).expect("a finding");
    assert!(file.starts_with(&finding.bucket) && finding.text.contains("first of"), "{finding:?}");
}
