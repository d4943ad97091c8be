//! Runs that never end, shown without running on: a run on one input stays within some blocks whatever the number of
//! iterations, and nothing there returns, touches memory, calls or can be undefined.
//!
//! The blocks that a run can come to are found as in sparse conditional constant propagation (Wegman and Zadeck 1991), with
//! a value per instruction that holds in all iterations: its lowest bits, as far as they are always the same (all of
//! them, for a constant). A counter that starts at 0 and goes up by 2 is even for ever and never equal to 1; the
//! interpreter, which notices only a state that comes again, would need 2^31 iterations to see it.
//!
//! Where anything is met that is not modelled here, or that might be undefined or poison where that matters, nothing is
//! concluded. Choices of the program (`freeze` of what may be poison) are taken as unknown bits, so what is shown
//! holds for all of them.

use crate::check::Side;
use backedge_interp::input::{ArgSpec, Input};
use backedge_ir::attr::{Attr, AttrList, FlagAttr};
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::loop_options::{function_must_progress, says_mustprogress};
use backedge_ir::print::BodyPrinter;
use std::collections::{BTreeSet, HashMap};

/// Passes over the body before it is given up. A value can change as often as it has bits.
const PASSES: usize = 400;

/// Why the run of `side` on `input` never ends, whatever it chooses; `None` if that is not shown. Such a run has no
/// events, and is not undefined unless it has to make progress.
pub(crate) fn endless(side: Side<'_>, input: &Input) -> Option<String> {
    let body = side.module.body(side.func)?;
    let mut search = Search {
        body,
        args: arguments(side, body, input)?,
        values: HashMap::new(),
        edges: BTreeSet::new(),
        blocks: BTreeSet::from([body.entry()?]),
    };
    for _ in 0..PASSES {
        if !search.pass()? {
            return Some(search.tell(side));
        }
    }
    None
}

/// Whether anything demands that runs of the function go on to its end, or that they do something on the way.
pub(crate) fn may_have_to_progress(side: Side<'_>) -> bool {
    let env = &side.module.env;
    let of_loop = |body: &Body| body.blocks().any(|b| says_mustprogress(env, body, b));
    function_must_progress(env, side.func) || side.module.body(side.func).is_none_or(of_loop)
}

/// What is the same of a value in all iterations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Low {
    width: u32,
    /// How many of the lowest bits are known.
    known: u32,
    /// These bits; the others are clear.
    bits: u128,
    /// Whether it may be poison.
    poison: bool,
}

impl Low {
    fn new(width: u32, known: u32, bits: u128, poison: bool) -> Self {
        let known = known.min(width);
        Self { width, known, bits: bits & low_mask(known), poison }
    }
    fn constant(value: Int) -> Self {
        Self::new(value.width(), value.width(), value.bits(), false)
    }
    fn unknown(width: u32, poison: bool) -> Self {
        Self::new(width, 0, 0, poison)
    }
    /// The value if all of it is known.
    fn whole(self) -> Option<Int> {
        (self.known == self.width).then(|| Int::new(self.width, self.bits))
    }
    /// Known zeros at the low end.
    fn zeros(self) -> u32 {
        self.bits.trailing_zeros().min(self.known)
    }
    /// What holds of both.
    fn join(self, other: Self) -> Self {
        let common = (self.bits ^ other.bits).trailing_zeros();
        let known = self.known.min(other.known).min(common);
        Self::new(self.width, known, self.bits, self.poison || other.poison)
    }
}

fn low_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The arguments, where all are plain integers; parameters whose attributes say something of values are left out.
fn arguments(side: Side<'_>, body: &Body, input: &Input) -> Option<Vec<Low>> {
    let header = &side.module.env.funcs[side.func];
    let none = AttrList::default();
    body.args()
        .zip(&input.args)
        .enumerate()
        .map(|(i, (arg, spec))| {
            let attrs = header.param_attrs.get(i).unwrap_or(&none);
            let plain =
                |a: &Attr| matches!(a, Attr::Flag(FlagAttr::NoUndef | FlagAttr::SExt | FlagAttr::ZExt));
            let width = body.ty(arg.into()).int_bits().filter(|w| *w <= 128)?;
            if !side.module.env.attrs(attrs).all(plain) {
                return None;
            }
            match spec {
                ArgSpec::Int(value) => Some(Low::constant(Int::from_i128(width, *value))),
                ArgSpec::Bits(bits) => Some(Low::constant(Int::new(width, *bits))),
                _ => None,
            }
        })
        .collect()
}

struct Search<'a> {
    body: &'a Body,
    args: Vec<Low>,
    /// What is known of instructions so far; nothing of those that no run has come to.
    values: HashMap<Inst, Low>,
    edges: BTreeSet<(Block, Block)>,
    blocks: BTreeSet<Block>,
}

/// An operand: its value, `None` while there is none. The outer `None` gives up.
type Known = Option<Option<Low>>;

impl Search<'_> {
    /// Goes over all blocks that can be reached; whether anything new was found. `None` gives up.
    fn pass(&mut self) -> Option<bool> {
        let body = self.body;
        let mut changed = false;
        for block in body.blocks() {
            if !self.blocks.contains(&block) {
                continue;
            }
            for &inst in body.insts(block) {
                let data = body.inst(inst);
                if data.kind.is_terminator() {
                    changed |= self.leave(block, data)?;
                } else if let Some(value) = self.evaluate(block, data)? {
                    let joined = self.values.get(&inst).map_or(value, |old| old.join(value));
                    changed |= self.values.insert(inst, joined) != Some(joined);
                }
            }
        }
        Some(changed)
    }

    fn operand(&self, value: Value) -> Known {
        match value {
            Value::Inst(inst) => Some(self.values.get(&inst).copied()),
            Value::Arg(arg) => {
                let at = self.body.args().position(|a| a == arg)?;
                Some(Some(*self.args.get(at)?))
            }
            Value::Const(c) => {
                let constant = self.body.constant(c);
                match constant.data {
                    ConstData::Int(value) => Some(Some(Low::constant(value))),
                    ConstData::Poison => Some(Some(Low::unknown(constant.ty.int_bits()?, true))),
                    _ => None,
                }
            }
        }
    }

    /// The edges out of a block, by what is known of its condition.
    fn leave(&mut self, from: Block, data: &InstData) -> Option<bool> {
        let condition = match data.kind {
            InstKind::Br => None,
            InstKind::CondBr | InstKind::Switch => match self.operand(data.operands[0])? {
                // No run has come this far yet.
                None => return Some(false),
                // A branch on poison is undefined.
                Some(Low { poison: true, .. }) => return None,
                Some(condition) => Some(condition),
            },
            _ => return None,
        };
        let targets: Vec<Block> = match (condition, &data.kind) {
            (Some(condition), InstKind::CondBr) => match condition.whole() {
                Some(value) => vec![data.blocks[usize::from(value.is_zero())]],
                None => data.blocks.to_vec(),
            },
            (Some(condition), _) => {
                let cases = data.operands[1..].iter().map(|c| self.body.as_int(*c));
                let cases: Vec<Int> = cases.collect::<Option<_>>()?;
                let may_be = |case: &Int| (case.bits() ^ condition.bits) & low_mask(condition.known) == 0;
                let mut targets: Vec<Block> = Vec::new();
                targets
                    .extend(cases.iter().zip(&data.blocks[1..]).filter(|(c, _)| may_be(c)).map(|(_, b)| *b));
                if condition.whole().is_none() || targets.is_empty() {
                    targets.push(data.blocks[0]);
                }
                targets
            }
            (None, _) => data.blocks.to_vec(),
        };
        let mut changed = false;
        for to in targets {
            changed |= self.edges.insert((from, to));
            self.blocks.insert(to);
        }
        Some(changed)
    }

    /// The value of an instruction that is no terminator. Gives up on what might be undefined.
    fn evaluate(&self, block: Block, data: &InstData) -> Known {
        let width = || data.ty.int_bits().filter(|w| *w <= 128);
        let operand = |i: usize| self.operand(data.operands[i]);
        Some(match &data.kind {
            InstKind::DebugRecord(_) => None,
            InstKind::Phi(_) => {
                width()?;
                let mut joined: Option<Low> = None;
                for (value, _) in data.incoming().filter(|(_, from)| self.edges.contains(&(*from, block))) {
                    if let Some(value) = self.operand(value)? {
                        joined = Some(joined.map_or(value, |j| j.join(value)));
                    }
                }
                joined
            }
            InstKind::Freeze => {
                let width = width()?;
                operand(0)?.map(|x| if x.poison { Low::unknown(width, false) } else { x })
            }
            InstKind::Select(_) => {
                width()?;
                let (Some(condition), a, b) = (operand(0)?, operand(1)?, operand(2)?) else {
                    return Some(None);
                };
                let chosen = match (condition.whole(), a, b) {
                    (Some(c), a, b) => {
                        if c.is_zero() {
                            b
                        } else {
                            a
                        }
                    }
                    (None, Some(a), Some(b)) => Some(a.join(b)),
                    (None, ..) => None,
                };
                chosen.map(|v| Low { poison: v.poison || condition.poison, ..v })
            }
            InstKind::Binary(op, flags) => {
                let _ = width()?;
                match (operand(0)?, operand(1)?) {
                    (Some(a), Some(b)) => Some(binary(*op, *flags, a, b)?),
                    _ => None,
                }
            }
            InstKind::Cast(op, flags) => {
                let (width, Some(x)) = (width()?, operand(0)?) else { return Some(None) };
                let poison = x.poison || flags.nneg || flags.nuw || flags.nsw;
                let whole = |bits: u128| Low::new(width, width, bits, poison);
                Some(match (op, x.whole()) {
                    (CastOp::ZExt, Some(value)) => whole(value.bits()),
                    (CastOp::SExt, Some(value)) => whole(value.signed() as u128),
                    (CastOp::ZExt | CastOp::SExt | CastOp::Trunc, _) => {
                        Low::new(width, x.known, x.bits, poison)
                    }
                    _ => return None,
                })
            }
            InstKind::ICmp { pred, samesign } => {
                let (Some(a), Some(b)) = (operand(0)?, operand(1)?) else { return Some(None) };
                let poison = a.poison || b.poison || *samesign;
                let known = a.known.min(b.known);
                let differ = (a.bits ^ b.bits) & low_mask(known) != 0;
                let decided = match (a.whole(), b.whole(), pred) {
                    (Some(a), Some(b), _) => Some(pred.holds(a, b)),
                    (_, _, IntPredicate::Eq) if differ => Some(false),
                    (_, _, IntPredicate::Ne) if differ => Some(true),
                    _ => None,
                };
                let bit = |value: bool| Low::new(1, 1, value.into(), poison);
                Some(decided.map_or(Low::unknown(1, poison), bit))
            }
            _ => return None,
        })
    }

    /// What was found, in words.
    fn tell(&self, side: Side<'_>) -> String {
        let printer = BodyPrinter::new(&side.module.env, self.body);
        let mut facts = Vec::new();
        for block in self.body.blocks().filter(|b| self.blocks.contains(b)) {
            for phi in self.body.phis(block) {
                let name = printer.operand(phi.into());
                match self.values.get(&phi) {
                    Some(v) if v.known == v.width => facts.push(format!("{name} is always {}", v.bits)),
                    Some(v) if v.known > 0 => {
                        facts.push(format!("{name} is always {} modulo {}", v.bits, 1u128 << v.known));
                    }
                    _ => {}
                }
            }
        }
        let blocks: Vec<_> = self.body.blocks().filter(|b| self.blocks.contains(b)).collect();
        let blocks: Vec<_> = blocks.into_iter().map(|b| printer.block(b)).collect();
        let because = if facts.is_empty() { String::new() } else { format!(", since {}", facts.join(", ")) };
        format!("it never leaves the blocks {}{because}", blocks.join(", "))
    }
}

/// The value of `a op b`. Gives up on divisions that may be undefined.
fn binary(op: BinaryOp, flags: BinaryFlags, a: Low, b: Low) -> Option<Low> {
    let width = a.width;
    let poison = a.poison || b.poison;
    let flagged = flags != BinaryFlags::default();
    if let (Some(x), Some(y)) = (a.whole(), b.whole()) {
        let amount = |value: Option<Int>| value.map_or(Low::unknown(width, true), Low::constant);
        // A flag may make it poison; whether it does is not looked into but for the most usual ones.
        let breaks = match op {
            BinaryOp::Add => {
                flags.nuw && x.add_overflows_unsigned(y) || flags.nsw && x.add_overflows_signed(y)
            }
            BinaryOp::Sub => {
                flags.nuw && x.sub_overflows_unsigned(y) || flags.nsw && x.sub_overflows_signed(y)
            }
            BinaryOp::Mul => {
                flags.nuw && x.mul_overflows_unsigned(y) || flags.nsw && x.mul_overflows_signed(y)
            }
            _ => flagged,
        };
        let value = match op {
            BinaryOp::Add => Low::constant(x.add(y)),
            BinaryOp::Sub => Low::constant(x.sub(y)),
            BinaryOp::Mul => Low::constant(x.mul(y)),
            BinaryOp::And => Low::constant(x.and(y)),
            BinaryOp::Or => Low::constant(x.or(y)),
            BinaryOp::Xor => Low::constant(x.xor(y)),
            BinaryOp::Shl => amount(x.shl(y)),
            BinaryOp::LShr => amount(x.lshr(y)),
            BinaryOp::AShr => amount(x.ashr(y)),
            // By zero, and by poison, it is undefined.
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem if poison => return None,
            BinaryOp::UDiv => Low::constant(x.udiv(y)?),
            BinaryOp::URem => Low::constant(x.urem(y)?),
            BinaryOp::SDiv => Low::constant(x.sdiv(y)?),
            BinaryOp::SRem => Low::constant(x.srem(y)?),
        };
        return Some(Low { poison: value.poison || poison || breaks, ..value });
    }
    let poison = poison || flagged;
    let both = a.known.min(b.known);
    Some(match op {
        BinaryOp::Add => Low::new(width, both, a.bits.wrapping_add(b.bits), poison),
        BinaryOp::Sub => Low::new(width, both, a.bits.wrapping_sub(b.bits), poison),
        BinaryOp::Mul => {
            // (r + 2^i x)(s + 2^j y): the unknown parts come in above 2^i times what divides s, and the other way round.
            let known = (a.known + b.zeros()).min(b.known + a.zeros());
            Low::new(width, known, a.bits.wrapping_mul(b.bits), poison)
        }
        BinaryOp::And => Low::new(width, both, a.bits & b.bits, poison),
        BinaryOp::Or => Low::new(width, both, a.bits | b.bits, poison),
        BinaryOp::Xor => Low::new(width, both, a.bits ^ b.bits, poison),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            match b.whole().filter(|n| n.bits() < width.into()) {
                None => Low::unknown(width, true),
                Some(amount) => {
                    let by = amount.bits() as u32;
                    match op {
                        BinaryOp::Shl => Low::new(width, a.known + by, a.bits << by, poison),
                        // Bits that come in from above are not known where the rest of the value is not.
                        _ => Low::new(width, a.known.saturating_sub(by), a.bits >> by, poison),
                    }
                }
            }
        }
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Side, endless, may_have_to_progress};
    use backedge_interp::input::{ArgSpec, Input};
    use backedge_interp::outcome::Outcome;
    use backedge_interp::trace::NoObserver;
    use backedge_interp::{Config, Machine, Program, chooser::ZeroChooser};
    use backedge_ir::parse::parse_module;

    /// A loop from `%a` to `%n` with that step and those flags, left when `pred` does not hold any more.
    fn counting(width: u32, step: &str, pred: &str) -> String {
        format!(
            "define void @f(i{width} %n, i{width} %a) {{
entry:
  br label %header
header:
  %i = phi i{width} [ %a, %entry ], [ %i.next, %header ]
  %i.next = {step}
  %c = icmp {pred} i{width} %i, %n
  br i1 %c, label %header, label %exit
exit:
  ret void
}}
"
        )
    }

    /// Whether each run is endless: as is shown, and as it is.
    fn all(width: u32, text: &str) -> Vec<(bool, bool)> {
        let module = parse_module(text.as_bytes()).expect("a module").module;
        let side = Side { module: &module, func: module.env.func_named("f").expect("@f") };
        let config = Config { fuel: 1_000_000, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config.clone());
        let half = 1i128 << (width - 1);
        let inputs = (-half..half).flat_map(|n| (-half..half).map(move |a| (n, a)));
        let run = |(n, a)| {
            let input = Input::new(vec![ArgSpec::Int(n), ArgSpec::Int(a)]);
            let run = machine.run(side.func, &input, &mut ZeroChooser, &mut NoObserver).expect("it fits");
            let shown = endless(side, &input).is_some();
            (shown, matches!(run.outcome, Outcome::Diverges { .. }))
        };
        inputs.map(run).collect()
    }

    #[test]
    fn what_is_shown_to_be_endless_is() {
        let steps = [
            "add i4 %i, 2",
            "add i4 %i, 4",
            "sub i4 %i, 6",
            "mul i4 %i, 3",
            "mul i4 %i, 6",
            "shl i4 %i, 1",
            "lshr i4 %i, 1",
            "ashr i4 %i, 2",
            "xor i4 %i, 10",
            "or i4 %i, 3",
            "and i4 %i, 12",
            "udiv i4 %i, 2",
            "srem i4 %i, 3",
            "sdiv i4 %i, %a",
            "add nuw i4 %i, 2",
            "add nsw i4 %i, 2",
            "shl nuw i4 %i, 1",
            "add i4 %i, 0",
        ];
        let (mut shown, mut endless) = (0, 0);
        for step in steps {
            for pred in ["ne", "eq", "ult", "sge"] {
                for (claimed, is) in all(4, &counting(4, step, pred)) {
                    assert!(is || !claimed, "{step}, {pred}");
                    shown += usize::from(claimed);
                    endless += usize::from(is);
                }
            }
        }
        // Not all can be shown by low bits; all of those that count in twos can.
        assert!(shown * 3 > endless, "{shown} of {endless} are shown");
        let even = all(4, &counting(4, "add i4 %i, 2", "ne"));
        assert!(even.iter().all(|(claimed, is)| claimed == is));
    }

    #[test]
    fn steps_by_flags_and_choices_show_nothing_wrong() {
        for (text, expected) in [
            // The flag makes it poison in the end, and the branch undefined.
            (counting(32, "add nuw i32 %i, 2", "ne"), false),
            (counting(32, "add i32 %i, 2", "ne"), true),
            (counting(64, "add i64 %i, 2", "ne"), true),
            (counting(32, "add i32 %i, 1", "ne"), false),
            (counting(32, "add i32 %i, 2", "ne").replace("i32 %n", "i32 range(i32 5, 9) %n"), false),
            (counting(32, "add i32 undef, 2", "ne"), false),
        ] {
            let module = parse_module(text.as_bytes()).expect("a module").module;
            let side = Side { module: &module, func: module.env.func_named("f").expect("@f") };
            let input = Input::new(vec![ArgSpec::Int(1), ArgSpec::Int(0)]);
            assert_eq!(endless(side, &input).is_some(), expected, "{text}");
            assert!(!may_have_to_progress(side));
        }
    }

    #[test]
    fn progress_is_demanded_by_attributes_and_by_loops() {
        let plain = counting(32, "add i32 %i, 2", "ne");
        let looping = plain.replace("label %exit\n", "label %exit, !llvm.loop !0\n")
            + "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}\n";
        for (text, expected) in [
            (plain.clone(), false),
            (plain.replace(") {", ") mustprogress {"), true),
            (plain.replace(") {", ") willreturn {"), true),
            (plain.replace(") {", ") #0 {") + "attributes #0 = { mustprogress }\n", true),
            (looping.replace("mustprogress", "disable_nonforced"), false),
            (looping, true),
        ] {
            let module = parse_module(text.as_bytes()).expect("a module").module;
            let side = Side { module: &module, func: module.env.func_named("f").expect("@f") };
            assert_eq!(may_have_to_progress(side), expected, "{text}");
        }
    }
}
