//! Removes attributes and metadata: first all at each place, then one by one.

use super::super::program::Program;
use super::super::search::{Edit, Search};
use super::on_body;
use backedge_ir::attr::AttrList;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::InstKind;
use backedge_ir::module::{Function, Linkage};

pub(super) fn run(search: &mut Search<'_>) {
    let module = &search.best.program.module;
    let mut edits: Vec<Edit> = Vec::new();
    for (func, body) in module.bodies() {
        for inst in body.all_insts() {
            let data = body.inst(inst);
            if !data.metadata.is_empty() {
                edits.push(on_body(func, move |editor| {
                    let had = super::super::edit::stands(editor.body(), inst)
                        && !editor.body().inst(inst).metadata.is_empty();
                    if had {
                        editor.retain_metadata(inst, |_| false);
                    }
                    had
                }));
            }
            if data.call().is_some_and(|c| {
                let lists = [&c.info.ret_attrs, &c.info.fn_attrs];
                lists.into_iter().chain(&c.info.arg_attrs).any(|l| !l.is_empty())
            }) {
                edits.push(on_body(func, move |editor| {
                    if !super::super::edit::stands(editor.body(), inst) {
                        return false;
                    }
                    let mut kind = editor.body().inst(inst).kind.clone();
                    let (InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info)) = &mut kind
                    else {
                        return false;
                    };
                    info.ret_attrs = AttrList::default();
                    info.fn_attrs = AttrList::default();
                    info.arg_attrs.iter_mut().for_each(|list| *list = AttrList::default());
                    editor.set_kind(inst, kind);
                    true
                }));
            }
            if matches!(data.kind, InstKind::DebugRecord(_)) {
                edits.push(on_body(func, move |editor| {
                    let there = super::super::edit::stands(editor.body(), inst);
                    if there {
                        editor.remove(inst);
                    }
                    there
                }));
            }
        }
    }
    for (func, header) in module.env.funcs.iter().filter(|(_, header)| header.asm.is_none()) {
        for strip in STRIPS {
            if strip(&mut header.clone()) {
                edits.push(on_header(func, strip));
            }
        }
    }
    for (id, var) in module.env.vars.iter() {
        if !var.metadata.is_empty() || !var.suffix.is_empty() || !var.prefix_words.is_empty() {
            edits.push(Box::new(move |program: &mut Program| {
                let var = &mut program.module.env.vars[id];
                var.metadata.clear();
                var.suffix.clear();
                var.prefix_words.clear();
                true
            }));
        }
    }
    search.chunked(edits);
}

/// Removes single attributes of functions, results, parameters and groups.
pub(super) fn run_each(search: &mut Search<'_>) {
    let env = &search.best.program.module.env;
    let mut edits: Vec<Edit> = Vec::new();
    let mut numbers: Vec<u32> = env.attr_groups.keys().copied().collect();
    numbers.sort_unstable();
    for number in numbers {
        for attr in env.attr_groups[&number].clone() {
            edits.push(Box::new(move |program: &mut Program| {
                let Some(group) = program.module.env.attr_groups.get_mut(&number) else { return false };
                let before = group.len();
                group.retain(|a| *a != attr);
                group.len() < before
            }));
        }
    }
    for (func, header) in env.funcs.iter().filter(|(_, header)| header.asm.is_none()) {
        for place in 0..header.param_attrs.len() + 2 {
            for attr in list_at(&mut header.clone(), place).map_or_else(Vec::new, |l| l.own.clone()) {
                edits.push(Box::new(move |program: &mut Program| {
                    let header = &mut program.module.env.funcs[func];
                    let Some(list) = list_at(header, place) else { return false };
                    let before = list.own.len();
                    list.own.retain(|a| *a != attr);
                    list.own.len() < before
                }));
            }
        }
    }
    search.chunked(edits);
}

/// The attribute list of the function, of its result, or of a parameter.
fn list_at(header: &mut Function, place: usize) -> Option<&mut AttrList> {
    match place {
        0 => Some(&mut header.attrs),
        1 => Some(&mut header.ret_attrs),
        n => header.param_attrs.get_mut(n - 2),
    }
}

fn on_header(func: FuncId, strip: fn(&mut Function) -> bool) -> Edit {
    Box::new(move |program| strip(&mut program.module.env.funcs[func]))
}

/// Parts of a function header that are removed separately; each returns false if there was nothing to remove.
const STRIPS: [fn(&mut Function) -> bool; 5] = [
    |header| {
        let had = !header.metadata.is_empty();
        header.metadata.clear();
        had
    },
    |header| !std::mem::take(&mut header.attrs).is_empty(),
    |header| {
        let had = !header.ret_attrs.is_empty() || header.param_attrs.iter().any(|l| !l.is_empty());
        header.ret_attrs = AttrList::default();
        header.param_attrs.iter_mut().for_each(|list| *list = AttrList::default());
        had
    },
    |header| {
        let plain =
            header.prefix_words.is_empty() && header.suffix.is_empty() && header.unnamed_addr.is_empty();
        header.prefix_words.clear();
        header.suffix.clear();
        header.unnamed_addr = "".into();
        !plain
    },
    |header| {
        let had = header.linkage != Linkage::External;
        header.linkage = Linkage::External;
        had
    },
];
