//! Inputs that are no LLVM IR as text: bitcode, read by LLVM's `llvm-dis`, and C and C++, compiled by `clang`.
//!
//! The newest installed version that succeeds is used, unless the environment names the program: `LLVM_DIS`, and `CLANG`,
//! whose further words are added to the flags. The programs run within limits on time, memory and output. Every use is
//! announced; messages of the programs are filtered before they are shown.

use crate::dialect::major_version;
use crate::optimizer::{Failure, Limits, Optimizer, Unusable, quoted_word};
use crate::output;
use crate::problem::Problem;
use crate::settings::settings;
use crate::shown::{shown, visible};
use std::path::Path;
use std::time::Duration;

/// The versions that are looked for, the newest first.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=30;
/// Limits of the programs.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), megabytes: 4096, output_megabytes: 1024 };
/// Number of lines shown of a program's messages.
const LINES: usize = 20;
/// The first bytes of bitcode, without and with a wrapper.
const BITCODE: [&[u8]; 2] = [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];
/// Flags of clang: values are in registers, and loops are there to be optimized: neither unrolled nor vectorized.
const CLANG_FLAGS: [&str; 7] =
    ["-O1", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize", "-S", "-emit-llvm", "-o"];

/// The language of an input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Language {
    Bitcode,
    C,
    Cpp,
}

impl Language {
    /// The language of the file `path` with these contents; `None` for text, which the reader judges.
    fn of(path: &Path, text: &[u8]) -> Option<Self> {
        if BITCODE.iter().any(|magic| text.starts_with(magic)) {
            return Some(Self::Bitcode);
        }
        match path.extension()?.to_str()? {
            "c" => Some(Self::C),
            "cc" | "cpp" | "cxx" => Some(Self::Cpp),
            _ => None,
        }
    }

    /// The program's name, and the variable that overrides it.
    fn program(self) -> (&'static str, &'static str) {
        match self {
            Self::Bitcode => ("llvm-dis", "LLVM_DIS"),
            Self::C | Self::Cpp => ("clang", "CLANG"),
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::Bitcode => "LLVM bitcode",
            Self::C => "C",
            Self::Cpp => "C++",
        }
    }

    /// The arguments of the program, whose input file is `{}`: as they run, or as a user would type them.
    fn arguments(self, path: &Path, more: &[String], typed: bool) -> Vec<String> {
        if self == Self::Bitcode {
            return more.iter().cloned().chain(["-o", "-", "{}"].map(str::to_owned)).collect();
        }
        let language = if self == Self::C { "c" } else { "c++" };
        let mut words: Vec<String> = CLANG_FLAGS.map(str::to_owned).into();
        words.push("-".to_owned());
        words.extend(more.iter().cloned());
        if !typed {
            // The program gets a copy of the file, which has another name in another folder.
            let folder = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
            let folder = folder.to_string_lossy().replace("{}", "");
            words.extend(["-x".to_owned(), language.to_owned(), "-iquote".to_owned(), folder]);
        }
        words.push("{}".to_owned());
        words
    }
}

/// The text of the file `path`, which `text` contains, as LLVM IR: the output of a program for bitcode, C and C++, else
/// `text` itself.
pub(crate) fn as_text(path: &Path, text: Vec<u8>) -> Result<Vec<u8>, Box<Problem>> {
    let Some(language) = Language::of(path, &text) else { return Ok(text) };
    let name = if path == Path::new("-") { "<stdin>".to_owned() } else { shown(path) };
    let mut first: Option<Box<Problem>> = None;
    for (program, more) in programs(language)? {
        let words = |typed| -> Vec<String> {
            let arguments = language.arguments(path, &more, typed);
            std::iter::once(program.clone()).chain(arguments).collect()
        };
        let typed: Vec<String> = words(true).iter().map(|word| word.replace("{}", &name)).collect();
        let typed = typed.iter().map(|word| quoted_word(word, "<>")).collect::<Vec<_>>().join(" ");
        match Optimizer::of_words(&program, words(false), LIMITS) {
            // The next version, if there is one.
            Err(Unusable::Program(..)) if first.is_some() => {}
            Err(unusable) => drop(first.get_or_insert(Box::new(Problem::error(unusable.to_string())))),
            Ok(command) => {
                let (result, said) = command.run_on_with_messages(&text, &name, &|| false, 1 << 16);
                match result.and_then(non_empty) {
                    Ok(text) => {
                        output::note(&format!("{name} is {}, read with: {typed}", language.what()));
                        if settings().verbose && !said.trim().is_empty() {
                            output::to_stderr(&lines_of(&said));
                        }
                        return Ok(text);
                    }
                    Err(failure) => {
                        let problem = problem(&name, language, &typed, (failure, &said));
                        first.get_or_insert(Box::new(problem));
                    }
                }
            }
        }
    }
    Err(first.unwrap_or_else(|| Box::new(missing(&name, language))))
}

/// Advice for the file `path` if it is no LLVM IR as text: the command that makes some of it.
pub(crate) fn conversion(path: &Path, text: &[u8]) -> Option<String> {
    let (language, name) = (Language::of(path, text)?, shown(path));
    let result = shown(&path.with_extension("ll"));
    let command = match language {
        Language::Bitcode => format!("llvm-dis {name} -o {result}"),
        Language::C | Language::Cpp => format!("clang {} {result} {name}", CLANG_FLAGS.join(" ")),
    };
    Some(format!("{name} is {}; `{command}` makes LLVM IR of it", language.what()))
}

/// The output, unless the program ended with success without one: LLVM's reader accepts bitcode without a module.
fn non_empty(text: Vec<u8>) -> Result<Vec<u8>, Failure> {
    if text.is_empty() { Err(Failure::System("the program writes nothing".to_owned())) } else { Ok(text) }
}

/// The programs to try, with their additional arguments.
fn programs(language: Language) -> Result<Vec<(String, Vec<String>)>, Box<Problem>> {
    let (name, variable) = language.program();
    if let Some(text) = std::env::var(variable).ok().filter(|text| !text.trim().is_empty()) {
        let words = shlex::split(&text).filter(|words| !words.is_empty());
        let [program, more @ ..] = &*words.unwrap_or_default() else {
            let message = format!("{variable}={text:?} is no command line: a quote is not closed");
            return Err(Box::new(Problem::error(visible(&message))));
        };
        return Ok(vec![(program.clone(), more.to_vec())]);
    }
    let numbered = VERSIONS.map(|version| (version, format!("{name}-{version}")));
    let mut found: Vec<(u32, String)> = numbered.filter(|(_, program)| is_installed(program)).collect();
    if is_installed(name) {
        let version = Optimizer::of_words(name, vec![name.to_owned()], LIMITS)
            .ok()
            .and_then(|command| version_in(&command.version(&|| false)?));
        found.push((version.unwrap_or(0), name.to_owned()));
    }
    found.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    Ok(found.into_iter().map(|(_, program)| (program, Vec::new())).collect())
}

/// The major version in an answer to `--version`.
fn version_in(answer: &str) -> Option<u32> {
    let of_clang = || {
        let (_, version) = answer.split_once("clang version ")?;
        version.split('.').next()?.parse().ok()
    };
    major_version(answer).or_else(of_clang)
}

fn is_installed(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}

/// The error for a missing program.
fn missing(name: &str, language: Language) -> Problem {
    let (program, variable) = language.program();
    let what = language.what();
    let help = match language {
        Language::Bitcode => format!(
            "install LLVM (on Debian `apt install llvm`), name the program in {variable}, or make text of it \
             elsewhere: llvm-dis {name} -o {name}.ll"
        ),
        Language::C | Language::Cpp => format!(
            "install clang (on Debian `apt install clang`), name the program in {variable}, or compile it elsewhere: \
             clang -O1 -S -emit-llvm {name} -o {name}.ll"
        ),
    };
    let (newest, oldest) = (VERSIONS.end(), VERSIONS.start());
    let looked = format!("{program} or {program}-{oldest} to {program}-{newest}");
    Problem::error(format!("{name} is {what}, and there is no {looked} on the PATH")).help(Some(help))
}

/// The error for a program that failed.
fn problem(name: &str, language: Language, typed: &str, (failure, said): (Failure, &str)) -> Problem {
    let what = language.what();
    let why = match failure {
        Failure::Refused(_) => match said.lines().find(|line| line.contains("error:")) {
            Some(first) => visible(first.trim()),
            None => "the program refuses it".to_owned(),
        },
        Failure::Crashed(why) | Failure::Limit(_, why) | Failure::System(why) => visible(&why),
        Failure::Interrupted => "interrupted".to_owned(),
    };
    let said = lines_of(said);
    let help = if said.is_empty() { format!("it was: {typed}") } else { format!("it was: {typed}\n{said}") };
    Problem::error(format!("{name} is {what} and can't be read: {why}")).help(Some(help))
}

/// The first lines of foreign text, without control characters, which could manipulate a terminal.
fn lines_of(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().take(LINES).map(visible).collect();
    let hidden = text.lines().count().saturating_sub(LINES);
    if hidden > 0 {
        lines.push(format!("… and {hidden} more lines"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{Language, lines_of, version_in};
    use std::path::Path;

    #[test]
    fn languages_are_recognized() {
        let of = |path: &str, text: &[u8]| Language::of(Path::new(path), text);
        assert_eq!(of("a.ll", b"BC\xc0\xde1"), Some(Language::Bitcode));
        assert_eq!(of("-", b"\xde\xc0\x17\x0b"), Some(Language::Bitcode));
        assert_eq!(of("a.c", b"int x;"), Some(Language::C));
        assert_eq!(of("a.cxx", b""), Some(Language::Cpp));
        assert_eq!(of("a.h", b""), None);
        assert_eq!(of("-", b"define"), None);
    }

    #[test]
    fn foreign_text_is_filtered() {
        assert_eq!(lines_of("a\x1b[31mb\n"), "a\u{fffd}[31mb");
        assert!(lines_of(&"x\n".repeat(100)).ends_with("… and 80 more lines"));
        assert_eq!(version_in("Debian clang version 22.1.0 (x)"), Some(22));
        assert_eq!(version_in("LLVM version 14.0.6"), Some(14));
    }
}
