//! Promises about functions defined in the module: those of their definitions, and those of calls of them. A body may
//! violate a promise of its own or one that only a call states. The run is then UB, or memory contains less than the
//! engines assume. The engines model some of these promises (see [`attributes::open`] for those of the source itself).

use super::attributes::{self, spelled};
use super::called::Calls;
use super::captures::Captures;
use super::kept::Kept;
use super::pointers::{Leads, What, touches};
use super::suspects::{About, Open};
use crate::refinement::FunctionRef;
use crate::refinement::freeing::calls_free;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, TypeAttr};
use backedge_ir::body::Body;
use backedge_ir::entity::{Arg, EntityId as _, FuncId, Inst};
use backedge_ir::inst::{InstKind, TailKind, Value};
use backedge_ir::meaning::attribute::{AttrKind, TextAttr};
use backedge_ir::meaning::library::{Known, Library, called};
use backedge_ir::module::{Code, Module};

/// Promises that functions of the module may violate: those of `callees` by their definitions and by calls of them, and
/// those of calls in `source`.
pub(super) fn open(source: FunctionRef<'_>, callees: &[FuncId]) -> Vec<Open> {
    let module = source.module;
    let in_module = |func: &FuncId| module.body(*func).is_some();
    let defined: Vec<FuncId> = callees.iter().copied().filter(in_module).collect();
    let callers = || std::iter::once(source.func).chain(defined.iter().copied());
    let frees = callers().any(|func| calls_free(module, func));
    let mut found = Vec::new();
    for func in &defined {
        let function = FunctionRef { module, func: *func };
        let kept = Kept::new(None, function);
        let name = &module.env.funcs[*func].name;
        let mut own = attributes::open(function, &kept);
        own.extend(of_definition(&kept, function, frees));
        found.extend(
            own.into_iter().map(|o| Open { promise: format!("{} of @{name}", o.promise).into(), ..o }),
        );
    }
    found.extend(callers().flat_map(|func| of_calls(FunctionRef { module, func }, &defined, frees)));
    found
}

/// Attributes of a definition that no engine checks when the module calls the function.
fn of_definition(kept: &Kept<'_>, function: FunctionRef<'_>, frees: bool) -> Vec<Open> {
    let env = &function.module.env;
    let header = &env.funcs[function.func];
    let is_open = |attr: &&Attr| is_open(attr, frees);
    let mut found = Vec::new();
    for attr in env.attrs(&header.attrs).filter(is_open).filter(|attr| !kept.function(attr)) {
        let promise = format!("`{}`", spelled(env, attr));
        found.push(Open::new(kept, About::Memory, promise, kept.breaches_of_function(attr)));
    }
    for (index, list) in header.param_attrs.iter().enumerate() {
        for attr in env.attrs(list).filter(is_open).filter(|attr| !keeps_of_parameter(kept, attr, index)) {
            let promise = format!("`{}` on parameter {index}", spelled(env, attr));
            let breaches = kept.breaches_of_parameter(attr, Arg::from_index(index));
            found.push(Open::new(kept, About::Pointer, promise, breaches));
        }
    }
    found
}

/// Whether the engines do not check an attribute in functions of the module, in addition to those of
/// [`attributes::open`]. They do check `noalias` of parameters; only library functions free memory.
fn is_open(attr: &Attr, frees: bool) -> bool {
    match AttrKind::of(attr) {
        AttrKind::Flag(FlagAttr::NoFree) => frees,
        AttrKind::Flag(flag) => {
            matches!(flag, FlagAttr::DeadOnUnwind | FlagAttr::AllocAlign | FlagAttr::AllocPtr)
        }
        AttrKind::Text(text) => {
            matches!(text, TextAttr::DeadOnReturn | TextAttr::AllocKind | TextAttr::AllocSize)
        }
        AttrKind::Int(_)
        | AttrKind::Type(_)
        | AttrKind::Range
        | AttrKind::Memory
        | AttrKind::String(_)
        | AttrKind::Unknown => false,
    }
}

/// Whether a body keeps an attribute of its parameter.
fn keeps_of_parameter(kept: &Kept<'_>, attr: &Attr, index: usize) -> bool {
    let arg = Arg::from_index(index);
    let writes_nothing = || kept.parameter(&Attr::Flag(FlagAttr::ReadOnly), arg);
    if attr.dead_on_return().is_some() {
        return writes_nothing();
    }
    match attr {
        Attr::Flag(FlagAttr::DeadOnUnwind) => {
            kept.function(&Attr::Flag(FlagAttr::NoUnwind)) || writes_nothing()
        }
        attr => kept.parameter(attr, arg),
    }
}

/// Promises of calls in a function that callees defined in the module may violate. Targets of indirect calls are
/// unknown.
fn of_calls(caller: FunctionRef<'_>, defined: &[FuncId], frees: bool) -> Vec<Open> {
    let module = caller.module;
    let Some(body) = module.body(caller.func) else { return Vec::new() };
    let calls = body.all_insts().filter(|inst| body.inst(*inst).call().is_some());
    calls.flat_map(|inst| of_call(caller, body, inst, defined, frees)).collect()
}

fn of_call(caller: FunctionRef<'_>, body: &Body, inst: Inst, defined: &[FuncId], frees: bool) -> Vec<Open> {
    let module = caller.module;
    let env = &module.env;
    let Some(view) = body.inst(inst).call() else { return Vec::new() };
    let callee = body.called_function(view.callee());
    let kept = match callee {
        Some(func) if matches!(module.code[func], Code::Declaration) => {
            return of_declared(caller, inst, func).into_iter().collect();
        }
        Some(func) => Some(Kept::new(None, FunctionRef { module, func })),
        None if defined.is_empty() => return Vec::new(),
        None => None,
    };
    let kept = kept.as_ref();
    let name = callee.map_or_else(|| "a pointer".to_owned(), |f| format!("@{}", env.funcs[f].name));
    let words = |attr: &Attr, place: &str| format!("`{}`{place} at a call of {name}", spelled(env, attr));
    let mut found = Vec::new();
    for attr in env.attrs(&view.info.fn_attrs) {
        let is_followed = !is_open(attr, frees) && !matches!(attr, Attr::Memory(_));
        if !is_followed && !kept.is_some_and(|kept| kept.function(attr)) {
            let promise = words(attr, "");
            found.push(match kept {
                Some(kept) => Open::new(kept, About::Memory, promise, kept.breaches_of_function(attr)),
                None => Open::never_shown(promise),
            });
        }
    }
    let says = |flag| env.has_attr(&view.info.fn_attrs, flag);
    if let Some(kept) = kept {
        let said = [FlagAttr::NoUnwind, FlagAttr::WillReturn].map(says);
        found.extend(Open::of_returning(kept, said, &format!(" at a call of {name}")));
    }
    if let Some(index) = writes_constants(caller, body, inst) {
        found.push(Open::never_shown(format!("`writable` on argument {index} at a call of {name}")));
    }
    let is_new = |attr: &&Attr| **attr == Attr::Flag(FlagAttr::NoAlias);
    if let Some(attr) = env.attrs(&view.info.ret_attrs).find(is_new)
        && !kept.is_some_and(Kept::returns_new_memory)
    {
        found.push(Open::never_shown(words(attr, " on the result")));
    }
    for (index, list) in view.info.arg_attrs.iter().enumerate() {
        let is_open = |attr: &&Attr| is_open(attr, frees) || restricts_accesses(attr);
        for attr in env.attrs(list).filter(is_open) {
            if !kept.is_some_and(|kept| keeps_of_parameter(kept, attr, index)) {
                let promise = words(attr, &format!(" on argument {index}"));
                let arg = Arg::from_index(index);
                found.push(match kept {
                    Some(kept) => {
                        let breaches = kept.breaches_of_parameter(attr, arg);
                        Open::new(kept, About::Pointer, promise, breaches)
                    }
                    None => Open::never_shown(promise),
                });
            }
        }
    }
    if is_open_tail_call(module, caller.func, body, inst) {
        found.push(Open::never_shown(format!("`tail` at a call of {name}")));
    }
    found
}

/// A promise of a call that is violated whatever the declared callee does.
fn of_declared(caller: FunctionRef<'_>, inst: Inst, callee: FuncId) -> Option<Open> {
    let promise = broken_without_code(caller, inst, callee)?;
    Some(Open::never_shown(promise))
}

fn broken_without_code(caller: FunctionRef<'_>, inst: Inst, callee: FuncId) -> Option<String> {
    let module = caller.module;
    let body = module.body(caller.func)?;
    let env = &module.env;
    let name = &env.funcs[callee].name;
    let view = body.inst(inst).call()?;
    let is_nofree = |list: &AttrList| env.has_attr(list, FlagAttr::NoFree);
    let frees = matches!(
        called(module, caller.func, body, inst),
        Some(Known::Function(Library::Free | Library::Realloc))
    );
    let lists = [&view.info.fn_attrs, &env.funcs[callee].attrs];
    let first = view.info.arg_attrs.first().into_iter().chain(env.funcs[callee].param_attrs.first());
    if frees && lists.into_iter().chain(first).any(is_nofree) {
        return Some(format!("`nofree` at a call of @{name}"));
    }
    let index = writes_constants(caller, body, inst)?;
    Some(format!("`writable` on argument {index} at a call of @{name}"))
}

/// The index of a call argument that is `writable` and may point to read-only memory.
fn writes_constants(caller: FunctionRef<'_>, body: &Body, inst: Inst) -> Option<usize> {
    let env = &caller.module.env;
    let view = body.inst(inst).call()?;
    let callee = body.called_function(view.callee()).map(|func| &env.funcs[func].param_attrs[..]);
    let is_writable = |index: usize| {
        let lists = [view.info.arg_attrs.get(index), callee.and_then(|lists| lists.get(index))];
        lists.into_iter().flatten().any(|list| env.has_attr(list, FlagAttr::Writable))
    };
    let mut writable = (0..view.args().len()).filter(|index| is_writable(*index)).peekable();
    writable.peek()?;
    let calls = Calls::new(caller.module, caller.func, body);
    writable.find(|index| {
        let leads = Leads::of(body, &calls, view.args()[*index]);
        leads.argument || leads.constant
    })
}

/// Whether the engines check an argument attribute at definitions only.
fn restricts_accesses(attr: &Attr) -> bool {
    match attr {
        Attr::Flag(flag) => {
            matches!(flag, FlagAttr::ReadNone | FlagAttr::ReadOnly | FlagAttr::WriteOnly | FlagAttr::NoAlias)
        }
        Attr::NoCapture => true,
        Attr::Text(text) => {
            matches!(TextAttr::of_text(text), Some(TextAttr::Captures | TextAttr::Initializes))
        }
        Attr::Int(..) | Attr::Type(..) | Attr::Range(..) | Attr::Memory(_) | Attr::String(..) => false,
    }
}

/// Whether a call promises that its callee does not access the caller's allocas, `byval` copies and variable arguments,
/// although the callee may know one of them (LangRef, "call"). For `musttail` calls, which pass variable arguments on,
/// runs end the lifetime of the allocas.
fn is_open_tail_call(module: &Module, caller: FuncId, body: &Body, inst: Inst) -> bool {
    let Some(view) = body.inst(inst).call() else { return false };
    let has_frame = match view.info.tail {
        TailKind::Tail => true,
        TailKind::MustTail => false,
        TailKind::None | TailKind::NoTail => return false,
    };
    let env = &module.env;
    let header = &env.funcs[caller];
    let calls = Calls::new(module, caller, body);
    let is_alloca = |inst: &Inst| has_frame && matches!(body.inst(*inst).kind, InstKind::Alloca(_));
    let allocas = body.all_insts().filter(is_alloca);
    let is_copied = |list: &AttrList| env.attrs(list).any(|a| matches!(a, Attr::Type(TypeAttr::ByVal, _)));
    let copies = header.param_attrs.iter().enumerate().filter(|(_, list)| is_copied(list));
    let own = allocas.map(Value::Inst).chain(copies.map(|(i, _)| Arg::from_index(i).into()));
    let is_variadic = env.types.signature(header.ty).is_none_or(|(_, _, variadic)| variadic);
    has_frame && is_variadic || own.into_iter().any(|memory| is_passed_on(body, &calls, memory))
}

/// Whether a called function may know a pointer to the function's own memory.
fn is_passed_on(body: &Body, calls: &Calls<'_>, memory: Value) -> bool {
    touches(body, memory, calls).iter().any(|touch| match touch.what {
        What::Read | What::Write | What::Special(_) | What::Compare { .. } | What::Return => false,
        What::Pass(index) => {
            let is_tail = |tail| matches!(tail, TailKind::Tail | TailKind::MustTail);
            let view = body.inst(touch.inst).call();
            view.is_none_or(|view| is_tail(view.info.tail))
                || calls
                    .of(touch.inst)
                    .is_none_or(|called| !calls.captures(called, index).within(Captures::NONE))
        }
        What::Stored | What::Lost => true,
    })
}
