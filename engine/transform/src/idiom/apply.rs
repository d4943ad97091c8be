//! Creates the call and removes the stores.

use super::job::{Job, Source};
use super::remarks::IdiomDone;
use super::splat::Byte;
use crate::cleanup::dead::is_dead;
use crate::pass::Unit;
use backedge_ir::attr::{Attr, AttrList, IntAttr};
use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallInfo, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::MdKind;
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// Executes the jobs, except those whose intrinsic name has another meaning in the module.
pub(super) fn apply(unit: &mut Unit<'_>, jobs: Vec<Job>) -> Vec<IdiomDone> {
    let mut done = Vec::new();
    let mut stores: Vec<Inst> = Vec::new();
    for job in jobs {
        if let Some(made) = make(unit, &job) {
            done.push(made);
            stores.extend(job.stores);
        }
    }
    // Last, since the plans refer to instructions that must still exist.
    let (env, mut editor) = unit.env_and_editor();
    for store in stores {
        remove_with_operands(env, &mut editor, store);
    }
    done
}

/// Creates the call.
fn make(unit: &mut Unit<'_>, job: &Job) -> Option<IdiomDone> {
    let length = Type::int(job.length_bits);
    let (space, bits) = (job.to.ty.ptr_space().unwrap_or(0), job.length_bits);
    let (name, second, done) = match &job.from {
        Source::Byte(_) => {
            let done = IdiomDone::Memset { stores: job.stores.len(), stride: job.stride };
            (format!("llvm.memset.p{space}.i{bits}"), Type::I8, done)
        }
        Source::Memory { from, overlaps } => {
            let (what, done) = if *overlaps {
                ("memmove", IdiomDone::Memmove { stride: job.stride })
            } else {
                ("memcpy", IdiomDone::Memcpy { stride: job.stride })
            };
            let from_space = from.ty.ptr_space().unwrap_or(0);
            (format!("llvm.{what}.p{space}.p{from_space}.i{bits}"), from.ty, done)
        }
    };
    let params = [job.to.ty, second, length, Type::I1];
    let callee = unit.declare_intrinsic(&name, Type::VOID, &params)?;
    let (env, mut editor) = unit.env_and_editor();
    let store = job.stores.first().map(|s| editor.body().inst(*s));
    let location = store.and_then(|s| s.metadata_of(&MdKind::Dbg)).copied();
    editor.set_location(location);
    let call = call(env, &mut editor, job, callee);
    editor.insert_new(Position::Before(job.place), call);
    Some(done)
}

fn call(env: &Env, editor: &mut Editor<'_>, job: &Job, callee: FuncId) -> InstData {
    let to = job.to.plan.emit(editor);
    let (second, align) = match &job.from {
        Source::Byte(Byte::Known(byte)) => (editor.int(Int::new(8, u128::from(*byte))), None),
        Source::Byte(Byte::Value(value)) => (*value, None),
        Source::Memory { from, .. } => (from.plan.emit(editor), Some(from.align)),
    };
    let length = job.length.emit(editor);
    let aligned =
        |align: u64| AttrList { own: vec![Attr::Int(IntAttr::Align, align)], ..AttrList::default() };
    let mut info = CallInfo::plain(env.funcs[callee].ty, 4);
    info.arg_attrs[0] = aligned(job.to.align);
    info.arg_attrs[1] = align.map_or_else(AttrList::default, aligned);
    let volatile = editor.int(Int::bool(false));
    let global = GlobalRef::Func(callee);
    let address: Value = editor.consts().global(env.address_type(global), global).into();
    InstData::new(InstKind::Call(Box::new(info)), Type::VOID, [to, second, length, volatile, address], [])
}

/// Removes a store, and its operands that become dead.
fn remove_with_operands(env: &Env, editor: &mut Editor<'_>, store: Inst) {
    let mut work: Vec<Inst> = editor.body().inst(store).operands.iter().filter_map(|v| v.as_inst()).collect();
    editor.remove(store);
    while let Some(inst) = work.pop() {
        if editor.body().block_of(inst).is_some() && is_dead(env, editor.body(), inst) {
            work.extend(editor.body().inst(inst).operands.iter().filter_map(|v| v.as_inst()));
            editor.remove(inst);
        }
    }
}
