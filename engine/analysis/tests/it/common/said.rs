//! All claims of the analyses about a body: about each result, each operand at its uses, and each edge.

#![allow(dead_code, reason = "each test program uses a part")]

use backedge_analysis::cache::At;
use backedge_analysis::conditions::{Claim, Conditions};
use backedge_analysis::must_execute::{MustExecute, called_intrinsic, guaranteed_to_transfer_to};
use backedge_analysis::order::Order;
use backedge_analysis::passed::{PassedBranch, passed_branches, passed_on_edge};
use backedge_analysis::poison::{
    Defined, is_guaranteed_defined, program_undefined_if_poison, undefined_in_iteration,
};
use backedge_analysis::values::{Demanded, Facts, ValueFacts, facts_on_demand};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::IntPredicate;
use rustc_hash::{FxHashMap, FxHashSet};

/// The claims about a result, and about the operands when control reaches the instruction.
#[derive(Default, Debug)]
pub(crate) struct OfInst {
    pub(crate) result: Vec<(&'static str, Facts)>,
    pub(crate) operands: Vec<(Value, Facts)>,
    /// Operands that are neither poison nor undef.
    pub(crate) defined: Vec<Value>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) compared: Vec<(Value, IntPredicate, Value, bool)>,
}

/// The claims on an edge, and at the end of its source block.
#[derive(Default, Debug)]
pub(crate) struct OfEdge {
    pub(crate) facts: Vec<(Value, Facts)>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) branches: Vec<PassedBranch>,
}

/// All claims about a body.
pub(crate) struct Said {
    pub(crate) insts: FxHashMap<Inst, OfInst>,
    pub(crate) edges: FxHashMap<(Block, Block), OfEdge>,
    /// The instructions that each region certainly executes.
    pub(crate) regions: Vec<(MustExecute, Vec<Inst>)>,
    pub(crate) never_poison: FxHashSet<Value>,
    pub(crate) transfers: Vec<(Inst, Inst)>,
}

impl Said {
    pub(crate) fn of(at: At<'_>) -> Self {
        let regions = regions(at);
        let cfg = at.cfg();
        let insts = cfg.rpo().iter().flat_map(|b| at.body.insts(*b));
        Self {
            insts: insts.map(|i| (*i, of_inst(at, *i))).collect(),
            edges: edges(at),
            never_poison: never_poison(at, &regions),
            regions,
            transfers: transfers(at),
        }
    }
}

fn of_inst(at: At<'_>, inst: Inst) -> OfInst {
    let (facts, conditions) = (at.get::<ValueFacts>(), at.get::<Conditions>());
    let mut said = OfInst::default();
    said.result.extend(facts.of(at, inst.into()).map(|f| ("everywhere", f)));
    let demanded = at.get::<Demanded>();
    said.result.extend(demanded.of(at, inst.into()).map(|f| ("as demanded", f)));
    said.result.extend(facts_on_demand(at, inst.into()).map(|f| ("on demand", f)));
    let data = at.body.inst(inst);
    if data.kind.is_phi() {
        return said;
    }
    for &operand in data.operands.iter().filter(|v| v.as_const().is_none()) {
        said.operands.extend(facts.at(at, operand, inst).map(|f| (operand, f)));
        said.operands.extend(demanded.at(at, operand, inst).map(|f| (operand, f)));
        if is_guaranteed_defined(at, operand, Some(inst), Defined::NotUndef) {
            said.defined.push(operand);
        }
        said.claims.extend(conditions.holding_at(at, operand, inst));
    }
    if let [a, b, ..] = *data.operands.as_slice()
        && at.body.ty(a).is_int()
        && at.body.ty(a) == at.body.ty(b)
    {
        let known =
            IntPredicate::ALL.iter().filter_map(|p| Some((a, *p, b, facts.icmp(at, *p, a, b, inst)?)));
        said.compared.extend(known);
    }
    said
}

fn edges(at: At<'_>) -> FxHashMap<(Block, Block), OfEdge> {
    let (cfg, dominators) = (at.cfg(), at.dominators());
    let (facts, conditions) = (at.get::<ValueFacts>(), at.get::<Conditions>());
    let all = at.body.args().map(Value::from).chain(at.body.all_insts().map(Value::from));
    let values: Vec<Value> = all.filter(|v| conditions.about(*v).next().is_some()).collect();
    let mut edges = FxHashMap::default();
    for &from in cfg.rpo() {
        // A value of an earlier iteration may have been recomputed since; query only dominating values.
        let is_there = |v: &Value| {
            let block = v.as_inst().map(|i| at.body.block_of(i).expect("it is in a block"));
            block.is_none_or(|b| dominators.dominates(b, from))
        };
        let values: Vec<Value> = values.iter().copied().filter(is_there).collect();
        for &to in cfg.succs(from) {
            let on_edge = values.iter().filter_map(|v| Some((*v, facts.on_edge(at, *v, from, to)?)));
            let demanded = at.get::<Demanded>();
            let as_demanded = values.iter().filter_map(|v| Some((*v, demanded.on_edge(at, *v, from, to)?)));
            let at_end = values.iter().filter_map(|v| Some((*v, facts.at_end(at, *v, from)?)));
            let claims = |v: &Value| {
                let mut all = conditions.holding_on_edge(at, *v, from, to);
                all.extend(conditions.holding_at_end(at, *v, from));
                all
            };
            let said = OfEdge {
                facts: on_edge.chain(as_demanded).chain(at_end).collect(),
                claims: values.iter().flat_map(claims).collect(),
                branches: passed_on_edge(at, from, to).chain(passed_branches(at, to)).collect(),
            };
            edges.insert((from, to), said);
        }
    }
    edges
}

fn regions(at: At<'_>) -> Vec<(MustExecute, Vec<Inst>)> {
    let (loops, order) = (at.loops(), at.get::<Order>());
    let all = loops.ids().map(|l| MustExecute::of_loop(at, l)).chain([MustExecute::of_function(at)]);
    all.map(|region| {
        let insts = at.body.all_insts().filter(|i| !is_remark(at, *i));
        let insts = insts.filter(|i| region.contains(at.body, &order, *i)).collect();
        (region, insts)
    })
    .collect()
}

fn never_poison(at: At<'_>, regions: &[(MustExecute, Vec<Inst>)]) -> FxHashSet<Value> {
    let mut never = FxHashSet::default();
    let values = at.body.all_insts().map(Value::from).chain(at.body.args().map(Value::from));
    never.extend(values.filter(|v| {
        program_undefined_if_poison(at, *v) || is_guaranteed_defined(at, *v, None, Defined::NotPoison)
    }));
    let (region_of, loops) = (|l| regions.iter().find(|r| r.0.of() == l), at.loops());
    never.extend(at.body.all_insts().filter_map(|inst| {
        let (region, _) = region_of(loops.innermost(at.body.block_of(inst)?))?;
        undefined_in_iteration(at, region, inst).then_some(Value::from(inst))
    }));
    never
}

/// Pairs whose second instruction is claimed to be executed once the first is; a sample if there are many.
fn transfers(at: At<'_>) -> Vec<(Inst, Inst)> {
    let insts: Vec<Inst> = at.body.all_insts().filter(|i| !is_remark(at, *i)).collect();
    let share = insts.len() * insts.len() / 4000 + 1;
    // An invoke that unwinds is not reported.
    let is_seen = |i: &Inst| !matches!(at.body.inst(*i).kind, InstKind::Invoke(_));
    let pairs = insts.iter().flat_map(|a| insts.iter().filter(|i| is_seen(i)).map(move |b| (*a, *b)));
    pairs.step_by(share).filter(|(a, b)| guaranteed_to_transfer_to(at, *a, *b)).collect()
}

/// Whether `inst` has no effect beyond annotating the program; the interpreter does not report it.
fn is_remark(at: At<'_>, inst: Inst) -> bool {
    use Intrinsic as I;
    let data = at.body.inst(inst);
    let intrinsic = data.call().and_then(|c| called_intrinsic(at.env, at.body, c));
    let silent = [
        I::NoAliasScopeDecl,
        I::PseudoProbe,
        I::DoNothing,
        I::SideEffect,
        I::VarAnnotation,
        I::Prefetch,
        I::InvariantEnd,
    ];
    matches!(data.kind, InstKind::DebugRecord(_))
        || intrinsic.is_some_and(|i| i.is_debug() || silent.contains(&i))
}
