//! Modules built from plain graphs.

use super::body_of;
use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::Editor;
use backedge_ir::entity::Block;
use backedge_ir::module::{Code, Function, Module, TopLevel};
use backedge_ir::types::Type;
use backedge_testkit::Graph;
use std::sync::Arc;

/// A module with one function per graph, named `f0`, `f1`, …; in every second function the blocks have names.
pub(crate) fn module_of(graphs: &[Graph]) -> Module {
    // Names without quotes, with quotes, and with escapes.
    const NAMES: [&str; 5] = ["b", "a.b-c_", "with space", "1st", r"\22\C3\A9"];
    let mut module = Module::default();
    for (i, graph) in graphs.iter().enumerate() {
        let mut body = body_of(graph);
        if i % 2 == 0 {
            let blocks: Vec<Block> = body.blocks().collect();
            let mut editor = Editor::new(&mut body);
            for (k, block) in blocks.into_iter().enumerate() {
                editor.set_block_name(block, NAMES[(i / 2 + k) % NAMES.len()]);
            }
        }
        let name: Arc<str> = format!("f{i}").into();
        let ty = module.env.types.function(Type::VOID, &[Type::I1, Type::I32], false);
        let func = module.env.funcs.push(Function::plain(name.clone(), ty, 2));
        module.env.symbols.insert(name, GlobalRef::Func(func));
        module.env.order.push(TopLevel::Func(func));
        module.code.push(Code::Body(Box::new(body)));
    }
    module
}
