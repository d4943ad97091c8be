//! LLVM 22's tools as peers of tests.

use crate::{Answer, run, skip};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The LLVM version that tests compare with.
const VERSION: u32 = 22;

/// A tool of LLVM 22.
#[derive(Clone, Debug)]
pub struct Peer {
    path: PathBuf,
}

/// The tool `name` (`opt`, `llvm-as`, …) of LLVM 22: from the directory `BACKEDGE_LLVM_BIN`, or `name-22` on the
/// path. If it is missing, reports that `what` is skipped.
pub fn peer(name: &str, what: &str) -> Option<Peer> {
    let path = match std::env::var_os("BACKEDGE_LLVM_BIN") {
        Some(dir) => PathBuf::from(dir).join(name),
        None => PathBuf::from(format!("{name}-{VERSION}")),
    };
    let version = Command::new(&path).arg("--version").stderr(Stdio::null()).output();
    match version {
        Ok(out) if String::from_utf8_lossy(&out.stdout).contains(&format!("version {VERSION}.")) => {
            Some(Peer { path })
        }
        Ok(_) => missing(what, &format!("{} is not of LLVM {VERSION}", path.display())),
        Err(_) => missing(what, &format!("{} of LLVM {VERSION} is not installed", path.display())),
    }
}

/// LLVM's `opt` of another version, `opt-VERSION` on the path. It is never required; if it is missing, reports that
/// `what` is skipped.
pub fn opt_of(version: u32, what: &str) -> Option<PathBuf> {
    let path = PathBuf::from(format!("opt-{version}"));
    let said = Command::new(&path).arg("--version").stderr(Stdio::null()).output();
    let fits = said.is_ok_and(|out| {
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        text.contains(&format!("version {version}."))
    });
    if !fits {
        skip(what, &format!("{} is not installed", path.display()));
    }
    fits.then_some(path)
}

/// Whether the command `program` can be started in `dir`. If not, reports that `what` is skipped; a missing tool of
/// LLVM 22 is a failure where peers are required.
pub fn can_start(program: &str, dir: &Path, what: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").current_dir(dir).stdin(Stdio::null());
    let starts = command.output().is_ok();
    if !starts {
        let why = format!("no command `{program}`");
        if program.ends_with(&format!("-{VERSION}")) {
            missing(what, &why);
        } else {
            skip(what, &why);
        }
    }
    starts
}

fn missing(what: &str, why: &str) -> Option<Peer> {
    let required = std::env::var_os("BACKEDGE_REQUIRE_PEERS").is_some_and(|v| v == "1");
    assert!(!required, "{what}: {why}, and peers are required");
    skip(what, why);
    None
}

impl Peer {
    /// The executable.
    pub fn path(&self) -> &PathBuf {
        &self.path
    }
    /// The scalar evolution that the tool, an `opt`, prints for `file`: at most `most` bytes, since the output for
    /// some files is unbounded, cut at the end of a line.
    pub fn scalar_evolution(&self, file: &Path, most: u64) -> Vec<u8> {
        let mut child = Command::new(&self.path)
            .args(["-passes=print<scalar-evolution>", "-disable-output"])
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{}: {e}", self.path.display()));
        let mut text = Vec::new();
        let mut output = child.stderr.take().expect("a pipe").take(most);
        output.read_to_end(&mut text).expect("the text");
        drop(output);
        let _ = child.kill();
        let _ = child.wait();
        let whole = text.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        text.truncate(whole);
        text
    }
    /// Runs the tool with `stdin`, for at most 60 seconds.
    pub fn run(&self, args: &[&str], stdin: &[u8]) -> Answer {
        self.run_for(args, stdin, Duration::from_secs(60))
    }
    /// Runs the tool with `stdin`, for at most `limit`.
    pub fn run_for(&self, args: &[&str], stdin: &[u8], limit: Duration) -> Answer {
        run(Command::new(&self.path).args(args), stdin, limit)
    }
}
