//! Generated functions `@f` over narrow integers, for judging claims about values, control and memory by execution.
//!
//! They consist of arithmetic with all flags, branches, switches, dead ends, assumptions, and loops with several exits
//! and backedges, which may be nested. There are two kinds: [`enumerable`] functions have few enough inputs to run all
//! of them, and [`effectful`] functions also access memory and call external functions. Many executions end in UB and
//! show nothing; the other executions are sufficient.
//!
//! | file | contents |
//! |---|---|
//! | `values` | arithmetic, casts, comparisons, intrinsics |
//! | `control` | branches, switches, dead ends, loops |
//! | `effects` | addresses, accesses, calls |

mod control;
mod effects;
mod values;

use super::text::Text;
use crate::Dice;
use effects::EXTERNAL;

/// The size in bytes of every object.
pub const OBJECT: usize = 32;

/// The parts of an [`effectful`] function.
#[derive(Copy, Clone, Debug)]
pub struct Mix {
    /// Percentage of statements that access memory.
    pub memory: usize,
    /// Percentage of statements that are calls, assumptions and guards.
    pub calls: usize,
    /// Limit on the number of statements.
    pub size: usize,
}

/// A module with one function `@f` of few inputs.
#[derive(Clone, Debug)]
pub struct Enumerable {
    /// The text.
    pub text: String,
    /// The widths of the arguments: at most eight bits in total.
    pub widths: Vec<u32>,
}

/// The module of `seed`, with at most `statements` statements. All values have two to four bits; operands may be
/// `undef` or poison.
pub fn enumerable(seed: u64, statements: usize) -> Enumerable {
    let mut dice = Dice::new(seed);
    let widths = match dice.below(5) {
        0 => vec![4, 4],
        1 => vec![3, 3, 2],
        2 => vec![4, 2, 2],
        3 => vec![2, 2, 2, 2],
        _ => vec![4, 3],
    };
    let values = widths.iter().enumerate().map(|(i, w)| (format!("%a{i}"), *w)).collect();
    let mut args = Vec::new();
    for (i, width) in widths.iter().enumerate() {
        let range = dice.pick(&["", "", "", " range(iW -1, 2)", " range(iW 1, 0)"]);
        let noundef = dice.pick(&["", "", " noundef"]);
        args.push(format!("i{width}{}{noundef} %a{i}", range.replace('W', &width.to_string())));
    }
    let mustprogress = dice.pick(&["", " mustprogress"]);
    let mix = Mix { memory: 0, calls: 5, size: statements };
    let mut small = Small { dice, kind: &ENUMERABLE, mix, text: Text::new(), values, pointers: Vec::new() };
    small.statements(3);
    let result = small.value(4);
    small.text.line(&format!("ret i4 {result}"));
    let Text { out, .. } = &small.text;
    let declarations = small.text.declarations();
    let text = format!(
        "define i4 @f({}){mustprogress} {{\nentry:\n{out}}}\n{declarations}{METADATA}",
        args.join(", ")
    );
    Enumerable { text, widths }
}

/// The text of the module of `seed`. The arguments of `@f` are two `i8`, an `i4`, an `i1` and three pointers: one is
/// `noalias`, the other two may be equal.
pub fn effectful(seed: u64, mix: Mix) -> String {
    let mut dice = Dice::new(seed);
    let range = if dice.chance(50) { " range(i8 -3, 20)" } else { "" };
    let mustprogress = if dice.chance(50) { " mustprogress" } else { "" };
    let noalias = if dice.chance(70) { " noalias" } else { "" };
    let noundef = if dice.chance(50) { " noundef" } else { "" };
    let values = [("%a", 8), ("%b", 8), ("%c", 4), ("%t", 1)].map(|(n, w)| (n.to_owned(), w)).to_vec();
    let pointers = ["%p", "%q", "%r", "@g", "@h", "%l", "%m"].map(str::to_owned).to_vec();
    let mut small = Small { dice, kind: &EFFECTFUL, mix, text: Text::new(), values, pointers };
    small.text.line("%l = alloca [32 x i8], align 4");
    small.text.line("%m = alloca [16 x i16], align 2");
    small.text.line("store [4 x i64] zeroinitializer, ptr %l, align 1");
    small.text.line("store [4 x i64] zeroinitializer, ptr %m, align 1");
    small.statements(3);
    let result = small.value(8);
    small.text.line(&format!("ret i8 {result}"));
    let Text { out, .. } = &small.text;
    let declarations = small.text.declarations();
    format!(
        "@g = global [32 x i8] zeroinitializer, align 8
@h = internal global [32 x i8] zeroinitializer, align 1
define i8 @f(i8{range}{noundef} %a, i8 %b, i4 %c, i1 %t, ptr{noalias} align 4 dereferenceable(16) %p, ptr %q, ptr nonnull %r){mustprogress} {{
entry:
{out}}}
{declarations}{EXTERNAL}{METADATA}"
    )
}

const METADATA: &str = "!0 = !{i8 0, i8 10}
!1 = !{i8 100, i8 -100}
!2 = distinct !{!2, !3}
!3 = !{!\"llvm.loop.mustprogress\"}
";

/// The differences between the kinds of functions. Widths are listed as often as they should occur.
#[derive(Debug)]
struct Kind {
    /// The widths of integers.
    widths: &'static [u32],
    /// The widths of counters of loops.
    counters: &'static [u32],
    /// The widths of the phis after branches and loops, and of values that loops carry.
    joined: &'static [u32],
    /// Whether operands may be `undef` or poison.
    undefined: bool,
    /// Whether there are external functions.
    external: bool,
}

const ENUMERABLE: Kind = Kind {
    widths: &[2, 3, 4, 4],
    counters: &[2, 3, 4, 4],
    joined: &[2, 3, 4],
    undefined: true,
    external: false,
};
const EFFECTFUL: Kind =
    Kind { widths: &[4, 8, 8, 8, 16], counters: &[4], joined: &[8, 4], undefined: false, external: true };

/// A function being written.
struct Small {
    dice: Dice,
    kind: &'static Kind,
    /// Its size is the number of statements left.
    mix: Mix,
    text: Text,
    /// The integers in scope with their widths.
    values: Vec<(String, u32)>,
    /// The pointers in scope.
    pointers: Vec<String>,
}

impl Small {
    fn width(&mut self) -> u32 {
        self.dice.pick(self.kind.widths)
    }
    fn constant(&mut self, width: u32) -> String {
        if self.kind.undefined && self.dice.one_in(20) {
            return self.dice.pick(&["undef", "poison"]).to_owned();
        }
        let value = if width <= 4 {
            self.dice.below(1 << width)
        } else {
            self.dice.pick(&[0, 1, 2, 3, 4, 7, 8, 15, 16, 100, 127, 128, 255, 65535]) & ((1 << width) - 1)
        };
        if width == 1 { (value == 1).to_string() } else { value.to_string() }
    }
    /// A value of this width in scope, or a constant.
    fn value(&mut self, width: u32) -> String {
        let fitting: Vec<&str> = self.values.iter().filter(|v| v.1 == width).map(|v| v.0.as_str()).collect();
        if fitting.is_empty() || self.dice.chance(20) {
            return self.constant(width);
        }
        // Prefer late values.
        let from = if self.dice.chance(60) { fitting.len().saturating_sub(4) } else { 0 };
        fitting[from + self.dice.below(fitting.len() - from)].to_owned()
    }
    fn define(&mut self, width: u32, code: &str) -> String {
        let name = self.text.result(code);
        self.values.push((name.clone(), width));
        name
    }
    fn statements(&mut self, depth: usize) {
        for _ in 0..2 + self.dice.below(6) {
            if self.mix.size == 0 {
                return;
            }
            self.mix.size -= 1;
            let roll = self.dice.below(100);
            if roll < self.mix.memory {
                self.memory();
            } else if roll < self.mix.memory + self.mix.calls {
                self.call();
            } else if depth > 0 && self.dice.chance(35) {
                self.control(depth - 1);
            } else {
                self.arithmetic();
            }
        }
    }
}
