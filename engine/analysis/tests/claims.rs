//! What the analyses claim of values and control, judged by running generated functions: known bits and ranges of every
//! result and of every operand where it is used, on edges, conditions, must-execute, and poison.
//!
//! A violation counts only if the run ends without undefined behaviour. `BACKEDGE_CASES` sets how many functions
//! are made (400 without).

mod common;

use backedge_analysis::LoopId;
use backedge_analysis::cache::{Analyses, At};
use backedge_analysis::conditions::{Claim, Conditions};
use backedge_analysis::must_execute::{MustExecute, called_intrinsic, guaranteed_to_transfer_to};
use backedge_analysis::order::Order;
use backedge_analysis::passed::{PassedBranch, Way, passed_branches, passed_on_edge};
use backedge_analysis::poison::{
    Defined, is_guaranteed_defined, program_undefined_if_poison, undefined_in_iteration,
};
use backedge_analysis::values::{Facts, ValueFacts, facts_on_demand};
use backedge_interp::chooser::RandomChooser;
use backedge_interp::outcome::Outcome;
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::body::Body;
use backedge_ir::entity::{Arg, Block, EntityId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Module;
use backedge_ir::opcode::IntPredicate;
use backedge_ir::parse::parse_module;
use common::program::{Dice, Mix, module};
use common::runs::{Event, Steps, input, input_for, modules};
use rustc_hash::{FxHashMap, FxHashSet};

/// Numbers of claims that runs have put to the test.
#[derive(Default, Debug)]
struct Tally {
    functions: u64,
    runs: u64,
    without_ub: u64,
    facts: u64,
    informative: u64,
    at_uses: u64,
    conditions: u64,
    executed: u64,
    poison: u64,
    transfers: u64,
    branches: u64,
}

fn seeds(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    let first = number("BACKEDGE_SEED").unwrap_or(0);
    first..first + number("BACKEDGE_CASES").unwrap_or(default)
}

/// Whether `inst` does nothing: the interpreter does not report it.
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

/// Whether `value`, whatever its undefined bits are, has the facts; poison has any.
fn has(facts: Facts, value: &Val) -> bool {
    let Some(cube) = value.cube() else { return true };
    let width = facts.width();
    // The ends, and the two patterns that alternate.
    [0, u128::MAX, 0x5555 * 0x1_0001, 0xaaaa * 0x1_0001]
        .iter()
        .all(|undef| facts.contains(Int::new(width, cube.bits | cube.undef & undef)))
}

/// Pairs of which the second instruction is said to be executed once the first is; a share of them if there are many.
fn transfers(at: At<'_>) -> Vec<(Inst, Inst)> {
    let insts: Vec<Inst> = at.body.all_insts().filter(|i| !is_remark(at, *i)).collect();
    let share = insts.len() * insts.len() / 4000 + 1;
    // An invoke that unwinds is not reported.
    let is_seen = |i: &Inst| !matches!(at.body.inst(*i).kind, InstKind::Invoke(_));
    let pairs = insts.iter().flat_map(|a| insts.iter().filter(|i| is_seen(i)).map(move |b| (*a, *b)));
    pairs.step_by(share).filter(|(a, b)| guaranteed_to_transfer_to(at, *a, *b)).collect()
}

struct Judge<'a> {
    at: At<'a>,
    text: &'a str,
    executed: Vec<(MustExecute, Vec<Inst>)>,
    never_poison: FxHashSet<Value>,
    transfers: Vec<(Inst, Inst)>,
    passed: FxHashMap<Block, Vec<PassedBranch>>,
    tally: &'a mut Tally,
}

impl<'a> Judge<'a> {
    fn new(at: At<'a>, text: &'a str, tally: &'a mut Tally) -> Self {
        let (loops, order) = (at.loops(), at.get::<Order>());
        let regions = loops.ids().map(|l| MustExecute::of_loop(at, l)).chain([MustExecute::of_function(at)]);
        let mut never_poison = FxHashSet::default();
        let executed: Vec<_> = regions
            .map(|region| {
                // What only says something of the program is not run.
                let is_code = |i: &Inst| !is_remark(at, *i);
                let insts = at.body.all_insts().filter(is_code);
                let insts = insts.filter(|i| region.contains(at.body, &order, *i)).collect();
                (region, insts)
            })
            .collect();
        for inst in at.body.all_insts() {
            let block = at.body.block_of(inst).expect("it stands in a block");
            let region = loops.innermost(block).map_or(executed.len() - 1, LoopId::index);
            if undefined_in_iteration(at, &executed[region].0, inst) {
                never_poison.insert(inst.into());
            }
        }
        let values = at.body.all_insts().map(Value::from).chain(at.body.args().map(Value::from));
        never_poison.extend(values.filter(|v| {
            program_undefined_if_poison(at, *v) || is_guaranteed_defined(at, *v, None, Defined::NotPoison)
        }));
        let passed = at.cfg().rpo().iter().map(|b| (*b, passed_branches(at, *b).collect())).collect();
        Self { at, text, executed, never_poison, transfers: transfers(at), passed, tally }
    }
    fn fail(&self, what: &str) -> ! {
        panic!("{what}\nin {}", self.text)
    }
    /// Judges a run without undefined behaviour; `complete` if it ended by itself, and not cut short.
    fn run(&mut self, steps: &Steps, complete: bool) {
        let mut now: FxHashMap<Value, Val> = FxHashMap::default();
        for (i, value) in steps.args.iter().enumerate() {
            let arg = Arg::from_index(i).into();
            self.never_poison(arg, value);
            now.insert(arg, value.clone());
        }
        let mut block = self.at.body.entry().expect("an entry");
        for event in &steps.events {
            match event {
                Event::Enter(to) => {
                    self.on_edge(&now, block, *to);
                    self.branches(&now, block, *to);
                    block = *to;
                }
                Event::Step(inst, value) => {
                    self.operands(&now, *inst);
                    if let Some(value) = value {
                        self.result(*inst, value);
                        now.insert((*inst).into(), value.clone());
                    }
                }
            }
        }
        self.tally.executed += self.regions(steps, complete);
        self.transferred(steps, complete);
    }
    fn never_poison(&mut self, value: Value, is: &Val) {
        if self.never_poison.contains(&value) {
            self.tally.poison += 1;
            if is.has_poison() {
                self.fail(&format!("{} is poison", self.name(value)));
            }
        }
    }
    /// Whether each branch that is said to be passed on the way to `to`, and over the edge, went the way that is said.
    fn branches(&mut self, now: &FxHashMap<Value, Val>, from: Block, to: Block) {
        let own = passed_on_edge(self.at, from, to).take(1);
        for passed in own.chain(self.passed[&to].iter().copied()) {
            self.tally.branches += 1;
            let cases = || self.at.body.inst(passed.branch).operands[1..].iter();
            let is = self.int(now, passed.condition);
            let right = is.is_some_and(|is| match passed.way {
                Way::Truth(truth) => is == Int::bool(truth),
                Way::Case(case) => is == case,
                Way::Default => cases().all(|c| self.at.body.as_int(*c) != Some(is)),
            });
            if !right {
                self.fail(&format!("{passed:?}: it is {is:?}"));
            }
        }
    }
    /// Whether each instruction that is said to be executed behind another one is.
    fn transferred(&mut self, steps: &Steps, complete: bool) {
        let mut waiting: FxHashMap<Inst, Vec<(Inst, bool)>> = FxHashMap::default();
        let mut ends: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
        for &(from, to) in &self.transfers {
            waiting.entry(from).or_default().push((to, false));
            ends.entry(to).or_default().push(from);
        }
        for event in &steps.events {
            let Event::Step(inst, _) = event else { continue };
            for from in ends.get(inst).into_iter().flatten() {
                for (to, waits) in waiting.get_mut(from).into_iter().flatten() {
                    *waits &= to != inst;
                }
            }
            for (to, waits) in waiting.get_mut(inst).into_iter().flatten() {
                self.tally.transfers += 1;
                assert!(!std::mem::replace(waits, true), "{to:?} does not follow {inst:?}\n{}", self.text);
            }
        }
        let missed = waiting.values().flatten().find(|(_, waits)| *waits);
        if let (true, Some((to, _))) = (complete, missed) {
            self.fail(&format!("{:?} was not executed", self.at.body.inst(*to)));
        }
    }
    fn result(&mut self, inst: Inst, value: &Val) {
        let all = self.at.get::<ValueFacts>();
        if let Some(facts) = all.of(self.at, inst.into()) {
            self.tally.facts += 1;
            self.tally.informative += u64::from(!facts.is_unknown());
            if !has(facts, value) {
                self.fail(&format!("{} is {value:?}, said is {facts}", self.name(inst.into())));
            }
            let quick = facts_on_demand(self.at, inst.into()).expect("the same type");
            if !has(quick, value) {
                self.fail(&format!("{} is {value:?}, on demand said is {quick}", self.name(inst.into())));
            }
        }
        self.never_poison(inst.into(), value);
    }
    fn operands(&mut self, now: &FxHashMap<Value, Val>, inst: Inst) {
        let body = self.at.body;
        let data = body.inst(inst);
        if data.kind.is_phi() {
            return;
        }
        let facts = self.at.get::<ValueFacts>();
        let conditions = self.at.get::<Conditions>();
        for &operand in &data.operands {
            let Some(value) = now.get(&operand) else { continue };
            if let Some(known) = facts.at(self.at, operand, inst) {
                self.tally.at_uses += 1;
                if !has(known, value) {
                    let name = self.name(operand);
                    self.fail(&format!("{name} is {value:?} at {:?}, said is {known}", data.kind));
                }
            }
            if is_guaranteed_defined(self.at, operand, Some(inst), Defined::NotUndef)
                && value.has_undef_or_poison()
            {
                self.fail(&format!("{} is {value:?} at {:?}", self.name(operand), data.kind));
            }
            for claim in conditions.holding_at(self.at, operand, inst) {
                self.claim(now, &claim);
            }
        }
        if let [a, b, ..] = *data.operands.as_slice()
            && let (Some(x), Some(y)) = (self.int(now, a), self.int(now, b))
            && x.width() == y.width()
        {
            for &pred in IntPredicate::ALL {
                if let Some(said) = facts.icmp(self.at, pred, a, b, inst)
                    && said != pred.holds(x, y)
                {
                    self.fail(&format!(
                        "{} {pred:?} {} at {:?}: said is {said}",
                        self.name(a),
                        self.name(b),
                        data.kind
                    ));
                }
            }
        }
    }
    fn on_edge(&mut self, now: &FxHashMap<Value, Val>, from: Block, to: Block) {
        let facts = self.at.get::<ValueFacts>();
        let conditions = self.at.get::<Conditions>();
        for (&value, is) in now {
            if conditions.about(value).next().is_none() {
                continue;
            }
            // A value of an earlier iteration may have been computed anew since; only those that dominate are asked.
            let dominates = match value {
                Value::Inst(inst) => {
                    let block = self.at.body.block_of(inst).expect("it stands in a block");
                    self.at.dominators().dominates(block, from)
                }
                _ => true,
            };
            if dominates
                && let Some(known) = facts.on_edge(self.at, value, from, to)
                && !has(known, is)
            {
                self.fail(&format!("{} is {is:?} on an edge, said is {known}", self.name(value)));
            }
        }
    }
    fn int(&self, now: &FxHashMap<Value, Val>, value: Value) -> Option<Int> {
        let width = self.at.body.ty(value).int_bits()?;
        self.at.body.as_int(value).or_else(|| now.get(&value)?.as_int(width))
    }
    /// A condition that is said to hold.
    fn claim(&mut self, now: &FxHashMap<Value, Val>, claim: &Claim) {
        self.tally.conditions += 1;
        let right = match *claim {
            Claim::Compare { pred, left, right } => match (self.int(now, left), self.int(now, right)) {
                (Some(a), Some(b)) => pred.holds(a, b),
                _ => true,
            },
            Claim::Is { value, truth } => self.int(now, value) == Some(Int::bool(truth)),
            Claim::Within { value, range } => self.int(now, value).is_none_or(|v| range.contains(v)),
            Claim::Bits { value, known } => self.int(now, value).is_none_or(|v| known.contains(v)),
        };
        if !right {
            self.fail(&format!("{claim:?} does not hold"));
        }
    }
    fn name(&self, value: Value) -> String {
        self.at.body.value_name(value).map_or_else(|| format!("{value:?}"), |n| format!("%{n}"))
    }
    /// Whether each instruction of each region is executed from every arrival at its start to the end of that round.
    fn regions(&self, steps: &Steps, complete: bool) -> u64 {
        let mut executed = 0;
        let loops = self.at.loops();
        for (region, insts) in &self.executed {
            let header = region.of().map(|l| loops.header(l));
            let mut round: Option<FxHashSet<Inst>> = header.is_none().then(FxHashSet::default);
            let close = |round: &Option<FxHashSet<Inst>>| {
                let Some(round) = round else { return };
                if let Some(missed) = insts.iter().find(|i| !round.contains(i)) {
                    self.fail(&format!("{:?} was not executed", self.at.body.inst(*missed)));
                }
            };
            let mut at_block = self.at.body.entry();
            for event in &steps.events {
                if let Event::Enter(block) = event {
                    // An invoke that unwinds is not reported as a step.
                    let left = at_block.replace(*block).and_then(|b| self.at.body.terminator(b));
                    if let (Some(round), Some(left)) = (&mut round, left) {
                        round.insert(left);
                    }
                }
                match event {
                    Event::Enter(block) if Some(*block) == header => {
                        close(&round);
                        round = Some(FxHashSet::default());
                        executed += insts.len() as u64;
                    }
                    Event::Enter(block) => {
                        if region.of().is_some_and(|l| !loops.contains(l, *block)) {
                            close(&round);
                            round = None;
                        }
                    }
                    Event::Step(inst, _) => {
                        if let Some(round) = &mut round {
                            round.insert(*inst);
                        }
                    }
                }
            }
            if complete {
                close(&round);
            }
        }
        executed
    }
}

fn parse(text: &str) -> Module {
    let module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
    let problems = backedge_ir::verify::verify_module(&module);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    module
}

fn judge(seed: u64, mix: Mix, runs: usize, tally: &mut Tally) {
    let text = module(seed, mix);
    let module = parse(&text);
    let func = module.env.func_named("f").expect("there is @f");
    let body: &Body = module.body(func).expect("it has a body");
    let analyses = Analyses::of(func);
    let mut judge = Judge::new(analyses.at(&module.env, body), &text, tally);
    judge.tally.functions += 1;
    let config = Config { fuel: 3000, ..Config::default() };
    let program = Program::new(&module, &config);
    let mut machine = Machine::new(&program, config);
    let mut dice = Dice::new(seed ^ 0xabcdef);
    for run in 0..runs {
        let input = input(&mut dice);
        let mut steps = Steps::default();
        let mut chooser = RandomChooser::new(seed * 1000 + run as u64);
        let result = machine.run(func, &input, &mut chooser, &mut steps).expect("the input fits");
        judge.tally.runs += 1;
        match result.outcome {
            Outcome::Ub { .. } | Outcome::OutOfFuel | Outcome::LimitExceeded(_) => {}
            Outcome::Unsupported { ref feature, .. } => panic!("{feature}\n{text}"),
            Outcome::Diverges { .. } => judge.run(&steps, false),
            Outcome::Returned(_) | Outcome::DidNotReturn { .. } => {
                judge.tally.without_ub += 1;
                if let Outcome::DidNotReturn { place, .. } = result.outcome
                    && let Some(inst) = place.inst
                {
                    steps.events.push(Event::Step(inst, None));
                }
                judge.run(&steps, true);
            }
        }
    }
}

/// The functions of the corpus and of LLVM's loop tests on random inputs.
#[test]
fn files() {
    let mut tally = Tally::default();
    for (name, module) in modules("claims on LLVM's loop tests") {
        let config = Config { fuel: 1000, max_bytes: 1 << 20, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config);
        for (func, body) in module.bodies() {
            let text = format!("{name}, @{}", module.env.funcs[func].name);
            let analyses = Analyses::of(func);
            let mut dice = Dice::new(7);
            let Some(_) = input_for(body, &mut dice) else { continue };
            let mut judge = Judge::new(analyses.at(&module.env, body), &text, &mut tally);
            judge.tally.functions += 1;
            for run in 0..6 {
                let Some(input) = input_for(body, &mut dice) else { break };
                let mut steps = Steps::default();
                let mut chooser = RandomChooser::new(run);
                let Ok(result) = machine.run(func, &input, &mut chooser, &mut steps) else { break };
                judge.tally.runs += 1;
                match result.outcome {
                    Outcome::Ub { .. } | Outcome::OutOfFuel | Outcome::LimitExceeded(_) => {}
                    Outcome::Unsupported { .. } => break,
                    Outcome::Diverges { .. } => judge.run(&steps, false),
                    Outcome::Returned(_) | Outcome::DidNotReturn { .. } => {
                        judge.tally.without_ub += 1;
                        if let Outcome::DidNotReturn { place, .. } = result.outcome
                            && place.func == func
                            && let Some(inst) = place.inst
                        {
                            steps.events.push(Event::Step(inst, None));
                        }
                        // A function that calls others may end in one of them.
                        let ended_here = match result.outcome {
                            Outcome::DidNotReturn { place, .. } => place.func == func,
                            _ => true,
                        };
                        judge.run(&steps, ended_here);
                    }
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.without_ub > 100 && tally.facts > 1000, "{tally:?}");
}

#[test]
fn generated_functions() {
    let mut tally = Tally::default();
    for seed in seeds(400) {
        let mix = match seed % 3 {
            0 => Mix { memory: 0, calls: 10, size: 30 },
            1 => Mix { memory: 10, calls: 20, size: 50 },
            _ => Mix { memory: 25, calls: 5, size: 80 },
        };
        judge(seed, mix, 60, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.without_ub * 20 > tally.runs, "too few runs end well: {tally:?}");
    assert!(tally.conditions > 1000 && tally.executed > 10_000 && tally.poison > 1000, "{tally:?}");
    assert!(tally.transfers > 10_000 && tally.branches > 1000, "{tally:?}");
}
