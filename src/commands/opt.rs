//! `backedge opt`: runs passes over a module and writes the result, with the flags of LLVM's `opt`.

use super::dot_changes::DotChanges;
use super::module::load;
use super::optimize::{LEVELS, machine, parse_passes};
use super::watch::{Shown, Watcher};
use crate::exit::Exit;
use crate::output;
use crate::remarks::{self, Wanted};
use crate::target;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_pipeline::registry::{MOST_COPIES, PASSES};
use backedge_pipeline::run::{self, Options, PrintAfter, PrintForm};
use backedge_pipeline::{Defaults, listing};
use backedge_transform::cost::Machine;
use backedge_validate::panics::caught;
use regex::bytes::Regex;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Without a pass, the module is written unchanged; without a file, it is read from standard input. The result is always \
text, with or without -S: bitcode is not written. As in LLVM's opt, long flags may have one dash, and a value is \
attached to a short flag only in -O3: it is -o FILE, not -oFILE.

Example:
  backedge opt -passes=loop-simplify,lcssa,loop-rotate corpus/forms/top-tested.ll -S -o rotated.ll"
)]
pub(crate) struct Args {
    /// The module: a .ll, .bc, .c or .cpp file, or - for standard input
    #[arg(default_value = "-")]
    input: PathBuf,
    /// The passes, in the text syntax of LLVM's opt; --print-passes lists them
    #[arg(long, short = 'p', value_name = "TEXT")]
    passes: Option<String>,
    /// The default pipeline of a level, like -passes='default<O2>'
    #[arg(short = 'O', value_name = "LEVEL", value_parser = LEVELS, conflicts_with = "passes")]
    level: Option<String>,
    /// List all passes with their parameters, and run nothing
    #[arg(long)]
    print_passes: bool,
    /// The target machine of the cost model: ooo, ooo-loop-predictor or in-order
    #[arg(long, value_name = "NAME", default_value = "ooo", value_parser = machine, conflicts_with = "mcpu")]
    machine: Machine,
    /// The output file; - for standard output
    #[arg(short = 'o', value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write text (the only format; accepted for compatibility with opt)
    #[arg(short = 'S')]
    text: bool,
    /// Don't write the result
    #[arg(long)]
    disable_output: bool,
    /// Verify the IR after every pass
    #[arg(long)]
    verify_each: bool,
    /// Skip the verification of the result
    #[arg(long, conflicts_with = "verify_each")]
    disable_verify: bool,
    /// Add the attribute "target-cpu" to functions without it. Of a processor that executes in order, --machine is
    /// in-order; costs depend on nothing else of it
    #[arg(long, value_name = "CPU", value_parser = target::name)]
    mcpu: Option<String>,
    /// Add these features to the attribute "target-features" of functions; costs do not depend on it
    #[arg(long, value_name = "+FEATURE,-FEATURE,...", value_parser = target::features, allow_hyphen_values = true)]
    mattr: Option<String>,
    /// Replace the target triple of the module; the data layout stays, and the choices of passes do not depend on it
    #[arg(long, value_name = "TRIPLE", value_parser = target::triple)]
    mtriple: Option<String>,
    /// Unroll every loop by this factor, as far as it can be unrolled; <count=M> of a pass takes precedence
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_COPIES)))]
    unroll_count: Option<u32>,
    /// Print functions before every pass to standard error
    #[arg(long, help_heading = SHOWN)]
    print_before_all: bool,
    /// Print functions before these passes
    #[arg(long, value_name = "PASS,…", value_delimiter = ',', help_heading = SHOWN)]
    print_before: Vec<String>,
    /// Print functions after every pass to standard error
    #[arg(long, help_heading = SHOWN)]
    print_after_all: bool,
    /// Print functions after these passes
    #[arg(long, value_name = "PASS,…", value_delimiter = ',', help_heading = SHOWN)]
    print_after: Vec<String>,
    /// Print the module, then functions after every pass that changed them, and a line for every other pass; quiet:
    /// only changes; diff and diff-quiet: with the removed and added lines; dot-cfg: write a graph of each change to
    /// the directory of --dot-cfg-dir, and passes.html, which lists them
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "verbose",
        value_parser = ["verbose", "quiet", "diff", "diff-quiet", "dot-cfg"], conflicts_with_all = ["print_after_all", "print_after"],
        help_heading = SHOWN)]
    print_changed: Option<String>,
    /// The directory for --print-changed=dot-cfg
    #[arg(long, value_name = "DIR", default_value = ".", help_heading = SHOWN)]
    dot_cfg_dir: PathBuf,
    /// Limit the printing around passes to these functions
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = SHOWN)]
    filter_print_funcs: Vec<String>,
    /// Print the whole module instead of a function
    #[arg(long, help_heading = SHOWN)]
    print_module_scope: bool,
    /// Print the parsed pipeline, and run nothing
    #[arg(long, help_heading = SHOWN)]
    print_pipeline_passes: bool,
    /// Print the name of each pass and function before it runs
    #[arg(long, help_heading = SHOWN)]
    debug_pass_manager: bool,
    /// Print how long the passes took
    #[arg(long, help_heading = SHOWN)]
    time_passes: bool,
    /// Print counts by pass: runs that changed the code, and remarks on applied transforms by name
    #[arg(long, help_heading = SHOWN)]
    stats: bool,
    /// Run at most this many passes
    #[arg(long, value_name = "N", alias = "opt-bisect-limit")]
    stop_after: Option<u64>,
    /// Print what each pass did, or why it did nothing
    #[arg(long, alias = "pass-remarks-all", help_heading = REMARKS)]
    remarks: bool,
    /// Print applied transforms of passes whose names match
    #[arg(long, value_name = "REGEX", value_parser = remarks::pattern, help_heading = REMARKS)]
    pass_remarks: Option<Regex>,
    /// Print missed transforms of passes whose names match, with reasons
    #[arg(long, value_name = "REGEX", value_parser = remarks::pattern, help_heading = REMARKS)]
    pass_remarks_missed: Option<Regex>,
    /// Accepted for compatibility with opt: the reasons are part of the missed-transform remarks
    #[arg(long, value_name = "REGEX", value_parser = remarks::pattern, help_heading = REMARKS)]
    pass_remarks_analysis: Option<Regex>,
    /// Write all remarks to this file as YAML documents, in LLVM's form
    #[arg(long, value_name = "FILE", help_heading = REMARKS)]
    pass_remarks_output: Option<PathBuf>,
    /// Limit the written remarks to passes whose names match
    #[arg(long, value_name = "REGEX", value_parser = remarks::pattern, requires = "pass_remarks_output",
        help_heading = REMARKS)]
    pass_remarks_filter: Option<Regex>,
}

const SHOWN: &str = "What is shown of a run, on standard error";
const REMARKS: &str = "Remarks, on standard error";

impl Args {
    fn options(&self) -> Options {
        Options {
            verify_each: self.verify_each,
            print_before: self.print_before_all || !self.print_before.is_empty(),
            print_after: match self.print_changed.as_deref() {
                _ if self.print_after_all || !self.print_after.is_empty() => PrintAfter::All,
                None | Some("dot-cfg") => PrintAfter::Never,
                Some("quiet" | "diff-quiet") => PrintAfter::Changed,
                Some(_) => PrintAfter::ChangedOrNot,
            },
            print_form: match self.print_changed.as_deref() {
                Some("diff" | "diff-quiet") => PrintForm::Diff,
                _ if self.print_module_scope => PrintForm::Module,
                _ => PrintForm::Function,
            },
            stop_after: self.stop_after,
        }
    }

    fn shown(&self) -> Shown {
        let plain = |name: &String| name.strip_prefix('@').unwrap_or(name).to_owned();
        Shown {
            remarks: Wanted {
                all: self.remarks,
                passed: self.pass_remarks.clone(),
                missed: self.pass_remarks_missed.clone(),
            },
            kept: self.pass_remarks_filter.clone(),
            print_before: if self.print_before_all { Vec::new() } else { self.print_before.clone() },
            print_after: if self.print_after_all { Vec::new() } else { self.print_after.clone() },
            print_functions: self.filter_print_funcs.iter().map(plain).collect(),
            log: self.debug_pass_manager,
            statistics: self.stats,
        }
    }

    /// The result may overwrite the input, as with `opt`; the remarks may not overwrite anything.
    fn check_outputs(&self) -> miette::Result<()> {
        let Some(remarks) = &self.pass_remarks_output else { return Ok(()) };
        if !self.disable_output && *remarks == self.output {
            miette::bail!("the remarks and the result can't both be written to {}", remarks.display());
        }
        output::refuse_to_overwrite(remarks, &[self.input.clone(), self.output.clone()])
    }

    /// A diff of the whole module would hide what a pass did to its function.
    fn check_scope(&self) -> miette::Result<()> {
        match self.print_changed.as_deref() {
            Some(how @ ("diff" | "diff-quiet" | "dot-cfg")) if self.print_module_scope => {
                miette::bail!(
                    "-print-changed={how} prints functions: it can't be used with -print-module-scope"
                )
            }
            _ => Ok(()),
        }
    }

    /// An unknown pass name is an error, since nothing would ever be printed for it.
    fn check_names(&self) -> miette::Result<()> {
        let known = |name: &String| PASSES.iter().any(|p| p.name == name);
        for (flag, names) in [("-print-before", &self.print_before), ("-print-after", &self.print_after)] {
            if let Some(name) = names.iter().find(|name| !known(name)) {
                miette::bail!("{flag}: there is no pass '{name}'");
            }
        }
        Ok(())
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    if args.print_passes {
        output::to_stdout(&listing())?;
        return Ok(Exit::Accepted);
    }
    let level = args.level.as_ref().map(|level| format!("default<O{level}>"));
    let passes = args.passes.as_deref().or(level.as_deref()).unwrap_or_default();
    let unroll_count = args.unroll_count.map(|count| count as usize);
    let machine = args.mcpu.as_deref().map_or(args.machine, target::machine);
    let pipeline = parse_passes(passes, Defaults { machine, unroll_count })?;
    args.check_names()?;
    args.check_scope()?;
    if args.print_pipeline_passes {
        output::to_stdout(&format!("{pipeline}\n"))?;
        return Ok(Exit::Accepted);
    }
    args.check_outputs()?;
    let Ok((_, parsed)) = load(&args.input) else { return Ok(Exit::BadInput) };
    let mut module = parsed.module;
    if let Some(triple) = &args.mtriple {
        target::set_triple(&mut module.env, triple);
    }
    target::set_attributes(&mut module, args.mcpu.as_deref(), args.mattr.as_deref());
    let mut watcher = Watcher::new(&module, args.shown(), args.pass_remarks_output.is_some());
    if args.print_changed.as_deref() == Some("dot-cfg") {
        watcher.graphs = Some(DotChanges::new(args.dot_cfg_dir.clone()));
    }
    let result = caught(|| run::run(&mut module, &pipeline, args.options(), &mut watcher));
    if args.time_passes {
        output::to_stderr(&watcher.timing_report());
    }
    if args.stats {
        output::to_stderr(watcher.statistics.report().trim_end_matches('\n'));
    }
    watcher.graphs.take().map_or(Ok(()), DotChanges::finish)?;
    match result {
        Ok(Ok(_)) => {}
        Ok(Err(invalid)) => return Ok(crashed(&invalid.to_string())),
        Err(panic) => return Ok(crashed(&panic)),
    }
    // A pass that leaves invalid IR counts as a crash even without --verify-each; nothing is written.
    if !args.disable_verify
        && let Some(finding) = verify_module(&module).first()
    {
        return Ok(crashed(&format!("the result is invalid: {}", finding.render(&module))));
    }
    if let (Some(path), Some(yaml)) = (&args.pass_remarks_output, &watcher.yaml) {
        output::write(path, yaml)?;
    }
    if !args.disable_output {
        output::write(&args.output, &module_to_string(&module))?;
    }
    Ok(Exit::Accepted)
}

fn crashed(message: &str) -> Exit {
    output::to_stderr(&format!("error: the optimizer crashed: {message}"));
    Exit::Refuted
}
