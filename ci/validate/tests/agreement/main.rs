//! The interpreter and the encoder say the same of the same run: how it ends, what it returns, which bits of that are
//! poison or undefined, what memory holds, what others see. For generated functions, undefined ones above all, on
//! random inputs; and for the functions of the corpus's suite on undefined behaviour.
//!
//! The interpreter runs with random choices; the encoder's formula is evaluated on the same input with the same
//! choices and answers of the environment. The evaluation needs no solver; that terms mean to the solver what they
//! mean there is tested beside it. Each case also checks that the facts that the encoder takes for granted hold of the
//! run. `BACKEDGE_CASES` sets the number of cases, `BACKEDGE_SEED` the first seed.

mod compare;
mod environment;
mod situation;

use crate::compare::{Likeness, judge};
use crate::environment::{Floats, Plain, Replayed, Watcher};
use crate::situation::Numbers;
use backedge_interp::chooser::{RandomChooser, RecordingChooser};
use backedge_interp::input::{ArgSpec, BlockSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Module;
use backedge_ir::types::{Compound, FloatKind, Type, TypeKind};
use backedge_smt::refinement::denotation::{Behaviour, Denotation};
use backedge_smt::refinement::{FunctionRef, Reason, UninitRule};
use backedge_testkit::generate::wild_module;
use backedge_testkit::ub_suite;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// Cases by how they came out.
type Counts = BTreeMap<String, usize>;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is not a number")))
}

/// For inputs.
struct Dice(SplitMix64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }
    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

fn bits(dice: &mut Dice, width: u32) -> u128 {
    let mask = u128::MAX >> (128 - width);
    let value = match dice.below(6) {
        0 => 0,
        1 => mask,
        2 => 1 << (width - 1),
        3 => mask >> 1,
        4 => dice.below(9).into(),
        _ => u128::from(dice.next()) << 64 | u128::from(dice.next()),
    };
    value & mask
}

fn float(dice: &mut Dice, kind: FloatKind) -> u128 {
    const NICE: [f64; 10] =
        [0.0, -0.0, 1.0, -2.5, 100.0, 1e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 3e-320];
    let nice = NICE[dice.below(10) as usize];
    match kind {
        FloatKind::Float => (nice as f32).to_bits().into(),
        FloatKind::Double => nice.to_bits().into(),
        _ => bits(dice, kind.bits()),
    }
}

fn contents(dice: &mut Dice, size: usize) -> Contents {
    let mut contents = Contents::from_bytes((0..size).map(|_| bits(dice, 8) as u8).collect());
    for at in 0..size {
        match dice.below(24) {
            0 => contents.set_poison(at, 1),
            1 => contents.set_undef(at, 1),
            _ => {}
        }
    }
    contents
}

/// A random argument of type `ty`; `pointers` are the indices of those before it that are pointers.
fn argument(dice: &mut Dice, module: &Module, ty: Type, pointers: &[usize]) -> ArgSpec {
    match dice.below(24) {
        0 => return ArgSpec::Poison,
        1 => return ArgSpec::Undef,
        _ => {}
    }
    match ty.kind() {
        TypeKind::Int(width) => ArgSpec::Bits(bits(dice, width)),
        TypeKind::Float(kind) => ArgSpec::Bits(float(dice, kind)),
        TypeKind::Ptr(_) => match dice.below(12) {
            0 => ArgSpec::Null,
            1 => ArgSpec::Global { name: "g".to_owned(), offset: dice.below(8) as i64 },
            2 | 3 if !pointers.is_empty() => {
                let arg = pointers[dice.below(pointers.len() as u64) as usize];
                ArgSpec::Alias { arg, offset: dice.below(4) as i64 }
            }
            4 => {
                let offset = dice.below(16) as i64 - 4;
                ArgSpec::Inside { contents: Box::new(contents(dice, 12)), offset }
            }
            _ => ArgSpec::Buffer(Box::new(contents(dice, 16))),
        },
        _ => {
            let count = match module.env.types.compound(ty) {
                Some(Compound::Vector { len, .. } | Compound::Array { len, .. }) => *len,
                _ => 0,
            };
            let member = module.env.types.member(ty, 0).unwrap_or(Type::VOID);
            ArgSpec::Members((0..count).map(|_| argument(dice, module, member, &[])).collect())
        }
    }
}

fn random_input(dice: &mut Dice, module: &Module, func: FuncId) -> Input {
    let (_, params, _) = module.env.types.signature(module.env.funcs[func].ty).expect("a function type");
    let mut args: Vec<ArgSpec> = Vec::new();
    let mut pointers = Vec::new();
    for (i, ty) in params.iter().enumerate() {
        let arg = argument(dice, module, *ty, &pointers);
        if !matches!(arg, ArgSpec::Poison | ArgSpec::Undef) && ty.is_ptr() {
            pointers.push(i);
        }
        args.push(arg);
    }
    let globals = match module.env.vars.values().any(|v| &*v.name == "g") {
        true => vec![("g".to_owned(), BlockSpec::new(contents(dice, 16)))],
        false => Vec::new(),
    };
    Input { globals, ..Input::new(args) }
}

/// Backedges per entry of a loop.
const BOUND: u32 = 4;

/// A function in both engines.
struct Subject<'m> {
    module: &'m Module,
    func: FuncId,
    volatile_loads: HashSet<Inst>,
    /// Under both readings of uninitialised memory.
    denotations: [Result<Denotation, Reason>; 2],
}

impl<'m> Subject<'m> {
    /// The function `func` of `module` for the interpreter, that of `encoded` for the encoder.
    fn new(module: &'m Module, encoded: &Module, func: FuncId) -> Self {
        let body = module.body(func).expect("a function with a body");
        let is_volatile = |i: &Inst| matches!(&body.inst(*i).kind, InstKind::Load(m) if m.volatile);
        let denotations = [UninitRule::Undef, UninitRule::Poison]
            .map(|rule| Denotation::new(FunctionRef { module: encoded, func }, rule, true, BOUND));
        Self { module, func, volatile_loads: body.all_insts().filter(is_volatile).collect(), denotations }
    }
    /// Compares one run.
    fn check(&mut self, input: &Input, seed: u64, floats: &mut Floats) -> Result<String, String> {
        let uninit_poison = seed % 2 == 1;
        let denotation = match &mut self.denotations[usize::from(uninit_poison)] {
            Ok(denotation) => denotation,
            Err(Reason::Unsupported(u)) => return Ok(format!("not modelled: {}", u.feature)),
            Err(reason) => return Err(format!("not encoded: {reason:?}")),
        };
        let config = Config { uninit_poison, fuel: 20_000, ..Config::default() };
        let program = Program::new(self.module, &config);
        let mut machine = Machine::new(&program, config);
        let mut chooser = RecordingChooser::new(Plain(RandomChooser::new(seed)));
        let mut watcher = Watcher { wanted: self.volatile_loads.clone(), ..Watcher::default() };
        let run = machine
            .run(self.func, input, &mut chooser, &mut watcher)
            .map_err(|e| format!("the input does not fit: {e}"))?;
        let mut numbers = Numbers::new(self.module, self.func, denotation, input);
        let situation = match &watcher.start {
            Some((args, objects)) => numbers.situation(input, args, objects),
            None => numbers.unstarted(input),
        };
        numbers.note_addresses(&situation);
        let place = (&run, self.func);
        let mut environment = Replayed::new(place, &chooser, &watcher, &numbers, floats);
        let described = denotation.describe(&situation, &mut environment);
        let Replayed { unanswered, unused, .. } = environment;
        if run.outcome.shows_nothing() && described.behaviour != Some(Behaviour::BeyondBound) {
            return Ok(format!("interpreter: {}", run.outcome.name()));
        }
        if run.observed_addresses {
            return Ok("addresses of local objects were observed".to_owned());
        }
        let judged = judge(&run, &described, &situation, &numbers);
        let open = run.narrowed || unused > 0 || !unanswered.is_empty();
        match judged {
            Ok((name, Likeness::Equal)) => return Ok(name),
            Ok((name, likeness)) if !open => return Err(format!("{name}: {likeness:?}")),
            Err(why) if !open => return Err(why),
            Ok(_) | Err(_) => {}
        }
        // The two do not choose alike: some choice of the encoder must do what the interpreter did.
        let mut likest = judged;
        for attempt in 0..ATTEMPTS {
            let environment = Replayed::new(place, &chooser, &watcher, &numbers, floats);
            let described = denotation.describe(&situation, &mut environment.attempt(attempt));
            match judge(&run, &described, &situation, &numbers) {
                Ok((name, Likeness::Equal)) => return Ok(format!("{name}, by other choices")),
                Ok(found) if likest.is_err() => likest = Ok(found),
                Ok(_) | Err(_) => {}
            }
        }
        match likest {
            Ok((name, _)) => Ok(format!("{name}, up to undefined bits")),
            Err(why) if number("BACKEDGE_STRICT", 0) == 1 => Err(format!("{UNMATCHED}: {why}")),
            Err(_) => Ok(UNMATCHED.to_owned()),
        }
    }
}

/// Other choices that are tried.
const ATTEMPTS: u64 = 64;
/// What cases are called for which none of them was found to fit.
const UNMATCHED: &str = "no choice found";

fn parse(text: &str) -> Module {
    match backedge_ir::parse::read_module(text.as_bytes()) {
        Ok(parsed) => parsed.module,
        Err(diagnostics) => panic!("{diagnostics:?}\n{text}"),
    }
}

/// Checks a number of inputs of the function of `seed`; `change` makes the encoder's text of the interpreter's.
fn check_seed(seed: u64, inputs: u64, change: impl Fn(&str) -> String) -> (Counts, Vec<String>) {
    let text = wild_module(seed);
    let (module, encoded) = (parse(&text), parse(&change(&text)));
    let func = module.env.func_named("f").expect("it has @f");
    let mut subject = Subject::new(&module, &encoded, func);
    let mut floats = Floats::default();
    let (mut counts, mut wrong) = (Counts::new(), Vec::new());
    for case in 0..inputs {
        let mut dice = Dice::new(seed.wrapping_mul(1000) + case);
        let input = random_input(&mut dice, &module, func);
        match subject.check(&input, dice.next(), &mut floats) {
            Ok(name) => *counts.entry(name).or_default() += 1,
            Err(why) => {
                let args: Vec<String> = input.args.iter().map(ToString::to_string).collect();
                let globals = &input.globals;
                let args = args.join(", ");
                wrong.push(format!(
                    "seed {seed}, case {case}: {why}\n@f({args})\nglobals {globals:?}\n{text}"
                ));
            }
        }
    }
    (counts, wrong)
}

/// Inputs for each generated function.
const INPUTS: u64 = 10;

/// In 10,000 cases, how many there are at least of a kind: where the kind's name begins so.
const LEAST: [(&str, usize); 24] = [
    ("returned", 4000),
    ("returned poison", 1000),
    ("did not return", 200),
    ("beyond the bound", 100),
    ("ub assume-violated", 100),
    ("ub branch-on-poison", 200),
    ("ub branch-on-undef", 60),
    ("ub division-by-poison", 40),
    ("ub division-by-zero", 40),
    ("ub division-overflow", 5),
    ("ub invalid-pointer", 8),
    ("ub memory-effects-violated", 60),
    ("ub misaligned", 200),
    ("ub noundef-violated", 200),
    ("ub null-dereference", 100),
    ("ub out-of-bounds", 60),
    ("ub overlapping-copy", 1),
    ("ub poison-length", 15),
    ("ub poison-pointer", 150),
    ("ub read-only-write", 60),
    ("ub readonly-argument", 8),
    ("ub store-outside-lifetime", 30),
    ("ub undef-pointer", 60),
    ("ub writeonly-argument", 8),
];

/// In 10,000 cases, how many there are at most that show less than the others.
const MOST: [(&str, usize); 5] = [
    ("not modelled", 400),
    ("interpreter", 50),
    ("addresses of local objects", 50),
    (UNMATCHED, 50),
    ("entry refused", 0),
];

#[test]
fn generated_functions_mean_the_same_to_interpreter_and_encoder() {
    let (first, cases) = (number("BACKEDGE_SEED", 0), number("BACKEDGE_CASES", 10_000));
    let seeds = first..first + cases.div_ceil(INPUTS);
    let (counts, wrong) = seeds.into_par_iter().map(|seed| check_seed(seed, INPUTS, str::to_owned)).reduce(
        Default::default,
        |(mut counts, mut wrong), (more, found)| {
            for (name, count) in more {
                *counts.entry(name).or_default() += count;
            }
            wrong.extend(found);
            (counts, wrong)
        },
    );
    for (name, count) in &counts {
        println!("{count:6} {name}");
    }
    let shown = wrong.iter().take(number("BACKEDGE_SHOW", 3) as usize);
    assert!(
        wrong.is_empty(),
        "{} of {cases} cases differ; some of them:\n{}",
        wrong.len(),
        shown.cloned().collect::<Vec<_>>().join("\n")
    );
    let sum = |start: &str| -> u64 {
        counts.iter().filter(|(name, _)| name.starts_with(start)).map(|(_, count)| *count as u64).sum()
    };
    if cases < 10_000 {
        return;
    }
    for (start, least) in LEAST {
        assert!(
            sum(start) >= least as u64 * cases / 10_000,
            "{} cases of `{start}`: {least} are wanted",
            sum(start)
        );
    }
    for (start, most) in MOST {
        assert!(
            sum(start) <= most as u64 * cases / 10_000,
            "{} cases of `{start}`: {most} are too many",
            sum(start)
        );
    }
}

/// Changes of a text that one engine sees and the other does not: what stands for it, and in its place.
const FAULTS: [(&str, &str); 26] = [
    (" = add ", " = sub "),
    (" nsw ", " "),
    (" nuw ", " "),
    (" exact ", " "),
    (" disjoint ", " "),
    (" samesign ", " "),
    (" nneg ", " "),
    (" nnan ", " "),
    (" inbounds ", " "),
    (" icmp ult ", " icmp ule "),
    (" icmp slt ", " icmp ult "),
    (" fcmp olt ", " fcmp ult "),
    (" sext ", " zext "),
    (" ashr ", " lshr "),
    (" sdiv ", " udiv "),
    (" srem ", " urem "),
    (", align 4\n", ", align 8\n"),
    (" i64 1, i8 ", " i64 2, i8 "),
    ("i1 true)", "i1 false)"),
    ("llvm.memmove.", "llvm.memcpy."),
    (" noundef ", " "),
    ("!{i8 -2, i8 4}", "!{i8 -2, i8 3}"),
    ("llvm.fshl.", "llvm.fshr."),
    ("llvm.usub.sat", "llvm.ssub.sat"),
    (", i32 0\n", ", i32 1\n"),
    (" poison, 0", " undef, 0"),
];

#[test]
fn a_fault_of_one_engine_is_found() {
    let missed: Vec<&str> = FAULTS
        .into_par_iter()
        .filter(|(from, to)| {
            let finds = |seed| {
                let text = wild_module(seed);
                // Two declarations of one function would come of it otherwise.
                let fits = text.contains(from) && !(to.starts_with("llvm.") && text.contains(to));
                fits && !check_seed(seed, INPUTS, |text| text.replace(from, to)).1.is_empty()
            };
            !(0..4000).any(finds)
        })
        .map(|(from, _)| from)
        .collect();
    assert!(missed.is_empty(), "faults that no case shows: {missed:?}");
}

/// Whether a function calls one that the module defines: such a call is any call to the encoder.
fn calls_inside(module: &Module, func: FuncId) -> bool {
    let body = module.body(func).expect("a function with a body");
    let calls = body.all_insts().filter_map(|i| body.inst(i).call());
    let mut callees = calls.filter_map(|c| match c.callee() {
        Value::Const(c) => match body.constant(c).data {
            ConstData::Global(GlobalRef::Func(id)) => Some(id),
            _ => None,
        },
        Value::Inst(_) | Value::Arg(_) => None,
    });
    callees.any(|f| module.body(f).is_some())
}

/// Runs of the suite that the encoder leaves out: it takes a `noalias` argument to point to a block that nothing else
/// points to.
const LEFT_OUT: [(&str, &str); 4] = [
    ("noalias_written", "arg0+0"),
    ("noalias_only_read", "arg0+0"),
    ("noalias_other_write", "arg0+0"),
    ("noalias_other_bytes", "arg0+4"),
];

#[test]
fn the_suite_on_undefined_behaviour_means_the_same_to_both() {
    let (mut counts, mut wrong, mut compared) = (Counts::new(), Vec::new(), HashSet::new());
    let mut floats = Floats::default();
    for file in ub_suite() {
        let module = parse(&file.text);
        for case in &file.cases {
            let func = module.env.func_named(&case.function).expect("the function is there");
            let last = case.args.last().map_or("", |a| a);
            if LEFT_OUT.contains(&(&*case.function, last)) {
                continue;
            }
            if calls_inside(&module, func) {
                *counts.entry("calls a function of the module".to_owned()).or_default() += 1;
                continue;
            }
            let mut subject = Subject::new(&module, &module, func);
            let input = Input::parse(&case.args).expect("arguments");
            for seed in 0..8 {
                match subject.check(&input, seed, &mut floats) {
                    Ok(name) => {
                        if ["returned", "ub", "did not"].iter().any(|start| name.starts_with(start)) {
                            compared.insert((file.path.clone(), case.function.clone()));
                        }
                        *counts.entry(name).or_default() += 1;
                    }
                    Err(why) => wrong.push(format!("@{}({}): {why}", case.function, case.args.join(", "))),
                }
            }
        }
    }
    for (name, count) in &counts {
        println!("{count:6} {name}");
    }
    println!("{} functions compared", compared.len());
    assert!(wrong.is_empty(), "{} runs differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared.len() >= 200, "only {} functions were compared", compared.len());
}
