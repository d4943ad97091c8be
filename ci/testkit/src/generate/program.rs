//! Whole programs: globals, functions that call each other, recursion, a function table, and the entry.

use super::func::{Aggregate, Func, OBJECT, Value};
use super::parts::{Callable, Features, Param, Parts, Pointer, Ret};
use super::types::{Ty, constant};
use crate::Dice;
use std::collections::BTreeSet;

/// A generated program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The seed it was generated from.
    pub seed: u64,
    /// The name of the entry, without `@`: a function without parameters that returns an `i64`.
    pub entry: String,
    /// Globals and functions; all names begin with `pSEED.`.
    pub text: String,
    /// Declarations of the intrinsic functions called, one per entry.
    pub declarations: BTreeSet<String>,
}

impl Program {
    /// The program as a module of its own, without the `main` that [`super::module`] adds.
    pub fn standalone(&self) -> String {
        let declarations: Vec<&str> = self.declarations.iter().map(String::as_str).collect();
        format!("{}{}\n", self.text, declarations.join("\n"))
    }
}

/// The parameter type for objects that are passed whole.
fn whole_object(attribute: &str) -> String {
    format!("ptr {attribute}([{OBJECT} x i8]) align 16")
}

/// Maximum number of instructions that a call of a function should run: keeps runs within the interpreter's fuel.
const MOST_COST: u64 = 20_000;
/// Maximum nesting of recursive calls: the cost of a call grows exponentially with it.
const DEPTH: usize = 4;

impl Parts {
    pub(super) fn declare(&mut self, declaration: String) {
        self.declarations.insert(declaration);
    }
    /// The name of the global that holds the checksum.
    pub(super) fn checksum(&self) -> String {
        format!("{}.sum", self.prefix)
    }
    /// A fresh object number.
    pub(super) fn object(&mut self) -> usize {
        self.objects += 1;
        self.objects
    }
    /// The function that folds an object's bytes into the checksum.
    pub(super) fn byte_mixer(&mut self) -> String {
        let (name, sum) = (format!("{}.bytes", self.prefix), self.checksum());
        if !self.has_mixer {
            self.has_mixer = true;
            let words = OBJECT / 8;
            self.text += &format!(
                "define internal void @{name}(ptr %p) {{
entry:
  %s = load i64, ptr @{sum}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = phi i64 [ %s, %entry ], [ %d, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %q, align 1
  %b = xor i64 %a, %v
  %c = mul i64 %b, 6364136223846793005
  %h = lshr i64 %c, 31
  %d = xor i64 %c, %h
  %j = add nuw nsw i64 %i, 1
  %e = icmp ult i64 %j, {words}
  br i1 %e, label %loop, label %exit
exit:
  store i64 %d, ptr @{sum}
  ret void
}}

"
            );
        }
        name
    }
    fn globals(&mut self) {
        let prefix = self.prefix.clone();
        let start = self.dice.bits() as i64;
        self.text += &format!("@{prefix}.sum = internal global i64 {start}\n");
        if !self.features.memory {
            return;
        }
        let most = if self.features.small { 2 } else { 3 };
        for i in 0..self.dice.range(1, most) {
            let name = format!("@{prefix}.g{i}");
            let writable = i == 0 || self.dice.chance(70);
            let kind = if writable { "global" } else { "constant" };
            let value = self.initializer();
            self.text += &format!("{name} = internal {kind} {value}, align 16\n");
            let object = Some(self.object());
            self.pointers.push(Pointer { text: name, writable, object });
        }
        if self.dice.chance(50) {
            let name = format!("@{prefix}.table");
            let members: Vec<String> = (0..4).map(|_| self.global_address()).collect();
            self.text += &format!("{name} = internal constant [4 x ptr] [{}]\n", members.join(", "));
            self.tables.push(name);
        }
    }
    /// The type and initializer of an object of [`OBJECT`] bytes.
    fn initializer(&mut self) -> String {
        match self.dice.below(4) {
            0 => {
                let bytes: String = (0..OBJECT).map(|_| format!("\\{:02X}", self.dice.below(256))).collect();
                format!("[{OBJECT} x i8] c\"{bytes}\"")
            }
            1 => {
                let elems: Vec<String> = (0..OBJECT / 4)
                    .map(|_| format!("i32 {}", constant(&mut self.dice, Ty::int(32))))
                    .collect();
                format!("[{} x i32] [{}]", OBJECT / 4, elems.join(", "))
            }
            2 => {
                let (a, b) = (constant(&mut self.dice, Ty::int(64)), constant(&mut self.dice, Ty::int(16)));
                format!(
                    "{{ i64, [4 x i16], [80 x i8] }} {{ i64 {a}, [4 x i16] [i16 {b}, i16 1, i16 {b}, i16 -1], \
                     [80 x i8] zeroinitializer }}"
                )
            }
            _ => format!("[{OBJECT} x i8] zeroinitializer"),
        }
    }
    /// The address of a writable global, or of a place in it with enough bytes left.
    fn global_address(&mut self) -> String {
        let writable: Vec<String> =
            self.pointers.iter().filter(|p| p.writable).map(|p| p.text.clone()).collect();
        let name = &writable[self.dice.below(writable.len())];
        match self.dice.below(3) {
            0 => format!("ptr {name}"),
            1 => format!("ptr getelementptr inbounds (i8, ptr {name}, i64 {})", self.dice.below(33)),
            _ => format!("ptr getelementptr ([4 x i32], ptr {name}, i64 1, i64 {})", self.dice.below(4)),
        }
    }
    fn params(&mut self) -> Vec<Param> {
        let count = self.dice.range(1, 4);
        (0..count)
            .map(|_| {
                if self.features.memory && self.features.rare && self.dice.chance(6) {
                    return Param::Copied;
                }
                if self.features.memory && self.dice.chance(20) {
                    return Param::Pointer;
                }
                Param::Value(Func::new(self).any_type())
            })
            .collect()
    }
    fn ret(&mut self) -> Ret {
        if self.features.aggregates && self.dice.chance(20) {
            let count = self.dice.range(1, 3);
            return Ret::Aggregate((0..count).map(|_| Func::new(self).member()).collect());
        }
        Ret::Value(Func::new(self).any_type())
    }
    /// Writes a function.
    fn function(&mut self, name: String, params: Vec<Param>, ret: Ret, recursive: bool) -> Callable {
        let (size, depth) =
            if self.features.small { (self.dice.range(1, 4), 2) } else { (self.dice.range(2, 6), 3) };
        let header: Vec<String> = params.iter().enumerate().map(|(i, p)| self.param(i, *p)).collect();
        let mut func = Func::new(self);
        func.begin(&params);
        if recursive {
            func.recursion(&name, &params, &ret, size);
        } else {
            func.region(size, depth);
        }
        func.finish(&ret);
        let cost = func.cost * if recursive { (2 << DEPTH) - 1 } else { 1 };
        let body = func.text;
        let ret_text = ret.text();
        self.text += &format!("define internal {ret_text} @{name}({}) {{\n{body}}}\n\n", header.join(", "));
        Callable { name, params, ret, is_table: false, cost }
    }
    fn param(&mut self, i: usize, param: Param) -> String {
        let noundef = if self.dice.chance(20) { "noundef " } else { "" };
        match param {
            Param::Value(ty) => format!("{} {noundef}%a{i}", ty.text()),
            Param::Pointer => format!("ptr {noundef}%a{i}"),
            Param::Copied => format!("{} %a{i}", whole_object("byval")),
            Param::Result => format!("{} %a{i}", whole_object("sret")),
            Param::Depth => format!("i32 {noundef}%a{i}"),
        }
    }
    fn functions(&mut self) {
        let small = self.features.small;
        let count = if small { self.dice.below(2) } else { self.dice.range(1, 3) };
        for i in 0..count {
            let (mut params, mut ret) = (self.params(), self.ret());
            if self.features.memory && self.features.rare && self.dice.chance(10) {
                params.insert(0, Param::Result);
                ret = Ret::Nothing;
            }
            let callable = self.function(format!("{}.f{i}", self.prefix), params, ret, false);
            self.callables.push(callable);
        }
        let often = if small { 8 } else { 40 };
        if self.dice.chance(often) {
            let mut params = self.params();
            params.insert(0, Param::Depth);
            let ret = self.ret();
            let callable = self.function(format!("{}.rec", self.prefix), params, ret, true);
            self.callables.push(callable);
        }
        if self.dice.chance(often) {
            self.table();
        }
    }
    /// Writes four functions of one type and a table of them.
    fn table(&mut self) {
        let (params, ret) = (self.params(), self.ret());
        let name = format!("{}.fns", self.prefix);
        let members: Vec<Callable> =
            (0..4).map(|i| self.function(format!("{name}{i}"), params.clone(), ret.clone(), false)).collect();
        let addresses: Vec<String> = members.iter().map(|m| format!("ptr @{}", m.name)).collect();
        self.text += &format!("@{name} = internal constant [4 x ptr] [{}]\n", addresses.join(", "));
        let cost = members.iter().map(|m| m.cost).max().unwrap_or(0);
        self.callables.push(Callable { name, params, ret, is_table: true, cost });
    }
}

impl Func<'_> {
    /// Puts parameters and globals in scope and creates the local objects.
    fn begin(&mut self, params: &[Param]) {
        self.text.push_str("entry:\n");
        self.scope.pointers.clone_from(&self.parts.pointers);
        self.tables.clone_from(&self.parts.tables);
        for (i, param) in params.iter().enumerate() {
            let text = format!("%a{i}");
            match param {
                Param::Value(ty) => self.scope.values.push(Value::new(*ty, text)),
                Param::Depth => self.scope.values.push(Value::new(Ty::int(32), text)),
                Param::Pointer | Param::Result => {
                    self.scope.pointers.push(Pointer { text, writable: true, object: None });
                }
                Param::Copied => {
                    let object = Some(self.parts.object());
                    self.scope.pointers.push(Pointer { text, writable: true, object });
                }
            }
        }
        if self.features().memory {
            self.locals();
        }
    }
    /// Folds local memory into the checksum and returns.
    fn finish(&mut self, ret: &Ret) {
        let globals = self.parts.pointers.len();
        let locals = self.scope.pointers.split_off(globals);
        let all = std::mem::replace(&mut self.scope.pointers, locals);
        self.mix_objects();
        self.scope.pointers.splice(0..0, all);
        self.give_back(ret);
    }
    fn give_back(&mut self, ret: &Ret) {
        let value = match ret {
            Ret::Nothing => return self.emit("ret void"),
            Ret::Value(ty) => self.operand(*ty),
            Ret::Aggregate(members) => self.aggregate(members),
        };
        self.emit(&format!("ret {} {value}", ret.text()));
    }
    /// The body of a recursive function: it returns immediately at depth 0 and otherwise calls itself at most twice.
    fn recursion(&mut self, name: &str, params: &[Param], ret: &Ret, size: usize) {
        let done = self.raw("icmp sle i32 %a0, 0");
        self.emit(&format!("br i1 {done}, label %base, label %more"));
        let mark = self.scope.mark();
        self.label("base");
        self.give_back(ret);
        self.scope.cut(mark);
        self.label("more");
        let depth = self.raw("add nsw i32 %a0, -1");
        for _ in 0..self.dice().range(1, 2) {
            self.region(size / 3, 1);
            let args: Vec<String> = params.iter().map(|p| self.argument(*p, Some(&depth))).collect();
            self.call(&format!("@{name}"), &args, ret);
        }
        self.region(size / 3, 1);
    }
    fn argument(&mut self, param: Param, depth: Option<&str>) -> String {
        match param {
            Param::Value(ty) => format!("{} {}", ty.text(), self.operand(ty)),
            Param::Depth => match depth {
                Some(depth) => format!("i32 {depth}"),
                None => format!("i32 {}", self.dice().range(0, DEPTH)),
            },
            Param::Pointer => format!("ptr {}", self.pointer(true).expect("a global is writable").text),
            Param::Copied => format!("{} {}", whole_object("byval"), self.start_of_object()),
            Param::Result => format!("{} {}", whole_object("sret"), self.start_of_object()),
        }
    }
    /// A pointer to the start of a writable object.
    fn start_of_object(&mut self) -> String {
        let starts = self.scope.pointers.iter().filter(|p| p.writable && p.object.is_some());
        let starts: Vec<String> = starts.map(|p| p.text.clone()).collect();
        starts[self.dice().below(starts.len())].clone()
    }
    fn call(&mut self, callee: &str, args: &[String], ret: &Ret) {
        let rhs = format!("call {} {callee}({})", ret.text(), args.join(", "));
        match ret {
            Ret::Nothing => self.emit(&rhs),
            Ret::Value(ty) => {
                self.define(*ty, &rhs);
            }
            Ret::Aggregate(members) => {
                let text = self.raw(&rhs);
                self.scope.aggregates.push(Aggregate { members: members.clone(), text });
            }
        }
    }
    /// Writes a call of an earlier function, or through a table.
    pub(super) fn call_statement(&mut self) {
        let room = MOST_COST.saturating_sub(self.cost) / self.times;
        let fitting: Vec<usize> =
            (0..self.parts.callables.len()).filter(|i| self.parts.callables[*i].cost <= room).collect();
        if fitting.is_empty() {
            let ty = Ty::int(self.width());
            return self.int_statement(ty);
        }
        let chosen = fitting[self.dice().below(fitting.len())];
        self.call_callable(chosen);
    }
    fn call_callable(&mut self, index: usize) {
        let Callable { name, params, ret, is_table, cost } = self.parts.callables[index].clone();
        let args: Vec<String> = params.iter().map(|p| self.argument(*p, None)).collect();
        let mut callee = format!("@{name}");
        if is_table {
            let at = self.index(3);
            let at = self.raw(&format!("getelementptr inbounds [4 x ptr], ptr @{name}, i64 0, i64 {at}"));
            callee = self.raw(&format!("load ptr, ptr {at}"));
        }
        self.call(&callee, &args, &ret);
        self.cost += self.times * cost;
    }
    /// The entry: some code, a call of every function, the globals' bytes, and the checksum.
    fn entry(&mut self) {
        self.begin(&[]);
        let size = self.dice().range(3, 10);
        self.region(size, 3);
        let mark = self.scope.mark();
        for i in 0..self.parts.callables.len() {
            self.call_callable(i);
        }
        self.mix_since(mark, 6);
        self.mix_objects();
        let sum = self.parts.checksum();
        let sum = self.raw(&format!("load i64, ptr @{sum}"));
        self.emit(&format!("ret i64 {sum}"));
    }
}

/// Generates the program of `seed`.
pub fn program(seed: u64, features: Features) -> Program {
    let prefix = format!("p{seed}");
    let mut parts = Parts {
        dice: Dice::new(seed),
        features,
        prefix: prefix.clone(),
        text: String::new(),
        declarations: BTreeSet::new(),
        callables: Vec::new(),
        pointers: Vec::new(),
        tables: Vec::new(),
        objects: 0,
        has_mixer: false,
    };
    parts.globals();
    parts.functions();
    let mut func = Func::new(&mut parts);
    func.entry();
    let body = func.text;
    let entry = format!("{prefix}.run");
    parts.text += &format!("define i64 @{entry}() {{\n{body}}}\n\n");
    Program { seed, entry, text: parts.text, declarations: parts.declarations }
}
