//! What the environment observes: events and returns of both functions, which must be alike.

use super::execute::Event;
use super::function::Why;
use super::state::{Fact, SOURCE, SideState, TARGET};
use super::step::{Arrival, Both, Step, Stopped};
use super::term::{Nature, Op, Term};

impl Both<'_> {
    /// The states after an event of both sides.
    pub(super) fn event(
        &mut self,
        step: Step,
        [(mut source, s), (mut target, t)]: [(Stopped, Box<Event>); 2],
    ) -> Result<Vec<Arrival>, Why> {
        let what = self.views[TARGET].words_of(t.inst);
        if s.said.signature != t.said.signature || s.ty != t.ty || s.args.len() != t.args.len() {
            let other = self.views[SOURCE].words_of(s.inst);
            return Err(format!("that the source's next event, `{other}`, is `{what}`"));
        }
        if !t.said.promises.is_subset(&s.said.promises) {
            return Err(format!("that the source promises as much as `{what}`"));
        }
        for (s, t) in s.args.iter().zip(&t.args) {
            if !self.is_refined(*s, *t) {
                return Err(format!("that `{what}` has the same arguments"));
            }
        }
        if source.at.memory != target.at.memory {
            return Err(format!("that `{what}` sees the same memory"));
        }
        let memory = if s.said.memory.accessible().writes {
            let ty = self.context.terms.memory_ty();
            self.context.terms.symbol(ty, Nature::ANY)
        } else {
            source.at.memory
        };
        let result = match (s.ty, s.said.returned) {
            (None, _) => None,
            (Some(_), Some(index)) if t.said.returned == Some(index) => Some(t.args[index]),
            (Some(ty), _) => {
                let nature = if s.said.result_is_defined { Nature::DEFINED } else { Nature::ANY };
                Some(self.context.terms.symbol(ty, nature))
            }
        };
        for (at, inst) in [(&mut source.at, s.inst), (&mut target.at, t.inst)] {
            at.memory = memory;
            at.place.at += 1;
            if let Some(result) = result {
                at.values.insert(inst, result);
            }
        }
        let mut step = step;
        let is_marker = s.said.signature.starts_with("lifetime.");
        // LangRef: a loop makes progress if it interacts with its environment.
        let progress = !is_marker && s.said.memory.any().writes;
        if s.said.frees || t.said.frees {
            // A call frees neither globals nor allocas; a marker ends an alloca.
            let terms = &mut self.context.terms;
            step.facts.retain(|fact| match fact {
                Fact::Access { pointer, .. } => {
                    let root = terms.address(*pointer).root;
                    match terms.op(root) {
                        Op::Local(_) => !is_marker,
                        Op::Global(_) => true,
                        _ => false,
                    }
                }
                _ => true,
            });
        }
        let blocks = [source.blocks, target.blocks];
        let arrival = self.arrival(step, [source.at, target.at], [true, true], blocks);
        Ok(vec![Arrival { progress, ..arrival }])
    }
    /// Whether the target's value is one that the source's term allows.
    fn is_refined(&self, source: Term, target: Term) -> bool {
        let terms = &self.context.terms;
        source == target
            || terms.get(source).ty == terms.get(target).ty
                && match terms.op(source) {
                    Op::Poison => true,
                    Op::Undef => !terms.nature(target).poison,
                    _ => false,
                }
    }
    pub(super) fn returns(&mut self, values: [Option<Term>; 2], at: [&SideState; 2]) -> Result<(), Why> {
        let same = match values {
            [Some(s), Some(t)] => self.is_refined(s, t),
            [s, t] => s == t,
        };
        if !same {
            return Err("that both return the same value".to_owned());
        }
        let [s, t] = at.map(|side| self.visible(side.memory));
        if s != t {
            return Err("that both leave the same memory".to_owned());
        }
        Ok(())
    }
    /// A memory without the last stores to allocas, which end with the function.
    fn visible(&mut self, memory: Term) -> Term {
        let mut kept: Vec<Term> = Vec::new();
        let mut at = memory;
        while let Op::Store { .. } = self.context.terms.op(at) {
            let place = self.context.terms.get(at).operands[2];
            let root = self.context.terms.address(place).root;
            if !matches!(self.context.terms.op(root), Op::Local(_)) {
                kept.push(at);
            }
            at = self.context.terms.get(at).operands[0];
        }
        for store in kept.into_iter().rev() {
            let node = self.context.terms.get(store).clone();
            at = self.context.terms.raw(node.op, [at, node.operands[1], node.operands[2]], node.ty);
        }
        at
    }
}
