//! The benefit of loop passes: kernels are run before and after the passes of Backedge and LLVM, and instructions and
//! branches are counted.
//!
//! A kernel is a `.ll` file of the corpus with a `[[measure]]` entry in the `.toml` beside it, which names a function
//! and its arguments. The interpreter executes the same IR that the passes produce, so the counts do not depend on a
//! machine. Counted are instructions without phis (a call of an intrinsic counts as one), and the branches among them.
//! A run after passes must have the same result as the run before, including memory; otherwise the kernel is an error.

mod count;
mod native;
mod report;

use crate::files::collect;
use crate::passes::llvm_pipeline;
use crate::process;
use anyhow::{Context, Result, anyhow, bail, ensure};
use backedge_ir::module::Module;
use backedge_pipeline::name::Name;
use backedge_pipeline::parse_pipeline_for;
use backedge_pipeline::registry::PASSES;
use backedge_pipeline::run::{Nobody, Options, run as run_pipeline};
use backedge_testkit::corpus::{Expectations, Measure};
use backedge_transform::cost::Machine;
use count::Counts;
use report::{Row, Table};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Compare how many instructions and branches kernels execute before and after Backedge's and LLVM's loop passes
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  ci/compare-kernels corpus/kernels\n  \
    ci/compare-kernels corpus/kernels --update docs/kernels.md\n\n\
    Exit codes: 0 ours at O3 executes no more instructions and no more branches in the sum than LLVM's loop passes, \
    for an in-order machine no more than these with unrolling at run time, and with vectors no more instructions; 1 it does; 2 bad input, no opt, or a \
    kernel that gives a different result after passes.")]
pub(crate) struct Args {
    /// Directories and .ll files, with .toml files beside them
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// LLVM's opt
    #[arg(long, default_value = "opt-22", value_name = "COMMAND")]
    opt: PathBuf,
    /// Skip LLVM's passes
    #[arg(long)]
    without_opt: bool,
    /// Print the tables in Markdown
    #[arg(long)]
    markdown: bool,
    /// Write the tables into this file, between its lines `<!-- kernels -->` and `<!-- /kernels -->`
    #[arg(long, value_name = "FILE", conflicts_with = "without_opt")]
    update: Option<PathBuf>,
    /// Time the kernels on this machine instead, compiled by llc
    #[arg(long, conflicts_with_all = ["update", "without_opt", "markdown"])]
    native: bool,
    /// With --native: LLVM's llc
    #[arg(long, default_value = "llc-22", value_name = "COMMAND")]
    llc: PathBuf,
    /// With --native: a C compiler
    #[arg(long, default_value = "cc", value_name = "COMMAND")]
    cc: PathBuf,
    /// Time limit of LLVM for one kernel, in seconds
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    timeout: u64,
}

/// The origin of the code that is measured.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    /// The code in the file.
    Before,
    /// Backedge's default pipeline of that level, for a machine.
    Ours(Model, u8),
    /// Backedge's default pipeline of the highest level, with vectorization.
    OursVectors,
    /// LLVM's loop passes. LLVM leaves run-time unrolling to targets.
    Llvm {
        /// Whether they unroll at run time.
        runtime: bool,
    },
    /// LLVM's loop passes with vectorization, without run-time unrolling, which the target requests.
    LlvmVectors,
}

/// The machines of the cost model.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    /// Out-of-order: unrolling must save more than correctly predicted branches.
    Ooo,
    /// In-order: each branch has a cost.
    InOrder,
}

impl Column {
    /// In the order of the table.
    const ALL: [Self; 9] = [
        Self::Before,
        Self::Ours(Model::Ooo, 2),
        Self::Ours(Model::Ooo, 3),
        Self::Llvm { runtime: false },
        Self::Ours(Model::InOrder, 2),
        Self::Ours(Model::InOrder, 3),
        Self::Llvm { runtime: true },
        Self::OursVectors,
        Self::LlvmVectors,
    ];
    /// The columns to compare, and the number of kinds of counts to compare: with vectorization only instructions.
    pub(crate) const RIVALS: [(Self, Self, usize); 3] = [
        (Self::Ours(Model::Ooo, 3), Self::Llvm { runtime: false }, 3),
        (Self::Ours(Model::InOrder, 3), Self::Llvm { runtime: true }, 3),
        (Self::OursVectors, Self::LlvmVectors, 1),
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::Ours(Model::Ooo, 2) => "O2",
            Self::Ours(Model::Ooo, _) => "O3",
            Self::Ours(Model::InOrder, 2) => "O2 in-order",
            Self::Ours(Model::InOrder, _) => "O3 in-order",
            Self::Llvm { runtime: false } => "opt",
            Self::Llvm { runtime: true } => "opt runtime",
            Self::OursVectors => "O3 vectors",
            Self::LlvmVectors => "opt vectors",
        }
    }
    fn is_llvms(self) -> bool {
        matches!(self, Self::Llvm { .. } | Self::LlvmVectors)
    }
}

/// The target options for LLVM. The kernels specify no target, and without one LLVM does not vectorize.
const WIDE: [&str; 2] = ["-mtriple=x86_64-unknown-linux-gnu", "-mattr=+avx2"];

/// Prints the tables; returns whether the criterion in `--help` is met.
pub(crate) fn run(args: &Args) -> Result<bool> {
    if args.native {
        return times(args).map(|()| true);
    }
    let columns = Column::ALL.into_iter().filter(|c| !args.without_opt || !c.is_llvms()).collect();
    let mut table = Table { columns, rows: Vec::new() };
    for file in collect(&args.inputs)? {
        for entry in Expectations::beside(&file)?.measures {
            let counts = measure(args, &file, &entry, &table.columns)
                .with_context(|| format!("{} @{}", file.display(), entry.function))?;
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            table.rows.push(Row { name, counts });
        }
    }
    ensure!(!table.rows.is_empty(), "no file says what is to be measured");
    if let Some(file) = &args.update {
        let text = fs::read_to_string(file).with_context(|| format!("{} can't be read", file.display()))?;
        let text = report::put_into(&text, &table.markdown())?;
        fs::write(file, text).with_context(|| format!("{} can't be written", file.display()))?;
    }
    print!("{}", if args.markdown { table.markdown() } else { table.text() });
    Ok(args.without_opt || table.is_no_worse())
}

/// The counts in the order of the columns; the first is that of the original code.
fn measure(args: &Args, file: &Path, entry: &Measure, columns: &[Column]) -> Result<Vec<Counts>> {
    let text = fs::read(file).context("can't be read")?;
    let (before, _) = count::run(&parse(&text)?, entry)?;
    let of_column = |column: &Column| {
        let module = made(args, (file, &text), *column);
        module.and_then(|m| count::same(&before, &m, entry)).with_context(|| column.name())
    };
    columns.iter().map(of_column).collect()
}

/// The module of `file`, with contents `text`, after the passes of a column.
fn made(args: &Args, (file, text): (&Path, &[u8]), column: Column) -> Result<Module> {
    match column {
        Column::Before => parse(text),
        Column::Ours(model, level) => by_ours(text, model, &format!("default<O{level}>")),
        Column::OursVectors => by_ours(text, Model::Ooo, &vectors_of_ours()?),
        Column::Llvm { runtime } => by_llvm(args, file, (&llvm_pipeline(runtime), &[])),
        Column::LlvmVectors => by_llvm(args, file, (&vectors_of_llvm(), &WIDE)),
    }
}

/// Prints the run times of the kernels.
fn times(args: &Args) -> Result<()> {
    let limit = Duration::from_secs(args.timeout);
    let compilers = native::Compilers { llc: args.llc.clone(), cc: args.cc.clone(), limit };
    let mut rows = Vec::new();
    for file in collect(&args.inputs)? {
        for entry in Expectations::beside(&file)?.measures {
            let text = fs::read(&file).with_context(|| file.display().to_string())?;
            let of = |column: &Column| {
                let module = made(args, (&file, &text), *column)?;
                native::time(&compilers, &module, &entry)
            };
            let all: Result<Vec<f64>> = native::COLUMNS.iter().map(of).collect();
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            rows.push((name, all.with_context(|| file.display().to_string())?));
        }
    }
    ensure!(!rows.is_empty(), "no file says what is to be measured");
    print!("{}", native::render(&rows));
    Ok(())
}

/// Backedge's default pipeline of the highest level, with vectorization before unrolling.
pub(crate) fn vectors_of_ours() -> Result<String> {
    let default = PASSES.iter().find(|p| p.name == "default<O3>").and_then(Name::pipeline);
    let text = default.context("there is no default<O3>")?;
    let (before, after) = text.split_once("loop-unroll<").context("default<O3> does not unroll")?;
    Ok(format!("{before}loop-vectorize,loop(indvars,loop-deletion),loop-unroll<{after}"))
}

/// LLVM's passes with vectorization at its usual position.
pub(crate) fn vectors_of_llvm() -> String {
    llvm_pipeline(false).replace("),loop-unroll,", "),loop-vectorize,loop-unroll<no-runtime>,")
}

/// A module after Backedge's pipeline.
fn by_ours(text: &[u8], model: Model, passes: &str) -> Result<Module> {
    let machine = match model {
        Model::Ooo => "ooo",
        Model::InOrder => "in-order",
    };
    let machine = *Machine::named(machine).with_context(|| format!("there is no machine {machine}"))?;
    let pipeline = parse_pipeline_for(passes, machine).map_err(|e| anyhow!("{e}"))?;
    let mut module = parse(text)?;
    let options = Options { verify_each: true, ..Options::default() };
    run_pipeline(&mut module, &pipeline, options, &mut Nobody).map_err(|e| anyhow!("{e}"))?;
    Ok(module)
}

fn parse(text: &[u8]) -> Result<Module> {
    match backedge_ir::parse::read_module(text) {
        Ok(parsed) => Ok(parsed.module),
        Err(problems) => bail!("{}", problems.first().map_or("it is no module", |p| &p.message)),
    }
}

/// The module of `file` after LLVM's passes.
fn by_llvm(args: &Args, file: &Path, (passes, options): (&str, &[&str])) -> Result<Module> {
    let dir = tempfile::tempdir()?;
    let out = dir.path().join("out.ll");
    let mut command = Command::new(&args.opt);
    command.arg("-S").arg(format!("-passes={passes}")).arg(file).arg("-o").arg(&out).args(options);
    let limit = Duration::from_secs(args.timeout);
    process::run(&mut command, limit)?.of_llvm(limit)?;
    parse(&fs::read(&out).context("LLVM writes nothing")?)
}
