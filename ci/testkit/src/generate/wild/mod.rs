//! Generated functions, often with UB, to compare two models of the language.
//!
//! A module has one function `@f` with one to four parameters, small enough that a few inputs reach most of its
//! behavior. Nothing is guarded: flags are violated, divisors are zero, accesses are out of bounds, branches depend
//! on poison and `undef`. Most loops are short; some never end. It calls external functions with all kinds of
//! effects. The text always passes LLVM's verifier; the same seed gives the same text.
//!
//! | file | contents |
//! |---|---|
//! | `values` | arithmetic, casts, comparisons, intrinsics, on integers, floats, vectors and aggregates |
//! | `memory` | objects, addresses, loads, stores, copies, lifetimes |
//! | `control` | branches, switches, loops, calls, assumptions, returns |

mod control;
mod memory;
mod values;

use super::text::Text;
use super::types::{Elem, Ty, constant, float_splat};
use crate::Dice;
use std::fmt::Write;

/// Generates the module of `seed`.
pub fn wild_module(seed: u64) -> String {
    let mut wild = Wild {
        // A random stream different from that of the well-defined program of the same seed.
        dice: Dice::new(seed ^ 0x7769_6c64),
        text: Text::new(),
        values: Vec::new(),
        pointers: Vec::new(),
        metadata: Vec::new(),
        returned: Vec::new(),
    };
    let header = wild.header();
    wild.body();
    let Wild { text, metadata, .. } = wild;
    let mut module = String::from("@g = global [16 x i8] zeroinitializer, align 4\n");
    module.push_str("@c = constant [8 x i8] c\"\\01\\02\\03\\04\\FF\\00\\80\\7F\", align 8\n\n");
    write!(module, "{header} {{\nentry:\n{}}}\n\n{}", text.out, text.declarations())
        .expect("a string takes all");
    for (i, node) in metadata.iter().enumerate() {
        writeln!(module, "!{i} = {node}").expect("a string takes all");
    }
    module
}

/// A function being written.
struct Wild {
    dice: Dice,
    text: Text,
    values: Vec<(Ty, String)>,
    pointers: Vec<String>,
    metadata: Vec<String>,
    /// The types that the function returns besides a pointer.
    returned: Vec<Ty>,
}

/// A scope size to return to.
type Mark = (usize, usize);

impl Wild {
    /// Writes the signature.
    fn header(&mut self) -> String {
        let mut params = Vec::new();
        for i in 0..self.dice.range(1, 4) {
            let name = format!("%a{i}");
            if self.dice.chance(35) {
                let attrs = self.pointer_attributes();
                params.push(format!("ptr {attrs}{name}"));
                self.pointers.push(name);
            } else {
                let ty = self.any_type();
                let attrs = self.value_attributes(ty);
                params.push(format!("{} {attrs}{name}", ty.text()));
                self.values.push((ty, name));
            }
        }
        let attrs = self.function_attributes();
        self.returned = vec![Ty::int(8), Ty::BOOL, self.any_type(), self.any_type()];
        let ret = self.return_type();
        format!("define {ret} @f({}){attrs}", params.join(", "))
    }
    fn pointer_attributes(&mut self) -> String {
        const ATTRIBUTES: [&str; 10] = [
            "noundef",
            "nonnull",
            "align 4",
            "dereferenceable(4)",
            "noundef nonnull",
            "noundef align 2",
            "noundef dereferenceable(8)",
            "readonly",
            "writeonly",
            "readnone",
        ];
        if self.dice.chance(25) { format!("{} ", self.dice.pick(&ATTRIBUTES)) } else { String::new() }
    }
    fn value_attributes(&mut self, ty: Ty) -> String {
        if !self.dice.chance(15) {
            return String::new();
        }
        let noundef = if self.dice.chance(60) { "noundef " } else { "" };
        match ty {
            Ty { elem: Elem::Int(width), lanes: 0 } if width >= 4 && self.dice.chance(60) => {
                format!("{noundef}range(i{width} -3, 5) ")
            }
            _ => noundef.to_owned(),
        }
    }
    fn function_attributes(&mut self) -> &'static str {
        match self.dice.below(24) {
            0 => " memory(none)",
            1 => " memory(read)",
            2 => " memory(argmem: readwrite)",
            3 => " memory(write)",
            _ => "",
        }
    }

    /// A random value type.
    fn any_type(&mut self) -> Ty {
        match self.dice.below(20) {
            0..=14 => self.int_type(),
            15 | 16 => Ty::scalar(self.dice.pick(&[Elem::Float, Elem::Double])),
            17 => Ty { elem: Elem::Float, lanes: 2 },
            _ => Ty { elem: Elem::Int(self.dice.pick(&[1, 5, 8, 8, 16])), lanes: self.dice.pick(&[2, 3, 4]) },
        }
    }
    fn int_type(&mut self) -> Ty {
        Ty::int(self.dice.pick(&[1, 4, 8, 8, 8, 8, 16, 32, 32, 64, 3, 13, 33, 128]))
    }
    fn define(&mut self, ty: Ty, rhs: &str) {
        let name = self.text.result(rhs);
        self.values.push((ty, name));
    }
    fn mark(&self) -> Mark {
        (self.values.len(), self.pointers.len())
    }
    fn cut(&mut self, mark: Mark) {
        self.values.truncate(mark.0);
        self.pointers.truncate(mark.1);
    }
    /// An operand of type `ty`.
    fn operand(&mut self, ty: Ty) -> String {
        match self.dice.below(100) {
            0..=2 => return "poison".to_owned(),
            3..=5 => return "undef".to_owned(),
            6..=20 => return self.small_constant(ty),
            _ => {}
        }
        let fitting: Vec<usize> = (0..self.values.len()).filter(|i| self.values[*i].0 == ty).collect();
        if !fitting.is_empty() {
            // Prefer recent values.
            let at = fitting.len() - 1 - self.dice.below(fitting.len()).min(self.dice.below(fitting.len()));
            return self.values[fitting[at]].1.clone();
        }
        if let Elem::Int(width) = ty.elem {
            let other = (0..self.values.len()).rev().find(|i| {
                let other = self.values[*i].0;
                other.is_int() && other.lanes == ty.lanes && other.elem.bits() != width
            });
            if let Some((from, name)) = other.map(|i| self.values[i].clone()) {
                let op = if from.elem.bits() > width { "trunc" } else { self.dice.pick(&["zext", "sext"]) };
                return self.text.result(&format!("{op} {} {name} to {}", from.text(), ty.text()));
            }
        }
        self.small_constant(ty)
    }
    /// A constant, usually small or extreme; lanes of a vector may be poison or undef.
    fn small_constant(&mut self, ty: Ty) -> String {
        if ty.lanes > 0 && self.dice.chance(25) {
            let lanes: Vec<String> = (0..ty.lanes)
                .map(|_| {
                    let lane = match self.dice.below(4) {
                        0 => "poison".to_owned(),
                        1 => "undef".to_owned(),
                        _ => constant(&mut self.dice, Ty::scalar(ty.elem)),
                    };
                    format!("{} {lane}", ty.elem.text())
                })
                .collect();
            return format!("<{}>", lanes.join(", "));
        }
        if !ty.is_int() && self.dice.chance(30) {
            let special = self.dice.pick(&[f64::NAN, f64::NAN, f64::INFINITY, -0.0, 0.5, 300.0]);
            return float_splat(ty, special);
        }
        constant(&mut self.dice, ty)
    }
    /// A pointer operand.
    fn pointer(&mut self) -> String {
        match self.dice.below(60) {
            0 => "poison".to_owned(),
            1 => "undef".to_owned(),
            2 => "null".to_owned(),
            3..=8 => "@g".to_owned(),
            9..=11 => "@c".to_owned(),
            _ if self.pointers.is_empty() => "@g".to_owned(),
            _ => {
                let count = self.pointers.len();
                self.pointers[count - 1 - self.dice.below(count)].clone()
            }
        }
    }
    /// The number of the metadata node with that text.
    fn node(&mut self, text: &str) -> usize {
        if let Some(at) = self.metadata.iter().position(|n| n == text) {
            return at;
        }
        self.metadata.push(text.to_owned());
        self.metadata.len() - 1
    }
}
