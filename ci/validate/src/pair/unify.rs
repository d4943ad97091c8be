//! Unifies the memory description of two modules: a data layout that only one side has, and the target's stricter
//! descriptions of globals, apply to both sides. Facts that the pair's verdict depends on become named assumptions.
//!
//! - Layout (LangRef, "Data Layout"): a module without a layout gets the other's. This is an assumption unless both
//!   modules name the same target triple, which fixes the layout, or sizes, alignments and byte order of everything the
//!   functions use are the same in both.
//! - Alignment of a variable (LangRef, "Global Variables"): an optimizer may over-align a definition that has no
//!   section and that no other definition can replace. Both sides get the larger alignment. For other variables it is
//!   an assumption.
//! - `unnamed_addr` and `local_unnamed_addr` of a variable: an assumption if a function uses the address other than for
//!   accesses through it.

use super::variable_uses::names;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, ConstOp, GlobalRef};
use backedge_ir::data_layout::DataLayout;
use backedge_ir::entity::{FuncId, GlobalId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::{Env, Linkage, Module};
use backedge_ir::opcode::CastOp;
use backedge_ir::types::Type;

/// The claim for a shared data layout.
const LAYOUT: &str = "both modules have one data layout";

/// The layout for the module that has none while the other has one, and the claim if that is an assumption.
pub(crate) fn layout(modules: &[Module; 2], functions: [FuncId; 2]) -> Option<(String, Option<String>)> {
    let texts = modules.each_ref().map(|m| m.env.layout.text.as_deref());
    let text = match texts {
        [None, Some(text)] | [Some(text), None] => text.to_owned(),
        [None, None] | [Some(_), Some(_)] => return None,
    };
    let layout = DataLayout::parse(&text).ok()?;
    let triples = modules.each_ref().map(|m| m.env.target_triple());
    let same_triple = triples[0].is_some() && triples[0] == triples[1];
    let depends = || {
        let pairs = modules.iter().zip(functions);
        pairs.into_iter().any(|(m, f)| depends_on_layout(m, f, [&layout, &DataLayout::default()]))
    };
    let claim = (!same_triple && depends()).then(|| LAYOUT.to_owned());
    Some((text, claim))
}

/// Whether a function uses a type that the two layouts place differently, or depends on byte order (through memory or
/// the order of vector elements) while the layouts differ in it.
fn depends_on_layout(module: &Module, func: FuncId, layouts: [&DataLayout; 2]) -> bool {
    let Some(body) = module.body(func) else { return true };
    let ([a, b], env) = (layouts, &module.env);
    let mut types: Vec<Type> = body.args().map(|a| body.ty(a.into())).collect();
    let (mut touches_memory, mut orders_elements) = (false, false);
    for inst in body.all_insts() {
        let data = body.inst(inst);
        types.push(data.ty);
        types.extend(data.operands.iter().map(|v| body.ty(*v)));
        match &data.kind {
            InstKind::Gep { source, .. } => types.push(*source),
            InstKind::Alloca(info) => types.push(info.ty),
            InstKind::Load(_)
            | InstKind::Store(_)
            | InstKind::AtomicRmw(..)
            | InstKind::CmpXchg(_)
            | InstKind::Call(_)
            | InstKind::Invoke(_) => touches_memory = true,
            // A vector bitcast behaves like a store and a load.
            InstKind::Cast(CastOp::BitCast, ..) => orders_elements = true,
            _ => {}
        }
    }
    for (_, constant) in body.consts().iter() {
        types.push(constant.ty);
        touches_memory |= matches!(constant.data, ConstData::Global(_) | ConstData::Expr(_));
    }
    let uses_pointers = types.iter().any(|ty| env.types.scalar(*ty).is_ptr());
    if !touches_memory && !uses_pointers {
        return orders_elements && a.big_endian != b.big_endian;
    }
    types.extend(env.vars.values().map(|var| var.ty));
    let of = |layout: &DataLayout, ty: Type| {
        (
            layout.size_bits(&env.types, ty),
            layout.alloc_bytes(&env.types, ty),
            layout.abi_align(&env.types, ty),
            layout.preferred_align(&env.types, ty),
        )
    };
    let spaces = |layout: &DataLayout| {
        (layout.big_endian, layout.alloca_space, layout.program_space, layout.globals_space)
    };
    let pointers = types.iter().filter_map(|ty| env.types.scalar(*ty).ptr_space()).chain([0]);
    spaces(a) != spaces(b)
        || pointers
            .into_iter()
            .any(|s| a.pointer(s) != b.pointer(s) || a.is_non_integral(s) != b.is_non_integral(s))
        || types.into_iter().any(|ty| of(a, ty) != of(b, ty))
}

/// Unifies alignment and address significance of variables in both modules; returns the claims that this assumes.
/// `None` if nothing differs.
pub(crate) fn globals(modules: &mut [Module; 2], functions: [FuncId; 2]) -> Option<Vec<String>> {
    let [source, target] = modules;
    let mut claims = Vec::new();
    let mut changed = false;
    for (id, var) in target.env.vars.iter() {
        let Some(GlobalRef::Var(own)) = source.env.symbols.get(&*var.name).copied() else { continue };
        let (old, new) = (source.env.variable_align(own), target.env.variable_align(id));
        if new > old {
            let in_section = var.suffix.iter().any(|part| part.starts_with("section"));
            // The linker may choose another module's copy of a definition that is not strong.
            let is_strong = matches!(
                var.linkage,
                Linkage::External | Linkage::Private | Linkage::Internal | Linkage::Appending
            );
            let may_grow = var.init.is_some() && is_strong && !in_section;
            if !may_grow {
                claims.push(format!("@{} is align {new}", var.name));
            }
            source.env.vars[own].align = Some(new);
            changed = true;
        }
        let has =
            |env: &Env, id: GlobalId, word: &str| env.vars[id].prefix_words.iter().any(|w| **w == *word);
        for word in ["unnamed_addr", "local_unnamed_addr"] {
            if !has(&target.env, id, word) || has(&source.env, own, word) {
                continue;
            }
            let stated = has(&source.env, own, "unnamed_addr");
            let sides = [(&*source, functions[0], own), (&*target, functions[1], id)];
            // Other modules may compare the address of a variable that they can name.
            let is_shown = !var.linkage.is_local() && word == "unnamed_addr"
                || sides.into_iter().any(|(m, f, id)| shows_address(m, f, id));
            if !stated && is_shown {
                claims.push(format!("@{} is {word}", var.name));
            }
            if word == "unnamed_addr" {
                source.env.vars[own].prefix_words.push(word.into());
                changed = true;
            }
        }
    }
    (changed || !claims.is_empty()).then_some(claims)
}

/// Whether a function, or an initializer, uses the address of a variable other than to access the variable.
fn shows_address(module: &Module, func: FuncId, var: GlobalId) -> bool {
    let Some(body) = module.body(func) else { return true };
    let is_it = |value: &Value| value.as_const().is_some_and(|c| names(body, c, var));
    let in_code = body.all_insts().any(|inst| {
        body.inst(inst)
            .operands
            .iter()
            .enumerate()
            .any(|(i, v)| is_it(v) && !is_access(module, body, inst, i))
    });
    // Initializers contain its address.
    in_code
        || module
            .env
            .consts
            .iter()
            .any(|(_, c)| matches!(c.data, ConstData::Global(GlobalRef::Var(id)) if id == var))
}

/// Whether an operand is the address of an access, and no part of the address has other uses.
fn is_access(module: &Module, body: &Body, inst: Inst, index: usize) -> bool {
    let data = body.inst(inst);
    let is_plain = data.operands[index].as_const().is_some_and(|c| match &body.constant(c).data {
        ConstData::Global(_) => true,
        ConstData::Expr(e) => matches!(e.op, ConstOp::Gep { .. }),
        _ => false,
    });
    let at = match &data.kind {
        InstKind::Load(_) => index == 0,
        InstKind::Store(_) => index == 1,
        InstKind::Gep { .. } => {
            index == 0
                && body.uses(inst.into()).iter().all(|u| is_access(module, body, u.user, u.index as usize))
                && is_plain
        }
        InstKind::Call(_) => {
            let callee = data.call().and_then(|view| body.called_function(view.callee()));
            let intrinsic = callee.and_then(|f| module.env.funcs[f].intrinsic);
            let is_memory =
                matches!(intrinsic, Some(Intrinsic::Memset | Intrinsic::Memcpy | Intrinsic::Memmove));
            is_memory && index < 2
        }
        _ => false,
    };
    at && (is_plain || matches!(data.operands[index], Value::Inst(_)))
}
