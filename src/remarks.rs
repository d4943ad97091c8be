//! Remarks as `opt` shows them: selected by regular expressions on pass names, each with its source location if debug
//! info provides one.
//!
//! The location of an instruction is its own. The location of a loop is the first one in its `!llvm.loop` metadata,
//! which is the start of the loop; without one, the location of the header's terminator, or of the header's first
//! instruction with a location.

use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use backedge_ir::metadata::{MdBody, MdKind, MdRef, MdTable};
use backedge_transform::remark::{DebugLoc, Outcome, Remark};
use regex::bytes::{Regex, RegexBuilder};
use std::collections::HashMap;

/// Maximum number of scopes around a location: malformed metadata may have cycles.
const SCOPES: usize = 1000;

/// Compiles a regular expression from a flag.
pub(crate) fn pattern(text: &str) -> Result<Regex, String> {
    RegexBuilder::new(text).unicode(false).size_limit(1 << 20).build().map_err(|e| e.to_string())
}

/// Selection of remarks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Show all remarks.
    pub(crate) all: bool,
    /// Show applied transforms of passes whose names match.
    pub(crate) passed: Option<Regex>,
    /// Show missed transforms of passes whose names match.
    pub(crate) missed: Option<Regex>,
}

impl Wanted {
    /// Whether `remark` is shown.
    pub(crate) fn shows(&self, remark: &Remark) -> bool {
        let pattern = match remark.outcome {
            Outcome::Done(_) => &self.passed,
            Outcome::Missed(_) => &self.missed,
        };
        self.all || pattern.as_ref().is_some_and(|p| p.is_match(remark.pass.as_bytes()))
    }
}

/// Source locations, from the debug info that a module carries as text.
#[derive(Debug, Default)]
pub(crate) struct Places {
    nodes: HashMap<u32, String>,
}

impl Places {
    /// The locations in `metadata`.
    pub(crate) fn new(metadata: &MdTable) -> Self {
        let text = |body: &Option<MdBody>| match body {
            Some(MdBody::Text(text)) => Some(text.to_string()),
            Some(MdBody::Tuple(_) | MdBody::String(_)) | None => None,
        };
        let nodes = metadata.iter().filter_map(|(_, node)| Some((node.number?, text(&node.body)?)));
        Self { nodes: nodes.collect() }
    }

    /// The location of the loop whose header has that label.
    pub(crate) fn of_loop(&self, metadata: &MdTable, body: &Body, header: &str) -> Option<DebugLoc> {
        if self.nodes.is_empty() {
            return None;
        }
        let slots = body.slots();
        let block = body.blocks().find(|b| slots.block_label(body, *b) == header)?;
        self.start_of_loop(metadata, body, block).or_else(|| self.of_block(metadata, body, block))
    }

    /// The start of the loop according to the loop metadata at branches to its header.
    fn start_of_loop(&self, metadata: &MdTable, body: &Body, header: Block) -> Option<DebugLoc> {
        let ends = body.blocks().filter_map(|b| body.terminator(b));
        let back = ends.filter(|end| body.inst(*end).successors().contains(&header));
        let mut ids = back.filter_map(|end| body.inst(end).metadata_of(&MdKind::Loop));
        let id = ids.next()?;
        // A branch to the header from outside the loop may be the latch of another loop.
        if ids.any(|other| other != id) {
            return None;
        }
        self.of_location(metadata, &metadata.start_of_loop(*id)?)
    }

    fn of_block(&self, metadata: &MdTable, body: &Body, block: Block) -> Option<DebugLoc> {
        let insts = body.terminator(block).into_iter().chain(body.insts(block).iter().copied());
        let mut locations = insts.filter_map(|inst| body.inst(inst).metadata_of(&MdKind::Dbg));
        locations.find_map(|location| self.of_location(metadata, location))
    }

    /// The location that a debug location refers to.
    pub(crate) fn of_location(&self, metadata: &MdTable, location: &MdRef) -> Option<DebugLoc> {
        let MdRef::Node(node) = location else { return None };
        match &metadata.get(*node).body {
            Some(MdBody::Text(text)) => self.place(text),
            Some(MdBody::Tuple(_) | MdBody::String(_)) | None => None,
        }
    }

    /// Parses `DILocation(line: 3, column: 5, scope: !4)`.
    fn place(&self, location: &str) -> Option<DebugLoc> {
        if !location.trim_start_matches('!').starts_with("DILocation(") {
            return None;
        }
        let number = |name| field(location, name).and_then(|n| n.parse().ok()).unwrap_or(0);
        let mut scope = self.node(location, "scope")?;
        for _ in 0..SCOPES {
            match self.node(scope, "file") {
                Some(file) => {
                    let file = field(file, "filename")?.trim_matches('"').to_owned();
                    return Some(DebugLoc { file, line: number("line"), column: number("column") });
                }
                None => scope = self.node(scope, "scope")?,
            }
        }
        None
    }

    /// The node that the field `name` of a node refers to.
    fn node(&self, text: &str, name: &str) -> Option<&str> {
        let number = field(text, name)?.strip_prefix('!')?.parse().ok()?;
        self.nodes.get(&number).map(String::as_str)
    }
}

/// The value of the field `name` in `Kind(name: value, …)`, as spelled.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let inside = text.split_once('(')?.1;
    let mut rest = inside;
    loop {
        let (key, value) = rest.split_once(':')?;
        let value = value.trim_start();
        let end = match value.strip_prefix('"') {
            Some(quoted) => quoted.find('"')? + 2,
            None => value.find([',', ')']).unwrap_or(value.len()),
        };
        if key.trim() == name {
            return Some(value[..end].trim());
        }
        rest = value[end..].split_once(',')?.1;
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_by_name() {
        let text = "!DIFile(filename: \"a, line: 7\", line: 3, scope: !4)";
        assert_eq!(field(text, "filename"), Some("\"a, line: 7\""));
        assert_eq!(field(text, "line"), Some("3"));
        assert_eq!(field(text, "scope"), Some("!4"));
        assert_eq!(field(text, "column"), None);
        assert_eq!(field("", "line"), None);
        assert_eq!(field("DILocation(", "line"), None);
    }
}
