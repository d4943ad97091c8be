//! The judge of `tv` and `gate`, and the worker process of a judge.

use super::limits::Limits;
use crate::exit::Exit;
use crate::output;
use crate::shown::visible;
use backedge_smt::UnusableZ3;
use backedge_validate::cache::{Cache, Mode};
use backedge_validate::judge::Judge;
use backedge_validate::worker::{Launch, Pool, serve};
use miette::{IntoDiagnostic, WrapErr};
use std::path::PathBuf;

/// Environment variable with the default cache directory.
const CACHE_VARIABLE: &str = "BACKEDGE_CACHE";

/// Options of checks.
#[derive(Debug, clap::Args)]
pub(crate) struct Judging {
    #[command(flatten)]
    pub(super) limits: Limits,
    /// Run the solver in this process instead of worker processes that can be killed
    #[arg(long)]
    no_workers: bool,
    /// Cache verdicts in this directory, and reuse those of equal pairs; default: the directory in BACKEDGE_CACHE, or
    /// no cache if that is unset
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,
    /// Use no cache, even if BACKEDGE_CACHE is set
    #[arg(long)]
    no_cache: bool,
    /// Read verdicts from the cache, but write none
    #[arg(long, conflicts_with = "no_cache")]
    cache_read_only: bool,
    /// Maximum size of the cache in megabytes; above it the oldest verdicts are dropped
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    cache_size: u64,
    /// Accept verdicts that assume attributes and similar properties that only the target has (`refines, if @f is
    /// nofree`)
    #[arg(long)]
    pub(crate) assume_attributes: bool,
}

impl Judging {
    /// The judge for `jobs` concurrent checks (0: one per processor).
    pub(crate) fn judge(&self, jobs: usize) -> miette::Result<Judge> {
        let options = self.limits.options()?;
        if options.solver {
            check_z3()?;
        }
        let mut judge = Judge::new(options);
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
    /// The cache directory, if a cache is used.
    fn cache_dir(&self) -> Option<PathBuf> {
        if self.no_cache {
            return None;
        }
        let of_variable =
            || std::env::var_os(CACHE_VARIABLE).filter(|dir| !dir.is_empty()).map(PathBuf::from);
        self.cache.clone().or_else(of_variable)
    }
}

/// Fails if Z3 can't be asked, or has another version than the pinned one.
pub(crate) fn check_z3() -> miette::Result<()> {
    backedge_smt::check_z3_version().map_err(|unusable| match unusable {
        UnusableZ3::Absent => miette::miette!(
            help = "where the command has --no-solver, that flag makes it use runs alone",
            "{unusable}"
        ),
        UnusableZ3::NotPinned { .. } | UnusableZ3::Old { .. } => miette::miette!("{unusable}"),
    })
}

/// Serves another process of this program until that process ends.
pub(crate) fn work() -> miette::Result<Exit> {
    serve(std::io::stdin(), std::io::stdout()).into_diagnostic()?;
    Ok(Exit::Accepted)
}
