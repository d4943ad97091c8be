//! Replays the solver's counterexamples in the interpreter: only what fails there is a refutation.
//!
//! A witness is turned into an input, a chooser and a script of answers to external calls. What the interpreter can't
//! be given (a pointer inside of initial memory, a block larger than its limits) is left out and noted: then a run
//! that does not fail shows nothing, and the replay is [`Replay::Undecided`]. A run that fails is a refutation
//! whatever was left out, since the interpreter judges by the language alone.

use crate::check::{Options, Side};
use crate::inputs::integer;
use crate::narrate;
use crate::runs::config;
use crate::witness::{FoundBy, Refutation};
use backedge_interp::chooser::{Choice, ChoiceKind as Asked, Chooser};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::observe::{Answer, Answered, ObjectName, Seen};
use backedge_interp::outcome::Exit;
use backedge_interp::refine::{Budget, Refinement, Side as Runner, refine_answered};
use backedge_interp::trace::NoObserver;
use backedge_interp::value::Cube;
use backedge_interp::{Machine, Program};
use backedge_ir::entity::Inst;
use backedge_smt::refinement::{
    ChoiceKind, ConcreteBlock, ConcreteByte, ConcreteCall, ConcreteChoice, ConcreteValue, Witness,
};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

/// What a replay came to.
#[derive(Debug)]
pub(crate) enum Replay {
    /// It fails here too.
    Confirmed(Box<Refutation>),
    /// It does not fail, although everything of the witness was replayed. With what the runs did.
    Denied(String),
    /// It does not fail, or was cut short, and why that shows nothing.
    Undecided(String),
}

/// Choices that are tried in replaying one witness, on either side.
const BUDGET: Budget = Budget { target_runs: 256, source_runs: 4096 };

/// Replays `witness` against both functions. If the source has more choices than can be tried, the solver's word is
/// taken that none of them does, if it is `exact`: none of its model was approximated.
pub(crate) fn replay(
    (source, target): (Side<'_>, Side<'_>),
    options: &Options,
    witness: &Witness,
    exact: bool,
) -> Replay {
    let env = &source.module.env;
    let signature = env.types.signature(env.funcs[source.func].ty);
    let ints =
        signature.map_or_else(Vec::new, |(_, params, _)| params.iter().map(|ty| ty.is_int()).collect());
    let mut translation = Translation { witness, ints, places: HashMap::new(), left_out: None };
    let input = translation.input();
    let config = config(options);
    let programs = [source, target].map(|side| Program::new(side.module, &config));
    let [mut s, mut t] = programs.each_ref().map(|p| Machine::new(p, config.clone()));
    let script = match script(&mut t, target, &input, &mut translation) {
        Ok(script) => Arc::new(script),
        Err(why) => return Replay::Undecided(why),
    };
    let chooser = || Chosen::new(&witness.choices[1]);
    let mut sides =
        (Runner { machine: &mut s, func: source.func }, Runner { machine: &mut t, func: target.func });
    let refinement = refine_answered(&mut sides.0, &mut sides.1, &input, &script, &mut chooser(), BUDGET);
    let confirmed = match refinement {
        Ok(Refinement::Unmatched(violation)) if exact => Ok(Refinement::Violates(violation)),
        other => other,
    };
    let undecided = match confirmed {
        Ok(Refinement::Violates(violation)) => {
            let refutation =
                narrate::refutation(source, target, options, &input, &violation, FoundBy::Solver);
            return Replay::Confirmed(Box::new(refutation));
        }
        Ok(Refinement::Unmatched(_)) => Some("the source has too many choices to try".to_owned()),
        Ok(Refinement::Inconclusive(reason)) => Some(reason.to_string()),
        Ok(Refinement::Refines { .. }) => None,
        Err(error) => Some(error.to_string()),
    };
    match undecided.or(translation.left_out) {
        Some(why) => Replay::Undecided(why),
        None => Replay::Denied(
            said(&mut s, source, &input, &script) + "; " + &said(&mut t, target, &input, &script),
        ),
    }
}

/// What a run of one side does.
fn said(machine: &mut Machine<'_>, side: Side<'_>, input: &Input, script: &Arc<Vec<Answered>>) -> String {
    let run = machine.run_with(side.func, input, script, &mut Chosen::new(&[]), &mut NoObserver);
    run.map_or_else(
        |e| e.to_string(),
        |run| format!("@{} {}", side.name(), narrate::outcome_text(side, &run.outcome)),
    )
}

/// The target's calls with the witness's answers. Each run finds the next call as the interpreter sees it.
fn script(
    machine: &mut Machine<'_>,
    target: Side<'_>,
    input: &Input,
    translation: &mut Translation<'_>,
) -> Result<Vec<Answered>, String> {
    let witness = translation.witness;
    let mut script: Vec<Answered> = Vec::new();
    for call in &witness.calls[1] {
        let so_far = Arc::new(script.clone());
        let mut chooser = Chosen::new(&witness.choices[1]);
        let run = machine
            .run_with(target.func, input, &so_far, &mut chooser, &mut NoObserver)
            .map_err(|e| e.to_string())?;
        let Some(next) = run.answers.get(script.len()) else { break };
        let answer = translation.answer(call);
        script.push(Answered { answer, ..next.clone() });
    }
    Ok(script)
}

/// Gives the values that a side of the witness chose: per instruction and kind, in order.
#[derive(Debug)]
struct Chosen {
    values: HashMap<(Inst, bool), VecDeque<u128>>,
}

impl Chosen {
    fn new(choices: &[ConcreteChoice]) -> Self {
        let mut values: HashMap<_, VecDeque<u128>> = HashMap::new();
        for choice in choices {
            values
                .entry((choice.inst, choice.kind == ChoiceKind::Freeze))
                .or_default()
                .push_back(choice.bits);
        }
        Self { values }
    }
}

impl Chooser for Chosen {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let freeze = match choice.kind {
            Asked::Freeze => true,
            Asked::UndefUse | Asked::SelectArm => false,
            Asked::NanPayload
            | Asked::Unspecified
            | Asked::CallExit
            | Asked::CallResult
            | Asked::CallWrites
            | Asked::CallByte => return 0,
        };
        let queue = choice.place.inst.and_then(|inst| self.values.get_mut(&(inst, freeze)));
        queue.and_then(VecDeque::pop_front).unwrap_or(0)
    }
}

/// From the solver's terms to the interpreter's.
struct Translation<'w> {
    witness: &'w Witness,
    /// Whether each parameter is an integer.
    ints: Vec<bool>,
    /// For blocks that an argument points to: which argument, and at what offset.
    places: HashMap<u32, (usize, u64)>,
    /// The first thing that could not be translated.
    left_out: Option<String>,
}

impl Translation<'_> {
    fn leave_out(&mut self, what: &str) {
        self.left_out.get_or_insert_with(|| what.to_owned());
    }

    fn block(&self, number: u32) -> Option<&ConcreteBlock> {
        self.witness.blocks.iter().find(|b| b.number == number)
    }

    fn input(&mut self) -> Input {
        let witness = self.witness;
        let args = witness.args.iter().enumerate().map(|(i, a)| self.arg(a, Some(i))).collect();
        let mut input = Input::new(args);
        for block in &witness.blocks {
            let global = block.name.as_deref().filter(|n| !n.starts_with('%'));
            if let Some(name) = global
                && !block.read_only
                && block.size > 0
            {
                let contents = self.contents(block);
                input.globals.push((name.to_owned(), contents));
            }
        }
        input
    }

    /// An argument, the `index`th if it is no member of one.
    fn arg(&mut self, value: &ConcreteValue, index: Option<usize>) -> ArgSpec {
        match value {
            ConcreteValue::Poison => ArgSpec::Poison,
            ConcreteValue::UndefPointer => ArgSpec::Undef,
            ConcreteValue::Bits { width, bits, undef: 0 } => {
                let is_int = index.is_some_and(|i| self.ints.get(i) == Some(&true));
                if is_int { integer(*width, *bits) } else { ArgSpec::Bits(*bits) }
            }
            ConcreteValue::Bits { width, bits, undef } => {
                if undef.count_ones() == *width {
                    return ArgSpec::Undef;
                }
                self.leave_out("an argument is undef in part");
                ArgSpec::Bits(*bits)
            }
            ConcreteValue::List(list) => ArgSpec::Members(list.iter().map(|v| self.arg(v, None)).collect()),
            ConcreteValue::Pointer(pointer) => self.pointer(pointer.block, pointer.offset, index),
        }
    }

    fn pointer(&mut self, number: u32, offset: u64, index: Option<usize>) -> ArgSpec {
        let signed = offset as i64;
        if number == 0 {
            return if offset == 0 { ArgSpec::Null } else { ArgSpec::Address(offset) };
        }
        if let Some((arg, at)) = self.places.get(&number) {
            return ArgSpec::Alias { arg: *arg, offset: signed.wrapping_sub(*at as i64) };
        }
        let Some(block) = self.block(number).cloned() else {
            self.leave_out("a pointer to a block that is not described");
            return ArgSpec::Address(offset);
        };
        match block.name.as_deref() {
            Some(name) if !name.starts_with('%') => ArgSpec::Global { name: name.to_owned(), offset: signed },
            _ => {
                if block.read_only {
                    self.leave_out("a block of the caller that can't be written");
                }
                if !block.base.is_multiple_of(backedge_interp::input::BUFFER_ALIGN) {
                    self.leave_out("a block that is not aligned");
                }
                let contents = self.contents(&block);
                if let Some(index) = index {
                    self.places.insert(number, (index, offset));
                }
                let contents = Box::new(contents);
                if offset == 0 {
                    ArgSpec::Buffer(contents)
                } else {
                    ArgSpec::Inside { contents, offset: signed }
                }
            }
        }
    }

    fn contents(&mut self, block: &ConcreteBlock) -> Contents {
        if block.size > block.bytes.len() as u64 {
            self.leave_out("a block of more bytes than are described");
        }
        let mut contents = Contents::from_bytes(block.bytes.iter().map(|b| b.value).collect());
        for (at, byte) in block.bytes.iter().enumerate() {
            self.byte(&mut contents, at, byte);
        }
        contents
    }

    fn byte(&mut self, contents: &mut Contents, at: usize, byte: &ConcreteByte) {
        if byte.pointer.is_some() {
            self.leave_out("a pointer in the initial memory");
        }
        match (byte.poison, byte.undef) {
            (0, 0) => {}
            (0xff, _) => contents.set_poison(at, 1),
            (0, 0xff) => contents.set_undef(at, 1),
            (_, _) => {
                self.leave_out("a byte of which some bits are undef or poison");
                contents.set_poison(at, 1);
            }
        }
    }

    fn answer(&mut self, call: &ConcreteCall) -> Answer {
        let result = call.result.as_ref().map(|r| self.seen(r));
        let mut writes = Vec::new();
        for (index, after) in call.leaves.iter().flatten().enumerate() {
            let Some(block) = self.witness.blocks.get(index).cloned() else { break };
            let name = match (block.name.as_deref(), self.places.get(&block.number)) {
                (Some(name), _) if !name.starts_with('%') => ObjectName::Global(name.into()),
                (_, Some((arg, _))) => ObjectName::Buffer(*arg as u32),
                (_, None) => continue,
            };
            for (at, byte) in after.iter().enumerate() {
                if byte.poison | byte.undef != 0 || byte.pointer.is_some() {
                    self.leave_out("a call that writes poison, undef or pointers");
                }
                if !block.read_only {
                    writes.push((name.clone(), at as u64, byte.value));
                }
            }
        }
        let exit = (!call.returns).then_some(Exit::Exited);
        Answer { exit, result: result.filter(|_| call.returns), writes, fresh: None }
    }

    fn seen(&mut self, value: &ConcreteValue) -> Seen {
        match value {
            ConcreteValue::Poison => Seen::Poison,
            ConcreteValue::UndefPointer => Seen::Bits(Cube::new(0, u64::MAX.into())),
            ConcreteValue::Bits { bits, undef, .. } => Seen::Bits(Cube::new(*bits, *undef)),
            ConcreteValue::List(list) => Seen::Agg(list.iter().map(|v| self.seen(v)).collect()),
            ConcreteValue::Pointer(p) if p.block == 0 => Seen::Address(p.offset),
            ConcreteValue::Pointer(p) => {
                let name = self.block(p.block).and_then(|b| b.name.clone()).filter(|n| !n.starts_with('%'));
                match (name, self.places.get(&p.block)) {
                    (Some(name), _) => Seen::Ptr(ObjectName::Global(name), p.offset),
                    (None, Some((arg, _))) => Seen::Ptr(ObjectName::Buffer(*arg as u32), p.offset),
                    (None, None) => {
                        self.leave_out("a call that returns new memory");
                        Seen::Address(0)
                    }
                }
            }
        }
    }
}

/// The witness in words, for a report on a contradiction.
pub(crate) fn describe(witness: &Witness) -> String {
    let mut text = String::new();
    for (i, arg) in witness.args.iter().enumerate() {
        let _ = writeln!(text, "argument {i}: {arg:?}");
    }
    for block in &witness.blocks {
        let bytes: String = block.bytes.iter().take(64).map(|b| format!("{:02x}", b.value)).collect();
        let ConcreteBlock { number, name, base, size, read_only, .. } = block;
        let _ = writeln!(
            text,
            "block {number} {name:?} at {base:#x}, {size} bytes, read only {read_only}: {bytes}"
        );
    }
    for (side, word) in ["source", "target"].iter().enumerate() {
        for choice in &witness.choices[side] {
            let _ = writeln!(
                text,
                "the {word} chose {:#x} ({:?}) at {:?}",
                choice.bits, choice.kind, choice.inst
            );
        }
        for call in &witness.calls[side] {
            let ConcreteCall { inst, callee, result, returns, .. } = call;
            let _ = writeln!(text, "the {word} called @{callee} at {inst:?}: {result:?}, returns {returns}");
        }
    }
    text
}
