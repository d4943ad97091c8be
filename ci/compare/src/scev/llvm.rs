//! Parses the output of LLVM's `print<scalar-evolution>` while it is printed.

use anyhow::{Context, Result, bail};
use backedge_claim::claim::Claims;
use backedge_claim::text::{FunctionClaims, Reader};
use backedge_ir::module::Module;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The claims that `opt` prints about `file`, from which `module` was parsed, within `seconds`.
pub(crate) fn claims(opt: &Path, file: &Path, module: &Module, seconds: u64) -> Result<Vec<Claims>> {
    let mut child = Command::new(opt)
        .args(["-passes=print<scalar-evolution>", "-disable-output"])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{} can't be run", opt.display()))?;
    // The analysis prints to standard error.
    let output = child.stderr.take().context("no output")?;
    let mut killer = Killer { child: Some(child) };
    let (done, waiting) = channel::<()>();
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let read = read(module, BufReader::with_capacity(1 << 16, output));
            drop(done);
            read
        });
        let timed_out = waiting.recv_timeout(Duration::from_secs(seconds)) == Err(RecvTimeoutError::Timeout);
        let status = killer.finish(timed_out);
        let claims = reader.join().expect("reading does not panic");
        if timed_out {
            bail!("LLVM took more than {seconds} s");
        }
        if !status.is_some_and(|s| s.success()) {
            bail!("LLVM refuses it");
        }
        claims
    })
}

fn read(module: &Module, output: impl std::io::BufRead) -> Result<Vec<Claims>> {
    let mut all = Vec::new();
    for function in Reader::new(module, output) {
        if let FunctionClaims::Claims(claims) = function.map_err(|e| anyhow::anyhow!("{e}"))? {
            all.push(claims);
        }
    }
    Ok(all)
}

/// A child process that is killed with its owner.
struct Killer {
    child: Option<Child>,
}

impl Killer {
    fn finish(&mut self, kill: bool) -> Option<std::process::ExitStatus> {
        let mut child = self.child.take()?;
        if kill {
            child.kill().ok()?;
        }
        child.wait().ok()
    }
}

impl Drop for Killer {
    fn drop(&mut self) {
        self.finish(true);
    }
}
