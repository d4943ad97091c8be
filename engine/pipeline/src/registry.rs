//! The registry of passes under LLVM's names, and the interpretation of a pipeline text.
//!
//! As in `opt`, adaptors are implied in two ways. At the top level, the first name determines the kind of the whole
//! pipeline: a function pass implies `function(…)` around everything, a loop pass `function(loop(…))`. Inside a
//! pipeline, each single pass of a narrower kind gets its own adaptor: `module(loop-rotate)` is
//! `module(function(loop(loop-rotate)))`. `repeat<N>(…)`, which LLVM 22 no longer has, repeats its contents N times, in
//! a pipeline of any kind. Elements that only LLVM's pass managers need are accepted and do nothing
//! ([`crate::analyses`]), so that pipelines printed by LLVM can be reused.

use crate::domtree::PrintDomTree;
use crate::error::{PipelineError, PipelineErrorKind, nearest};
use crate::hir::{HirPass, Transform};
use crate::llvm::is_only_in_llvm;
use crate::name::{Make, Name};
use crate::params::{self, Defaults, Given, Read, unknown_param};
use crate::pass::{FunctionStep, Level, LoopSteps, ModulePass, ModuleStep, Pipeline};
use crate::passes::{NoOpFunction, NoOpLoop, PrintLoops, PrintMustExecute, PrintScalarEvolution};
use crate::text::{Element, Params, parse_elements};
use crate::{analyses, defaults, vplan};
use backedge_transform::cleanup::{Dce, InstSimplify, LoopInstSimplify, LoopSimplifyCfg};
use backedge_transform::cost::Machine;
use backedge_transform::deletion::LoopDeletion;
use backedge_transform::lcssa::Lcssa;
use backedge_transform::pass::{FunctionPass, LoopPass};
use backedge_transform::restrict::{self, BoundRestriction, EarlyExitInversion};
use backedge_transform::simplify::LoopSimplify;
use backedge_vplan::vectorize::{self, LoopVectorize};
use std::sync::Arc;

/// The maximum number of passes that a pipeline may run, including repetitions: nested `repeat<N>` multiply it, and the
/// text may come from anywhere.
pub const MAX_PASSES: usize = 10_000;

pub use crate::params::MOST_COPIES;

/// All passes. One name may denote passes at several levels.
pub const PASSES: &[Name] = &[
    Name::new("default<O0>", "optimizes nothing", Make::Pipeline(defaults::O0)),
    Name::new("default<O1>", "optimizes loops without copying much", Make::Pipeline(defaults::O1)),
    Name::new("default<O2>", "optimizes loops, copying where it pays", Make::Pipeline(defaults::O2)),
    Name::new("default<O3>", "optimizes loops, also by making several of one", Make::Pipeline(defaults::O3)),
    Name::new("default<Os>", "optimizes loops, copying little", Make::Pipeline(defaults::OS)),
    Name::new("default<Oz>", "optimizes loops, copying nothing", Make::Pipeline(defaults::OZ)),
    Name::new("no-op-module", "does nothing", Make::Module(ModulePass::NoOp)),
    Name::new("verify", "checks every function", Make::Module(ModulePass::Verify)),
    Name::new("print", "prints the module", Make::Module(ModulePass::Print)),
    Name::new("no-op-function", "does nothing", Make::Function(|_| pass(NoOpFunction))),
    Name::new("verify", "checks the function", Make::Function(|_| Ok(FunctionStep::Verify))),
    Name::new("print", "prints the function", Make::Function(|_| Ok(FunctionStep::Print))),
    Name::new(
        "print<loops>",
        "prints the loops with their depths and blocks",
        Make::Function(|_| pass(PrintLoops)),
    ),
    Name::new(
        "print<scalar-evolution>",
        "prints values as expressions over the loops, and how often these run",
        Make::Function(|_| pass(PrintScalarEvolution)),
    ),
    Name::new("print<domtree>", "prints the dominator tree", Make::Function(|_| pass(PrintDomTree))),
    Name::new(
        "print-mustexecute",
        "prints which instructions each iteration of a loop executes",
        Make::Function(|_| pass(PrintMustExecute)),
    ),
    Name::new("no-op-loop", "does nothing", Make::Loop(|_| Ok(Arc::new(NoOpLoop)))),
    Name::new(
        "loop-simplify",
        "brings loops into loop simplify form",
        Make::Function(|_| pass(LoopSimplify)),
    ),
    Name::new(
        "instsimplify",
        "replaces instructions by values that are there already",
        Make::Function(|_| pass(InstSimplify)),
    ),
    Name::new(
        "early-cse",
        "removes redundant computations, loads and stores",
        Make::Function(|given| pass(params::early_cse(given)?)),
    )
    .with("'memssa'"),
    Name::new("dce", "removes instructions that nothing needs", Make::Function(|_| pass(Dce))),
    Name::new(
        "simplifycfg",
        "folds decided branches, removes unreachable blocks, merges blocks",
        Make::Function(|given| pass(params::simplify_cfg(given)?)),
    )
    .with(params::SIMPLIFY_CFG),
    Name::new(
        "loop-instsimplify",
        "replaces instructions of loops by values that are there already",
        Make::Loop(|_| Ok(Arc::new(LoopInstSimplify))),
    ),
    Name::new(
        "loop-simplifycfg",
        "folds decided branches of loops, removes unreachable blocks, merges blocks",
        Make::Loop(|_| Ok(Arc::new(LoopSimplifyCfg))),
    ),
    Name::new("loop-deletion", "deletes loops without effect", Make::Loop(|_| Ok(Arc::new(LoopDeletion)))),
    Name::new(
        "loop-idiom",
        "replaces stores that fill or copy memory by one call",
        Make::Loop(|given| Ok(Arc::new(params::idiom(given)?))),
    )
    .with("'no-memset' and 'no-memcpy'"),
    Name::new(
        "hir-roundtrip",
        "makes trees of loop nests and lowers them again, optimizing nothing",
        Make::Function(|_| pass(HirPass(Transform::Nothing))),
    ),
    Name::new(
        "hir-strip-mine",
        "makes loops over strips of the iterations of innermost loops",
        Make::Function(|given| pass(HirPass(Transform::StripMine(params::size(given, 32)?)))),
    )
    .with("'N', the iterations of a strip"),
    Name::new(
        "hir-interchange",
        "interchanges the loops of perfect nests to reduce memory strides",
        Make::Function(|given| pass(HirPass(Transform::Interchange(params::profit(given)?)))),
    )
    .with(params::PROFIT),
    Name::new(
        "hir-tile",
        "executes perfect nests tile by tile",
        Make::Function(|given| {
            let (size, profit) = params::sized(given, 32)?;
            pass(HirPass(Transform::Tile(size, profit)))
        }),
    )
    .with("'N', the iterations of each loop in a tile, and 'force', whatever is gained"),
    Name::new(
        "hir-unroll-and-jam",
        "executes several iterations of a loop around another as one",
        Make::Function(|given| {
            let (factor, profit) = params::sized(given, 4)?;
            pass(HirPass(Transform::UnrollAndJam(factor, profit)))
        }),
    )
    .with("'N', the iterations that become one, and 'force', whatever is gained"),
    Name::new(
        "hir-distribute",
        "divides the bodies of loops among several loops",
        Make::Function(|given| pass(HirPass(Transform::Distribute(params::profit(given)?)))),
    )
    .with(params::PROFIT),
    Name::new(
        "hir-fuse",
        "fuses adjacent loops",
        Make::Function(|given| pass(HirPass(Transform::Fuse(params::profit(given)?)))),
    )
    .with(params::PROFIT),
    Name::new(
        vplan::NAME,
        "makes vectorization plans of loop nests and executes them again, optimizing nothing",
        Make::Function(|given| pass(params::vplan(given)?)),
    )
    .with(
        "'plain', or some of 'preheaders', 'multi-exit', 'non-uniform', 'single-exit', 'entry-exit' and \
         'shared-exit', and 'landing-pad' and 'uniform'",
    ),
    Name::new("lcssa", "brings loops into LCSSA form", Make::Function(|_| pass(Lcssa))),
    Name::new(
        "licm",
        "hoists and sinks loop-invariant code",
        Make::Loop(|given| Ok(Arc::new(params::licm(given, false)?))),
    )
    .with(params::LICM),
    Name::new(
        "lnicm",
        "moves out of nests of loops what need not be done in any iteration",
        Make::Loop(|given| Ok(Arc::new(params::licm(given, true)?))),
    )
    .with(params::LICM),
    Name::new(
        "indvars",
        "canonicalizes induction variables and replaces exit values and exit tests",
        Make::Loop(|given| Ok(Arc::new(params::indvars(given)?))),
    )
    .with("'no-exit-values', 'no-exit-tests' and 'no-widening'"),
    Name::new(
        "loop-rotate",
        "turns loops left at the header into loops left at the latch",
        Make::Loop(|given| Ok(Arc::new(params::rotate(given)?))),
    )
    .with(
        "'header-duplication' and 'prepare-for-lto', each with 'no-' in front too, and 'max-header-size=N'",
    ),
    Name::new(
        "loop-peel",
        "peels iterations off before or after the loop",
        Make::Loop(|given| Ok(Arc::new(params::peel(given)?))),
    )
    .with("'count=N', 'last', 'profile', 'threshold=N' and 'machine=NAME'"),
    Name::new(
        restrict::INVERSION,
        "leaves loops where a condition in them no longer holds",
        Make::Loop(|_| Ok(Arc::new(EarlyExitInversion))),
    ),
    Name::new(
        restrict::RESTRICTION,
        "restricts loops to the iterations in which a condition holds",
        Make::Loop(|_| Ok(Arc::new(BoundRestriction))),
    ),
    Name::new(
        "iteration-set-split",
        "makes two loops of one where a comparison in it changes",
        Make::Loop(|given| Ok(Arc::new(params::iteration_split(given)?))),
    )
    .with("'at=N', 'multiple=N', 'threshold=N' and 'machine=NAME'"),
    Name::new("loop-unroll", "unrolls loops", Make::Function(|given| pass(params::unroll(given, false)?)))
        .with(params::UNROLL),
    Name::new(
        "loop-unroll-full",
        "fully unrolls loops with few iterations",
        Make::Function(|given| pass(params::unroll(given, true)?)),
    )
    .with(params::UNROLL),
    Name::new(
        "loop-unroll-full",
        "fully unrolls loops with few iterations",
        Make::Loop(|given| Ok(Arc::new(params::unroll(given, true)?))),
    )
    .with(params::UNROLL),
    Name::new(
        "loop-vectorize",
        "makes several iterations of loops at once, in vectors",
        Make::Function(|given| pass(params::vectorize(given)?)),
    )
    .with(params::VECTORIZE),
    Name::new(
        "simple-loop-unswitch",
        "moves loop-invariant conditions out of loops",
        Make::Loop(|given| Ok(Arc::new(params::unswitch(given)?))),
    )
    .with("'nontrivial', 'trivial', each with 'no-' in front too, and 'threshold=N'"),
];

fn pass(pass: impl FunctionPass + 'static) -> Result<FunctionStep, PipelineError> {
    Ok(FunctionStep::Pass(Arc::new(pass)))
}

/// The name of the repetition pipeline.
const REPEAT: &str = "repeat";

/// The name of LLVM's pipeline that repeats while indirect calls become direct, up to a limit; no pass here makes calls
/// direct.
const DEVIRT: &str = "devirt";

/// The names that take a pipeline in parentheses, with the level of that pipeline.
const PIPELINES: &[(&str, Level)] = &[
    ("module", Level::Module),
    // There are no call graph passes, and function passes do not depend on the function order.
    ("cgscc", Level::Module),
    (DEVIRT, Level::Module),
    ("function", Level::Function),
    ("loop", Level::Loop),
    ("loop-mssa", Level::Loop),
];

/// LLVM's parameters of function pipelines: to invalidate analyses after the pipeline, and to skip functions unchanged
/// since its last run. They have no effect here: analyses are always kept up to date, and unchanged functions are
/// processed again.
const OF_FUNCTIONS: [&str; 2] = ["eager-inv", "no-rerun"];

fn pipeline_level(name: &str) -> Option<Level> {
    PIPELINES.iter().find(|(n, _)| *n == name).map(|(_, level)| *level)
}

/// Parses a pipeline text.
pub fn parse_pipeline(text: &str) -> Result<Pipeline, PipelineError> {
    parse_pipeline_for(text, Machine::default())
}

/// Parses a pipeline text; passes have the options `defaults`, such as a machine, unless the text says otherwise.
pub fn parse_pipeline_for(text: &str, defaults: impl Into<Defaults>) -> Result<Pipeline, PipelineError> {
    let elements = parse_elements(text)?;
    let Some(first) = elements.first() else { return Ok(Pipeline::default()) };
    let mut reader = Reader { passes: 0, defaults: defaults.into() };
    let steps = match implied_level(first) {
        Level::Module => reader.module(&elements)?,
        Level::Function => vec![ModuleStep::Functions(reader.function(&elements)?)],
        Level::Loop => {
            let passes = reader.loops(&elements)?;
            let steps = LoopSteps { memory_ssa: false, passes };
            vec![ModuleStep::Functions(vec![FunctionStep::Loops(steps)])]
        }
    };
    Ok(Pipeline { steps })
}

/// `loop-vectorize` with the parameters in `text`, for clients that query its decisions.
pub fn vectorizer(text: &str, machine: Machine) -> Result<LoopVectorize, PipelineError> {
    let params = Params { text: text.to_owned(), span: 0..text.len() };
    let element = Element { name: vectorize::NAME.to_owned(), span: 0..0, params: Some(params), inner: None };
    let name = named(&element).next().ok_or_else(|| unknown(&element, Level::Function))?;
    params::vectorize(Given::to(name, &element, machine.into()))
}

/// The level of the whole text, determined by its first element. A top-level `function(…)` is in a module pipeline, a
/// top-level `loop(…)` in a function pipeline.
fn implied_level(first: &Element) -> Level {
    match pipeline_level(&first.name) {
        Some(Level::Module | Level::Function) => Level::Module,
        Some(Level::Loop) => Level::Function,
        None => level_of(first).or_else(|| analyses::level_of(first, None)).unwrap_or(Level::Module),
    }
}

/// The widest level of a pass with this name.
fn level_of(element: &Element) -> Option<Level> {
    levels_of(element).min()
}

fn levels_of(element: &Element) -> impl Iterator<Item = Level> {
    named(element).map(Name::level)
}

/// The passes that `element` may denote.
fn named(element: &Element) -> impl Iterator<Item = &'static Name> {
    let full = full_name(element);
    let bare = element.name.clone();
    let verifies = analyses::is_verified(element);
    PASSES.iter().filter(move |p| {
        let is_bare = !p.params.is_empty() || verifies && p.level() == Level::Function;
        p.name == full || is_bare && p.name == bare
    })
}

fn full_name(element: &Element) -> String {
    match &element.params {
        Some(params) => format!("{}<{}>", element.name, params.text),
        None => element.name.clone(),
    }
}

struct Reader {
    passes: usize,
    defaults: Defaults,
}

impl Reader {
    fn module(&mut self, elements: &[Element]) -> Result<Vec<ModuleStep>, PipelineError> {
        let mut steps = Vec::new();
        for element in elements {
            if let Some((times, inner)) = repeated(element)? {
                for _ in 0..times {
                    steps.extend(self.module(inner)?);
                }
                continue;
            }
            if analyses::level_of(element, Some(Level::Module)) == Some(Level::Module) {
                self.count(element)?;
                steps.push(ModuleStep::Pass(ModulePass::NoOp));
                continue;
            }
            match pipeline_of(element, Level::Module)? {
                Some((Level::Module, inner)) => steps.extend(self.module(inner)?),
                Some((Level::Function, inner)) => steps.push(ModuleStep::Functions(self.function(inner)?)),
                Some((Level::Loop, _)) => {
                    let step = self.function(std::slice::from_ref(element))?;
                    steps.push(ModuleStep::Functions(step));
                }
                None => match named(element).find_map(Name::pipeline) {
                    Some(text) => steps.extend(self.module(&parse_elements(text)?)?),
                    None => steps.push(self.module_pass(element)?),
                },
            }
        }
        Ok(steps)
    }
    fn module_pass(&mut self, element: &Element) -> Result<ModuleStep, PipelineError> {
        for name in named(element) {
            if let Make::Module(pass) = name.make {
                self.count(element)?;
                return Ok(ModuleStep::Pass(pass));
            }
        }
        match level_of(element).or_else(|| analyses::level_of(element, None)) {
            Some(_) => Ok(ModuleStep::Functions(vec![self.function_pass(element)?])),
            None => Err(unknown(element, Level::Module)),
        }
    }
    fn function(&mut self, elements: &[Element]) -> Result<Vec<FunctionStep>, PipelineError> {
        let mut steps = Vec::new();
        for element in elements {
            if let Some((times, inner)) = repeated(element)? {
                for _ in 0..times {
                    steps.extend(self.function(inner)?);
                }
                continue;
            }
            match pipeline_of(element, Level::Function)? {
                Some((Level::Loop, inner)) => {
                    let memory_ssa = element.name == "loop-mssa";
                    steps.push(FunctionStep::Loops(LoopSteps { memory_ssa, passes: self.loops(inner)? }));
                }
                Some((_, inner)) => steps.extend(self.function(inner)?),
                None => steps.push(self.function_pass(element)?),
            }
        }
        Ok(steps)
    }
    fn function_pass(&mut self, element: &Element) -> Result<FunctionStep, PipelineError> {
        for name in named(element) {
            if let Make::Function(make) = name.make {
                self.count(element)?;
                return make(Given::to(name, element, self.defaults));
            }
        }
        let of_analysis = analyses::level_of(element, Some(Level::Function));
        if of_analysis == Some(Level::Function) {
            self.count(element)?;
            return pass(NoOpFunction);
        }
        match levels_of(element).max().or(of_analysis) {
            Some(Level::Loop) => {
                let passes = vec![self.loop_pass(element)?];
                Ok(FunctionStep::Loops(LoopSteps { memory_ssa: false, passes }))
            }
            Some(is) => Err(wrong_level(element, is, Level::Function)),
            None => Err(unknown(element, Level::Function)),
        }
    }
    fn loops(&mut self, elements: &[Element]) -> Result<Vec<Arc<dyn LoopPass>>, PipelineError> {
        let mut passes = Vec::new();
        for element in elements {
            if let Some((times, inner)) = repeated(element)? {
                for _ in 0..times {
                    passes.extend(self.loops(inner)?);
                }
                continue;
            }
            match pipeline_of(element, Level::Loop)? {
                Some((_, inner)) => passes.extend(self.loops(inner)?),
                None => passes.push(self.loop_pass(element)?),
            }
        }
        Ok(passes)
    }
    fn loop_pass(&mut self, element: &Element) -> Result<Arc<dyn LoopPass>, PipelineError> {
        for name in named(element) {
            if let Make::Loop(make) = name.make {
                self.count(element)?;
                return make(Given::to(name, element, self.defaults));
            }
        }
        let of_analysis = analyses::level_of(element, Some(Level::Loop));
        if of_analysis == Some(Level::Loop) {
            self.count(element)?;
            return Ok(Arc::new(NoOpLoop));
        }
        match levels_of(element).max().or(of_analysis) {
            Some(is) => Err(wrong_level(element, is, Level::Loop)),
            None => Err(unknown(element, Level::Loop)),
        }
    }
    fn count(&mut self, element: &Element) -> Result<(), PipelineError> {
        self.passes += 1;
        if self.passes <= MAX_PASSES {
            return Ok(());
        }
        Err(error(element, PipelineErrorKind::TooManyPasses { limit: MAX_PASSES }))
    }
}

/// The repetition count and the contents if `element` is a repetition.
fn repeated(element: &Element) -> Result<Option<(u32, &[Element])>, PipelineError> {
    if element.name != REPEAT {
        return Ok(None);
    }
    let Some(inner) = &element.inner else {
        return Err(error(element, PipelineErrorKind::MissingPipeline { name: full_name(element) }));
    };
    let Some(params) = &element.params else {
        let (name, expected) = (REPEAT.to_owned(), "how often in angle brackets: 'repeat<N>(…)'".to_owned());
        return Err(error(element, PipelineErrorKind::BadParameter { param: String::new(), name, expected }));
    };
    let mut times = 0;
    match params::number_within(&mut times, &params.text, (1, MAX_PASSES as u32)) {
        Read::Bad(expected) => {
            let (name, param) = (REPEAT.to_owned(), params.text.clone());
            let kind = PipelineErrorKind::BadParameter { name, param, expected };
            Err(PipelineError { span: params.span.clone(), kind })
        }
        Read::Taken | Read::Unknown => Ok(Some((times, inner))),
    }
}

/// The level and contents of the pipeline `element`; `None` if it is a pass.
fn pipeline_of(element: &Element, within: Level) -> Result<Option<(Level, &[Element])>, PipelineError> {
    let name = &element.name;
    match (pipeline_level(name), &element.inner) {
        (Some(_), None) => Err(error(element, PipelineErrorKind::MissingPipeline { name: name.clone() })),
        (Some(is), Some(_)) if is < within => {
            Err(error(element, PipelineErrorKind::PipelineInside { is, within }))
        }
        (Some(is), Some(inner)) => match &element.params {
            None => Ok(Some((is, inner))),
            Some(params) => {
                let is_known = |param: &str| param.is_empty() || OF_FUNCTIONS.contains(&param);
                let takes = match is {
                    Level::Function => params.text.split(';').all(is_known),
                    Level::Module => name == DEVIRT && params.text.parse::<u32>().is_ok(),
                    Level::Loop => false,
                };
                if takes {
                    return Ok(Some((is, inner)));
                }
                let known = match is {
                    Level::Function => "'eager-inv' and 'no-rerun'",
                    Level::Module if name == DEVIRT => "a number",
                    Level::Module | Level::Loop => "no parameters",
                };
                Err(unknown_param(name, &params.text, &params.span, known))
            }
        },
        (None, None) => Ok(None),
        (None, Some(_)) if level_of(element).is_some() => {
            Err(error(element, PipelineErrorKind::NotAPipeline { name: name.clone() }))
        }
        (None, Some(_)) => Err(unknown(element, within)),
    }
}

fn error(element: &Element, kind: PipelineErrorKind) -> PipelineError {
    PipelineError { span: element.span.clone(), kind }
}

fn wrong_level(element: &Element, is: Level, within: Level) -> PipelineError {
    error(element, PipelineErrorKind::WrongLevel { name: full_name(element), is, within })
}

/// The error for an unknown name, or for parameters of a pass without parameters.
fn unknown(element: &Element, level: Level) -> PipelineError {
    if let Some(params) = &element.params
        && PASSES.iter().any(|p| p.name == element.name)
        && !PASSES.iter().any(|p| p.name.starts_with(&format!("{}<", element.name)))
    {
        return unknown_param(&element.name, &params.text, &params.span, "no parameters");
    }
    let name = full_name(element);
    if is_only_in_llvm(&element.name) {
        return error(element, PipelineErrorKind::OnlyInLlvm { name });
    }
    let known = PASSES.iter().map(|p| p.name).chain(PIPELINES.iter().map(|p| p.0)).chain([REPEAT]);
    let nearest = nearest(&name, known);
    error(element, PipelineErrorKind::UnknownPass { name, level, nearest })
}
