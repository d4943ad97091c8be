//! Assigns short names at the end: `%a` for arguments, `entry` and `b1` for blocks, `%v1` for results, `%i` for
//! header phis. The size does not matter here, but the program must stay interesting.

use super::super::program::Program;
use super::super::search::{Edit, Search};
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::inst::Value;
use backedge_ir::types::Type;

/// Renames all locals, and the function if it is the only one, as far as the program stays interesting.
pub(crate) fn rename(search: &mut Search<'_>) {
    let locals: Edit = Box::new(|program: &mut Program| {
        for func in program.bodies() {
            if let Some(body) = program.body_mut(func) {
                *body = body.without_names();
                name(body);
            }
        }
        true
    });
    search.take_any(locals);
}

fn name(body: &mut Body) {
    let args: Vec<_> = body.args().collect();
    let blocks: Vec<_> = body.blocks().filter(|b| !body.is_pinned(*b)).collect();
    let insts: Vec<_> = body.all_insts().filter(|i| body.inst(*i).ty != Type::VOID).collect();
    let entry = body.entry();
    let mut editor = Editor::new(body);
    for (at, arg) in args.iter().enumerate() {
        let letter = u8::try_from(at).ok().filter(|n| *n < 26).map(|n| char::from(b'a' + n));
        editor.set_arg_name(*arg, &letter.map_or_else(|| format!("a{at}"), String::from));
    }
    for (at, block) in blocks.iter().enumerate() {
        let name = if Some(*block) == entry { "entry".to_owned() } else { format!("b{at}") };
        editor.set_block_name(*block, &name);
    }
    let (mut phis, mut others) = (0, 0);
    for inst in insts {
        let data = editor.body().inst(inst);
        let own = |v: &Value| *v != inst.into();
        let is_phi = data.kind.is_phi() && data.operands.iter().any(own);
        let count = if is_phi { &mut phis } else { &mut others };
        *count += 1;
        let name = format!("{}{count}", if is_phi { "p" } else { "v" });
        editor.set_name(inst, &name);
    }
}
