//! Executions of generated functions, recorded step by step.

#![allow(dead_code, reason = "each test program uses a part")]

use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::types::{FloatKind, TypeKind};
use backedge_testkit::Dice;
use backedge_testkit::generate::OBJECT;

/// A step of the outermost function.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Control entered a block.
    Enter(Block),
    /// An instruction was executed, with this result.
    Step(Inst, Option<Val>),
}

/// The address and bytes of every object.
pub(crate) type Snapshot = Vec<(u64, Vec<u8>)>;

/// All steps of the outermost function of an execution.
#[derive(Default, Debug)]
pub(crate) struct Steps {
    pub(crate) events: Vec<Event>,
    pub(crate) args: Vec<Val>,
    /// The address and size of every object at the end.
    pub(crate) objects: Vec<(u64, u64)>,
    /// Whether memory contents are recorded.
    pub(crate) with_memory: bool,
    /// Contents of all objects after each instruction of [`Steps::events`], by its index there.
    pub(crate) memory: Vec<(usize, Snapshot)>,
}

impl Observer for Steps {
    fn call(&mut self, entry: Entry<'_>) {
        if entry.depth == 0 {
            self.args = entry.args.to_vec();
        }
    }
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        if depth == 0 {
            self.events.push(Event::Enter(block));
        }
    }
    fn step(&mut self, done: Done<'_>) {
        let Done { inst, depth, value, memory, .. } = done;
        let known = self.objects.len().min(memory.allocations().len());
        if self.with_memory {
            let contents = memory.allocations().iter().map(|a| (a.base, a.contents.bytes.to_vec())).collect();
            self.memory.push((self.events.len(), contents));
        }
        self.objects.extend(memory.allocations()[known..].iter().map(|a| (a.base, a.size)));
        if depth > 0 {
            return;
        }
        // A check of result metadata is a second operation of the same instruction.
        if let Some(Event::Step(last, result)) = self.events.last_mut()
            && *last == inst
        {
            *result = value.cloned();
        } else {
            self.events.push(Event::Step(inst, value.cloned()));
        }
    }
}

/// A random input of the functions of [`super::program`].
pub(crate) fn input(dice: &mut Dice) -> Input {
    let mut int = |width: u32| {
        if dice.chance(4) {
            return ArgSpec::Poison;
        }
        let value = if dice.chance(50) { dice.below(12) } else { dice.below(1 << width) };
        ArgSpec::Int((value & ((1 << width) - 1)) as i128)
    };
    let (a, b, c, t) = (int(8), int(8), int(4), int(1));
    let mut buffer = || {
        let bytes: Vec<u8> = (0..OBJECT)
            .map(|_| if dice.chance(60) { dice.below(10) } else { dice.below(256) } as u8)
            .collect();
        ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes)))
    };
    let (p, q) = (buffer(), buffer());
    let r = match dice.below(4) {
        0 => ArgSpec::Alias { arg: 5, offset: 0 },
        1 => ArgSpec::Alias { arg: 5, offset: dice.below(9) as i64 },
        2 => ArgSpec::Global { name: "g".into(), offset: 0 },
        _ => ArgSpec::Buffer(Box::new(Contents::from_bytes(vec![3; OBJECT]))),
    };
    Input::new(vec![a, b, c, t, p, q, r])
}

/// A random input of any function with integer, float and pointer arguments.
pub(crate) fn input_for(body: &Body, dice: &mut Dice) -> Option<Input> {
    let mut args = Vec::new();
    for arg in body.args() {
        args.push(match body.ty(arg.into()).kind() {
            TypeKind::Int(width) if width <= 64 => {
                let value = if dice.chance(70) { dice.below(20) } else { dice.below(usize::MAX) } as u128;
                let value = if dice.chance(15) { u128::MAX - value } else { value };
                ArgSpec::Int((value & (u128::MAX >> (128 - width))) as i128)
            }
            TypeKind::Float(FloatKind::Float | FloatKind::Double) => ArgSpec::Int(dice.below(100) as i128),
            TypeKind::Ptr(0) => {
                let fill = dice.below(4) as u8;
                ArgSpec::Buffer(Box::new(Contents::from_bytes(vec![fill; 256])))
            }
            _ => return None,
        });
    }
    Some(Input::new(args))
}

/// All modules of the corpus, and of LLVM's loop tests if available; with their names.
pub(crate) fn modules(what: &str) -> Vec<(String, Module)> {
    let mut files = backedge_testkit::corpus_files();
    files.extend(backedge_testkit::llvm_tests(what).into_iter().flat_map(|t| t.files()));
    let parsed = files.iter().filter_map(|path| {
        let text = std::fs::read(path).expect("to read a test");
        Some((path.display().to_string(), parse_module(&text).ok()?.module))
    });
    parsed.collect()
}
