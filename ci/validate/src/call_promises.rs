//! What is promised where a function calls others, and neither engine holds the environment to on both sides.
//!
//! Attributes of call sites speak of functions that the environment answers for: that they return, leave memory alone,
//! keep no pointer. The engines narrow the environment's answers by them, so a target that promises more than its
//! source is only looked at with fewer answers, although it is the other answers that it breaks on. A source may be
//! refuted by an answer that breaks what it promises, so that its own run was undefined ([`excuse`]). Attributes that
//! make an argument or result poison are not among these: the engines know them.

use crate::check::Side;
use crate::verdict::Failure;
use crate::witness::Refutation;
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
    /// Whether the interpreter makes up no answer that breaks it; it may still pass on one that was made up for a call
    /// without the promise.
    held: bool,
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
            named.map_or_else(|| POINTER.to_owned(), |f| format!("@{}", side.module.env.funcs[f].name));
        if !callee.starts_with("@llvm.") {
            let said = said(side, body, (inst, view), named);
            let promise = |(said, held)| CallPromise { callee: callee.clone(), said, held };
            found.extend(said.into_iter().map(promise));
        }
    }
    found
}

/// A promise of the source, or of a function of the module that it names, that the refuting run may have broken: of a
/// function that it called. What the engines do not hold the environment to can be broken by what calls wrote or
/// returned, or by a comparison of memory that they do not look at; what they do hold it to, by answers that the
/// target was given, if the target calls the function too and promises less.
pub(crate) fn excuse(source: Side<'_>, target: Side<'_>, refutation: &Refutation) -> Option<CallPromise> {
    let called = |list: &[String], p: &CallPromise| match p.callee.strip_prefix('@') {
        Some(name) => list.iter().any(|c| c == name),
        None => !list.is_empty(),
    };
    let of_memory = matches!(refutation.failure, Failure::MemoryMismatch | Failure::EventMismatch);
    let acted = refutation.source.calls_acted || refutation.target.calls_acted;
    let of_target = all_promises(target);
    all_promises(source).into_iter().find(|p| {
        let breakable = match p.held {
            true => called(&refutation.target.called, p) && !of_target.contains(p),
            false => of_memory || acted,
        };
        breakable && called(&refutation.source.called, p)
    })
}

/// The promises of a function and of those of the module that it names, by themselves or through others.
fn all_promises(side: Side<'_>) -> BTreeSet<CallPromise> {
    let mut funcs = vec![side.func];
    let mut next = 0;
    while let Some(&func) = funcs.get(next) {
        next += 1;
        for (_, constant) in side.module.body(func).into_iter().flat_map(|b| b.consts().iter()) {
            if let ConstData::Global(GlobalRef::Func(named)) = constant.data
                && !funcs.contains(&named)
            {
                funcs.push(named);
            }
        }
    }
    funcs.into_iter().flat_map(|func| call_promises(Side { func, ..side })).collect()
}

/// What a callee is called that is not named.
const POINTER: &str = "a pointer";

fn callee(body: &Body, view: CallView<'_>) -> Option<FuncId> {
    let Value::Const(c) = view.callee() else { return None };
    match body.constant(c).data {
        ConstData::Global(GlobalRef::Func(id)) => Some(id),
        _ => None,
    }
}

/// What is promised at one call, by itself and by the function that it names, and whether the interpreter holds the
/// environment to it.
fn said(
    side: Side<'_>,
    body: &Body,
    (inst, view): (Inst, CallView<'_>),
    named: Option<FuncId>,
) -> Vec<(String, bool)> {
    let env = &side.module.env;
    let header = named.map(|f| &env.funcs[f]);
    let (mut held, mut open) = (Vec::new(), Vec::new());
    let lists = [Some(&view.info.fn_attrs), header.map(|h| &h.attrs)];
    let flags = |list: &AttrList| -> Vec<String> {
        env.attrs(list).filter(|a| is_promise_of_function(a)).map(spelled).collect()
    };
    held.extend(lists.iter().flatten().flat_map(|list| flags(list)));
    let effects = lists.iter().flatten().filter_map(|l| env.memory_effects(l));
    let all = MemoryEffects::all(ModRef::READ_WRITE);
    held.extend(effects.reduce(MemoryEffects::intersect).filter(|m| *m != all).map(memory_words));
    for (i, own) in view.info.arg_attrs.iter().enumerate() {
        let lists = [Some(own), header.and_then(|h| h.param_attrs.get(i))];
        let attrs = lists.into_iter().flatten().flat_map(|list| env.attrs(list));
        for attr in attrs.filter(|a| is_promise_of_pointer(a)) {
            let is_held =
                matches!(attr, Attr::Flag(FlagAttr::NoFree | FlagAttr::Returned | FlagAttr::Writable));
            let list = if is_held { &mut held } else { &mut open };
            list.push(format!("{} on argument {i}", spelled(attr)));
        }
    }
    let lists = [Some(&view.info.ret_attrs), header.map(|h| &h.ret_attrs)];
    if lists.iter().flatten().any(|list| env.has_attr(list, FlagAttr::NoAlias)) {
        held.push("noalias".to_owned());
    }
    if !view.info.cc.is_empty() {
        held.push(view.info.cc.to_string());
    }
    if !view.info.fast.is_empty() {
        held.push(format!("{:?}", view.info.fast));
    }
    let has_own_memory = || body.all_insts().any(|i| matches!(body.inst(i).kind, InstKind::Alloca(_)));
    if matches!(view.info.tail, TailKind::Tail | TailKind::MustTail) && has_own_memory() {
        open.push("tail".to_owned());
    }
    held.extend(body.inst(inst).metadata.iter().filter_map(|(kind, _)| promise_of_metadata(kind)));
    let with = |list: Vec<String>, held| list.into_iter().map(move |said| (said, held));
    with(held, true).chain(with(open, false)).collect()
}

/// `memory(…)`, in full where it is the same for all memory.
fn memory_words(effects: MemoryEffects) -> String {
    let word = match effects.any() {
        m if MemoryEffects::all(m) != effects => "…",
        ModRef { reads: true, .. } => "read",
        ModRef { writes: true, .. } => "write",
        ModRef { .. } => "none",
    };
    let distinct = if word == "…" { format!(": {effects:?}") } else { String::new() };
    format!("memory({word}){distinct}")
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
