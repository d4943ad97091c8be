//! Matches variables that no other module can name between two modules. A private or internal variable may have another
//! name in the target (LangRef, "Linkage Types"), and a constant whose address is not significant may be merged with
//! another one of the same contents (LangRef, "Global Variables", `unnamed_addr`).
//!
//! Names that both modules have are kept. Other variables are matched one to one by their contents. If several have the
//! same contents, the matching is ambiguous, and a failing run that depends on it is no refutation.

use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::GlobalId;
use backedge_ir::module::{Code, Env, GlobalVar, Module, TopLevel};
use backedge_ir::parse::named_globals;
use backedge_ir::print::{initializer_to_string, type_to_string, write_global_name};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The target's module with the source's names.
#[derive(Debug)]
pub(crate) struct Renamed {
    pub(crate) module: Module,
    /// Names of variables whose match with the source is ambiguous.
    pub(crate) open: Vec<Arc<str>>,
}

/// A constant of the source that the target's module has merged with another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Merged {
    pub(crate) gone: Arc<str>,
    pub(crate) into: Arc<str>,
    /// Whether there are several constants that it may have been merged with.
    pub(crate) is_open: bool,
}

/// Maps old names to new ones.
type Names = BTreeMap<Arc<str>, Arc<str>>;

/// The target's module with renamed variables; `None` if nothing is renamed.
pub(crate) fn renamed(source: &Module, target: &Module) -> Option<Renamed> {
    if std::ptr::eq(source, target) {
        return None;
    }
    let (mut names, mut open) = (Names::default(), Vec::new());
    // Initializers name variables, so one match may enable another.
    loop {
        let found = matches(source, target, &names, &mut open);
        if found.is_empty() {
            break;
        }
        names.extend(found);
    }
    make_room(source, target, &mut names);
    names.retain(|old, new| !is_carried(target, old) && !is_carried(target, new));
    loop {
        let is_taken = |name: &Arc<str>| target.env.symbols.contains_key(name) && !names.contains_key(name);
        let taken = names.iter().find(|(_, new)| is_taken(new)).map(|(old, _)| old.clone());
        match taken {
            Some(old) => names.remove(&old),
            None => break,
        };
    }
    let news: BTreeSet<&Arc<str>> = names.values().collect();
    if names.is_empty() || news.len() != names.len() {
        return None;
    }
    open.retain(|name| news.contains(name));
    Some(Renamed { module: with_names(target, &names), open })
}

/// Pairs of a name in the target and one in the source, of variables matched by contents.
fn matches(source: &Module, target: &Module, known: &Names, open: &mut Vec<Arc<str>>) -> Names {
    let (s, t) = (&source.env, &target.env);
    let taken: BTreeSet<&Arc<str>> = known.values().collect();
    let mut groups: BTreeMap<String, [Vec<&GlobalVar>; 2]> = BTreeMap::new();
    for (id, var) in s.vars.iter() {
        if !taken.contains(&var.name)
            && !is_kept((s, id), (t, named(t, &var.name)), known)
            && let Some(text) = contents(s, id, &Names::default())
        {
            groups.entry(text).or_default()[0].push(var);
        }
    }
    for (id, var) in t.vars.iter() {
        if !known.contains_key(&var.name)
            && !named(s, &var.name).is_some_and(|own| is_kept((s, own), (t, Some(id)), known))
            && let Some(text) = contents(t, id, known)
        {
            groups.entry(text).or_default()[1].push(var);
        }
    }
    let mut found = Names::default();
    for [own, theirs] in groups.into_values() {
        // If all of them may share one address, it does not matter which one the target has kept.
        let is_one = theirs.len() == 1 && own.iter().all(|var| var.may_coincide());
        let is_open = own.len().max(theirs.len()) > 1 && !is_one;
        for (own, theirs) in own.iter().zip(&theirs) {
            found.insert(theirs.name.clone(), own.name.clone());
            open.extend(is_open.then(|| own.name.clone()));
        }
    }
    found
}

fn named(env: &Env, name: &str) -> Option<GlobalId> {
    match env.symbols.get(name) {
        Some(GlobalRef::Var(id)) => Some(*id),
        Some(GlobalRef::Func(_) | GlobalRef::Alias(_)) | None => None,
    }
}

/// Whether a name denotes one variable in both modules: local constants must have the same contents for that.
fn is_kept((s, own): (&Env, GlobalId), (t, other): (&Env, Option<GlobalId>), known: &Names) -> bool {
    let Some(other) = other else { return false };
    let is_constant = |env: &Env, id: GlobalId| env.vars[id].is_constant && env.vars[id].linkage.is_local();
    let may_be_another = is_constant(s, own) && is_constant(t, other);
    !may_be_another || contents(s, own, &Names::default()) == contents(t, other, known)
}

/// The identity of a variable apart from its name, its alignment and the significance of its address; names in its
/// initializer are replaced by `names`. `None` if other modules can name the variable, or if its contents are unknown.
fn contents(env: &Env, id: GlobalId, names: &Names) -> Option<String> {
    let var = &env.vars[id];
    if !var.linkage.is_local() {
        return None;
    }
    let init = initializer_to_string(env, id)?;
    let insignificant = ["unnamed_addr", "local_unnamed_addr", "dso_local"];
    let words = var.prefix_words.iter().filter(|word| !insignificant.contains(&&***word));
    let words: Vec<&str> = words.map(|word| &**word).collect();
    let suffix: Vec<&str> = var.suffix.iter().map(|part| &**part).collect();
    let kind = if var.is_constant { "constant" } else { "global" };
    let (space, ty) = (var.addrspace, type_to_string(&env.types, var.ty));
    let metadata = var.metadata.len();
    // Names of the variable itself are replaced, so that self-references compare equal.
    let mut names = names.clone();
    names.insert(var.name.clone(), "=".into());
    let init = with_other_names(&init, &names);
    Some(format!("{words:?} {space} {kind} {ty} {init} {suffix:?} {metadata}"))
}

/// The text with renamed globals; quoted text is left alone.
fn with_other_names<'t>(text: &'t str, names: &Names) -> Cow<'t, str> {
    if names.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut new = String::with_capacity(text.len());
    let mut from = 0;
    for (place, name) in named_globals(text) {
        if let Some(name) = names.get(&*name) {
            new.push_str(&text[from..place.start]);
            new.push('@');
            write_global_name(&mut new, name);
            from = place.end;
        }
    }
    new.push_str(&text[from..]);
    Cow::Owned(new)
}

/// Renames unmatched constants of the target whose names are needed for others.
fn make_room(source: &Module, target: &Module, names: &mut Names) {
    let env = &target.env;
    let in_the_way = names.values().filter(|name| !names.contains_key(*name));
    let in_the_way: Vec<Arc<str>> =
        in_the_way.filter(|name| env.symbols.contains_key(*name)).cloned().collect();
    for name in in_the_way {
        let is_local = |id: GlobalId| env.vars[id].is_constant && env.vars[id].linkage.is_local();
        if !named(env, &name).is_some_and(is_local) {
            continue;
        }
        let is_free = |new: &Arc<str>| {
            !env.symbols.contains_key(new)
                && !source.env.symbols.contains_key(new)
                && !names.values().any(|other| other == new)
        };
        let mut numbers = 0_u32..;
        let new = numbers.find_map(|n| Some(Arc::from(format!("new.{n}"))).filter(is_free));
        names.extend(new.map(|new| (name, new)));
    }
}

/// Whether the module has verbatim text that may name the global.
fn is_carried(module: &Module, name: &str) -> bool {
    let in_code = module.code.values().any(|code| match code {
        Code::Opaque(code) => mentions(&code.text, name),
        Code::Body(_) | Code::Declaration => false,
    });
    in_code || carried_texts(&module.env).any(|text| mentions(text, name))
}

/// Parts of a module kept as verbatim text, apart from whole functions.
pub(crate) fn carried_texts(env: &Env) -> impl Iterator<Item = &str> {
    let items = env.order.iter().filter_map(|item| match item {
        TopLevel::Text(text) | TopLevel::CarriedVar(_, text) => Some(&**text),
        TopLevel::TypeDef(_)
        | TopLevel::Var(_)
        | TopLevel::Alias(_)
        | TopLevel::Func(_)
        | TopLevel::AttrGroup(_)
        | TopLevel::Metadata(_)
        | TopLevel::NamedMetadata(_) => None,
    });
    // These include prefix data, prologue data and personalities.
    let of_functions = env.funcs.values().flat_map(|func| &func.suffix);
    let excused_by_variables = env.vars.values().flat_map(|var| &var.suffix);
    let parts = of_functions.chain(excused_by_variables).map(|part| &**part);
    items.chain(parts).chain(env.aliases.values().map(|alias| &*alias.text))
}

/// Whether a text may name the global. Module assembly may do so in its own syntax.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    let is_assembly = text.starts_with("module") && text.contains(name);
    is_assembly || named_globals(text).any(|(_, found)| found == name)
}

fn with_names(module: &Module, names: &Names) -> Module {
    let mut module = module.clone();
    let env = &mut module.env;
    let ids: Vec<(GlobalId, Arc<str>)> =
        names.iter().filter_map(|(old, new)| Some((named(env, old)?, new.clone()))).collect();
    for old in names.keys() {
        env.symbols.remove(old);
    }
    for (id, new) in ids {
        env.symbols.insert(new.clone(), GlobalRef::Var(id));
        env.vars[id].name = new;
    }
    module
}

/// The constants of the source that the target's module (which has the source's names) no longer has, because it may
/// have merged them with others.
pub(crate) fn merged(source: &Module, target: &Module) -> Vec<Merged> {
    let (s, t) = (&source.env, &target.env);
    if std::ptr::eq(source, target) {
        return Vec::new();
    }
    let used = used(target);
    let is_gone = |name: &str| match t.symbols.get(name) {
        Some(GlobalRef::Var(id)) => used.as_ref().is_some_and(|used| !used.contains(id)),
        Some(GlobalRef::Func(_) | GlobalRef::Alias(_)) => false,
        None => true,
    };
    let gone = s.vars.iter().filter(|(_, var)| var.linkage.is_local() && is_gone(&var.name));
    let merged = gone.filter_map(|(id, var)| {
        let own = constant(s, id)?;
        let takes = |(other, kept): &(GlobalId, &GlobalVar)| {
            let Some(theirs) = named(t, &kept.name) else { return false };
            // The address of the merged constant is significant if one of the two addresses is.
            let is_insignificant = is_unnamed(var) || is_unnamed(kept) && !is_unnamed(&t.vars[theirs]);
            is_insignificant
                && id != *other
                && !is_gone(&kept.name)
                && constant(s, *other).as_ref() == Some(&own)
                && constant(t, theirs).as_ref() == Some(&own)
                && t.variable_align(theirs) >= s.variable_align(id)
        };
        let mut into = s.vars.iter().filter(takes).map(|(_, kept)| kept.name.clone());
        let first = into.next()?;
        Some(Merged { gone: var.name.clone(), into: first, is_open: into.next().is_some() })
    });
    merged.collect()
}

/// The contents of a constant that may be merged with an equal one.
fn constant(env: &Env, id: GlobalId) -> Option<String> {
    let var = &env.vars[id];
    let init = initializer_to_string(env, id).filter(|_| var.is_constant && var.is_definitive())?;
    let is_local = var.prefix_words.iter().any(|word| word.starts_with("thread_local"));
    let ty = type_to_string(&env.types, var.ty);
    Some(format!("{ty} {init} {} {:?} {is_local}", var.addrspace, var.suffix))
}

fn is_unnamed(var: &GlobalVar) -> bool {
    var.prefix_words.iter().any(|word| **word == *"unnamed_addr")
}

/// The variables that code or initializers of the module name; `None` if it has unmodelled code.
fn used(module: &Module) -> Option<BTreeSet<GlobalId>> {
    let mut found = BTreeSet::new();
    let mut note = |data: &ConstData| {
        if let ConstData::Global(GlobalRef::Var(id)) = data {
            found.insert(*id);
        }
    };
    for code in module.code.values() {
        match code {
            Code::Body(body) => body.consts().iter().for_each(|(_, c)| note(&c.data)),
            Code::Opaque(_) => return None,
            Code::Declaration => {}
        }
    }
    module.env.consts.iter().for_each(|(_, c)| note(&c.data));
    for text in carried_texts(&module.env) {
        found.extend(named_globals(text).filter_map(|(_, name)| named(&module.env, &name)));
    }
    Some(found)
}

/// A module's text with merged constants.
pub(crate) fn with_merged(text: &str, merged: &[Merged]) -> String {
    let names: Names = merged.iter().map(|m| (m.gone.clone(), m.into.clone())).collect();
    without(text, &|name| names.contains_key(name), &names)
}

/// The texts of two modules in which all constants of the same contents without significant addresses are merged;
/// `None` if neither has such constants.
pub(crate) fn with_all_merged(modules: [&Module; 2], texts: [&str; 2]) -> Option<[String; 2]> {
    let mut groups: BTreeMap<String, [Vec<Arc<str>>; 2]> = BTreeMap::new();
    for (side, module) in modules.into_iter().enumerate() {
        let env = &module.env;
        for (id, var) in env.vars.iter().filter(|(_, var)| is_unnamed(var)) {
            if let Some(text) = constant(env, id) {
                groups.entry(text).or_default()[side].push(var.name.clone());
            }
        }
    }
    groups.retain(|_, [own, theirs]| own.iter().chain(&*theirs).collect::<BTreeSet<_>>().len() > 1);
    if groups.is_empty() {
        return None;
    }
    let merge = |side: usize| {
        let (mut names, mut gone) = (Names::new(), BTreeSet::new());
        for group in groups.values() {
            let Some(one) = group.iter().flatten().next() else { continue };
            let is_there = group[side].contains(one);
            for (i, name) in group[side].iter().enumerate().filter(|(_, name)| *name != one) {
                names.insert(name.clone(), one.clone());
                // If the module lacks that constant, the first of its own takes the name.
                gone.extend((is_there || i > 0).then(|| name.clone()));
            }
        }
        without(texts[side], &|name| gone.contains(name), &names)
    };
    Some([merge(0), merge(1)])
}

/// The text without the definitions of `gone` variables, and with renamed globals.
fn without(text: &str, gone: &dyn Fn(&str) -> bool, names: &Names) -> String {
    let defines = |line: &str| {
        let defined = line.starts_with('@').then(|| named_globals(line).next()).flatten();
        defined.is_some_and(|(_, name)| gone(&name))
    };
    let kept: Vec<&str> = text.lines().filter(|line| !defines(line)).collect();
    with_other_names(&(kept.join("\n") + "\n"), names).into_owned()
}
