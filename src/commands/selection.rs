//! The input files of `gate`: the files of the given paths, less excluded ones, or only those that git lists as
//! changed.

use super::files::find_files;
use crate::input::{self, Source};
use crate::output;
use crate::problem::Problem;
use crate::shown::{shown, visible};
use backedge_ir::module::Code;
use globset::{GlobBuilder, GlobMatcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments that select files.
#[derive(Debug, clap::Args)]
pub(crate) struct Selection {
    /// Files, or directories whose .ll files are all checked
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Leave out the files that a pattern matches: its *, ? and ** match in the path as named here, or in the file's name
    /// if the pattern has no /; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = glob)]
    exclude: Vec<GlobMatcher>,
    /// Check only files that differ from this revision of the git repository around the current directory, and untracked
    /// ones
    #[arg(long, value_name = "REV")]
    pub(crate) changed_since: Option<String>,
}

/// Parses a pattern. `*` does not match `/`.
fn glob(text: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(text).literal_separator(true).build().map_err(|e| e.to_string())?;
    Ok(glob.compile_matcher())
}

impl Selection {
    /// The selected files; none if no file has changed.
    ///
    /// # Errors
    ///
    /// If a directory can't be read or has no file, if all files are excluded, or if git fails.
    pub(crate) fn files(&self) -> miette::Result<Vec<PathBuf>> {
        input::refuse_stdin_twice(&self.paths)?;
        let mut files = find_files(&self.paths)?;
        files.retain(|file| !self.is_excluded(file));
        if files.is_empty() {
            miette::bail!("--exclude leaves out every file: nothing would be checked");
        }
        if let Some(revision) = &self.changed_since {
            let changed = changed_since(revision)?;
            let is_changed = |file: &PathBuf| file.canonicalize().is_ok_and(|file| changed.contains(&file));
            files.retain(|file| file.as_os_str() == "-" || is_changed(file));
        }
        Ok(files)
    }

    /// Whether a pattern matches the path or, without `/`, the name of the file.
    fn is_excluded(&self, file: &Path) -> bool {
        let plain: PathBuf = file.components().skip_while(|part| part.as_os_str() == ".").collect();
        let name = file.file_name().map(Path::new);
        self.exclude.iter().any(|glob| {
            let of_name = !glob.glob().glob().contains('/');
            glob.is_match(&plain) || of_name && name.is_some_and(|name| glob.is_match(name))
        })
    }
}

/// The files that differ from `revision` or are untracked, as absolute paths.
fn changed_since(revision: &str) -> miette::Result<BTreeSet<PathBuf>> {
    let top = git(&["rev-parse", "--show-toplevel"], Path::new("."))?;
    let top = PathBuf::from(top.trim_end_matches(['\n', '\r']));
    let differ =
        ["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", "--end-of-options", revision, "--"];
    let untracked = ["ls-files", "--others", "--exclude-standard", "-z"];
    let mut all = BTreeSet::new();
    for arguments in [&differ[..], &untracked] {
        let names = git(arguments, &top)?;
        let paths = names.split('\0').filter(|name| !name.is_empty()).map(|name| top.join(name));
        // A deleted file has no canonical path, and is not among the inputs.
        all.extend(paths.filter_map(|path| path.canonicalize().ok()));
    }
    Ok(all)
}

/// The output of git.
fn git(arguments: &[&str], directory: &Path) -> miette::Result<String> {
    let run = Command::new("git").arg("-C").arg(directory).args(arguments).output();
    let done = run.map_err(|e| miette::miette!("--changed-since needs git, which can't be run: {e}"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        miette::bail!(
            help = "name a commit, branch or tag of the repository around the current directory",
            "--changed-since: git {}: {}",
            arguments.first().copied().unwrap_or_default(),
            visible(said)
        );
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Prints the functions of the files, one on each line, and why a function would not be judged. Returns whether all files
/// could be read.
pub(crate) fn list(files: &[PathBuf]) -> miette::Result<bool> {
    let mut is_readable = true;
    for path in files {
        let name = shown(path);
        let lines = match Source::read(path) {
            Ok(source) => functions(&source).map(|functions| functions.join("")),
            Err(problem) => Err(problem.to_string()),
        };
        let lines = lines.unwrap_or_else(|why| {
            is_readable = false;
            format!(": unreadable: {}\n", visible(&why))
        });
        let lines: String = lines.lines().map(|line| format!("{name}{line}\n")).collect();
        output::to_stdout(&lines)?;
    }
    Ok(is_readable)
}

/// The functions of a file, each as a line.
fn functions(source: &Source) -> Result<Vec<String>, String> {
    let parsed = source
        .parse()
        .map_err(|problems| problems.iter().map(Problem::one_line).collect::<Vec<_>>().join("; "))?;
    let module = &parsed.module;
    let lines = module.code.iter().filter_map(|(func, code)| {
        let name = visible(&module.env.funcs[func].name);
        match code {
            Code::Declaration => None,
            Code::Body(_) => Some(format!(": @{name}\n")),
            Code::Opaque(code) => Some(format!(": @{name}: not modelled: {}\n", code.feature)),
        }
    });
    Ok(lines.collect())
}

#[cfg(test)]
mod tests {
    use super::{Selection, glob};
    use std::path::Path;

    #[test]
    fn patterns_match_names_and_paths() {
        let excludes = |pattern: &str, file: &str| {
            let exclude = vec![glob(pattern).expect(pattern)];
            Selection { paths: Vec::new(), exclude, changed_since: None }.is_excluded(Path::new(file))
        };
        assert!(excludes("*.tmp.ll", "./a/b.tmp.ll") && excludes("b.ll", "a/b.ll"));
        assert!(excludes("a/*.ll", "./a/b.ll") && !excludes("a/*.ll", "a/c/b.ll"));
        assert!(excludes("a/**", "a/c/b.ll") && excludes("**/c/*", "a/c/b.ll"));
        assert!(!excludes("a", "a/b.ll") && !excludes("*.txt", "a/b.ll"));
        assert!(glob("a[").is_err());
    }
}
