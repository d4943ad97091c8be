//! Turns functions into declarations or removes them; drops unreferenced globals, aliases, declarations, named
//! metadata and carried lines; replaces initializers with zero.

use super::super::program::key;
use super::super::search::{Edit, Search};
use backedge_ir::constant::ConstData;
use backedge_ir::module::{Code, TopLevel};
use backedge_ir::signature::zero;

pub(super) fn run(search: &mut Search<'_>) {
    let module = &search.best.program.module;
    let code: Vec<Edit> = module
        .code
        .iter()
        .filter(|(_, code)| !matches!(code, Code::Declaration))
        .map(|(func, _)| Box::new(move |p: &mut super::super::program::Program| p.drop_code(func)) as Edit)
        .collect();
    search.chunked(code);
    let program = &search.best.program;
    let env = &program.module.env;
    let has_code = |item: &TopLevel| matches!(item, TopLevel::Func(id) if !matches!(program.module.code[*id], Code::Declaration));
    let keys = env.order.iter().filter(|item| !has_code(item)).filter_map(|item| key(env, item));
    let items: Vec<Edit> = keys
        .filter(|key| program.is_wanted(key))
        .map(|key| Box::new(move |p: &mut super::super::program::Program| p.drop_item(key.clone())) as Edit)
        .collect();
    search.chunked(items);
    let env = &search.best.program.module.env;
    let initializers: Vec<Edit> = env
        .vars
        .iter()
        .filter(|(_, var)| var.init.is_some_and(|c| env.consts.get(c).data != ConstData::Zero))
        .map(|(id, _)| {
            Box::new(move |p: &mut super::super::program::Program| {
                let env = &mut p.module.env;
                let Some(zero) = zero(env.vars[id].ty) else { return false };
                let zero = env.consts.intern(zero);
                env.vars[id].init.replace(zero) != Some(zero)
            }) as Edit
        })
        .collect();
    search.chunked(initializers);
}
