//! The text of claims: what LLVM's `print<scalar-evolution>` prints (versions 13 to 22), read and printed, and lines
//! of our own for what it can't say.
//!
//! [`Reader`] takes a stream and gives the claims function by function; what it does not understand is an error with
//! its place, what it can't hold (lines, depths and widths beyond limits, cut text, a literal whose width the text
//! does not tell) is a note. [`print_claims`] prints LLVM 22's text, so that reading and printing keep it as it is.
//!
//! Code map: `read` splits the stream, `function` the lines of one function, `classify`, `counts` and `scoped` hold a
//! kind of line each; `syntax` and `typing` read an expression; `names` knows what names stand for; `print_expr` and
//! `print` go the other way.

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
