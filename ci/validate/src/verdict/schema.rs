//! Shapes of serialized types of other crates, for the JSON schema of records. The crates of the core know no schemas.
//!
//! Each type has the serialized form of the type that it is named after. A test compares real records with the schema.

#![expect(dead_code, reason = "the types describe a serialized form; no value of them exists")]

use schemars::JsonSchema;

/// A row of two aligned traces.
#[derive(JsonSchema)]
#[schemars(rename = "TraceRow", deny_unknown_fields)]
struct Row {
    /// The source's step.
    left: Option<String>,
    /// The target's step.
    right: Option<String>,
    /// How the two steps correspond.
    kind: RowKind,
    /// The position of the source's step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_at: Option<RowAt>,
    /// The position of the target's step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    right_at: Option<RowAt>,
}

/// How the two sides of a row correspond.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum RowKind {
    /// The same event or header.
    Mark,
    /// The same step with the same value.
    Same,
    /// The same step with different values.
    Differs,
    /// Different steps, or a step of only one side.
    Apart,
    /// The point at which the runs diverge.
    Parts,
    /// This many rows were omitted here.
    Omitted(usize),
}

/// The position of a step.
#[derive(JsonSchema)]
#[schemars(rename = "StepPosition", deny_unknown_fields)]
pub(super) struct RowAt {
    /// Number of the step, from 1; for entries that are not steps, the number of the next step.
    step: u64,
    /// The function, with `@`.
    function: String,
    /// The block, with `%`.
    block: String,
    /// The enclosing loops, outermost first.
    iterations: Vec<IterationAt>,
    /// The instruction; missing for calls and arrivals at blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instruction: Option<String>,
    /// Its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// An iteration of a loop.
#[derive(JsonSchema)]
#[schemars(rename = "Iteration", deny_unknown_fields)]
struct IterationAt {
    /// The header, with `%`.
    header: String,
    /// Number of arrivals since the loop was entered, from 1.
    count: u64,
}

/// Two traces, row by row.
#[derive(JsonSchema)]
#[schemars(rename = "AlignedTraces", deny_unknown_fields)]
pub(super) struct Aligned {
    /// The rows in order.
    rows: Vec<Row>,
    /// The first row with the same step on both sides but different values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_difference: Option<usize>,
}

/// The result of reading uninitialized memory.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Uninit {
    /// `undef`: LLVM's current rule.
    Undef,
    /// `poison`: the planned rule.
    Poison,
}

/// The effects of an external call. Its content is for `backedge replay`.
#[derive(JsonSchema)]
pub(super) struct Answer {
    /// How it left the program; `null` if it returned.
    exit: Option<serde_json::Value>,
    /// The returned value.
    result: Option<serde_json::Value>,
    /// Bytes that it wrote: object, offset, byte.
    writes: Vec<serde_json::Value>,
    /// Size and alignment in bytes of newly returned memory.
    fresh: Option<(u64, u64)>,
}
