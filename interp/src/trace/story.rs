//! Explanations as lines of text.

use super::cause::CauseKind;
use super::chain::Via;
use super::explain::{Explanation, Link, Story};

impl Explanation {
    /// The explanation as lines of text.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(ub) = &self.ub {
            let inst = if ub.inst.is_empty() { String::new() } else { format!("`{}` in ", ub.inst) };
            lines.push(format!("undefined behaviour [{}] at {inst}{}", ub.kind.name(), ub.place));
            lines.push(format!("  rule: {}", ub.kind.rule()));
            lines.push(format!("  LangRef: {} (#{})", ub.section.title, ub.section.anchor));
            lines.extend(ub.operands.iter().map(|(name, value)| format!("  {name} = {value}")));
            lines.extend(ub.details.iter().map(|d| format!("  {d}")));
        }
        for subject in &self.subjects {
            lines.push(format!("why {} is {}:", subject.what, subject.value));
            subject.story.lines(&mut lines);
        }
        lines
    }
}

/// Number of links shown at either end of a long chain: the origin and the end tell most.
const ENDS: usize = 8;

impl Story {
    fn lines(&self, lines: &mut Vec<String>) {
        let bad = self.bad.name();
        match self.links.first() {
            Some(first) => lines.push(format!("  {bad} arose {}", first.location_text())),
            None if self.cause.kind == CauseKind::Attribute => {
                lines.push(format!("  the return made it {bad}"));
            }
            None => lines.push(format!("  {bad} came from outside the recorded steps")),
        }
        lines.push(format!("    [{}] {}", self.cause.kind.name(), self.cause.detail));
        let rest = self.links.get(1..).unwrap_or_default();
        for (i, link) in rest.iter().enumerate() {
            if rest.len() > 2 * ENDS && i >= ENDS && i < rest.len() - ENDS {
                if i == ENDS {
                    lines.push(format!("  … {} more steps on the way", rest.len() - 2 * ENDS));
                }
                continue;
            }
            lines.push(format!("  {} {}", link.how(), link.location_text()));
        }
        if let Some(because) = &self.because {
            lines.push("  the undefined bits:".to_owned());
            because.lines(lines);
        }
    }
}

impl Link {
    fn location_text(&self) -> String {
        let what = if self.at.inst.is_some() {
            format!("in step {}, `{}`", self.at.step, self.text)
        } else {
            format!("as {}", self.text)
        };
        format!("{what} in {}", self.place)
    }
    fn how(&self) -> String {
        match &self.via {
            Via::Arose => "arose".to_owned(),
            Via::Operand(_) => "passed on".to_owned(),
            Via::Edge => "came over the edge".to_owned(),
            Via::Memory(0) => "came through memory".to_owned(),
            Via::Memory(offset) => format!("came through memory (byte {offset} of what is read)"),
            Via::Argument => "was passed".to_owned(),
            Via::Return => "was returned".to_owned(),
        }
    }
}
