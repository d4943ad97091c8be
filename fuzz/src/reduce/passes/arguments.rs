//! Removes arguments: their uses become constants or other arguments, and unused arguments are removed from the
//! signature. Both functions of a pair `@src…` and `@tgt…` change together.

use super::super::program::Program;
use super::super::search::{Edit, Search};
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Arg, EntityId, FuncId};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::signature::{Param, change_signature, zero};
use backedge_ir::types::Type;

pub(super) fn run(search: &mut Search<'_>) {
    for bits in [0, 1] {
        let constant: Vec<Edit> = arguments(search)
            .into_iter()
            .map(|(func, arg)| Box::new(move |p: &mut Program| to_constant(p, func, arg, bits)) as Edit)
            .collect();
        search.chunked(constant);
        let unused = search.best.program.bodies().into_iter();
        let unused = unused.map(|func| Box::new(move |p: &mut Program| drop_unused(p, func, None)) as Edit);
        search.chunked(unused.collect());
    }
    let mut one_by_one = arguments(search);
    // From the last one on, so that the others keep their positions.
    one_by_one.reverse();
    let one_by_one = one_by_one
        .into_iter()
        .map(|(func, arg)| {
            vec![Box::new(move |p: &mut Program| drop_unused(p, func, Some(arg.index()))) as Edit]
        })
        .collect();
    search.first_of_each(one_by_one);
    let merged: Vec<Edit> = arguments(search)
        .into_iter()
        .filter_map(|(func, arg)| {
            let body = search.best.program.module.body(func)?;
            let first = body.args().find(|a| body.ty((*a).into()) == body.ty(arg.into()))?;
            (first != arg)
                .then(|| Box::new(move |p: &mut Program| replace_argument(p, func, arg, first)) as Edit)
        })
        .collect();
    search.chunked(merged);
    let unused = search.best.program.bodies().into_iter();
    search.chunked(
        unused.map(|func| Box::new(move |p: &mut Program| drop_unused(p, func, None)) as Edit).collect(),
    );
}

/// `func` and its partner in a pair, if any.
pub(super) fn with_partner(module: &Module, func: FuncId) -> Vec<FuncId> {
    let name = &module.env.funcs[func].name;
    let other = match (name.strip_prefix("src"), name.strip_prefix("tgt")) {
        (Some(rest), _) => Some(format!("tgt{rest}")),
        (_, Some(rest)) => Some(format!("src{rest}")),
        _ => None,
    };
    let other = other.and_then(|name| module.env.func_named(&name));
    let same = |f: &FuncId| module.env.funcs[*f].ty == module.env.funcs[func].ty && module.body(*f).is_some();
    [func].into_iter().chain(other.filter(same)).collect()
}

/// Changes the parameters of `func` and its partner.
fn reshape(program: &mut Program, func: FuncId, params: &[Param]) -> bool {
    let all = with_partner(&program.module, func);
    let ty = program.module.env.funcs[func].ty;
    let Some(ret) = program.module.env.types.signature(ty).map(|s| s.0) else { return false };
    all.into_iter().all(|func| change_signature(&mut program.module, func, params, ret))
}

/// Appends unused arguments of the given types to `func` and its partner. Returns the new arguments of `func`; `None`
/// if that is impossible.
pub(super) fn added(program: &mut Program, func: FuncId, types: &[Type]) -> Option<Vec<Arg>> {
    let body = program.module.body(func)?;
    let old = body.args().len();
    let params: Vec<Param> =
        body.args().map(Param::Old).chain(types.iter().copied().map(Param::New)).collect();
    let done = reshape(program, func, &params);
    done.then(|| program.module.body(func).map(|body| body.args().skip(old).collect())).flatten()
}

/// The arguments of all functions; for a pair, those of the source.
fn arguments(search: &Search<'_>) -> Vec<(FuncId, Arg)> {
    let module = &search.best.program.module;
    let first = |func: &FuncId| with_partner(module, *func).iter().all(|f| f >= func);
    let of_body = |(func, body): (FuncId, &Body)| body.args().map(move |arg| (func, arg)).collect::<Vec<_>>();
    module.bodies().filter(|(func, _)| first(func)).flat_map(of_body).collect()
}

fn to_constant(program: &mut Program, func: FuncId, arg: Arg, bits: u128) -> bool {
    let mut changed = false;
    for func in with_partner(&program.module, func) {
        let Some(body) = program.body_mut(func) else { continue };
        let ty = body.ty(arg.into());
        let mut editor = Editor::new(body);
        let value: Option<Value> = match ty.int_bits().filter(|b| *b <= Type::MAX_INT_BITS) {
            Some(width) => Some(editor.int(Int::new(width, bits))),
            None if bits == 0 => zero(ty).map(|z| editor.constant(z).into()),
            None => None,
        };
        let Some(value) = value else { continue };
        changed |= !editor.body().uses(arg.into()).is_empty();
        editor.replace_uses(arg.into(), value);
    }
    changed
}

fn replace_argument(program: &mut Program, func: FuncId, arg: Arg, by: Arg) -> bool {
    let mut changed = false;
    for func in with_partner(&program.module, func) {
        let Some(body) = program.body_mut(func) else { continue };
        changed |= !body.uses(arg.into()).is_empty();
        Editor::new(body).replace_uses(arg.into(), by.into());
    }
    changed
}

/// Removes all unused arguments, or only the one at the given position.
fn drop_unused(program: &mut Program, func: FuncId, only: Option<usize>) -> bool {
    let all = with_partner(&program.module, func);
    let unused = |arg: Arg| {
        only.is_none_or(|index| index == arg.index())
            && all.iter().all(|f| program.module.body(*f).is_some_and(|b| b.uses(arg.into()).is_empty()))
    };
    let Some(body) = program.module.body(func) else { return false };
    let kept: Vec<Param> = body.args().filter(|arg| !unused(*arg)).map(Param::Old).collect();
    kept.len() < body.args().len() && reshape(program, func, &kept)
}
