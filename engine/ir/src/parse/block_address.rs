//! `blockaddress(@f, %block)`: the block may be defined after the address, in the same function or in another.
//!
//! While constants are parsed, addresses are recorded by name. After all bodies are parsed, the names are resolved and
//! the blocks are pinned, so that they keep their positions and names. This includes addresses in text that is kept
//! verbatim. An unnamed block might be renumbered, so a function with a `blockaddress` of an unnamed block is kept as
//! text.

use super::cursor::Parser;
use super::error::{PResult, ParseError, ParseErrorKind, Warning, invalid, unmodelled};
use super::lexer::Tok;
use super::names;
use super::spans::Span;
use crate::body::Local;
use crate::constant::{ConstData, GlobalRef};
use crate::editor::Editor;
use crate::entity::{BlockAddressId, FuncId};
use crate::module::{BlockAddress, Code};
use crate::types::Type;
use std::sync::Arc;

impl Parser<'_> {
    /// Parses a block address as a constant of type `ty`.
    pub(crate) fn block_address(&mut self, ty: Type) -> PResult<ConstData> {
        let span = self.span;
        let (func, id) = self.note_block_address()?;
        let span = self.since(span);
        let found = self.env.address_type(GlobalRef::Func(func));
        if found != ty {
            return Err(self.mismatch(span, ty, found).into());
        }
        id.map(ConstData::BlockAddress)
            .ok_or_else(|| unmodelled(span, "blockaddress of a block without a name"))
    }

    /// Parses a block address and records the block; `None` if it is unnamed.
    fn note_block_address(&mut self) -> PResult<(FuncId, Option<BlockAddressId>)> {
        self.expect_word("blockaddress")?;
        self.expect(b'(')?;
        let name_span = self.span;
        let GlobalRef::Func(func) = self.global_ref()? else {
            return Err(invalid(name_span, "the name of a function is wanted: other globals have no blocks"));
        };
        self.expect(b',')?;
        let span = self.span;
        let label: Option<Arc<str>> = match self.tok {
            Tok::LocalName(name) => Some(names::canonical(name).into()),
            Tok::LocalId(_) => None,
            _ => return Err(self.expected("a block")),
        };
        self.bump()?;
        self.expect(b')')?;
        let Some(label) = label else {
            self.block_addresses.unnamed.push((func, span));
            return Ok((func, None));
        };
        let address = BlockAddress { func, label };
        if let Some(id) = self.block_addresses.ids.get(&address) {
            return Ok((func, Some(*id)));
        }
        let id = self.env.block_addresses.push(address.clone());
        self.block_addresses.ids.insert(address, id);
        self.block_addresses.spans.push(span);
        Ok((func, Some(id)))
    }

    /// Records the block address at this position in text that is kept verbatim; skips malformed ones.
    pub(crate) fn note_carried_address(&mut self) -> PResult<()> {
        let at = self.span.start as usize;
        if self.note_block_address().is_err() {
            self.jump(at)?;
            self.bump()?;
        }
        Ok(())
    }
    /// Records the block addresses in a part of the source that is kept verbatim. The current token is preserved.
    pub(crate) fn note_carried_addresses(&mut self, part: Span) -> PResult<()> {
        let bytes = self.lex.source.get(part.range()).unwrap_or_default();
        let (back, mut from) = (self.span.start as usize, 0);
        let mut found = false;
        while let Some(at) = memchr::memmem::find(&bytes[from..], b"blockaddress") {
            found = true;
            self.jump(part.start as usize + from + at)?;
            if self.tok == Tok::Word("blockaddress") {
                // Matches in a string or in a longer word are ignored.
                drop(self.note_block_address());
            }
            from += at + 1;
        }
        if found { self.jump(back) } else { Ok(()) }
    }

    /// Resolves the blocks whose addresses are taken, and pins them.
    pub(crate) fn resolve_block_addresses(&mut self) -> PResult<()> {
        for (func, span) in std::mem::take(&mut self.block_addresses.unnamed) {
            if matches!(self.code[func], Code::Body(_)) {
                let feature = "blockaddress of a block without a name".into();
                self.make_opaque(func, Warning { span, feature });
            }
        }
        for (id, address) in self.env.block_addresses.iter() {
            let span = self.block_addresses.spans[id];
            match &mut self.code[address.func] {
                Code::Opaque(_) => {}
                Code::Declaration => {
                    return Err(invalid(span, "this function is only declared: it has no blocks here"));
                }
                Code::Body(body) => match body.local(&address.label) {
                    Some(Local::Block(block)) => Editor::new(body).pin_block(block),
                    Some(Local::Arg(_) | Local::Inst(_)) | None => {
                        let mut name = String::from("%");
                        crate::print::write_local_name(&mut name, &address.label);
                        let kind = ParseErrorKind::Undefined { what: "block", name: name.into() };
                        let label = "no block of the function has this name";
                        return Err(ParseError::new(span, kind, label).into());
                    }
                },
            }
        }
        Ok(())
    }
}
