//! Who judges, common to `tv` and `gate`; and the worker that a judge has work for it.

use super::limits::Limits;
use crate::exit::Exit;
use crate::output;
use crate::problem::visible;
use backedge_validate::cache::{Cache, Mode};
use backedge_validate::judge::Judge;
use backedge_validate::worker::{Launch, Pool, serve};
use miette::{IntoDiagnostic, WrapErr};
use std::path::PathBuf;

/// Names the cache's directory where no flag does.
const CACHE_VARIABLE: &str = "BACKEDGE_CACHE";

/// How checks are done.
#[derive(Debug, clap::Args)]
pub(crate) struct Judging {
    #[command(flatten)]
    limits: Limits,
    /// Ask the solver in this process, not in worker processes that can be killed
    #[arg(long)]
    no_workers: bool,
    /// Keep verdicts in this directory, and take those of equal pairs from there; default: where BACKEDGE_CACHE says, none
    /// where it does not
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,
    /// Do without a cache, whatever BACKEDGE_CACHE says
    #[arg(long)]
    no_cache: bool,
    /// Take verdicts from the cache, but keep none there
    #[arg(long, conflicts_with = "no_cache")]
    cache_read_only: bool,
    /// Megabytes that the cache may take; beyond it the oldest verdicts are dropped
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    cache_size: u64,
    /// Accept verdicts that hold if attributes and the like hold that only the target has (`refines, if @f is nofree`)
    #[arg(long)]
    pub(crate) assume_attributes: bool,
}

impl Judging {
    /// The judge, for so many checks side by side (0: one per processor).
    pub(crate) fn judge(&self, jobs: usize) -> miette::Result<Judge> {
        let mut judge = Judge::new(self.limits.options()?);
        if let Some(dir) = self.cache_dir() {
            let mode = if self.cache_read_only { Mode::ReadOnly } else { Mode::ReadWrite };
            let warn = |text: &str| output::to_stderr(&format!("warning: {}", visible(text)));
            let limit = self.cache_size.saturating_mul(1 << 20);
            judge = judge.with_cache(Cache::open(&dir, mode, limit, Box::new(warn)));
        } else if self.cache_read_only {
            miette::bail!(help = "name it with --cache DIR", "--cache-read-only needs a cache");
        }
        if self.no_workers {
            return Ok(judge);
        }
        let launch = Launch::this_program()
            .into_diagnostic()
            .wrap_err("worker processes can't be started (--no-workers does without)")?;
        Ok(judge.with_workers(Pool::new(launch, jobs)))
    }
}

impl Judging {
    /// Where verdicts are kept, if they are.
    fn cache_dir(&self) -> Option<PathBuf> {
        if self.no_cache {
            return None;
        }
        let of_variable =
            || std::env::var_os(CACHE_VARIABLE).filter(|dir| !dir.is_empty()).map(PathBuf::from);
        self.cache.clone().or_else(of_variable)
    }
}

/// Works for another process of this program until that one ends.
pub(crate) fn work() -> miette::Result<Exit> {
    serve(std::io::stdin(), std::io::stdout()).into_diagnostic()?;
    Ok(Exit::Accepted)
}
