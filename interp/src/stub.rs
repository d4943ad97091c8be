//! Stubs: code in place of functions that a module only declares, so that calls of them run in place of being asked of
//! the chooser. A stub is a value that is returned, in LLVM's spelling (`7`, `1.5`, `null`, `poison`, `void`), or a
//! definition out of a module of stubs.
//!
//! Both work on the text: a value makes a definition out of the declaration, which keeps its attributes; a module of
//! stubs is put behind the text, its definitions in place of declarations of the same name and type. Its attribute
//! groups and metadata get numbers of their own. What is stubbed is an ordinary call from then on: no event, and memory
//! changes only as the stub says. A stub that breaks what its header promises is undefined behaviour where it does so.

use backedge_ir::constant::GlobalRef;
use backedge_ir::entity::FuncId;
use backedge_ir::int::Int;
use backedge_ir::module::{Code, Module, TopLevel};
use backedge_ir::parse::{Diagnostic, Parsed, canonical_spelling, read_module};
use backedge_ir::print::type_to_string;
use backedge_ir::types::Type;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;

/// `NAME=VALUE`: calls of a declared function return a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueStub {
    /// The name of the function, without `@`.
    pub name: String,
    /// The constant in LLVM's spelling, without its type; `void` for functions without a result.
    pub value: String,
}

impl FromStr for ValueStub {
    type Err = StubError;
    fn from_str(text: &str) -> Result<Self, StubError> {
        let malformed = || StubError::Malformed(text.to_owned());
        let (name, value) = text.split_once('=').ok_or_else(malformed)?;
        let (name, value) = (name.trim(), value.trim());
        let name = name.strip_prefix('@').unwrap_or(name);
        // A constant has no line of its own, nor can it end the body.
        if name.is_empty() || value.is_empty() || value.contains(['\n', ';']) {
            return Err(malformed());
        }
        Ok(Self { name: name.to_owned(), value: value.to_owned() })
    }
}

/// Why stubs do not fit a module.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StubError {
    /// Text that is no value stub.
    #[error("`{0}` is no stub: NAME=VALUE is wanted, such as getchar=65, with a constant as LLVM spells it")]
    Malformed(String),
    /// The module has no such function.
    #[error("the module declares no function `@{0}`")]
    Unknown(String),
    /// The function has code already.
    #[error("`@{0}` is defined in the module: stubs are for declarations")]
    Defined(String),
    /// An intrinsic has a meaning of its own.
    #[error("`@{0}` is an intrinsic: its meaning is known")]
    Intrinsic(String),
    /// An integer that the type does not have.
    #[error("`@{name}` can't return `{value}`: {values}; its low bits by themselves are {cut}")]
    Range {
        /// The function.
        name: String,
        /// The value.
        value: String,
        /// Which values the type has.
        values: String,
        /// What is left of the value in that type.
        cut: String,
    },
    /// The value does not fit.
    #[error("`@{name}` can't return `{value}`: {why}")]
    Value {
        /// The function.
        name: String,
        /// The value.
        value: String,
        /// What the reader says.
        why: String,
    },
    /// The module of stubs, or the module itself, is wrong.
    #[error("{of} is wrong: line {line}: {message}")]
    Wrong {
        /// Which text.
        of: &'static str,
        /// The line in it, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// Something in the module of stubs that can't be run.
    #[error("the stub `@{name}` uses what is not modelled: {feature}")]
    NotModelled {
        /// The stub.
        name: String,
        /// The feature.
        feature: String,
    },
    /// The types differ.
    #[error("`@{name}` is {module} in the module and {stub} among the stubs")]
    Types {
        /// The name.
        name: String,
        /// In the module.
        module: String,
        /// Among the stubs.
        stub: String,
    },
    /// Other data layouts give other code.
    #[error("the stubs have another data layout than the module")]
    DataLayout,
    /// No stub stands for anything that the module declares.
    #[error("none of the stubs has the name of a function or variable that the module declares")]
    Unused,
}

fn wrong(of: &'static str, source: &[u8], found: &[Diagnostic]) -> StubError {
    let first = found.first();
    let at = first.map_or(0, |d| d.span.start as usize).min(source.len());
    let line = 1 + source[..at].iter().filter(|b| **b == b'\n').count();
    StubError::Wrong { of, line, message: first.map(|d| d.message.clone()).unwrap_or_default() }
}

fn read(of: &'static str, source: &[u8]) -> Result<Parsed, StubError> {
    read_module(source).map_err(|found| wrong(of, source, &found))
}

/// The module of `source` in which declared functions return constants.
pub fn with_values(source: &[u8], stubs: &[ValueStub]) -> Result<Vec<u8>, StubError> {
    let mut text = source.to_vec();
    for stub in stubs {
        let parsed = read("the module", &text)?;
        text = with_value(&text, &parsed, stub)?;
    }
    Ok(text)
}

fn with_value(source: &[u8], parsed: &Parsed, stub: &ValueStub) -> Result<Vec<u8>, StubError> {
    let module = &parsed.module;
    let name = || stub.name.clone();
    let func = declared(module, &stub.name).ok_or_else(|| StubError::Unknown(name()))?;
    check_stubbed(module, func, &name())?;
    let (ret, _, _) =
        module.env.types.signature(module.env.funcs[func].ty).ok_or_else(|| StubError::Unknown(name()))?;
    check_range(stub, module, ret)?;
    let span = parsed.spans.func(func).range();
    let header = source.get(span.clone()).and_then(|t| t.strip_prefix(b"declare")).unwrap_or_default();
    let ret = type_to_string(&module.env.types, ret);
    let returned =
        if stub.value == "void" { "ret void".to_owned() } else { format!("ret {ret} {}", stub.value) };
    let definition = [b"define", header, format!(" {{\n  {returned}\n}}").as_bytes()].concat();
    let text = [&source[..span.start], &definition, &source[span.end..]].concat();
    match read_module(&text) {
        Ok(_) => Ok(text),
        Err(found) => {
            let why = found.first().map(|d| d.message.clone()).unwrap_or_default();
            Err(StubError::Value { name: name(), value: stub.value.clone(), why })
        }
    }
}

/// Integers are cut to their type by readers of LLVM's text: here that is no value that was meant.
fn check_range(stub: &ValueStub, module: &Module, ret: Type) -> Result<(), StubError> {
    let Some(width) = ret.int_bits().filter(|w| *w <= Type::MAX_INT_BITS) else { return Ok(()) };
    let (negative, digits) = match stub.value.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, &*stub.value),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(());
    }
    // The value modulo 2^128, and whether it is that.
    let cut = digits.bytes().fold((0u128, true), |(value, exact), digit| {
        let next = value.checked_mul(10).and_then(|v| v.checked_add(u128::from(digit - b'0')));
        let wrapped = value.wrapping_mul(10).wrapping_add(u128::from(digit - b'0'));
        (wrapped, exact && next.is_some())
    });
    let (low, high) = (Int::signed_min(width), Int::unsigned_max(width));
    let fits = cut.1 && if negative { cut.0 <= low.bits() } else { cut.0 <= high.bits() };
    if fits {
        return Ok(());
    }
    let ty = type_to_string(&module.env.types, ret);
    let bits = if negative { cut.0.wrapping_neg() } else { cut.0 };
    Err(StubError::Range {
        name: stub.name.clone(),
        value: stub.value.clone(),
        values: format!("{ty} has the values {} to {}", low.signed(), high.bits()),
        cut: (bits & high.bits()).to_string(),
    })
}

/// The function called `name`, as spelled in the text or as it reads there.
fn declared(module: &Module, name: &str) -> Option<FuncId> {
    module.env.func_named(name).or_else(|| module.env.func_named(&canonical_spelling(name.as_bytes())))
}

fn check_stubbed(module: &Module, func: FuncId, name: &str) -> Result<(), StubError> {
    if name.starts_with("llvm.") {
        return Err(StubError::Intrinsic(name.to_owned()));
    }
    if !matches!(module.code[func], Code::Declaration) {
        return Err(StubError::Defined(name.to_owned()));
    }
    Ok(())
}

/// The text of the module of `source` with the definitions of `stubs` in place of its declarations.
pub fn with_module(source: &[u8], stubs: &[u8]) -> Result<Vec<u8>, StubError> {
    let (main, stub) = (read("the module", source)?, read("the module of stubs", stubs)?);
    let (mut from_main, mut from_stubs) = (Vec::new(), Vec::new());
    let mut used = false;
    for item in &stub.module.env.order {
        match item {
            TopLevel::Func(id) => {
                let (name, ty) = (&stub.module.env.funcs[*id].name, stub.module.env.funcs[*id].ty);
                let span = stub.spans.func(*id).range();
                let ours = match main.module.env.symbols.get(name) {
                    None => continue,
                    Some(GlobalRef::Func(ours)) => *ours,
                    Some(GlobalRef::Var(_) | GlobalRef::Alias(_)) => {
                        return Err(StubError::Defined(name.to_string()));
                    }
                };
                let in_main = type_to_string(&main.module.env.types, main.module.env.funcs[ours].ty);
                let in_stubs = type_to_string(&stub.module.env.types, ty);
                if in_main != in_stubs {
                    let name = name.to_string();
                    return Err(StubError::Types { name, module: in_main, stub: in_stubs });
                }
                match &stub.module.code[*id] {
                    Code::Declaration => from_stubs.push(span),
                    Code::Opaque(code) => {
                        let feature = code.feature.to_string();
                        return Err(StubError::NotModelled { name: name.to_string(), feature });
                    }
                    Code::Body(_) => {
                        check_stubbed(&main.module, ours, name)?;
                        from_main.push(main.spans.func(ours).range());
                        used = true;
                    }
                }
            }
            TopLevel::Var(id) | TopLevel::CarriedVar(id, _) => {
                let var = &stub.module.env.vars[*id];
                let span = stub.spans.global(*id).range();
                match main.module.env.symbols.get(&var.name) {
                    None => {}
                    Some(GlobalRef::Var(_)) if var.init.is_none() => from_stubs.push(span),
                    Some(GlobalRef::Var(ours)) if main.module.env.vars[*ours].init.is_none() => {
                        from_main.push(main.spans.global(*ours).range());
                        used = true;
                    }
                    Some(_) => return Err(StubError::Defined(var.name.to_string())),
                }
            }
            TopLevel::Text(text) if text.starts_with("target") || text.starts_with("source_filename") => {
                let same = stub.module.env.layout == main.module.env.layout;
                if text.contains("datalayout") && !same {
                    return Err(StubError::DataLayout);
                }
                let at = stubs.windows(text.len()).position(|w| w == text.as_bytes());
                from_stubs.extend(at.map(|at| at..at + text.len()));
            }
            TopLevel::Text(_)
            | TopLevel::TypeDef(_)
            | TopLevel::Alias(_)
            | TopLevel::AttrGroup(_)
            | TopLevel::Metadata(_)
            | TopLevel::NamedMetadata(_) => {}
        }
    }
    if !used {
        return Err(StubError::Unused);
    }
    let mut joined = without(source, from_main);
    let free = 1 + largest_number(&joined);
    joined.push(b'\n');
    joined.extend(renumbered(&without(stubs, from_stubs), free));
    read("the module with its stubs", &joined)?;
    Ok(joined)
}

/// The text but for some parts of it.
fn without(text: &[u8], mut parts: Vec<Range<usize>>) -> Vec<u8> {
    parts.sort_by_key(|p| p.start);
    let mut kept = Vec::with_capacity(text.len());
    let mut from = 0;
    for part in parts {
        kept.extend_from_slice(text.get(from..part.start).unwrap_or_default());
        from = part.end.max(from);
    }
    kept.extend_from_slice(text.get(from..).unwrap_or_default());
    kept
}

/// The numbers of attribute groups and metadata in the text (`#7`, `!7`): where their digits stand. Strings and comments
/// are passed over.
fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = |from: usize, end: u8| {
            text[from..].iter().position(|b| *b == end).map_or(text.len(), |n| from + n)
        };
        match text[at] {
            b'"' => at = rest(at + 1, b'"') + 1,
            b';' => at = rest(at, b'\n'),
            b'#' | b'!' => {
                let digits = text[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
                if digits > 0 {
                    found.push(at + 1..at + 1 + digits);
                }
                at += 1 + digits;
            }
            _ => at += 1,
        }
    }
    found
}

fn number(text: &[u8], digits: &Range<usize>) -> u64 {
    std::str::from_utf8(&text[digits.clone()]).ok().and_then(|d| d.parse().ok()).unwrap_or(0)
}

/// The largest number of an attribute group or of metadata in the text; 0 if there is none.
pub fn largest_number(text: &[u8]) -> u64 {
    numbers(text).iter().map(|d| number(text, d)).max().unwrap_or(0)
}

/// The text with all numbers of attribute groups and metadata raised by `by`.
pub fn renumbered(text: &[u8], by: u64) -> Vec<u8> {
    let (mut out, mut from) = (Vec::with_capacity(text.len() + 64), 0);
    for digits in numbers(text) {
        out.extend_from_slice(&text[from..digits.start]);
        out.extend_from_slice(number(text, &digits).saturating_add(by).to_string().as_bytes());
        from = digits.end;
    }
    out.extend_from_slice(&text[from..]);
    out
}
