//! The registry of meanings: every name that LangRef documents, and every name in LLVM's loop tests, has a row; rows of
//! intrinsics agree with LLVM's declarations.

use backedge_ir::attr::{Attr, AttrList, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::Meaning;
use backedge_ir::meaning::attribute::{self, AttrKind, Carrier, Place, Slot};
use backedge_ir::meaning::bundle::{self, BundleTag};
use backedge_ir::meaning::intrinsic::{self, Facts, Known};
use backedge_ir::meaning::metadata;
use backedge_ir::metadata::MdKind;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::{llvm_tests, peer};
use std::collections::{BTreeMap, BTreeSet};

/// Written by `ci/langref-names`.
const NAMES: &str = include_str!("../../data/langref-names.txt");
const DECLARATIONS: &str = include_str!("../../data/intrinsics.ll");

fn is_somewhere(kind: AttrKind, slots: &[Slot]) -> bool {
    Place::all()
        .filter(|place| slots.contains(&place.slot))
        .any(|place| kind.meaning(place) != Meaning::Misplaced)
}

/// Whether the registry has a row for a name of LangRef.
fn has_row(subject: &str, name: &str) -> bool {
    let attribute = |slots: &[Slot]| {
        let quoted = format!("\"{name}\"");
        let kinds = [AttrKind::from_name(name), AttrKind::from_name(&quoted)];
        kinds.into_iter().flatten().any(|kind| is_somewhere(kind, slots))
    };
    match subject {
        "function-attribute" => attribute(&[Slot::Function]),
        "value-attribute" => attribute(&[Slot::Parameter, Slot::Result]),
        "metadata" if name.starts_with("llvm.l") && name != "llvm.loop" => {
            metadata::loop_option(name) != Meaning::Unknown
        }
        "metadata" => metadata::is_known(&MdKind::from_name(name)),
        "bundle" => BundleTag::from_name(name).is_some(),
        // Titles that rows refer to.
        "section" => true,
        "intrinsic" => matches!(intrinsic::known(name), Some(Known::Intrinsic(_) | Known::Other(_))),
        other => panic!("no such subject: {other}"),
    }
}

#[test]
fn every_documented_name_has_a_row() {
    let names = NAMES.lines().map(|line| line.split_once(' ').expect("a subject and a name"));
    let missing: Vec<_> = names.clone().filter(|(subject, name)| !has_row(subject, name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(names.count() > 600);
    assert!(!has_row("value-attribute", "cold") && !has_row("intrinsic", "llvm.of.nobody"));
}

#[test]
fn every_placed_attribute_has_a_section_and_a_position() {
    let all = [Slot::Function, Slot::Result, Slot::Parameter];
    for kind in AttrKind::all() {
        assert!(is_somewhere(kind, &all), "{kind:?}");
        assert!(Place::all().all(|place| kind.meaning(place) != Meaning::Unknown), "{kind:?}");
    }
    for tag in BundleTag::ALL {
        let meanings = [tag.on_assume(), tag.on_call()];
        let open = [Meaning::Misplaced, Meaning::Unknown];
        assert!(meanings.iter().any(|meaning| !open.contains(meaning)), "{tag:?}");
    }
}

#[test]
fn rows_refer_to_sections_of_langref() {
    let titles: BTreeSet<&str> = NAMES.lines().filter_map(|line| line.strip_prefix("section ")).collect();
    let attributes = AttrKind::all().map(|kind| kind.section().to_owned());
    let bundles = BundleTag::ALL.iter().map(|tag| tag.section().to_owned());
    let intrinsics = Intrinsic::ALL.iter().map(|intrinsic| intrinsic.section().to_owned());
    let documented = NAMES.lines().filter_map(|line| line.strip_prefix("metadata "));
    let metadata = documented.map(|name| metadata::section(&MdKind::from_name(name)).to_owned());
    for section in attributes.chain(bundles).chain(intrinsics).chain(metadata) {
        assert!(section.is_empty() || titles.contains(section.as_str()), "{section}");
    }
}

/// Names without a row in a module.
fn unknown(module: &Module) -> BTreeSet<String> {
    let env = &module.env;
    let mut found = BTreeSet::new();
    let mut lists: Vec<(&AttrList, Slot)> = Vec::new();
    for header in env.funcs.values() {
        lists.extend([(&header.attrs, Slot::Function), (&header.ret_attrs, Slot::Result)]);
        lists.extend(header.param_attrs.iter().map(|list| (list, Slot::Parameter)));
        if header.name.starts_with("llvm.") && intrinsic::known(&header.name).is_none() {
            found.insert(format!("@{}", header.name));
        }
    }
    for (_, body) in module.bodies() {
        for inst in body.all_insts() {
            let data = body.inst(inst);
            let carrier = metadata::Carrier::of(&data.kind);
            let odd =
                data.metadata.iter().filter(|(kind, _)| metadata::meaning(kind, carrier) == Meaning::Unknown);
            found.extend(odd.map(|(kind, _)| format!("!{}", kind.name())));
            let Some(call) = data.call() else { continue };
            lists.extend([(&call.info.fn_attrs, Slot::Function), (&call.info.ret_attrs, Slot::Result)]);
            lists.extend(call.info.arg_attrs.iter().map(|list| (list, Slot::Parameter)));
            let callee = body.called_function(call.callee()).and_then(|f| env.funcs[f].intrinsic);
            let on_assume = callee == Some(Intrinsic::Assume);
            let tags = call.info.bundles.iter().map(|bundle| &*bundle.tag);
            let odd = tags.filter(|tag| bundle::meaning(tag, on_assume) == Meaning::Unknown);
            found.extend(odd.map(|tag| format!("bundle {tag}")));
        }
    }
    for (list, slot) in lists {
        let place = Place { carrier: Carrier::Call, slot };
        let odd = env.attrs(list).filter(|attr| attribute::meaning(attr, place) == Meaning::Unknown);
        found.extend(odd.map(|attr| format!("{attr:?}")));
    }
    found
}

#[test]
fn every_name_in_llvms_loop_tests_has_a_row() {
    let Some(tests) = llvm_tests("the registry of meanings on LLVM's loop tests") else { return };
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for file in tests.files() {
        let text = std::fs::read(&file).expect("a test");
        let Ok(parsed) = parse_module(&text) else { continue };
        let names = unknown(&parsed.module).into_iter();
        found.extend(names.map(|name| (name, file.display().to_string())));
    }
    // A key that a test made up.
    found.retain(|name, _| !name.contains("\"foo\""));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn facts_of_intrinsics_agree_with_llvms_declarations() {
    let Some(opt) = peer("opt", "declarations of intrinsics by LLVM") else { return };
    let answer = opt.run(&["-S", "-passes="], DECLARATIONS.as_bytes());
    assert!(answer.ok(), "{}", answer.stderr);
    let module = parse_module(answer.stdout.as_bytes()).expect("what opt prints").module;
    let all = MemoryEffects::all(ModRef::READ_WRITE);
    let mut compared = 0;
    for header in module.env.funcs.values() {
        let facts = match intrinsic::known(&header.name) {
            Some(Known::Intrinsic(intrinsic)) => *intrinsic.facts(),
            Some(Known::Other(other)) => other.facts,
            known => panic!("{}: {known:?}", header.name),
        };
        let env = &module.env;
        let declared = |flag: &FlagAttr| env.has_attr(&header.attrs, *flag);
        let flags: Vec<FlagAttr> = Facts::STATED.into_iter().filter(declared).collect();
        let stated: Vec<FlagAttr> = Facts::STATED.into_iter().filter(|flag| facts.has(*flag)).collect();
        assert_eq!(flags, stated, "{}", header.name);
        assert_eq!(env.memory_effects(&header.attrs).unwrap_or(all), facts.memory, "{}", header.name);
        compared += 1;
    }
    assert!(compared > 300, "{compared} compared");
}

/// Flags whose use LLVM 22 restricts further: to calls, to intrinsics, beside other attributes, or to strings.
const RESTRICTED: [FlagAttr; 5] =
    [FlagAttr::Builtin, FlagAttr::ImmArg, FlagAttr::JumpTable, FlagAttr::NoOutline, FlagAttr::OptNone];

#[test]
fn llvm_accepts_flags_where_they_have_a_meaning() {
    let Some(opt) = peer("opt", "positions of attributes in LLVM") else { return };
    let mut text = String::new();
    let at = |slot| Place { carrier: Carrier::Declaration, slot };
    for flag in FlagAttr::ALL.iter().filter(|flag| !RESTRICTED.contains(flag)) {
        let (name, kind) = (flag.name(), AttrKind::Flag(*flag));
        let is_of_ints =
            matches!(flag, FlagAttr::SExt | FlagAttr::ZExt | FlagAttr::NoExt | FlagAttr::AllocAlign);
        let ty = if is_of_ints { "i32" } else { "ptr" };
        let places = [
            (Slot::Function, format!("declare void @f.{name}() {name}\n")),
            (Slot::Result, format!("declare {name} {ty} @r.{name}()\n")),
            (Slot::Parameter, format!("declare {ty} @p.{name}({ty} {name})\n")),
        ];
        let placed = places.iter().filter(|(slot, _)| kind.meaning(at(*slot)) != Meaning::Misplaced);
        text.extend(placed.map(|(_, line)| line.as_str()));
    }
    let answer = opt.run(&["-disable-output", "-passes="], text.as_bytes());
    assert!(answer.ok(), "{}", answer.stderr);
    assert!(text.lines().count() > 80, "{text}");
}

#[test]
fn text_attributes_are_recognised_with_their_operands() {
    let kind = |text: &str| AttrKind::of(&Attr::Text(text.into())).name();
    assert_eq!(kind("captures(address, read_provenance)"), "captures");
    assert_eq!(kind("dead_on_return"), "dead_on_return");
    assert_eq!(kind("initializes((0, 4))"), "initializes");
    assert_eq!(kind("nofpclass(nan inf)"), "nofpclass");
    assert_eq!(kind("of_nobody(1)"), "unknown");
}
