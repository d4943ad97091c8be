//! Replays the solver's counterexamples in the interpreter: only a failing replay is a refutation.
//!
//! A witness is translated to an input, a chooser and a script of answers to external calls ([`super::translate`]):
//! first with the interpreter's own memory layout, then with the model's alignment, then at the model's addresses.
//! Parts of the witness that the interpreter cannot represent are left out and noted: a run that does not fail is then
//! inconclusive, and the replay is [`Replay::Undecided`]. A run that fails is a refutation whatever was left out, since
//! the interpreter judges by the language semantics alone.

use super::config::config;
use super::narrate;
use super::refutation::refutation;
use super::translate::{Addresses, Translation};
use crate::pair::{Side, Sides};
use crate::verdict::Options;
use crate::verdict::witness::{Counterexample, FoundBy, Refutation};
use backedge_interp::chooser::{Choice, ChoiceKind as Asked, Chooser, Domain, UNSIGNED_RESULTS};
use backedge_interp::input::Input;
use backedge_interp::observe::{Answer, Answered, EventKind, ObjectName, Seen, Written, first_unscripted};
use backedge_interp::refine::{Budget, Drivers, Refinement, Side as Runner, refine_driven};
use backedge_interp::trace::NoObserver;
use backedge_interp::{Machine, Program};
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::Inst;
use backedge_smt::refinement::{ChoiceKind, ConcreteBlock, ConcreteCall, ConcreteChoice, Witness};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

/// Result of a replay.
#[derive(Debug)]
pub(crate) enum Replay {
    /// The replay fails too.
    Confirmed(Box<Refutation>),
    /// The replay does not fail although the whole witness was replayed. With the outcomes of the runs.
    Denied(String),
    /// The replay does not fail, or was cut short, and is inconclusive for this reason.
    Undecided(String),
}

/// Choices tried in replaying one witness, for each side.
const BUDGET: Budget = Budget { target_runs: 256, source_runs: 4096 };

/// Replays `witness` against both functions. If the source has more choices than can be tried, the solver is trusted
/// that none of them matches, provided that the witness is `exact`: it covers all choices, and none of its model was
/// approximated.
pub(crate) fn replay(
    Sides { source, target }: Sides<'_>,
    options: &Options,
    witness: &Witness,
    exact: bool,
) -> Replay {
    let mut result = None;
    for addresses in [Addresses::Any, Addresses::Congruent, Addresses::Moved, Addresses::OfModel] {
        match attempt(Sides { source, target }, options, (witness, addresses), exact) {
            confirmed @ Replay::Confirmed(_) => return confirmed,
            // The part left out is a better explanation than the outcome of a run without it.
            undecided @ Replay::Undecided(_) => result = Some(undecided),
            denied @ Replay::Denied(_) => result = Some(result.unwrap_or(denied)),
        }
    }
    result.unwrap_or(Replay::Undecided("nothing was tried".to_owned()))
}

fn attempt(
    Sides { source, target }: Sides<'_>,
    options: &Options,
    (witness, addresses): (&Witness, Addresses),
    exact: bool,
) -> Replay {
    let mut translation = Translation::new(witness, target, addresses);
    let input = translation.input();
    let config = config(options);
    let programs = Program::pair([source.module, target.module], &config);
    let [mut s, mut t] = Machine::pair(&programs, &config);
    let script = match script(&mut t, target, &input, (witness, 1, &mut translation)) {
        Ok(script) => Arc::new(script),
        Err(why) => return Replay::Undecided(why),
    };
    let source_answers = match source_answers(&mut s, source, &input, (witness, &script, &mut translation)) {
        Ok(answers) => answers,
        Err(why) => return Replay::Undecided(why),
    };
    let mut sides =
        (Runner { machine: &mut s, func: source.func }, Runner { machine: &mut t, func: target.func });
    let [mut for_source, mut for_target] = witness.choices.each_ref().map(|list| Chosen::new(list));
    let drivers = Drivers {
        answers: &script,
        source_answers: &source_answers,
        target: &mut for_target,
        source: Some(&mut for_source),
    };
    let undecided = match refine_driven(&mut sides.0, &mut sides.1, &input, drivers, BUDGET) {
        Ok(Refinement::Unmatched(_)) if !exact => Some("the source has too many choices to try".to_owned()),
        Ok(Refinement::Violates(violation)) => {
            let both = Sides { source, target };
            return Replay::Confirmed(refutation(
                both,
                &programs,
                options,
                &input,
                violation.into(),
                FoundBy::Solver,
            ));
        }
        Ok(Refinement::Unmatched(violation)) => {
            let both = Sides { source, target };
            let mut refutation =
                narrate::refutation(both, &programs, options, &input, &violation.into(), FoundBy::Solver);
            refutation.counterexample = Some(Box::new(Counterexample { witness: witness.clone(), exact }));
            return Replay::Confirmed(Box::new(refutation));
        }
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

/// Outcome of a run of one side.
fn said(machine: &mut Machine<'_>, side: Side<'_>, input: &Input, script: &Arc<Vec<Answered>>) -> String {
    let run = machine.run_with(side.func, input, script, &mut Chosen::new(&[]), &mut NoObserver);
    run.map_or_else(
        |e| e.to_string(),
        |run| format!("@{} {}", side.name(), narrate::outcome_text(side, &run.outcome)),
    )
}

/// The calls of one side, 0 the source and 1 the target, with the witness's answers. Each run finds the interpreter's
/// next call.
pub(crate) fn script(
    machine: &mut Machine<'_>,
    side: Side<'_>,
    input: &Input,
    (witness, number, translation): (&Witness, usize, &mut Translation<'_>),
) -> Result<Vec<Answered>, String> {
    let mut script: Vec<Answered> = Vec::new();
    for call in &witness.calls[number] {
        let so_far = Arc::new(script.clone());
        let mut chooser = Chosen::new(&witness.choices[number]);
        let run = machine
            .run_with(side.func, input, &so_far, &mut chooser, &mut NoObserver)
            .map_err(|e| e.to_string())?;
        let Some(next) = run.answers.get(script.len()) else { break };
        script.push(answered(side, next, translation.answer(call)));
    }
    Ok(script)
}

/// The witness's answer to a call of `side`, restricted to writes that the environment may make.
fn answered(side: Side<'_>, call: &Answered, mut answer: Answer) -> Answered {
    answer.writes.retain(|write| may_write(&call.call, write));
    if takes_noalias(side) {
        answer.writes.retain(|write| !leaves_alone(&call.call, write));
    }
    Answered { answer, ..call.clone() }
}

/// Whether the function has `noalias` parameters. Not every callee may write their objects, but an answer of a witness
/// writes all memory, so only its actual changes are kept.
fn takes_noalias(side: Side<'_>) -> bool {
    let env = &side.module.env;
    env.funcs[side.func].param_attrs.iter().any(|list| env.has_attr(list, FlagAttr::NoAlias))
}

/// Whether the environment may write that byte in answering `call`: a volatile load may change only the bytes that it
/// loads, before it reads them. After a volatile store, memory holds the stored value.
fn may_write(call: &EventKind, (object, at, _): &(ObjectName, u64, Written)) -> bool {
    match call {
        EventKind::Call { .. } => true,
        EventKind::VolatileLoad { ptr: Seen::Ptr(name, offset), len, .. } => {
            name == object && (*offset..offset.saturating_add(*len)).contains(at)
        }
        EventKind::VolatileLoad { .. } | EventKind::VolatileStore { .. } | EventKind::Output { .. } => false,
    }
}

/// Whether the written byte equals the previous one.
fn leaves_alone(call: &EventKind, (object, at, byte): &(ObjectName, u64, Written)) -> bool {
    let EventKind::Call { memory, .. } = call else { return false };
    memory.iter().find(|seen| seen.object == *object).is_some_and(|seen| seen.holds(*at, byte))
}

/// The witness's answers to calls of the source that are not in `script`: the target does not make them, or no longer
/// makes them.
fn source_answers(
    machine: &mut Machine<'_>,
    source: Side<'_>,
    input: &Input,
    (witness, script, translation): (&Witness, &[Answered], &mut Translation<'_>),
) -> Result<Vec<Answered>, String> {
    let mut found: Vec<Answered> = Vec::new();
    for _ in &witness.calls[0] {
        let so_far = Arc::new([script, &found].concat());
        let mut chooser = Chosen::new(&witness.choices[0]);
        let run = machine
            .run_with(source.func, input, &so_far, &mut chooser, &mut NoObserver)
            .map_err(|e| e.to_string())?;
        let untold = first_unscripted(&run.answers, &so_far);
        let Some((place, call)) = untold.and_then(|at| Some((at, witness.calls[0].get(at)?))) else { break };
        found.push(answered(source, &run.answers[place], translation.answer(call)));
    }
    Ok(found)
}

/// The encoder's kind for an interpreter choice; `None` if the encoder makes no such choice. The result of a comparison
/// is the only unspecified choice in library calls that the encoder models.
pub(crate) fn encoded_as(kind: Asked) -> Option<ChoiceKind> {
    match kind {
        Asked::Freeze => Some(ChoiceKind::Freeze),
        Asked::UndefUse | Asked::SelectArm => Some(ChoiceKind::Undef),
        Asked::Unspecified => Some(ChoiceKind::Difference),
        Asked::NanPayload
        | Asked::CallExit
        | Asked::CallResult
        | Asked::CallWrites
        | Asked::CallByte
        | Asked::GlobalContents => None,
    }
}

/// Maps the encoder's chosen difference of a comparison to the interpreter's choice among `count`. The interpreter
/// tries small differences and the largest one; the nearest of these is returned.
fn of_difference(chosen: u128, count: u32) -> u128 {
    let (chosen, count) = (chosen as u32, u128::from(count));
    if count == u128::from(UNSIGNED_RESULTS) {
        // Equally many of either sign.
        let number = chosen as i32;
        let size = u128::from(number.unsigned_abs()).clamp(1, count / 2);
        2 * (size - 1) + u128::from(number < 0)
    } else {
        u128::from(chosen & i32::MAX as u32).min(count - 1)
    }
}

/// Replays the values that a side of the witness chose: per instruction and kind, in order.
#[derive(Debug)]
pub(crate) struct Chosen {
    values: HashMap<(Inst, ChoiceKind), VecDeque<u128>>,
}

impl Chosen {
    pub(crate) fn new(choices: &[ConcreteChoice]) -> Self {
        let mut values: HashMap<_, VecDeque<u128>> = HashMap::new();
        for choice in choices {
            values.entry((choice.inst, choice.kind)).or_default().push_back(choice.bits);
        }
        Self { values }
    }
}

impl Chooser for Chosen {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let Some(kind) = encoded_as(choice.kind) else { return 0 };
        let queue = choice.place.inst.and_then(|inst| self.values.get_mut(&(inst, kind)));
        let Some(value) = queue.and_then(VecDeque::pop_front) else { return 0 };
        match choice.domain {
            Domain::Bits(_) => gather(value, choice.bits),
            Domain::Options(count) if kind == ChoiceKind::Difference => of_difference(value, count),
            Domain::Options(_) => value,
        }
    }
}

/// The bits of `value` at the positions set in `mask`, compacted, lowest first.
fn gather(value: u128, mask: u128) -> u128 {
    let places = (0..u128::BITS).filter(|bit| mask >> bit & 1 != 0);
    places.enumerate().fold(0, |gathered, (i, bit)| gathered | (value >> bit & 1) << i)
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

#[cfg(test)]
mod tests {
    use super::of_difference;
    use backedge_interp::chooser::UNSIGNED_RESULTS;

    #[test]
    fn differences_keep_their_sign() {
        for (number, index) in [(0, 0), (1, 0), (-1, 1), (2, 2), (-2, 3), (i32::MAX, 508), (i32::MIN, 509)] {
            assert_eq!(of_difference(u128::from(number as u32), UNSIGNED_RESULTS), index, "{number}");
        }
        assert_eq!(of_difference(7, 256), 7);
        assert_eq!(of_difference(u128::from(i32::MAX as u32), 256), 255);
    }
}
