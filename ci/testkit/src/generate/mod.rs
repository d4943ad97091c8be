//! Generated programs whose meaning LangRef fixes: used to compare the interpreter with LLVM's own execution, and
//! code before a pass with code after it.
//!
//! A program is a set of functions and globals with one entry, `define i64 @pN.run()`, which computes a checksum over
//! values and memory. It has no input, ends within a bounded number of steps, reads no uninitialized memory and
//! creates neither `undef` nor poison: masks and selects guard flags, shifts, divisions and conversions. The bits of
//! NaNs and addresses are never observed. The same seed and features give the same text.
//!
//! | file | contents |
//! |---|---|
//! | `program` | globals, functions, recursion, tables of functions, the entry |
//! | `func` | values in scope, operands, the checksum |
//! | `control` | branches, switches, loops of all shapes |
//! | `ints`, `bits`, `floats`, `vectors` | arithmetic |
//! | `memory` | loads, stores, aggregates, copies, pointers in memory |
//! | `rare` | atomics, objects without a constant size, masks as integers |
//!
//! The other generators' functions often have UB:
//!
//! | generator | functions |
//! |---|---|
//! | [`wild_module`] | values of all types, to compare two models of the language |
//! | [`enumerable`] | narrow integers, few enough inputs to run all of them |
//! | [`effectful`] | narrow integers, memory, external calls |
//! | [`random_loop`] | loops that end at bounds of narrow types |
//! | [`graph_function`] | a given control-flow graph |
//! | [`promising_pair`] | pairs with metadata on their memory accesses |

mod bits;
mod control;
mod exits;
mod floats;
mod func;
mod graph;
mod ints;
mod memory;
mod parts;
mod program;
mod promising;
mod rare;
mod small;
mod text;
mod types;
mod vectors;
mod wild;

pub use exits::random_loop;
pub use graph::{TRACE, graph_function};
pub use parts::Features;
pub use program::{Program, program};
pub use promising::promising_pair;
pub use small::{Enumerable, Mix, OBJECT, effectful, enumerable};
pub use wild::wild_module;

use std::collections::BTreeSet;
use std::fmt::Write;

/// One module of several programs, with a `main` that prints the result of each as sixteen hexadecimal digits on a
/// line of its own, in order.
pub fn module(programs: &[Program]) -> String {
    let mut text = String::from("@format = private constant [8 x i8] c\"%016lx\\0A\\00\"\n\n");
    let mut main = String::new();
    let mut declarations = BTreeSet::new();
    for (i, program) in programs.iter().enumerate() {
        text.push_str(&program.text);
        declarations.extend(&program.declarations);
        let entry = &program.entry;
        writeln!(main, "  %r{i} = call i64 @{entry}()").expect("a string takes all");
        writeln!(main, "  %n{i} = call i32 (ptr, ...) @printf(ptr @format, i64 %r{i})")
            .expect("a string takes all");
    }
    write!(text, "define i32 @main() {{\n{main}  ret i32 0\n}}\n\ndeclare i32 @printf(ptr, ...)\n")
        .expect("a string takes all");
    for declaration in declarations {
        writeln!(text, "{declaration}").expect("a string takes all");
    }
    text
}
