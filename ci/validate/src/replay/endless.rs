//! Proofs of non-termination without unbounded execution: a run on one input stays within some blocks for any number of
//! iterations, and no instruction there returns, calls, reads memory or can be UB.
//!
//! The analysis starts at function entry, or at the state in which the run exhausted its fuel, with the values computed
//! so far. It finds the reachable blocks as in sparse conditional constant propagation (Wegman and Zadeck 1991), with
//! one value per instruction that holds in all iterations: the lowest bits that never change (all bits for a constant).
//! A counter that starts at 0 and steps by 2 is always even and never equal to 1; the interpreter, which detects only
//! repeated states, would need 2^31 iterations to see it.
//!
//! The analysis gives up on anything unmodelled, and on any instruction that might be UB, or poison where poison
//! matters. Choices of the program (`freeze` of possible poison) are unknown bits, so the result holds for all choices.

use crate::pair::Side;
use backedge_interp::Machine;
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::{ArgSpec, Input, InputError};
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_ir::attr::{Attr, AttrList, FlagAttr};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::ConstData;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Arg, Block, FuncId, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::loop_options::{function_must_progress, has_mustprogress};
use backedge_ir::print::BodyPrinter;
use backedge_ir::types::Type;
use std::collections::{BTreeSet, HashMap};

/// Maximum number of passes over the body. A value can change as often as it has bits.
const PASSES: usize = 400;
/// Maximum width of a modelled integer, in bits.
const WIDEST: u32 = 128;

/// Why the run of `side` on `input` with all choices 0 never ends; `None` if no proof was found. The result holds for
/// all choices, unless `one_run_suffices`: then the choices up to the end of the fuel may be fixed to this run's. Such a run
/// has no events, and is UB only if it must make progress.
pub(crate) fn never_ends(
    side: Side<'_>,
    machine: &mut Machine<'_>,
    input: &Input,
    one_run_suffices: bool,
) -> Result<Option<String>, InputError> {
    match endless(side, input) {
        None if one_run_suffices => endless_after_fuel(side, machine, input),
        shown => Ok(shown),
    }
}

/// Why the run of `side` on `input` never ends, for all choices.
fn endless(side: Side<'_>, input: &Input) -> Option<String> {
    let body = side.module.body(side.func)?;
    Search::new(Standing::at_entry(body, arguments(side, body, input)?))?.conclude(side)
}

/// Why no run of `side` ends or is UB, for all arguments.
pub(crate) fn never_ends_on_any(side: Side<'_>) -> Option<String> {
    let body = side.module.body(side.func)?;
    // An argument may be poison and have undefined bits, so a branch on it counts as UB.
    let any = |arg: Arg| {
        let width = body.ty(arg.into()).int_bits().filter(|w| *w <= WIDEST)?;
        Some(Low::unknown(width, true))
    };
    let args = body.args().map(any).collect();
    Search::new(Standing::at_entry(body, args))?.conclude(side)
}

/// Why the run of `side` on `input` with all choices 0 never ends, for all choices after its fuel is exhausted. The
/// fuel must not be exhausted inside a callee.
fn endless_after_fuel(
    side: Side<'_>,
    machine: &mut Machine<'_>,
    input: &Input,
) -> Result<Option<String>, InputError> {
    let Some(body) = side.module.body(side.func) else { return Ok(None) };
    let mut standing = Standing::new(body);
    let run = machine.run(side.func, input, &mut ZeroChooser, &mut standing)?;
    let shown = || Search::new(standing.in_block()?)?.conclude(side);
    Ok(if run.outcome == Outcome::OutOfFuel { shown() } else { None })
}

/// Whether the function or one of its loops may have a forward-progress obligation.
pub(crate) fn may_have_progress_obligation(side: Side<'_>) -> bool {
    let env = &side.module.env;
    let of_loop = |body: &Body| body.blocks().any(|b| has_mustprogress(env, body, b));
    function_must_progress(env, side.func) || side.module.body(side.func).is_none_or(of_loop)
}

/// The part of a value that is the same in all iterations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Low {
    width: u32,
    /// Number of known lowest bits.
    known: u32,
    /// The known bits; the others are clear.
    bits: u128,
    /// Whether the value may be poison.
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
    /// The value if all bits are known.
    fn whole(self) -> Option<Int> {
        (self.known == self.width).then(|| Int::new(self.width, self.bits))
    }
    /// Known zeros at the low end.
    fn zeros(self) -> u32 {
        self.bits.trailing_zeros().min(self.known)
    }
    /// Facts that hold for both.
    fn join(self, other: Self) -> Self {
        let common = (self.bits ^ other.bits).trailing_zeros();
        let known = self.known.min(other.known).min(common);
        Self::new(self.width, known, self.bits, self.poison || other.poison)
    }
}

fn low_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The arguments; `None` for those that are no plain integers or have attributes that restrict values.
fn arguments(side: Side<'_>, body: &Body, input: &Input) -> Option<Vec<Option<Low>>> {
    let header = &side.module.env.funcs[side.func];
    let none = AttrList::default();
    let known = |i: usize, width: u32, spec: &ArgSpec| {
        let attrs = header.param_attrs.get(i).unwrap_or(&none);
        let plain = |a: &Attr| matches!(a, Attr::Flag(FlagAttr::NoUndef | FlagAttr::SExt | FlagAttr::ZExt));
        if !side.module.env.attrs(attrs).all(plain) {
            return None;
        }
        match spec {
            ArgSpec::Int(value) => Some(Low::constant(Int::from_i128(width, *value))),
            ArgSpec::Bits(bits) => Some(Low::constant(Int::new(width, *bits))),
            _ => None,
        }
    };
    let width = |arg: Arg| body.ty(arg.into()).int_bits().filter(|w| *w <= WIDEST);
    let args: Vec<Arg> = body.args().collect();
    (args.len() == input.args.len()).then(|| {
        let each = args.iter().zip(&input.args).enumerate();
        each.map(|(i, (arg, spec))| known(i, width(*arg)?, spec)).collect()
    })
}

/// State of a run in its outermost function: position and last computed values.
struct Standing<'a> {
    body: &'a Body,
    block: Option<Block>,
    args: Vec<Option<Low>>,
    /// Last value of each instruction; `None` for non-integers and values with undefined bits.
    values: HashMap<Inst, Option<Low>>,
    /// Instructions executed without UB since the block was entered.
    since: BTreeSet<Inst>,
    /// Instructions executed without UB since the run began.
    executed: BTreeSet<Inst>,
    /// Whether the run is inside a callee, or inside a function that replaced it by a `musttail` call.
    within: bool,
    replaced: bool,
}

impl<'a> Standing<'a> {
    fn new(body: &'a Body) -> Self {
        Self {
            body,
            block: None,
            args: Vec::new(),
            values: HashMap::new(),
            since: BTreeSet::new(),
            executed: BTreeSet::new(),
            within: false,
            replaced: false,
        }
    }
    /// The state at function entry.
    fn at_entry(body: &'a Body, args: Vec<Option<Low>>) -> Self {
        Self { block: body.entry(), args, ..Self::new(body) }
    }
    /// The state at the start of the current block, restricted to values computed before it; `None` if unknown.
    fn in_block(mut self) -> Option<Self> {
        let body = self.body;
        let block = self.block.filter(|_| !self.within && !self.replaced)?;
        if !body.phis(block).all(|phi| self.since.contains(&phi)) {
            return None;
        }
        let dominators = Dominators::new(body, &Cfg::new(body));
        let is_before = |inst: Inst| {
            body.block_of(inst).is_some_and(|own| {
                dominators.strictly_dominates(own, block) || own == block && body.inst(inst).kind.is_phi()
            })
        };
        self.values.retain(|inst, _| is_before(*inst));
        Some(self)
    }
}

impl Observer for Standing<'_> {
    fn call(&mut self, entry: Entry<'_>) {
        self.replaced |= entry.replaces && entry.depth == 0;
        self.within = entry.depth > 0;
        if !self.within && !self.replaced {
            let typed = self.body.args().zip(entry.args);
            self.args = typed.map(|(arg, value)| low(self.body.ty(arg.into()), value)).collect();
        }
    }
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        if depth == 0 && !self.replaced {
            self.block = Some(block);
            self.since.clear();
        }
    }
    fn step(&mut self, done: Done<'_>) {
        if done.depth > 0 || self.replaced {
            return;
        }
        self.within = false;
        self.since.insert(done.inst);
        self.executed.insert(done.inst);
        let ty = self.body.inst(done.inst).ty;
        self.values.insert(done.inst, done.value.and_then(|value| low(ty, value)));
    }
}

/// Knowledge about a computed value, if it is an integer without undefined bits.
fn low(ty: Type, value: &Val) -> Option<Low> {
    let width = ty.int_bits().filter(|w| *w <= WIDEST)?;
    if value.has_poison() {
        return Some(Low::unknown(width, true));
    }
    value.as_int(width).map(Low::constant)
}

struct Search<'a> {
    body: &'a Body,
    from: Standing<'a>,
    /// Knowledge about instructions so far; no entry for instructions that no run has reached.
    values: HashMap<Inst, Low>,
    edges: BTreeSet<(Block, Block)>,
    blocks: BTreeSet<Block>,
}

/// An operand: its value, `None` while it has none. The outer `None` gives up.
type Known = Option<Option<Low>>;

impl<'a> Search<'a> {
    fn new(from: Standing<'a>) -> Option<Self> {
        let body = from.body;
        let blocks = BTreeSet::from([from.block?]);
        let values = from.values.iter().filter_map(|(inst, value)| Some((*inst, (*value)?))).collect();
        Some(Self { body, from, values, edges: BTreeSet::new(), blocks })
    }

    /// Why the run never ends.
    fn conclude(mut self, side: Side<'_>) -> Option<String> {
        for _ in 0..PASSES {
            if !self.pass()? {
                return Some(self.tell(side));
            }
        }
        None
    }

    /// Visits all reachable blocks and returns whether anything changed. `None` gives up.
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
                } else if self.repeats_store(inst) {
                    // Memory is not modelled.
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
            // Computed earlier, with an unmodelled value.
            Value::Inst(inst) if self.from.values.get(&inst) == Some(&None) => None,
            Value::Inst(inst) => match self.values.get(&inst) {
                Some(value) => Some(Some(*value)),
                None => self.blocks.contains(&self.body.block_of(inst)?).then_some(None),
            },
            Value::Arg(arg) => {
                let at = self.body.args().position(|a| a == arg)?;
                Some(Some((*self.from.args.get(at)?)?))
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

    /// The outgoing edges of a block that are feasible under the known condition.
    fn leave(&mut self, from: Block, data: &InstData) -> Option<bool> {
        let condition = match data.kind {
            InstKind::Br => None,
            InstKind::CondBr | InstKind::Switch => match self.operand(data.operands[0])? {
                // No run has reached the branch yet.
                None => return Some(false),
                // A branch on poison is UB.
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

    /// Whether the instruction is a simple store that the run already made, to the same place.
    fn repeats_store(&self, inst: Inst) -> bool {
        let data = self.body.inst(inst);
        matches!(&data.kind, InstKind::Store(access) if !access.volatile && access.ordering.is_none())
            && matches!(data.operands[1], Value::Arg(_) | Value::Const(_))
            && self.from.executed.contains(&inst)
    }

    /// The value of a non-terminator. Gives up on possible UB.
    fn evaluate(&self, block: Block, data: &InstData) -> Known {
        let width = || data.ty.int_bits().filter(|w| *w <= WIDEST);
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

    /// Describes the result.
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

/// The value of `a op b`. Gives up on divisions that may be UB.
fn binary(op: BinaryOp, flags: BinaryFlags, a: Low, b: Low) -> Option<Low> {
    let width = a.width;
    let poison = a.poison || b.poison;
    let flagged = flags != BinaryFlags::default();
    if let (Some(x), Some(y)) = (a.whole(), b.whole()) {
        let amount = |value: Option<Int>| value.map_or(Low::unknown(width, true), Low::constant);
        // A flag may make the result poison; only the most common flags are checked precisely.
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
            // Division by zero or by poison is UB.
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
            // (r + 2^i x)(s + 2^j y): unknown bits start at 2^i times the power of two that divides s, and vice versa.
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
                        // Shifted-in bits are unknown if the upper part of the value is unknown.
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
    use super::{Side, endless, endless_after_fuel, may_have_progress_obligation};
    use backedge_interp::input::{ArgSpec, Input};
    use backedge_interp::outcome::Outcome;
    use backedge_interp::trace::NoObserver;
    use backedge_interp::{Config, Machine, Program, chooser::ZeroChooser};
    use backedge_ir::parse::parse_module;

    /// A loop from `%a` to `%n` with that step and those flags, left when `pred` no longer holds.
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

    /// For each run: whether it is shown to be endless (from entry, or from the state after `steps`), and whether it
    /// is.
    fn all(width: u32, text: &str, steps: Option<u64>) -> Vec<(bool, bool)> {
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
            let shown = match steps {
                None => endless(side, &input),
                Some(fuel) => {
                    let config = Config { fuel, ..config.clone() };
                    let mut machine = Machine::new(&program, config);
                    endless_after_fuel(side, &mut machine, &input).expect("it fits")
                }
            };
            (shown.is_some(), matches!(run.outcome, Outcome::Diverges { .. }))
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
        for fuel in [None, Some(6), Some(13), Some(20)] {
            let (mut shown, mut endless) = (0, 0);
            for step in steps {
                for pred in ["ne", "eq", "ult", "sge"] {
                    for (claimed, is) in all(4, &counting(4, step, pred), fuel) {
                        assert!(is || !claimed, "{step}, {pred}, {fuel:?}");
                        shown += usize::from(claimed);
                        endless += usize::from(is);
                    }
                }
            }
            // Low bits do not prove every case; they prove all counters with step 2.
            assert!(shown * 3 > endless, "{shown} of {endless} are shown, {fuel:?}");
        }
        let even = all(4, &counting(4, "add i4 %i, 2", "ne"), None);
        assert!(even.iter().all(|(claimed, is)| claimed == is));
    }

    /// Nested loops: a value of the outer loop is the one of its last iteration, and may be anything in the next one.
    #[test]
    fn from_within_a_nest_nothing_wrong_is_shown() {
        let nest = |inner: &str, outer: &str| {
            format!(
                "define void @f(i4 %n, i4 %a) {{
entry:
  br label %outer
outer:
  %o = phi i4 [ %a, %entry ], [ %o.next, %latch ]
  %double = mul i4 %o, 2
  br label %inner
inner:
  %i = phi i4 [ %double, %outer ], [ %i.next, %inner ]
  %i.next = {inner}
  %c = icmp ne i4 %i.next, %n
  br i1 %c, label %inner, label %latch
latch:
  %o.next = {outer}
  %d = icmp ne i4 %o.next, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}}
"
            )
        };
        let (mut shown, mut endless) = (0, 0);
        for inner in ["add i4 %i, 1", "add i4 %i, 2", "add i4 %i, %o", "shl i4 %i, 1"] {
            for outer in ["add i4 %o, 1", "add i4 %o, 2", "add i4 %o, 4", "mul i4 %o, 3"] {
                for fuel in [None, Some(9), Some(30), Some(71)] {
                    for (claimed, is) in all(4, &nest(inner, outer), fuel) {
                        assert!(is || !claimed, "{inner}, {outer}, {fuel:?}");
                        shown += usize::from(claimed);
                        endless += usize::from(is);
                    }
                }
            }
        }
        assert!(shown * 10 > endless, "{shown} of {endless} are shown");
    }

    /// Code before the loop, and parameters that the loop does not use, do not block the analysis.
    #[test]
    fn what_comes_before_a_loop_does_not_hide_it() {
        let module = |head: &str, before: &str, within: &str| {
            let text = format!(
                "define void @f({head}) {{
entry:
{before}  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 2
{within}  %c = icmp ne i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
declare void @g()
"
            );
            parse_module(text.as_bytes()).expect("a module").module
        };
        let loads = "  %n = load i32, ptr %p\n";
        let stores = "  store i32 1, ptr %p\n";
        let moves = "  %q = getelementptr i8, ptr %p, i32 %j\n  store i8 1, ptr %q\n";
        for (head, before, within, expected) in [
            ("ptr %p", loads, "", true),
            ("ptr %p, i32 %n", stores, "", true),
            ("ptr %p, i32 %n", stores, stores, true),
            ("ptr %p, i32 %n", "", moves, false),
            ("ptr %p", loads, "  call void @g()\n", false),
            ("ptr %p, i32 %n", "", "  store volatile i32 1, ptr %p\n", false),
        ] {
            let module = module(head, before, within);
            let side = Side { module: &module, func: module.env.func_named("f").expect("@f") };
            let config = Config { fuel: 100, ..Config::default() };
            let program = Program::new(&module, &config);
            let mut machine = Machine::new(&program, config.clone());
            let args = if head.contains("%n") { &["bytes:01000000", "1"][..] } else { &["bytes:01000000"] };
            let input = Input::parse(args).expect("an input");
            let shown = endless_after_fuel(side, &mut machine, &input).expect("it fits");
            assert_eq!(shown.is_some(), expected, "{head}, {before}, {within}");
        }
    }

    #[test]
    fn steps_by_flags_and_choices_show_nothing_wrong() {
        for (text, expected) in [
            // The flag eventually makes the value poison and the branch UB.
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
            assert!(!may_have_progress_obligation(side));
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
            assert_eq!(may_have_progress_obligation(side), expected, "{text}");
        }
    }
}
