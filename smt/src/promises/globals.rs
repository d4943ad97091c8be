//! Differences between two modules about globals of the same name. Both functions run in one memory, for which the
//! engines use the source's module. The modules must therefore agree on everything that a run may depend on.

use super::Promised;
use crate::refinement::FunctionRef;
use backedge_ir::entity::GlobalId;
use backedge_ir::module::{Env, Function, GlobalVar};
use backedge_ir::print::{Locals, extract, initializer_to_string, type_to_string};
use std::cmp::Ordering;

/// The differences of the target's module for globals in both modules.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let (s, t) = (&source.module.env, &target.module.env);
    if std::ptr::eq(s, t) {
        return Vec::new();
    }
    let pairs = t.vars.iter().filter_map(|(id, var)| Some(((named(s, &var.name)?), id)));
    let pairs: Vec<_> = pairs.collect();
    let of_vars = pairs.into_iter().filter_map(|(own, other)| {
        let what = difference((s, own), (t, other))?;
        Some(Promised::differing(what, format!("of the global @{}", t.vars[other].name)))
    });
    of_vars.chain(of_functions(source, target)).chain(of_conventions(source, target)).collect()
}

/// Functions reached by the source or the target to which the modules give different calling conventions. LangRef,
/// "call": a call with another convention than the callee's is UB.
fn of_conventions(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let (s, t) = (&source.module.env, &target.module.env);
    let differs = |func: &&Function| s.func_named(&func.name).is_some_and(|own| s.funcs[own].cc != func.cc);
    let differing: Vec<&Function> = t.funcs.values().filter(differs).collect();
    if differing.is_empty() {
        return Vec::new();
    }
    let named = [source, target].map(|side| extract(side.module, side.func, &[], Locals::Numbered).globals);
    let is_named = |func: &&Function| named.iter().any(|globals| globals.contains(&func.name));
    let said = |func: &Function| {
        Promised::differing("calling convention", format!("of the function @{}", func.name))
    };
    differing.into_iter().filter(is_named).map(said).collect()
}

/// The differences for functions whose address is taken where it may be observed. Other modules may take the address of
/// the target's own function.
fn of_functions(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let (s, t) = (&source.module.env, &target.module.env);
    let differing = t.funcs.values().filter_map(|func| {
        let own = &s.funcs[s.func_named(&func.name)?];
        Some((func, otherwise(own, func)?))
    });
    let own = &t.funcs[target.func].name;
    let differing: Vec<(&Function, &str)> = differing.collect();
    if differing.is_empty() {
        return Vec::new();
    }
    let texts = [source, target].map(|side| extract(side.module, side.func, &[], Locals::Numbered).text);
    let is_taken = |name: &str| texts.iter().any(|text| takes_address(text, name));
    let is_shown = |func: &Function, what: &str| {
        let is_of_module = [UNNAMED, LESS_ALIGNED].contains(&what) && func.name == *own;
        is_of_module && !func.linkage.is_local() || is_taken(&func.name)
    };
    let taken = differing.into_iter().filter(|(func, what)| is_shown(func, what));
    let said = |(func, what): (&Function, &str)| {
        let claim = match what {
            LESS_ALIGNED => None,
            ALIGNMENT => func.suffix_part("align").map(|align| format!("@{} is {align}", func.name)),
            _ => Some(format!("@{} is {}", func.name, func.unnamed_addr)),
        };
        Promised { claim, ..Promised::differing(what, format!("of the function @{}", func.name)) }
    };
    taken.map(said).collect()
}

/// The property in which the addresses of two functions may differ.
fn otherwise(own: &Function, other: &Function) -> Option<&'static str> {
    let align = |func: &Function| {
        let bytes = func.suffix_part("align")?.split_whitespace().nth(1)?;
        bytes.parse::<u64>().ok()
    };
    if &*other.unnamed_addr == "unnamed_addr" && &*own.unnamed_addr != "unnamed_addr" {
        Some(UNNAMED)
    } else if &*other.unnamed_addr == "local_unnamed_addr" && own.unnamed_addr.is_empty() {
        Some("`local_unnamed_addr`")
    } else {
        match align(other).cmp(&align(own)) {
            Ordering::Less => Some(LESS_ALIGNED),
            Ordering::Equal => None,
            Ordering::Greater => Some(ALIGNMENT),
        }
    }
}

/// The address of a function becomes insignificant.
const UNNAMED: &str = "`unnamed_addr`";
/// A function has a larger alignment.
const ALIGNMENT: &str = "alignment";
/// A function has a smaller alignment, but users of its address may rely on the larger one.
const LESS_ALIGNED: &str = "less alignment";

/// Whether a module's text mentions a function other than in its definition, declaration or calls.
fn takes_address(text: &str, name: &str) -> bool {
    let name = format!("@{name}");
    text.match_indices(&name).any(|(at, _)| {
        let next = text[at + name.len()..].chars().next();
        let goes_on = next.is_some_and(|c| c.is_ascii_alphanumeric() || "-$._".contains(c));
        !goes_on && next != Some('(')
    })
}

fn named(env: &Env, name: &str) -> Option<GlobalId> {
    match env.symbols.get(name) {
        Some(backedge_ir::constant::GlobalRef::Var(id)) => Some(*id),
        _ => None,
    }
}

fn difference((s, own): (&Env, GlobalId), (t, other): (&Env, GlobalId)) -> Option<&'static str> {
    let (a, b) = (&s.vars[own], &t.vars[other]);
    let has = |var: &GlobalVar, word: &str| var.prefix_words.iter().any(|w| w.starts_with(word));
    let declared = a.init.is_none() && b.init.is_none();
    let aligned = |env: &Env, var: &GlobalVar| {
        var.align.or_else(|| env.layout.abi_align(&env.types, var.ty)).unwrap_or(1)
    };
    let (align, other_align) = (aligned(s, a), aligned(t, b));
    if type_to_string(&s.types, a.ty) != type_to_string(&t.types, b.ty)
        || s.layout.alloc_bytes(&s.types, a.ty) != t.layout.alloc_bytes(&t.types, b.ty)
    {
        Some("type")
    } else if align != other_align && !(declared && other_align < align) {
        Some("alignment")
    } else if a.addrspace != b.addrspace {
        Some("address space")
    } else if a.is_constant != b.is_constant {
        Some("`constant`")
    } else if has(a, "thread_local") != has(b, "thread_local") {
        Some("`thread_local`")
    } else if has(b, "unnamed_addr") && !has(a, "unnamed_addr") {
        Some("`unnamed_addr`")
    } else if has(a, "externally_initialized") != has(b, "externally_initialized") {
        Some("`externally_initialized`")
    } else if a.linkage.is_local() != b.linkage.is_local()
        || a.linkage.is_interposable() != b.linkage.is_interposable()
    {
        Some("linkage")
    } else if initializer_to_string(s, own) != initializer_to_string(t, other) {
        Some("initializer")
    } else {
        b.metadata
            .iter()
            .any(|(kind, _)| {
                let absolute = kind.name() == "absolute_symbol";
                absolute && !a.metadata.iter().any(|(k, _)| k.name() == "absolute_symbol")
            })
            .then_some("`!absolute_symbol`")
    }
}
