//! Attributes of a function, its parameters and its result: their meaning for a target that has them where its source
//! does not ([`kind`], from the registry of meanings), and which of the target's attributes neither the source has nor
//! the body keeps.

use super::Promised;
use super::breach::Breach;
use super::kept::Kept;
use super::suspects::{About, Open};
use crate::modelled;
use crate::refinement::FunctionRef;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::entity::{Arg, EntityId as _, Inst};
use backedge_ir::meaning::attribute::{AttrKind, AttrPosition, Carrier, Slot, TextAttr};
use backedge_ir::meaning::{Meaning, Modelled};
use backedge_ir::module::Env;
use backedge_ir::print::{Locals, extract, type_to_string};

/// The meaning of an attribute for a target that has it and a source that does not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No meaning: a hint to the code generator, or a restriction on optimizers.
    Advice,
    /// The engines check the function against it.
    Judged,
    /// Violating it is UB that the engines do not model, or not in all cases.
    Promise,
    /// Source and target must agree: it determines how the function is called, or what its instructions mean.
    Agreed,
}

/// The kind of `attr` on a function, its result or a parameter, from the registry of meanings.
pub fn kind(attr: &Attr, slot: Slot) -> Kind {
    let (attr, place) = (AttrKind::of(attr), AttrPosition { carrier: Carrier::Definition, slot });
    match attr.meaning(place) {
        Meaning::Nothing => Kind::Advice,
        Meaning::Agreed => Kind::Agreed,
        Meaning::PoisonIfViolated | Meaning::UbIfViolated
            if modelled::attribute(attr, place) == Modelled::Yes =>
        {
            Kind::Judged
        }
        Meaning::PoisonIfViolated
        | Meaning::UbIfViolated
        | Meaning::Permission
        | Meaning::Promise
        | Meaning::Misplaced
        | Meaning::Unknown => Kind::Promise,
    }
}

/// Whether parameters or the result of the target have attributes that the source's lack and whose violation makes the
/// value poison or the run UB.
pub(crate) fn constrains_more(s: FunctionRef<'_>, t: FunctionRef<'_>) -> bool {
    let (se, te) = (&s.module.env, &t.module.env);
    let (sh, th) = (&se.funcs[s.func], &te.funcs[t.func]);
    let none = AttrList::default();
    let params =
        th.param_attrs.iter().enumerate().map(|(i, list)| (sh.param_attrs.get(i).unwrap_or(&none), list));
    let mut lists = [(&sh.ret_attrs, &th.ret_attrs)].into_iter().chain(params);
    let is_judged = |attr: &&Attr| kind(attr, Slot::Parameter) == Kind::Judged;
    lists.any(|(own, other)| te.attrs(other).filter(is_judged).any(|a| !se.attrs(own).any(|b| a == b)))
}

/// The text of an attribute, without attribute groups or type numbers.
pub(crate) fn spelled(env: &Env, attr: &Attr) -> String {
    match attr {
        Attr::Flag(flag) => flag.name().to_owned(),
        Attr::Int(kind, n) => format!("{}({n})", kind.name()),
        Attr::Type(kind, None) => kind.name().to_owned(),
        Attr::Type(kind, Some(ty)) => format!("{}({})", kind.name(), type_to_string(&env.types, *ty)),
        Attr::Memory(effects) => memory_words(*effects),
        Attr::NoCapture => "captures(none)".to_owned(),
        Attr::Text(text) => text.to_string(),
        Attr::String(key, None) => format!("\"{key}\""),
        Attr::String(key, Some(value)) => format!("\"{key}\"=\"{value}\""),
        Attr::Range(..) => format!("{attr:?}"),
    }
}

/// `memory(…)`.
pub(super) fn memory_words(effects: MemoryEffects) -> String {
    let word = |m: ModRef| match (m.reads, m.writes) {
        (true, true) => "readwrite",
        (true, false) => "read",
        (false, true) => "write",
        (false, false) => "none",
    };
    let MemoryEffects { argmem, inaccessiblemem, errnomem, target_mem, other } = effects;
    let places = [
        ("argmem", argmem),
        ("inaccessiblemem", inaccessiblemem),
        ("errnomem", errnomem),
        ("target_mem0", target_mem[0]),
        ("target_mem1", target_mem[1]),
    ];
    let mut parts = vec![word(other).to_owned()];
    parts.extend(places.iter().filter(|(_, m)| *m != other).map(|(name, m)| format!("{name}: {}", word(*m))));
    if other == ModRef::NONE && parts.len() > 1 {
        parts.remove(0);
    }
    format!("memory({})", parts.join(", "))
}

/// The attributes of the target that its source does not have, that the engines do not check, and that its body does
/// not keep.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let (s, t) = (Lists::new(source), Lists::new(target));
    let mut found = Vec::new();
    let (sh, th) = (&source.module.env.funcs[source.func], &target.module.env.funcs[target.func]);
    if sh.cc != th.cc {
        found.push(Promised::differing("the calling convention", ""));
    }
    let (kept, of_source) = (Kept::new(Some(source), target), Kept::new(None, source));
    for place in s.places() {
        let (own, other) = (s.at(place), t.at(place));
        let agreed = |list: &[(&Attr, String)]| -> Vec<String> {
            let mut all: Vec<String> = list
                .iter()
                .filter(|(a, _)| kind(a, place.slot()) == Kind::Agreed)
                .map(|(_, text)| text.clone())
                .collect();
            all.sort();
            all
        };
        let (in_source, in_target) = (agreed(&own), agreed(&other));
        if in_source != in_target {
            let odd = in_target.iter().find(|a| !in_source.contains(a));
            let attr = odd.or_else(|| in_source.iter().find(|a| !in_target.contains(a)));
            let what = attr.map_or_else(|| "attributes".to_owned(), |attr| format!("`{attr}`"));
            found.push(Promised::differing(what, place.words()));
        }
        for (attr, text) in other {
            if kind(attr, place.slot()) != Kind::Promise {
                continue;
            }
            let is_same = own.iter().any(|(_, known)| *known == text);
            let own: Vec<&Attr> = own.iter().map(|(a, _)| *a).collect();
            let (breaches, is_kept, is_implied) = kept.look(place, attr, &own);
            let breaches = breaches.unwrap_or_default();
            if is_kept {
                continue;
            }
            // The source has the same attribute. Its body may keep the attribute where the target's does not.
            let mut shared = None;
            if is_same || is_implied {
                let (in_source, source_keeps, _) = of_source.look(place, attr, &[]);
                let likewise = |breach: &Breach| {
                    is_event_of_both((&kept, breach.inst), attr, (&of_source, in_source.as_deref()))
                };
                let is_open = match source_keeps {
                    true => !breaches.is_empty(),
                    false => {
                        !is_followed(attr) && !breaches.iter().all(likewise) && !is_same_code(source, target)
                    }
                };
                if !is_open {
                    continue;
                }
                shared = (!source_keeps).then_some(in_source);
            }
            let is_ending = matches!(attr, Attr::Flag(FlagAttr::MustProgress | FlagAttr::WillReturn));
            let claim = is_claim(attr, place.slot()).then(|| place.claim(&th.name, &text));
            let promised = Promised::new(format!("`{text}`"), place.words());
            // A volatile store makes progress, but need not return.
            let may_stop = *attr == Attr::Flag(FlagAttr::WillReturn) && !kept.never_stops();
            let by_runs = is_ending && !may_stop;
            let by_paths = by_runs && kept.calls_return();
            let (shared, of_source) = (shared.is_some(), shared.flatten());
            found.push(Promised { by_runs, by_paths, claim, breaches, shared, of_source, ..promised });
        }
    }
    found
}

impl Kept<'_> {
    /// The breaches of an attribute if single instructions violate it, whether the body keeps the attribute, and
    /// whether the source implies it by its `own` attributes.
    fn look(&self, place: Position, attr: &Attr, own: &[&Attr]) -> (Option<Vec<Breach>>, bool, bool) {
        match place {
            Position::Function => {
                let breaches = self.breaches_of_function(attr);
                (breaches, self.function(attr), self.implied_on_function(attr))
            }
            Position::Result => {
                let is_new = *attr == Attr::Flag(FlagAttr::NoAlias) && self.returns_new_memory();
                (None, is_new, false)
            }
            Position::Parameter(index) => {
                let arg = Arg::from_index(index);
                let breaches = self.breaches_of_parameter(attr, arg);
                let is_implied = self.implied_on_parameter(attr, own);
                (breaches, self.parameter(attr, arg), is_implied)
            }
        }
    }
}

/// Whether both engines check all breaches of an attribute of the function or of a parameter, on both sides.
fn is_followed(attr: &Attr) -> bool {
    match attr {
        // The engines do not distinguish memory of arguments from other memory.
        Attr::Memory(effects) => effects.argmem == effects.other,
        Attr::NoCapture => false,
        Attr::Text(text) => match TextAttr::of_text(text) {
            Some(TextAttr::Captures | TextAttr::Initializes) => false,
            Some(
                TextAttr::AllocKind
                | TextAttr::AllocSize
                | TextAttr::DeadOnReturn
                | TextAttr::NoFpClass
                | TextAttr::Range
                | TextAttr::UwTable
                | TextAttr::VScaleRange,
            )
            | None => true,
        },
        Attr::Flag(_) | Attr::Int(..) | Attr::Type(..) | Attr::Range(..) | Attr::String(..) => true,
    }
}

/// Whether the target's breach is an observable call, and a call of the same function may violate the attribute in the
/// source: the target makes the same calls as the source, so both violate it together. Whether a call violates
/// `initializes` depends on earlier writes.
fn is_event_of_both(
    (target, inst): (&Kept<'_>, Inst),
    attr: &Attr,
    (source, in_source): (&Kept<'_>, Option<&[Breach]>),
) -> bool {
    let is_of_order =
        matches!(attr, Attr::Text(text) if TextAttr::of_text(text) == Some(TextAttr::Initializes));
    let callee = target.event(inst);
    !is_of_order
        && callee.is_some()
        && in_source.is_some_and(|list| list.iter().any(|breach| source.event(breach.inst) == callee))
}

/// Whether the functions have the same code, apart from their own names, in the same context.
fn is_same_code(source: FunctionRef<'_>, target: FunctionRef<'_>) -> bool {
    let [s, t] = [source, target].map(|side| {
        let name = &side.module.env.funcs[side.func].name;
        let text = extract(side.module, side.func, &[], Locals::Numbered).text;
        text.replace(&format!("@{name}("), "@(")
    });
    s == t
}

/// A source parameter whose memory is dead if the function unwinds, which it may do: the engines treat that memory as
/// observed.
pub(super) fn dead_on_unwind(source: FunctionRef<'_>) -> Option<Promised> {
    let lists = Lists::new(source);
    let has = |place: &Position, flag| lists.at(*place).iter().any(|(a, _)| **a == Attr::Flag(flag));
    // Others do not access the memory of a `noalias` parameter until the function ends, and then it is dead.
    let is_hidden = |place: &Position| {
        has(place, FlagAttr::NoAlias) && lists.at(*place).iter().any(|(a, _)| a.dead_on_return().is_some())
    };
    let places = lists.places();
    let dead = places.iter().find(|place| has(place, FlagAttr::DeadOnUnwind));
    let (what, place) = match (dead, places.iter().find(|place| is_hidden(place))) {
        (Some(place), _) => ("`dead_on_unwind`", place),
        (None, Some(place)) => ("`dead_on_return`", place),
        (None, None) => return None,
    };
    let unwinds = !Kept::new(None, source).function(&Attr::Flag(FlagAttr::NoUnwind));
    unwinds.then(|| Promised::new(what, place.words()))
}

/// The memory attributes of a function that the engines do not check and that its body is not known to keep.
pub(super) fn open(function: FunctionRef<'_>, kept: &Kept<'_>) -> Vec<Open> {
    let lists = Lists::new(function);
    let mut found = Vec::new();
    for place in lists.places() {
        for (attr, text) in lists.at(place) {
            let (is_kept, breaches) = match (place, attr) {
                (Position::Function, Attr::Memory(_)) => {
                    let is_kept = kept.function(attr) || kept.only_reads_back(attr);
                    (is_kept, kept.breaches_of_function(attr))
                }
                (Position::Parameter(index), attr) if restricts_uses(attr) => {
                    let arg = Arg::from_index(index);
                    let is_kept = match attr {
                        Attr::Flag(FlagAttr::WriteOnly) => kept.is_read_by_loads_alone(arg),
                        attr => kept.parameter(attr, arg),
                    };
                    (is_kept, kept.breaches_of_parameter(attr, arg))
                }
                (Position::Result, Attr::Flag(FlagAttr::NoAlias)) => (kept.returns_new_memory(), None),
                _ => continue,
            };
            if !is_kept {
                let about = if place == Position::Function { About::Memory } else { About::Pointer };
                found.push(Open::new(kept, about, format!("`{text}` {}", place.words()), breaches));
            }
        }
    }
    let has = |flag| lists.env.has_attr(lists.function, flag);
    found.extend(Open::of_returning(kept, [FlagAttr::NoUnwind, FlagAttr::WillReturn].map(has), ""));
    found
}

/// Whether a parameter attribute restricts the uses of the parameter and the engines do not model it completely.
fn restricts_uses(attr: &Attr) -> bool {
    match attr {
        Attr::Flag(FlagAttr::ReadNone | FlagAttr::ReadOnly | FlagAttr::WriteOnly) | Attr::NoCapture => true,
        Attr::Text(text) => text.starts_with("captures(") || text.starts_with("initializes("),
        _ => false,
    }
}

/// Whether an attribute is a claim with a known meaning, so that a verdict may assume it.
fn is_claim(attr: &Attr, slot: Slot) -> bool {
    let place = AttrPosition { carrier: Carrier::Definition, slot };
    match AttrKind::of(attr).meaning(place) {
        Meaning::PoisonIfViolated | Meaning::UbIfViolated | Meaning::Permission | Meaning::Promise => true,
        Meaning::Nothing | Meaning::Agreed | Meaning::Misplaced | Meaning::Unknown => false,
    }
}

/// The position of an attribute.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Position {
    Function,
    Result,
    Parameter(usize),
}

impl Position {
    fn slot(self) -> Slot {
        match self {
            Self::Function => Slot::Function,
            Self::Result => Slot::Result,
            Self::Parameter(_) => Slot::Parameter,
        }
    }
    /// Text of the claim that the function `name` has an attribute at this position.
    fn claim(self, name: &str, text: &str) -> String {
        match self {
            Self::Function => format!("@{name} is {text}"),
            Self::Result => format!("the result of @{name} is {text}"),
            Self::Parameter(index) => format!("parameter {index} of @{name} is {text}"),
        }
    }
    fn words(self) -> String {
        match self {
            Self::Function => String::new(),
            Self::Result => "on the result".to_owned(),
            Self::Parameter(index) => format!("on parameter {index}"),
        }
    }
}

/// The attribute lists of a function.
struct Lists<'m> {
    env: &'m Env,
    function: &'m AttrList,
    result: &'m AttrList,
    params: &'m [AttrList],
}

impl<'m> Lists<'m> {
    fn new(function: FunctionRef<'m>) -> Self {
        let env = &function.module.env;
        let header = &env.funcs[function.func];
        Self { env, function: &header.attrs, result: &header.ret_attrs, params: &header.param_attrs }
    }
    fn places(&self) -> Vec<Position> {
        let params = (0..self.params.len()).map(Position::Parameter);
        [Position::Function, Position::Result].into_iter().chain(params).collect()
    }
    /// The attributes at a position, with their text. Of several `memory(…)` attributes, only the effective one.
    fn at(&self, place: Position) -> Vec<(&'m Attr, String)> {
        let list = match place {
            Position::Function => Some(self.function),
            Position::Result => Some(self.result),
            Position::Parameter(index) => self.params.get(index),
        };
        let Some(list) = list else { return Vec::new() };
        let memory = self.env.memory_effects(list);
        let counts = |attr: &&Attr| !matches!(attr, Attr::Memory(m) if Some(*m) != memory);
        self.env.attrs(list).filter(counts).map(|a| (a, spelled(self.env, a))).collect()
    }
}
