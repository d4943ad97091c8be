//! Twins for every attribute of the registry at every position, also where an engine does not model it.
//!
//! Consequences of a meaning: an entry without a meaning may be added and dropped; a promise, a permission or an
//! agreement about a call must not be added silently; dropping a droppable entry is never refuted. The registry does
//! not decide whether a body keeps a promise, so a promise added to a call of an intrinsic has no expected verdict.

use super::shape::Shape;
use super::{Class, Expected, Twin};
use backedge_ir::meaning::Meaning;
use backedge_ir::meaning::attribute::{AttrKind, AttrPosition, Carrier, Slot, TextAttr};

/// All twins of the sweep.
pub(super) fn all() -> Vec<Twin> {
    let mut twins = Vec::new();
    // `super::values` covers those that constrain values.
    for kind in AttrKind::all().filter(|kind| !kind.constrains_values()) {
        for place in AttrPosition::all() {
            let meaning = kind.meaning(place);
            if matches!(meaning, Meaning::Misplaced) {
                continue;
            }
            // Strings describe functions; all other places behave alike.
            if matches!(kind, AttrKind::String(_)) && place.slot != Slot::Function {
                continue;
            }
            let is_plain = matches!(kind, AttrKind::String(_)) || meaning == Meaning::Nothing;
            let actions = if is_plain { &["added", "dropped"][..] } else { &["added", "dropped", "kept"] };
            let loops = if is_plain { &[false][..] } else { &[false, true] };
            for &action in actions {
                for &in_loop in loops {
                    twins.push(twin(kind, (place, meaning), action, in_loop));
                }
            }
        }
    }
    twins
}

fn spelled(kind: AttrKind) -> String {
    match kind {
        AttrKind::Int(attr) => format!("{}(8)", attr.name()),
        AttrKind::Type(attr) => format!("{}(i8)", attr.name()),
        AttrKind::Memory => "memory(none)".to_owned(),
        AttrKind::String(attr) => format!("\"{}\"", attr.key()),
        AttrKind::Text(attr) => match attr {
            TextAttr::AllocKind => "allockind(\"free\")".to_owned(),
            TextAttr::AllocSize => "allocsize(1)".to_owned(),
            TextAttr::Captures => "captures(none)".to_owned(),
            TextAttr::Initializes => "initializes((0, 4))".to_owned(),
            TextAttr::VScaleRange => "vscale_range(1,2)".to_owned(),
            TextAttr::DeadOnReturn | TextAttr::NoFpClass | TextAttr::Range | TextAttr::UwTable => {
                attr.name().to_owned()
            }
        },
        AttrKind::Flag(_) | AttrKind::Range | AttrKind::Unknown => kind.name().to_owned(),
    }
}

fn twin(
    kind: AttrKind,
    (place, meaning): (AttrPosition, Meaning),
    action: &'static str,
    in_loop: bool,
) -> Twin {
    let text = spelled(kind);
    let (in_source, in_target) = match action {
        "added" => ("", text.as_str()),
        "dropped" => (text.as_str(), ""),
        _ => (text.as_str(), text.as_str()),
    };
    let expected = match action {
        "added" => added(kind, place, meaning),
        "dropped" if meaning.may_be_dropped() => Expected::Refines,
        "kept" => Expected::Refines,
        _ => Expected::Any,
    };
    let shape = if in_loop { ", in a loop" } else { "" };
    Twin {
        class: Class { place: place_name(place), action },
        name: format!("{} at {:?} of {:?}, {action}{shape}", kind.name(), place.slot, place.carrier),
        source: function(place, in_source, in_loop),
        target: function(place, in_target, in_loop),
        expected,
    }
}

/// The verdict on an attribute that only the target has. `@f` passes its pointer to an unknown function, which may do
/// anything with it that the attribute forbids.
fn added(kind: AttrKind, place: AttrPosition, meaning: Meaning) -> Expected {
    use backedge_ir::attr::FlagAttr as F;
    match place.carrier {
        _ if meaning.may_be_added() => Expected::Refines,
        Carrier::IntrinsicCall => Expected::Any,
        Carrier::Call | Carrier::Declaration => Expected::NotAccepted,
        Carrier::Definition => match kind {
            // Attributes that concern only callers or calling conventions.
            AttrKind::Flag(
                F::MustProgress
                | F::Speculatable
                | F::NoCallback
                | F::NoDivergenceSource
                | F::NoCreateUndefOrPoison
                | F::CoroDestroyOnlyWhenComplete
                | F::CoroElideSafe
                | F::PresplitCoroutine
                | F::AllocAlign
                | F::AllocPtr,
            )
            | AttrKind::String(_)
            | AttrKind::Text(TextAttr::AllocKind | TextAttr::AllocSize | TextAttr::VScaleRange) => {
                Expected::Any
            }
            _ if meaning == Meaning::Agreed => Expected::Any,
            _ => Expected::NotAccepted,
        },
    }
}

fn place_name(place: AttrPosition) -> &'static str {
    match place.carrier {
        Carrier::Definition => "all attributes, definition",
        Carrier::Declaration => "all attributes, declaration",
        Carrier::Call => "all attributes, call",
        Carrier::IntrinsicCall => "all attributes, intrinsic",
    }
}

fn function(place: AttrPosition, entry: &str, in_loop: bool) -> String {
    let at = |carrier: Carrier, slot: Slot| {
        let here = place == AttrPosition { carrier, slot } && !entry.is_empty();
        if here { format!(" {entry}") } else { String::new() }
    };
    use Carrier as C;
    use Slot as S;
    let declared = format!(
        "declare{} ptr @ext(ptr{}, i64){}",
        at(C::Declaration, S::Result),
        at(C::Declaration, S::Parameter),
        at(C::Declaration, S::Function)
    );
    let (called, param) = match place.carrier {
        C::IntrinsicCall => (
            format!(
                "call{} ptr @llvm.launder.invariant.group.p0(ptr{} %p){}",
                at(C::IntrinsicCall, S::Result),
                at(C::IntrinsicCall, S::Parameter),
                at(C::IntrinsicCall, S::Function)
            ),
            String::new(),
        ),
        C::Definition | C::Declaration | C::Call => (
            format!(
                "call{} ptr @ext(ptr{} %p, i64 4){}",
                at(C::Call, S::Result),
                at(C::Call, S::Parameter),
                at(C::Call, S::Function)
            ),
            at(C::Definition, S::Parameter),
        ),
    };
    let head = format!(
        "{declared}\ndeclare ptr @llvm.launder.invariant.group.p0(ptr)\ndefine{} ptr @f(ptr{param} %p, i8 noundef %n){} {{\nentry:\n",
        at(C::Definition, S::Result),
        at(C::Definition, S::Function)
    );
    let step = format!("  %r = {called}\n");
    let body = Shape { ret: "ptr", step: &step }.body(in_loop, None);
    format!("{head}{body}}}\n")
}
