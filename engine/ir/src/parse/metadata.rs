//! Parses metadata: numbered and named nodes, inline nodes, attachments.
//!
//! Tuples are modelled. Specialised nodes (`!DILocation(…)`) are kept as text, and their references to numbered nodes
//! are recorded, so that a reference to an undefined node is reported with its position.

use super::cursor::Parser;
use super::error::{PResult, ParseError, ParseErrorKind, Stop};
use super::lexer::Tok;
use super::names;
use super::spans::Span;
use crate::entity::MdId;
use crate::metadata::{MdBody, MdKind, MdOperand, MdRef};

impl<'s> Parser<'s> {
    /// The canonical name of a `!name` token.
    pub(crate) fn md_name(text: &str) -> std::borrow::Cow<'_, str> {
        names::canonical_quoted(text.as_bytes())
    }

    /// Records a reference to a numbered node at `span`.
    pub(crate) fn md_mention(&mut self, number: u32, span: Span) -> MdId {
        self.md_uses.entry(number).or_insert(span);
        self.env.metadata.numbered(number)
    }

    /// Parses `!n = …` after the `!`: the contents of a numbered node.
    pub(crate) fn numbered_node(&mut self) -> PResult<MdId> {
        let span = self.span;
        let number = self.number_u32("the number of a metadata node")?;
        if let Some(&first) = self.md_defs.get(&number) {
            let kind = ParseErrorKind::Duplicate { what: "metadata node", name: format!("!{number}").into() };
            return Err(ParseError::new(span, kind, "defined again here")
                .with_second(first, "first defined here")
                .into());
        }
        self.md_defs.insert(number, span);
        self.expect(b'=')?;
        let distinct = self.eat_word("distinct")?;
        let body = self.node_body()?;
        let id = self.env.metadata.numbered(number);
        self.env.metadata.define(id, distinct, body);
        Ok(id)
    }

    /// Parses `!{…}` or `!DIxxx(…)`.
    fn node_body(&mut self) -> PResult<MdBody> {
        let start = self.span;
        match self.tok {
            Tok::Bang => {
                self.bump()?;
                if !self.at(b'{') {
                    return Err(self.expected("'{'"));
                }
                match self.nested(Self::tuple) {
                    Ok(operands) => Ok(MdBody::Tuple(operands)),
                    // A tuple with an unmodelled operand is kept as text.
                    Err(stop) if matches!(*stop, Stop::Unmodelled(_)) => self.node_text(start),
                    Err(stop) => Err(stop),
                }
            }
            Tok::MdName(_) => self.node_text(start),
            _ => Err(self.expected("a metadata node")),
        }
    }
    /// Parses the node that begins at `start` as text.
    fn node_text(&mut self, start: Span) -> PResult<MdBody> {
        self.jump(start.start as usize)?;
        self.bump()?;
        if !(self.at(b'(') || self.at(b'{')) {
            return Err(self.expected("'('"));
        }
        self.skip_noting_nodes()?;
        self.note_carried_addresses(self.since(start))?;
        Ok(MdBody::Text(self.text(self.since(start)).into()))
    }
    /// Skips balanced brackets and records the references to numbered nodes between them.
    pub(crate) fn skip_noting_nodes(&mut self) -> PResult<()> {
        let open = self.span;
        let mut depth = 0u32;
        loop {
            match self.tok {
                Tok::Punct(b'(' | b'{') => depth = depth.saturating_add(1),
                Tok::Punct(b')' | b'}') => depth = depth.saturating_sub(1),
                Tok::Bang => {
                    let bang = self.span;
                    self.bump()?;
                    if let Tok::Int(_) = self.tok {
                        let number = self.number_u32("the number of a metadata node")?;
                        self.md_mention(number, self.since(bang));
                    }
                    continue;
                }
                Tok::Eof => {
                    let kind = ParseErrorKind::UnexpectedEnd { inside: "a metadata node" };
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

    /// Parses `{ operands }`.
    fn tuple(&mut self) -> PResult<Vec<MdOperand>> {
        self.expect(b'{')?;
        let mut operands = Vec::new();
        if !self.at(b'}') {
            loop {
                operands.push(self.md_operand()?);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.expect(b'}')?;
        Ok(operands)
    }
    fn md_operand(&mut self) -> PResult<MdOperand> {
        match self.tok {
            Tok::Word("null") => {
                self.bump()?;
                Ok(MdOperand::Null)
            }
            Tok::Bang => {
                let mut ahead = self.lex.clone();
                if let Ok((Tok::Str(raw), _)) = ahead.next() {
                    self.bump()?;
                    self.bump()?;
                    return Ok(MdOperand::String(names::canonical_quoted(raw).into()));
                }
                Ok(MdOperand::Node(self.node_ref()?))
            }
            Tok::MdName(_) => Ok(MdOperand::Node(self.node_ref()?)),
            _ => Ok(MdOperand::Const(self.with_module_pool(|p, pool| p.typed_constant(pool))?)),
        }
    }

    /// Parses a node: `!n`, or an inline node.
    pub(crate) fn node_ref(&mut self) -> PResult<MdId> {
        let start = self.span;
        if self.tok == Tok::Bang {
            let mut ahead = self.lex.clone();
            match ahead.next()?.0 {
                Tok::Int(_) => {
                    self.bump()?;
                    let number = self.number_u32("the number of a metadata node")?;
                    return Ok(self.md_mention(number, self.since(start)));
                }
                Tok::Str(raw) => {
                    self.bump()?;
                    self.bump()?;
                    let text = names::canonical_quoted(raw).into();
                    return Ok(self.env.metadata.add(false, MdBody::String(text)));
                }
                _ => {}
            }
        }
        let distinct = self.eat_word("distinct")?;
        let body = self.nested(Self::node_body)?;
        Ok(self.env.metadata.add(distinct, body))
    }

    /// Parses the node of an attachment.
    fn attachment_value(&mut self) -> PResult<MdRef> {
        match self.tok {
            Tok::Bang | Tok::MdName(_) | Tok::Word("distinct") => Ok(MdRef::Node(self.node_ref()?)),
            _ => Err(self.expected("a metadata node")),
        }
    }
    /// Parses `!kind node`.
    pub(crate) fn attachment(&mut self) -> PResult<(MdKind, MdRef)> {
        let Tok::MdName(name) = self.tok else { return Err(self.expected("a metadata attachment")) };
        self.bump()?;
        let kind = MdKind::from_name(&Self::md_name(name));
        Ok((kind, self.attachment_value()?))
    }
    /// Parses `!kind node …` without commas, as on functions.
    pub(crate) fn attachments(&mut self) -> PResult<Vec<(MdKind, MdRef)>> {
        let mut list = Vec::new();
        while matches!(self.tok, Tok::MdName(_)) {
            list.push(self.attachment()?);
        }
        Ok(list)
    }

    /// Parses `!name = !{…}`.
    pub(crate) fn named_node(&mut self, name: &'s str) -> PResult<usize> {
        let name = Self::md_name(name);
        self.bump()?;
        self.expect(b'=')?;
        if self.tok != Tok::Bang {
            return Err(self.expected("'!{'"));
        }
        self.bump()?;
        self.expect(b'{')?;
        let mut nodes = Vec::new();
        if !self.at(b'}') {
            loop {
                if !matches!(self.tok, Tok::Bang | Tok::MdName(_)) {
                    return Err(self.expected("a metadata node"));
                }
                nodes.push(self.node_ref()?);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.expect(b'}')?;
        self.env.metadata.named.push((name.into(), nodes));
        Ok(self.env.metadata.named.len() - 1)
    }

    /// Reports the first reference to an undefined numbered node.
    pub(crate) fn check_nodes_defined(&self) -> PResult<()> {
        let undefined = self.md_uses.iter().filter(|(n, _)| !self.md_defs.contains_key(n));
        let Some((number, span)) = undefined.min_by_key(|(_, span)| **span) else { return Ok(()) };
        let kind = ParseErrorKind::Undefined { what: "metadata node", name: format!("!{number}").into() };
        Err(ParseError::new(*span, kind, "no node of the module has this number").into())
    }
}
