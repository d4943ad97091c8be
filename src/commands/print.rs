//! `backedge print`: loops, control flow, facts about values and memory, scalar evolution, HIR, VPlan, or IR as text.

use super::module::{load, select};
use super::optimize::{machine, parse_vectorizer};
use super::scev::Asked;
use crate::exit::Exit;
use crate::output;
use backedge_analysis::print::{
    Detail, alias_to_string, cfg_to_dot, cfg_to_string, loops_to_string, must_execute_to_string,
    values_to_string,
};
use backedge_claim::text::PrintOptions;
use backedge_hir::ddg::{DdgText, ddg_to_dot, ddg_to_string};
use backedge_hir::print::{HirText, hir_to_string};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Env, Module};
use backedge_ir::print::{function_to_string, module_to_string};
use backedge_pipeline::{Nobody, Options, parse_pipeline, run as run_passes};
use backedge_scev::print::scev_to_string_after;
use backedge_transform::cost::Machine;
use backedge_vplan::build::Landing;
use backedge_vplan::report::{VPlanText, vplan_to_dot, vplan_to_string};
use backedge_vplan::vectorize::report::vector_plans_to_string;
use std::path::PathBuf;

/// Arguments of `print`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  backedge print loops corpus/terminology/nested.ll")]
pub(crate) struct Args {
    /// What to print
    what: What,
    /// The module: a .ll, .bc, .c or .cpp file, or - for standard input
    input: PathBuf,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// With cfg, ddg and vplan: print Graphviz source instead of text
    #[arg(long)]
    dot: bool,
    /// With cfg --dot: include instructions in the nodes
    #[arg(long, requires = "dot")]
    instructions: bool,
    /// With scev: also print facts that LLVM's text has no syntax for: facts that hold only in a part of the
    /// function, and recurrences that are no sums
    #[arg(long)]
    scopes: bool,
    /// With hir: also print the references of each node, their symbases, and the live-in and live-out variables of
    /// regions and loops
    #[arg(long)]
    symbases: bool,
    /// With hir: also print the properties of each reference: the induction variables, level, linearity and
    /// invariance of its forms, the strides of its dimensions and at each level, and the loads that its subscripts
    /// and base depend on
    #[arg(long)]
    queries: bool,
    /// With vplan: print each step, starting with the plain CFG, instead of only the hierarchical CFG
    #[arg(long)]
    steps: bool,
    /// With vplan: use a landing pad after loops with several exits, instead of all blocks up to their join
    #[arg(long)]
    landing_pad: bool,
    /// With vplan: leave code that is uniform across the iterations of the outermost loop unchanged
    #[arg(long)]
    uniform: bool,
    /// With vplan: print the vector code of each loop, evaluated by itself, recipe by recipe with costs, for each
    /// vector width, instead of the hierarchical CFG; PARAMS are those of loop-vectorize
    #[arg(long, value_name = "PARAMS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    #[arg(conflicts_with_all = ["steps", "landing_pad", "uniform", "dot"])]
    vector: Option<String>,
    /// With vplan --vector: the target machine of the cost model: ooo, ooo-loop-predictor or in-order [default: ooo]
    #[arg(long, value_name = "NAME", value_parser = machine)]
    machine: Option<Machine>,
    /// With ddg: include input dependences
    #[arg(long)]
    input_dependences: bool,
    /// With scev: query the analysis in this order before its result is printed, which is the same for each order
    #[arg(long, value_enum, value_name = "ORDER")]
    order: Option<Asked>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
enum What {
    /// The loop tree, in the format of LLVM's print<loops>
    Loops,
    /// Blocks with predecessors, successors, dominators and loops
    Cfg,
    /// Known bits and ranges of integers and pointers
    Values,
    /// Instructions that are executed in each iteration of a loop, in the format of LLVM's print-mustexecute
    Mustexecute,
    /// Aliasing of accessed pointers, in the format of LLVM's aa-eval
    Alias,
    /// Scalar evolution, in the format of LLVM's print<scalar-evolution>
    Scev,
    /// Loop nests in lexical order, with subscripts and bounds in closed form, after loop-simplify and lcssa
    Hir,
    /// The same nests with their data dependences: directions and distances for each loop around both ends
    Ddg,
    /// Vectorization plans of outermost loops, as a hierarchical CFG, after loop-simplify and lcssa
    Vplan,
    /// The parsed IR
    Ir,
}

/// The passes that bring loop nests into the form that HIR requires.
const HIR_FORM: &str = "loop-simplify,lcssa";

/// Prints the dependences of one function.
type Text = fn(&Env, FuncId, &Body, DdgText) -> String;

/// The module in the form that HIR requires.
fn in_form(module: &Module) -> miette::Result<Module> {
    let mut module = module.clone();
    let form = parse_pipeline(HIR_FORM).expect("a pipeline of ours");
    run_passes(&mut module, &form, Options::default(), &mut Nobody).map_err(|e| miette::miette!("{e}"))?;
    Ok(module)
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    if args.dot && !matches!(args.what, What::Cfg | What::Ddg | What::Vplan) {
        miette::bail!("--dot goes with print cfg, print ddg and print vplan");
    }
    if (args.steps || args.landing_pad || args.uniform || args.vector.is_some()) && args.what != What::Vplan {
        miette::bail!("--steps, --landing-pad, --uniform and --vector go with print vplan");
    }
    if args.machine.is_some() && args.vector.is_none() {
        miette::bail!("--machine requires print vplan --vector");
    }
    if args.instructions && args.what != What::Cfg {
        miette::bail!("--instructions goes with print cfg");
    }
    if args.input_dependences && args.what != What::Ddg {
        miette::bail!("--input-dependences goes with print ddg");
    }
    if args.scopes && args.what != What::Scev {
        miette::bail!("--scopes goes with print scev");
    }
    if (args.symbases || args.queries) && args.what != What::Hir {
        miette::bail!("--symbases and --queries go with print hir");
    }
    if args.order.is_some() && args.what != What::Scev {
        miette::bail!("--order goes with print scev");
    }
    let Ok((source, parsed)) = load(&args.input) else { return Ok(Exit::BadInput) };
    let module = &parsed.module;
    let functions = select(module, args.function.as_deref())?;
    let env = &module.env;
    if functions.is_empty() && args.what != What::Ir && !env.funcs.is_empty() {
        output::to_stderr(&format!("warning: no function of {} has code: nothing is printed", source.name));
    }
    let text = match args.what {
        What::Ir if args.function.is_none() => module_to_string(module),
        What::Ir => functions.iter().map(|f| function_to_string(module, *f)).collect(),
        What::Loops => each(module, &functions, ";", |f, body| loops_to_string(env, f, body)),
        What::Values => each(module, &functions, ";", |f, body| values_to_string(env, f, body)),
        What::Mustexecute => each(module, &functions, ";", |f, body| must_execute_to_string(env, f, body)),
        What::Alias => each(module, &functions, ";", |f, body| alias_to_string(env, f, body)),
        What::Scev => {
            let options = PrintOptions { scopes: args.scopes, ..PrintOptions::default() };
            let asked = args.order.map(Into::into);
            each(module, &functions, ";", |f, body| scev_to_string_after(env, f, body, options, asked))
        }
        What::Ddg => {
            let module = in_form(module)?;
            let options = DdgText { input: args.input_dependences };
            let (text, comment) =
                if args.dot { (ddg_to_dot as Text, "//") } else { (ddg_to_string as Text, ";") };
            each(&module, &functions, comment, |f, body| text(&module.env, f, body, options))
        }
        What::Hir => {
            let module = in_form(module)?;
            let options = HirText { symbases: args.symbases, queries: args.queries };
            each(&module, &functions, ";", |f, body| hir_to_string(&module.env, f, body, options))
        }
        What::Vplan if args.vector.is_some() => {
            let module = in_form(module)?;
            let params = args.vector.as_deref().unwrap_or_default();
            let pass = parse_vectorizer(params, args.machine.unwrap_or_default())?;
            let text = |f: FuncId, body: &Body| vector_plans_to_string(&module.env, f, body, &pass);
            each(&module, &functions, ";", text)
        }
        What::Vplan => {
            let module = in_form(module)?;
            let landing = if args.landing_pad { Landing::Pad } else { Landing::default() };
            let options =
                VPlanText { steps: args.steps, landing, uniform: args.uniform, ..VPlanText::default() };
            let text = if args.dot { vplan_to_dot } else { vplan_to_string };
            let comment = if args.dot { "//" } else { ";" };
            each(&module, &functions, comment, |f, body| text(&module.env, f, body, options))
        }
        What::Cfg if args.dot => {
            let detail = if args.instructions { Detail::Instructions } else { Detail::Names };
            each(module, &functions, "//", |f, body| cfg_to_dot(env, f, body, detail))
        }
        What::Cfg => each(module, &functions, ";", |f, body| cfg_to_string(env, f, body)),
    };
    output::to_stdout(&text)?;
    Ok(Exit::Accepted)
}

/// The text of each function: `text` applied to a supported body, a comment for other functions.
fn each(
    module: &Module,
    functions: &[FuncId],
    comment: &str,
    text: impl Fn(FuncId, &Body) -> String,
) -> String {
    let one = |func: &FuncId| match &module.code[*func] {
        Code::Body(body) => text(*func, body),
        Code::Opaque(code) => {
            let name = &module.env.funcs[*func].name;
            format!("{comment} @{name} is not modelled: {}\n", code.feature)
        }
        Code::Declaration => String::new(),
    };
    functions.iter().map(one).collect()
}
