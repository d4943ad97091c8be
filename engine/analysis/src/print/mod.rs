//! Results as text: loops in the format of LLVM's `print<loops>` ([`loops_to_string`]), graphs as plain text and for
//! Graphviz ([`cfg_to_string`], [`cfg_to_dot`]), value facts, must-execute results, and alias results.

mod alias;
mod dot;
mod graph;
mod loops;
mod must_execute;
mod values;

pub use alias::{AliasCounts, MOST_POINTERS, accessed_pointers, alias_pairs, alias_to_string, count_aliases};

pub use dot::{Detail, cfg_to_dot, quoted};
pub use graph::cfg_to_string;
pub use loops::{loops_to_string, module_loops_to_string, write_loops};
pub use must_execute::must_execute_to_string;
pub use values::values_to_string;

use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntityId};
use backedge_ir::module::Env;
use backedge_ir::print::BodyPrinter;

/// The names of all blocks with their sigil, as LLVM spells them, by block index.
fn block_names(env: &Env, body: &Body) -> Vec<String> {
    let printer = BodyPrinter::new(env, body);
    let mut names = vec![String::new(); body.block_capacity()];
    for block in body.blocks() {
        names[block.index()] = printer.block(block);
    }
    names
}

/// The bytes of a name given in canonical spelling.
fn raw_name(canonical: &str) -> Vec<u8> {
    let mut raw = Vec::with_capacity(canonical.len());
    let mut rest = canonical.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| first == b'\\').and_then(|d| std::str::from_utf8(d).ok());
        match escape.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => {
                raw.push(byte);
                rest = &after[2..];
            }
            None => {
                raw.push(first);
                rest = after;
            }
        }
    }
    raw
}

fn name_of(names: &[String], block: Block) -> &str {
    &names[block.index()]
}

#[cfg(test)]
mod tests {
    use super::raw_name;

    #[test]
    fn escapes_become_bytes() {
        assert_eq!(raw_name("a.b"), b"a.b");
        assert_eq!(raw_name(r"\22x\5C\C3\A9"), b"\"x\\\xc3\xa9");
    }
}
