//! Parses attributes: words, numbers, types, strings, and `#n` groups. A word that LLVM does not know is an error.

use super::cursor::Parser;
use super::error::{PResult, ParseError, ParseErrorKind, invalid};
use super::lexer::Tok;
use super::spans::Span;
use crate::attr::{Attr, AttrList, FlagAttr, IntAttr, MemoryEffects, ModRef, TypeAttr};
use crate::int::Int;
use crate::types::Type;

/// The position of an attribute list; it determines the meaning of the old memory words and the permitted attributes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum AttrPlace {
    /// On a parameter, argument or result.
    Value,
    /// On a function or call.
    Function,
    /// In `attributes #n = { … }`.
    Group,
}

/// Attributes kept as spelled, and whether parentheses are required (otherwise they are optional).
const TEXT_ATTRS: [(&str, bool); 8] = [
    ("allocsize", true),
    ("vscale_range", true),
    ("allockind", true),
    ("captures", true),
    ("nofpclass", true),
    ("initializes", true),
    ("dead_on_return", false),
    ("uwtable", false),
];

impl<'s> Parser<'s> {
    /// Parses attributes up to the first token that is not an attribute.
    pub(crate) fn attributes(&mut self, place: AttrPlace) -> PResult<AttrList> {
        let mut list = AttrList::default();
        while self.attribute(place, &mut list)? {}
        Ok(list)
    }

    /// Parses one attribute; false if the next token is not an attribute.
    pub(crate) fn attribute(&mut self, place: AttrPlace, list: &mut AttrList) -> PResult<bool> {
        let attr = match self.tok {
            Tok::AttrGroup(id) if place == AttrPlace::Function => {
                self.bump()?;
                list.groups.push(id);
                return Ok(true);
            }
            Tok::Str(_) => {
                let key = self.string("an attribute")?.into();
                let value =
                    if self.eat(b'=')? { Some(self.string("the attribute's value")?.into()) } else { None };
                Attr::String(key, value)
            }
            Tok::Word(word) => return self.word_attribute(word, place, list),
            _ => return Ok(false),
        };
        list.own.push(attr);
        Ok(true)
    }

    fn word_attribute(&mut self, word: &'s str, place: AttrPlace, list: &mut AttrList) -> PResult<bool> {
        let on_value = place == AttrPlace::Value;
        if !on_value && let Some(effects) = old_memory_word(word) {
            self.bump()?;
            narrow_memory(list, effects);
            return Ok(true);
        }
        if let Some((_, brackets)) = TEXT_ATTRS.iter().find(|e| e.0 == word) {
            let attr = self.text_attribute(*brackets)?;
            list.own.push(attr);
            return Ok(true);
        }
        if let Some(flag) = FlagAttr::from_name(word) {
            self.bump()?;
            list.own.push(Attr::Flag(flag));
            return Ok(true);
        }
        let attr = match word {
            "nocapture" if on_value => {
                self.bump()?;
                Attr::NoCapture
            }
            "memory" if !on_value => {
                let effects = self.memory_effects()?;
                list.own.retain(|a| !matches!(a, Attr::Memory(_)));
                Attr::Memory(effects)
            }
            "range" => self.range_attribute()?,
            "align" if place == AttrPlace::Function => return Ok(false),
            "align" => self.int_attribute(IntAttr::Align, place)?,
            "alignstack" => self.int_attribute(IntAttr::AlignStack, place)?,
            "dereferenceable" => self.int_attribute(IntAttr::Dereferenceable, place)?,
            "dereferenceable_or_null" => self.int_attribute(IntAttr::DereferenceableOrNull, place)?,
            _ => match TypeAttr::ALL.iter().find(|t| t.name() == word) {
                Some(attr) => self.type_attribute(*attr)?,
                None => return Ok(false),
            },
        };
        list.own.push(attr);
        Ok(true)
    }

    fn text_attribute(&mut self, brackets: bool) -> PResult<Attr> {
        let start = self.span;
        self.bump()?;
        if brackets && !self.at(b'(') {
            return Err(self.expected("'('"));
        }
        if self.at(b'(') {
            self.skip_balanced("an attribute")?;
        }
        let span = self.since(start);
        let text = self.text(span);
        let compact: String = text.split_whitespace().collect();
        if compact == "captures(none)" { Ok(Attr::NoCapture) } else { Ok(Attr::Text(text.into())) }
    }
    fn int_attribute(&mut self, attr: IntAttr, place: AttrPlace) -> PResult<Attr> {
        self.bump()?;
        let span = self.span;
        let value = if place == AttrPlace::Group && self.eat(b'=')? || attr == IntAttr::Align {
            if attr == IntAttr::Align { self.alignment()? } else { self.number("a number of bytes")? }
        } else {
            self.expect(b'(')?;
            let value = self.number("a number of bytes")?;
            self.expect(b')')?;
            value
        };
        if attr == IntAttr::AlignStack && !value.is_power_of_two() {
            return Err(invalid(span, "an alignment is a power of two"));
        }
        if value == 0 {
            return Err(invalid(span, "a number of bytes above 0 is wanted"));
        }
        Ok(Attr::Int(attr, value))
    }
    fn type_attribute(&mut self, attr: TypeAttr) -> PResult<Attr> {
        self.bump()?;
        if !self.eat(b'(')? {
            return Ok(Attr::Type(attr, None));
        }
        let ty = self.value_type()?;
        self.expect(b')')?;
        Ok(Attr::Type(attr, Some(ty)))
    }
    /// Parses `range(type from, to)`.
    fn range_attribute(&mut self) -> PResult<Attr> {
        let start = self.span;
        self.bump()?;
        self.expect(b'(')?;
        let type_span = self.span;
        let ty = self.ty()?;
        let Some(bits) = ty.int_bits() else {
            return Err(self.bad_type(type_span, "ranges are of integers", ty));
        };
        if bits > Type::MAX_INT_BITS {
            while !self.at(b')') && self.tok != Tok::Eof {
                self.bump()?;
            }
            self.expect(b')')?;
            return Ok(Attr::Text(self.text(self.since(start)).into()));
        }
        let low = self.range_bound(ty, bits)?;
        self.expect(b',')?;
        let high = self.range_bound(ty, bits)?;
        self.expect(b')')?;
        let span = self.since(start);
        if low == high {
            return Err(invalid(span, "a range has bounds that differ"));
        }
        Ok(Attr::Range(low, high))
    }
    fn range_bound(&mut self, ty: Type, bits: u32) -> PResult<Int> {
        let Tok::Int(text) = self.tok else { return Err(self.expected("an integer")) };
        let value = Int::parse(bits, text);
        let value = value.map_err(|error| self.bad_constant(self.span, error.to_string(), ty))?;
        self.bump()?;
        Ok(value)
    }

    /// Parses `memory(…)`.
    fn memory_effects(&mut self) -> PResult<MemoryEffects> {
        self.bump()?;
        self.expect(b'(')?;
        let mut effects = MemoryEffects::all(ModRef::NONE);
        let mut first = true;
        loop {
            let span = self.span;
            match self.tok {
                Tok::Label(place) if !place.quoted => {
                    self.bump()?;
                    let Some(slot) = memory_slot(&mut effects, place.text) else {
                        return Err(unknown_attribute(span, &self.text(span)));
                    };
                    *slot = self.mod_ref()?;
                }
                Tok::Word(_) if first => effects = MemoryEffects::all(self.mod_ref()?),
                _ => return Err(self.expected("a kind of memory or of access")),
            }
            first = false;
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok(effects)
    }
    fn mod_ref(&mut self) -> PResult<ModRef> {
        let access = match self.tok {
            Tok::Word("none") => ModRef::NONE,
            Tok::Word("read") => ModRef::READ,
            Tok::Word("write") => ModRef::WRITE,
            Tok::Word("readwrite") => ModRef::READ_WRITE,
            _ => return Err(self.expected("'none', 'read', 'write' or 'readwrite'")),
        };
        self.bump()?;
        Ok(access)
    }

    /// Parses `attributes #n = { … }` after the word `attributes`; returns the number if the group is new.
    pub(crate) fn attribute_group(&mut self) -> PResult<Option<u32>> {
        let Tok::AttrGroup(id) = self.tok else { return Err(self.expected("the number of a group")) };
        self.bump()?;
        self.expect(b'=')?;
        self.expect(b'{')?;
        let list = self.attributes(AttrPlace::Group)?;
        if !self.at(b'}') {
            return Err(self.not_an_attribute("an attribute or '}'"));
        }
        self.bump()?;
        let fresh = !self.env.attr_groups.contains_key(&id);
        self.env.attr_groups.entry(id).or_default().extend(list.own);
        Ok(fresh.then_some(id))
    }
    /// The error for a token that is neither an attribute nor `expected`.
    pub(crate) fn not_an_attribute(&self, expected: &str) -> Box<super::error::Stop> {
        match self.tok {
            Tok::Word(word) => unknown_attribute(self.span, word),
            _ => self.expected(expected),
        }
    }
    /// Skips from the current opening bracket past its matching closing bracket, whatever is between.
    pub(crate) fn skip_balanced(&mut self, inside: &'static str) -> PResult<()> {
        let open = self.span;
        let mut depth = 0u32;
        loop {
            match self.tok {
                Tok::Punct(b'(' | b'[' | b'{' | b'<') => depth = depth.saturating_add(1),
                Tok::Punct(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                Tok::Eof => {
                    let kind = ParseErrorKind::UnexpectedEnd { inside };
                    let error = ParseError::new(self.span, kind, "the text ends here");
                    return Err(error.with_second(open, "this bracket is not closed").into());
                }
                _ => {}
            }
            self.bump()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

fn unknown_attribute(span: Span, word: &str) -> Box<super::error::Stop> {
    let kind = ParseErrorKind::UnknownAttribute(word.into());
    ParseError::new(span, kind, "LLVM has no attribute with this name").into()
}

fn memory_slot<'e>(effects: &'e mut MemoryEffects, name: &[u8]) -> Option<&'e mut ModRef> {
    Some(match name {
        b"argmem" => &mut effects.argmem,
        b"inaccessiblemem" => &mut effects.inaccessiblemem,
        b"errnomem" => &mut effects.errnomem,
        b"target_mem0" => &mut effects.target_mem[0],
        b"target_mem1" => &mut effects.target_mem[1],
        _ => return None,
    })
}

/// The effects of an old keyword that `memory(…)` replaced.
fn old_memory_word(word: &str) -> Option<MemoryEffects> {
    let only = |argmem, inaccessiblemem| MemoryEffects {
        argmem,
        inaccessiblemem,
        ..MemoryEffects::all(ModRef::NONE)
    };
    Some(match word {
        "readnone" => MemoryEffects::all(ModRef::NONE),
        "readonly" => MemoryEffects::all(ModRef::READ),
        "writeonly" => MemoryEffects::all(ModRef::WRITE),
        "argmemonly" => only(ModRef::READ_WRITE, ModRef::NONE),
        "inaccessiblememonly" => only(ModRef::NONE, ModRef::READ_WRITE),
        "inaccessiblemem_or_argmemonly" => only(ModRef::READ_WRITE, ModRef::READ_WRITE),
        _ => return None,
    })
}

/// Intersects the effects of an old keyword with the list's `memory` attribute. The result is a single attribute,
/// because the last one of several wins.
fn narrow_memory(list: &mut AttrList, effects: MemoryEffects) {
    for attr in &mut list.own {
        if let Attr::Memory(known) = attr {
            *known = known.intersect(effects);
            return;
        }
    }
    list.own.push(Attr::Memory(effects));
}
