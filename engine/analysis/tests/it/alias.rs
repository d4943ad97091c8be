//! Judges alias claims by executions of generated functions: the addresses accessed in one iteration, in two iterations
//! and in a whole activation; the effects of calls and stores; readable memory.
//!
//! A violation counts only if the execution ends without UB. `BACKEDGE_CASES` sets the number of functions (default
//! 300).

use crate::common::runs::{Event, Steps, input, input_for, modules};
use backedge_analysis::alias::location::pointer_operand;
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations, MemoryLocation, Size};
use backedge_analysis::cache::{Analyses, At};
use backedge_analysis::order::Order;
use backedge_interp::chooser::RandomChooser;
use backedge_interp::outcome::Outcome;
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::{Arg, Block, EntityId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_testkit::generate::{Mix, effectful};
use backedge_testkit::{Dice, module, seeds};
use rustc_hash::FxHashMap;

#[derive(Default, Debug)]
struct Tally {
    runs: u64,
    without_ub: u64,
    pairs: u64,
    no_alias: u64,
    must: u64,
    partial: u64,
    across: u64,
    across_no_alias: u64,
    unchanged: u64,
    readable: u64,
}

/// An executed access.
#[derive(Clone, Debug)]
struct Access {
    inst: Inst,
    location: MemoryLocation,
    address: u64,
    size: u64,
    write: bool,
    /// The time of the access.
    time: usize,
    /// The time at which the pointer was computed.
    computed: usize,
    /// For each loop, the number of its entry, if control was in the loop.
    entries: Vec<Option<usize>>,
}

fn locations(at: At<'_>, inst: Inst) -> Vec<(MemoryLocation, bool)> {
    if let Some((source, target)) = MemoryLocation::of_transfer(at, inst) {
        return source.into_iter().map(|s| (s, false)).chain([(target, true)]).collect();
    }
    let write = matches!(at.body.inst(inst).kind, InstKind::Store(_));
    MemoryLocation::of_access(at, inst).map(|l| (l, write)).into_iter().collect()
}

struct Judge<'a> {
    at: At<'a>,
    text: &'a str,
    alias: Aliasing<'a>,
    known: FxHashMap<(MemoryLocation, MemoryLocation, Option<Inst>, u32), AliasResult>,
    readable: Vec<(Value, u64, u64)>,
    tally: &'a mut Tally,
}

impl<'a> Judge<'a> {
    fn new(at: At<'a>, text: &'a str, tally: &'a mut Tally) -> Self {
        let alias = Aliasing::new(at);
        let mut readable = Vec::new();
        let args = at.body.args().map(Value::Arg);
        for value in args.chain(at.body.all_insts().map(Value::Inst)).filter(|v| at.body.ty(*v).is_ptr()) {
            for size in [1, 2, 4, 8, 16, 32] {
                for align in [1, 2, 4, 8] {
                    if alias.is_dereferenceable_and_aligned(value, size, align, None) {
                        readable.push((value, size, align));
                    }
                }
            }
        }
        Self { at, text, alias, known: FxHashMap::default(), readable, tally }
    }
    fn fail(&self, what: &str) -> ! {
        panic!("{what}\nin {}", self.text)
    }
    fn name(&self, value: Value) -> String {
        self.at.body.value_name(value).map_or_else(|| format!("{value:?}"), |n| format!("%{n}"))
    }
    fn ask(&mut self, a: &Access, b: &Access, iterations: Iterations) -> AliasResult {
        let number = match iterations {
            Iterations::Same => 0,
            Iterations::All => 1,
            Iterations::Any(l) => 2 + l.index() as u32,
        };
        let context = (iterations == Iterations::Same).then_some(b.inst);
        let alias = self.alias;
        let key = (a.location, b.location, context, number);
        *self.known.entry(key).or_insert_with(|| alias.alias(a.location, b.location, iterations, context))
    }
    fn accesses(&mut self, steps: &Steps) -> Vec<Access> {
        let at = self.at;
        let loops = at.loops();
        let mut now: FxHashMap<Value, (Val, usize)> = FxHashMap::default();
        for (i, value) in steps.args.iter().enumerate() {
            now.insert(Arg::from_index(i).into(), (value.clone(), 0));
        }
        let mut entries: Vec<Option<usize>> = vec![None; loops.len()];
        let mut block: Option<Block> = at.body.entry();
        let mut accesses = Vec::new();
        for (time, event) in steps.events.iter().enumerate() {
            match event {
                Event::Enter(to) => {
                    for l in loops.ids() {
                        let was_in = block.is_some_and(|b| loops.contains(l, b));
                        match (was_in, loops.contains(l, *to)) {
                            (false, true) => entries[l.index()] = Some(time),
                            (_, false) => entries[l.index()] = None,
                            (true, true) => {}
                        }
                    }
                    block = Some(*to);
                }
                Event::Step(inst, value) => {
                    // A volatile access may be outside its pointer's object, where addresses say nothing.
                    let volatile = match &at.body.inst(*inst).kind {
                        InstKind::Load(access) | InstKind::Store(access) => access.volatile,
                        _ => false,
                    };
                    let found = if volatile { Vec::new() } else { locations(at, *inst) };
                    for (location, write) in found {
                        let (Size::Precise(size), Some((Val::Ptr(ptr), computed))) =
                            (location.size, now.get(&location.ptr))
                        else {
                            continue;
                        };
                        accesses.push(Access {
                            inst: *inst,
                            location,
                            address: ptr.addr,
                            size,
                            write,
                            time,
                            computed: *computed,
                            entries: entries.clone(),
                        });
                    }
                    if let Some(value) = value {
                        now.insert((*inst).into(), (value.clone(), time));
                        self.can_be_read(steps, *inst, value);
                    }
                }
            }
            if accesses.len() > 150 {
                break;
            }
        }
        accesses
    }
    fn can_be_read(&mut self, steps: &Steps, inst: Inst, value: &Val) {
        let Val::Ptr(ptr) = value else { return };
        for (_, size, align) in self.readable.iter().filter(|(v, ..)| *v == Value::Inst(inst)) {
            self.tally.readable += 1;
            let inside =
                steps.objects.iter().any(|(base, n)| ptr.addr >= *base && ptr.addr + size <= base + n);
            if !inside || ptr.addr % align != 0 {
                self.fail(&format!(
                    "{} is {ptr:?}: not {size} bytes aligned to {align}",
                    self.name(inst.into())
                ));
            }
        }
    }
    fn run(&mut self, steps: &Steps) {
        let strict = !self.text.contains("noalias");
        let accesses = self.accesses(steps);
        let order = self.at.get::<Order>();
        let loops = self.at.loops();
        for (j, b) in accesses.iter().enumerate() {
            for a in &accesses[..j] {
                let available = match a.location.ptr {
                    Value::Inst(inst) => order.dominates(self.at.body, &self.at.dominators(), inst, b.inst),
                    Value::Arg(_) | Value::Const(_) => true,
                };
                // The pointer of the earlier access is unchanged: it has not been recomputed.
                let current = self.not_again(steps, a, b);
                if available && current {
                    self.tally.pairs += 1;
                    let said = self.ask(a, b, Iterations::Same);
                    self.check(a, b, said, strict, "in one iteration");
                }
                let said = self.ask(a, b, Iterations::All);
                self.tally.across += 1;
                self.tally.across_no_alias += u64::from(said == AliasResult::NoAlias);
                self.check(a, b, said, strict, "in one run");
                for l in loops.ids() {
                    let (x, y) = (a.entries[l.index()], b.entries[l.index()]);
                    if x.is_some() && x == y {
                        let said = self.ask(a, b, Iterations::Any(l));
                        self.check(a, b, said, strict, "in two iterations");
                    }
                }
            }
        }
        self.changes(steps);
    }
    /// Whether the pointer of `a` is not recomputed before `b` happens.
    fn not_again(&self, steps: &Steps, a: &Access, b: &Access) -> bool {
        let Value::Inst(def) = a.location.ptr else { return true };
        let following = &steps.events[a.computed + 1..];
        let until = b.time - a.computed - 1;
        !following.iter().take(until).any(|e| matches!(e, Event::Step(i, _) if *i == def))
    }
    fn check(&mut self, a: &Access, b: &Access, said: AliasResult, strict: bool, when: &str) {
        let empty = a.size == 0 || b.size == 0;
        let overlap = !empty && a.address < b.address + b.size && b.address < a.address + a.size;
        let right = match said {
            AliasResult::MayAlias => true,
            AliasResult::NoAlias => {
                self.tally.no_alias += 1;
                !overlap || !strict && !a.write && !b.write
            }
            AliasResult::MustAlias => {
                self.tally.must += 1;
                a.address == b.address
            }
            AliasResult::PartialAlias(by) => {
                self.tally.partial += 1;
                b.address.wrapping_sub(a.address) as i64 == by
            }
        };
        if !right {
            self.fail(&format!(
                "{a:?} and {b:?} {when}: said is {said:?} ({} and {})",
                self.name(a.location.ptr),
                self.name(b.location.ptr)
            ));
        }
    }
    /// Checks that every instruction that changed memory was reported as a possible writer.
    fn changes(&mut self, steps: &Steps) {
        let at = self.at;
        let mut now: FxHashMap<Value, Val> = FxHashMap::default();
        for (i, value) in steps.args.iter().enumerate() {
            now.insert(Arg::from_index(i).into(), value.clone());
        }
        let pointers: Vec<Value> = at.body.all_insts().filter_map(|i| pointer_operand(at.body, i)).collect();
        let mut before: Option<&Vec<(u64, Vec<u8>)>> = None;
        let mut next = 0;
        for (time, event) in steps.events.iter().enumerate() {
            let Event::Step(inst, value) = event else { continue };
            while next < steps.memory.len() && steps.memory[next].0 < time {
                next += 1;
            }
            // Use the last snapshot of several at that time: one instruction may have several operations.
            let after = steps.memory[next..].iter().take_while(|(t, _)| *t == time).last().map(|(_, m)| m);
            let kind = &at.body.inst(*inst).kind;
            if let (Some(before), Some(after)) = (before, after)
                && matches!(kind, InstKind::Call(_) | InstKind::Store(_))
                && before != after
            {
                for &pointer in &pointers {
                    let Some(Val::Ptr(ptr)) = now.get(&pointer) else { continue };
                    let location = MemoryLocation { ptr: pointer, size: Size::Precise(1) };
                    if self.alias.mod_ref(*inst, location, Iterations::All).writes {
                        continue;
                    }
                    self.tally.unchanged += 1;
                    if byte_at(before, ptr.addr) != byte_at(after, ptr.addr)
                        && byte_at(before, ptr.addr).is_some()
                    {
                        self.fail(&format!("{kind:?} changed what {} points to", self.name(pointer)));
                    }
                }
            }
            if after.is_some() {
                before = after;
            }
            if let Some(value) = value {
                now.insert((*inst).into(), value.clone());
            }
        }
    }
}

fn byte_at(memory: &[(u64, Vec<u8>)], address: u64) -> Option<u8> {
    let object =
        memory.iter().find(|(base, bytes)| address >= *base && address < base + bytes.len() as u64)?;
    Some(object.1[(address - object.0) as usize])
}

/// The functions of the corpus and of LLVM's loop tests on random inputs.
#[test]
fn files() {
    let mut tally = Tally::default();
    for (name, module) in modules("alias claims on LLVM's loop tests") {
        let config = Config { fuel: 400, max_bytes: 1 << 20, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config);
        for (func, body) in module.bodies() {
            let mut text = format!("{name}, @{}", module.env.funcs[func].name);
            let has_noalias = |l| module.env.has_attr(l, FlagAttr::NoAlias);
            if module.env.funcs[func].param_attrs.iter().any(has_noalias) {
                text.push_str(" with noalias arguments");
            }
            let analyses = Analyses::of(func);
            let mut dice = Dice::new(7);
            let Some(_) = input_for(body, &mut dice) else { continue };
            let mut judge = Judge::new(analyses.at(&module.env, body), &text, &mut tally);
            for run in 0..3 {
                let Some(input) = input_for(body, &mut dice) else { break };
                let mut steps = Steps { with_memory: run == 0, ..Steps::default() };
                let mut chooser = RandomChooser::new(run);
                let Ok(result) = machine.run(func, &input, &mut chooser, &mut steps) else { break };
                judge.tally.runs += 1;
                if matches!(
                    result.outcome,
                    Outcome::Returned(_) | Outcome::DidNotReturn { .. } | Outcome::Diverges { .. }
                ) {
                    judge.tally.without_ub += 1;
                    judge.run(&steps);
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.without_ub > 100 && tally.no_alias > 100, "{tally:?}");
}

#[test]
fn generated_functions() {
    let mut tally = Tally::default();
    for seed in seeds(300) {
        let size = if seed % 2 == 0 { 25 } else { 60 };
        let text = effectful(seed + 1_000_000, Mix { memory: 60, calls: 2, size });
        let module = module(&text);
        let func = module.env.func_named("f").expect("there is @f");
        let analyses = Analyses::of(func);
        let body = module.body(func).expect("it has a body");
        let mut judge = Judge::new(analyses.at(&module.env, body), &text, &mut tally);
        let config = Config { fuel: 2000, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config);
        let mut dice = Dice::new(seed ^ 0x1234);
        for run in 0..40 {
            let input = input(&mut dice);
            let mut steps = Steps { with_memory: true, ..Steps::default() };
            let mut chooser = RandomChooser::new(seed * 1000 + run);
            let result = machine.run(func, &input, &mut chooser, &mut steps).expect("the input fits");
            judge.tally.runs += 1;
            if matches!(
                result.outcome,
                Outcome::Returned(_) | Outcome::DidNotReturn { .. } | Outcome::Diverges { .. }
            ) {
                judge.tally.without_ub += 1;
                judge.run(&steps);
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.without_ub * 50 > tally.runs, "too few runs end well: {tally:?}");
    assert!(
        tally.no_alias > 5000 && tally.must > 500 && tally.partial > 20 && tally.unchanged > 500,
        "{tally:?}"
    );
}
