//! The grammar of one expression, parsed into a list of untyped nodes.
//!
//! ```text
//! expr    = literal | leaf | "vscale" | "***COULDNOTCOMPUTE***"
//!         | "(" cast type expr "to" type ")"
//!         | "(" expr { op expr } ")" flags             all operators of one sum are the same
//!         | "{" expr ",+," expr { ",+," expr } "}" flags "<" %header ">"
//! op      = "+" | "*" | "/u" | "umax" | "smax" | "umin" | "smin" | "umin_seq"
//! flags   = { "<nuw>" | "<nsw>" | "<nw>" }
//! leaf    = %name | @name | "undef" | "poison" | "null" | a constant expression
//! ```
//!
//! Integer literals have no width; [`super::typing`] infers it. Operands precede their users in the list. Nesting is
//! limited; deeper text is not an error, but it can't be represented.

use super::cursor::Cursor;
use super::error::{Stop, TextError};
use super::names::{Names, global_name};
use crate::expr::{CastOp, Flags, NaryOp};
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// The maximum nesting depth of an expression: the parser is recursive. A claim with a deeper expression is left out
/// with a note.
pub(super) const MAX_DEPTH: u32 = 400;

/// Position of an operand in the list of nodes.
pub(super) type Index = usize;

/// An untyped node.
#[derive(Debug)]
pub(super) enum Syntax<'t> {
    /// Digits, `true` or `false`.
    Literal(&'t str),
    /// A value of the body.
    Value(Value),
    /// A constant in its spelling: `@g`, `undef`, `inttoptr (i64 1 to ptr)`.
    Constant(Box<str>),
    /// A conversion; `from` is the operand's type unless it is spelled as a typed pointer (`i8*`).
    Cast { op: CastOp, from: Option<Type>, operand: Index, to: Type },
    /// An operation.
    Nary { op: NaryOp, operands: SmallVec<[Index; 3]>, flags: Flags },
    /// Division.
    UDiv(Index, Index),
    /// A recurrence.
    AddRec { operands: SmallVec<[Index; 3]>, flags: Flags, header: Block },
    /// `vscale`.
    VScale,
    /// `***COULDNOTCOMPUTE***`.
    CouldNotCompute,
}

/// Parses expressions over one body.
pub(super) struct Grammar<'n, 'm, 't> {
    names: &'n Names<'m>,
    /// The nodes read so far, operands first.
    pub(super) nodes: Vec<Syntax<'t>>,
    depth: u32,
}

/// LLVM's marker for "no statement".
pub(super) const COULD_NOT_COMPUTE: &str = "***COULDNOTCOMPUTE***";

impl<'n, 'm, 't> Grammar<'n, 'm, 't> {
    pub(super) fn new(names: &'n Names<'m>) -> Self {
        Self { names, nodes: Vec::new(), depth: 0 }
    }
    fn push(&mut self, node: Syntax<'t>) -> Index {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
    /// Parses one expression.
    pub(super) fn expr(&mut self, cursor: &mut Cursor<'t>) -> Result<Index, Stop> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Stop::beyond(format!("nested more than {MAX_DEPTH} deep")));
        }
        let index = match cursor.peek() {
            Some(b'(') => self.parenthesized(cursor)?,
            Some(b'{') => self.addrec(cursor)?,
            Some(b'%') => {
                let value = self.names.value(cursor)?;
                self.push(Syntax::Value(value))
            }
            Some(b'-' | b'0'..=b'9') => self.number(cursor)?,
            Some(b'*') => {
                cursor.expect(COULD_NOT_COMPUTE)?;
                self.push(Syntax::CouldNotCompute)
            }
            _ => self.constant(cursor)?,
        };
        self.depth -= 1;
        Ok(index)
    }
    fn number(&mut self, cursor: &mut Cursor<'t>) -> Result<Index, Stop> {
        let start = *cursor;
        cursor.eat("-");
        cursor.take_while(|b| b.is_ascii_digit());
        let text = str::from_utf8(cursor.since(start.at())).unwrap_or("");
        if text == "-" {
            return Err(start.error("an integer").into());
        }
        Ok(self.push(Syntax::Literal(text)))
    }
    fn addrec(&mut self, cursor: &mut Cursor<'t>) -> Result<Index, Stop> {
        cursor.expect("{")?;
        let mut operands = SmallVec::from_elem(self.expr(cursor)?, 1);
        while !cursor.eat("}") {
            cursor.expect(",+,")?;
            operands.push(self.expr(cursor)?);
        }
        if operands.len() < 2 {
            return Err(cursor.error("a step of the recurrence in front of `}`").into());
        }
        let flags = flags(cursor);
        cursor.expect("<")?;
        let header = self.names.block(cursor)?;
        cursor.expect(">")?;
        Ok(self.push(Syntax::AddRec { operands, flags, header }))
    }
    fn parenthesized(&mut self, cursor: &mut Cursor<'t>) -> Result<Index, Stop> {
        cursor.expect("(")?;
        if let Some((op, _)) = CastOp::ALL.into_iter().find(|(_, name)| sees_cast(cursor, name)) {
            return self.cast(cursor, op);
        }
        let first = self.expr(cursor)?;
        let (op, word) = operator(cursor)?;
        let mut operands: SmallVec<[Index; 3]> = SmallVec::from_elem(first, 1);
        while !cursor.eat(")") {
            cursor.expect(&format!(" {word} "))?;
            operands.push(self.expr(cursor)?);
        }
        match op {
            Some(op) => {
                let flags = flags(cursor);
                Ok(self.push(Syntax::Nary { op, operands, flags }))
            }
            None if operands.len() == 2 => Ok(self.push(Syntax::UDiv(operands[0], operands[1]))),
            None => Err(cursor.error("a division of two operands").into()),
        }
    }
    fn cast(&mut self, cursor: &mut Cursor<'t>, op: CastOp) -> Result<Index, Stop> {
        cursor.advance(op.name().len() + 1);
        let from = if matches!(op, CastOp::PtrToInt | CastOp::PtrToAddr) {
            pointer_type(cursor)?
        } else {
            Some(int_type(cursor)?)
        };
        cursor.expect(" ")?;
        let operand = self.expr(cursor)?;
        cursor.expect(" to ")?;
        let to = int_type(cursor)?;
        cursor.expect(")")?;
        Ok(self.push(Syntax::Cast { op, from, operand, to }))
    }
    /// Parses a word, `@name`, or a constant expression.
    fn constant(&mut self, cursor: &mut Cursor<'t>) -> Result<Index, Stop> {
        let start = *cursor;
        if cursor.sees("@") {
            global_name(cursor)?;
            return Ok(self.spelled(cursor.since(start.at())));
        }
        let word = cursor.take_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        match word {
            b"" => return Err(start.error("an expression").into()),
            b"true" | b"false" => {
                return Ok(self.push(Syntax::Literal(if word == b"true" { "true" } else { "false" })));
            }
            b"vscale" if !cursor.sees(" (") => return Ok(self.push(Syntax::VScale)),
            b"undef" | b"poison" | b"null" => return Ok(self.spelled(word)),
            _ => {}
        }
        // A constant expression: words up to a parenthesis, and the parenthesized text. `inrange(-16, 8)` is a word
        // too.
        while cursor.eat(" ") {
            let word = cursor.take_while(|b| b.is_ascii_alphanumeric() || b == b'_');
            if cursor.sees("(") {
                balanced(cursor)
                    .map_err(|()| start.error("a constant expression with its closing parenthesis"))?;
                if word != b"inrange" {
                    break;
                }
            }
        }
        let text = cursor.since(start.at());
        if text.ends_with(b")") { Ok(self.spelled(text)) } else { Err(start.error("an expression").into()) }
    }
    fn spelled(&mut self, text: &[u8]) -> Index {
        let text = String::from_utf8_lossy(text).into_owned().into_boxed_str();
        self.push(Syntax::Constant(text))
    }
}

/// Whether a cast with this name comes next, rather than a constant expression with this name.
fn sees_cast(cursor: &Cursor<'_>, name: &str) -> bool {
    let rest = cursor.rest();
    rest.starts_with(name.as_bytes())
        && rest.get(name.len()) == Some(&b' ')
        && !matches!(rest.get(name.len() + 1), Some(b'(') | None)
}

/// The operator ` op ` after the first operand, without consuming it; `None` is division.
fn operator(cursor: &Cursor<'_>) -> Result<(Option<NaryOp>, &'static str), TextError> {
    let words = NaryOp::ALL.into_iter().map(|(op, word)| (Some(op), word)).chain([(None, "/u")]);
    let next = |word: &str| {
        let rest = cursor.rest();
        rest.first() == Some(&b' ')
            && rest[1..].starts_with(word.as_bytes())
            && rest.get(word.len() + 1) == Some(&b' ')
    };
    words
        .into_iter()
        .find(|(_, word)| next(word))
        .ok_or_else(|| cursor.error("an operator between two blanks"))
}

/// Parses `<nuw><nsw><nw>`, each optional. `<nuw><%header>` ends before the header.
pub(super) fn flags(cursor: &mut Cursor<'_>) -> Flags {
    let nuw = cursor.eat("<nuw>");
    let nsw = cursor.eat("<nsw>");
    let nw = cursor.eat("<nw>");
    Flags { nuw, nsw, nw }
}

/// Parses `iN`.
pub(super) fn int_type(cursor: &mut Cursor<'_>) -> Result<Type, Stop> {
    let start = *cursor;
    if !cursor.eat("i") {
        return Err(start.error("an integer type").into());
    }
    let bits = cursor.number::<u32>("the width of an integer type")?;
    if bits == 0 {
        return Err(start.error("an integer type").into());
    }
    if bits > Int::MAX_WIDTH {
        return Err(Stop::beyond(format!("an integer of {bits} bits")));
    }
    Ok(Type::int(bits))
}

/// Parses `ptr`, `ptr addrspace(1)`, or a typed pointer, whose pointee type is skipped.
fn pointer_type(cursor: &mut Cursor<'_>) -> Result<Option<Type>, Stop> {
    let start = *cursor;
    if cursor.eat("ptr") {
        if !cursor.eat(" addrspace(") {
            return Ok(Some(Type::ptr(0)));
        }
        let space = cursor.number::<u32>("the number of an address space")?;
        cursor.expect(")")?;
        let known = space < 1 << 24;
        return known.then_some(Some(Type::ptr(space))).ok_or_else(|| start.error("a pointer type").into());
    }
    let mut depth = 0usize;
    while let Some(byte) = cursor.peek() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            b'*' if depth == 0 && cursor.rest().get(1) == Some(&b' ') => {
                cursor.advance(1);
                return Ok(None);
            }
            _ => {}
        }
        cursor.advance(1);
    }
    Err(start.error("a pointer type").into())
}

/// Consumes an opening parenthesis up to its matching closing one; quoted names may contain parentheses.
fn balanced(cursor: &mut Cursor<'_>) -> Result<(), ()> {
    let mut depth = 0usize;
    let mut quoted = false;
    while let Some(byte) = cursor.peek() {
        cursor.advance(1);
        match byte {
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(());
        }
    }
    Err(())
}
