//! The reduction passes, in the order in which they run: the pass that removes most comes first.

mod arguments;
mod attributes;
mod blocks;
mod constants;
mod dead_code;
mod edges;
mod flags;
mod grow;
mod items;
mod names;
mod operands;
mod optimize;
mod results;
mod returned;
mod straighten;
mod text;
mod widths;

pub(super) use grow::grow;
pub(super) use names::rename;

use super::search::{Edit, Search};
use backedge_ir::editor::Editor;
use backedge_ir::entity::FuncId;

/// A delta pass.
pub struct DeltaPass {
    /// Its name, for [`super::PassSet`].
    pub name: &'static str,
    /// What its edits do, in a few words.
    pub about: &'static str,
    /// Tries its edits on the best program.
    pub(super) run: fn(&mut Search<'_>),
}

/// All delta passes, in the order in which they run.
pub const PASSES: [DeltaPass; 16] = [
    pass(
        "items",
        "removes functions, their bodies, globals, aliases, named metadata and initializers",
        items::run,
    ),
    pass("text", "removes lines and blocks of functions that use what is not modelled", text::run),
    pass("attributes", "removes the attributes and the metadata of a place at once", attributes::run),
    pass("blocks", "removes blocks, and bypasses loops", blocks::run),
    pass("edges", "decides branches, and removes cases, backedges and exits", edges::run),
    pass("results", "removes instructions, and replaces their results", results::run),
    pass("dead-code", "removes instructions, but keeps operands that become dead", dead_code::run),
    pass("straighten", "merges blocks, and turns phis into selects", straighten::run),
    pass("returned", "returns a value right after its definition", returned::run),
    pass("optimize", "runs passes of this optimizer", optimize::run),
    pass("arguments", "removes arguments", arguments::run),
    pass("operands", "replaces operands with constants, arguments and their own operands", operands::run),
    pass("flags", "removes flags, orderings and alignments of instructions", flags::run),
    pass("widths", "narrows integers", widths::run),
    pass("constants", "simplifies constants", constants::run),
    pass("attributes-each", "removes attributes and metadata one by one", attributes::run_each),
];

const fn pass(name: &'static str, about: &'static str, run: fn(&mut Search<'_>)) -> DeltaPass {
    DeltaPass { name, about, run }
}

/// Runs all passes until none makes progress.
pub(crate) fn shrink(search: &mut Search<'_>) {
    go_through(search, &PASSES.each_ref());
}

/// Like [`shrink`], but simplifies operands before it removes their users.
pub(crate) fn shrink_otherwise(search: &mut Search<'_>) {
    let mut order = PASSES.each_ref();
    order.sort_by_key(|pass| !matches!(pass.name, "operands" | "constants"));
    go_through(search, &order);
}

fn go_through(search: &mut Search<'_>, passes: &[&DeltaPass]) {
    for _ in 0..search.options().max_rounds {
        let before = (search.best.size.clone(), search.best.text.clone());
        for pass in passes {
            if search.is_over() {
                return;
            }
            if !search.options().passes.contains(pass.name) {
                continue;
            }
            (pass.run)(search);
            search.read_again();
        }
        if before == (search.best.size.clone(), search.best.text.clone()) {
            return;
        }
    }
}

/// Makes an edit of the body of `func`.
fn on_body(func: FuncId, act: impl Fn(&mut Editor<'_>) -> bool + Send + Sync + 'static) -> Edit {
    Box::new(move |program| program.body_mut(func).is_some_and(|body| act(&mut Editor::new(body))))
}
