//! Helpers shared by several tests of this crate: plain modules and function headers.

#![allow(dead_code, reason = "each test program uses a part")]

use backedge_ir::body::Body;
use backedge_ir::constant::GlobalRef;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Function, Module};
use backedge_ir::types::Type;

/// A function header without attributes.
pub(crate) fn header(module: &mut Module, name: &str, ret: Type, params: &[Type]) -> Function {
    let ty = module.env.types.function(ret, params, false);
    Function::plain(name.into(), ty, params.len())
}

/// Adds a function.
pub(crate) fn add(module: &mut Module, function: Function, code: Code) -> FuncId {
    let name = function.name.clone();
    let id = module.env.funcs.push(function);
    module.code.push(code);
    module.env.symbols.insert(name, GlobalRef::Func(id));
    id
}

/// A module with one function `f` with this body.
pub(crate) fn module_of(ret: Type, params: &[Type], body: Body) -> (Module, FuncId) {
    let mut module = Module::default();
    let header = header(&mut module, "f", ret, params);
    let id = add(&mut module, header, Code::Body(Box::new(body)));
    (module, id)
}
