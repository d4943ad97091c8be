//! Stubs: code for functions that a module only declares, so that calls to them run instead of asking the chooser. A
//! stub is a returned constant in LLVM syntax (`7`, `1.5`, `null`, `poison`, `void`), or a definition from a module
//! of stubs.
//!
//! Both transform the text. A value turns the declaration into a definition, which keeps its attributes. A module of
//! stubs is appended to the text, and its definitions replace declarations of the same name and type; its attribute
//! groups and metadata are renumbered. A call to a stubbed function is an ordinary call: it is not an event, and
//! memory changes only as the stub specifies. A stub that violates its header's attributes has UB at that point.

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
    /// The constant in LLVM syntax, without its type; `void` for functions without a result.
    pub value: String,
}

impl FromStr for ValueStub {
    type Err = StubError;
    fn from_str(text: &str) -> Result<Self, StubError> {
        let malformed = || StubError::Malformed(text.to_owned());
        let (name, value) = text.split_once('=').ok_or_else(malformed)?;
        let (name, value) = (name.trim(), value.trim());
        let name = name.strip_prefix('@').unwrap_or(name);
        // A constant must not contain a newline or a comment, which could end the body.
        if name.is_empty() || value.is_empty() || value.contains(['\n', ';']) {
            return Err(malformed());
        }
        Ok(Self { name: name.to_owned(), value: value.to_owned() })
    }
}

/// Why stubs do not fit a module.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StubError {
    /// Text that is not a value stub.
    #[error("`{0}` is no stub: NAME=VALUE is wanted, such as getchar=65, with a constant as LLVM spells it")]
    Malformed(String),
    /// The module has no such function.
    #[error("the module declares no function `@{0}`")]
    Unknown(String),
    /// The function already has code.
    #[error("`@{0}` is defined in the module: stubs are for declarations")]
    Defined(String),
    /// Intrinsics have fixed semantics.
    #[error("`@{0}` is an intrinsic: its meaning is known")]
    Intrinsic(String),
    /// An integer out of the type's range.
    #[error("`@{name}` can't return `{value}`: {values}; its low bits by themselves are {cut}")]
    Range {
        /// The function.
        name: String,
        /// The value.
        value: String,
        /// The values that the type has.
        values: String,
        /// The value truncated to the type.
        cut: String,
    },
    /// The value does not fit.
    #[error("`@{name}` can't return `{value}`: {why}")]
    Value {
        /// The function.
        name: String,
        /// The value.
        value: String,
        /// The parser's message.
        why: String,
    },
    /// The module of stubs, or the module itself, is invalid.
    #[error("{of} is wrong: line {line}: {message}")]
    Wrong {
        /// The invalid text.
        of: &'static str,
        /// The line, from 1.
        line: usize,
        /// The problem.
        message: String,
    },
    /// A feature of the module of stubs that is not modelled.
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
        /// The type in the module.
        module: String,
        /// The type among the stubs.
        stub: String,
    },
    /// Different data layouts give different code.
    #[error("the stubs have another data layout than the module")]
    DataLayout,
    /// No stub matches a declaration of the module.
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

/// The text of the module with declared functions replaced by ones that return constants.
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

/// Checks an integer's range. LLVM's parser would truncate it to the type, which is not the intended value.
fn check_range(stub: &ValueStub, module: &Module, ret: Type) -> Result<(), StubError> {
    let Some(width) = ret.int_bits().filter(|w| *w <= Type::MAX_INT_BITS) else { return Ok(()) };
    let (negative, digits) = match stub.value.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, &*stub.value),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(());
    }
    // The value modulo 2^128, and whether that is exact.
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

/// The function named `name`, in the spelling of the text or in canonical spelling.
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

/// The text of the module with its declarations replaced by the definitions in `stubs`.
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

/// The text without the given parts.
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

/// Ranges of the digits of attribute-group and metadata numbers (`#7`, `!7`). Skips strings and comments.
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

/// The text with all numbers of attribute groups and metadata increased by `by`.
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
