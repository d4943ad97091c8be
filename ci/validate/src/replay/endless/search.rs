//! The analysis: reachable blocks, and values that hold in all iterations.

use super::low::{Low, WIDEST, binary, low_mask};
use super::state::State;
use crate::pair::Side;
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{CastOp, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::print::BodyPrinter;
use std::collections::{BTreeSet, HashMap};

/// Maximum number of passes over the body. A value can change as often as it has bits.
const PASSES: usize = 400;

/// An operand: its value, `None` while it has none. The outer `None` gives up.
type Known = Option<Option<Low>>;

pub(super) struct Search<'a> {
    body: &'a Body,
    from: State<'a>,
    /// Knowledge about instructions so far; no entry for instructions that no run has reached.
    values: HashMap<Inst, Low>,
    edges: BTreeSet<(Block, Block)>,
    blocks: BTreeSet<Block>,
}

impl<'a> Search<'a> {
    pub(super) fn new(from: State<'a>) -> Option<Self> {
        let body = from.body;
        let blocks = BTreeSet::from([from.block?]);
        let values = from.values.iter().filter_map(|(inst, value)| Some((*inst, (*value)?))).collect();
        Some(Self { body, from, values, edges: BTreeSet::new(), blocks })
    }

    /// Why the run never ends.
    pub(super) fn conclude(mut self, side: Side<'_>) -> Option<String> {
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
