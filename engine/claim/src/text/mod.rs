//! The text of claims: the output of LLVM's `print<scalar-evolution>` (versions 13 to 22), read and printed, and our
//! own extension lines for facts that LLVM's text can't express.
//!
//! [`Reader`] takes a stream and yields the claims function by function. Unknown text is an error with its position.
//! Text that can't be represented (lines, nesting depths and widths beyond limits, truncated text, a literal whose
//! width the text does not determine) becomes a note. [`print_claims`] prints LLVM 22's text, so reading and printing
//! that text leaves it unchanged.
//!
//! Code map: `read` splits the stream, `function` handles the lines of one function, `classify`, `counts` and `scoped`
//! handle one kind of line each; `syntax` and `typing` read an expression; `names` resolves names; `print_expr` and
//! `print` print.

mod classify;
mod counts;
mod cursor;
mod describe;
mod error;
mod function;
mod names;
mod print;
mod print_counts;
mod print_expr;
mod read;
mod scoped;
mod syntax;
mod typing;

pub use describe::Describer;
pub use error::{ReadError, TextError};
pub use print::{PrintOptions, print_body_claims, print_claims};
pub use print_expr::ExprPrinter;
pub use read::{FunctionClaims, MAX_LINE, Reader, parse_claims};
