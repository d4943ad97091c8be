//! Expressions as text, in the notation of LLVM's `print<scalar-evolution>`: `(2 + %a)<nuw>`, `{0,+,1}<nuw><%loop>`,
//! `(zext i32 %x to i64)`.
//!
//! Printed flags are those that hold wherever the leaves are defined, as in LLVM's output; a printer [at a
//! block](ExprPrinter::at) prints the flags that hold at that block. Shared parts are repeated, up to a limit of nodes;
//! the rest prints as `...`. Not recursive.

use super::{Cast, Expr, Node};
use crate::ScalarEvolution;
use crate::facts::Flags;
use backedge_ir::entity::Block;
use backedge_ir::int::Int;
use backedge_ir::print::BodyPrinter;
use std::fmt::Write;

/// The default limit on the number of printed nodes per expression: shared operands make the text exponentially longer
/// than the data.
const NODES: usize = 10_000;

/// Prints expressions of one body. Numbers the unnamed values once, on creation.
#[derive(Debug)]
pub struct ExprPrinter<'a> {
    names: BodyPrinter<'a>,
    at: Option<Block>,
    nodes: usize,
    flags: bool,
}

/// A piece of pending output.
enum Piece<'a> {
    Expr(Expr),
    Text(&'a str),
    Owned(String),
}

impl<'a> ExprPrinter<'a> {
    /// A printer of expressions of values of the body of `scev`.
    pub fn new(scev: &ScalarEvolution<'a>) -> Self {
        let names = BodyPrinter::new(scev.at.env, scev.body());
        Self { names, at: None, nodes: NODES, flags: true }
    }
    /// Prints the flags that hold at the points that `block` dominates.
    #[must_use]
    pub fn at(mut self, block: Block) -> Self {
        self.at = Some(block);
        self
    }
    /// Prints no flags.
    #[must_use]
    pub fn without_flags(mut self) -> Self {
        self.flags = false;
        self
    }
    /// Prints at most `nodes` nodes of each expression.
    #[must_use]
    pub fn limit(mut self, nodes: usize) -> Self {
        self.nodes = nodes;
        self
    }
    /// The names of the body's values and blocks.
    pub fn names(&self) -> &BodyPrinter<'a> {
        &self.names
    }
    /// `expr` as text.
    pub fn text(&self, scev: &ScalarEvolution<'_>, expr: Expr) -> String {
        let mut out = String::new();
        let mut left = self.nodes;
        let mut work = vec![Piece::Expr(expr)];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Owned(text) => out.push_str(&text),
                Piece::Expr(_) if left == 0 => out.push_str("..."),
                Piece::Expr(expr) => {
                    left -= 1;
                    let from = work.len();
                    self.pieces(scev, expr, &mut work);
                    work[from..].reverse();
                }
            }
        }
        out
    }
    /// The pieces of the text of `expr`, in order.
    fn pieces(&self, scev: &ScalarEvolution<'_>, expr: Expr, out: &mut Vec<Piece<'_>>) {
        let ty = |e: Expr| {
            let ty = scev.ty(e);
            match ty.space {
                None => format!("i{}", ty.width),
                Some(0) => "ptr".to_owned(),
                Some(space) => format!("ptr addrspace({space})"),
            }
        };
        match scev.arena().node(expr) {
            Node::Constant(value) => out.push(Piece::Owned(integer(*value))),
            Node::Unknown(value) => out.push(Piece::Owned(self.names.operand(*value))),
            Node::CouldNotCompute => out.push(Piece::Text("***COULDNOTCOMPUTE***")),
            Node::Cast(cast, operand) => {
                let name = match cast {
                    Cast::Trunc => "trunc",
                    Cast::ZExt => "zext",
                    Cast::SExt => "sext",
                    Cast::PtrToInt => "ptrtoint",
                };
                out.push(Piece::Owned(format!("({name} {} ", ty(*operand))));
                out.push(Piece::Expr(*operand));
                out.push(Piece::Owned(format!(" to {})", ty(expr))));
            }
            Node::UDiv([left, right]) => out.extend([
                Piece::Text("("),
                Piece::Expr(*left),
                Piece::Text(" /u "),
                Piece::Expr(*right),
                Piece::Text(")"),
            ]),
            Node::NAry(op, operands) => {
                list(operands, "(", op.sign(), out);
                out.push(Piece::Owned(format!("){}", self.flags_of(scev, expr))));
            }
            Node::AddRec(l, operands) => {
                list(operands, "{", ",+,", out);
                let header = self.names.block(scev.header(*l));
                out.push(Piece::Owned(format!("}}{}<{header}>", self.flags_of(scev, expr))));
            }
        }
    }
    fn flags_of(&self, scev: &ScalarEvolution<'_>, expr: Expr) -> Flags {
        match self.at {
            _ if !self.flags => Flags::NONE,
            Some(block) => scev.flags_at(expr, block),
            None => scev.flags(expr),
        }
    }
}

fn list<'a>(operands: &[Expr], open: &'a str, between: &'a str, out: &mut Vec<Piece<'a>>) {
    for (i, operand) in operands.iter().enumerate() {
        out.push(Piece::Text(if i == 0 { open } else { between }));
        out.push(Piece::Expr(*operand));
    }
}

fn integer(value: Int) -> String {
    let mut text = String::new();
    let written = match value.width() {
        1 => write!(text, "{}", !value.is_zero()),
        _ => write!(text, "{}", value.signed()),
    };
    debug_assert!(written.is_ok(), "writing to a string");
    text
}

impl ScalarEvolution<'_> {
    /// `expr` as text. Linear in the body; for many expressions use [`ExprPrinter`].
    pub fn text(&self, expr: Expr) -> String {
        ExprPrinter::new(self).text(self, expr)
    }
}
