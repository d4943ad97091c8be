//! The line with an instruction's expression:
//!
//! ```text
//!   -->  EXPR U: RANGE S: RANGE  -->  EXPR U: RANGE S: RANGE<TAB><TAB>Exits: EXPR<TAB><TAB>LoopDispositions: { %h:
//!   Computable, … }
//! ```
//!
//! The second expression is the value at the scope of the surrounding loop; it is printed only if it differs from the
//! first. `Exits:` and dispositions are printed for instructions in loops; `<<Unknown>>` is an exit value that could
//! not be computed. Ranges are `full-set`, `empty-set` or `[lo,hi)` in signed numbers.

use super::cursor::Cursor;
use super::error::{Stop, TextError};
use super::function::FunctionText;
use super::typing::literal;
use crate::claim::{ClaimKind, Disposition, Range, Scope, Signedness};
use crate::expr::ExprId;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// The keywords for dispositions.
pub(super) const DISPOSITIONS: [(Disposition, &str); 4] = [
    (Disposition::Variant, "Variant"),
    (Disposition::Invariant, "Invariant"),
    (Disposition::Computable, "Computable"),
    (Disposition::Uniform, "Uniform"),
];

/// The text for an exit value that could not be computed.
pub(super) const UNKNOWN_EXIT: &str = "<<Unknown>>";

impl FunctionText<'_> {
    pub(super) fn classified(&mut self, cursor: &mut Cursor<'_>, value: Value) -> Result<(), Stop> {
        let ty = self.names.body.ty(value);
        // The claims of a line are added together, so a line that can't be represented adds none.
        let mut claims = Vec::new();
        let mut has_scope = false;
        let mut best = None;
        loop {
            cursor.skip_blanks();
            if cursor.eat("-->") {
                if has_scope {
                    return Err(cursor.error("no third expression").into());
                }
                has_scope = best.is_some();
                cursor.skip_blanks();
                let expr = self.expr(cursor, Some(ty))?;
                claims.push(if best.is_none() {
                    ClaimKind::Value { value, expr }
                } else {
                    ClaimKind::ValueAtScope { value, expr }
                });
                best = best.or(Some(expr));
                self.ranges(cursor, expr, &mut claims)?;
            } else if cursor.eat("Exits:") {
                cursor.skip_blanks();
                claims.push(self.exit_value(cursor, value)?);
            } else if cursor.eat("LoopDispositions: {") {
                let Some(expr) = best else { return Err(cursor.error("an expression").into()) };
                self.dispositions(cursor, value, expr, &mut claims)?;
            } else {
                cursor.expect_end()?;
                break;
            }
        }
        for kind in claims {
            self.push(cursor, kind);
        }
        Ok(())
    }
    fn ranges(
        &mut self,
        cursor: &mut Cursor<'_>,
        expr: ExprId,
        claims: &mut Vec<ClaimKind>,
    ) -> Result<(), Stop> {
        for (word, signedness) in [(" U: ", Signedness::Unsigned), (" S: ", Signedness::Signed)] {
            if cursor.eat(word) {
                let range = self.range(cursor, self.claims.exprs.ty(expr))?;
                claims.push(ClaimKind::Range { expr, signedness, range, scope: Scope::Defining });
            }
        }
        Ok(())
    }
    /// Parses `full-set`, `empty-set` or `[lo,hi)` over the values of `ty`.
    pub(super) fn range(&self, cursor: &mut Cursor<'_>, ty: Type) -> Result<Range, Stop> {
        if cursor.eat("full-set") {
            return Ok(Range::Full);
        }
        if cursor.eat("empty-set") {
            return Ok(Range::Empty);
        }
        let start = *cursor;
        cursor.expect("[")?;
        let bits =
            self.width_of(ty).ok_or_else(|| start.error("no range of what is no integer or pointer"))?;
        let lo = range_end(cursor, bits)?;
        cursor.expect(",")?;
        let hi = range_end(cursor, bits)?;
        cursor.expect(")")?;
        if lo == hi {
            return Err(start.error("a range with two different ends").into());
        }
        Ok(Range::HalfOpen { lo: lo.bits(), hi: hi.bits() })
    }
    /// The width of arithmetic on `ty`: the integer width, or the index width of a pointer.
    pub(super) fn width_of(&self, ty: Type) -> Option<u32> {
        ty.int_bits().or_else(|| ty.ptr_space().map(|space| self.names.env.layout.index_bits(space)))
    }
    fn exit_value(&mut self, cursor: &mut Cursor<'_>, value: Value) -> Result<ClaimKind, Stop> {
        let block = value.as_inst().and_then(|inst| self.names.body.block_of(inst));
        let around = block.and_then(|b| self.loops.innermost(b));
        let Some(around) = around else {
            return Err(cursor.error("no exit value of what is in no loop").into());
        };
        let header = self.loops.loops[around].header;
        let expr = if cursor.eat(UNKNOWN_EXIT) {
            self.claims.exprs.could_not_compute()
        } else {
            self.expr(cursor, Some(self.names.body.ty(value)))?
        };
        Ok(ClaimKind::ExitValue { value, header, expr })
    }
    fn dispositions(
        &mut self,
        cursor: &mut Cursor<'_>,
        value: Value,
        expr: ExprId,
        claims: &mut Vec<ClaimKind>,
    ) -> Result<(), Stop> {
        loop {
            cursor.skip_blanks();
            let header = self.names.block(cursor)?;
            cursor.expect(": ")?;
            let word = DISPOSITIONS.into_iter().find(|(_, word)| cursor.eat(word));
            let Some((disposition, _)) = word else { return Err(cursor.error("a loop disposition").into()) };
            claims.push(ClaimKind::Disposition { value, expr, header, disposition });
            if !cursor.eat(",") {
                cursor.expect(" }")?;
                return Ok(());
            }
        }
    }
}

fn range_end(cursor: &mut Cursor<'_>, bits: u32) -> Result<Int, TextError> {
    let before = *cursor;
    let text = cursor.take_while(|b| b == b'-' || b.is_ascii_digit());
    let value = str::from_utf8(text).ok().and_then(|t| literal(t, bits));
    value.ok_or_else(|| before.error(format!("an integer of {bits} bits")))
}
