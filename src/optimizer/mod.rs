//! An optimizer that is a command of its own: it reads a `.ll` file and writes another one.
//!
//! The command line is split as a shell would split it, and nothing else of a shell happens to it. `{}` in a word stands
//! for the input; where there is none, the input comes last. What follows `-o` (or `-o=`) is replaced by a file of ours,
//! which is read when the command has ended; without it, or with `-o -`, standard output is what counts.
//!
//! The command runs as a process group of its own, within limits of time, memory and output (`group`). How it failed, and with
//! which words, is read from how it ended and what it said (`said`).
//!
//! What the command is given is a copy, in a directory that goes when it has ended. Where that lies is another place each
//! time: in what the command says and writes the copy has the name that it is to have ([`Optimizer::run_on`]).

mod group;
pub(crate) mod guard;
mod said;

pub(crate) use group::end_all;
pub(crate) use said::failure;

use crate::dialect;
use backedge_validate::record::Limit;
use group::Group;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

/// Bytes of what a command says that are looked at.
const SAID: u64 = 1 << 16;
/// What bitcode begins with.
const BITCODE: &[u8] = b"BC\xc0\xde";
/// What the file is called that it is to write.
const OUTPUT: &str = "out.ll";
/// Stands for the input in a word of the command.
const INPUT: &str = "{}";
/// What the copy of the input is called that the command gets: also what is said of code that stands in no file of the user's, so
/// that what a command says of it is the same wherever it lies.
pub(crate) const COPY: &str = "in.ll";
/// How long a command may take to say of which version it is.
const VERSION: Duration = Duration::from_secs(10);
/// Texts of passes that do nothing: LLVM's, which takes no empty one, and that of others.
const NOTHING: [&str; 2] = ["no-op-module", ""];

/// What a command may take for one input.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Limits {
    /// Wall-clock time.
    pub(crate) time: Duration,
    /// Resident memory of all its processes.
    pub(crate) megabytes: u64,
    /// What it writes, messages included.
    pub(crate) output_megabytes: u64,
}

/// The command.
#[derive(Clone, Debug)]
pub(crate) struct Optimizer {
    /// As the user spelled it.
    pub(crate) text: String,
    /// Its words: the program, then what it is given.
    words: Vec<String>,
    /// The file that is run.
    program: PathBuf,
    /// A hash of that file.
    pub(crate) hash: String,
    /// Whether its words are nobody's but its own: no file stands in them, and what it writes is not looked at.
    is_test: bool,
    limits: Limits,
    /// The version of LLVM that it says it is of, once it has been asked.
    llvm: Arc<OnceLock<Option<u32>>>,
    /// The text of passes by which it does nothing, once it has been tried.
    nothing: Arc<OnceLock<Option<&'static str>>>,
}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// It ended by itself, with a failure.
    Refused(String),
    /// It was ended by a signal, or says that it crashed.
    Crashed(String),
    /// It passed a limit and was ended.
    Limit(Limit, String),
    /// The run was interrupted.
    Interrupted,
    /// It can't be run at all, or what it wrote can't be read.
    System(String),
}

/// What is wrong with a command line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unusable {
    #[error("{0:?} is no command line: a quote is not closed, or there is nothing in it")]
    Split(String),
    #[error("nothing follows -o in {0:?}")]
    NoOutput(String),
    #[error("{0} can't be run: {1}")]
    Program(String, String),
}

impl Optimizer {
    /// The command `text`, split as a shell does.
    pub(crate) fn new(text: &str, limits: Limits) -> Result<Self, Unusable> {
        let words = shlex::split(text).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| Unusable::Split(text.to_owned()))?;
        Self::of_words(text, words, limits)
    }

    /// The command of these words.
    pub(crate) fn of_words(text: &str, words: Vec<String>, limits: Limits) -> Result<Self, Unusable> {
        if words.last().is_some_and(|w| w == "-o") {
            return Err(Unusable::NoOutput(text.to_owned()));
        }
        Self::located(text, words, limits)
    }

    /// The command of these words, whatever they are, with the file that it is.
    fn located(text: &str, words: Vec<String>, limits: Limits) -> Result<Self, Unusable> {
        let unusable = |e: io::Error| Unusable::Program(words[0].clone(), e.to_string());
        let program = find(&words[0]).map_err(unusable)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(File::open(&program).map_err(unusable)?).map_err(unusable)?;
        let hash = hasher.finalize().to_hex().to_string();
        Ok(Self {
            text: text.to_owned(),
            words,
            program,
            hash,
            is_test: false,
            limits,
            llvm: Arc::default(),
            nothing: Arc::default(),
        })
    }

    /// A command of which nothing counts but how it ends: its words are passed as they are, and then the file.
    pub(crate) fn test(text: &str, words: Vec<String>, limits: Limits) -> Result<Self, Unusable> {
        Ok(Self { is_test: true, ..Self::located(text, words, limits)? })
    }

    /// What it may take for one input.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
    /// The same command with other words.
    fn with_words(&self, words: Vec<String>) -> Self {
        Self { text: quoted(&words), words, ..self.clone() }
    }
    /// The same command with what `with` makes of each of its words.
    pub(crate) fn with_each_word(&self, with: impl Fn(&str) -> String) -> Self {
        self.with_words(self.words.iter().map(|word| with(word)).collect())
    }
    /// The command line for the input `file`, as a shell takes it.
    pub(crate) fn for_shell(&self, file: &str) -> String {
        let mut words: Vec<String> = self.words.iter().map(|w| w.replace(INPUT, file)).collect();
        if words == self.words {
            words.push(file.to_owned());
        }
        quoted(&words)
    }
    /// The command line with the input `file` behind all words, whatever they are.
    pub(crate) fn for_shell_behind(&self, file: &str) -> String {
        let words: Vec<String> = self.words.iter().cloned().chain([file.to_owned()]).collect();
        quoted(&words)
    }
    /// The same command with `word` behind all others.
    pub(crate) fn with_word(&self, word: String) -> Self {
        let mut words = self.words.clone();
        words.push(word);
        self.with_words(words)
    }
    /// The same command with another name for the file after `-o`; none if what counts goes to standard output.
    pub(crate) fn with_output(&self, name: &str) -> Option<Self> {
        let mut words = self.words.clone();
        let mut to_file = false;
        let mut at = 1;
        while at < words.len() {
            let joined = ["-o=", "--o="].into_iter().find(|flag| words[at].starts_with(flag));
            let from = joined.map_or(0, str::len);
            if joined.is_none() {
                let separate = matches!(&*words[at], "-o" | "--o") && at + 1 < words.len();
                at += 1;
                if !separate {
                    continue;
                }
            }
            to_file = &words[at][from..] != "-";
            words[at].replace_range(from.., name);
            at += 1;
        }
        to_file.then(|| self.with_words(words))
    }
    /// The first lines of what it answers to `--version`, if it answers before `stop` says so.
    pub(crate) fn version(&self, stop: &dyn Fn() -> bool) -> Option<String> {
        let limits = Limits { time: VERSION.min(self.limits.time), ..self.limits };
        let command =
            Self { words: vec![self.words[0].clone(), "--version".to_owned()], limits, ..self.clone() };
        let said = command.run_on(b"", COPY, stop).ok()?;
        let text = String::from_utf8_lossy(&said).into_owned();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).take(3).collect();
        // Of a script it is another program's that answers, or nobody's.
        lines.iter().any(|l| l.to_lowercase().contains("version")).then(|| lines.join("\n"))
    }
    /// `text` as the command reads it: where it is an LLVM that does not know the spelling of today, in that of old.
    pub(crate) fn spelled<'t>(&self, text: &'t [u8], stop: &dyn Fn() -> bool) -> Cow<'t, [u8]> {
        let Some(old) = std::str::from_utf8(text).ok().filter(|text| dialect::is_of_today(text)) else {
            return Cow::Borrowed(text);
        };
        match self.llvm.get_or_init(|| dialect::major_version(&self.version(stop)?)) {
            Some(major) => Cow::Owned(dialect::of_llvm(old, *major).into_bytes()),
            None => Cow::Borrowed(text),
        }
    }
    /// The text of its flag `-passes`, if it has one.
    pub(crate) fn passes(&self) -> Option<&str> {
        self.passes_word().map(|(at, from)| &self.words[at][from..])
    }
    /// The same command with another text for that flag.
    pub(crate) fn with_passes(&self, passes: &str) -> Option<Self> {
        let (at, from) = self.passes_word()?;
        let mut words = self.words.clone();
        words[at].replace_range(from.., passes);
        Some(self.with_words(words))
    }
    /// The same command with a text for that flag by which it does nothing, if it takes one.
    pub(crate) fn without_passes(&self, stop: &dyn Fn() -> bool) -> Option<Self> {
        let takes = |text: &&str| {
            let done =
                self.with_passes(text).map(|c| c.run_on(b"define void @f() {\n  ret void\n}\n", COPY, stop));
            matches!(done, Some(Ok(_)))
        };
        let nothing = self.nothing.get_or_init(|| NOTHING.into_iter().find(takes));
        self.with_passes((*nothing)?)
    }
    /// The word with that text, and where in it the text begins.
    fn passes_word(&self) -> Option<(usize, usize)> {
        let joined = ["-passes=", "--passes=", "-p="];
        let alone = ["-passes", "--passes", "-p"];
        self.words.iter().enumerate().skip(1).find_map(|(at, word)| {
            if let Some(flag) = joined.iter().find(|flag| word.starts_with(**flag)) {
                return Some((at, flag.len()));
            }
            (alone.contains(&&**word) && at + 1 < self.words.len()).then_some((at + 1, 0))
        })
    }

    /// What the command writes for a file that holds `text`, and is called `name` in what it says and writes. It is ended where
    /// `stop` says so.
    pub(crate) fn run_on(
        &self,
        text: &[u8],
        name: &str,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, Failure> {
        self.run_on_and_tell(text, name, stop, SAID).0
    }

    /// The same, and the first `limit` bytes of what it says besides.
    pub(crate) fn run_on_and_tell(
        &self,
        text: &[u8],
        name: &str,
        stop: &dyn Fn() -> bool,
        limit: u64,
    ) -> (Result<Vec<u8>, Failure>, String) {
        let (_dir, path) = match written(text) {
            Ok(written) => written,
            Err(failure) => return (Err(failure), String::new()),
        };
        let (result, said) = self.run((&path, name), stop, limit);
        let place = path.display().to_string();
        // In code a name stands in quotes.
        let quotable = || name.replace(|c: char| c.is_control() || "\"'\\".contains(c), "_");
        let result = result.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) if text.contains(&place) => text.replace(&place, &quotable()).into_bytes(),
            Ok(text) => text.into_bytes(),
            Err(e) => e.into_bytes(),
        });
        (result, said)
    }

    /// How the command ends for a file that holds `text`, and what it says, whatever it writes; an error only if it does not come
    /// to its end.
    pub(crate) fn status_on(
        &self,
        text: &[u8],
        stop: &dyn Fn() -> bool,
    ) -> Result<(ExitStatus, String), Failure> {
        let (_dir, path) = written(text)?;
        let system = |e: io::Error| Failure::System(format!("{}: {e}", self.text));
        let dir = tempfile::tempdir().map_err(system)?;
        let file = || tempfile::tempfile_in(dir.path()).map_err(system);
        let (output, mut errors) = (file()?, file()?);
        let (status, _) = self.start(&path, (&output, &errors, dir.path()), stop)?;
        let said = text_of(&mut errors, SAID).map_err(system)?;
        Ok((status, said.replace(&path.display().to_string(), COPY)))
    }

    /// What the command writes for `input`, and the first `limit` bytes of what it says besides.
    fn run(
        &self,
        (input, name): (&Path, &str),
        stop: &dyn Fn() -> bool,
        limit: u64,
    ) -> (Result<Vec<u8>, Failure>, String) {
        let system = |e: io::Error| Failure::System(format!("{}: {e}", self.text));
        let files = tempfile::tempdir().and_then(|dir| {
            let file = || tempfile::tempfile_in(dir.path());
            Ok((file()?, file()?, dir))
        });
        let (mut output, mut errors, dir) = match files {
            Ok(files) => files,
            Err(e) => return (Err(system(e)), String::new()),
        };
        let status = self.start(input, (&output, &errors, dir.path()), stop);
        let places = [(input.to_owned(), name), (dir.path().join(OUTPUT), OUTPUT)];
        let plain = |said: String| {
            places.iter().fold(said, |said, (path, name)| said.replace(&path.display().to_string(), name))
        };
        let said = text_of(&mut errors, limit).map(plain);
        let result = status.and_then(|(status, to_file)| {
            let said = said.as_ref().map_err(|e| Failure::System(e.to_string()))?;
            if let Some(failure) = failure(status, said) {
                return Err(failure);
            }
            let mut bytes = Vec::new();
            if to_file {
                let missing = |e| Failure::Refused(format!("it ends with success, but writes no file: {e}"));
                let mut written = File::open(dir.path().join(OUTPUT)).map_err(missing)?;
                written.read_to_end(&mut bytes).map_err(system)?;
            } else {
                output.rewind().and_then(|()| output.read_to_end(&mut bytes)).map_err(system)?;
            }
            if bytes.starts_with(BITCODE) {
                let what = "it writes bitcode: with -S most optimizers write text";
                return Err(Failure::Refused(what.to_owned()));
            }
            Ok(bytes)
        });
        (result, said.unwrap_or_default())
    }

    /// Runs the command to its end; whether what counts is in a file.
    fn start(
        &self,
        input: &Path,
        (output, errors, dir): (&File, &File, &Path),
        stop: &dyn Fn() -> bool,
    ) -> Result<(ExitStatus, bool), Failure> {
        let system = |e: io::Error| Failure::System(format!("{}: {e}", self.text));
        let written = dir.join(OUTPUT);
        let (arguments, to_file) = self.arguments(input, &written);
        let mut command = Command::new(&self.program);
        command.args(arguments).process_group(0).stdin(Stdio::null());
        command.stderr(errors.try_clone().map_err(system)?);
        if self.is_test {
            command.stdout(Stdio::null());
        } else {
            command.stdout(output.try_clone().map_err(system)?);
        }
        let group = Group::start(&mut command)
            .map_err(|e| Failure::System(format!("{} can't be run: {e}", self.program.display())))?;
        let size = || {
            let of_file = |file: &File| file.metadata().map_or(0, |m| m.len());
            of_file(output) + of_file(errors) + fs::metadata(&written).map_or(0, |m| m.len())
        };
        let status = group.wait(self.limits, &size, stop)?;
        if size() >> 20 >= self.limits.output_megabytes {
            return Err(self.limits.passed(Limit::Output));
        }
        Ok((status, to_file))
    }

    /// The words behind the program, and whether what counts is written to `output`.
    fn arguments(&self, input: &Path, output: &Path) -> (Vec<OsString>, bool) {
        let mut arguments: Vec<OsString> = Vec::new();
        let (mut named, mut to_file) = (false, false);
        let mut words = self.words[1..].iter();
        while let Some(word) = words.next() {
            let separate = matches!(&**word, "-o" | "--o");
            let value = if self.is_test {
                None
            } else if separate {
                words.next().map(String::as_str)
            } else {
                word.strip_prefix("-o=").or_else(|| word.strip_prefix("--o="))
            };
            if let Some(value) = value {
                arguments.push("-o".into());
                to_file = value != "-";
                arguments.push(if to_file { output.into() } else { "-".into() });
            } else if word.contains(INPUT) && !self.is_test {
                named = true;
                let mut whole = OsString::new();
                for (i, part) in word.split(INPUT).enumerate() {
                    if i > 0 {
                        whole.push(input);
                    }
                    whole.push(part);
                }
                arguments.push(whole);
            } else {
                arguments.push(word.into());
            }
        }
        if !named {
            arguments.push(input.into());
        }
        (arguments, to_file)
    }
}

impl Limits {
    fn passed(&self, limit: Limit) -> Failure {
        let words = match limit {
            Limit::Time => format!("it took longer than {} s", self.time.as_secs()),
            Limit::Memory => format!("it took more than {} MB of memory", self.megabytes),
            Limit::Output => format!("it wrote more than {} MB", self.output_megabytes),
        };
        Failure::Limit(limit, words)
    }
}

/// The words in one line, in quotes where a shell would take them for more than words.
fn quoted(words: &[String]) -> String {
    words.iter().map(|word| quoted_word(word, "{}")).collect::<Vec<_>>().join(" ")
}

/// The text as a shell takes it for one word; in `plain` stand characters that need no quotes, besides the usual ones.
pub(crate) fn quoted_word(text: &str, plain: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=,:@%".contains(c) || plain.contains(c);
    match shlex::try_quote(text) {
        Ok(quoted) if text.is_empty() || !text.chars().all(is_plain) => quoted.into_owned(),
        Ok(_) | Err(_) => text.to_owned(),
    }
}

/// The program that `name` stands for: a path, or a name on the `PATH`.
fn find(name: &str) -> io::Result<PathBuf> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no such program");
    if name.contains('/') {
        return fs::canonicalize(name);
    }
    let path = std::env::var_os("PATH").ok_or_else(missing)?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|p| p.is_file()).ok_or_else(missing)
}

/// A copy of the input, in a directory that goes with it.
fn written(text: &[u8]) -> Result<(TempDir, PathBuf), Failure> {
    let written = tempfile::tempdir().and_then(|dir| {
        let path = dir.path().join(COPY);
        fs::write(&path, text)?;
        Ok((dir, path))
    });
    written.map_err(|e| Failure::System(format!("the command's input can't be written: {e}")))
}

fn text_of(file: &mut File, limit: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
