//! Remarks: what a pass did to a loop, or why it did nothing, as data. A remark prints as a line of text or as a YAML
//! document in the format of LLVM's `-pass-remarks` and `-pass-remarks-output`.

use crate::cleanup::{CleanupDone, CleanupMissed};
use crate::cost::Table;
use crate::deletion::{DeletionDone, DeletionMissed};
use crate::idiom::{IdiomDone, IdiomMissed};
use crate::indvars::{IndVarsDone, IndVarsMissed};
use crate::iteration_split::{IterationSplitDone, IterationSplitMissed};
use crate::lcssa::{LcssaDone, LcssaMissed};
use crate::licm::{LicmDone, LicmMissed};
use crate::nest::{NestDone, NestMissed};
use crate::peel::{PeelDone, PeelMissed};
use crate::restrict::{RestrictDone, RestrictMissed};
use crate::rotate::{RotateDone, RotateMissed};
use crate::simplify::{SimplifyDone, SimplifyMissed};
use crate::unroll;
use crate::unroll::{UnrollDone, UnrollMissed};
use crate::unswitch::{UnswitchDone, UnswitchMissed};
use backedge_ir::metadata::MdRef;
use std::fmt;
use std::sync::Arc;

/// What one pass did or missed at one loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The pass that ran.
    pub pass: &'static str,
    /// The function, in canonical spelling without `@`.
    pub function: Arc<str>,
    /// The label of the loop's header at the time of the remark, without `%`; empty if the remark is about a whole
    /// function.
    pub header: String,
    /// The debug location of the instruction that the remark is about, if any.
    pub location: Option<MdRef>,
    /// What happened.
    pub outcome: Outcome,
}

/// A source location, from debug info.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugLoc {
    /// The file's name.
    pub file: String,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

impl fmt::Display for DebugLoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The pass changed something.
    Done(Done),
    /// The pass left something undone.
    Missed(Missed),
}

macro_rules! outcomes {
    ($($variant:ident = ($done:ident, $missed:ident),)*) => {
        /// What a pass did.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "each variant is the pass of that name")]
        pub enum Done { $($variant($done),)* }

        /// Why a pass did nothing.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "each variant is the pass of that name")]
        pub enum Missed { $($variant($missed),)* }

        $(impl From<$done> for Outcome {
            fn from(done: $done) -> Self {
                Self::Done(Done::$variant(done))
            }
        }
        impl From<$missed> for Outcome {
            fn from(missed: $missed) -> Self {
                Self::Missed(Missed::$variant(missed))
            }
        })*
        impl Outcome {
            /// The name of the outcome, one word in LLVM's style.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::Done(Done::$variant(d)) => d.name(),
                    Self::Missed(Missed::$variant(m)) => m.name(),)*
                }
            }
        }
        impl fmt::Display for Outcome {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::Done(Done::$variant(d)) => d.fmt(f),
                    Self::Missed(Missed::$variant(m)) => m.fmt(f),)*
                }
            }
        }
    };
}

outcomes! {
    Cleanup = (CleanupDone, CleanupMissed),
    Deletion = (DeletionDone, DeletionMissed),
    Idiom = (IdiomDone, IdiomMissed),
    Simplify = (SimplifyDone, SimplifyMissed),
    Lcssa = (LcssaDone, LcssaMissed),
    Licm = (LicmDone, LicmMissed),
    Rotate = (RotateDone, RotateMissed),
    IndVars = (IndVarsDone, IndVarsMissed),
    Unroll = (UnrollDone, UnrollMissed),
    IterationSplit = (IterationSplitDone, IterationSplitMissed),
    Restrict = (RestrictDone, RestrictMissed),
    Peel = (PeelDone, PeelMissed),
    Unswitch = (UnswitchDone, UnswitchMissed),
    Nest = (NestDone, NestMissed),
}

impl Outcome {
    /// The cost table of the decision, if costs were compared.
    fn table(&self) -> Option<&Table> {
        match self {
            Self::Done(Done::Unroll(
                UnrollDone::Full { table, .. }
                | UnrollDone::Partial { table, .. }
                | UnrollDone::Runtime { table, .. },
            ))
            | Self::Done(Done::Peel(PeelDone::First { table, .. } | PeelDone::Last { table }))
            | Self::Done(Done::IterationSplit(IterationSplitDone::Split { table, .. }))
            | Self::Missed(Missed::Unroll(UnrollMissed::NotWorthIt(table))) => table.as_ref(),
            Self::Missed(
                Missed::Peel(PeelMissed::NotWorthIt(table))
                | Missed::IterationSplit(IterationSplitMissed::NotWorthIt(table)),
            ) => Some(table),
            Self::Done(_) | Self::Missed(_) => None,
        }
    }
    /// The arguments of LLVM's remark of that name, under LLVM's keys, and the cost table.
    fn args(&self) -> Vec<(String, String)> {
        let theirs = self.args_of_llvm().into_iter().map(|(key, value)| (key.to_owned(), value));
        theirs.chain(self.table().into_iter().flat_map(Table::keyed)).collect()
    }
    fn args_of_llvm(&self) -> Vec<(&'static str, String)> {
        let Self::Done(done) = self else { return Vec::new() };
        match done {
            Done::Licm(LicmDone::Hoisted { inst, .. } | LicmDone::Sunk { inst, .. }) => {
                vec![("Inst", inst.mnemonic.to_owned())]
            }
            Done::Unroll(UnrollDone::Full { trips: count, .. })
            | Done::Unroll(
                UnrollDone::Partial { factor: count, .. } | UnrollDone::Runtime { factor: count, .. },
            ) => vec![("UnrollCount", count.to_string())],
            Done::Peel(PeelDone::First { count, .. }) => vec![("PeelCount", count.to_string())],
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Remark {
    /// One line: `@f: loop %header: loop-rotate: missed: …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missed = if matches!(self.outcome, Outcome::Missed(_)) { "missed: " } else { "" };
        let Self { pass, function, header, outcome, .. } = self;
        let of_loop = if header.is_empty() { String::new() } else { format!("loop %{header}: ") };
        write!(f, "@{function}: {of_loop}{pass}: {missed}{outcome}")
    }
}

impl Remark {
    /// The pass's name in LLVM's remarks: both unrolling passes share one name.
    fn llvm_pass(&self) -> &'static str {
        if self.pass == unroll::FULL_NAME { unroll::NAME } else { self.pass }
    }
    /// The remark as a YAML document in the format of LLVM's `-pass-remarks-output`, with the source location if
    /// known.
    pub fn to_yaml(&self, place: Option<&DebugLoc>) -> String {
        let kind = if matches!(self.outcome, Outcome::Missed(_)) { "Missed" } else { "Passed" };
        let place = place.map_or_else(String::new, |p| {
            let DebugLoc { file, line, column } = p;
            format!("DebugLoc:        {{ File: {}, Line: {line}, Column: {column} }}\n", quoted(file))
        });
        let args: String = self.message().iter().map(|(key, value)| arg(key, value)).collect();
        format!(
            "--- !{kind}\nPass:            {}\nName:            {}\n{place}Function:        {}\nArgs:\n{args}...\n",
            self.llvm_pass(),
            self.outcome.name(),
            quoted(&self.function),
        )
    }
    /// The message as LLVM splits it into arguments: keyed values at the place where the text mentions them. The
    /// concatenation of all values is the text.
    fn message(&self) -> Vec<(String, String)> {
        let text = self.outcome.to_string();
        let string = |text: &str| (!text.is_empty()).then(|| ("String".to_owned(), text.to_owned()));
        let (mut pieces, mut before) = (Vec::new(), String::new());
        if !self.header.is_empty() {
            pieces.extend(string("loop %"));
            pieces.push(("Loop".to_owned(), self.header.clone()));
            before = ": ".to_owned();
        }
        let mut rest = text.as_str();
        for (key, value) in self.outcome.args() {
            // A value that the text does not mention precedes the rest of the text.
            let (told, after) = match word_at(rest, &value) {
                Some(at) => (&rest[..at], &rest[at + value.len()..]),
                None => ("", rest),
            };
            pieces.extend(string(&(before + told)));
            pieces.push((key, value));
            before = if after.len() == rest.len() { " ".to_owned() } else { String::new() };
            rest = after;
        }
        pieces.extend(string(&(before + rest)));
        pieces
    }
}

/// Byte offset of the first occurrence of `word` in `text` as a separate word.
fn word_at(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// One item of a remark's arguments.
fn arg(key: &str, value: &str) -> String {
    let key = format!("{key}:");
    format!("  - {key:<16} {}\n", quoted(value))
}

/// `text` as a single-quoted YAML scalar.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
