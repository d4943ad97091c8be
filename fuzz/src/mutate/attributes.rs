//! Adds or removes an attribute of a function, a parameter or a result.

use crate::generate::draw::Draw;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr, MemoryEffects, ModRef};
use backedge_ir::entity::FuncId;
use backedge_ir::int::Int;
use backedge_ir::module::{Code, Module};
use backedge_ir::types::Type;

pub(super) fn run(module: &mut Module, func: FuncId, draw: &mut Draw<'_, '_>) -> Option<()> {
    let own = |f: &FuncId| module.env.funcs[*f].intrinsic.is_none() && module.env.funcs[*f].asm.is_none();
    let funcs: Vec<FuncId> = module.env.funcs.keys().filter(own).collect();
    let func = if draw.chance(70) || funcs.is_empty() { func } else { draw.pick(&funcs) };
    let (ret, params, _) = module.env.types.signature(module.env.funcs[func].ty)?;
    let (ret, params) = (ret, params.to_vec());
    let declared = matches!(module.code.get(func), Some(Code::Declaration));
    let header = &mut module.env.funcs[func];
    let (list, choices) = match draw.below(params.len() + 2) {
        0 => (&mut header.attrs, of_function(declared)),
        1 if ret != Type::VOID => (&mut header.ret_attrs, of_value(ret, draw)),
        1 => return None,
        at => (header.param_attrs.get_mut(at - 2)?, of_value(params[at - 2], draw)),
    };
    if draw.chance(40) && !list.is_empty() {
        return drop_one(list, draw);
    }
    let attr = choices.get(draw.below(choices.len()))?;
    if list.own.contains(attr) {
        return None;
    }
    // A list has one attribute of each kind, because a parser keeps only one.
    list.own.retain(|old| !is_of_one_kind(old, attr));
    list.own.push(attr.clone());
    Some(())
}

/// Whether two attributes are of the same kind, possibly with different values.
fn is_of_one_kind(a: &Attr, b: &Attr) -> bool {
    match (a, b) {
        (Attr::Flag(a), Attr::Flag(b)) => a == b,
        (Attr::Int(a, _), Attr::Int(b, _)) => a == b,
        (Attr::Range(..), Attr::Range(..)) | (Attr::Memory(_), Attr::Memory(_)) => true,
        _ => false,
    }
}

fn drop_one(list: &mut AttrList, draw: &mut Draw<'_, '_>) -> Option<()> {
    let at = draw.below(list.own.len() + list.groups.len());
    match at.checked_sub(list.own.len()) {
        None => _ = list.own.remove(at),
        Some(group) => _ = list.groups.remove(group),
    }
    Some(())
}

/// Attributes for functions. Definitions get few of them, because most mutants would have UB otherwise.
fn of_function(declared: bool) -> Vec<Attr> {
    let mut list = vec![Attr::Flag(FlagAttr::MustProgress), Attr::Flag(FlagAttr::NoUnwind)];
    if declared {
        list.extend([
            Attr::Flag(FlagAttr::WillReturn),
            Attr::Flag(FlagAttr::NoReturn),
            Attr::Flag(FlagAttr::NoFree),
            Attr::Flag(FlagAttr::NoSync),
            Attr::Memory(MemoryEffects::all(ModRef::NONE)),
            Attr::Memory(MemoryEffects::all(ModRef::READ)),
            Attr::Memory(MemoryEffects { argmem: ModRef::READ_WRITE, ..MemoryEffects::all(ModRef::NONE) }),
        ]);
    }
    list
}

/// Attributes for values of type `ty`.
fn of_value(ty: Type, draw: &mut Draw<'_, '_>) -> Vec<Attr> {
    let mut list = vec![Attr::Flag(FlagAttr::NoUndef)];
    if ty.is_ptr() {
        list.extend([
            Attr::Flag(FlagAttr::NoAlias),
            Attr::Flag(FlagAttr::NonNull),
            Attr::Int(IntAttr::Align, 8),
            Attr::Int(IntAttr::Dereferenceable, 16),
        ]);
    }
    if let Some(width) = ty.int_bits().filter(|b| *b <= Type::MAX_INT_BITS && *b > 2) {
        let low = draw.below(3) as i128;
        let high = low + draw.between(1, 3) as i128;
        list.push(Attr::Range(Int::from_i128(width, low), Int::from_i128(width, high)));
        list.push(Attr::Range(Int::zero(width), Int::signed_min(width)));
    }
    list
}
