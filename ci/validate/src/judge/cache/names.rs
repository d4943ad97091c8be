//! Local names of a pair, for pairs that differ in names only.

use crate::pair::extracted::Extracted;
use crate::pair::{Side, Sides};
use backedge_ir::print::BodyPrinter;
use serde::{Deserialize, Serialize};

/// Names of a pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Names {
    /// A hash of the texts with all names.
    text: String,
    /// The blocks of source and target in order, as printed.
    blocks: [Vec<String>; 2],
}

impl Names {
    pub(super) fn of(pair: &Extracted) -> Self {
        let mut hasher = blake3::Hasher::new();
        for text in pair.texts() {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        let Sides { source, target } = pair.sides();
        Self { text: hasher.finalize().to_hex().to_string(), blocks: [source, target].map(blocks) }
    }

    /// Translates `place` of one side, a block or an edge (`%a -> %b`, optionally followed by words in parentheses), to
    /// the names of `other`, which has the same code.
    pub(super) fn translate(&self, other: &Self, side: usize, place: &str) -> Option<String> {
        let block = |name: &str| {
            let at = self.blocks[side].iter().position(|b| b == name)?;
            other.blocks[side].get(at)
        };
        match place.split_once(" -> ") {
            Some((from, to)) => {
                let kinds = to.rfind(" (").filter(|_| to.ends_with(')')).unwrap_or(to.len());
                let (to, kinds) = to.split_at(kinds);
                Some(format!("{} -> {}{kinds}", block(from)?, block(to)?))
            }
            None => block(place).cloned(),
        }
    }
}

fn blocks(side: Side<'_>) -> Vec<String> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let printer = BodyPrinter::new(&side.module.env, body);
    body.blocks().map(|block| printer.block(block)).collect()
}
