//! Promises that a function makes about its callees and that neither engine enforces on the environment on both sides.
//!
//! Attributes of call sites describe functions that the environment answers for: that they return, do not access
//! memory, do not capture a pointer. The engines restrict the environment's answers to these attributes. A target that
//! promises more than its source is thus only checked with fewer answers, although it is the other answers that violate
//! its promises. A source may be refuted by an answer that violates its promises, although its own run was UB.
//! Attributes that make an argument or result poison are not included here, because the engines model them.
//!
//! A promise holds for all calls of a function. A promise about an intrinsic only holds where its call executes, for
//! the arguments of that call. If the source's calls of one function have different promises, the encoder only matches
//! calls with the same promises ([`distinguished_by_promises`], [`label`]).

use super::attributes::{Kind, kind, memory_words, spelled};
use super::guards::{Guards, Loops};
use super::nodes::words;
use super::pointers::{POINTER, Root, roots};
use super::{Promised, library};
use crate::modelled;
use crate::refinement::FunctionRef;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr, MemoryEffects, ModRef, TypeAttr};
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{CallView, InstKind, TailKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::attribute::{AttrKind, AttrPosition, Carrier, Slot};
use backedge_ir::meaning::intrinsic::Facts;
use backedge_ir::meaning::library::called;
use backedge_ir::meaning::{Meaning, Modelled, metadata};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::{Env, Function};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How the engines treat a call promise.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Treatment {
    /// The interpreter generates no answer that violates the promise; it may still reuse an answer generated for a call
    /// without the promise.
    Held,
    /// Answers may violate the promise.
    Open,
    /// The engines implement LLVM's semantics of the callee, which may violate the promise in any run.
    Ignored,
}

/// A promise about all calls of a function, either at the calls or at the function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CallPromise {
    /// The called function with its `@`, or `a pointer`.
    pub callee: String,
    /// The text of the promise.
    said: String,
    /// For a call of a function that LLVM knows, hashes of its conditions and of its arguments: the promise is about
    /// that call only.
    call: Option<(u64, Vec<u64>)>,
    /// The engines' treatment of the promise.
    pub kept: Treatment,
}

impl std::fmt::Display for CallPromise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at a call of {}", self.said, self.callee)
    }
}

/// Prefix of `allocsize(…)`.
const ALLOCATED_SIZE: &str = "allocsize(";
/// The marker of a call that does not access its caller's memory; it is not a claim about the callee alone.
const TAIL: &str = "tail";
/// Separator between an argument attribute and the argument's index.
const ON_ARGUMENT: &str = " on argument ";
/// Suffix of result attributes.
const ON_RESULT: &str = " on the result";

impl CallPromise {
    /// Whether LLVM's table of library functions states the promise for the function `name`.
    pub(super) fn is_stated_of(&self, name: &str) -> bool {
        library::states(name, &self.said)
    }
    /// The claim in words, if a verdict may assume it. Intrinsics have LLVM's semantics, and fast-math flags and
    /// metadata restrict results that the engines produce.
    pub(super) fn claim(&self) -> Option<String> {
        let callee = &self.callee;
        let is_attribute = self.said != TAIL
            && self.said.starts_with(|c: char| c.is_ascii_lowercase())
            && !callee.starts_with("@llvm.");
        is_attribute.then(|| match self.said.split_once(ON_ARGUMENT) {
            Some((said, index)) => format!("argument {index} of {callee} is {said}"),
            None if self.said.ends_with(ON_RESULT) => {
                format!("the result of {callee} is {}", self.said.trim_end_matches(ON_RESULT))
            }
            None if self.is_of_result() => format!("the result of {callee} is {}", self.said),
            None => format!("{callee} is {}", self.said),
        })
    }
    /// Whether the other promise has the same text and callee.
    pub fn is_same_promise(&self, other: &Self) -> bool {
        self.callee == other.callee && self.said == other.said
    }
    /// Whether a call that does nothing and returns violates the promise.
    pub fn wants_writes(&self) -> bool {
        self.said.starts_with("initializes(")
    }
    /// Whether the promise is about an argument.
    pub fn is_of_argument(&self) -> bool {
        self.said.contains(ON_ARGUMENT)
    }
    /// Whether the promise is about the result, so that a generated result may violate it.
    pub fn is_of_result(&self) -> bool {
        self.said.starts_with(ALLOCATED_SIZE) || self.said == FlagAttr::NoCreateUndefOrPoison.name()
    }
}

/// All call promises of both functions of a pair, the source's first.
pub(super) fn call_promises(sides: [FunctionRef<'_>; 2]) -> [BTreeSet<CallPromise>; 2] {
    let mut pair = None;
    [0, 1].map(|index| {
        promises_of(sides[index], |inst, args| {
            let pair = pair.get_or_insert_with(|| Guards::of_pair(sides, Loops::MayStay));
            let guards = &mut pair.as_mut()?[index];
            let args = args.iter().map(|arg| guards.address(*arg, inst)).collect();
            Some((guards.chain(inst)?, args))
        })
    })
}

/// All call promises of the function. `place` gives hashes of a call's conditions and of its arguments.
fn promises_of(
    side: FunctionRef<'_>,
    mut place: impl FnMut(Inst, &[Value]) -> Option<(u64, Vec<u64>)>,
) -> BTreeSet<CallPromise> {
    let mut found = BTreeSet::new();
    let Some(body) = side.module.body(side.func) else { return found };
    for inst in body.all_insts() {
        let Some(view) = body.inst(inst).call() else { continue };
        let named = callee(body, view);
        let callee =
            named.map_or_else(|| POINTER.to_owned(), |f| format!("@{}", side.module.env.funcs[f].name));
        let intrinsic = named.filter(|_| callee.starts_with("@llvm."));
        let said = match intrinsic {
            Some(func) => of_intrinsic(side, body, (inst, view), func),
            None => said(side, body, (inst, view), named),
        };
        let is_of_call =
            |said: &str, kept: Treatment| kept == Treatment::Ignored || intrinsic.is_some() && said == TAIL;
        let is_any_of_call = said.iter().any(|(said, kept)| is_of_call(said, *kept));
        let call = is_any_of_call.then(|| place(inst, view.args())).flatten();
        for (said, kept) in said {
            let call = call.clone().filter(|_| is_of_call(&said, kept));
            found.insert(CallPromise { callee: callee.clone(), said, call, kept });
        }
    }
    found
}

/// The promises of a function and of all functions of the module that it names transitively, for all calls of a
/// function at any place.
pub fn all_promises(side: FunctionRef<'_>) -> BTreeSet<CallPromise> {
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
    funcs.into_iter().flat_map(|func| promises_of(FunctionRef { func, ..side }, |_, _| None)).collect()
}

/// The function that a direct call names.
pub fn callee(body: &Body, view: CallView<'_>) -> Option<FuncId> {
    body.called_function(view.callee())
}

/// The promises at one call, from the call and from the named function, and whether the interpreter enforces them on
/// the environment.
fn said(
    side: FunctionRef<'_>,
    body: &Body,
    (inst, view): (Inst, CallView<'_>),
    named: Option<FuncId>,
) -> Vec<(String, Treatment)> {
    let env = &side.module.env;
    let header = named.map(|f| &env.funcs[f]);
    let (mut held, mut open) = (Vec::new(), Vec::new());
    let lists = [Some(&view.info.fn_attrs), header.map(|h| &h.attrs)];
    let flags = |list: &AttrList| -> Vec<String> {
        env.attrs(list).filter(|a| is_promise_of_function(a)).map(|a| spelled(env, a)).collect()
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
            list.push(format!("{}{ON_ARGUMENT}{i}", spelled(env, attr)));
        }
    }
    let lists = [Some(&view.info.ret_attrs), header.map(|h| &h.ret_attrs)];
    if lists.iter().flatten().any(|list| env.has_attr(list, FlagAttr::NoAlias)) {
        held.push("noalias".to_owned());
    }
    held.extend(header.into_iter().flat_map(|callee| of_safe_result(env, callee)));
    // Runs generate results without regard to the allocated size, including poison.
    let (sizes, flags) = held.into_iter().partition(|said: &String| {
        said.starts_with(ALLOCATED_SIZE) || said == FlagAttr::NoCreateUndefOrPoison.name()
    });
    (held, open) = (flags, [open, sizes].concat());
    if !view.info.fast.is_empty() {
        held.push(format!("{:?}", view.info.fast));
    }
    let is_known = called(side.module, side.func, body, inst).is_some();
    let tail = has_tail(side, body, view).then(|| match is_known {
        true => tail_of_known(side, body, inst),
        false => Some(Treatment::Open),
    });
    held.extend(
        body.inst(inst).metadata.iter().filter_map(|(kind, node)| promise_of_metadata(env, kind, *node)),
    );
    let name = header.map_or("", |h| &*h.name);
    let with = |list: Vec<String>, kept| {
        list.into_iter().map(move |said| {
            let is_ignored = is_known && may_be_ignored(&said) && !library::states(name, &said);
            (said, if is_ignored { Treatment::Ignored } else { kept })
        })
    };
    let tail = tail.flatten().map(|kept| (TAIL.to_owned(), kept));
    with(held, Treatment::Held).chain(with(open, Treatment::Open)).chain(tail).collect()
}

/// Whether a promise restricts a library function in a way that the engines ignore.
fn may_be_ignored(said: &str) -> bool {
    let restricts = [
        "initializes(",
        "memory(",
        FlagAttr::NoAlias.name(),
        FlagAttr::NoReturn.name(),
        FlagAttr::ReadNone.name(),
        FlagAttr::ReadOnly.name(),
        FlagAttr::WriteOnly.name(),
    ];
    restricts.iter().any(|word| said.starts_with(word))
}

/// Whether the call is a tail call in a function with memory of its own: the callee may not access allocas, variable
/// arguments or `byval` copies of its caller.
fn has_tail(side: FunctionRef<'_>, body: &Body, view: CallView<'_>) -> bool {
    let env = &side.module.env;
    let header = &env.funcs[side.func];
    let is_copied = |list: &AttrList| env.attrs(list).any(|a| matches!(a, Attr::Type(TypeAttr::ByVal, _)));
    matches!(view.info.tail, TailKind::Tail | TailKind::MustTail)
        && (env.types.signature(header.ty).is_none_or(|(_, _, variadic)| variadic)
            || header.param_attrs.iter().any(is_copied)
            || body.all_insts().any(|i| matches!(body.inst(i).kind, InstKind::Alloca(_))))
}

/// The declared result attributes of a function that never has UB: the engines rely on them if they include `noundef`.
fn of_safe_result(env: &Env, callee: &Function) -> Vec<String> {
    let is_relied_on = |attr: &Attr| match attr {
        Attr::Flag(flag) => *flag == FlagAttr::NoUndef,
        Attr::Int(which, n) => {
            matches!(which, IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull) && *n > 0
        }
        Attr::Type(..)
        | Attr::Range(..)
        | Attr::Memory(_)
        | Attr::NoCapture
        | Attr::Text(_)
        | Attr::String(..) => false,
    };
    if !env.has_attr(&callee.attrs, FlagAttr::Speculatable) || !env.attrs(&callee.ret_attrs).any(is_relied_on)
    {
        return Vec::new();
    }
    let attrs = env.attrs(&callee.ret_attrs).filter(|a| kind(a, Slot::Result) == Kind::Judged);
    attrs.map(|a| format!("{}{ON_RESULT}", spelled(env, a))).collect()
}

fn is_promise_of_function(attr: &Attr) -> bool {
    !matches!(attr, Attr::Memory(_)) && kind(attr, Slot::Function) == Kind::Promise
}

fn is_promise_of_pointer(attr: &Attr) -> bool {
    match attr {
        Attr::Flag(flag) => matches!(
            flag,
            FlagAttr::AllocAlign
                | FlagAttr::AllocPtr
                | FlagAttr::DeadOnUnwind
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

/// Attributes on which caller and callee must agree, and the calling convention.
fn agreed(side: FunctionRef<'_>, view: CallView<'_>, named: Option<FuncId>) -> Vec<String> {
    let env = &side.module.env;
    let header = named.map(|f| &env.funcs[f]);
    let mut found = Vec::new();
    let mut add = |lists: [Option<&AttrList>; 2], slot: Slot, place: &str| {
        let attrs = lists.into_iter().flatten().flat_map(|list| env.attrs(list));
        found.extend(
            attrs.filter(|a| kind(a, slot) == Kind::Agreed).map(|a| format!("`{}`{place}", spelled(env, a))),
        );
    };
    add([Some(&view.info.fn_attrs), header.map(|h| &h.attrs)], Slot::Function, "");
    add([Some(&view.info.ret_attrs), header.map(|h| &h.ret_attrs)], Slot::Result, " on the result");
    for (i, own) in view.info.arg_attrs.iter().enumerate() {
        let lists = [Some(own), header.and_then(|h| h.param_attrs.get(i))];
        add(lists, Slot::Parameter, &format!(" on argument {i}"));
    }
    found.extend((!view.info.cc.is_empty()).then(|| format!("`{}`", view.info.cc)));
    found.sort();
    found.dedup();
    found
}

/// All promises of a call, and everything on which caller and callee must agree: the properties that a matching call
/// must share.
pub(crate) fn label(side: FunctionRef<'_>, body: &Body, inst: Inst) -> Vec<String> {
    let Some(view) = body.inst(inst).call() else { return Vec::new() };
    let named = callee(body, view);
    let mut all: Vec<String> =
        said(side, body, (inst, view), named).into_iter().map(|(said, _)| said).collect();
    all.extend(agreed(side, view, named));
    all.sort();
    all.dedup();
    all
}

/// The labels of the calls of each function, by callee.
fn labels(side: FunctionRef<'_>) -> BTreeMap<Arc<str>, BTreeSet<Vec<String>>> {
    let mut found: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let Some(body) = side.module.body(side.func) else { return found };
    for inst in body.all_insts() {
        let Some(view) = body.inst(inst).call() else { continue };
        let name = callee_name(side, callee(body, view));
        if !name.starts_with("llvm.") {
            found.entry(name).or_default().insert(label(side, body, inst));
        }
    }
    found
}

fn callee_name(side: FunctionRef<'_>, named: Option<FuncId>) -> Arc<str> {
    named.map_or_else(|| POINTER.into(), |f| side.module.env.funcs[f].name.clone())
}

fn shown(name: &str) -> String {
    if name == POINTER { name.to_owned() } else { format!("@{name}") }
}

/// The functions that the source calls with different promises; [`POINTER`] for all indirect calls.
pub(crate) fn distinguished_by_promises(source: FunctionRef<'_>) -> BTreeSet<Arc<str>> {
    labels(source).into_iter().filter(|(_, all)| all.len() > 1).map(|(name, _)| name).collect()
}

/// Properties on which caller and callee must agree and that differ between the two sides. A call with fewer of them
/// than the source's may be UB (LangRef, "Parameter Attributes": ABI attributes must be present both at the call and at
/// the function).
pub(super) fn disagreement(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let (of_source, of_target) = (agreements(source), agreements(target));
    let known = of_target.iter().filter_map(|(name, list)| Some((name, list, of_source.get(name)?)));
    let says_enough = |agreed: &Agreed, own: &BTreeSet<Agreed>| {
        let is_enough =
            |own: &Agreed| own.together == agreed.together && own.by_call.is_subset(&agreed.by_call);
        own.iter().any(is_enough)
    };
    let odd = known.filter(|(_, list, own)| !list.iter().all(|agreed| says_enough(agreed, own)));
    odd.map(|(name, ..)| {
        Promised::differing("how arguments are passed", format!("at a call of {}", shown(name)))
    })
    .collect()
}

/// The properties of a call and its callee on which they must agree.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Agreed {
    together: Vec<String>,
    by_call: BTreeSet<String>,
}

/// The agreed properties of all calls, by callee.
fn agreements(side: FunctionRef<'_>) -> BTreeMap<Arc<str>, BTreeSet<Agreed>> {
    let mut found: BTreeMap<Arc<str>, BTreeSet<Agreed>> = BTreeMap::new();
    let Some(body) = side.module.body(side.func) else { return found };
    for inst in body.all_insts() {
        let Some(view) = body.inst(inst).call() else { continue };
        let named = callee(body, view);
        let name = callee_name(side, named);
        if !name.starts_with("llvm.") {
            let by_call = agreed(side, view, None).into_iter().collect();
            let together = agreed(side, view, named);
            found.entry(name).or_default().insert(Agreed { together, by_call });
        }
    }
    found
}

/// Metadata about the result of a call, with its contents, if the encoder does not model it.
fn promise_of_metadata(env: &Env, kind: &MdKind, node: MdRef) -> Option<String> {
    let is_promise = match metadata::meaning(kind, metadata::Carrier::Call) {
        Meaning::PoisonIfViolated | Meaning::UbIfViolated => {
            matches!(
                kind,
                MdKind::Range
                    | MdKind::NonNull
                    | MdKind::NoUndef
                    | MdKind::Align
                    | MdKind::Dereferenceable
                    | MdKind::DereferenceableOrNull
            ) && modelled::metadata(kind, metadata::Carrier::Call) == Modelled::No
        }
        Meaning::Nothing
        | Meaning::Permission
        | Meaning::Promise
        | Meaning::Agreed
        | Meaning::Misplaced
        | Meaning::Unknown => false,
    };
    is_promise.then(|| format!("!{} {}", kind.name(), words(env, node)))
}

/// The promises at a call of an intrinsic that neither engine models. LLVM replaces the attributes of an intrinsic's
/// declaration by its own, so only the call's attributes count, and of these only the ones that LLVM does not declare.
fn of_intrinsic(
    side: FunctionRef<'_>,
    body: &Body,
    (inst, view): (Inst, CallView<'_>),
    func: FuncId,
) -> Vec<(String, Treatment)> {
    let env = &side.module.env;
    let header = &env.funcs[func];
    let facts = header.intrinsic.map(Intrinsic::facts);
    let mut found = Vec::new();
    let accesses_arguments = facts.is_none_or(|facts| facts.memory.argmem != ModRef::NONE);
    if accesses_arguments && has_tail(side, body, view) {
        found.extend(tail_of_known(side, body, inst).map(|kept| (TAIL.to_owned(), kept)));
    }
    let mut add = |list: &AttrList, slot: Slot, index: Option<usize>| {
        for attr in env.attrs(list) {
            let (kind, at) = (AttrKind::of(attr), AttrPosition { carrier: Carrier::IntrinsicCall, slot });
            let is_declared = facts.is_some_and(|facts| is_declared(facts, attr, slot))
                || index.is_some_and(|index| is_implied(header.intrinsic, attr, index));
            let is_agreed = kind.meaning(at) == Meaning::Agreed;
            if modelled::attribute(kind, at) == Modelled::No && !is_agreed && !is_declared {
                let place = match (slot, index) {
                    (_, Some(index)) => format!("{ON_ARGUMENT}{index}"),
                    (Slot::Result, None) => ON_RESULT.to_owned(),
                    (Slot::Function | Slot::Parameter, None) => String::new(),
                };
                found.push((format!("{}{place}", spelled(env, attr)), Treatment::Ignored));
            }
        }
    };
    add(&view.info.fn_attrs, Slot::Function, None);
    add(&view.info.ret_attrs, Slot::Result, None);
    for (i, list) in view.info.arg_attrs.iter().enumerate() {
        add(list, Slot::Parameter, Some(i));
    }
    found
}

/// The treatment of `tail` at a call of a function that LLVM knows, in a function with memory of its own; `None` if no
/// argument of the call points to that memory.
fn tail_of_known(side: FunctionRef<'_>, body: &Body, inst: Inst) -> Option<Treatment> {
    let env = &side.module.env;
    let params = &env.funcs[side.func].param_attrs;
    let of_root = |root: Root| match root {
        Root::Global(_) => None,
        // The parameter is not a copy.
        Root::Parameter(index)
            if params.get(index).is_some_and(|list| !env.attrs(list).any(Attr::replaces_memory)) =>
        {
            None
        }
        Root::Loaded | Root::Returned => Some(Treatment::Open),
        Root::Parameter(_) | Root::Constant | Root::Alloca | Root::Other => Some(Treatment::Ignored),
    };
    roots(env, body, inst).into_iter().filter_map(of_root).max()
}

/// Whether an argument attribute follows from LLVM's declaration of the parameters of a memory intrinsic.
fn is_implied(intrinsic: Option<Intrinsic>, attr: &Attr, index: usize) -> bool {
    let (copies, moves, fills) = match intrinsic {
        Some(Intrinsic::Memcpy | Intrinsic::MemcpyInline) => (true, false, false),
        Some(Intrinsic::Memmove) => (false, true, false),
        Some(Intrinsic::Memset | Intrinsic::MemsetInline) => (false, false, true),
        _ => return false,
    };
    match attr {
        Attr::Flag(FlagAttr::NoAlias) => copies && index < 2,
        Attr::Flag(FlagAttr::WriteOnly) => index == 0,
        Attr::Flag(FlagAttr::ReadOnly) => (copies || moves) && index == 1,
        Attr::NoCapture => index == 0 || !fills && index == 1,
        Attr::Flag(_)
        | Attr::Int(..)
        | Attr::Type(..)
        | Attr::Range(..)
        | Attr::Memory(_)
        | Attr::String(..)
        | Attr::Text(_) => false,
    }
}

/// Whether an attribute at a call follows from LLVM's declaration of the intrinsic.
fn is_declared(facts: &Facts, attr: &Attr, slot: Slot) -> bool {
    match attr {
        Attr::Flag(FlagAttr::NoFree) => facts.has(FlagAttr::NoFree),
        Attr::Flag(FlagAttr::NoRecurse) => facts.has(FlagAttr::NoCallback),
        Attr::Flag(FlagAttr::ReadOnly) => !facts.memory.any().writes,
        Attr::Flag(FlagAttr::WriteOnly) => !facts.memory.any().reads,
        Attr::Flag(FlagAttr::ReadNone) => facts.memory.any() == ModRef::NONE,
        Attr::Flag(FlagAttr::MustProgress) => facts.has(FlagAttr::WillReturn),
        Attr::Flag(flag) => slot == Slot::Function && facts.has(*flag),
        Attr::Memory(effects) => facts.memory.intersect(*effects) == facts.memory,
        Attr::Int(..)
        | Attr::Type(..)
        | Attr::Range(..)
        | Attr::NoCapture
        | Attr::String(..)
        | Attr::Text(_) => false,
    }
}
