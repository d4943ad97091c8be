//! Merges values and memory where paths join.
//!
//! Requires: the paths of the arrivals exclude each other. Guarantees: if the live values are given, other values are
//! dropped.

use crate::encode::function::Encoder;
use crate::encode::function::halt::Encoded;
use crate::encode::memory::Memory;
use crate::encode::observed::{Indices, Values};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::Uninit;
use crate::term::Term;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst, SecondaryMap};
use backedge_ir::inst::InstKind;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state that arrives along an edge.
#[derive(Clone)]
pub(in crate::encode) struct Incoming {
    pub(in crate::encode) from: Block,
    pub(in crate::encode) path: Term,
    pub(in crate::encode) values: Rc<Values>,
    pub(in crate::encode) memory: Memory,
    pub(in crate::encode) indices: Rc<Indices>,
}

impl Encoder<'_, '_> {
    /// Merges the states that arrive at the current copy; of the values only the `live` ones, if given.
    pub(in crate::encode) fn join(
        &mut self,
        arrivals: &[Incoming],
        live: Option<&EntitySet<Inst>>,
    ) -> Encoded<()> {
        let block = self.copy.block;
        let phis: Vec<Inst> = self.body.phis(block).collect();
        let mut values: Option<Values> = None;
        let (mut memory, mut path) = (arrivals[0].memory.clone(), self.w.terms.bool(false));
        for arrival in arrivals {
            self.within_limits()?;
            let mut here: Values = match live {
                Some(live) => {
                    live.iter().filter_map(|inst| Some((inst, arrival.values.get(&inst)?.clone()))).collect()
                }
                None => (*arrival.values).clone(),
            };
            self.values = (*arrival.values).clone();
            for &phi in &phis {
                self.inst = Some(phi);
                let value = self.body.incoming_from(phi, arrival.from);
                let value = value.ok_or_else(|| self.unsupported("a phi without an entry for an edge"))?;
                let mut value = self.value(value)?;
                if let InstKind::Phi(fast) = self.body.inst(phi).kind {
                    value = self.moved_float(self.body.inst(phi).ty, value, fast);
                }
                here.insert(phi, value);
            }
            self.join_indices(arrival.path, &arrival.indices, values.is_none());
            values = Some(match values {
                None => here,
                Some(old) => {
                    memory = self.join_memory(arrival.path, &arrival.memory, &memory)?;
                    self.join_values(arrival.path, here, &old)
                }
            });
            path = self.w.terms.or(path, arrival.path);
        }
        self.values = values.unwrap_or_default();
        self.memory = memory;
        self.path = path;
        Ok(())
    }
    pub(in crate::encode) fn join_values(&mut self, cond: Term, new: Values, old: &Values) -> Values {
        let mut joined = Values::default();
        let mut keys: Vec<Inst> = new.keys().copied().filter(|k| old.contains_key(k)).collect();
        keys.sort_unstable();
        for key in keys {
            joined.insert(key, Sym::ite(&mut self.w.terms, cond, &new[&key], &old[&key]));
        }
        joined
    }
    pub(in crate::encode) fn join_memory(
        &mut self,
        cond: Term,
        new: &Memory,
        old: &Memory,
    ) -> Encoded<Memory> {
        let mut slots = BTreeMap::new();
        for (&slot, value) in new.slots.iter().chain(&old.slots) {
            if slots.contains_key(&slot) {
                continue;
            }
            let joined = match (new.slots.get(&slot), old.slots.get(&slot)) {
                (Some(new), Some(old)) => Sym::ite(&mut self.w.terms, cond, new, old),
                (new, old) => {
                    let uninit = self.uninit_like(value);
                    Sym::ite(&mut self.w.terms, cond, new.unwrap_or(&uninit), old.unwrap_or(&uninit))
                }
            };
            slots.insert(slot, joined);
        }
        let terms = &mut self.w.terms;
        let no = terms.bool(false);
        let count = new.alive.len().max(old.alive.len());
        let at = |alive: &[Term], i: usize| alive.get(i).copied().unwrap_or(no);
        Ok(Memory {
            shared: terms.ite(cond, new.shared, old.shared),
            local: terms.ite(cond, new.local, old.local),
            slots,
            alive: (0..count).map(|i| terms.ite(cond, at(&new.alive, i), at(&old.alive, i))).collect(),
            trace: terms.ite(cond, new.trace, old.trace),
            firm: terms.ite(cond, new.firm, old.firm),
            frees: terms.ite(cond, new.frees, old.frees),
        })
    }
    /// An uninitialized value with the shape of `value`.
    fn uninit_like(&mut self, value: &Sym) -> Sym {
        let rule = self.w.uninit;
        let terms = &mut self.w.terms;
        value.map(&mut |s| {
            let width = terms.width(s.bits);
            match rule {
                Uninit::Undef => Scalar::undef(terms, width),
                Uninit::Poison => Scalar::poison(terms, width),
            }
        })
    }
}

/// The live-in values of each block: values used in the block or after it. A phi operand counts as a use at the end of
/// its predecessor.
pub(crate) fn live_in(body: &Body) -> SecondaryMap<Block, EntitySet<Inst>> {
    let mut live: SecondaryMap<Block, EntitySet<Inst>> = SecondaryMap::new();
    // For each definition, walk backward from its uses to the definition.
    let mut work = Vec::new();
    for def in body.all_insts() {
        let home = body.block_of(def);
        for use_ in body.uses(def.into()) {
            let user = body.inst(use_.user);
            let from = match user.kind {
                InstKind::Phi(_) => Some(user.blocks[use_.index as usize]),
                _ => body.block_of(use_.user),
            };
            let Some(block) = from else { continue };
            if Some(block) != home {
                work.push((block, def));
            }
        }
    }
    let cfg = backedge_ir::cfg::Cfg::new(body);
    while let Some((block, def)) = work.pop() {
        if Some(block) == body.block_of(def) || !live[block].insert(def) {
            continue;
        }
        for &pred in cfg.preds(block) {
            work.push((pred, def));
        }
    }
    live
}
