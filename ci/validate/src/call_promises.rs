//! What a function promises where it calls others, and neither engine holds it to.
//!
//! Attributes of call sites speak of functions that the environment answers for: that they return, leave memory alone,
//! keep no pointer. The engines narrow the environment's answers by them, so a target that promises more than its
//! source is only looked at with fewer answers, although it is the other answers that it breaks on. Attributes that
//! make an argument or result poison are not among these: the engines know them.

use crate::check::Side;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallView, InstKind, TailKind, Value};
use backedge_ir::metadata::MdKind;
use std::collections::BTreeSet;

/// Something promised of all calls of a function from one place or another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CallPromise {
    /// The function called, with its `@`, or `a pointer`.
    callee: String,
    /// What is said, as it is spelled.
    said: String,
}

impl std::fmt::Display for CallPromise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at a call of {}", self.said, self.callee)
    }
}

/// All that the function's calls promise.
pub(crate) fn call_promises(side: Side<'_>) -> BTreeSet<CallPromise> {
    let mut found = BTreeSet::new();
    let Some(body) = side.module.body(side.func) else { return found };
    for inst in body.all_insts() {
        let Some(view) = body.inst(inst).call() else { continue };
        let named = callee(body, view);
        let callee =
            named.map_or_else(|| "a pointer".to_owned(), |f| format!("@{}", side.module.env.funcs[f].name));
        if !callee.starts_with("@llvm.") {
            let said = said(side, body, (inst, view), named);
            found.extend(said.into_iter().map(|said| CallPromise { callee: callee.clone(), said }));
        }
    }
    found
}

fn callee(body: &Body, view: CallView<'_>) -> Option<FuncId> {
    let Value::Const(c) = view.callee() else { return None };
    match body.constant(c).data {
        ConstData::Global(GlobalRef::Func(id)) => Some(id),
        _ => None,
    }
}

/// What is promised at one call, by itself and by the function that it names.
fn said(
    side: Side<'_>,
    body: &Body,
    (inst, view): (Inst, CallView<'_>),
    named: Option<FuncId>,
) -> Vec<String> {
    let env = &side.module.env;
    let header = named.map(|f| &env.funcs[f]);
    let mut said = Vec::new();
    let lists = [Some(&view.info.fn_attrs), header.map(|h| &h.attrs)];
    let flags = |list: &AttrList| -> Vec<String> {
        env.attrs(list).filter(|a| is_promise_of_function(a)).map(spelled).collect()
    };
    said.extend(lists.iter().flatten().flat_map(|list| flags(list)));
    let effects = lists.iter().flatten().filter_map(|l| env.memory_effects(l));
    let all = MemoryEffects::all(ModRef::READ_WRITE);
    said.extend(
        effects.reduce(MemoryEffects::intersect).filter(|m| *m != all).map(|m| format!("memory: {m:?}")),
    );
    for (i, own) in view.info.arg_attrs.iter().enumerate() {
        let lists = [Some(own), header.and_then(|h| h.param_attrs.get(i))];
        let attrs = lists.into_iter().flatten().flat_map(|list| env.attrs(list));
        said.extend(
            attrs.filter(|a| is_promise_of_pointer(a)).map(|a| format!("{} on argument {i}", spelled(a))),
        );
    }
    let lists = [Some(&view.info.ret_attrs), header.map(|h| &h.ret_attrs)];
    if lists.iter().flatten().any(|list| env.has_attr(list, FlagAttr::NoAlias)) {
        said.push("noalias".to_owned());
    }
    if !view.info.cc.is_empty() {
        said.push(view.info.cc.to_string());
    }
    if !view.info.fast.is_empty() {
        said.push(format!("{:?}", view.info.fast));
    }
    let has_own_memory = || body.all_insts().any(|i| matches!(body.inst(i).kind, InstKind::Alloca(_)));
    if matches!(view.info.tail, TailKind::Tail | TailKind::MustTail) && has_own_memory() {
        said.push("tail".to_owned());
    }
    said.extend(body.inst(inst).metadata.iter().filter_map(|(kind, _)| promise_of_metadata(kind)));
    said
}

fn is_promise_of_function(attr: &Attr) -> bool {
    let Attr::Flag(flag) = attr else { return false };
    matches!(
        flag,
        FlagAttr::NoCallback
            | FlagAttr::NoFree
            | FlagAttr::NoReturn
            | FlagAttr::NoSync
            | FlagAttr::NoUnwind
            | FlagAttr::Speculatable
            | FlagAttr::WillReturn
    )
}

fn is_promise_of_pointer(attr: &Attr) -> bool {
    match attr {
        Attr::Flag(flag) => matches!(
            flag,
            FlagAttr::DeadOnUnwind
                | FlagAttr::NoAlias
                | FlagAttr::NoFree
                | FlagAttr::ReadNone
                | FlagAttr::ReadOnly
                | FlagAttr::Returned
                | FlagAttr::Writable
                | FlagAttr::WriteOnly
        ),
        Attr::Type(..) | Attr::NoCapture => true,
        Attr::Text(_) => attr.excluded_classes() == 0,
        Attr::Int(..) | Attr::Range(..) | Attr::Memory(_) | Attr::String(..) => false,
    }
}

fn spelled(attr: &Attr) -> String {
    match attr {
        Attr::Flag(flag) => flag.name().to_owned(),
        Attr::Type(kind, _) => kind.name().to_owned(),
        Attr::NoCapture => "captures(none)".to_owned(),
        Attr::Text(text) => text.to_string(),
        Attr::Int(..) | Attr::Range(..) | Attr::Memory(_) | Attr::String(..) => format!("{attr:?}"),
    }
}

fn promise_of_metadata(kind: &MdKind) -> Option<String> {
    let spelled = match kind {
        MdKind::Range => "!range",
        MdKind::NonNull => "!nonnull",
        MdKind::NoUndef => "!noundef",
        MdKind::Align => "!align",
        MdKind::Dereferenceable => "!dereferenceable",
        MdKind::DereferenceableOrNull => "!dereferenceable_or_null",
        _ => return None,
    };
    Some(spelled.to_owned())
}
