//! Aligns two traces, of a source and its target.
//!
//! Both are split at events and at arrivals at loop headers. These marks are aligned first: an arrival matches one in
//! the same iteration of the loop with the same header (or, if transforms have renamed headers, of the same depth).
//! Then the steps between two pairs of marks are aligned. Both use the longest common subsequence (Myers 1986, by
//! `similar`).

use super::Trace;
use super::steps::{At, Step, What};
use super::text::{Detail, key, line};
use super::words::Words;
use crate::refine::Point;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::BTreeSet;

/// One row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The source's step.
    pub left: Option<String>,
    /// The target's step.
    pub right: Option<String>,
    /// How the two steps correspond.
    pub kind: RowKind,
    /// The position of the source's step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_at: Option<Box<RowAt>>,
    /// The position of the target's step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right_at: Option<Box<RowAt>>,
}

/// The position of a step, as one string per part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RowAt {
    /// Number of the step, from 1; for entries that are not steps, the number of the next step.
    pub step: u64,
    /// The function, with `@`.
    pub function: String,
    /// The block, with `%`.
    pub block: String,
    /// The enclosing loops, outermost first.
    pub iterations: Vec<IterationAt>,
    /// The instruction; `None` for calls and arrivals at blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// Its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// An iteration of a loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IterationAt {
    /// The header, with `%`.
    pub header: String,
    /// Number of arrivals since the loop was entered, from 1.
    pub count: u64,
}

/// How the two sides of a row correspond.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
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

/// A line of one side.
#[derive(Clone, Debug)]
struct Text {
    text: String,
    key: String,
    at: Option<Box<RowAt>>,
}

/// Two traces, row by row.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Aligned {
    /// The rows in order.
    pub rows: Vec<Row>,
    /// The first row with the same step on both sides but different values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_difference: Option<usize>,
}

/// Points that are aligned first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Mark {
    /// The n-th event.
    Event(usize),
    /// A loop header with its iteration counters and those of the enclosing loops.
    Arrival(String, Vec<u64>),
}

struct Lines {
    texts: Vec<Text>,
    /// Marks with the indices of their lines.
    marks: Vec<(Mark, usize)>,
}

impl Lines {
    fn new(trace: &Trace<'_>, common: &BTreeSet<String>, until: Option<usize>) -> Self {
        let mut lines = Self { texts: Vec::new(), marks: Vec::new() };
        for (i, step) in trace.head.iter().chain(&trace.tail).enumerate() {
            if i == trace.head.len() && trace.dropped > 0 {
                let text = format!("… {} more steps", trace.dropped);
                lines.texts.push(Text { key: "…".to_owned(), text, at: None });
            }
            if let Some(mark) = mark(trace, step, common) {
                lines.marks.push((mark, lines.texts.len()));
            }
            let (text, key) = (line(&trace.words, step, Detail::Short), key(&trace.words, step));
            lines.texts.push(Text { text, key, at: Some(Box::new(row_at(trace, step))) });
            if let (What::Inst { event: Some(event), .. }, Some(until)) = (&step.what, until)
                && *event >= until
            {
                return lines;
            }
        }
        let struck_at = trace.struck_at().map(Box::new);
        let key = "undefined behaviour".to_owned();
        lines.texts.extend(trace.struck().map(|text| Text { key, text, at: struck_at }));
        lines
    }
}

fn mark(trace: &Trace<'_>, step: &Step, common: &BTreeSet<String>) -> Option<Mark> {
    match &step.what {
        What::Inst { event: Some(event), .. } => Some(Mark::Event(*event)),
        What::Enter { header: true, .. } => {
            let label = trace.words.block(step.at.func, step.at.block);
            let counts: Vec<u64> = step.at.iterations.iter().map(|(_, n)| *n).collect();
            let name = if common.contains(&label) { label } else { format!("depth {}", counts.len()) };
            Some(Mark::Arrival(name, counts))
        }
        What::Call { .. } | What::Enter { .. } | What::Inst { .. } => None,
    }
}

fn headers(trace: &Trace<'_>) -> BTreeSet<String> {
    let steps = trace.head.iter().chain(&trace.tail);
    let headers = steps.filter(|s| matches!(s.what, What::Enter { header: true, .. }));
    headers.map(|s| trace.words.block(s.at.func, s.at.block)).collect()
}

/// Aligns the runs of a source and a target, up to the point where they diverge.
pub fn side_by_side(source: &Trace<'_>, target: &Trace<'_>, point: Option<&Point>) -> Aligned {
    let until = point.and_then(Point::event);
    let common = headers(source).intersection(&headers(target)).cloned().collect();
    let (left, right) = (Lines::new(source, &common, until), Lines::new(target, &common, until));
    let marks = |lines: &Lines| lines.marks.iter().map(|(mark, _)| mark.clone()).collect::<Vec<_>>();
    let (left_marks, right_marks) = (marks(&left), marks(&right));
    let mut aligned = Aligned::default();
    let (mut i, mut j) = (0, 0);
    for op in capture_diff_slices(Algorithm::Myers, &left_marks, &right_marks) {
        let DiffOp::Equal { old_index, new_index, len } = op else { continue };
        for k in 0..len {
            let (at, bt) = (left.marks[old_index + k].1, right.marks[new_index + k].1);
            aligned.between(&left.texts[i..at], &right.texts[j..bt]);
            aligned.push(Some(&left.texts[at]), Some(&right.texts[bt]), RowKind::Mark);
            (i, j) = (at + 1, bt + 1);
        }
    }
    aligned.between(&left.texts[i..], &right.texts[j..]);
    if let (Some(_), Some(last)) = (point, aligned.rows.last_mut()) {
        last.kind = RowKind::Parts;
    }
    aligned.first_difference = aligned.rows.iter().position(Row::differs_in_value);
    aligned
}

/// The position of `step`.
fn row_at(trace: &Trace<'_>, step: &Step) -> RowAt {
    let (words, at) = (&trace.words, &step.at);
    let value = match (&step.what, at.inst) {
        (What::Inst { value: Some(value), .. }, Some(inst)) => {
            words.module.body(at.func).map(|body| words.value(body.inst(inst).ty, value))
        }
        _ => None,
    };
    let instruction = at.inst.map(|inst| words.inst(at.func, inst));
    place_at(&trace.words, at, instruction, value)
}

fn place_at(words: &Words<'_>, at: &At, instruction: Option<String>, value: Option<String>) -> RowAt {
    let iteration =
        |(header, count): &(_, u64)| IterationAt { header: words.block(at.func, *header), count: *count };
    RowAt {
        step: at.step,
        function: words.func(at.func),
        block: words.block(at.func, at.block),
        iterations: at.iterations.iter().map(iteration).collect(),
        instruction,
        value,
    }
}

impl Trace<'_> {
    /// The position of the UB, if it occurred within a function.
    pub fn struck_at(&self) -> Option<RowAt> {
        let ub = self.explanation.ub.as_ref()?;
        let at = ub.at.as_ref()?;
        Some(place_at(&self.words, at, (!ub.inst.is_empty()).then(|| ub.inst.clone()), None))
    }
}

impl Row {
    fn differs_in_value(&self) -> bool {
        let is_value = |t: &String| t.trim_start().starts_with('%') && t.contains(" = ");
        matches!(self.kind, RowKind::Differs | RowKind::Parts)
            && self.left != self.right
            && self.left.as_ref().is_some_and(is_value)
    }
    /// Number of rows that this row represents.
    fn weight(&self) -> usize {
        if let RowKind::Omitted(count) = self.kind { count } else { 1 }
    }
    fn omitted(count: usize) -> Self {
        let text = Some(format!("… {count} rows left out"));
        Self { left: text.clone(), right: text, kind: RowKind::Omitted(count), left_at: None, right_at: None }
    }
}

impl Aligned {
    fn push(&mut self, left: Option<&Text>, right: Option<&Text>, kind: RowKind) {
        let text = |side: Option<&Text>| side.map(|t| t.text.clone());
        let at = |side: Option<&Text>| side.and_then(|t| t.at.clone());
        self.rows.push(Row {
            left: text(left),
            right: text(right),
            kind,
            left_at: at(left),
            right_at: at(right),
        });
    }
    /// Adds rows for the steps between two pairs of marks. Steps with the same name and operation match, regardless
    /// of their values.
    fn between(&mut self, left: &[Text], right: &[Text]) {
        let keys = |list: &[Text]| list.iter().map(|t| t.key.clone()).collect::<Vec<_>>();
        for op in capture_diff_slices(Algorithm::Myers, &keys(left), &keys(right)) {
            let (old, new) = (op.old_range(), op.new_range());
            let equal = matches!(op, DiffOp::Equal { .. });
            // Lines that replace each other share rows.
            for k in 0..old.len().max(new.len()) {
                let (a, b) = (left[old.clone()].get(k), right[new.clone()].get(k));
                let same = a.zip(b).is_some_and(|(a, b)| a.text == b.text);
                let kind = match (equal, same) {
                    (false, _) => RowKind::Apart,
                    (true, true) => RowKind::Same,
                    (true, false) => RowKind::Differs,
                };
                self.push(a, b, kind);
            }
        }
    }
    /// The first step with different values on the two sides, and the preceding mark, as text.
    pub fn first_difference(&self) -> Option<String> {
        let at = self.first_difference?;
        let mark = self.rows[..at].iter().rfind(|r| r.kind == RowKind::Mark).and_then(|r| r.left.as_deref());
        let (left, right) = (self.rows[at].left.as_deref()?.trim(), self.rows[at].right.as_deref()?.trim());
        let after = mark.map_or_else(String::new, |m| format!(" after `{}`", m.trim()));
        Some(format!("{left} / {right}{after}"))
    }
    /// The first `first` rows, `around` rows before and after the first difference, and the last `last` rows. A row
    /// with a count replaces the omitted rows.
    pub fn excerpt(&self, first: usize, around: usize, last: usize) -> Self {
        let count = self.rows.len();
        let near = |i: usize| self.first_difference.is_some_and(|at| i + around >= at && i <= at + around);
        let keep = |i: usize| i < first || i + last >= count || near(i);
        let mut excerpt = Self::default();
        let mut left_out = 0;
        for (i, row) in self.rows.iter().enumerate() {
            if !keep(i) || matches!(row.kind, RowKind::Omitted(_)) {
                left_out += row.weight();
                continue;
            }
            if left_out > 0 {
                excerpt.rows.push(Row::omitted(std::mem::take(&mut left_out)));
            }
            if self.first_difference == Some(i) {
                excerpt.first_difference = Some(excerpt.rows.len());
            }
            excerpt.rows.push(row.clone());
        }
        if left_out > 0 {
            excerpt.rows.push(Row::omitted(left_out));
        }
        excerpt
    }
    /// Renders two columns of at most `width` columns in total. Signs between them: `=` same event or header, `|`
    /// same step with the same value, `/` same step with different values, `<`, `>` and `<>` different steps, `#` the
    /// point of divergence.
    pub fn render(&self, titles: [&str; 2], width: usize) -> String {
        let room = width.saturating_sub(4).max(20) / 2;
        let longest = self.rows.iter().filter_map(|r| r.left.as_ref()).map(|t| t.chars().count()).max();
        let column = longest.unwrap_or(0).max(titles[0].chars().count()).min(room);
        let mut out = format!("{:<column$}    {}\n", fit(titles[0], column), titles[1]);
        for row in &self.rows {
            let sign = match (row.kind, &row.left, &row.right) {
                (RowKind::Mark, _, _) => "=",
                (RowKind::Same, _, _) => "|",
                (RowKind::Differs, _, _) => "/",
                (RowKind::Apart, Some(_), Some(_)) => "<>",
                (RowKind::Apart, Some(_), None) => "<",
                (RowKind::Apart, None, _) => " >",
                (RowKind::Parts, _, _) => "#",
                (RowKind::Omitted(_), _, _) => "",
            };
            let text = |side: &Option<String>, room| fit(side.as_deref().unwrap_or(""), room);
            let line = format!("{:<column$} {sign:<2} {}", text(&row.left, column), text(&row.right, room));
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

/// `text` cut to `room` columns.
fn fit(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}
