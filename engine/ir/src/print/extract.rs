//! Extracts one function, or a selection of items, as a separate module with everything that it refers to directly or
//! indirectly: the part of a large module that a checker, another process or a bug report needs.
//!
//! References are found in the printed text: names of globals and types, numbers of attribute groups and metadata
//! nodes. So every reference in the text is found, including those in text kept verbatim. A local named like a type
//! also includes that type, which is harmless. Items keep their order. The extract of a single function also keeps the
//! target lines, `module asm` and comdats without a reference. It omits `source_filename` and named metadata, except
//! for the module flags that specify the size of a wide character.

use super::Printer;
use super::module::unlisted;
use crate::constant::{ConstData, GlobalRef};
use crate::entity::FuncId;
use crate::meaning::library::{Known, Library, declared};
use crate::metadata::MODULE_FLAGS;
use crate::module::{Code, Module, TopLevel};
use crate::parse::canonical_quoted_name;
use crate::types::Compound;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// How arguments, blocks and results are named in the text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Locals {
    /// By name.
    Named,
    /// By number, so that functions that differ only in names have the same text. Blocks whose address is taken keep
    /// their names.
    Numbered,
}

/// A part of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extracted {
    /// Its text.
    pub text: String,
    /// The globals in it, in module order, without the function that it was extracted for.
    pub globals: Vec<Arc<str>>,
}

impl Extracted {
    /// Removes the global `name` from the list.
    fn without(mut self, name: &str) -> Self {
        self.globals.retain(|global| **global != *name);
        self
    }
}

/// Extracts `func`, the globals named in `also` that exist, and everything that they refer to.
pub fn extract(module: &Module, func: FuncId, also: &[Arc<str>], locals: Locals) -> Extracted {
    let env = &module.env;
    let is_also = |name: &Arc<str>| also.contains(name);
    let tells_characters = names_wide_characters(module, func);
    select(module, locals, &|item| match item {
        TopLevel::Text(text) => !text.starts_with("source_filename"),
        TopLevel::Func(id) => *id == func || is_also(&env.funcs[*id].name),
        TopLevel::Var(id) | TopLevel::CarriedVar(id, _) => is_also(&env.vars[*id].name),
        TopLevel::Alias(id) => is_also(&env.aliases[*id].name),
        TopLevel::NamedMetadata(at) => {
            tells_characters && env.metadata.named.get(*at).is_some_and(|(name, _)| **name == *MODULE_FLAGS)
        }
        TopLevel::TypeDef(_) | TopLevel::AttrGroup(_) | TopLevel::Metadata(_) => false,
    })
    .without(&env.funcs[func].name)
}

/// Whether a function refers to a wide-character library function; a module flag specifies the size of these
/// characters.
fn names_wide_characters(module: &Module, func: FuncId) -> bool {
    let Some(body) = module.body(func) else { return false };
    body.consts().iter().any(|(_, constant)| {
        let ConstData::Global(GlobalRef::Func(callee)) = constant.data else { return false };
        let known = declared(module, callee);
        matches!(known, Some(Known::Function(Library::WcsLen2 | Library::WcsLen4)))
    })
}

/// Extracts the items that satisfy `wanted` and everything that they refer to.
pub fn select(module: &Module, locals: Locals, wanted: &dyn Fn(&TopLevel) -> bool) -> Extracted {
    let mut items = module.env.order.clone();
    items.extend(unlisted(module));
    let index = Index::new(module, &items);
    let mut text = String::new();
    let mut extract = Extract {
        printer: Printer::new(&module.env, &mut text),
        module,
        locals,
        places: vec![None; items.len()],
        items,
        waiting: Vec::new(),
    };
    let wanted = extract.items.iter().enumerate().filter(|(_, item)| wanted(item));
    extract.waiting.extend(wanted.map(|(at, _)| at));
    let new_nodes = extract.run(&index);
    let (places, items) = (extract.places, extract.items);
    let kept = items.iter().zip(&places).filter(|(_, place)| place.is_some()).map(|(item, _)| item);
    let env = &module.env;
    let globals = kept.filter_map(|item| match item {
        TopLevel::Var(id) | TopLevel::CarriedVar(id, _) => Some(env.vars[*id].name.clone()),
        TopLevel::Alias(id) => Some(env.aliases[*id].name.clone()),
        TopLevel::Func(id) => Some(env.funcs[*id].name.clone()),
        TopLevel::Text(_)
        | TopLevel::TypeDef(_)
        | TopLevel::AttrGroup(_)
        | TopLevel::Metadata(_)
        | TopLevel::NamedMetadata(_) => None,
    });
    let globals = globals.collect();
    let kept = places.into_iter().flatten().chain(new_nodes);
    Extracted { text: kept.map(|place| &text[place]).collect(), globals }
}

/// The positions of items by their names in the text.
struct Index<'m> {
    funcs: FxHashMap<FuncId, usize>,
    globals: FxHashMap<&'m str, usize>,
    types: FxHashMap<&'m str, usize>,
    groups: FxHashMap<u64, usize>,
    nodes: FxHashMap<u64, usize>,
}

impl<'m> Index<'m> {
    fn new(module: &'m Module, items: &[TopLevel]) -> Self {
        let env = &module.env;
        let mut index = Self {
            funcs: FxHashMap::default(),
            globals: FxHashMap::default(),
            types: FxHashMap::default(),
            groups: FxHashMap::default(),
            nodes: FxHashMap::default(),
        };
        for (at, item) in items.iter().enumerate() {
            match item {
                TopLevel::Text(_) | TopLevel::NamedMetadata(_) => {}
                TopLevel::TypeDef(ty) => {
                    if let Some(Compound::Named { name, .. }) = env.types.compound(*ty) {
                        index.types.insert(name, at);
                    }
                }
                TopLevel::Var(id) | TopLevel::CarriedVar(id, _) => {
                    index.globals.insert(&env.vars[*id].name, at);
                }
                TopLevel::Alias(id) => {
                    index.globals.insert(&env.aliases[*id].name, at);
                }
                TopLevel::Func(id) => {
                    index.globals.insert(&env.funcs[*id].name, at);
                    index.funcs.insert(*id, at);
                }
                TopLevel::AttrGroup(group) => {
                    index.groups.insert((*group).into(), at);
                }
                TopLevel::Metadata(id) => {
                    if let Some(number) = env.metadata.get(*id).number {
                        index.nodes.insert(number.into(), at);
                    }
                }
            }
        }
        index
    }

    /// The item that the token at the beginning of `text` refers to, and the length of the token.
    fn token(&self, text: &str) -> (Option<usize>, usize) {
        let bytes = text.as_bytes();
        let rest = &text[1..];
        let quoted = || rest[1..].find('"').map_or(rest.len(), |end| end + 2);
        let name = |extra: &[u8]| {
            let is_part = |b: &u8| b.is_ascii_alphanumeric() || b"-._$".contains(b) || extra.contains(b);
            rest.bytes().take_while(|b| is_part(b)).count()
        };
        match (bytes[0], rest.as_bytes().first()) {
            (b'"', _) => (None, 1 + rest.find('"').map_or(rest.len(), |end| end + 1)),
            (b';', _) => (None, 1 + rest.find('\n').unwrap_or(rest.len())),
            (b'/', Some(b'*')) => (None, 1 + rest.find("*/").map_or(rest.len(), |end| end + 2)),
            (b'@' | b'%', Some(b'"')) => {
                let length = quoted();
                let name = canonical_quoted_name(rest[1..length].trim_end_matches('"'));
                let table = if bytes[0] == b'@' { &self.globals } else { &self.types };
                (table.get(&*name).copied(), 1 + length)
            }
            (b'@', _) => {
                let length = name(b"");
                (self.globals.get(&rest[..length]).copied(), 1 + length)
            }
            (b'%', _) => {
                let length = name(b"");
                (self.types.get(&rest[..length]).copied(), 1 + length)
            }
            (b'#' | b'!', Some(b'0'..=b'9')) => {
                let length = rest.bytes().take_while(u8::is_ascii_digit).count();
                let table = if bytes[0] == b'#' { &self.groups } else { &self.nodes };
                (rest[..length].parse().ok().and_then(|n: u64| table.get(&n)).copied(), 1 + length)
            }
            _ => (None, 1),
        }
    }
}

/// The state of one extraction.
struct Extract<'m, 'p> {
    printer: Printer<'p>,
    module: &'m Module,
    locals: Locals,
    items: Vec<TopLevel>,
    /// The range of each extracted item in the text.
    places: Vec<Option<Range<usize>>>,
    /// The worklist of referenced items.
    waiting: Vec<usize>,
}

impl Extract<'_, '_> {
    /// Prints the items on the worklist and everything that they refer to. Returns the ranges of metadata nodes without
    /// a number of their own.
    fn run(&mut self, index: &Index<'_>) -> Vec<Range<usize>> {
        let (mut new_nodes, mut done) = (Vec::new(), 0);
        loop {
            while let Some(at) = self.waiting.pop() {
                if self.places[at].is_none() {
                    let start = self.printer.out.len();
                    self.print(at);
                    self.scan(index, start);
                    self.places[at] = Some(start..self.printer.out.len());
                }
            }
            let Some(&node) = self.printer.md.pending.get(done) else { return new_nodes };
            done += 1;
            let start = self.printer.out.len();
            self.printer.md_definition(node);
            self.scan(index, start);
            new_nodes.push(start..self.printer.out.len());
        }
    }

    fn print(&mut self, at: usize) {
        let item = self.items[at].clone();
        match (&item, self.locals) {
            (TopLevel::Func(id), Locals::Numbered) => match self.module.code.get(*id) {
                Some(Code::Body(body)) => {
                    let body = Code::Body(Box::new(body.without_names()));
                    self.printer.function(*id, Some(&body));
                }
                code => self.printer.function(*id, code),
            },
            _ => self.printer.item(self.module, &item),
        }
    }

    /// Adds the references in the text from `start` on to the worklist.
    fn scan(&mut self, index: &Index<'_>, start: usize) {
        let text = &self.printer.out[start..];
        let mut at = 0;
        while let Some(next) = text[at..].find(['"', '@', '%', '#', '!', ';', '/']) {
            at += next;
            let (found, length) = index.token(&text[at..]);
            self.waiting.extend(found);
            at += length;
        }
    }
}
