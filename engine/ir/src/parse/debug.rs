//! Parses debug records in both spellings: `#dbg_value(…)`, and calls of `@llvm.dbg.*`, which are converted to records
//! as in LLVM. A record is text around the values that it refers to. Records are held back until the next non-phi
//! instruction, so that phis remain at the start of their block.

use super::body::FnState;
use super::cursor::Parser;
use super::error::{PResult, Warning};
use super::lexer::Tok;
use super::spans::Span;
use crate::editor::{Editor, Position};
use crate::entity::{Block, EntityId};
use crate::inst::{DebugRecord, InstData, InstKind, Value};
use crate::intrinsic::Intrinsic;
use crate::types::Type;

/// A record that is being parsed.
#[derive(Default)]
struct Pieces {
    done: Vec<Box<str>>,
    open: String,
    operands: Vec<Value>,
    /// Whether there was a nonzero offset, as written by LLVM 5 and older; LLVM drops such a call.
    offset: bool,
}

impl Pieces {
    fn operand(&mut self, value: Value) {
        self.done.push(std::mem::take(&mut self.open).into());
        self.operands.push(value);
    }
    fn finish(mut self) -> InstData {
        self.done.push(self.open.into());
        let kind = InstKind::DebugRecord(Box::new(DebugRecord { pieces: self.done.into() }));
        InstData::new(kind, Type::VOID, self.operands, [])
    }
}

impl<'s> Parser<'s> {
    /// Parses `#dbg_value(…)` and the like.
    pub(crate) fn debug_record(&mut self, f: &mut FnState) -> PResult<()> {
        let start = self.span;
        self.bump()?;
        let known = ["dbg_value", "dbg_declare", "dbg_assign", "dbg_label", "dbg_declare_value"];
        let Tok::Word(word) = self.tok else {
            return Err(self.expected("a debug record such as '#dbg_value'"));
        };
        if !known.contains(&word) {
            return Err(self.expected("a debug record such as '#dbg_value'"));
        }
        self.bump()?;
        let mut pieces = Pieces { open: format!("#{word}("), ..Pieces::default() };
        self.debug_args(f, &mut pieces, false)?;
        pieces.open.push(')');
        self.put_record(f, pieces, start);
        Ok(())
    }
    fn put_record(&mut self, f: &mut FnState, pieces: Pieces, start: Span) {
        let span = self.since(start);
        f.records.push((pieces.finish(), span));
    }
    /// Appends the held-back records to `block`.
    pub(crate) fn flush_records(&mut self, f: &mut FnState, block: Block) {
        for (data, span) in std::mem::take(&mut f.records) {
            let inst = Editor::new(&mut f.body).insert(Position::End(block), data);
            f.set_inst_span(inst.index(), span);
        }
    }

    /// Parses the arguments of a call of a debug intrinsic and its attachments, and creates the record.
    pub(crate) fn debug_call(&mut self, f: &mut FnState, intrinsic: Intrinsic, start: Span) -> PResult<()> {
        let name = intrinsic.name().replace('.', "_");
        let mut pieces = Pieces { open: format!("#{name}("), ..Pieces::default() };
        self.debug_args(f, &mut pieces, true)?;
        self.attributes(super::attributes::AttrPlace::Function)?;
        let mut location = None;
        while self.eat(b',')? {
            let Tok::MdName(kind) = self.tok else { return Err(self.expected("metadata such as !dbg")) };
            self.bump()?;
            let span = self.span;
            self.node_ref()?;
            if kind == "dbg" {
                location = Some(self.text(self.since(span)));
            }
        }
        match location.filter(|_| !pieces.offset) {
            Some(location) => {
                pieces.open.push_str(", ");
                pieces.open.push_str(&location);
                pieces.open.push(')');
                self.put_record(f, pieces, start);
            }
            None => {
                let feature = "a debug intrinsic without a location, or with an offset (dropped)".into();
                self.warnings.push(Warning { span: self.since(start), feature });
            }
        }
        Ok(())
    }

    /// Parses `( argument, … )`. In a `call`, the word `metadata` precedes each argument and is dropped.
    fn debug_args(&mut self, f: &mut FnState, pieces: &mut Pieces, call: bool) -> PResult<()> {
        self.expect(b'(')?;
        if self.eat(b')')? {
            return Ok(());
        }
        let mut first = true;
        loop {
            if call && !self.eat_word("metadata")? {
                self.old_offset(f, pieces)?;
            } else {
                if !first {
                    pieces.open.push_str(", ");
                }
                let at = pieces.open.len();
                self.debug_arg(f, pieces)?;
                let is_tuple = pieces.open.get(at..).is_some_and(|text| text.starts_with("!{"));
                if call && first && pieces.operands.is_empty() && is_tuple {
                    // An operand that is neither a value nor a list of values is not a location; LLVM uses the empty
                    // location.
                    pieces.open.replace_range(at.., "!{}");
                }
            }
            first = false;
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')
    }
    /// Parses the offset that `llvm.dbg.value` had in old versions.
    fn old_offset(&mut self, f: &mut FnState, pieces: &mut Pieces) -> PResult<()> {
        if !self.at_word("i64") {
            return Err(self.expected("'metadata'"));
        }
        let value = self.typed_value(f)?;
        pieces.offset |= !f.body.as_int(value).is_some_and(crate::int::Int::is_zero);
        Ok(())
    }
    fn debug_arg(&mut self, f: &mut FnState, pieces: &mut Pieces) -> PResult<()> {
        let start = self.span;
        match self.tok {
            Tok::MdName("DIArgList") => {
                self.bump()?;
                pieces.open.push_str("!DIArgList(");
                self.expect(b'(')?;
                if !self.at(b')') {
                    loop {
                        let value = self.typed_value(f)?;
                        pieces.operand(value);
                        if !self.eat(b',')? {
                            break;
                        }
                        pieces.open.push_str(", ");
                    }
                }
                self.expect(b')')?;
                pieces.open.push(')');
            }
            Tok::MdName(_) => {
                self.bump()?;
                self.skip_noting_nodes()?;
                pieces.open.push_str(&self.text(self.since(start)));
            }
            Tok::Bang => {
                self.bump()?;
                if matches!(self.tok, Tok::Int(_)) {
                    let number = self.number_u32("the number of a metadata node")?;
                    self.md_mention(number, self.since(start));
                } else if self.at(b'{') {
                    self.skip_noting_nodes()?;
                } else {
                    return Err(self.expected("a metadata node"));
                }
                pieces.open.push_str(&self.text(self.since(start)));
            }
            _ => {
                let value = self.typed_value(f)?;
                pieces.operand(value);
            }
        }
        Ok(())
    }
}
