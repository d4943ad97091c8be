//! What can be wrong with a pipeline text, with its place; and what can go wrong in a run.

use crate::pass::Level;
use backedge_ir::entity::FuncId;
use std::fmt::Write as _;
use std::ops::Range;
use thiserror::Error;

/// An error of a pipeline text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{kind}")]
pub struct PipelineError {
    /// Where in the text, in bytes.
    pub span: Range<usize>,
    /// What is wrong there.
    pub kind: PipelineErrorKind,
}

/// What is wrong with a pipeline text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PipelineErrorKind {
    /// Nothing stands where a name should.
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
    /// Something follows `)` directly.
    #[error("expected ',' or the end after ')'")]
    ExpectedSeparator,
    /// Too many parentheses inside each other.
    #[error("parentheses nest deeper than {limit}")]
    NestedTooDeeply {
        /// The limit.
        limit: usize,
    },
    /// No pass has that name.
    #[error("unknown {level} pass '{name}'{}", suggestion(name, nearest))]
    UnknownPass {
        /// The name.
        name: String,
        /// The kind of pipeline that it stands in.
        level: Level,
        /// The known spelling that is nearest, if one is near.
        nearest: Option<&'static str>,
    },
    /// The pass works on more than the pipeline that it stands in holds.
    #[error(
        "'{name}' is a {is} pass and can't run in a {within} pipeline; end that before it: '{within}(…),{name}'"
    )]
    WrongLevel {
        /// The name.
        name: String,
        /// What it works on.
        is: Level,
        /// The kind of pipeline that it stands in.
        within: Level,
    },
    /// A pipeline inside one of a narrower kind.
    #[error("a {is} pipeline can't stand in a {within} pipeline")]
    PipelineInside {
        /// What it works on.
        is: Level,
        /// The kind of pipeline that it stands in.
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
    /// A parameter that the pass does not have.
    #[error("'{name}' has no parameter '{param}'; it takes {known}")]
    UnknownParameter {
        /// The name of the pass.
        name: String,
        /// The parameter.
        param: String,
        /// What it takes, for the message.
        known: String,
    },
    /// A value that a parameter can't have.
    #[error("'{name}' can't take '{param}': expected {expected}")]
    BadParameter {
        /// The name of the pass.
        name: String,
        /// The parameter with the value.
        param: String,
        /// What could stand there, for the message.
        expected: String,
    },
    /// A parameter that can't be had together with one before it.
    #[error("'{name}' can't take '{param}' beside '{other}'")]
    ContradictoryParameters {
        /// The name of the pass.
        name: String,
        /// The parameter.
        param: String,
        /// The one before it.
        other: String,
    },
    /// A parameter that says something of what one before it said something of already.
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

/// What stands here for passes of LLVM's that are known by another name.
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
    /// The message with the text and a mark under the place.
    pub fn render(&self, text: &str) -> String {
        let column = text[..self.span.start].chars().count();
        let width = text[self.span.clone()].chars().count().max(1);
        let mut out = format!("{self}\n  -passes={text}\n");
        let indent = "  -passes=".len() + column;
        let _ = write!(out, "{:indent$}{:^<width$}", "", "");
        out
    }
}

/// What can go wrong in a run.
#[derive(Clone, Debug, Error)]
pub enum RunError {
    /// After a pass the function is no longer right: an error of the pass.
    #[error("after pass '{pass}' on @{name}: {}", findings.join("; "))]
    Verifier {
        /// The pass, as spelled in a pipeline.
        pass: String,
        /// The function.
        func: FuncId,
        /// Its name.
        name: String,
        /// What the verifier found, one message each.
        findings: Vec<String>,
    },
}

/// The one of `known` that is nearest to `name`, if it is near enough to be meant: it is spelled in another case, or with
/// few other letters, or `name` is a word or several of it.
pub(crate) fn nearest(name: &str, known: impl Iterator<Item = &'static str> + Clone) -> Option<&'static str> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let limit = name.len().div_ceil(3).min(4);
    let near = known.clone().map(|k| (edit_distance(&name, &k.to_ascii_lowercase()), k));
    let near = near.filter(|(d, _)| *d <= limit).min().map(|(_, k)| k);
    let ends = |k: &&'static str| k.strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with('-'));
    near.or_else(|| known.filter(|k| name.len() > 3 && ends(k)).min_by_key(|k| (k.len(), *k)))
}

/// Insertions, deletions and substitutions that lead from `a` to `b` (Levenshtein). Names are cut at 64 bytes.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b) = (&a.as_bytes()[..a.len().min(64)], &b.as_bytes()[..b.len().min(64)]);
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
