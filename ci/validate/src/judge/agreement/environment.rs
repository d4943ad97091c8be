//! Answers the encoder's queries with the choices and answers of an interpreter run, and with the interpreter's
//! arithmetic.

use super::situation::{Numbers, value_of};
use crate::replay::counterexample::encoded_as;
use backedge_interp::chooser::{
    Choice, ChoiceKind as Asked, Chooser, Domain, RandomChooser, RecordingChooser, ZeroChooser,
};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::observe::{Answered, EventKind, Seen, Written};
use backedge_interp::observe::{JUMP, LANDING};
use backedge_interp::outcome::{Exit, Place};
use backedge_interp::trace::{Done, Entry, NoObserver, Observer};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program, Run};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_smt::refinement::denotation::{CallAnswer, Environment, SeenCall};
use backedge_smt::refinement::{ChoiceKind, ConcreteValue, Pointer};
use std::collections::{HashMap, HashSet, VecDeque};

/// Random answers, except for choices that nothing may depend on: NaN payloads and other unspecified results are 0.
#[derive(Debug)]
pub(crate) struct Plain(pub(crate) RandomChooser);

impl Chooser for Plain {
    fn choose(&mut self, choice: &Choice) -> u128 {
        match choice.kind {
            Asked::NanPayload | Asked::Unspecified => 0,
            Asked::UndefUse
            | Asked::Freeze
            | Asked::SelectArm
            | Asked::CallExit
            | Asked::CallResult
            | Asked::CallWrites
            | Asked::CallByte
            | Asked::GlobalContents => self.0.choose(choice),
        }
    }
}

/// Records the start of a run and the results of some instructions.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    pub(crate) wanted: HashSet<Inst>,
    pub(crate) start: Option<(Vec<Val>, Vec<super::situation::Placed>)>,
    pub(crate) results: HashMap<Inst, VecDeque<Val>>,
    /// Whether another function of the module was entered: to the encoder its call belongs to the environment.
    pub(crate) entered_another: bool,
}

impl Observer for Watcher {
    fn call(&mut self, entry: Entry<'_>) {
        self.entered_another |= entry.depth > 0;
        if self.start.is_none() {
            self.start = Some((entry.args.to_vec(), super::situation::placed(entry.memory)));
        }
    }
    fn enter(&mut self, _: FuncId, _: Block, _: usize) {}
    fn step(&mut self, done: Done<'_>) {
        if let Some(value) = done.value.filter(|_| self.wanted.contains(&done.inst)) {
            self.results.entry(done.inst).or_default().push_back(value.clone());
        }
    }
}

/// Whether some bits of the value are undefined.
fn is_partly_undef(value: &ConcreteValue) -> bool {
    match value {
        ConcreteValue::Bits { undef, .. } => *undef != 0,
        ConcreteValue::UndefPointer => true,
        ConcreteValue::List(list) => list.iter().any(is_partly_undef),
        ConcreteValue::Pointer(_) | ConcreteValue::Poison => false,
    }
}

/// The interpreter's choices and answers, as answers to the encoder.
pub(crate) struct Replayed<'r> {
    choices: HashMap<(Inst, ChoiceKind), VecDeque<u128>>,
    observable: VecDeque<&'r EventKind>,
    answers: VecDeque<&'r Answered>,
    /// The recorded call answers already given to the encoder.
    given: Vec<&'r Answered>,
    quiet: Vec<&'r Answered>,
    results: HashMap<Inst, VecDeque<Val>>,
    func: FuncId,
    numbers: &'r Numbers,
    floats: &'r mut Floats,
    /// Source of choices that differ from the run's.
    other: Option<RandomChooser>,
    /// Queries of the encoder for which the run has no answer.
    pub(crate) unanswered: Vec<String>,
    /// Choices of the run that the encoder did not query.
    pub(crate) unused: usize,
}

impl<'r> Replayed<'r> {
    pub(crate) fn new(
        (run, func): (&'r Run, FuncId),
        log: &RecordingChooser<Plain>,
        watcher: &Watcher,
        numbers: &'r Numbers,
        floats: &'r mut Floats,
    ) -> Self {
        let mut choices: HashMap<(Inst, ChoiceKind), VecDeque<u128>> = HashMap::new();
        let mut unused = 0;
        for (choice, answer) in &log.log {
            // Both engines answer unspecified choices alike.
            let of_values = |kind: &ChoiceKind| *kind != ChoiceKind::Difference;
            let Some(kind) = encoded_as(choice.kind).filter(of_values) else { continue };
            unused += 1;
            if let Some(inst) = choice.place.inst {
                choices.entry((inst, kind)).or_default().push_back(*answer);
            }
        }
        Self {
            choices,
            observable: run.events.iter().map(|e| &e.kind).collect(),
            answers: run.answers.iter().filter(|a| a.is_event).collect(),
            given: Vec::new(),
            quiet: run.answers.iter().filter(|a| !a.is_event).collect(),
            results: watcher.results.clone(),
            func,
            numbers,
            floats,
            other: None,
            unanswered: Vec::new(),
            unused,
        }
    }
    /// A copy in which some choices differ from the run's: attempt `number` at an encoder run that does what the
    /// interpreter did.
    pub(crate) fn attempt(mut self, number: u64) -> Self {
        self.other = Some(RandomChooser::new(number));
        self
    }
    fn other(&mut self, inst: Inst, open: u128) -> Option<u128> {
        let other = self.other.as_mut()?;
        let place = Place { func: self.func, inst: Some(inst) };
        let mut ask = |domain| other.choose(&Choice { kind: Asked::UndefUse, place, domain, bits: open });
        let bits = open.count_ones();
        match ask(Domain::Options(5)) {
            0 => None,
            // The smallest signed value, the boundary of overflow, and its neighbor.
            1 => Some((1 << (bits - 1)) + ask(Domain::Bits(1))),
            _ => Some(ask(Domain::Bits(bits))),
        }
    }
    /// Whether the run's call `theirs` has the callee and the arguments of the encoder's call `ours`.
    fn is_same(&self, theirs: &EventKind, ours: &SeenCall) -> bool {
        let EventKind::Call { callee, args, .. } = theirs else { return false };
        *callee == ours.callee
            && args.len() == ours.args.len()
            && args.iter().zip(&ours.args).all(|(s, c)| self.numbers.compare(s, c).is_equal())
    }
    /// An answer already given to an equal encoder call, if the run's next call is a different one.
    fn given_before(&self, call: &SeenCall) -> Option<&'r Answered> {
        let next = self.observable.front()?;
        if !matches!(next, EventKind::Call { .. }) || self.is_same(next, call) {
            return None;
        }
        let is_equal =
            |answered: &&&Answered| answered.answer.exit.is_none() && self.is_same(&answered.call, call);
        self.given.iter().rfind(is_equal).copied()
    }
    fn answer_of(&mut self, answered: &Answered) -> CallAnswer {
        let answer = &answered.answer;
        let mut writes = Vec::new();
        for (name, at, value) in &answer.writes {
            match self.numbers.of(name) {
                Some(block) => match value {
                    Written::Bits { value, undef: 0, poison: 0 } => writes.push((block, *at, *value)),
                    other => self.unanswered.push(format!("a call writes {other:?}")),
                },
                None => self.unanswered.push("a call writes a local object".to_owned()),
            }
        }
        let result = answer.result.as_ref().map(|r| self.seen(r));
        let throws = answer.exit == Some(Exit::Threw);
        CallAnswer { result, returns: answer.exit.is_none(), throws, writes }
    }
    fn seen(&mut self, seen: &Seen) -> ConcreteValue {
        match seen {
            Seen::Poison => ConcreteValue::Poison,
            Seen::Bits(cube) => ConcreteValue::Bits { width: 128, bits: cube.bits, undef: cube.undef },
            Seen::Address(address) => ConcreteValue::Pointer(Pointer { block: 0, offset: *address }),
            Seen::Ptr(name, offset) => match self.numbers.of(name) {
                Some(block) => ConcreteValue::Pointer(Pointer { block, offset: *offset }),
                None => {
                    self.unanswered.push("a call returns new memory".to_owned());
                    ConcreteValue::Poison
                }
            },
            Seen::Agg(members) => ConcreteValue::List(members.iter().map(|m| self.seen(m)).collect()),
        }
    }
}

impl Environment for Replayed<'_> {
    fn choose(&mut self, inst: Inst, kind: ChoiceKind, open: u128) -> u128 {
        match kind {
            ChoiceKind::Undef | ChoiceKind::Freeze => {}
            // The preferred NaN, the deterministic result, and the least distance: the same answers as `Plain`.
            ChoiceKind::Nan => return 1,
            ChoiceKind::Float | ChoiceKind::Difference => return 0,
        }
        if let Some(other) = self.other(inst, open) {
            return other;
        }
        match self.choices.get_mut(&(inst, kind)).and_then(VecDeque::pop_front) {
            Some(answer) => {
                self.unused -= 1;
                answer
            }
            None => {
                self.unanswered.push(format!("a choice of kind {kind:?}"));
                0
            }
        }
    }
    fn answer(&mut self, call: &SeenCall) -> CallAnswer {
        if !call.observable {
            let at = self.quiet.iter().position(|a| {
                matches!(&a.call, EventKind::Call { callee, .. }
                    if *callee == call.callee && (matches!(&**callee, LANDING | JUMP) || self.is_same(&a.call, call)))
            });
            // Equal calls are recorded each time; memory between them may have changed.
            return match at.map(|at| self.quiet.remove(at)) {
                Some(answered) => self.answer_of(answered),
                None => {
                    self.unanswered.push(format!("the call of @{}", call.callee));
                    CallAnswer { returns: true, ..CallAnswer::default() }
                }
            };
        }
        // The interpreter does not repeat a query for a call that returned before and writes nothing; the encoder does.
        if let Some(EventKind::Call { callee, .. }) = self.observable.front()
            && !call.callee.starts_with(&**callee)
        {
            self.unanswered.push(format!("the call of @{}, before that of @{callee}", call.callee));
            return CallAnswer { returns: true, ..CallAnswer::default() };
        }
        if let Some(answered) = self.given_before(call) {
            self.unanswered.push(format!("the call of @{}, once more", call.callee));
            return self.answer_of(answered);
        }
        match self.observable.pop_front() {
            Some(EventKind::Call { .. }) => {
                let answered = self.answers.pop_front().expect("each call has an answer");
                self.given.push(answered);
                self.answer_of(answered)
            }
            Some(EventKind::VolatileStore { .. }) => {
                self.answers.pop_front();
                CallAnswer { returns: true, ..CallAnswer::default() }
            }
            Some(EventKind::VolatileLoad { .. }) => {
                let value = self.results.get_mut(&call.inst).and_then(VecDeque::pop_front);
                let result = value.as_ref().map(value_of);
                if result.as_ref().is_some_and(is_partly_undef) {
                    self.unanswered.push("a volatile load gives undefined bits".to_owned());
                }
                let answered = self.answers.pop_front().expect("each volatile access has an answer");
                let writes = self.answer_of(answered).writes;
                CallAnswer { result, returns: true, writes, ..CallAnswer::default() }
            }
            Some(EventKind::Output { .. }) => CallAnswer { returns: true, ..CallAnswer::default() },
            None => {
                self.unanswered.push(format!("the event `{}`", call.callee));
                CallAnswer { returns: true, ..CallAnswer::default() }
            }
        }
    }
    fn operate(&mut self, key: &str, operands: &[u128]) -> u128 {
        self.floats.operate(key, operands).unwrap_or_else(|| {
            self.unanswered.push(format!("the operation `{key}`"));
            0
        })
    }
}

/// Floating-point operations with the interpreter's semantics, each through a function that contains it.
#[derive(Debug, Default)]
pub(crate) struct Floats {
    known: HashMap<(String, Vec<u128>), u128>,
}

impl Floats {
    /// The result; `None` if the interpreter does not model the operation.
    fn operate(&mut self, key: &str, operands: &[u128]) -> Option<u128> {
        let question = (key.to_owned(), operands.to_vec());
        if let Some(&known) = self.known.get(&question) {
            return Some(known);
        }
        // Results that only fast-math flags allow are not chosen.
        if key.ends_with(" loosely") {
            return Some(0);
        }
        let (text, wants_fit) = function_for(key, operands.len())?;
        let module = backedge_ir::parse::read_module(text.as_bytes()).ok()?.module;
        let config = Config::default();
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config);
        let input = Input::new(operands.iter().map(|bits| ArgSpec::Bits(*bits)).collect());
        let func = module.env.func_named("f")?;
        let run = machine.run(func, &input, &mut ZeroChooser, &mut NoObserver);
        let bits = run.ok()?.value()?.cube();
        let result = if wants_fit { bits.is_some().into() } else { bits.map_or(0, |c| c.bits) };
        self.known.insert(question, result);
        Some(result)
    }
}

/// A function with the operation, and whether the query asks if its result is not poison. Fast-math flags only add
/// poison, which the encoder adds itself.
fn function_for(key: &str, operands: usize) -> Option<(String, bool)> {
    let words: Vec<&str> = key.split(' ').collect();
    let suffix = |ty: &str| match ty {
        "float" => "f32".to_owned(),
        "double" => "f64".to_owned(),
        "half" => "f16".to_owned(),
        "bfloat" => "bf16".to_owned(),
        "fp128" => "f128".to_owned(),
        "x86_fp80" => "f80".to_owned(),
        "ppc_fp128" => "ppcf128".to_owned(),
        int => int.to_owned(),
    };
    let fits = words.last() == Some(&"fits");
    let text = match words[..] {
        [op @ ("fadd" | "fsub" | "fmul" | "fdiv" | "frem"), ty, ..] => {
            format!("define {ty} @f({ty} %a, {ty} %b) {{\n  %r = {op} {ty} %a, %b\n  ret {ty} %r\n}}\n")
        }
        [op @ ("fptosi" | "fptoui" | "sitofp" | "uitofp" | "fptrunc" | "fpext"), from, to, ..] => {
            format!("define {to} @f({from} %a) {{\n  %r = {op} {from} %a to {to}\n  ret {to} %r\n}}\n")
        }
        [name, "of", from, to, ..] => {
            let full = format!("@llvm.{name}.{}.{}", suffix(to), suffix(from));
            format!(
                "declare {to} {full}({from})\ndefine {to} @f({from} %a) {{\n  %r = call {to} {full}({from} %a)\n  \
                 ret {to} %r\n}}\n"
            )
        }
        [name, ty, ..] => {
            let full = format!("@llvm.{name}.{}", suffix(ty));
            let types = vec![ty; operands].join(", ");
            let list = |sep: &str| -> String {
                let all: Vec<String> = (0..operands).map(|i| format!("{ty} %a{i}")).collect();
                all.join(sep)
            };
            format!(
                "declare {ty} {full}({types})\ndefine {ty} @f({0}) {{\n  %r = call {ty} {full}({0})\n  ret {ty} \
                 %r\n}}\n",
                list(", ")
            )
        }
        _ => return None,
    };
    Some((text, fits))
}
