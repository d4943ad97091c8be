//! Additional outputs for a reduced finding: a lit test, a corpus test, and the text of an issue.
//!
//! The lit test checks the present result, like tests that LLVM developers commit before a fix: the fix then shows as
//! a change of the checks. The corpus test is the pair with its verdict. The issue contains the input, the commands,
//! and both runs side by side up to their first difference.

use super::checks::{NOTE, with_checks};
use super::symptom::{FunctionFailure, Kind, Two};
use super::system::{limit_flags, machine_flag};
use crate::optimizer::{COPY, Optimizer, quoted_word};
use crate::output;
use crate::shown::visible_lines;
use backedge_fuzz::oracles::optimize::SIZE;
use backedge_transform::cost::Machine;
use backedge_validate::check::Options;
use backedge_validate::record::Limit;
use backedge_validate::reproducer::{Reproducer, flags};
use backedge_validate::witness::Refutation;
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

/// A finding on a reduced module.
pub(crate) struct Story<'a> {
    /// The module.
    pub(crate) text: &'a str,
    /// The failure.
    pub(crate) found: &'a FunctionFailure,
    /// This project's passes, if they are under test.
    pub(crate) passes: Option<String>,
    /// The command, if one is under test.
    pub(crate) optimizer: Option<&'a Optimizer>,
    /// The guilty pass of the command, if known.
    pub(crate) guilty: Option<String>,
    /// The options with which the finding was judged.
    pub(crate) options: &'a Options,
    /// The target machine of the cost model.
    pub(crate) machine: Machine,
    /// The result of the passes or the command, if there is one.
    pub(crate) after: Option<String>,
}

/// Writes the requested outputs. A failed write does not prevent the others.
///
/// # Errors
///
/// The first write that failed.
pub(crate) fn tell(
    story: &Story<'_>,
    lit: Option<&Path>,
    corpus: Option<&Path>,
    issue: Option<&Path>,
) -> miette::Result<()> {
    let lit = lit.map_or(Ok(()), |path| output::write(path, &story.lit()));
    let corpus = corpus.map_or(Ok(()), |path| {
        let (pair, expectation) = story.corpus(path)?;
        output::write(path, &pair)?;
        output::write_new(&expectations(path), &expectation)
    });
    let issue = issue.map_or(Ok(()), |path| output::write(path, &visible_lines(&story.issue())));
    let mut wrong = [lit, corpus, issue].into_iter().filter_map(Result::err);
    let first = wrong.next();
    wrong.for_each(|report| output::to_stderr(&format!("{report:?}")));
    first.map_or(Ok(()), Err)
}

/// The file with the expectations of a corpus test.
pub(crate) fn expectations(test: &Path) -> PathBuf {
    test.with_extension("toml")
}

/// Fails if a corpus test can't be written. Its second file must be new, since the user has not named it.
pub(crate) fn check_corpus(test: &Path) -> miette::Result<()> {
    if test.extension().is_none_or(|e| e != "ll") {
        miette::bail!("{} does not end in .ll", test.display());
    }
    output::check(test)?;
    output::check_new(&expectations(test))
}

/// The refuted pair for a corpus test.
pub(crate) fn as_pair(found: &FunctionFailure) -> miette::Result<&(Two, Box<Refutation>)> {
    let none =
        || miette::miette!(help = "--lit and --issue write such findings", "a crash is no pair of functions");
    found.refuted.as_ref().ok_or_else(none)
}

impl Story<'_> {
    /// The command line for a shell, with `file` as input.
    fn command(&self, file: &str) -> Option<String> {
        match (&self.passes, self.optimizer) {
            (Some(passes), _) => Some(self.ours(passes, file)),
            (None, Some(optimizer)) => Some(optimizer.for_shell(file)),
            (None, None) => None,
        }
    }

    /// This project's passes as a command line.
    fn ours(&self, passes: &str, file: &str) -> String {
        format!("backedge opt -passes={}{} -S {file}", quoted(passes), machine_flag(self.machine))
    }

    /// The command line that reproduces the finding.
    fn check(&self, file: &str) -> String {
        let judged = flags(self.options);
        match (&self.passes, self.optimizer) {
            (Some(passes), _) => {
                format!(
                    "backedge gate {file} --passes {}{}{judged}",
                    quoted(passes),
                    machine_flag(self.machine)
                )
            }
            (None, Some(optimizer)) => {
                // `gate` does not check for growth.
                let command = if self.found.symptom.kind == Kind::Grown { "reduce" } else { "gate" };
                let limits = limit_flags(optimizer.limits());
                format!("backedge {command} {file} --opt {}{limits}{judged}", quoted(&optimizer.text))
            }
            (None, None) => format!("backedge tv {file}{judged}"),
        }
    }

    /// The command for a RUN line, in which `%` is special. Output to a file goes to `output`, if given.
    fn for_lit(&self, output: Option<&str>) -> String {
        let plain = |text: &str| text.replace('%', "%%");
        match (&self.passes, self.optimizer) {
            (Some(passes), _) => self.ours(&plain(passes), "%s"),
            (None, Some(optimizer)) => {
                let optimizer = optimizer.with_each_word(plain);
                let other = output.and_then(|output| optimizer.with_output(output));
                other.unwrap_or(optimizer).for_shell("%s")
            }
            (None, None) => String::new(),
        }
    }

    /// The RUN line: it checks the result, or that the command fails as it does now.
    fn run_line(&self) -> String {
        if self.found.symptom.kind == Kind::Grown {
            return self.grown();
        }
        if self.is_lost() {
            return self.lost();
        }
        if let Some(after) = &self.after {
            return match self.optimizer.and_then(|optimizer| optimizer.with_output("-")) {
                None => format!("{} | FileCheck %s", self.for_lit(None)),
                Some(plain) if self.writes(&plain, after) => {
                    format!("{} | FileCheck %s", self.for_lit(Some("-")))
                }
                Some(_) => format!("{} && FileCheck %s --input-file=%t", self.for_lit(Some("%t"))),
            };
        }
        let command = self.for_lit(None);
        let how = match (&self.found.symptom.kind, self.optimizer) {
            (Kind::Hung(limit), Some(optimizer)) => return self.limited(*limit, optimizer),
            (Kind::Crashed(_), _) if self.is_killed() => "not --crash ",
            _ => "not ",
        };
        // A command could mistake words after the file for its input.
        format!("{how}{command} > /dev/null")
    }

    /// The RUN line for a command that exceeds a limit. For time and memory the test passes as long as the command
    /// does not finish within the limit; for output, as long as the output reaches the limit.
    fn limited(&self, limit: Limit, optimizer: &Optimizer) -> String {
        let limits = optimizer.limits();
        let command = self.for_lit(None);
        let shell = |text: &str| format!("sh -c {}", quoted(text));
        match limit {
            Limit::Time => {
                let run = format!("timeout {} {command} > /dev/null", limits.time.as_secs());
                // Any other exit code means that the time limit was not reached.
                shell(&format!("{run}; test $? -eq 124"))
            }
            Limit::Memory => {
                let kilobytes = limits.megabytes.saturating_mul(1 << 10);
                // The shell converts a signal to an exit code, which `not` would not accept.
                let run = shell(&format!("ulimit -v {kilobytes}; {command} > /dev/null || exit 1"));
                format!("not {run}")
            }
            Limit::Output => {
                let bytes = limits.output_megabytes.saturating_mul(1 << 20);
                let is_so_much = |from: &str| format!("test $({from} | wc -c) -eq {bytes}");
                if optimizer.with_output("%t").is_none() {
                    return shell(&is_so_much(&format!("{command} 2>&1 | head -c {bytes}")));
                }
                let (command, blocks) = (self.for_lit(Some("%t")), bytes.div_ceil(512));
                let is_so_much = is_so_much(&format!("head -c {bytes} %t"));
                shell(&format!("ulimit -f {blocks}; {command} > /dev/null 2>&1; {is_so_much}"))
            }
        }
    }

    /// The RUN line for a command whose result is too large: the test passes as long as the function has more lines
    /// with instructions than the bound.
    fn grown(&self) -> String {
        let bound = SIZE.of(self.instructions().unwrap_or_default());
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = Some(&self.found.function).filter(|name| !name.is_empty() && name.chars().all(is_plain));
        let name = name.map(|name| format!("@{name}("));
        let function = format!("sed -n \"/^define .*{}/,/^}}/p\"", name.unwrap_or_default());
        let count = |from: &str| format!("test $({from} | grep -c \"^  [a-z%]\") -gt {bound}");
        let line = match self.optimizer.and_then(|optimizer| optimizer.with_output("%t")) {
            None => count(&format!("{} | {function}", self.for_lit(None))),
            Some(_) => {
                let command = self.for_lit(Some("%t"));
                format!("{command} > /dev/null && {}", count(&format!("{function} %t")))
            }
        };
        format!("sh -c {}", quoted(&line))
    }

    /// The RUN line for a command whose result lacks the function: the test passes as long as the result does not
    /// define it.
    fn lost(&self) -> String {
        let search = format!("grep ^define | grep -qF {}", quoted(&self.head()));
        let line = match self.optimizer.and_then(|optimizer| optimizer.with_output("%t")) {
            None => format!("{} | {search}", self.for_lit(None)),
            Some(_) => format!("{} > /dev/null && cat %t | {search}", self.for_lit(Some("%t"))),
        };
        format!("not sh -c {}", quoted(&line))
    }

    /// Whether there is a result that lacks the function.
    fn is_lost(&self) -> bool {
        let head = self.head();
        let is_defined =
            |after: &String| after.lines().any(|line| line.starts_with("define") && line.contains(&head));
        // A quoted name has several spellings.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "@._$-(".contains(c);
        head.chars().all(is_plain) && self.after.as_ref().is_some_and(|after| !is_defined(after))
    }

    /// The start of the function's definition; of the first definition, if the failure concerns the whole file.
    fn head(&self) -> String {
        let named = || Some(&self.found.function).filter(|name| !name.is_empty()).cloned();
        let first = || {
            let line = self.text.lines().find(|line| line.starts_with("define"))?;
            let (_, name) = line.split_once('@')?;
            name.split('(').next().map(str::to_owned)
        };
        format!("@{}(", named().or_else(first).unwrap_or_default())
    }

    /// The number of instructions of the failing function.
    fn instructions(&self) -> Option<usize> {
        let module = backedge_ir::parse::parse_module(self.text.as_bytes()).ok()?.module;
        let func = module.env.func_named(&self.found.function)?;
        Some(module.body(func)?.all_insts().count())
    }

    /// Whether `command` writes `after` for the module.
    fn writes(&self, command: &Optimizer, after: &str) -> bool {
        command.run_on(self.text.as_bytes(), COPY, &|| false).is_ok_and(|text| text == after.as_bytes())
    }

    /// Whether a signal kills the command itself rather than one of its child processes.
    fn is_killed(&self) -> bool {
        let status = |optimizer: &Optimizer| optimizer.status_on(self.text.as_bytes(), &|| false).ok();
        self.optimizer.and_then(status).is_some_and(|(status, _)| status.signal().is_some())
    }

    fn lit(&self) -> String {
        let mut text = format!("; RUN: {}\n;\n", self.run_line());
        let what = one_line(&self.found.to_string());
        let checked =
            self.after.as_ref().filter(|_| self.found.symptom.kind != Kind::Grown && !self.is_lost());
        let Some(after) = checked else {
            let _ = writeln!(text, "; FIXME: {}:\n; {what}.\n", self.now());
            text.push_str(self.text);
            return text;
        };
        let _ = writeln!(text, "; FIXME: what is checked is what comes out now, and it is wrong:\n; {what}.");
        if let Some((_, refutation)) = &self.found.refuted {
            for named in refutation.witness.arguments.iter().chain(&refutation.witness.memory) {
                let _ = writeln!(text, ";   {} = {}", one_line(&named.name), one_line(&named.value));
            }
            let _ = writeln!(text, ";   before: {}", one_line(&refutation.source.outcome));
            let _ = writeln!(text, ";   after:  {}", one_line(&refutation.target.outcome));
        }
        text.push('\n');
        format!("{NOTE}\n{text}{}", with_checks(self.text, after))
    }

    /// A comment on what the RUN line tests if there is no result.
    fn now(&self) -> String {
        match &self.found.symptom.kind {
            Kind::Hung(Limit::Time) => "that it takes so long is what is tested, and it must not".to_owned(),
            Kind::Hung(Limit::Memory) => {
                "that it takes so much memory is what is tested, and it must not".to_owned()
            }
            Kind::Hung(Limit::Output) => {
                "that it writes so much is what is tested, and it must not".to_owned()
            }
            Kind::Grown => "that it leaves so much is what is tested, and it must not".to_owned(),
            Kind::Crashed(_) | Kind::Refused(_) | Kind::Refuted { .. } | Kind::Restless(_) => {
                "that it fails is what is tested, and it must not".to_owned()
            }
        }
    }

    fn corpus(&self, path: &Path) -> miette::Result<(String, String)> {
        let (two, refutation) = as_pair(self.found)?;
        let (source, target) = two.sides();
        let made = Reproducer::new(source, target, refutation, self.options);
        let made = made.map_err(|why| miette::miette!("the pair can't be written as one module: {why}"))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let about = match self.command("it") {
            Some(_) => format!("{stem}: reduced from what an optimizer did: {}", self.found),
            None => format!("{stem}: {}", self.found),
        };
        let quoted = |text: &str| serde_json::to_string(&one_line(text)).unwrap_or_default();
        let mut toml = format!("about = {}\n\n[[tv]]\nsource = \"src\"\ntarget = \"tgt\"\n", quoted(&about));
        let by = if refutation.undef_input { "-by-undef" } else { "" };
        let _ = writeln!(toml, "expect = \"refuted{by}\"");
        let _ = writeln!(toml, "failure = {}", quoted(refutation.failure.words()));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((made.text(&name), toml))
    }

    /// The function before and after as `@src` and `@tgt` of one module, unless the module is such a pair itself.
    fn pair(&self) -> Option<String> {
        self.command(COPY)?;
        let (two, refutation) = self.found.refuted.as_ref()?;
        let (source, target) = two.sides();
        let text = Reproducer::new(source, target, refutation, self.options).ok()?.text("pair.ll");
        let spelled =
            self.optimizer.map(|optimizer| optimizer.spelled(text.as_bytes(), &|| false).into_owned());
        Some(spelled.map_or(text, |bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn issue(&self) -> String {
        let mut text = String::new();
        let what = one_line(&self.found.to_string());
        let who = match (&self.passes, self.optimizer) {
            (Some(passes), _) => format!("`-passes={passes}{}`", machine_flag(self.machine)),
            (None, Some(optimizer)) => format!("`{}`", optimizer.text),
            (None, None) => "the rewrite from `@src` to `@tgt`".to_owned(),
        };
        let wrong = matches!(self.found.symptom.kind, Kind::Refuted { .. });
        let verb = if wrong { "miscompiles this" } else { "fails on this" };
        let _ = writeln!(text, "# {what}\n\n{who} {verb}:\n\n{}", fenced("llvm", self.text));
        if let Some(command) = self.command(COPY) {
            let _ = writeln!(text, "with\n\n{}", fenced("sh", &command));
        }
        if let Some(guilty) = &self.guilty {
            let _ = writeln!(text, "Guilty, by bisection: {guilty}.\n");
        }
        if let Some(after) = self.after.as_ref().filter(|_| wrong) {
            let _ = writeln!(text, "It comes out as\n\n{}", fenced("llvm", after));
        }
        if !self.found.message.is_empty() {
            let _ = writeln!(text, "What it says:\n\n{}", fenced("text", &self.found.message));
        }
        if let Some((_, refutation)) = &self.found.refuted {
            let _ = writeln!(
                text,
                "Before and after, run side by side:\n\n{}",
                fenced("text", &refutation.to_string())
            );
        }
        if let Some(pair) = self.pair() {
            let _ = writeln!(
                text,
                "As one module, for `alive-tv` or `backedge tv`:\n\n{}",
                fenced("llvm", &pair)
            );
        }
        let _ = writeln!(text, "Found again by\n\n{}", fenced("sh", &self.check(COPY)));
        if let Some(version) = self.optimizer.and_then(|o| o.version(&|| false)) {
            let _ = writeln!(text, "Version of the command:\n\n{}", fenced("text", &version));
        }
        text.trim_end().to_owned() + "\n"
    }
}

/// A Markdown code block, with a fence that the text does not contain.
pub(super) fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// Replaces line ends, which a comment can't contain.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Quotes the text as one word for a shell.
fn quoted(text: &str) -> String {
    quoted_word(text, "")
}

#[cfg(test)]
mod tests {
    use super::{fenced, one_line, quoted};

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!((&*quoted("licm"), &*quoted("loop(licm)"), &*quoted("")), ("licm", "'loop(licm)'", "''"));
    }

    #[test]
    fn no_text_ends_its_fence() {
        assert_eq!(fenced("text", "a\n````\n"), "`````text\na\n````\n`````\n");
        assert_eq!(fenced("sh", "x"), "```sh\nx\n```\n");
        assert_eq!(one_line("a\nb\tc"), "a b c");
    }
}
