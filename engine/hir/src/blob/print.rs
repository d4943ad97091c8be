//! Blobs as text: `%1`, `(%1 * %4)`, `sext((3 * %1))`, `(4 + %b)`, `(%n /u 3)`, `(%a umin %b)`.
//!
//! Printing stops at a limit of nodes, because a tree can be far larger than its table; the rest is printed as `...`.

use super::{Blob, Blobs, Cast, Node};

/// Limit on the nodes printed for one blob: shared parts make the text exponentially longer than the table. The rest is
/// printed as `...`.
const NODES: usize = 256;

enum Piece<'a> {
    Blob(Blob),
    Text(&'a str),
}

impl Blobs {
    /// `blob` as text. Not recursive.
    pub fn text(&self, blob: Blob) -> String {
        let mut out = String::new();
        let mut left = NODES;
        let mut work = vec![Piece::Blob(blob)];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Blob(_) if left == 0 => out.push_str("..."),
                Piece::Blob(blob) => {
                    left -= 1;
                    match self.node(blob) {
                        Node::Constant(value) => out.push_str(&value.signed().to_string()),
                        Node::Temp(temp) => out.push_str(&self.temps[*temp].name),
                        Node::Cast(cast, operand) => {
                            out.push_str(cast_name(*cast));
                            work.extend([Piece::Text(")"), Piece::Blob(*operand), Piece::Text("(")]);
                        }
                        Node::NAry(op, operands) => list(operands, op.sign(), &mut work),
                        Node::UDiv(operands) => list(operands, " /u ", &mut work),
                    }
                }
            }
        }
        out
    }
}

/// Pushes the pieces of an operand list onto the stack, last piece first.
fn list<'a>(operands: &[Blob], between: &'a str, work: &mut Vec<Piece<'a>>) {
    work.push(Piece::Text(")"));
    for (i, operand) in operands.iter().enumerate().rev() {
        work.push(Piece::Blob(*operand));
        work.push(Piece::Text(if i > 0 { between } else { "(" }));
    }
}

/// The name of a conversion.
pub(crate) fn cast_name(cast: Cast) -> &'static str {
    match cast {
        Cast::Trunc => "trunc",
        Cast::ZExt => "zext",
        Cast::SExt => "sext",
        Cast::PtrToInt => "ptrtoint",
    }
}
