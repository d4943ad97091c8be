//! Twins for the entries that constrain values: attributes of arguments and results, and metadata.
//!
//! Each entry appears at a call of a function or intrinsic, at its declaration, at the function itself, or on a load.
//! The call's argument may be poison, is never poison, or may be poison from arithmetic.

use super::shape::{Action, Given, Shape};
use super::{Class, Expected, Twin};
use backedge_ir::attr::{FlagAttr, IntAttr};
use backedge_ir::meaning::attribute::{AttrKind, AttrPosition, Carrier, Slot, TextAttr};
use backedge_ir::meaning::{Meaning, metadata};
use backedge_ir::metadata::MdKind;

/// Position of an entry.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Spot {
    Argument,
    Result,
    Metadata,
    DeclaredParameter,
    DeclaredResult,
    OwnParameter,
    OwnResult,
}

/// An operation with placeholders for entries: `{A}` at its argument, `{R}` at its result, `{M}` after it, `{DA}` and
/// `{DR}` in the declaration, `{v}` for the argument. The second operand is `%w`.
struct Site {
    name: &'static str,
    declare: &'static str,
    code: &'static str,
    /// The type of the argument.
    ty: &'static str,
    /// The type of the result.
    result: &'static str,
    spots: &'static [Spot],
    /// Whether the target may execute it where the source does not.
    movable: bool,
    /// Whether its result is its argument.
    identity: bool,
    /// Whether it is UB on null and on poison anyway.
    accesses: bool,
}

const CALLED: &[Spot] =
    &[Spot::Argument, Spot::Result, Spot::Metadata, Spot::DeclaredParameter, Spot::DeclaredResult];
const PASSED: &[Spot] = &[Spot::Argument, Spot::DeclaredParameter];

/// An operation on values with a placeholder for each entry.
const fn intrinsic(name: &'static str, ty: &'static str, declare: &'static str, code: &'static str) -> Site {
    Site {
        name,
        declare,
        code,
        ty,
        result: ty,
        spots: CALLED,
        movable: true,
        identity: false,
        accesses: false,
    }
}

macro_rules! two_operands {
    ($name:literal, $ty:literal, $suffix:literal) => {
        intrinsic(
            $name,
            $ty,
            concat!("declare {DR}", $ty, " @llvm.", $name, ".", $suffix, "(", $ty, "{DA}, ", $ty, ")"),
            concat!("call {R}", $ty, " @llvm.", $name, ".", $suffix, "(", $ty, " {A}{v}, ", $ty, " %w)"),
        )
    };
}
macro_rules! one_operand {
    ($name:literal, $ty:literal, $suffix:literal, $declared:literal, $more:literal) => {
        intrinsic(
            $name,
            $ty,
            concat!("declare {DR}", $ty, " @llvm.", $name, $suffix, "(", $ty, "{DA}", $declared, ")"),
            concat!("call {R}", $ty, " @llvm.", $name, $suffix, "(", $ty, " {A}{v}", $more, ")"),
        )
    };
}

const SITES: &[Site] = &[
    two_operands!("umin", "i8", "i8"),
    two_operands!("umax", "i8", "i8"),
    two_operands!("smin", "i8", "i8"),
    two_operands!("smax", "i8", "i8"),
    two_operands!("uadd.sat", "i8", "i8"),
    two_operands!("ssub.sat", "i8", "i8"),
    two_operands!("umin", "<2 x i8>", "v2i8"),
    one_operand!("ctpop", "i8", ".i8", "", ""),
    one_operand!("bitreverse", "i8", ".i8", "", ""),
    one_operand!("abs", "i8", ".i8", ", i1", ", i1 false"),
    one_operand!("cttz", "i8", ".i8", ", i1", ", i1 false"),
    one_operand!("fshl", "i8", ".i8", ", i8, i8", ", i8 %w, i8 3"),
    Site { identity: true, ..one_operand!("expect", "i8", ".i8", ", i8", ", i8 3") },
    one_operand!("fabs", "float", ".f32", "", ""),
    one_operand!("sqrt", "float", ".f32", "", ""),
    two_operands!("copysign", "float", "f32"),
    two_operands!("maximum", "float", "f32"),
    Site { identity: true, ..one_operand!("launder.invariant.group", "ptr", ".p0", "", "") },
    Site { identity: true, ..one_operand!("strip.invariant.group", "ptr", ".p0", "", "") },
    Site {
        result: "void",
        spots: PASSED,
        movable: false,
        accesses: true,
        ..intrinsic(
            "memset",
            "ptr",
            "declare void @llvm.memset.p0.i64(ptr{DA}, i8, i64, i1)",
            "call void @llvm.memset.p0.i64(ptr {A}{v}, i8 1, i64 4, i1 false)",
        )
    },
    Site {
        result: "i8",
        spots: PASSED,
        movable: false,
        ..intrinsic(
            "masked.load",
            "ptr",
            "declare <2 x i8> @llvm.masked.load.v2i8.p0(ptr{DA}, i32, <2 x i1>, <2 x i8>)",
            "call <2 x i8> @llvm.masked.load.v2i8.p0(ptr {A}{v}, i32 1, <2 x i1> %m, <2 x i8> zeroinitializer)
  %r = extractelement <2 x i8> %s, i32 0",
        )
    },
    Site {
        movable: false,
        ..intrinsic(
            "a function",
            "i8",
            "declare {DR}i8 @ext(i8{DA})",
            "call {R}i8 @ext(i8 {A}{v})",
        )
    },
    Site {
        movable: false,
        ..intrinsic(
            "a function of pointers",
            "ptr",
            "declare {DR}ptr @ext(ptr{DA})",
            "call {R}ptr @ext(ptr {A}{v})",
        )
    },
    intrinsic(
        "a pure function",
        "i8",
        "declare {DR}i8 @ext(i8{DA}) nounwind willreturn speculatable memory(none)",
        "call {R}i8 @ext(i8 {A}{v})",
    ),
    intrinsic(
        "a pure function of floats",
        "float",
        "declare {DR}float @ext(float{DA}) nounwind willreturn speculatable memory(none)",
        "call {R}float @ext(float {A}{v})",
    ),
    Site {
        spots: &[Spot::OwnParameter, Spot::OwnResult],
        movable: false,
        identity: true,
        ..intrinsic("the function", "i8", "", "freeze i8 0")
    },
    Site {
        spots: &[Spot::OwnParameter, Spot::OwnResult],
        movable: false,
        identity: true,
        ..intrinsic("the function", "ptr", "", "freeze ptr null")
    },
    Site { spots: &[Spot::Metadata], ..intrinsic("load", "i8", "", "load i8, ptr %p, align 1") },
    Site { spots: &[Spot::Metadata], ..intrinsic("load", "ptr", "", "load ptr, ptr %p, align 1") },
];

/// An entry.
#[derive(Copy, Clone, Debug)]
enum Entry {
    Attribute(AttrKind),
    Metadata(&'static str),
}

const METADATA: [&str; 6] =
    ["range", "noundef", "nonnull", "align", "dereferenceable", "dereferenceable_or_null"];

impl Entry {
    /// The text at a spot for values of a type, if LLVM allows the entry there.
    fn text(self, spot: Spot, ty: &str) -> Option<String> {
        let is_ptr = ty == "ptr";
        let element = ty.trim_start_matches("<2 x ").trim_end_matches('>');
        let is_int = element.starts_with('i');
        match self {
            Self::Attribute(kind) => match kind {
                AttrKind::Flag(FlagAttr::Returned) if !is_argument(spot) => None,
                AttrKind::Flag(FlagAttr::NonNull) if !is_ptr => None,
                AttrKind::Flag(flag) => Some(flag.name().to_owned()),
                AttrKind::Int(IntAttr::Align) => is_ptr.then(|| "align 8".to_owned()),
                AttrKind::Int(attr) => is_ptr.then(|| format!("{}(64)", attr.name())),
                AttrKind::Range => is_int.then(|| format!("range({element} 0, 5)")),
                AttrKind::Text(TextAttr::NoFpClass) => (ty == "float").then(|| "nofpclass(nan)".to_owned()),
                AttrKind::Type(_)
                | AttrKind::Memory
                | AttrKind::Text(_)
                | AttrKind::String(_)
                | AttrKind::Unknown => None,
            },
            Self::Metadata(name) => match name {
                "range" => is_int.then(|| format!("!range !{{{element} 0, {element} 5}}")),
                "noundef" => Some("!noundef !{}".to_owned()),
                "nonnull" => is_ptr.then(|| "!nonnull !{}".to_owned()),
                "align" => is_ptr.then(|| "!align !{i64 8}".to_owned()),
                name => is_ptr.then(|| format!("!{name} !{{i64 64}}")),
            },
        }
    }
    fn name(self) -> &'static str {
        match self {
            Self::Attribute(kind) => kind.name(),
            Self::Metadata(name) => name,
        }
    }
    /// The registry's meaning of the entry at a spot of a site.
    fn meaning(self, site: &Site, spot: Spot) -> Meaning {
        let kind = match self {
            Self::Attribute(kind) => kind,
            Self::Metadata(name) => {
                let carrier = match site.name {
                    "load" => metadata::Carrier::Load,
                    _ => metadata::Carrier::Call,
                };
                return metadata::meaning(&MdKind::from_name(name), carrier);
            }
        };
        let carrier = match spot {
            Spot::OwnParameter | Spot::OwnResult => Carrier::Definition,
            Spot::DeclaredParameter | Spot::DeclaredResult => Carrier::Declaration,
            Spot::Argument | Spot::Result | Spot::Metadata if site.declare.contains("@llvm.") => {
                Carrier::IntrinsicCall
            }
            Spot::Argument | Spot::Result | Spot::Metadata => Carrier::Call,
        };
        let slot = if is_argument(spot) { Slot::Parameter } else { Slot::Result };
        kind.meaning(AttrPosition { carrier, slot })
    }
}

fn is_argument(spot: Spot) -> bool {
    matches!(spot, Spot::Argument | Spot::DeclaredParameter | Spot::OwnParameter)
}

/// One twin before its text is built.
#[derive(Copy, Clone)]
struct Case<'s> {
    site: &'s Site,
    spot: Spot,
    entry: Entry,
    given: Given,
    action: Action,
    in_loop: bool,
}

/// All twins of value entries.
pub(super) fn all() -> Vec<Twin> {
    let mut twins = Vec::new();
    // A range as text is of integers above 64 bits, which no shape has.
    let attributes = AttrKind::all().filter(|kind| kind.constrains_values());
    let attributes = attributes.filter(|kind| *kind != AttrKind::Text(TextAttr::Range));
    let attributes: Vec<Entry> = attributes.map(Entry::Attribute).collect();
    let metadata = METADATA.map(Entry::Metadata);
    for site in SITES {
        for &spot in site.spots {
            let entries = if spot == Spot::Metadata { &metadata[..] } else { &attributes[..] };
            for &entry in entries {
                for given in Given::ALL {
                    for action in Action::ALL {
                        let plain = Case { site, spot, entry, given, action, in_loop: false };
                        twins.extend(plain.twin());
                        twins.extend(Case { in_loop: true, ..plain }.twin());
                    }
                }
            }
        }
    }
    twins
}

impl Case<'_> {
    fn is_own(&self) -> bool {
        matches!(self.spot, Spot::OwnParameter | Spot::OwnResult)
    }
    fn is_load(&self) -> bool {
        self.site.name == "load"
    }
    fn twin(self) -> Option<Twin> {
        let ty = if is_argument(self.spot) { self.site.ty } else { self.site.result };
        let text = self.entry.text(self.spot, ty)?;
        let hoists = self.action.hoists();
        let is_returned = self.entry.name() == "returned";
        // The function's own parameters and the results of loads do not depend on `given`.
        let given_matters = self.spot != Spot::OwnParameter && !self.is_load();
        if !given_matters && self.given != Given::Free
            || hoists && (!self.site.movable || is_returned)
            || is_returned && self.site.ty != self.site.result
            || self.is_own() && (self.in_loop || is_returned)
        {
            return None;
        }
        let [in_source, in_target] = self.action.texts(&text);
        let source = self.function(in_source, hoists, false);
        let target = self.function(in_target, hoists, hoists);
        let place = match (self.is_load(), self.is_own()) {
            (true, _) => "load",
            (_, true) => "definition",
            _ if self.site.declare.contains("@llvm.") => "intrinsic",
            _ => "call",
        };
        let shape = if self.in_loop { ", in a loop" } else { "" };
        Some(Twin {
            class: Class { place, action: self.action.name() },
            name: format!(
                "{} at {} of {} ({:?}), {} of {}{shape}",
                self.entry.name(),
                self.site.name,
                self.site.ty,
                self.spot,
                self.action.name(),
                self.given.name()
            ),
            source,
            target,
            expected: self.expected(),
        })
    }
    /// The verdict that follows from the meaning of the entry.
    fn expected(&self) -> Expected {
        match self.action {
            Action::Drop | Action::Keep | Action::HoistAndDrop => return Expected::Refines,
            Action::Add | Action::Hoist => {}
        }
        let hoists = self.action == Action::Hoist;
        let meaning = self.entry.meaning(self.site, self.spot);
        if meaning == Meaning::Nothing
            || hoists && (meaning == Meaning::PoisonIfViolated || self.always_holds())
        {
            return Expected::Refines;
        }
        let wanted = match self.entry.name() {
            // LangRef does not specify poison and null if no lane is enabled.
            "noundef" | "nonnull"
                if self.site.name == "masked.load"
                    && (self.entry.name() == "nonnull" || self.given != Given::Defined) =>
            {
                Expected::Any
            }
            // The argument is defined, so the results of these operations are too.
            "noundef" if self.given == Given::Defined && self.keeps_defined() => Expected::Refines,
            "noundef" | "nonnull" if self.site.accesses => Expected::Refines,
            "returned" if self.site.identity => Expected::Refines,
            // LLVM discards attributes on the declaration of an intrinsic.
            _ if matches!(self.spot, Spot::DeclaredParameter | Spot::DeclaredResult)
                && self.site.declare.contains("@llvm.") =>
            {
                Expected::NotAccepted
            }
            _ => Expected::Fails,
        };
        match meaning {
            Meaning::PoisonIfViolated | Meaning::UbIfViolated => wanted,
            Meaning::Nothing
            | Meaning::Permission
            | Meaning::Promise
            | Meaning::Agreed
            | Meaning::Misplaced
            | Meaning::Unknown => Expected::NotAccepted,
        }
    }
    /// Whether the entry holds at every call. A speculatable function has no UB, so its results satisfy the attributes
    /// of its declaration.
    fn always_holds(&self) -> bool {
        self.spot == Spot::DeclaredResult && self.site.declare.contains(" speculatable ")
    }
    /// Whether a defined argument makes the value at the spot defined.
    fn keeps_defined(&self) -> bool {
        is_argument(self.spot) || !self.site.code.contains("@ext") && !self.is_load()
    }

    fn function(&self, entry: &str, hoists: bool, hoisted: bool) -> String {
        let at = |spot: Spot, before: &str, after: &str| match self.spot == spot && !entry.is_empty() {
            true => format!("{before}{entry}{after}"),
            false => String::new(),
        };
        let (site, (.., before)) = (self.site, self.given.code(self.site.ty));
        let declare = site
            .declare
            .replace("{DA}", &at(Spot::DeclaredParameter, " ", ""))
            .replace("{DR}", &at(Spot::DeclaredResult, "", " "));
        let mut code = site
            .code
            .replace("{A}", &at(Spot::Argument, "", " "))
            .replace("{R}", &at(Spot::Result, "", " "))
            .replace("{v}", "%v");
        code.push_str(&at(Spot::Metadata, ", ", ""));
        let ret = site.result;
        let result = if ret == "void" { "" } else { "%r = " };
        let first = if code.contains("%r = ") { "%s = " } else { result };
        let step = format!("  {first}{code}\n");
        let params = self.given.parameters(site.ty, &at(Spot::OwnParameter, "", " "));
        let own = at(Spot::OwnResult, "", " ");
        let head = format!("{declare}\ndefine {own}{ret} @f({params}) {{\nentry:\n{before}");
        let shape = Shape { ret, step: &step };
        let body = match self.is_own() {
            true => format!("  ret {ret} %v\n"),
            false => shape.body(self.in_loop, hoists.then_some(hoisted)),
        };
        format!("{head}{body}}}\n")
    }
}
