//! An external optimizer: a command that reads a `.ll` file and writes another one.
//!
//! The command line is split into words as a shell does, without any other shell feature. `{}` in a word is replaced
//! with the input file; without it the input is the last argument. The word after `-o` (or in `-o=`) is replaced with
//! a temporary file, which is read when the command has ended; without `-o`, or with `-o -`, the result is standard
//! output.
//!
//! The command runs in its own process group, within limits on time, memory and output (`group`). Its exit status and
//! its messages determine how it failed (`said`).
//!
//! The command gets a copy of the input, in a temporary directory that is deleted afterwards. The path of the copy
//! varies, so it is replaced with the given name in the command's messages and output ([`Optimizer::run_on`]).

mod group;
pub(crate) mod guard;
mod said;

pub(crate) use group::end_all;
pub(crate) use said::failure;

use crate::dialect;
use crate::temporary::Folder;
use backedge_process as process;
use backedge_validate::record::Limit;
use group::Group;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Number of characters shown of an output that is no module.
const SHOWN: usize = 60;
/// Number of bytes of a command's messages that are read: the rest is of no use in a report.
const SAID: u64 = 1 << 16;
/// The magic number of bitcode.
const BITCODE: &[u8] = b"BC\xc0\xde";
/// The name of the command's output file.
const OUTPUT: &str = "out.ll";
/// Placeholder for the input in a word of the command.
const INPUT: &str = "{}";
/// The file name of the input copy. Also the name of code that is not in a file of the user's, so that messages about
/// such code do not depend on its location.
pub(crate) const COPY: &str = "in.ll";
/// Time limit for `--version`: a command that takes longer does not know the flag.
const VERSION: Duration = Duration::from_secs(10);
/// `-passes` texts that do nothing: LLVM's, which rejects an empty text, and that of other optimizers.
const NOTHING: [&str; 2] = ["no-op-module", ""];

/// Limits of a command for one input.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Limits {
    /// Wall-clock time.
    pub(crate) time: Duration,
    /// Resident memory of all its processes together.
    pub(crate) megabytes: u64,
    /// Output, including messages.
    pub(crate) output_megabytes: u64,
}

/// An external optimizer.
#[derive(Clone, Debug)]
pub(crate) struct Optimizer {
    /// The command as the user wrote it.
    pub(crate) text: String,
    /// The words: the program and its arguments.
    words: Vec<String>,
    /// The path of the executable.
    program: PathBuf,
    /// A hash of the executable.
    pub(crate) hash: String,
    /// How it gets its input.
    call: Call,
    limits: Limits,
    /// The LLVM version that the command reports, once queried.
    llvm: Arc<OnceLock<Option<u32>>>,
    /// The `-passes` text that makes the command do nothing, once determined.
    nothing: Arc<OnceLock<Option<&'static str>>>,
}

/// How a command gets its input.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Call {
    /// An optimizer: placeholders are replaced, and the result is read.
    Optimizer,
    /// A user's test: its words are passed unchanged, followed by the file, and its output is ignored.
    Test,
    /// A user's test that finds the file by this name in its working directory; its output is ignored.
    TestInFolder(String),
}

/// Why the command gave no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The command exited with a failure status.
    Refused(String),
    /// The command was killed by a signal or reports a crash.
    Crashed(String),
    /// The command exceeded a limit and was killed.
    Limit(Limit, String),
    /// The run was interrupted.
    Interrupted,
    /// The command can't be run, or its output can't be read.
    System(String),
}

/// An unusable command line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unusable {
    #[error("{0:?} is no command line: a quote is not closed, or there is nothing in it")]
    Split(String),
    #[error("{0:?} is an operator of shells, but the command of --opt runs without one")]
    Shell(String),
    #[error("nothing follows -o in {0:?}")]
    NoOutput(String),
    #[error("{0} can't be run: {1}")]
    Program(String, String),
}

/// What to write in place of an operator of shells in a command.
pub(crate) const WITHOUT_SHELL: &str = "the file is appended to the command or replaces {}, and the result is read from \
    standard output or from the file after -o; a script may do the rest, as in --opt 'sh -c \"opt -S $0 | cat\"'";

/// The first of the words that a shell would interpret as a redirection or a connection of commands.
pub(crate) fn shell_operator(words: &[String]) -> Option<&str> {
    let is_file =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._/-&{}".contains(c));
    let is_operator = |word: &str| {
        let redirected = word.trim_start_matches(['1', '2', '&']).trim_start_matches('>');
        matches!(word, "|" | "||" | "&&" | "&" | ";" | "<" | ">" | ">>" | "2>" | "&>" | "|&")
            || redirected.len() < word.len() && word.contains('>') && is_file(redirected)
            || word.strip_prefix('<').is_some_and(is_file)
    };
    words.iter().skip(1).map(String::as_str).find(|word| is_operator(word))
}

impl Optimizer {
    /// The command `text`, split into words as a shell does.
    pub(crate) fn new(text: &str, limits: Limits) -> Result<Self, Unusable> {
        let words = shlex::split(text).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| Unusable::Split(text.to_owned()))?;
        if let Some(operator) = shell_operator(&words) {
            return Err(Unusable::Shell(operator.to_owned()));
        }
        Self::of_words(text, words, limits)
    }

    /// The command with these words.
    pub(crate) fn of_words(text: &str, words: Vec<String>, limits: Limits) -> Result<Self, Unusable> {
        if words.last().is_some_and(|w| w == "-o") {
            return Err(Unusable::NoOutput(text.to_owned()));
        }
        Self::located(text, words, limits)
    }

    /// The command with these words, without checks, after locating its executable.
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
            call: Call::Optimizer,
            limits,
            llvm: Arc::default(),
            nothing: Arc::default(),
        })
    }

    /// A test command, for which only the exit status matters: its words are passed unchanged, followed by the file.
    pub(crate) fn test(text: &str, words: Vec<String>, limits: Limits) -> Result<Self, Unusable> {
        Ok(Self { call: Call::Test, ..Self::located(text, words, limits)? })
    }

    /// A test command without arguments, which finds a file called `name` in its working directory.
    pub(crate) fn test_in_folder(program: &str, name: String, limits: Limits) -> Result<Self, Unusable> {
        let located = Self::located(program, vec![program.to_owned()], limits)?;
        Ok(Self { call: Call::TestInFolder(name), ..located })
    }

    /// The limits for one input.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
    /// The command with other words.
    fn with_words(&self, words: Vec<String>) -> Self {
        Self { text: quoted(&words), words, ..self.clone() }
    }
    /// The command with `with` applied to each word.
    pub(crate) fn with_each_word(&self, with: impl Fn(&str) -> String) -> Self {
        self.with_words(self.words.iter().map(|word| with(word)).collect())
    }
    /// The command line for the input `file`, quoted for a shell.
    pub(crate) fn for_shell(&self, file: &str) -> String {
        let mut words: Vec<String> = self.words.iter().map(|w| w.replace(INPUT, file)).collect();
        if words == self.words {
            words.push(file.to_owned());
        }
        quoted(&words)
    }
    /// The command line with the input `file` as last word, without placeholders.
    pub(crate) fn for_shell_appended(&self, file: &str) -> String {
        let file = (self.call == Call::Test).then(|| file.to_owned());
        let words: Vec<String> = self.words.iter().cloned().chain(file).collect();
        quoted(&words)
    }
    /// The command with an additional last word.
    pub(crate) fn with_word(&self, word: String) -> Self {
        let mut words = self.words.clone();
        words.push(word);
        self.with_words(words)
    }
    /// The command with another file name after `-o`; `None` if the result goes to standard output.
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
    /// The first lines of the command's answer to `--version`; `None` if there is no answer before `stop` ends it.
    pub(crate) fn version(&self, stop: &dyn Fn() -> bool) -> Option<String> {
        let limits = Limits { time: VERSION.min(self.limits.time), ..self.limits };
        let command =
            Self { words: vec![self.words[0].clone(), "--version".to_owned()], limits, ..self.clone() };
        let said = command.run_on(b"", COPY, stop).ok()?;
        let text = String::from_utf8_lossy(&said).into_owned();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).take(3).collect();
        // The answer of a script is another program's, or missing.
        lines.iter().any(|l| l.to_lowercase().contains("version")).then(|| lines.join("\n"))
    }
    /// Converts `text` to the syntax of the command's LLVM version if that does not support the current one.
    pub(crate) fn spelled<'t>(&self, text: &'t [u8], stop: &dyn Fn() -> bool) -> Cow<'t, [u8]> {
        let Some(old) = std::str::from_utf8(text).ok().filter(|text| dialect::uses_current_syntax(text))
        else {
            return Cow::Borrowed(text);
        };
        match self.llvm.get_or_init(|| dialect::major_version(&self.version(stop)?)) {
            Some(major) => Cow::Owned(dialect::of_llvm(old, *major).into_bytes()),
            None => Cow::Borrowed(text),
        }
    }
    /// The text of the command's `-passes` flag, if it has one.
    pub(crate) fn passes(&self) -> Option<&str> {
        self.passes_word().map(|(at, from)| &self.words[at][from..])
    }
    /// The command with another text for that flag.
    pub(crate) fn with_passes(&self, passes: &str) -> Option<Self> {
        let (at, from) = self.passes_word()?;
        let mut words = self.words.clone();
        words[at].replace_range(from.., passes);
        Some(self.with_words(words))
    }
    /// The command with a text for that flag that does nothing, if it accepts one.
    pub(crate) fn without_passes(&self, stop: &dyn Fn() -> bool) -> Option<Self> {
        let takes = |text: &&str| {
            let done =
                self.with_passes(text).map(|c| c.run_on(b"define void @f() {\n  ret void\n}\n", COPY, stop));
            matches!(done, Some(Ok(_)))
        };
        let nothing = self.nothing.get_or_init(|| NOTHING.into_iter().find(takes));
        self.with_passes((*nothing)?)
    }
    /// The index of the word with that text, and the offset of the text in the word.
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

    /// The command's output for a file that contains `text`. The file is called `name` in messages and output. `stop`
    /// ends the command.
    pub(crate) fn run_on(
        &self,
        text: &[u8],
        name: &str,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, Failure> {
        self.run_on_with_messages(text, name, stop, SAID).0
    }

    /// Like [`Self::run_on`]; also returns the first `limit` bytes of the command's messages.
    pub(crate) fn run_on_with_messages(
        &self,
        text: &[u8],
        name: &str,
        stop: &dyn Fn() -> bool,
        limit: u64,
    ) -> (Result<Vec<u8>, Failure>, String) {
        let (_dir, path) = match written(text, COPY) {
            Ok(written) => written,
            Err(failure) => return (Err(failure), String::new()),
        };
        let (result, said) = self.run((&path, name), stop, limit);
        let place = path.display().to_string();
        // The output may contain the name in quotes.
        let quotable = || name.replace(|c: char| c.is_control() || "\"'\\".contains(c), "_");
        let result = result.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) if text.contains(&place) => text.replace(&place, &quotable()).into_bytes(),
            Ok(text) => text.into_bytes(),
            Err(e) => e.into_bytes(),
        });
        let result = result.and_then(|bytes| match no_module(text, &bytes) {
            Some(why) => Err(Failure::Refused(why)),
            None => Ok(bytes),
        });
        (result, said)
    }

    /// The exit status and messages of the command for a file that contains `text`, whatever its output. An error
    /// means that the command did not end by itself.
    pub(crate) fn status_on(
        &self,
        text: &[u8],
        stop: &dyn Fn() -> bool,
    ) -> Result<(ExitStatus, String), Failure> {
        let name = match &self.call {
            Call::TestInFolder(name) => name,
            Call::Optimizer | Call::Test => COPY,
        };
        let (_dir, path) = written(text, name)?;
        let system = |e: io::Error| Failure::System(format!("{}: {e}", self.text));
        let dir = Folder::new().map_err(system)?;
        let file = || tempfile::tempfile_in(dir.path()).map_err(system);
        let (output, mut errors) = (file()?, file()?);
        let (status, _) = self.start(&path, (&output, &errors, dir.path()), stop)?;
        let said = process::written(&mut errors, SAID).map_err(system)?;
        Ok((status, said.replace(&path.display().to_string(), COPY)))
    }

    /// The command's output for `input`, and the first `limit` bytes of its messages.
    fn run(
        &self,
        (input, name): (&Path, &str),
        stop: &dyn Fn() -> bool,
        limit: u64,
    ) -> (Result<Vec<u8>, Failure>, String) {
        let system = |e: io::Error| Failure::System(format!("{}: {e}", self.text));
        let files = Folder::new().and_then(|dir| {
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
        let said = process::written(&mut errors, limit).map(plain);
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
                bytes = process::written_bytes(&mut output, u64::MAX).map_err(system)?;
            }
            if bytes.starts_with(BITCODE) {
                let what = "it writes bitcode: with -S most optimizers write text";
                return Err(Failure::Refused(what.to_owned()));
            }
            Ok(bytes)
        });
        (result, said.unwrap_or_default())
    }

    /// Runs the command to its end; returns its status and whether the result is in the output file.
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
        if self.call == Call::Optimizer {
            command.stdout(output.try_clone().map_err(system)?);
        } else {
            command.stdout(Stdio::null());
        }
        if let (Call::TestInFolder(_), Some(folder)) = (&self.call, input.parent()) {
            command.current_dir(folder);
        }
        let group = Group::start(&mut command)
            .map_err(|e| Failure::System(format!("{} can't be run: {e}", self.words[0])))?;
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

    /// The arguments of the program, and whether the result is written to `output`.
    fn arguments(&self, input: &Path, output: &Path) -> (Vec<OsString>, bool) {
        let mut arguments: Vec<OsString> = Vec::new();
        let (mut named, mut to_file) = (false, false);
        let mut words = self.words[1..].iter();
        while let Some(word) = words.next() {
            let separate = matches!(&**word, "-o" | "--o");
            let value = if self.call != Call::Optimizer {
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
            } else if word.contains(INPUT) && self.call == Call::Optimizer {
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
        if !named && !matches!(self.call, Call::TestInFolder(_)) {
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

/// The words on one line, quoted for a shell where necessary.
fn quoted(words: &[String]) -> String {
    words.iter().map(|word| quoted_word(word, "{}")).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a shell; characters in `plain` need no quotes, in addition to the usual ones.
pub(crate) fn quoted_word(text: &str, plain: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=,:@%".contains(c) || plain.contains(c);
    match shlex::try_quote(text) {
        Ok(quoted) if text.is_empty() || !text.chars().all(is_plain) => quoted.into_owned(),
        Ok(_) | Err(_) => text.to_owned(),
    }
}

/// Resolves `name`: a path, or a name on the `PATH`.
fn find(name: &str) -> io::Result<PathBuf> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no such program");
    if name.contains('/') {
        return fs::canonicalize(name);
    }
    let path = std::env::var_os("PATH").ok_or_else(missing)?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|p| p.is_file()).ok_or_else(missing)
}

/// Why `output` can't be the result of an optimizer for `input`, if that defines a function: it is empty, or no LLVM IR
/// at all.
fn no_module(input: &[u8], output: &[u8]) -> Option<String> {
    const STARTS: [&str; 12] = [
        "define",
        "declare",
        "@",
        "%",
        "!",
        "$",
        "^",
        "target",
        "source_filename",
        "module",
        "attributes",
        "uselistorder",
    ];
    let input = String::from_utf8_lossy(input);
    if !input.lines().any(|line| line.trim_start().starts_with("define")) {
        return None;
    }
    let output = String::from_utf8_lossy(output);
    let first = output.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(';'));
    let wanted = "the module is expected on standard output, or in the file after -o";
    match first {
        None => Some(format!("it ends with success, but writes nothing: {wanted}")),
        Some(line) if !STARTS.iter().any(|start| line.starts_with(start)) => {
            let begin: String = line.chars().take(SHOWN).collect();
            Some(format!("it writes no LLVM IR, but `{begin}`: {wanted}"))
        }
        Some(_) => None,
    }
}

/// Writes a copy of the input, called `name`, to a temporary directory.
fn written(text: &[u8], name: &str) -> Result<(Folder, PathBuf), Failure> {
    let written = Folder::new().and_then(|dir| {
        let path = dir.path().join(name);
        fs::write(&path, text)?;
        Ok((dir, path))
    });
    written.map_err(|e| Failure::System(format!("the command's input can't be written: {e}")))
}
