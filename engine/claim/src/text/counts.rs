//! The lines with the backedge-taken counts, exit counts and trip multiples of loops.
//!
//! ```text
//! Loop %h: backedge-taken count is COUNT              `<multiple exits> ` in front of it if not exactly one
//! Loop %h: Unpredictable backedge-taken count.
//!   exit count for latch: COUNT                       the exiting block's name as it is, or nothing if it has none
//!   predicated exit count for latch: COUNT
//!    Predicates:                                      one a line
//!     {0,+,1}<%h> Added Flags: <nusw>
//! Loop %h: constant max backedge-taken count is COUNT, actual taken count either this or zero.
//! Loop %h: symbolic max backedge-taken count is COUNT
//!   symbolic max exit count for latch: COUNT
//! Loop %h: Predicated backedge-taken count is COUNT
//!  Predicates:
//!     Equal predicate: %x == 1
//! Loop %h: Trip multiple is 4
//! ```
//!
//! A constant count is preceded by its type, except in the output of LLVM 17 and older. Those versions also print `max`
//! for `constant max`, and print the predicated count even if it needs no predicate.

use super::cursor::Cursor;
use super::error::{Stop, TextError};
use super::function::{Assumed, FunctionText};
use super::syntax::int_type;
use super::typing::{Untyped, literal};
use crate::claim::{ClaimKind, CountKind, Predicate};
use crate::expr::{ExprId, Node};
use backedge_ir::entity::Block;
use backedge_ir::inst::{InstKind, IntPredicate, Value};
use backedge_ir::types::Type;

const MAX_OR_ZERO: &str = ", actual taken count either this or zero.";

/// The lines on a loop: their prefix, the kind of count, and whether the count is predicated.
const LOOP_LINES: [(&str, CountKind, bool); 7] = [
    ("backedge-taken count", CountKind::Exact, false),
    ("constant max backedge-taken count", CountKind::ConstantMax, false),
    ("max backedge-taken count", CountKind::ConstantMax, false),
    ("symbolic max backedge-taken count", CountKind::SymbolicMax, false),
    ("redicated backedge-taken count", CountKind::Exact, true),
    ("redicated constant max backedge-taken count", CountKind::ConstantMax, true),
    ("redicated symbolic max backedge-taken count", CountKind::SymbolicMax, true),
];

const EXIT_LINES: [(&str, CountKind, bool); 4] = [
    ("  exit count for ", CountKind::Exact, false),
    ("  symbolic max exit count for ", CountKind::SymbolicMax, false),
    ("  predicated exit count for ", CountKind::Exact, true),
    ("  predicated symbolic max exit count for ", CountKind::SymbolicMax, true),
];

impl FunctionText<'_> {
    pub(super) fn count_line(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        if cursor.sees("    ") {
            return self.predicate_line(cursor);
        }
        if matches!(cursor.rest().trim_ascii(), b"Predicates:") {
            return Ok(());
        }
        self.assumed = Assumed::No;
        if cursor.eat("Loop ") {
            return self.loop_line(cursor);
        }
        for (start, kind, predicated) in EXIT_LINES {
            if cursor.eat(start) {
                return self.exit_line(cursor, start, kind, predicated);
            }
        }
        Err(cursor.error("a line on a loop or an exit").into())
    }
    fn loop_line(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        let header = self.names.block(cursor)?;
        self.loop_header = Some(header);
        cursor.expect(": ")?;
        cursor.eat("<multiple exits> ");
        if cursor.eat("Trip multiple is ") {
            let multiple = cursor.number::<u64>("a number")?;
            if multiple == 0 {
                return Err(cursor.error("a trip multiple that is not 0").into());
            }
            cursor.expect_end()?;
            self.push(cursor, ClaimKind::TripMultiple { header, multiple });
            return Ok(());
        }
        let unpredictable = cursor.eat("Unpredictable ");
        let upper = if unpredictable { "p" } else { "P" };
        let (_, kind, predicated) = loop_line_kind(cursor, upper)?;
        if predicated {
            self.assumed = Assumed::LeftOut;
        }
        let (count, max_or_zero) = if unpredictable {
            cursor.expect(".")?;
            (self.claims.exprs.could_not_compute(), false)
        } else {
            cursor.expect(" is ")?;
            let count = self.count(cursor, header)?;
            (count, cursor.eat(MAX_OR_ZERO))
        };
        cursor.expect_end()?;
        let predicates = self.predicates(predicated);
        self.push(cursor, ClaimKind::TakenCount { header, kind, count, max_or_zero, predicates });
        Ok(())
    }
    fn exit_line(
        &mut self,
        cursor: &mut Cursor<'_>,
        start: &'static str,
        kind: CountKind,
        predicated: bool,
    ) -> Result<(), Stop> {
        let Some(header) = self.loop_header else {
            return Err(cursor.error("a loop in front of its exits").into());
        };
        if predicated {
            self.assumed = Assumed::LeftOut;
        }
        let block = self.exiting_block(cursor, header, start)?;
        let count = self.count(cursor, header)?;
        cursor.expect_end()?;
        let predicates = self.predicates(predicated);
        self.push(cursor, ClaimKind::ExitCount { header, block, edge: None, kind, count, predicates });
        Ok(())
    }
    fn predicates(&mut self, predicated: bool) -> Option<Vec<Predicate>> {
        self.assumed = if predicated { Assumed::LastClaim } else { Assumed::No };
        predicated.then(Vec::new)
    }
    /// Parses `name: `, where the name is not escaped. A block without a name means the next unnamed exiting block of
    /// the loop.
    fn exiting_block(
        &mut self,
        cursor: &mut Cursor<'_>,
        header: Block,
        start: &'static str,
    ) -> Result<Block, Stop> {
        let rest = cursor.rest();
        if cursor.eat(": ") {
            let seen = self.unnamed_seen.entry((header, start)).or_default();
            let index = *seen;
            *seen += 1;
            let body = self.names.body;
            let exiting = self.loops.of_header(header).map_or(&[][..], |l| &l.exiting);
            let block = exiting.iter().filter(|b| body.block_name(**b).is_none()).nth(index);
            return block.copied().ok_or_else(|| Stop::beyond("an exiting block without a name"));
        }
        let ends = rest.windows(2).enumerate().filter(|(_, w)| *w == b": ").map(|(at, _)| at);
        for end in ends {
            if let Some(block) = self.names.block_of_raw(&rest[..end]) {
                cursor.advance(end + 2);
                return Ok(block);
            }
        }
        Err(cursor.error("the name of a block of the function").into())
    }
    /// Parses a count: a constant with its type in front of it or, in old texts, without.
    fn count(&mut self, cursor: &mut Cursor<'_>, header: Block) -> Result<ExprId, Stop> {
        let spelled_type = cursor.sees("i") && cursor.rest().get(1).is_some_and(u8::is_ascii_digit);
        if spelled_type {
            let ty = int_type(cursor)?;
            cursor.expect(" ")?;
            return self.expr(cursor, Some(ty));
        }
        let read = Untyped::read(&self.names, cursor)?;
        let guessed = if read.ty().is_none() {
            let by_parts =
                || read.literal_addrecs().into_iter().find_map(|(h, l)| self.literal_addrec(h, &l));
            self.count_type(header, read.as_literal()).or_else(by_parts)
        } else {
            None
        };
        read.build(&self.names, &mut self.claims.exprs, guessed)
    }
    /// The type of a count whose text does not determine its width. A non-negative literal has the same value at each
    /// width that can hold it. Any other count needs exit conditions that all compare at one width.
    fn count_type(&self, header: Block, literally: Option<&str>) -> Option<Type> {
        let body = self.names.body;
        let mut widths = Vec::new();
        for &block in &self.loops.of_header(header)?.exiting {
            let mut stack: Vec<Value> =
                body.inst(body.terminator(block)?).operands.first().copied().into_iter().collect();
            while let (Some(value), true) = (stack.pop(), widths.len() < 64) {
                let Some(inst) = value.as_inst().map(|i| body.inst(i)) else { continue };
                if matches!(inst.kind, InstKind::ICmp { .. }) {
                    widths.extend(self.width_of(body.ty(inst.operands[0])));
                } else if matches!(inst.kind, InstKind::Binary(..) | InstKind::Select(_))
                    && inst.ty == Type::I1
                {
                    stack.extend(inst.operands.iter().copied());
                } else {
                    widths.extend(self.width_of(inst.ty));
                }
            }
        }
        widths.sort_unstable();
        widths.dedup();
        if let Some(text) = literally.filter(|text| !text.starts_with('-')) {
            return widths.into_iter().chain([64, 128]).find(|w| literal(text, *w).is_some()).map(Type::int);
        }
        if let [width] = widths[..] { Some(Type::int(width)) } else { None }
    }
    pub(super) fn predicate_line(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        match self.assumed {
            Assumed::No => return Err(cursor.error("no predicate here").into()),
            Assumed::LeftOut => return Ok(()),
            Assumed::LastClaim => {}
        }
        match self.predicate(cursor) {
            Ok(predicate) => {
                if let Some(list) = self.claims.claims.last_mut().and_then(|c| predicates_of(&mut c.kind)) {
                    list.push(predicate);
                }
                Ok(())
            }
            Err(Stop::Wrong(error)) => Err(error.into()),
            Err(beyond @ Stop::Beyond(_)) => {
                // Without one of its predicates the claim would be stronger than the text.
                self.claims.claims.pop();
                self.assumed = Assumed::LeftOut;
                Err(beyond)
            }
        }
    }
    fn predicate(&mut self, cursor: &mut Cursor<'_>) -> Result<Predicate, Stop> {
        cursor.skip_blanks();
        if cursor.eat("Equal predicate: ") {
            return self.comparison(cursor, Some(IntPredicate::Eq));
        }
        if cursor.eat("Compare predicate: ") {
            return self.comparison(cursor, None);
        }
        let read = Untyped::read(&self.names, cursor)?;
        cursor.expect(" Added Flags: ")?;
        let nusw = cursor.eat("<nusw>");
        let nssw = cursor.eat("<nssw>");
        cursor.expect_end()?;
        let guessed = read
            .literal_addrecs()
            .pop()
            .and_then(|(header, literals)| self.literal_addrec(header, &literals));
        let addrec = read.build(&self.names, &mut self.claims.exprs, guessed)?;
        Ok(Predicate::Wrap { addrec, nusw, nssw })
    }
    fn comparison(
        &mut self,
        cursor: &mut Cursor<'_>,
        known: Option<IntPredicate>,
    ) -> Result<Predicate, Stop> {
        let lhs = Untyped::read(&self.names, cursor)?;
        cursor.expect(" ")?;
        let predicate = if let Some(predicate) = known {
            cursor.expect("==")?;
            predicate
        } else {
            let word = cursor.take_while(|b| b.is_ascii_lowercase());
            let found = str::from_utf8(word).ok().and_then(IntPredicate::from_name);
            let found = found.ok_or_else(|| cursor.error("a predicate of integers"))?;
            cursor.eat(")");
            found
        };
        cursor.expect(" ")?;
        let rhs = Untyped::read(&self.names, cursor)?;
        cursor.expect_end()?;
        let ty = lhs.ty().or(rhs.ty());
        let lhs = lhs.build(&self.names, &mut self.claims.exprs, ty)?;
        let rhs = rhs.build(&self.names, &mut self.claims.exprs, ty)?;
        Ok(Predicate::Compare { predicate, lhs, rhs })
    }
    /// The type of a recurrence whose operands are all literals, so its text does not determine the width: the
    /// narrowest type among the existing expressions with the same text.
    fn literal_addrec(&self, header: Block, literals: &[&str]) -> Option<Type> {
        let exprs = &self.claims.exprs;
        let same = |id: ExprId| {
            let Node::AddRec { operands, header: at, .. } = exprs.node(id) else { return false };
            let reads = |operand: &ExprId, text: &str| {
                exprs.as_int(*operand).is_some_and(|int| literal(text, int.width()) == Some(int))
            };
            let pairs = || operands.iter().zip(literals);
            *at == header
                && operands.len() == literals.len()
                && pairs().all(|(operand, text)| reads(operand, text))
        };
        let types = exprs.iter().filter(|(id, _)| same(*id)).map(|(id, _)| exprs.ty(id));
        types.filter(|ty| ty.is_int()).min_by_key(|ty| ty.int_bits())
    }
}

fn loop_line_kind(cursor: &mut Cursor<'_>, p: &str) -> Result<(&'static str, CountKind, bool), TextError> {
    let spelled = |(words, _, predicated): &(&str, CountKind, bool)| {
        let rest = if *predicated { cursor.rest().strip_prefix(p.as_bytes()) } else { Some(cursor.rest()) };
        rest.is_some_and(|rest| rest.starts_with(words.as_bytes()))
    };
    let found = LOOP_LINES.into_iter().find(spelled);
    let Some(found) = found else { return Err(cursor.error("a count of a loop")) };
    cursor.advance(found.0.len() + usize::from(found.2));
    Ok(found)
}

fn predicates_of(kind: &mut ClaimKind) -> Option<&mut Vec<Predicate>> {
    match kind {
        ClaimKind::ExitCount { predicates, .. } | ClaimKind::TakenCount { predicates, .. } => {
            predicates.as_mut()
        }
        ClaimKind::Value { .. }
        | ClaimKind::ValueAtScope { .. }
        | ClaimKind::Flag { .. }
        | ClaimKind::Range { .. }
        | ClaimKind::TripMultiple { .. }
        | ClaimKind::Disposition { .. }
        | ClaimKind::ExitValue { .. }
        | ClaimKind::Recurrence { .. } => None,
    }
}
