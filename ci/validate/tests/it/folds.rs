//! Every change that `instsimplify` and `simplifycfg` make to small random functions is a refinement for all values of
//! a small width, including poison and undefined bits. Functions are a few instructions on two 3-bit integers and an
//! i1, half of them after a branch on a comparison, so that passes can use facts known on one side.
//!
//! The only accepted reason for an undecided change is that the checker chooses undefined bits once, where the source
//! may choose them anew at each use.
//!
//! `BACKEDGE_CASES` sets the number of functions, `BACKEDGE_SEED` the first seed.

use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_testkit::{Dice, number};
use backedge_validate::check::{self, Side, check};
use backedge_validate::verdict::{Reason, Verdict};
use rayon::prelude::*;

const WIDTHS: [u32; 3] = [1, 3, 5];
const PREDICATES: [&str; 10] = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];
const BINARY: [(&str, &[&str]); 13] = [
    ("add", &["nuw", "nsw", "nuw nsw"]),
    ("sub", &["nuw", "nsw", "nuw nsw"]),
    ("mul", &["nuw", "nsw", "nuw nsw"]),
    ("shl", &["nuw", "nsw", "nuw nsw"]),
    ("lshr", &["exact"]),
    ("ashr", &["exact"]),
    ("udiv", &["exact"]),
    ("sdiv", &["exact"]),
    ("urem", &[]),
    ("srem", &[]),
    ("and", &[]),
    ("or", &["disjoint"]),
    ("xor", &[]),
];
const CALLS: [&str; 10] =
    ["umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat", "abs", "ctpop"];

/// Builder of one function's text.
struct Maker {
    dice: Dice,
    text: String,
    /// Values by name with their widths.
    values: Vec<(String, u32)>,
    next: usize,
}

impl Maker {
    fn operand(&mut self, width: u32) -> String {
        let of_width: Vec<String> =
            self.values.iter().filter(|(_, w)| *w == width).map(|(n, _)| n.clone()).collect();
        if of_width.is_empty() || self.dice.one_in(4) {
            let most = (1_i64 << width) - 1;
            let value = match self.dice.below(16) {
                0 => return "poison".to_owned(),
                1 => return "undef".to_owned(),
                2..6 => 0,
                6..9 => most,
                9..12 => 1,
                _ => self.dice.below(1 << width) as i64,
            };
            return if width == 1 { (value != 0).to_string() } else { value.to_string() };
        }
        // The newest value, so that instructions depend on each other, or any value.
        if self.dice.one_in(2) {
            of_width[of_width.len() - 1].clone()
        } else {
            of_width[self.dice.below(of_width.len())].clone()
        }
    }
    fn define(&mut self, width: u32, code: &str) {
        let name = format!("%v{}", self.next);
        self.next += 1;
        self.text += &format!("  {name} = {code}\n");
        self.values.push((name, width));
    }
    fn instruction(&mut self) {
        let width = self.dice.pick(&[1, 3, 3, 3]);
        match self.dice.below(12) {
            0..5 => {
                let (op, flags) = self.dice.pick(&BINARY);
                let flag = if flags.is_empty() || self.dice.one_in(2) { "" } else { self.dice.pick(flags) };
                let (a, b) = (self.operand(width), self.operand(width));
                self.define(width, &format!("{op} {flag} i{width} {a}, {b}"));
            }
            5 | 6 => {
                let pred = self.dice.pick(&PREDICATES);
                let (a, b) = (self.operand(width), self.operand(width));
                self.define(1, &format!("icmp {pred} i{width} {a}, {b}"));
            }
            7 => {
                let (c, a, b) = (self.operand(1), self.operand(width), self.operand(width));
                self.define(width, &format!("select i1 {c}, i{width} {a}, i{width} {b}"));
            }
            8 => {
                let a = self.operand(width);
                self.define(width, &format!("freeze i{width} {a}"));
            }
            9 => self.cast(),
            _ => {
                let name = self.dice.pick(&CALLS);
                let a = self.operand(3);
                let arguments = match name {
                    "abs" => format!("i3 {a}, i1 {}", self.dice.one_in(2)),
                    "ctpop" => format!("i3 {a}"),
                    _ => format!("i3 {a}, i3 {}", self.operand(3)),
                };
                self.define(3, &format!("call i3 @llvm.{name}.i3({arguments})"));
            }
        }
    }
    fn cast(&mut self) {
        let (from, to) = (self.dice.pick(&WIDTHS), self.dice.pick(&WIDTHS));
        let a = self.operand(from);
        match from.cmp(&to) {
            std::cmp::Ordering::Less => {
                let op = self.dice.pick(&["zext", "sext", "zext nneg"]);
                self.define(to, &format!("{op} i{from} {a} to i{to}"));
            }
            std::cmp::Ordering::Greater => {
                let op = self.dice.pick(&["trunc", "trunc nuw", "trunc nsw"]);
                self.define(to, &format!("{op} i{from} {a} to i{to}"));
            }
            std::cmp::Ordering::Equal => {}
        }
    }
}

/// One function called `f{index}`.
fn function(seed: u64, index: usize) -> String {
    let dice = Dice::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(index as u64));
    let arguments = [("%x", 3), ("%y", 3), ("%c", 1)];
    let values = arguments.map(|(n, w)| (n.to_owned(), w)).to_vec();
    let mut maker = Maker { dice, text: String::new(), values, next: 0 };
    let following = maker.dice.one_in(2);
    if following {
        let pred = maker.dice.pick(&PREDICATES);
        let b = if maker.dice.one_in(3) { "%y".to_owned() } else { maker.dice.below(8).to_string() };
        maker.text +=
            &format!("  %d = icmp {pred} i3 %x, {b}\n  br i1 %d, label %inside, label %out\ninside:\n");
        maker.values.push(("%d".to_owned(), 1));
    }
    for _ in 0..2 + maker.dice.below(3) {
        maker.instruction();
    }
    let (result, width) = maker.values[maker.values.len() - 1].clone();
    if following {
        maker.text += "  br label %out\nout:\n";
        maker.define(width, &format!("phi i{width} [ 0, %entry ], [ {result}, %inside ]"));
    }
    let (result, width) = maker.values[maker.values.len() - 1].clone();
    let zero = if width == 1 { "i1 [ false" } else { "" };
    let text = if zero.is_empty() { maker.text } else { maker.text.replace("i1 [ 0", zero) };
    format!("define i{width} @f{index}(i3 %x, i3 %y, i1 %c) {{\nentry:\n{text}  ret i{width} {result}\n}}\n")
}

fn simplified(before: &Module, pipeline: &str) -> Module {
    let mut after = before.clone();
    let pipeline = parse_pipeline(pipeline).expect("the pipeline is right");
    run(&mut after, &pipeline, Options { verify_each: true, ..Options::default() }, &mut Nobody)
        .expect("what the passes leave is right");
    after
}

/// The number of functions that were changed and proved, and the number of undecided changes.
fn judge(seed: u64, count: usize, pipeline: &str) -> (usize, usize) {
    let text: String = (0..count).map(|i| function(seed, i)).collect();
    let before = read_module(text.as_bytes()).unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}")).module;
    let after = simplified(&before, pipeline);
    let options = check::Options { runs: 4_000, ..check::Options::default() };
    let (mut proved, mut open) = (0, 0);
    for (func, source) in before.bodies() {
        let target = after.body(func).expect("it is still there");
        if source.inst_capacity() == target.inst_capacity() && source.all_insts().eq(target.all_insts()) {
            continue;
        }
        let report = check(Side { module: &before, func }, Side { module: &after, func }, &options);
        match report.verdict {
            Verdict::RefinesAll { .. } | Verdict::Vacuous { .. } => proved += 1,
            Verdict::Inconclusive { reason: Reason::Inexact { what } } if what.contains("undef") => open += 1,
            other => panic!(
                "{pipeline}, seed {seed}, @{}: {other:?}\n{}",
                before.env.funcs[func].name,
                module_to_string(&after)
            ),
        }
    }
    (proved, open)
}

#[test]
fn every_rewrite_refines() {
    const PER_MODULE: usize = 50;
    let (cases, first): (u64, u64) = (number("BACKEDGE_CASES", 200), number("BACKEDGE_SEED", 1));
    for pipeline in ["instsimplify", "simplifycfg,instsimplify,early-cse,simplifycfg,dce"] {
        let modules = cases.div_ceil(2 * PER_MODULE as u64);
        let counts: Vec<(usize, usize)> =
            (first..first + modules).into_par_iter().map(|seed| judge(seed, PER_MODULE, pipeline)).collect();
        let (proved, open) = counts.iter().fold((0, 0), |sum, c| (sum.0 + c.0, sum.1 + c.1));
        println!("{pipeline}: {proved} changes proved, {open} not decided");
        assert!(proved * 4 > cases as usize / 2, "{pipeline}: too few changes: {proved}");
        assert!(open * 10 <= proved, "{pipeline}: {open} changes were not decided");
    }
}
