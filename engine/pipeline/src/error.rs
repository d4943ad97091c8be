//! Errors in a pipeline text, with their positions, and errors of a run.

use crate::pass::Level;
use backedge_ir::entity::FuncId;
use std::fmt::Write as _;
use std::ops::Range;
use thiserror::Error;

/// An error in a pipeline text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{kind}")]
pub struct PipelineError {
    /// The byte range in the text.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: PipelineErrorKind,
}

/// The kinds of errors in a pipeline text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PipelineErrorKind {
    /// A missing name.
    #[error("expected the name of a pass here")]
    EmptyElement,
    /// `(` without `)`.
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    /// `)` without `(`.
    #[error("this closing parenthesis has no opening one")]
    UnopenedParenthesis,
    /// `<` without `>`.
    #[error("these parameters are never closed: expected '>' before any ',' (';' separates parameters)")]
    UnclosedParameters,
    /// Missing separator after `)`.
    #[error("expected ',' or the end after ')'")]
    ExpectedSeparator,
    /// Parentheses nested too deeply.
    #[error("parentheses nest deeper than {limit}")]
    NestedTooDeeply {
        /// The limit.
        limit: usize,
    },
    /// No pass has this name.
    #[error("unknown {level} pass '{name}'{}", suggestion(name, nearest))]
    UnknownPass {
        /// The name.
        name: String,
        /// The level of the surrounding pipeline.
        level: Level,
        /// The most similar known spelling, if there is one.
        nearest: Option<&'static str>,
    },
    /// Only LLVM has a pass of this name.
    #[error(
        "'{name}' is a pass of LLVM that is not implemented here; to check LLVM's pass, run `backedge gate FILE --opt \
         'opt -passes={name} -S'`"
    )]
    OnlyInLlvm {
        /// The name with its parameters.
        name: String,
    },
    /// The pass has a wider level than the surrounding pipeline.
    #[error(
        "'{name}' is a {is} pass and can't run in a {within} pipeline; end that before it: '{within}(…),{name}'"
    )]
    WrongLevel {
        /// The name.
        name: String,
        /// The level of the pass.
        is: Level,
        /// The level of the surrounding pipeline.
        within: Level,
    },
    /// A pipeline inside one of a narrower level.
    #[error("a {is} pipeline can't be nested in a {within} pipeline")]
    PipelineInside {
        /// The level of the inner pipeline.
        is: Level,
        /// The level of the surrounding pipeline.
        within: Level,
    },
    /// A pass with parentheses.
    #[error("'{name}' is a pass, not a pipeline: it takes no parentheses")]
    NotAPipeline {
        /// The name.
        name: String,
    },
    /// A pipeline without parentheses.
    #[error("'{name}' is a pipeline: write '{name}(…)'")]
    MissingPipeline {
        /// The name.
        name: String,
    },
    /// An unknown parameter.
    #[error("'{name}' has no parameter '{param}'; it takes {known}")]
    UnknownParameter {
        /// The name of the pass.
        name: String,
        /// The parameter.
        param: String,
        /// The known parameters, for the message.
        known: String,
    },
    /// An invalid value of a parameter.
    #[error("'{name}' can't take '{param}': expected {expected}")]
    BadParameter {
        /// The name of the pass.
        name: String,
        /// The parameter with the value.
        param: String,
        /// The permitted values, for the message.
        expected: String,
    },
    /// A parameter that excludes an earlier one.
    #[error("'{name}' can't take '{param}' beside '{other}'")]
    ContradictoryParameters {
        /// The name of the pass.
        name: String,
        /// The parameter.
        param: String,
        /// The earlier parameter.
        other: String,
    },
    /// A parameter that sets the same option as an earlier one.
    #[error("the parameter '{param}' of '{name}' is given twice")]
    RepeatedParameter {
        /// The name of the pass.
        name: String,
        /// The parameter, without `no-`.
        param: String,
    },
    /// The pipeline holds too many passes.
    #[error("the pipeline runs more than {limit} passes")]
    TooManyPasses {
        /// The limit.
        limit: usize,
    },
}

/// The substitutes for LLVM passes that have another name here.
const ELSEWHERE: [(&str, &str); 8] = [
    ("irce", "'iteration-set-split' splits the iterations of loops, 'bound-restriction' leaves some out"),
    ("loop-reroll", "nothing undoes unrolling"),
    ("loop-unroll-and-jam", "it is 'hir-unroll-and-jam'"),
    ("loop-interchange", "it is 'hir-interchange'"),
    ("loop-fusion", "it is 'hir-fuse'"),
    ("loop-distribute", "it is 'hir-distribute'"),
    ("loop-unswitch", "it is 'simple-loop-unswitch'"),
    ("loop-load-elim", "'early-cse' removes loads of what is known, 'licm' keeps memory in registers"),
];

fn suggestion(name: &str, nearest: &Option<&'static str>) -> String {
    if name.contains(char::is_whitespace) {
        return "; passes are separated by ','".to_owned();
    }
    if name.starts_with("default<") {
        return "; the levels are O0, O1, O2, O3, Os and Oz".to_owned();
    }
    let bare = name.split('<').next().unwrap_or(name).to_ascii_lowercase();
    let elsewhere = ELSEWHERE.iter().find(|(theirs, _)| *theirs == bare);
    match (elsewhere, nearest) {
        (Some((_, hint)), _) => format!("; {hint}"),
        (None, Some(name)) => format!("; did you mean '{name}'?"),
        (None, None) => String::new(),
    }
}

impl PipelineError {
    /// The message with the text and a marker under the position.
    pub fn render(&self, text: &str) -> String {
        let column = text[..self.span.start].chars().count();
        let width = text[self.span.clone()].chars().count().max(1);
        let mut out = format!("{self}\n  -passes={text}\n");
        let indent = "  -passes=".len() + column;
        let _ = write!(out, "{:indent$}{:^<width$}", "", "");
        out
    }
}

/// Errors of a run.
#[derive(Clone, Debug, Error)]
pub enum RunError {
    /// The function is invalid after a pass; this is a bug in the pass.
    #[error("after pass '{pass}' on @{name}: {}", findings.join("; "))]
    Verifier {
        /// The pass, as spelled in a pipeline.
        pass: String,
        /// The function.
        func: FuncId,
        /// Its name.
        name: String,
        /// The verifier's findings, one message each.
        findings: Vec<String>,
    },
}

/// The name among `known` that is most similar to `name`, if it is similar enough: it differs in case or in a few
/// letters, or ends with `name` as its last words.
pub fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str> + Clone) -> Option<&'k str> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let limit = name.len().div_ceil(3).min(4);
    // The difference of the lengths is a lower bound of the distance; it avoids the quadratic cost of long names.
    let length = name.chars().count();
    let similar = known.clone().filter(|k| k.len().abs_diff(length) <= limit);
    let near = similar.map(|k| (strsim::levenshtein(&name, &k.to_ascii_lowercase()), k));
    let near = near.filter(|(d, _)| *d <= limit).min().map(|(_, k)| k);
    let ends = |k: &&'k str| k.strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with('-'));
    near.or_else(|| known.filter(|k| name.len() > 3 && ends(k)).min_by_key(|k| (k.len(), *k)))
}
