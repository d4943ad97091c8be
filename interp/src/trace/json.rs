//! A trace as JSON lines: one object per line, each with `"schema": 1` and `"kind"`.
//!
//! Lines of the kinds `"call"`, `"block"` and `"step"` contain their position: `"step"` (from 1; for lines that are
//! not steps, the number of the next step), `"depth"` (of calls), `"function"` (with `@`), `"block"` (with `%`) and
//! `"iterations"` (objects of `"header"` and `"count"`, outermost first, counts from 1).
//!
//! - `"call"`: a function starts. `"arguments"`: objects of `"name"` and `"value"`.
//! - `"block"`: control reaches the block. `"from"`; `"header"`: whether it is the header of a loop.
//! - `"step"`: `"instruction"` in LLVM syntax, `"operands"` (except constants), `"value"` (the result, if any, in
//!   LLVM syntax with its type; pointers are followed by their object), `"event"` (its number, if the step was an
//!   event).
//! - `"dropped"`: `"count"` entries were dropped here.
//! - `"event"`: `"number"` from 0; `"text"`: its observable content.
//! - `"ub"`: `"id"`, `"rule"`, `"section"` and `"anchor"` of LangRef, `"instruction"`, `"place"`, `"operands"`,
//!   `"details"`.
//! - `"origin"`: `"what"` and `"value"` of the explained value; `"bad"` (`"poison"` or `"undef"`), `"cause"` (a
//!   stable name), `"detail"`, `"links"` from the origin on: objects of `"step"`, `"text"`, `"place"`, `"value"`,
//!   `"via"` (`"arose"`, `"operand"`, `"edge"`, `"memory"`, `"argument"`, `"return"`); `"because"`: the same for
//!   undefined bits from which the poison arose, or null.
//! - `"outcome"`, the last line: `"name"`, `"text"`, `"steps"` (executed instructions).

use super::Trace;
use super::chain::Via;
use super::explain::{Story, Struck, Subject};
use super::steps::{Step, What};
use super::text::operand_values;
use crate::text::event_text;
use serde::Serialize;

/// The version of this schema.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    #[serde(flatten)]
    body: Body<'a>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Body<'a> {
    Call {
        #[serde(flatten)]
        place: PlaceJson,
        arguments: Vec<Named>,
    },
    Block {
        #[serde(flatten)]
        place: PlaceJson,
        from: String,
        header: bool,
    },
    Step {
        #[serde(flatten)]
        place: PlaceJson,
        instruction: String,
        operands: Vec<Named>,
        value: Option<String>,
        event: Option<usize>,
    },
    Dropped {
        count: u64,
    },
    Event {
        number: usize,
        text: String,
    },
    Ub {
        id: &'static str,
        rule: &'static str,
        section: &'static str,
        anchor: &'static str,
        instruction: &'a str,
        place: &'a str,
        operands: Vec<Named>,
        details: &'a [String],
    },
    Origin {
        what: &'a str,
        value: &'a str,
        #[serde(flatten)]
        story: StoryJson<'a>,
    },
    Outcome {
        name: &'static str,
        text: &'a str,
        steps: u64,
    },
}

#[derive(Serialize)]
struct PlaceJson {
    step: u64,
    depth: usize,
    function: String,
    block: String,
    iterations: Vec<IterationJson>,
}

#[derive(Serialize)]
struct IterationJson {
    header: String,
    count: u64,
}

#[derive(Serialize)]
struct Named {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct StoryJson<'a> {
    bad: &'static str,
    cause: &'static str,
    detail: &'a str,
    links: Vec<LinkJson<'a>>,
    because: Option<Box<StoryJson<'a>>>,
}

#[derive(Serialize)]
struct LinkJson<'a> {
    step: u64,
    text: &'a str,
    place: &'a str,
    value: &'a str,
    via: &'static str,
}

impl Trace<'_> {
    /// The trace as JSON lines, each with its line end.
    pub fn to_json_lines(&self) -> String {
        let mut out = String::new();
        for step in &self.head {
            push(&mut out, self.step_json(step));
        }
        if self.dropped > 0 {
            push(&mut out, Body::Dropped { count: self.dropped });
        }
        for step in &self.tail {
            push(&mut out, self.step_json(step));
        }
        for (number, event) in self.events.iter().enumerate() {
            push(&mut out, Body::Event { number, text: event_text(&event.kind) });
        }
        if let Some(ub) = &self.explanation.ub {
            push(&mut out, ub_json(ub));
        }
        for Subject { what, value, story } in &self.explanation.subjects {
            push(&mut out, Body::Origin { what, value, story: story_json(story) });
        }
        let (name, text) = (self.outcome.name(), &*self.ending);
        push(&mut out, Body::Outcome { name, text, steps: self.steps });
        out
    }
    /// The explanation as one JSON object. `"ub"`: the fields of a `"ub"` line and `"at"` (its position, see
    /// [`super::RowAt`]), or null. `"origins"`: a list of objects with the fields of `"origin"` lines.
    pub fn explanation_json(&self) -> serde_json::Value {
        let object = |body: Body<'_>| serde_json::to_value(body).expect("the keys are strings");
        let ub = self.explanation.ub.as_ref().map(|ub| {
            let mut fields = object(ub_json(ub));
            fields["at"] = serde_json::to_value(self.struck_at()).expect("the keys are strings");
            fields
        });
        let origin = |Subject { what, value, story }: &Subject| {
            object(Body::Origin { what, value, story: story_json(story) })
        };
        let origins: Vec<_> = self.explanation.subjects.iter().map(origin).collect();
        serde_json::json!({ "ub": ub, "origins": origins })
    }
    fn step_json(&self, step: &Step) -> Body<'_> {
        let words = &self.words;
        let at = &step.at;
        let place = PlaceJson {
            step: at.step,
            depth: at.depth,
            function: words.func(at.func),
            block: words.block(at.func, at.block),
            iterations: at
                .iterations
                .iter()
                .map(|(block, count)| IterationJson { header: words.block(at.func, *block), count: *count })
                .collect(),
        };
        let body = words.module.body(at.func);
        match &step.what {
            What::Call { args } => {
                let name = |i: usize| words.operand(at.func, super::record::arg_value(i));
                let ty = |i: usize| {
                    body.map_or(backedge_ir::types::Type::VOID, |b| b.ty(super::record::arg_value(i)))
                };
                let one = |(i, v)| Named { name: name(i), value: words.value(ty(i), v) };
                Body::Call { place, arguments: args.iter().enumerate().map(one).collect() }
            }
            What::Enter { from, header } => {
                Body::Block { place, from: words.block(at.func, *from), header: *header }
            }
            What::Inst { operands, value, event } => {
                let data = body.zip(at.inst).map(|(body, inst)| body.inst(inst));
                let value = data.zip(value.as_ref()).map(|(data, v)| words.value(data.ty, v));
                let instruction = at.inst.map_or_else(String::new, |inst| words.inst(at.func, inst));
                let operands = named(operand_values(words, step, operands));
                Body::Step { place, instruction, operands, value, event: *event }
            }
        }
    }
}

fn named(pairs: Vec<(String, String)>) -> Vec<Named> {
    pairs.into_iter().map(|(name, value)| Named { name, value }).collect()
}

fn ub_json(ub: &Struck) -> Body<'_> {
    Body::Ub {
        id: ub.kind.name(),
        rule: ub.kind.rule(),
        section: ub.section.title,
        anchor: ub.section.anchor,
        instruction: &ub.inst,
        place: &ub.place,
        operands: named(ub.operands.clone()),
        details: &ub.details,
    }
}

fn story_json(story: &Story) -> StoryJson<'_> {
    let via = |via: &Via| match via {
        Via::Arose => "arose",
        Via::Operand(_) => "operand",
        Via::Edge => "edge",
        Via::Memory(_) => "memory",
        Via::Argument => "argument",
        Via::Return => "return",
    };
    let links = story.links.iter().map(|l| LinkJson {
        step: l.at.step,
        text: &l.text,
        place: &l.place,
        value: &l.value_text,
        via: via(&l.via),
    });
    StoryJson {
        bad: story.bad.name(),
        cause: story.cause.kind.name(),
        detail: &story.cause.detail,
        links: links.collect(),
        because: story.because.as_deref().map(|s| Box::new(story_json(s))),
    }
}

fn push(out: &mut String, body: Body<'_>) {
    let text = serde_json::to_string(&Line { schema: SCHEMA, body });
    out.push_str(&text.expect("the keys are strings"));
    out.push('\n');
}
