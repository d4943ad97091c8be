//! Differential test of the interpreter and the encoder on the same run: its ending, returned value, poison and
//! undefined bits, memory, and visible events.
//!
//! The interpreter runs with random choices; the encoder's formula is evaluated on the same input with the same choices
//! and environment answers. The evaluation needs no solver. Each case also checks that the run satisfies the facts that
//! the encoder assumes.
//!
//! | file | purpose |
//! |---|---|
//! | `inputs` | random inputs, with poison and undefined bits |
//! | `situation` | a run's arguments and memory in the encoder's terms |
//! | `environment` | a run's choices and answers as answers to the encoder's queries |
//! | `compare` | comparison of both descriptions |

mod compare;
mod environment;
mod inputs;
mod situation;

pub use inputs::random_case;

use backedge_interp::chooser::{RandomChooser, RecordingChooser};
use backedge_interp::input::Input;
use backedge_interp::outcome::UbKind;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::meaning::library::{Known, declared};
use backedge_ir::module::Module;
use backedge_smt::refinement::denotation::{Behaviour, Denotation, THROUGH_POINTER};
use backedge_smt::refinement::{FunctionRef, Reason, Uninit};
use compare::{Likeness, judge};
use environment::{Floats, Plain, Replayed, Watcher};
use situation::Numbers;
use std::collections::HashSet;
use std::fmt;

/// Bounds in backedges per entry of a loop, in decreasing order; the next bound is used if the formula is too large.
const BOUNDS: [u32; 3] = [4, 2, 1];
/// Limit on the number of terms of a formula: the term count of a loop nest is exponential in its depth, with the bound
/// as base.
const MOST_TERMS: usize = 40_000;
/// Limit on the bytes of initial memory of a compared run: the formula is evaluated for each of them.
const MOST_BYTES: u64 = 1 << 16;
/// Interpreter steps of one run.
const FUEL: u64 = 20_000;
/// Maximum number of attempts with other choices if the engines choose differently.
const ATTEMPTS: u64 = 64;
/// Limit on the terms and bytes of memory evaluated in all attempts together.
const EVALUATED: u64 = 400_000;

/// Degree of agreement on a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// Full agreement.
    Same {
        /// Kind of run.
        kind: String,
    },
    /// Agreement for encoder choices that differ from the run's.
    ByOtherChoices {
        /// Kind of run.
        kind: String,
    },
    /// One side leaves bits undefined that the other has chosen; all other bits are equal.
    UpToUndefined {
        /// Kind of run.
        kind: String,
    },
    /// The engines choose differently, and no choices were found for which they agree.
    Unmatched {
        /// The difference with the run's choices.
        why: String,
    },
    /// The encoder does not model the function.
    NotModelled {
        /// The unmodelled feature.
        feature: String,
    },
    /// The function's formula is too large for every bound.
    TooLarge,
    /// The run has too much initial memory.
    TooMuchMemory,
    /// The interpreter's run was cut short.
    NothingShown {
        /// The ending of the run.
        outcome: &'static str,
    },
    /// The run depends on the addresses of local objects.
    AddressesObserved,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same { kind } => f.write_str(kind),
            Self::ByOtherChoices { kind } => write!(f, "{kind}, by other choices"),
            Self::UpToUndefined { kind } => write!(f, "{kind}, up to undefined bits"),
            Self::Unmatched { .. } => f.write_str("no choice found"),
            Self::NotModelled { feature } => write!(f, "not modelled: {feature}"),
            Self::TooLarge => f.write_str("formula too large"),
            Self::TooMuchMemory => f.write_str("too much memory"),
            Self::NothingShown { outcome } => write!(f, "interpreter: {outcome}"),
            Self::AddressesObserved => f.write_str("addresses of local objects were observed"),
        }
    }
}

/// A function in both engines.
#[derive(Debug)]
pub struct Subject<'m> {
    module: &'m Module,
    func: FuncId,
    volatile_loads: HashSet<Inst>,
    /// One for each semantics of uninitialized memory.
    denotations: [Result<Denotation, Reason>; 2],
    floats: Floats,
}

impl<'m> Subject<'m> {
    /// The function `func` of `module` for the interpreter, and that of `encoded` for the encoder. The modules are
    /// copies of each other, except in tests that check whether a difference is detected. `None` if the function has no
    /// modelled code.
    pub fn new(module: &'m Module, encoded: &Module, func: FuncId) -> Option<Self> {
        let body = module.body(func)?;
        let is_volatile = |i: &Inst| matches!(&body.inst(*i).kind, InstKind::Load(m) if m.volatile);
        let denotations = [Uninit::Undef, Uninit::Poison]
            .map(|rule| denotation(FunctionRef { module: encoded, func }, rule));
        let volatile_loads = body.all_insts().filter(is_volatile).collect();
        Some(Self { module, func, volatile_loads, denotations, floats: Floats::default() })
    }
    /// Compares one run whose choices derive from `seed`; the error describes the difference.
    pub fn check(&mut self, input: &Input, seed: u64) -> Result<Agreement, String> {
        let floats = &mut self.floats;
        let uninit_poison = seed % 2 == 1;
        let denotation = match &mut self.denotations[usize::from(uninit_poison)] {
            Ok(denotation) => denotation,
            Err(Reason::Unsupported(u)) => {
                return Ok(Agreement::NotModelled { feature: u.feature.to_string() });
            }
            Err(Reason::TooLarge { .. }) => return Ok(Agreement::TooLarge),
            Err(reason) => return Err(format!("not encoded: {reason:?}")),
        };
        // The encoder uses the interpreter's object sizes.
        let config = Config { uninit_poison, fuel: FUEL, declared_sizes: true, ..Config::default() };
        let program = Program::new(self.module, &config);
        let mut machine = Machine::new(&program, config);
        let mut chooser = RecordingChooser::new(Plain(RandomChooser::new(seed)));
        let mut watcher = Watcher { wanted: self.volatile_loads.clone(), ..Watcher::default() };
        let run = machine
            .run(self.func, input, &mut chooser, &mut watcher)
            .map_err(|e| format!("the input does not fit: {e}"))?;
        let begins_with = watcher.start.iter().flat_map(|(_, objects)| objects).map(|object| object.size);
        let bytes = begins_with.fold(0, u64::saturating_add);
        if bytes > MOST_BYTES {
            return Ok(Agreement::TooMuchMemory);
        }
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
            return Ok(Agreement::NothingShown { outcome: run.outcome.name() });
        }
        if watcher.entered_another {
            return Ok(Agreement::NotModelled { feature: "a call of a function of the module".to_owned() });
        }
        // The encoder does not model which function a pointer calls.
        if described.calls.iter().any(|(call, _)| &*call.callee == THROUGH_POINTER) {
            return Ok(Agreement::NotModelled { feature: THROUGH_POINTER.to_owned() });
        }
        if let Some(name) = unknown_to_encoder(self.module, &run) {
            return Ok(Agreement::NotModelled { feature: format!("the library function {name}") });
        }
        if run.observed_addresses {
            return Ok(Agreement::AddressesObserved);
        }
        // The encoder does not check its calls against `noalias` promises.
        if run.outcome.ub() == Some(UbKind::NoAliasViolated) {
            return Ok(Agreement::NothingShown { outcome: UbKind::NoAliasViolated.name() });
        }
        // In the interpreter, a pointer cast from an integer can access exposed objects only. In the encoder it may
        // access any object, as an over-approximation.
        if run.outcome.ub() == Some(UbKind::InvalidPointer) && denotation.makes_pointers() {
            return Ok(Agreement::NothingShown { outcome: UbKind::InvalidPointer.name() });
        }
        let judged = judge(&run, &described, &situation, &numbers);
        let open = run.narrowed || unused > 0 || !unanswered.is_empty();
        match judged {
            Ok((kind, Likeness::Equal)) => return Ok(Agreement::Same { kind }),
            Ok((name, likeness)) if !open => return Err(format!("{name}: {likeness:?}")),
            Err(why) if !open => return Err(why),
            Ok(_) | Err(_) => {}
        }
        // The engines choose differently: some choice of the encoder must reproduce the interpreter's behavior.
        let mut likest = judged;
        let evaluated = bytes.saturating_add(denotation.terms() as u64).max(1);
        let attempts = ATTEMPTS.min(EVALUATED / evaluated);
        for attempt in 0..attempts {
            let environment = Replayed::new(place, &chooser, &watcher, &numbers, floats);
            let described = denotation.describe(&situation, &mut environment.attempt(attempt));
            match judge(&run, &described, &situation, &numbers) {
                Ok((kind, Likeness::Equal)) => return Ok(Agreement::ByOtherChoices { kind }),
                Ok(found) if likest.is_err() => likest = Ok(found),
                Ok(_) | Err(_) => {}
            }
        }
        match likest {
            Ok((kind, _)) => Ok(Agreement::UpToUndefined { kind }),
            Err(why) => Ok(Agreement::Unmatched { why }),
        }
    }
}

/// A library function that the run called and that is unknown to the encoder.
fn unknown_to_encoder<'r>(module: &Module, run: &'r backedge_interp::Run) -> Option<&'r str> {
    let is_formula = |name: &str| {
        let known = module.env.func_named(name).and_then(|func| declared(module, func));
        matches!(known, Some(Known::Function(which)) if which.is_arithmetic() || which.is_of_bytes())
    };
    let called = run.library.known.iter().chain(&run.library.unmodelled);
    called.map(|name| &**name).find(|name| !is_formula(name))
}

/// The function's formula for the largest of [`BOUNDS`] that keeps it within [`MOST_TERMS`].
fn denotation(function: FunctionRef<'_>, rule: Uninit) -> Result<Denotation, Reason> {
    let encode = |bound| Denotation::new(function, rule, true, bound, MOST_TERMS);
    let [largest, smaller @ ..] = BOUNDS;
    let too_large = |encoded: &Result<_, Reason>| matches!(encoded, Err(Reason::TooLarge { .. }));
    smaller
        .iter()
        .fold(encode(largest), |found, bound| if too_large(&found) { encode(*bound) } else { found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// A loop nest with `stores` stores in the innermost loop.
    fn nest(depth: usize, stores: usize) -> Module {
        let mut text = "define void @nest(ptr %p, i8 %n) {\nentry:\n  br label %l0\n".to_owned();
        for level in 0..depth {
            let from = if level == 0 { "entry".to_owned() } else { format!("l{}", level - 1) };
            let next = if level + 1 == depth { "body".to_owned() } else { format!("l{}", level + 1) };
            let _ = writeln!(
                text,
                "l{level}:\n  %i{level} = phi i8 [ 0, %{from} ], [ %next{level}, %back{level} ]"
            );
            let _ = writeln!(text, "  br label %{next}");
        }
        text.push_str("body:\n");
        for n in 0..stores {
            let _ = writeln!(text, "  %q{n} = getelementptr i8, ptr %p, i8 %i{}", n % depth);
            let _ = writeln!(text, "  store i8 %i{}, ptr %q{n}", depth - 1);
        }
        let _ = writeln!(text, "  br label %back{}", depth - 1);
        for level in (0..depth).rev() {
            let out = if level == 0 { "exit".to_owned() } else { format!("back{}", level - 1) };
            let _ = writeln!(text, "back{level}:\n  %next{level} = add i8 %i{level}, 1");
            let _ = writeln!(text, "  %more{level} = icmp ult i8 %next{level}, %n");
            let _ = writeln!(text, "  br i1 %more{level}, label %l{level}, label %{out}");
        }
        text.push_str("exit:\n  ret void\n}\n");
        backedge_ir::parse::parse_module(text.as_bytes()).expect("it reads").module
    }

    #[test]
    fn what_is_too_large_is_looked_at_with_fewer_iterations_or_not_at_all() {
        let terms = |module: &Module, bound, most| {
            let func = module.env.func_named("nest").expect("it is there");
            Denotation::new(FunctionRef { module, func }, Uninit::Poison, true, bound, most)
                .map(|d| d.terms())
        };
        let deep = nest(4, 6);
        assert!(matches!(terms(&deep, BOUNDS[0], MOST_TERMS), Err(Reason::TooLarge { .. })));
        let func = deep.env.func_named("nest").expect("it is there");
        let encoded = denotation(FunctionRef { module: &deep, func }, Uninit::Poison).expect("it is encoded");
        assert!(encoded.terms() <= MOST_TERMS, "{}", encoded.terms());

        let huge = nest(6, 40);
        let func = huge.env.func_named("nest").expect("it is there");
        let mut subject = Subject::new(&huge, &huge, func).expect("it has code");
        let input = Input::parse(&["zeros:8".to_owned(), "1".to_owned()]).expect("arguments");
        assert_eq!(subject.check(&input, 1), Ok(Agreement::TooLarge));
    }

    #[test]
    fn runs_with_megabytes_are_not_compared() {
        let with = |bytes: u64| {
            let text = format!(
                "@a = global [{bytes} x i8] zeroinitializer\ndefine void @f(i8 %n) {{\n  store i8 %n, ptr @a\n  ret void\n}}\n"
            );
            let module = backedge_ir::parse::read_module(text.as_bytes()).expect("a module").module;
            let func = module.env.func_named("f").expect("it is there");
            let mut subject = Subject::new(&module, &module, func).expect("it has code");
            subject.check(&Input::parse(&["1".to_owned()]).expect("an argument"), 1)
        };
        assert!(matches!(with(1 << 10), Ok(Agreement::Same { .. })));
        assert_eq!(with(1 << 20), Ok(Agreement::TooMuchMemory));
    }
}
