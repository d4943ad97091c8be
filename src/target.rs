//! `-mtriple`, `-mcpu` and `-mattr`: the target of a module. Passes do not read it, but for the machine of the cost model;
//! checks of the result do, for the library functions of the triple.

use backedge_ir::attr::Attr;
use backedge_ir::module::{Env, Module, TopLevel};
use backedge_transform::cost::{MACHINES, Machine};

/// Processors that execute in order: those whose scheduling models in LLVM have no buffer of micro-operations.
const IN_ORDER: [&str; 22] = [
    "atom",
    "bonnell",
    "cortex-a5",
    "cortex-a7",
    "cortex-a8",
    "cortex-a34",
    "cortex-a35",
    "cortex-a53",
    "cortex-a55",
    "cortex-a320",
    "cortex-a510",
    "cortex-a520",
    "cortex-m4",
    "cortex-m7",
    "cortex-r52",
    "cortex-r82",
    "generic-rv32",
    "generic-rv64",
    "i486",
    "pentium",
    "rocket",
    "sifive-7-series",
];
const CPU: &str = "target-cpu";
const FEATURES: &str = "target-features";

/// Parses the name of a processor. It is printed in quotes, so it has no characters that would need an escape there.
pub(crate) fn name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if text.is_empty() || !text.chars().all(is_plain) {
        return Err("expected the name of a processor, such as x86-64-v3 or cortex-a53".to_owned());
    }
    Ok(text.to_owned())
}

/// Parses features with their signs.
pub(crate) fn features(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_feature = |word: &str| {
        word.strip_prefix(['+', '-']).is_some_and(|name| !name.is_empty() && name.chars().all(is_plain))
    };
    if !text.split(',').all(is_feature) {
        return Err("expected features with + or - in front, such as +avx2,-avx512f".to_owned());
    }
    Ok(text.to_owned())
}

/// The machine of the cost model for a processor.
pub(crate) fn machine(cpu: &str) -> Machine {
    let in_order = Machine::named("in-order").filter(|_| IN_ORDER.contains(&cpu));
    *in_order.unwrap_or(&MACHINES[0])
}

/// Adds the attributes of a processor and of features to all functions with code, as LLVM's tools do: an attribute for
/// a processor stays, and features are appended.
pub(crate) fn set_attributes(module: &mut Module, cpu: Option<&str>, features: Option<&str>) {
    let defined: Vec<_> = module.bodies().map(|(func, _)| func).collect();
    for func in defined {
        let value = |key: &str| {
            module.env.attrs(&module.env.funcs[func].attrs).find_map(|attr| match attr {
                Attr::String(name, value) if **name == *key => {
                    Some(value.as_deref().unwrap_or("").to_owned())
                }
                _ => None,
            })
        };
        let (old_cpu, old_features) = (value(CPU), value(FEATURES));
        let all: Vec<Attr> = module.env.attrs(&module.env.funcs[func].attrs).cloned().collect();
        let list = &mut module.env.funcs[func].attrs;
        if features.is_some() && old_features.is_some() {
            // A group is shared with other functions, so its attributes move to this one.
            list.own = all;
            list.groups.clear();
        }
        let own = &mut list.own;
        if let Some(cpu) = cpu.filter(|_| old_cpu.is_none()) {
            own.push(Attr::String(CPU.into(), Some(cpu.into())));
        }
        if let Some(features) = features {
            own.retain(|attr| !matches!(attr, Attr::String(name, _) if **name == *FEATURES));
            let all = old_features.map_or(features.to_owned(), |old| format!("{old},{features}"));
            own.push(Attr::String(FEATURES.into(), Some(all.into())));
        }
    }
}

/// Parses a target triple. It is printed in quotes, so it has no characters that would need an escape there.
pub(crate) fn triple(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if text.is_empty() || !text.chars().all(is_plain) {
        return Err("expected a triple such as x86_64-unknown-linux-gnu".to_owned());
    }
    Ok(text.to_owned())
}

/// Replaces all `target triple` lines by one for `triple`, which [`triple`] has accepted. The line is printed after the
/// file's name and the data layout, as by LLVM.
pub(crate) fn set_triple(env: &mut Env, triple: &str) {
    let starts =
        |item: &TopLevel, with: &str| matches!(item, TopLevel::Text(text) if text.trim().starts_with(with));
    env.order.retain(|item| !starts(item, "target triple"));
    let is_header = |item: &TopLevel| starts(item, "source_filename") || starts(item, "target datalayout");
    let at = env.order.iter().rposition(is_header).map_or(0, |last| last + 1);
    env.order.insert(at, TopLevel::Text(format!("target triple = \"{triple}\"").into()));
}
