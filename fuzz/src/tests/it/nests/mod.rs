//! Random loop nests with many kinds of subscripts, as text: sums that wrap in a few bits, negative and zero strides,
//! bounds that are arguments or iterations of other loops, several exits, elements and accesses of different sizes.
//! Also the functions on which oracles for nests are tested: these nests, and the functions of files.

use backedge_fuzz::oracles::dependences::in_form;
use backedge_interp::claims::inputs::Inputs;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::{Dice, corpus_files, llvm_tests, seeds};
use std::fmt::Write;

/// Size of each buffer in bytes; subscripts of the nests mostly stay in bounds.
const BUFFER: usize = 4096;

/// The text of a random module with `@f`.
pub(crate) fn nest(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let one_base = !dice.one_in(4);
    let mut maker = Maker { dice, out: String::new(), next: 0, one_base, ivs: Vec::new() };
    maker.out += "@A = global [64 x [16 x i32]] zeroinitializer\n@sink = global i8 0\n\ndefine void @f(ptr %p, ptr %q, i64 %n, i8 %m) {\nentry:\n";
    maker.out += "  br label %start\nstart:\n";
    let depth = maker.dice.range(1, 3) as u32;
    let end = maker.nest(depth, "start");
    if maker.dice.chance(25) {
        maker.nest(1, &end);
    }
    maker.out += "  ret void\n}\n";
    maker.out
}

/// An input for such a function.
pub(crate) fn input(seed: u64) -> Input {
    let mut dice = Dice::new(seed);
    let mut buffer = || {
        let bytes: Vec<u8> = (0..BUFFER).map(|_| dice.below(4) as u8).collect();
        ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes)))
    };
    let (p, other) = (buffer(), buffer());
    let q = match dice.below(4) {
        0 => ArgSpec::Alias { arg: 0, offset: 0 },
        1 => ArgSpec::Alias { arg: 0, offset: dice.between(0, 39) },
        _ => other,
    };
    let n = match dice.below(8) {
        0 => -1,
        1 => dice.between(0, 299),
        _ => dice.between(0, 6),
    };
    let m = match dice.below(3) {
        0 => dice.below(256),
        1 => dice.pick(&[0, 1, 127, 128, 129, 255, 64, 192]),
        _ => dice.below(5),
    };
    Input::new(vec![p, q, ArgSpec::Bits(n as u64 as u128), ArgSpec::Bits(m as u128)])
}

struct Maker {
    dice: Dice,
    out: String,
    next: u32,
    /// All subscripts are relative to one pointer, so that only their forms matter.
    one_base: bool,
    /// Induction variables in scope: the `i64` counter and the `i8` one of each loop.
    ivs: Vec<(String, String)>,
}

impl Maker {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }
    fn put(&mut self, text: &str) -> String {
        let name = self.name();
        let _ = writeln!(self.out, "  {name} = {text}");
        name
    }
    /// Emits a loop that contains `depth - 1` nested loops, after `from`; returns the block after the loop.
    fn nest(&mut self, depth: u32, from: &str) -> String {
        self.next += 1;
        let k = self.next;
        let start = self.dice.pick(&[0i64, 0, 0, 1, -128, 120, 5, -3]);
        let step = match self.dice.below(6) {
            0 => "%m".to_owned(),
            _ => self.dice.pick(&[1i64, 1, -1, 2, 3, 0, 64, -128, 127, 85]).to_string(),
        };
        let bound = match self.dice.below(6) {
            0 => "%n".to_owned(),
            1 => self.ivs.last().map_or("4".to_owned(), |(wide, _)| wide.clone()),
            _ => self.dice.range(1, 5).to_string(),
        };
        let _ = writeln!(self.out, "  br label %h{k}\nh{k}:");
        let _ = writeln!(self.out, "  %i{k} = phi i64 [ 0, %{from} ], [ %i{k}.next, %l{k} ]");
        let _ = writeln!(self.out, "  %w{k} = phi i8 [ {start}, %{from} ], [ %w{k}.next, %l{k} ]");
        self.ivs.push((format!("%i{k}"), format!("%w{k}")));
        let mut block = format!("h{k}");
        let is_early = self.dice.chance(20);
        if is_early {
            block = self.exit(k, &block);
        }
        for _ in 0..self.dice.below(3) + usize::from(depth == 1) {
            block = self.access(&block);
        }
        if depth > 1 {
            block = self.nest(depth - 1, &block);
            if self.dice.chance(20) {
                block = self.nest(1, &block);
            }
            for _ in 0..self.dice.below(2) {
                block = self.access(&block);
            }
        }
        if self.dice.chance(15) {
            block = self.exit(k, &block);
        }
        let _ = writeln!(self.out, "  br label %l{k}\nl{k}:");
        let _ = block;
        let _ = writeln!(self.out, "  %i{k}.next = add nuw i64 %i{k}, 1");
        let _ = writeln!(self.out, "  %w{k}.next = add i8 %w{k}, {step}");
        let more = match self.dice.below(8) {
            // The trip count is unknown.
            0 => {
                let at = self.put(&format!("getelementptr i8, ptr %p, i64 %i{k}"));
                let value = self.put(&format!("load i8, ptr {at}"));
                self.put(&format!("icmp ult i8 {value}, 2"))
            }
            1 => {
                let last = start + 3 * self.dice.pick(&[1, 2, -1]);
                self.put(&format!("icmp ne i8 %w{k}.next, {last}"))
            }
            _ => self.put(&format!("icmp ult i64 %i{k}.next, {bound}")),
        };
        let _ = writeln!(self.out, "  br i1 {more}, label %h{k}, label %x{k}\nx{k}:");
        self.ivs.pop();
        format!("x{k}")
    }
    /// Emits an exit of loop `k` to its exit block.
    fn exit(&mut self, k: u32, _block: &str) -> String {
        self.next += 1;
        let on = format!("c{}", self.next);
        let value = self.dice.pick(&[2i64, 3, 5, -1, 127]);
        let leaves = self.put(&format!("icmp eq i8 %w{k}, {value}"));
        let _ = writeln!(self.out, "  br i1 {leaves}, label %x{k}, label %{on}\n{on}:");
        on
    }
    /// Emits a load or store, possibly under a condition.
    fn access(&mut self, block: &str) -> String {
        if !self.dice.chance(20) {
            self.touch();
            return block.to_owned();
        }
        self.next += 1;
        let k = self.next;
        let iv = self.ivs.last().expect("it is in a loop").0.clone();
        let holds = self.put(&format!("icmp ult i64 {iv}, 2"));
        let _ = writeln!(self.out, "  br i1 {holds}, label %t{k}, label %j{k}\nt{k}:");
        self.touch();
        let _ = writeln!(self.out, "  br label %j{k}\nj{k}:");
        format!("j{k}")
    }
    fn touch(&mut self) {
        let address = self.address();
        let bits = self.dice.pick(&[8, 16, 32, 32, 32, 64]);
        if self.dice.chance(60) {
            let value = self.dice.below(4);
            let _ = writeln!(self.out, "  store i{bits} {value}, ptr {address}, align 1");
        } else {
            let value = self.put(&format!("load i{bits}, ptr {address}, align 1"));
            // Uses the loaded value.
            let narrow = if bits == 8 { value } else { self.put(&format!("trunc i{bits} {value} to i8")) };
            let _ = writeln!(self.out, "  store i8 {narrow}, ptr @sink, align 1");
        }
    }
    fn address(&mut self) -> String {
        let flags = self.dice.pick(&["inbounds ", "inbounds ", ""]);
        if self.dice.chance(if self.one_base { 5 } else { 20 }) && self.ivs.len() > 1 {
            // A declared matrix; the column index may exceed its row.
            let pick = self.dice.below(self.ivs.len());
            let row = self.ivs[pick].0.clone();
            let column = self.small();
            let text =
                format!("getelementptr {flags}[64 x [16 x i32]], ptr @A, i64 0, i64 {row}, i64 {column}");
            return self.put(&text);
        }
        let bytes = self.dice.pick(&[1, 2, 4, 4, 4, 8]);
        let base = if self.one_base { "%p" } else { self.dice.pick(&["%p", "%p", "%p", "%q", "@A"]) };
        let index = match self.dice.below(10) {
            0..=4 => self.small(),
            5..=8 => self.narrow(),
            _ => {
                // An index from memory.
                let index = self.narrow();
                let at = self.put(&format!("getelementptr i8, ptr %p, i64 {index}"));
                let value = self.put(&format!("load i8, ptr {at}"));
                self.put(&format!("zext i8 {value} to i64"))
            }
        };
        // Relative to the middle of the buffer, so that negative subscripts stay in bounds.
        let middle = if self.dice.chance(50) {
            let at = self.put(&format!("add i64 {index}, {}", 1040 / bytes));
            return self.put(&format!("getelementptr {flags}i{}, ptr {base}, i64 {at}", bytes * 8));
        } else {
            self.put(&format!("getelementptr {flags}i8, ptr {base}, i64 1040"))
        };
        self.put(&format!("getelementptr {flags}i{}, ptr {middle}, i64 {index}", bytes * 8))
    }
    /// A linear combination of counters with small coefficients, in 64 bits.
    fn small(&mut self) -> String {
        let mut sum = self.dice.between(-4, 4).to_string();
        for (wide, _) in self.ivs.clone() {
            if self.dice.chance(70) {
                let by = self.dice.pick(&[1i64, 1, 1, 2, -1, 3, -2, 6, 16]);
                let term = self.put(&format!("mul i64 {wide}, {by}"));
                sum = self.put(&format!("add i64 {sum}, {term}"));
            }
        }
        if self.dice.chance(15) {
            sum = self.put(&format!("add i64 {sum}, %n"));
        }
        if self.dice.chance(10) && !self.ivs.is_empty() {
            let wide = self.ivs[0].0.clone();
            let term = self.put(&format!("mul i64 {wide}, %n"));
            sum = self.put(&format!("add i64 {sum}, {term}"));
        }
        if sum.starts_with('%') { sum } else { self.put(&format!("add i64 0, {sum}")) }
    }
    /// The same in 8 bits, where it may wrap, extended to 64 bits in some way.
    fn narrow(&mut self) -> String {
        let mut sum = self.dice.pick(&[0i64, 1, -1, 127, -128, 64, 3]).to_string();
        for (wide, narrow) in self.ivs.clone() {
            if self.dice.chance(70) {
                let iv =
                    if self.dice.chance(60) { narrow } else { self.put(&format!("trunc i64 {wide} to i8")) };
                let by = self.dice.pick(&[1i64, 1, 2, -1, 3, 64, -128, 127, 85, 0]);
                let term = self.put(&format!("mul i8 {iv}, {by}"));
                sum = self.put(&format!("add i8 {sum}, {term}"));
            }
        }
        if self.dice.chance(20) {
            sum = self.put(&format!("add i8 {sum}, %m"));
        }
        if self.dice.chance(10) {
            let by = self.dice.pick(&[2, 3, 16]);
            sum = self.put(&format!("udiv i8 {sum}, {by}"));
        }
        if self.dice.chance(10) {
            sum = self.put(&format!("and i8 {sum}, 15"));
        }
        let how = self.dice.pick(&["zext", "sext", "sext"]);
        self.put(&format!("{how} i8 {sum} to i64"))
    }
}

/// A check of a function in canonical form, with inputs and a description of the function.
pub(crate) type Look<'l> = dyn FnMut(&Module, FuncId, &mut dyn Iterator<Item = Input>, &str) + 'l;

/// Checks randomly generated nests; `cases` is the default number.
pub(crate) fn in_generated(cases: u64, look: &mut Look<'_>) {
    for seed in seeds(cases) {
        let text = nest(seed);
        let mut module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
        let problems = backedge_ir::verify::verify_module(&module);
        assert!(problems.is_empty(), "{problems:?}\n{text}");
        assert!(in_form(&mut module), "seed {seed}");
        let func = module.env.func_named("f").expect("it has @f");
        let mut inputs = (0..8).map(|run| input(seed * 8 + run));
        look(&module, func, &mut inputs, &format!("seed {seed}\n{text}"));
    }
}

/// Checks the functions of the corpus and of LLVM's loop tests; `what` describes the check that is skipped if LLVM's
/// tests are missing.
pub(crate) fn in_files(what: &str, look: &mut Look<'_>) {
    let mut files = corpus_files();
    files.extend(llvm_tests(what).into_iter().flat_map(|t| t.files()));
    for path in files {
        let text = std::fs::read(&path).expect("to read a file");
        let Ok(parsed) = parse_module(&text) else { continue };
        let mut module = parsed.module;
        assert!(in_form(&mut module), "{}", path.display());
        for (func, _) in module.bodies() {
            let Some(inputs) = Inputs::new(&module, func, 64, 12, 1) else { continue };
            let which = format!("{}, @{}", path.display(), module.env.funcs[func].name);
            look(&module, func, &mut inputs.first(5), &which);
        }
    }
}
