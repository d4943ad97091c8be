//! Resolves the names in a text of claims to the values, blocks and constants of one body.

use super::cursor::Cursor;
use super::error::TextError;
use backedge_ir::body::{Body, Local};
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{Block, Const};
use backedge_ir::inst::Value;
use backedge_ir::module::Env;
use backedge_ir::parse::canonical_spelling;
use backedge_ir::print::BodyPrinter;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The names of one body.
#[derive(Debug)]
pub(super) struct Names<'m> {
    pub(super) env: &'m Env,
    pub(super) body: &'m Body,
    numbered: FxHashMap<u32, Local>,
    constants: FxHashMap<Box<str>, SmallVec<[Const; 1]>>,
}

impl<'m> Names<'m> {
    pub(super) fn new(env: &'m Env, body: &'m Body) -> Self {
        let printer = BodyPrinter::new(env, body);
        let slots = printer.slots();
        let mut numbered = FxHashMap::default();
        numbered.extend(slots.args.iter().filter_map(|(a, n)| Some(((*n)?, Local::Arg(a)))));
        numbered.extend(slots.blocks.iter().filter_map(|(b, n)| Some(((*n)?, Local::Block(b)))));
        numbered.extend(slots.insts.iter().filter_map(|(i, n)| Some(((*n)?, Local::Inst(i)))));
        let mut constants: FxHashMap<Box<str>, SmallVec<[Const; 1]>> = FxHashMap::default();
        for (id, constant) in body.consts().iter() {
            let scalar = constant.ty.is_int() || constant.ty.is_ptr();
            if scalar && !matches!(constant.data, ConstData::Int(_)) {
                constants.entry(printer.operand(Value::Const(id)).into()).or_default().push(id);
            }
        }
        Self { env, body, numbered, constants }
    }
    /// The non-integer constants of the body with this spelling, one for each type.
    pub(super) fn constants(&self, spelling: &str) -> &[Const] {
        self.constants.get(spelling).map_or(&[], |c| c)
    }
    /// The block whose name is `raw`, as LLVM prints it without escaping.
    pub(super) fn block_of_raw(&self, raw: &[u8]) -> Option<Block> {
        self.body.block_named(&canonical_spelling(raw))
    }
    /// Parses `%name` as a value.
    pub(super) fn value(&self, cursor: &mut Cursor<'_>) -> Result<Value, TextError> {
        let before = *cursor;
        match self.local(cursor, "a value")? {
            Local::Arg(arg) => Ok(arg.into()),
            Local::Inst(inst) => Ok(inst.into()),
            Local::Block(_) => Err(before.error("a value")),
        }
    }
    /// Parses `%name` as a block.
    pub(super) fn block(&self, cursor: &mut Cursor<'_>) -> Result<Block, TextError> {
        let before = *cursor;
        match self.local(cursor, "a block")? {
            Local::Block(block) => Ok(block),
            Local::Arg(_) | Local::Inst(_) => Err(before.error("a block")),
        }
    }
    fn local(&self, cursor: &mut Cursor<'_>, expected: &str) -> Result<Local, TextError> {
        let before = *cursor;
        let unknown = || before.error(format!("{expected} of the function"));
        if !cursor.eat("%") {
            return Err(before.error(expected));
        }
        let name = spelled_name(cursor)?;
        if !name.quoted && !name.text.is_empty() && name.text.bytes().all(|b| b.is_ascii_digit()) {
            let number = name.text.parse::<u32>().ok().and_then(|n| self.numbered.get(&n).copied());
            return number.ok_or_else(unknown);
        }
        self.body.local(&name.text).ok_or_else(unknown)
    }
    /// Parses `@name` as a global.
    pub(super) fn global(&self, cursor: &mut Cursor<'_>) -> Result<GlobalRef, TextError> {
        let before = *cursor;
        global_name(cursor).and_then(|name| {
            self.env.symbols.get(&*name).copied().ok_or_else(|| before.error("a global of the module"))
        })
    }
}

/// The name after a sigil, in canonical spelling.
struct Name {
    text: String,
    quoted: bool,
}

fn spelled_name(cursor: &mut Cursor<'_>) -> Result<Name, TextError> {
    let before = *cursor;
    if cursor.eat("\"") {
        let inner = cursor.take_while(|b| b != b'"');
        let text = String::from_utf8_lossy(inner).replace("\\\\", "\\5C");
        cursor.expect("\"")?;
        return Ok(Name { text, quoted: true });
    }
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'$');
    let text = String::from_utf8_lossy(cursor.take_while(plain)).into_owned();
    if text.is_empty() { Err(before.error("a name")) } else { Ok(Name { text, quoted: false }) }
}

/// Parses `@name` into the canonical spelling of the module's symbols.
pub(super) fn global_name(cursor: &mut Cursor<'_>) -> Result<String, TextError> {
    cursor.expect("@")?;
    let Name { text, quoted } = spelled_name(cursor)?;
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if quoted && digits {
        // An unquoted number names an unnamed global; a quoted name of digits has its first digit escaped.
        return Ok(format!("\\{:02X}{}", text.as_bytes()[0], &text[1..]));
    }
    Ok(text)
}
