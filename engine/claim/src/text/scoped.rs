//! Extension lines for facts that LLVM's text can't express: facts with scopes, further expressions of a value, exit
//! counts of single edges, recurrences that are not addrecs. These lines follow LLVM's under a heading of their own:
//!
//! ```text
//! Scoped facts for: @f
//!   flag nuw of i32 (%a + %b) in loop %loop
//!   range of i32 %x from block %then U: [0,8)
//!   value %x = i32 (%y + %z)
//!   recurrence %x = xor i8 %s, i8 3 in loop %loop
//!   edge 2 of %switch in loop %loop exit count i32 5
//!   edge 2 of %switch in loop %loop symbolic max exit count i32 %n
//!   edge 2 of %switch in loop %loop predicated exit count i32 %n        its predicates follow, one a line
//! ```
//!
//! A scope is `everywhere`, `in loop %header`, or `from block %b`: see [`crate::claim::Scope`]. An expression is
//! preceded by its type.

use super::cursor::Cursor;
use super::error::{Stop, TextError};
use super::function::{Assumed, FunctionText};
use super::syntax::int_type;
use crate::claim::{ClaimKind, CountKind, RecurrenceKind, Scope, Signedness};
use crate::expr::{ExprId, Flag};
use backedge_ir::types::Type;

const FLAGS: [Flag; 3] = [Flag::Nuw, Flag::Nsw, Flag::Nw];

impl FunctionText<'_> {
    pub(super) fn scoped_line(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        if cursor.sees("    ") {
            return self.predicate_line(cursor);
        }
        self.assumed = Assumed::No;
        cursor.expect("  ")?;
        let kind = if cursor.eat("flag ") {
            let flag = FLAGS.into_iter().find(|f| cursor.eat(f.name()));
            let flag = flag.ok_or_else(|| cursor.error("`nuw`, `nsw` or `nw`"))?;
            cursor.expect(" of ")?;
            let expr = self.typed_expr(cursor)?;
            ClaimKind::Flag { expr, flag, scope: self.scope(cursor)? }
        } else if cursor.eat("range of ") {
            let expr = self.typed_expr(cursor)?;
            let scope = self.scope(cursor)?;
            let signedness = if cursor.eat(" U: ") {
                Signedness::Unsigned
            } else {
                cursor.expect(" S: ")?;
                Signedness::Signed
            };
            let range = self.range(cursor, self.claims.exprs.ty(expr))?;
            ClaimKind::Range { expr, signedness, range, scope }
        } else if cursor.eat("value ") {
            let value = self.names.value(cursor)?;
            cursor.expect(" = ")?;
            ClaimKind::Value { value, expr: self.typed_expr(cursor)? }
        } else if cursor.eat("recurrence ") {
            self.recurrence(cursor)?
        } else if cursor.eat("edge ") {
            self.edge(cursor)?
        } else {
            return Err(cursor.error("a scoped fact").into());
        };
        cursor.expect_end()?;
        self.push(cursor, kind);
        Ok(())
    }
    fn recurrence(&mut self, cursor: &mut Cursor<'_>) -> Result<ClaimKind, Stop> {
        let value = self.names.value(cursor)?;
        cursor.expect(" = ")?;
        let word = RecurrenceKind::ALL.into_iter().find(|(_, word)| cursor.eat(word));
        let (kind, _) = word.ok_or_else(|| cursor.error("a kind of recurrence"))?;
        cursor.expect(" ")?;
        let start = self.typed_expr(cursor)?;
        cursor.expect(", ")?;
        let step = self.typed_expr(cursor)?;
        cursor.expect(" in loop ")?;
        let header = self.names.block(cursor)?;
        Ok(ClaimKind::Recurrence { value, kind, start, step, header })
    }
    fn edge(&mut self, cursor: &mut Cursor<'_>) -> Result<ClaimKind, Stop> {
        let edge = Some(cursor.number::<u32>("the number of a successor")?);
        cursor.expect(" of ")?;
        let block = self.names.block(cursor)?;
        cursor.expect(" in loop ")?;
        let header = self.names.block(cursor)?;
        let predicates = if cursor.eat(" predicated") {
            self.assumed = Assumed::LastClaim;
            Some(Vec::new())
        } else {
            None
        };
        let kind = if cursor.eat(" symbolic max") { CountKind::SymbolicMax } else { CountKind::Exact };
        cursor.expect(" exit count ")?;
        let count = self.typed_expr(cursor)?;
        Ok(ClaimKind::ExitCount { header, block, edge, kind, count, predicates })
    }
    /// Parses an expression preceded by its type.
    fn typed_expr(&mut self, cursor: &mut Cursor<'_>) -> Result<ExprId, Stop> {
        let ty = if cursor.eat("ptr") {
            if cursor.eat(" addrspace(") {
                let space = cursor.number::<u32>("the number of an address space")?;
                cursor.expect(")")?;
                if space >= 1 << 24 {
                    return Err(cursor.error("an address space below 2^24").into());
                }
                Type::ptr(space)
            } else {
                Type::PTR
            }
        } else if cursor.eat("void") {
            Type::VOID
        } else {
            int_type(cursor)?
        };
        cursor.expect(" ")?;
        self.expr(cursor, Some(ty))
    }
    fn scope(&self, cursor: &mut Cursor<'_>) -> Result<Scope, TextError> {
        if cursor.eat(" everywhere") {
            return Ok(Scope::Defining);
        }
        if cursor.eat(" in loop ") {
            return Ok(Scope::Loop(self.names.block(cursor)?));
        }
        cursor.expect(" from block ")?;
        Ok(Scope::Block(self.names.block(cursor)?))
    }
}
