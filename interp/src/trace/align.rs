//! Two traces side by side: a source and its target.
//!
//! Both are cut at events and at arrivals at headers of loops. These marks are aligned first, an arrival with that of
//! the same iteration of the loop with the same header (or, where transforms have renamed headers, of the same depth);
//! then the text between two pairs of marks, both by the longest common subsequence (Myers 1986, by `similar`).

use super::Trace;
use super::steps::{Step, What};
use super::text::{Detail, key, line};
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
    /// What the two have to do with each other.
    pub kind: RowKind,
}

/// What the two sides of a row have to do with each other.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// The same event or header.
    Mark,
    /// The same step with the same value.
    Same,
    /// The same step with different values.
    Differs,
    /// Different steps, or a step of one side alone.
    Apart,
    /// Where the two runs part.
    Parts,
}

/// A line of one side.
#[derive(Clone, Debug)]
struct Text {
    text: String,
    key: String,
}

/// Two traces, row by row.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Aligned {
    /// The rows in order.
    pub rows: Vec<Row>,
}

/// What is aligned first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Mark {
    /// The n-th event.
    Event(usize),
    /// A header with how often it and those around it were reached.
    Arrival(String, Vec<u64>),
}

struct Lines {
    texts: Vec<Text>,
    /// Marks with the index of their line.
    marks: Vec<(Mark, usize)>,
}

impl Lines {
    fn new(trace: &Trace<'_>, common: &BTreeSet<String>, until: Option<usize>) -> Self {
        let mut lines = Self { texts: Vec::new(), marks: Vec::new() };
        for (i, step) in trace.head.iter().chain(&trace.tail).enumerate() {
            if i == trace.head.len() && trace.dropped > 0 {
                let text = format!("… {} more steps", trace.dropped);
                lines.texts.push(Text { key: "…".to_owned(), text });
            }
            if let Some(mark) = mark(trace, step, common) {
                lines.marks.push((mark, lines.texts.len()));
            }
            let (text, key) = (line(&trace.words, step, Detail::Short), key(&trace.words, step));
            lines.texts.push(Text { text, key });
            if let (What::Inst { event: Some(event), .. }, Some(until)) = (&step.what, until)
                && *event >= until
            {
                return lines;
            }
        }
        lines.texts.extend(trace.struck().map(|text| Text { key: "undefined behaviour".to_owned(), text }));
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

/// The runs of a source and a target, aligned, up to the point where they part.
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
    aligned
}

impl Aligned {
    fn push(&mut self, left: Option<&Text>, right: Option<&Text>, kind: RowKind) {
        let text = |side: Option<&Text>| side.map(|t| t.text.clone());
        self.rows.push(Row { left: text(left), right: text(right), kind });
    }
    /// Rows for what lies between two pairs of marks: steps of the same name and operation belong together, whatever
    /// their values are.
    fn between(&mut self, left: &[Text], right: &[Text]) {
        let keys = |list: &[Text]| list.iter().map(|t| t.key.clone()).collect::<Vec<_>>();
        for op in capture_diff_slices(Algorithm::Myers, &keys(left), &keys(right)) {
            let (old, new) = (op.old_range(), op.new_range());
            let equal = matches!(op, DiffOp::Equal { .. });
            // Lines that replace each other stand in the same rows.
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
    /// The first step that both took with different values, and the mark before it, in words.
    pub fn first_difference(&self) -> Option<String> {
        let is_value = |row: &Row| {
            row.left.as_ref().is_some_and(|t| t.trim_start().starts_with('%') && t.contains(" = "))
        };
        let differs =
            |row: &Row| matches!(row.kind, RowKind::Differs | RowKind::Parts) && row.left != row.right;
        let at = self.rows.iter().position(|row| differs(row) && is_value(row))?;
        let mark = self.rows[..at].iter().rfind(|r| r.kind == RowKind::Mark).and_then(|r| r.left.as_deref());
        let (left, right) = (self.rows[at].left.as_deref()?.trim(), self.rows[at].right.as_deref()?.trim());
        let behind = mark.map_or_else(String::new, |m| format!(" behind `{}`", m.trim()));
        Some(format!("{left} / {right}{behind}"))
    }
    /// The last `count` rows, with a row that says how many were left out.
    pub fn last(&self, count: usize) -> Self {
        let skipped = self.rows.len().saturating_sub(count);
        let mut rows = self.rows[skipped..].to_vec();
        if skipped > 0 {
            let text = Some(format!("… {skipped} rows before"));
            rows.insert(0, Row { left: text.clone(), right: text, kind: RowKind::Same });
        }
        Self { rows }
    }
    /// Two columns in at most `width` columns of text. Between them: `=` the same event or header, `|` the same step
    /// with the same value, `/` with different ones, `<`, `>` and `<>` other steps, `#` where the runs part.
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
