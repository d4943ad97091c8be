//! Counts the functions of LLVM's loop tests that are modelled and executable: at least 97 %. A function is
//! executable if none of its runs, on a set of inputs and environment answers, ends at an unmodelled feature. All of
//! these runs may end in UB or out of fuel; functions with a run that returns, or ends at a call that does not
//! return, are counted separately. The chooser answers external calls. Requires `BACKEDGE_LLVM_TESTS`.

use backedge_interp::chooser::{Choice, Chooser, ZeroChooser};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::layout::Shape;
use backedge_interp::memory::Contents;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Env, Module};
use backedge_testkit::{Dice, llvm_tests};
use rand::RngExt;
use std::collections::BTreeMap;

/// Inputs per function.
const INPUTS: u64 = 16;

/// Random answers, but most calls return.
struct MostlyReturns(Dice);

impl Chooser for MostlyReturns {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if choice.kind.is_environment() && self.0.random_range(0..4) != 0 {
            return self.0.random_range(0..2);
        }
        self.0.random()
    }
}

/// An argument of that shape: mostly small numbers and buffers, occasionally anything.
fn argument(shape: &Shape, dice: &mut Dice) -> ArgSpec {
    match shape {
        Shape::Int(width) => match dice.random_range(0..4) {
            0 => ArgSpec::Bits(dice.random::<u128>() & (u128::MAX >> (128 - width))),
            _ => ArgSpec::Bits(dice.random_range(0..20u128) & (u128::MAX >> (128 - width))),
        },
        Shape::Float(kind) => match dice.random_range(0..3) {
            0 => ArgSpec::Bits(0),
            _ => ArgSpec::Bits(dice.random::<u128>() & (u128::MAX >> (128 - kind.bits()))),
        },
        Shape::Ptr(_) => {
            let bytes = (0..1024).map(|i| if i % 4 == 0 { dice.random_range(0..8) } else { 0 }).collect();
            ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes)))
        }
        Shape::Vector { .. } | Shape::Array { .. } | Shape::Struct { .. } => {
            let parts: Vec<Shape> = match shape {
                Shape::Vector { len, elem } | Shape::Array { len, elem, .. } => {
                    vec![(**elem).clone(); *len as usize]
                }
                Shape::Struct { fields, .. } => fields.iter().map(|(_, f)| f.clone()).collect(),
                Shape::Int(_) | Shape::Float(_) | Shape::Ptr(_) => Vec::new(),
            };
            ArgSpec::Members(parts.iter().map(|p| argument(p, dice)).collect())
        }
    }
}

fn shapes(env: &Env, body: &Body) -> Result<Vec<Shape>, String> {
    body.args().map(|arg| Shape::of(env, body.ty(arg.into())).map_err(|f| f.to_string())).collect()
}

/// Whether a run of the function reached an observable end, or the reason why the function is not executable.
fn execute(module: &Module, machine: &mut Machine<'_>, func: FuncId, body: &Body) -> Result<bool, String> {
    let shapes = shapes(&module.env, body)?;
    let mut ended = false;
    for seed in 0..INPUTS {
        let mut dice = Dice::new(seed);
        let input = Input::new(shapes.iter().map(|s| argument(s, &mut dice)).collect());
        let mut random = MostlyReturns(Dice::new(!seed));
        let chooser: &mut dyn Chooser = if seed % 4 == 0 { &mut ZeroChooser } else { &mut random };
        match machine.run(func, &input, chooser, &mut NoObserver) {
            Err(error) => return Err(format!("input: {error}")),
            Ok(run) => match run.outcome {
                Outcome::Unsupported { feature, .. } => return Err(feature.to_string()),
                Outcome::Returned(_) | Outcome::DidNotReturn { .. } => ended = true,
                Outcome::Ub { .. }
                | Outcome::OutOfFuel
                | Outcome::Diverges { .. }
                | Outcome::LimitExceeded(_) => {}
            },
        }
    }
    Ok(ended)
}

/// The call that no model can execute; functions with such a call do not count.
const OF_THE_TARGET: &str = "a call with another type than its callee's";

#[test]
fn at_least_97_percent_of_the_functions_are_modelled_and_executable() {
    let Some(tests) = llvm_tests("executing LLVM's loop tests") else { return };
    let files = tests.files();
    assert!(files.len() >= 829, "{} files", files.len());
    let (mut all, mut modelled, mut executable, mut ending) = (0, 0, 0, 0);
    let mut left: BTreeMap<String, u32> = BTreeMap::new();
    for path in &files {
        let source = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let parsed = backedge_ir::parse::read_module(&source);
        let module = parsed.unwrap_or_else(|e| panic!("{}: {e:?}", path.display())).module;
        let config = Config { fuel: 3000, max_bytes: 1 << 26, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config);
        for (func, code) in module.code.iter() {
            let executed = match code {
                Code::Declaration => continue,
                Code::Opaque(code) => Err(format!("not modelled: {}", code.feature)),
                Code::Body(body) => {
                    modelled += 1;
                    execute(&module, &mut machine, func, body)
                }
            };
            all += 1;
            match executed {
                Ok(ended) => {
                    executable += 1;
                    ending += u32::from(ended);
                }
                Err(feature) => {
                    // LangRef leaves the behavior of such a call to the target.
                    all -= u32::from(feature == OF_THE_TARGET);
                    *left.entry(feature).or_default() += 1;
                }
            }
        }
    }
    println!("of {all} functions in {} files {modelled} are modelled, {executable} executable;", files.len());
    println!("{ending} of these have a run that returns or ends at a call within {INPUTS} inputs");
    println!("left: {left:#?}");
    assert!(executable * 100 >= all * 97, "{executable} of {all} functions are modelled and executable");
}
