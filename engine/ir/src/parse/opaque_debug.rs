//! Converts calls of debug intrinsics to records in the text of a function that is not modelled. A module holds debug
//! info either as such calls or as records, never as both; modelled functions get records, so the opaque text must,
//! too.
//!
//! `call void @llvm.dbg.value(metadata i32 %x, metadata !1, metadata !DIExpression()), !dbg !2` becomes `#dbg_value(i32
//! %x, !1, !DIExpression(), !2)`. A call without a location, or in the old form with an offset, is dropped, as LLVM
//! does. All other text is unchanged. Linear in the text.

use super::lexer::{Lexer, Tok};
use super::names;
use super::spans::Span;
use crate::intrinsic::Intrinsic;
use std::borrow::Cow;

/// The text of `span`, to be kept verbatim, with records in place of debug calls.
pub(crate) fn with_records(source: &[u8], span: Span) -> Cow<'_, str> {
    let text = &source[span.range()];
    if memchr::memmem::find(text, b"llvm.dbg.").is_none() {
        return names::carried(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut lex = Lexer::new(text);
    let (mut copied, mut head) = (0, None);
    while let Ok((tok, at)) = lex.next() {
        match tok {
            Tok::Eof => break,
            Tok::Word("tail" | "musttail" | "notail") => {
                head.get_or_insert(at.start as usize);
            }
            Tok::Word("call") => {
                let start = head.take().unwrap_or(at.start as usize);
                if let Some((record, end)) = record_of_call(text, lex.clone()) {
                    out.push_str(&names::carried(&text[copied..start]));
                    out.push_str(&record);
                    copied = end;
                    lex.pos = end;
                }
            }
            _ => head = None,
        }
    }
    out.push_str(&names::carried(&text[copied..]));
    out.into()
}

/// The record for the call whose callee is next, and the end of the call; the record is empty if the call is dropped.
/// `None` if it is not a call of a debug intrinsic.
fn record_of_call(text: &[u8], mut lex: Lexer<'_>) -> Option<(String, usize)> {
    let Tok::Word("void") = lex.next().ok()?.0 else { return None };
    let Tok::GlobalName(name) = lex.next().ok()?.0 else { return None };
    let name = std::str::from_utf8(name.text).ok()?;
    let intrinsic = Intrinsic::from_function_name(name).filter(|i| i.is_debug())?;
    let (Tok::Punct(b'('), open) = lex.next().ok()? else { return None };
    let mut arguments = String::new();
    let (mut depth, mut from, mut whole) = (1u32, open.end as usize, true);
    let mut first = true;
    while depth > 0 {
        let (tok, at) = lex.next().ok()?;
        match tok {
            Tok::Punct(b'(' | b'{') => depth += 1,
            Tok::Punct(b')' | b'}') => depth -= 1,
            Tok::Eof => return None,
            Tok::Word("metadata") if depth == 1 => {
                arguments.push_str(names::carried(&text[from..at.start as usize]).trim_start());
                from = at.end as usize;
            }
            // A non-metadata argument: the old offset.
            _ if depth == 1 && first => whole = false,
            _ => {}
        }
        first = depth == 1 && tok == Tok::Punct(b',');
        if depth == 0 {
            arguments.push_str(names::carried(&text[from..at.start as usize]).trim_start());
        }
    }
    let (location, end) = location(text, lex);
    let record = location
        .filter(|_| whole)
        .map(|location| format!("#{}({}, {location})", intrinsic.name().replace('.', "_"), arguments.trim()));
    Some((record.unwrap_or_default(), end))
}

/// The node of the `!dbg` attachment after the arguments of a call, and the end of the call.
fn location<'t>(text: &'t [u8], mut lex: Lexer<'t>) -> (Option<Cow<'t, str>>, usize) {
    let (mut location, mut end) = (None, lex.pos);
    loop {
        match lex.next() {
            Ok((Tok::AttrGroup(_), at)) => end = at.end as usize,
            Ok((Tok::Punct(b','), _)) => {
                let Ok((Tok::MdName(kind), _)) = lex.next() else { break };
                let Ok((Tok::Bang, bang)) = lex.next() else { break };
                let Ok((Tok::Int(_), number)) = lex.next() else { break };
                end = number.end as usize;
                if kind == "dbg" {
                    location = Some(names::carried(&text[bang.start as usize..end]));
                }
            }
            _ => break,
        }
    }
    (location, end)
}
