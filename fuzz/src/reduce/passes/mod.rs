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

/// The name of a pass, and the function that tries its edits on the best program.
type Pass = (&'static str, fn(&mut Search<'_>));

/// All shrinking passes.
pub(crate) const PASSES: [Pass; 16] = [
    ("items", items::run),
    ("text", text::run),
    ("attributes", attributes::run),
    ("blocks", blocks::run),
    ("edges", edges::run),
    ("results", results::run),
    ("dead code", dead_code::run),
    ("straighten", straighten::run),
    ("returned", returned::run),
    ("optimize", optimize::run),
    ("arguments", arguments::run),
    ("operands", operands::run),
    ("flags", flags::run),
    ("widths", widths::run),
    ("constants", constants::run),
    ("attributes one by one", attributes::run_each),
];

/// Runs all passes until none makes progress.
pub(crate) fn shrink(search: &mut Search<'_>) {
    go_through(search, &PASSES);
}

/// Like [`shrink`], but simplifies operands before it removes their users.
pub(crate) fn shrink_otherwise(search: &mut Search<'_>) {
    let mut order = PASSES;
    order.sort_by_key(|(name, _)| !matches!(*name, "operands" | "constants"));
    go_through(search, &order);
}

fn go_through(search: &mut Search<'_>, passes: &[Pass]) {
    loop {
        let before = (search.best.size.clone(), search.best.text.clone());
        for (_, pass) in passes {
            if search.is_over() {
                return;
            }
            pass(search);
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
