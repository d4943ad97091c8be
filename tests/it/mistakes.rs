//! Mistakes that new users make, and what the program answers: a snapshot.
//!
//! The files `mistakes/*.md` list command lines, one section for each command of the program. After a line
//! `$ backedge …` come the exit code, standard error (`2|`) and standard output (`1|`); after it, the files that
//! the command left (`+|`), if any. `< FILE` at the end of a command line is its standard input. Every command
//! runs in its own folder, which contains copies of `mistakes/files` and the empty folder `nothing`.
//!
//! `BACKEDGE_BLESS=1` rewrites the answers. Read them as a newcomer would: what is wrong, where, and what to type
//! instead? Commands whose optimizer is not installed are skipped with a report.
#![cfg(unix)]

use crate::common::{Files, lacks_opt, run};
use regex::Regex;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

/// The beginning of a line with a command.
const PROMPT: &str = "$ backedge";
/// The beginnings of lines with an answer.
const ANSWER: [&str; 4] = ["exit ", "2|", "1|", "+|"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mistakes")
}

/// Contents of the files that each command finds in its folder.
fn inputs() -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder().join("files")).expect("the files of the mistakes");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.map(|path| (name(&path), std::fs::read(&path).expect("a file"))).collect()
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// The answer to the command `line`, which begins with [`PROMPT`]; `None` if its optimizer is missing.
fn answer(line: &str, inputs: &[(String, Vec<u8>)]) -> Option<String> {
    let files: Vec<(&str, &[u8])> = inputs.iter().map(|(name, text)| (name.as_str(), &**text)).collect();
    let files = Files::new(&files);
    std::fs::create_dir(files.path("nothing")).expect("a folder without files");
    let before = files.names();
    let command = line.strip_prefix(PROMPT).expect("a command");
    // Other programs are on every system, or their absence is the mistake.
    if command.contains("opt-22") && lacks_opt(command, files.dir()) {
        return None;
    }
    let (command, stdin) = match command.rsplit_once(" < ") {
        Some((command, file)) => (command, files.read(file)),
        None => (command, String::new()),
    };
    let words = shlex::split(command).unwrap_or_else(|| panic!("{line}: not a command line"));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let answer = run(&words, stdin.as_bytes(), files.dir());
    let code = answer.code.map_or("by a signal".to_owned(), |code| code.to_string());
    let mut text = format!("exit {code}\n");
    for (mark, output) in [("2|", &answer.stderr), ("1|", &answer.stdout)] {
        for line in output.lines() {
            let line = plain(line);
            let _ = writeln!(text, "{}", format!("{mark} {line}").trim_end());
        }
    }
    for name in files.names().into_iter().filter(|name| !before.contains(name)) {
        let _ = writeln!(text, "+| {name}");
    }
    Some(text)
}

/// A line without what differs between runs: times, and hashes of the program itself.
fn plain(line: &str) -> String {
    static TIME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[0-9]+\.[0-9]+ s\b").expect("a pattern"));
    static STATE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"state-[0-9a-f]{12}").expect("a pattern"));
    let line = TIME.replace_all(line, "[TIME] s");
    STATE.replace_all(&line, "state-[HASH]").into_owned()
}

/// A list of mistakes: lines of prose, and commands with their answers.
struct List {
    path: PathBuf,
    text: String,
}

impl List {
    fn all() -> Vec<Self> {
        let entries = std::fs::read_dir(folder()).expect("the lists of mistakes");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
        paths.sort();
        let read = |path: PathBuf| Self { text: std::fs::read_to_string(&path).expect("a list"), path };
        paths.into_iter().map(read).collect()
    }

    fn commands(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| line.starts_with(PROMPT))
    }

    /// The list with `answers`, one for each command; an answer that is missing stays as it is.
    fn with(&self, answers: &[Option<String>]) -> String {
        let mut answers = answers.iter();
        let (mut text, mut is_replaced) = (String::new(), false);
        for line in self.text.lines() {
            if line.starts_with(PROMPT) {
                let answer = answers.next().expect("an answer to each command");
                is_replaced = answer.is_some();
                let _ = write!(text, "{line}\n{}", answer.as_deref().unwrap_or_default());
                continue;
            }
            if !(is_replaced && ANSWER.iter().any(|start| line.starts_with(start))) {
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }
}

/// The answers to all commands of `lists`, in order. Several commands run at a time.
fn answers(lists: &[List]) -> Vec<Vec<Option<String>>> {
    let inputs = inputs();
    let commands: Vec<(usize, &str)> =
        lists.iter().enumerate().flat_map(|(at, list)| list.commands().map(move |c| (at, c))).collect();
    let found = Mutex::new(vec![None; commands.len()]);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from).max(2) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((_, command)) = commands.get(at) else { return };
                    let answer = answer(command, &inputs);
                    found.lock().expect("no panic in between")[at] = answer;
                }
            });
        }
    });
    let mut of_lists = vec![Vec::new(); lists.len()];
    for ((list, _), answer) in commands.iter().zip(found.into_inner().expect("no panic")) {
        of_lists[*list].push(answer);
    }
    of_lists
}

/// The commands of `list` whose answers in `now` differ, with both answers.
fn differences(list: &List, now: &str) -> String {
    let parts = |text: &str| -> Vec<String> {
        text.split_inclusive('\n').fold(vec![String::new()], |mut parts, line| {
            if line.starts_with(PROMPT) {
                parts.push(String::new());
            }
            parts.last_mut().expect("a part").push_str(line);
            parts
        })
    };
    let mut text = String::new();
    for (before, now) in parts(&list.text).iter().zip(parts(now)).filter(|(before, now)| *before != now) {
        let _ = write!(text, "--- {}, expected\n{before}--- now\n{now}", name(&list.path));
    }
    text
}

#[test]
fn mistakes_are_answered_with_advice() {
    let lists = List::all();
    let commands = lists.iter().flat_map(List::commands).count();
    assert!(commands >= 100, "only {commands} mistakes");
    let mut wrong = String::new();
    for (list, answers) in lists.iter().zip(answers(&lists)) {
        let now = list.with(&answers);
        if now == list.text {
            continue;
        }
        if std::env::var_os("BACKEDGE_BLESS").is_some() {
            std::fs::write(&list.path, now).expect("a list can be written");
        } else {
            wrong.push_str(&differences(list, &now));
        }
    }
    assert!(wrong.is_empty(), "{wrong}\nBACKEDGE_BLESS=1 rewrites the answers");
}

/// Every answer exits with an error and says something, or is a warning with a result.
#[test]
fn no_mistake_is_silent() {
    for list in List::all() {
        for answer in list.text.split(PROMPT).skip(1) {
            let line = answer.lines().next().unwrap_or_default();
            let has = |start: &str| answer.lines().any(|line| line.starts_with(start));
            assert!(has("exit "), "{line}: no answer; BACKEDGE_BLESS=1 writes it");
            assert!(has("2|") || has("1|"), "{line}: no output");
            assert!(!has("exit 101") && !answer.contains("panicked"), "{line}: a panic");
        }
    }
}
