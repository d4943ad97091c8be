//! Inserts a call of a declared function. It may not return, unless its attributes say otherwise, and may return any
//! value.

use super::work::{Work, is_place};
use backedge_ir::attr::{Attr, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::inst::Value;
use backedge_ir::types::Type;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let before = work.place(is_place)?;
    let mut args: Vec<Value> = Vec::new();
    if work.draw.chance(60) {
        args.extend(work.integer(before));
    }
    if work.draw.chance(30) {
        let pointers = work.available_of(Type::PTR, before);
        args.extend(work.one_of(&pointers));
    }
    let gives = work.draw.chance(40);
    let like = work.integer(before).map(|v| work.body().ty(v));
    let ret = if gives { like.unwrap_or(Type::I32) } else { Type::VOID };
    let (name, attrs) = kind(work);
    let params: Vec<Type> = args.iter().map(|v| work.body().ty(*v)).collect();
    let func = work.declare(name, ret, &params, &attrs);
    let call = work.call(func, &args, before);
    if gives && work.draw.chance(80) { work.create_use(call.into()) } else { Some(()) }
}

/// The name and the attributes of the function.
fn kind(work: &mut Work<'_, '_, '_>) -> (&'static str, Vec<Attr>) {
    let flag = Attr::Flag;
    let memory = |effect| Attr::Memory(MemoryEffects::all(effect));
    match work.draw.below(6) {
        0 | 1 => ("opaque", Vec::new()),
        2 => ("throws", vec![flag(FlagAttr::WillReturn)]),
        3 => ("stops", vec![flag(FlagAttr::NoUnwind), memory(ModRef::NONE)]),
        4 => ("reads", vec![flag(FlagAttr::NoUnwind), flag(FlagAttr::WillReturn), memory(ModRef::READ)]),
        _ => ("returns", vec![flag(FlagAttr::NoUnwind), flag(FlagAttr::WillReturn)]),
    }
}
