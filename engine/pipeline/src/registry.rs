//! The passes by LLVM's names, and what a pipeline text means.
//!
//! As in `opt`, adaptors are implied in two ways. At the top, the first name decides what the whole text is a pipeline
//! of: after a function pass everything stands in a `function(…)`, after a loop pass in a `function(loop(…))`. Inside,
//! a single pass of a narrower kind gets an adaptor of its own: `module(loop-rotate)` is
//! `module(function(loop(loop-rotate)))`.

use crate::error::{PipelineError, PipelineErrorKind, nearest};
use crate::pass::{FunctionStep, Level, LoopSteps, ModulePass, ModuleStep, Pipeline};
use crate::passes::{NoOpFunction, NoOpLoop, PrintLoops, PrintScalarEvolution};
use crate::text::{Element, Params, parse_elements};
use backedge_transform::lcssa::Lcssa;
use backedge_transform::pass::LoopPass;
use backedge_transform::rotate::LoopRotate;
use backedge_transform::simplify::LoopSimplify;
use std::ops::Range;
use std::sync::Arc;

/// How many passes a pipeline may run, repetitions included.
pub const MAX_PASSES: usize = 10_000;

/// A pass or pipeline name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name as spelled, with parameters in angle brackets if they are part of it (`print<loops>`).
    pub name: &'static str,
    /// What it works on.
    pub level: Level,
    /// What it does, in a line.
    pub summary: &'static str,
    /// The parameters that it takes, for help and messages; empty if it takes none.
    pub params: &'static str,
}

/// All passes. A name may stand for a pass of several levels.
pub const PASSES: &[Name] = &[
    Name { name: "no-op-module", level: Level::Module, summary: "does nothing", params: "" },
    Name { name: "verify", level: Level::Module, summary: "checks every function", params: "" },
    Name { name: "print", level: Level::Module, summary: "prints the module", params: "" },
    Name {
        name: "loop-simplify",
        level: Level::Function,
        summary: "brings loops into loop simplify form",
        params: "",
    },
    Name { name: "lcssa", level: Level::Function, summary: "brings loops into LCSSA form", params: "" },
    Name { name: "no-op-function", level: Level::Function, summary: "does nothing", params: "" },
    Name { name: "verify", level: Level::Function, summary: "checks the function", params: "" },
    Name { name: "print", level: Level::Function, summary: "prints the function", params: "" },
    Name {
        name: "print<loops>",
        level: Level::Function,
        summary: "prints the loops with their depths and blocks",
        params: "",
    },
    Name {
        name: "print<scalar-evolution>",
        level: Level::Function,
        summary: "prints values as expressions over the loops, and how often these run",
        params: "",
    },
    Name {
        name: "loop-rotate",
        level: Level::Loop,
        summary: "turns loops left at the header into loops left at the latch",
        params: "'header-duplication', 'no-header-duplication', 'no-prepare-for-lto' and 'max-header-size=N'",
    },
    Name { name: "no-op-loop", level: Level::Loop, summary: "does nothing", params: "" },
];

/// The names that take a pipeline in parentheses, and what kind of pipeline that is.
const PIPELINES: &[(&str, Level)] = &[
    ("module", Level::Module),
    ("function", Level::Function),
    ("loop", Level::Loop),
    ("loop-mssa", Level::Loop),
];

fn pipeline_level(name: &str) -> Option<Level> {
    PIPELINES.iter().find(|(n, _)| *n == name).map(|(_, level)| *level)
}

/// Reads a pipeline text.
pub fn parse_pipeline(text: &str) -> Result<Pipeline, PipelineError> {
    let elements = parse_elements(text)?;
    let Some(first) = elements.first() else { return Ok(Pipeline::default()) };
    let mut reader = Reader { passes: 0 };
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

/// What the whole text is a pipeline of, by its first element. `function(…)` at the top stands in a module's pipeline,
/// as does `loop(…)` in a function's.
fn implied_level(first: &Element) -> Level {
    match pipeline_level(&first.name) {
        Some(Level::Module | Level::Function) => Level::Module,
        Some(Level::Loop) => Level::Function,
        None => level_of(first).unwrap_or(Level::Module),
    }
}

/// The widest level at which there is a pass of that name.
fn level_of(element: &Element) -> Option<Level> {
    levels_of(element).min()
}

fn levels_of(element: &Element) -> impl Iterator<Item = Level> {
    let full = full_name(element);
    let bare = element.name.clone();
    let fits = move |p: &&Name| p.name == full || !p.params.is_empty() && p.name == bare;
    PASSES.iter().filter(fits).map(|p| p.level)
}

fn full_name(element: &Element) -> String {
    match &element.params {
        Some(params) => format!("{}<{}>", element.name, params.text),
        None => element.name.clone(),
    }
}

struct Reader {
    passes: usize,
}

impl Reader {
    fn module(&mut self, elements: &[Element]) -> Result<Vec<ModuleStep>, PipelineError> {
        let mut steps = Vec::new();
        for element in elements {
            match pipeline_of(element, Level::Module)? {
                Some((Level::Module, inner)) => steps.extend(self.module(inner)?),
                Some((Level::Function, inner)) => steps.push(ModuleStep::Functions(self.function(inner)?)),
                Some((Level::Loop, _)) => {
                    let step = self.function(std::slice::from_ref(element))?;
                    steps.push(ModuleStep::Functions(step));
                }
                None => steps.push(self.module_pass(element)?),
            }
        }
        Ok(steps)
    }
    fn module_pass(&mut self, element: &Element) -> Result<ModuleStep, PipelineError> {
        let pass = match full_name(element).as_str() {
            "no-op-module" => ModulePass::NoOp,
            "verify" => ModulePass::Verify,
            "print" => ModulePass::Print,
            _ if level_of(element).is_some() => {
                return Ok(ModuleStep::Functions(vec![self.function_pass(element)?]));
            }
            _ => return Err(unknown(element, Level::Module)),
        };
        self.count(element)?;
        Ok(ModuleStep::Pass(pass))
    }
    fn function(&mut self, elements: &[Element]) -> Result<Vec<FunctionStep>, PipelineError> {
        let mut steps = Vec::new();
        for element in elements {
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
        let step = match full_name(element).as_str() {
            "loop-simplify" => FunctionStep::Pass(Arc::new(LoopSimplify)),
            "lcssa" => FunctionStep::Pass(Arc::new(Lcssa)),
            "no-op-function" => FunctionStep::Pass(Arc::new(NoOpFunction)),
            "print<loops>" => FunctionStep::Pass(Arc::new(PrintLoops)),
            "print<scalar-evolution>" => FunctionStep::Pass(Arc::new(PrintScalarEvolution)),
            "verify" => FunctionStep::Verify,
            "print" => FunctionStep::Print,
            _ => match levels_of(element).max() {
                Some(Level::Loop) => {
                    let passes = vec![self.loop_pass(element)?];
                    return Ok(FunctionStep::Loops(LoopSteps { memory_ssa: false, passes }));
                }
                Some(is) => return Err(wrong_level(element, is, Level::Function)),
                None => return Err(unknown(element, Level::Function)),
            },
        };
        self.count(element)?;
        Ok(step)
    }
    fn loops(&mut self, elements: &[Element]) -> Result<Vec<Arc<dyn LoopPass>>, PipelineError> {
        let mut passes = Vec::new();
        for element in elements {
            match pipeline_of(element, Level::Loop)? {
                Some((_, inner)) => passes.extend(self.loops(inner)?),
                None => passes.push(self.loop_pass(element)?),
            }
        }
        Ok(passes)
    }
    fn loop_pass(&mut self, element: &Element) -> Result<Arc<dyn LoopPass>, PipelineError> {
        let pass: Arc<dyn LoopPass> = match element.name.as_str() {
            "loop-rotate" => Arc::new(rotate_options(element.params.as_ref())?),
            "no-op-loop" if element.params.is_none() => Arc::new(NoOpLoop),
            _ => match levels_of(element).max() {
                Some(is) => return Err(wrong_level(element, is, Level::Loop)),
                None => return Err(unknown(element, Level::Loop)),
            },
        };
        self.count(element)?;
        Ok(pass)
    }
    fn count(&mut self, element: &Element) -> Result<(), PipelineError> {
        self.passes += 1;
        if self.passes <= MAX_PASSES {
            return Ok(());
        }
        Err(error(element, PipelineErrorKind::TooManyPasses { limit: MAX_PASSES }))
    }
}

/// The kind of pipeline that `element` is, and what it holds; `None` if it is a pass.
fn pipeline_of(element: &Element, within: Level) -> Result<Option<(Level, &[Element])>, PipelineError> {
    let name = &element.name;
    match (pipeline_level(name), &element.inner) {
        (Some(_), None) => Err(error(element, PipelineErrorKind::MissingPipeline { name: name.clone() })),
        (Some(is), Some(_)) if is < within => {
            Err(error(element, PipelineErrorKind::PipelineInside { is, within }))
        }
        (Some(is), Some(inner)) => match &element.params {
            None => Ok(Some((is, inner))),
            Some(params) => Err(unknown_param(name, &params.text, &params.span, "no parameters")),
        },
        (None, None) => Ok(None),
        (None, Some(_)) if level_of(element).is_some() => {
            Err(error(element, PipelineErrorKind::NotAPipeline { name: name.clone() }))
        }
        (None, Some(_)) => Err(unknown(element, within)),
    }
}

/// The options of `loop-rotate`; LLVM's, and `max-header-size=N` for its `-rotation-max-header-size`.
fn rotate_options(params: Option<&Params>) -> Result<LoopRotate, PipelineError> {
    let mut options = LoopRotate::default();
    for (param, span) in params.into_iter().flat_map(Params::iter) {
        match param.split_once('=') {
            None if param == "header-duplication" => options = LoopRotate::default(),
            None if param == "no-header-duplication" => options.max_header_size = 0,
            None if param == "no-prepare-for-lto" => {}
            None if param == "prepare-for-lto" => {
                let (name, param) = ("loop-rotate".to_owned(), param.to_owned());
                let kind = PipelineErrorKind::UnsupportedParameter { name, param };
                return Err(PipelineError { span, kind });
            }
            Some(("max-header-size", size)) if size.parse::<u32>().is_ok() => {
                options.max_header_size = size.parse::<u32>().map_or(0, |s| s as usize);
            }
            _ => {
                let known = PASSES.iter().find(|p| p.name == "loop-rotate").map_or("", |p| p.params);
                return Err(unknown_param("loop-rotate", param, &span, known));
            }
        }
    }
    Ok(options)
}

fn error(element: &Element, kind: PipelineErrorKind) -> PipelineError {
    PipelineError { span: element.span.clone(), kind }
}

fn wrong_level(element: &Element, is: Level, within: Level) -> PipelineError {
    error(element, PipelineErrorKind::WrongLevel { name: full_name(element), is, within })
}

fn unknown_param(name: &str, param: &str, span: &Range<usize>, known: &str) -> PipelineError {
    let (name, param, known) = (name.to_owned(), param.to_owned(), known.to_owned());
    PipelineError { span: span.clone(), kind: PipelineErrorKind::UnknownParameter { name, param, known } }
}

/// The error for a name that nothing has, or for parameters of a pass that takes none.
fn unknown(element: &Element, level: Level) -> PipelineError {
    if let Some(params) = &element.params
        && PASSES.iter().any(|p| p.name == element.name)
        && !PASSES.iter().any(|p| p.name.starts_with(&format!("{}<", element.name)))
    {
        return unknown_param(&element.name, &params.text, &params.span, "no parameters");
    }
    let name = full_name(element);
    let known = PASSES.iter().map(|p| p.name).chain(PIPELINES.iter().map(|p| p.0));
    let nearest = nearest(&name, known);
    error(element, PipelineErrorKind::UnknownPass { name, level, nearest })
}
