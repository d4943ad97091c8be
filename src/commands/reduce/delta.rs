//! The delta passes that a reduction runs: llvm-reduce's `--delta-passes`, `--skip-delta-passes`,
//! `--print-delta-passes` and `--max-pass-iterations`.

use crate::output;
use backedge_fuzz::reduce::{PASSES, PassSet};
use backedge_pipeline::nearest;

/// Flags for delta passes.
#[derive(Debug, clap::Args)]
pub(super) struct Delta {
    /// Run only these delta passes
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    delta_passes: Vec<String>,
    /// Don't run these delta passes
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    skip_delta_passes: Vec<String>,
    /// Print the names of the delta passes, and do nothing else
    #[arg(long)]
    pub(super) print_delta_passes: bool,
    /// Maximum number of rounds over the delta passes in each descent; by default they run until none makes progress
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_pass_iterations: u64,
}

impl Delta {
    /// The passes that these flags select.
    ///
    /// # Errors
    ///
    /// A name that no pass has, or an empty selection.
    pub(super) fn passes(&self) -> miette::Result<PassSet> {
        let start = if self.delta_passes.is_empty() { PassSet::ALL } else { PassSet::NONE };
        let set = self.delta_passes.iter().try_fold(start, |set, name| set.with(name).ok_or(name));
        let set = set.and_then(|set| {
            self.skip_delta_passes.iter().try_fold(set, |set, name| set.without(name).ok_or(name))
        });
        match set {
            Ok(PassSet::NONE) => miette::bail!("no delta pass is left to run"),
            Ok(set) => Ok(set),
            Err(name) => Err(unknown(name)),
        }
    }
}

fn unknown(name: &str) -> miette::Report {
    let near = nearest(name, PASSES.iter().map(|pass| pass.name));
    let near = near.map_or(String::new(), |near| format!("did you mean '{near}'? "));
    miette::miette!(
        help = format!("{near}--print-delta-passes prints all names"),
        "there is no delta pass '{name}'"
    )
}

/// Prints the passes in the order in which they run.
pub(super) fn print() -> miette::Result<()> {
    let lines = PASSES.iter().map(|pass| format!("{:<16} {}\n", pass.name, pass.about));
    output::to_stdout(&lines.collect::<String>())
}
