//! A function being written: its text, the values in scope, the choice of operands, and the checksum.

use super::parts::{Features, Parts, Pointer};
use super::types::{Elem, Ty, constant, float_splat, int_literal, splat};
use crate::Dice;

/// A value in scope.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) ty: Ty,
    pub(super) text: String,
    /// Whether another value depends on it.
    pub(super) used: bool,
}

impl Value {
    pub(super) fn new(ty: Ty, text: String) -> Self {
        Self { ty, text, used: false }
    }
}

/// Bytes accessible from every pointer in scope.
pub(super) const REACH: usize = 64;
/// Size in bytes of every object that pointers in scope point into.
pub(super) const OBJECT: usize = 96;

/// An aggregate in scope.
#[derive(Clone, Debug)]
pub(super) struct Aggregate {
    pub(super) members: Vec<Elem>,
    pub(super) text: String,
}

/// A memory slot for values of one type, of any width.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) members: Vec<Elem>,
    pub(super) text: String,
}

/// The values in scope; the end of a region truncates it to its length at the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) values: Vec<Value>,
    pub(super) pointers: Vec<Pointer>,
    pub(super) aggregates: Vec<Aggregate>,
}

/// A scope size to return to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Mark(pub(super) usize, pub(super) usize, pub(super) usize);

impl Scope {
    pub(super) fn mark(&self) -> Mark {
        Mark(self.values.len(), self.pointers.len(), self.aggregates.len())
    }
    pub(super) fn cut(&mut self, mark: Mark) {
        self.values.truncate(mark.0);
        self.pointers.truncate(mark.1);
        self.aggregates.truncate(mark.2);
    }
}

/// A function being written.
#[derive(Debug)]
pub(super) struct Func<'p> {
    pub(super) parts: &'p mut Parts,
    pub(super) text: String,
    /// The label of the block being written.
    pub(super) block: String,
    pub(super) scope: Scope,
    pub(super) slots: Vec<Slot>,
    /// Tables of four pointers each.
    pub(super) tables: Vec<String>,
    /// Loops around the point being written, innermost last.
    pub(super) loops: Vec<LoopFrame>,
    /// Maximum number of times that the current point is reached.
    pub(super) times: u64,
    /// Approximate maximum number of instructions that a call of the function runs.
    pub(super) cost: u64,
    next: usize,
}

impl<'p> Func<'p> {
    pub(super) fn new(parts: &'p mut Parts) -> Self {
        Self {
            parts,
            text: String::new(),
            block: "entry".to_owned(),
            scope: Scope::default(),
            slots: Vec::new(),
            tables: Vec::new(),
            loops: Vec::new(),
            times: 1,
            cost: 0,
            next: 0,
        }
    }
    pub(super) fn dice(&mut self) -> &mut Dice {
        &mut self.parts.dice
    }
    pub(super) fn features(&self) -> Features {
        self.parts.features
    }
    /// A fresh name in the function, without sigil.
    pub(super) fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }
    /// Writes an instruction without a result.
    pub(super) fn emit(&mut self, line: &str) {
        self.cost += self.times;
        self.text.push_str("  ");
        self.text.push_str(line);
        self.text.push('\n');
    }
    /// Writes an instruction with a result that does not enter the scope.
    pub(super) fn raw(&mut self, rhs: &str) -> String {
        let name = format!("%{}", self.fresh("v"));
        self.emit(&format!("{name} = {rhs}"));
        name
    }
    /// Writes an instruction whose result enters the scope.
    pub(super) fn define(&mut self, ty: Ty, rhs: &str) -> Value {
        let text = self.raw(rhs);
        let value = Value::new(ty, text);
        self.scope.values.push(value.clone());
        value
    }
    /// Starts a block.
    pub(super) fn label(&mut self, label: &str) {
        self.text.push_str(label);
        self.text.push_str(":\n");
        label.clone_into(&mut self.block);
    }
    /// Declares an intrinsic function; returns the text of a call.
    pub(super) fn intrinsic(&mut self, name: &str, result: &str, args: &[(Ty, String)]) -> String {
        let types: Vec<String> = args.iter().map(|(ty, _)| ty.text()).collect();
        self.parts.declare(format!("declare {result} @{name}({})", types.join(", ")));
        let args: Vec<String> = args.iter().map(|(ty, arg)| format!("{} {arg}", ty.text())).collect();
        format!("call {result} @{name}({})", args.join(", "))
    }
    /// A random type that the features allow.
    pub(super) fn any_type(&mut self) -> Ty {
        let features = self.features();
        let roll = self.dice().below(100);
        if features.floats && roll < 35 {
            let elem = self.dice().pick(&[Elem::Float, Elem::Double]);
            let lanes = if features.vectors && roll < 7 { self.dice().pick(&[2, 4]) } else { 0 };
            Ty { elem, lanes }
        } else if features.vectors && roll < 55 {
            let elem = Elem::Int(self.dice().pick(&[1, 8, 16, 32, 32, 64, 5, 12, 33]));
            Ty { elem, lanes: self.dice().pick(&[2, 3, 4, 8]) }
        } else {
            Ty::int(self.width())
        }
    }
    /// A random integer width that the features allow.
    pub(super) fn width(&mut self) -> u32 {
        const COMMON: [u32; 8] = [8, 16, 32, 32, 32, 64, 64, 1];
        const ODD: [u32; 8] = [2, 7, 13, 24, 31, 33, 48, 63];
        const WIDE: [u32; 5] = [65, 80, 96, 127, 128];
        let features = self.features();
        match self.dice().below(10) {
            0..=6 => self.dice().pick(&COMMON),
            7 if features.odd => self.dice().pick(&ODD),
            8 if features.wide => self.dice().pick(&WIDE),
            9 if features.odd => self.dice().range(1, 64) as u32,
            _ => self.dice().pick(&[32, 64]),
        }
    }
    /// An operand of type `ty`: usually a recent value, sometimes a constant, a converted value if there is none.
    pub(super) fn operand(&mut self, ty: Ty) -> String {
        if self.dice().chance(12) {
            return constant(self.dice(), ty);
        }
        let fitting: Vec<usize> =
            (0..self.scope.values.len()).rev().filter(|i| self.scope.values[*i].ty == ty).collect();
        if !fitting.is_empty() && self.dice().chance(85) {
            let recent = if self.dice().chance(70) { fitting.len().min(3) } else { fitting.len() };
            let chosen = fitting[self.dice().below(recent)];
            self.scope.values[chosen].used = true;
            return self.scope.values[chosen].text.clone();
        }
        if self.scope.values.is_empty() {
            return constant(self.dice(), ty);
        }
        let recent = self.scope.values.len().min(12);
        let from = self.scope.values.len() - 1 - self.dice().below(recent);
        self.scope.values[from].used = true;
        let from = self.scope.values[from].clone();
        self.convert(&from, ty)
    }
    /// Converts `value` to the type `ty`.
    pub(super) fn convert(&mut self, value: &Value, ty: Ty) -> String {
        if value.ty == ty {
            return value.text.clone();
        }
        if ty.lanes > 0 {
            let scalar = self.convert(value, Ty::scalar(ty.elem));
            let lane = self.dice().below(ty.lanes as usize);
            let base = constant(self.dice(), ty);
            let (vec, elem) = (ty.text(), ty.elem.text());
            return self.define(ty, &format!("insertelement {vec} {base}, {elem} {scalar}, i32 {lane}")).text;
        }
        if value.ty.lanes > 0 {
            let lane = self.dice().below(value.ty.lanes as usize);
            let scalar = Ty::scalar(value.ty.elem);
            let rhs = format!("extractelement {} {}, i64 {lane}", value.ty.text(), value.text);
            let scalar = self.define(scalar, &rhs);
            return self.convert(&scalar, ty);
        }
        let (from, to) = (value.ty.text(), ty.text());
        let x = &value.text;
        match (value.ty.elem, ty.elem) {
            (Elem::Int(a), Elem::Int(b)) => {
                let op = if a > b { "trunc" } else { self.dice().pick(&["zext", "sext"]) };
                self.define(ty, &format!("{op} {from} {x} to {to}")).text
            }
            (Elem::Int(width), Elem::Float) if width > 53 && !self.features().wide => {
                let double =
                    Value::new(Ty::scalar(Elem::Double), self.convert(value, Ty::scalar(Elem::Double)));
                self.convert(&double, ty)
            }
            (Elem::Int(_), _) => {
                let op = self.dice().pick(&["sitofp", "uitofp"]);
                self.define(ty, &format!("{op} {from} {x} to {to}")).text
            }
            (_, Elem::Int(_)) => {
                let bits = self.clean_bits(value);
                self.convert(&bits, ty)
            }
            (Elem::Float, _) => self.define(ty, &format!("fpext {from} {x} to {to}")).text,
            (_, _) => self.define(ty, &format!("fptrunc {from} {x} to {to}")).text,
        }
    }
    /// `value`, a float or vector of floats, with NaNs replaced by another number.
    pub(super) fn clean(&mut self, ty: Ty, value: &str) -> String {
        let (text, bools) = (ty.text(), ty.with(Elem::Int(1)).text());
        let ordered = self.raw(&format!("fcmp ord {text} {value}, {value}"));
        let other = float_splat(ty, 1.5);
        self.raw(&format!("select {bools} {ordered}, {text} {value}, {text} {other}"))
    }
    /// The bits of a scalar float, with NaNs replaced.
    fn clean_bits(&mut self, value: &Value) -> Value {
        let clean = self.clean(value.ty, &value.text);
        let bits = Ty::int(value.ty.elem.bits());
        self.define(bits, &format!("bitcast {} {clean} to {}", value.ty.text(), bits.text()))
    }
    /// An `i64` operand of at most `max`, which is a power of two minus one.
    pub(super) fn index(&mut self, max: u128) -> String {
        if self.dice().chance(25) {
            return self.dice().below(max as usize + 1).to_string();
        }
        let width = self.dice().pick(&[8, 16, 32, 64, 64]);
        let ty = Ty::int(width);
        let x = self.operand(ty);
        let masked = self.raw(&format!("and {} {x}, {}", ty.text(), splat(ty, max)));
        if width == 64 { masked } else { self.raw(&format!("zext {} {masked} to i64", ty.text())) }
    }
    /// `value` as an `i64` that depends on all its bits.
    fn as_i64(&mut self, value: &Value) -> String {
        if value.ty.lanes > 0 {
            let mut sum = "0".to_owned();
            for lane in 0..value.ty.lanes {
                let rhs = format!("extractelement {} {}, i32 {lane}", value.ty.text(), value.text);
                let text = self.raw(&rhs);
                let lane = self.as_i64(&Value::new(Ty::scalar(value.ty.elem), text));
                let scaled = self.raw(&format!("mul i64 {sum}, 31"));
                sum = self.raw(&format!("add i64 {scaled}, {lane}"));
            }
            return sum;
        }
        match value.ty.elem {
            Elem::Int(64) => value.text.clone(),
            Elem::Int(width) if width < 64 => self.raw(&format!("zext i{width} {} to i64", value.text)),
            Elem::Int(width) => {
                let low = self.raw(&format!("trunc i{width} {} to i64", value.text));
                let high = self.raw(&format!(
                    "lshr i{width} {}, {}",
                    value.text,
                    int_literal(width, (width - 64).into())
                ));
                let high = self.raw(&format!("trunc i{width} {high} to i64"));
                let high = self.raw(&format!("mul i64 {high}, 7046029254386353131"));
                self.raw(&format!("xor i64 {low}, {high}"))
            }
            Elem::Float | Elem::Double => {
                let clean = self.clean(value.ty, &value.text);
                let width = value.ty.elem.bits();
                let bits = self.raw(&format!("bitcast {} {clean} to i{width}", value.ty.text()));
                self.as_i64(&Value::new(Ty::int(width), bits))
            }
        }
    }
    /// Folds `values` into the checksum.
    pub(super) fn mix(&mut self, values: &[Value]) {
        if values.is_empty() {
            return;
        }
        let sum = self.parts.checksum();
        let mut now = self.raw(&format!("load i64, ptr @{sum}"));
        for value in values {
            let bits = self.as_i64(value);
            let mixed = self.raw(&format!("xor i64 {now}, {bits}"));
            let product = self.raw(&format!("mul i64 {mixed}, 6364136223846793005"));
            let high = self.raw(&format!("lshr i64 {product}, 29"));
            now = self.raw(&format!("xor i64 {product}, {high}"));
        }
        self.emit(&format!("store i64 {now}, ptr @{sum}"));
    }
    /// Folds up to `count` of the values that entered the scope after `mark` into the checksum, unused values first.
    pub(super) fn mix_since(&mut self, mark: Mark, count: usize) {
        let new = mark.0.min(self.scope.values.len())..self.scope.values.len();
        let mut chosen = Vec::new();
        let unused = new.clone().filter(|i| !self.scope.values[*i].used).collect::<Vec<_>>();
        for _ in 0..count.min(new.len()) {
            let i = if unused.is_empty() {
                new.start + self.dice().below(new.len())
            } else {
                unused[self.dice().below(unused.len())]
            };
            self.scope.values[i].used = true;
            chosen.push(self.scope.values[i].clone());
        }
        self.mix(&chosen);
    }
}

/// A loop being written.
#[derive(Clone, Debug)]
pub(super) struct LoopFrame {
    pub(super) exit: String,
    /// Types of the exit block's phis, and their incoming values on each edge.
    pub(super) exit_types: Vec<Ty>,
    pub(super) exit_edges: Vec<(String, Vec<String>)>,
    /// The values in scope after the loop.
    pub(super) keep: Mark,
    /// The values in scope in the header.
    pub(super) header_scope: Mark,
}
