//! Checks that each block ends in one terminator, that phis match the incoming edges, and that definitions dominate
//! uses.

use super::{Check, ExceptionFault, FindingKind};
use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::entity::{Block, Inst, SecondaryMap};
use crate::inst::{InstKind, Use, Value};

impl Check<'_, '_> {
    pub(super) fn flow(&mut self) {
        let Some(entry) = self.body.entry() else { return self.report(FindingKind::NoBlocks) };
        let cfg = Cfg::new(self.body);
        for block in self.body.blocks() {
            self.block(block);
            self.phis(&cfg, block);
        }
        if let Some(&pred) = cfg.preds(entry).first() {
            self.report_block(entry, FindingKind::EntryHasPredecessor { pred });
        }
        self.dominance(&cfg);
    }

    fn block(&mut self, block: Block) {
        let insts = self.body.insts(block);
        let Some((&last, before)) = insts.split_last() else {
            return self.report_block(block, FindingKind::EmptyBlock);
        };
        if !self.body.inst(last).kind.is_terminator() {
            self.report_block(block, FindingKind::NoTerminator);
        }
        let mut phis_over = false;
        for &inst in before {
            if self.body.inst(inst).kind.is_terminator() {
                self.report_inst(inst, FindingKind::TerminatorInside);
            }
        }
        for &inst in insts {
            let data = self.body.inst(inst);
            if phis_over && data.kind.is_phi() {
                self.report_inst(inst, FindingKind::PhiNotFirst);
            }
            if phis_over && matches!(data.kind, InstKind::LandingPad { .. }) {
                self.report_inst(inst, FindingKind::Exception(ExceptionFault::PadNotFirst));
            }
            phis_over |= !data.kind.is_phi();
            for &target in &data.blocks {
                if !self.body.has_block(target) {
                    self.report_inst(inst, FindingKind::RemovedBlock { block: target });
                }
            }
        }
    }

    /// The incoming blocks of a phi must be the predecessors, each as often as there are edges from it.
    fn phis(&mut self, cfg: &Cfg, block: Block) {
        let mut preds = cfg.preds(block).to_vec();
        preds.sort_unstable();
        for inst in self.body.phis(block) {
            let data = self.body.inst(inst);
            if data.operands.len() != data.blocks.len() {
                let (values, blocks) = (data.operands.len(), data.blocks.len());
                self.report_inst(inst, FindingKind::PhiArity { values, blocks });
                continue;
            }
            let mut entries: Vec<(Block, Value)> = data.incoming().map(|(v, b)| (b, v)).collect();
            entries.sort_unstable();
            self.phi_entries(inst, &preds, &entries);
        }
    }

    /// Both lists are sorted by block.
    fn phi_entries(&mut self, phi: Inst, mut preds: &[Block], mut entries: &[(Block, Value)]) {
        while let Some(pred) = preds.first().into_iter().chain(entries.first().map(|(b, _)| b)).min().copied()
        {
            let edges = preds.iter().take_while(|b| **b == pred).count();
            let count = entries.iter().take_while(|(b, _)| *b == pred).count();
            if edges != count {
                self.report_inst(phi, FindingKind::PhiEntries { pred, entries: count, edges });
            }
            let (these, rest) = entries.split_at(count);
            if these.windows(2).any(|w| w[0].1 != w[1].1) {
                self.report_inst(phi, FindingKind::PhiConflict { pred });
            }
            preds = &preds[edges..];
            entries = rest;
        }
    }

    fn dominance(&mut self, cfg: &Cfg) {
        let body = self.body;
        let dominators = Dominators::new(body, cfg);
        let mut position: SecondaryMap<Inst, u32> = SecondaryMap::new();
        for block in body.blocks() {
            for (at, &inst) in body.insts(block).iter().enumerate() {
                position[inst] = at as u32;
            }
        }
        for inst in body.all_insts() {
            let data = body.inst(inst);
            if data.kind.is_phi() && data.operands.len() != data.blocks.len() {
                continue; // already reported
            }
            for (index, &value) in data.operands.iter().enumerate() {
                let Value::Inst(def) = value else { continue };
                if body.block_of(def).is_none() {
                    self.report_inst(inst, FindingKind::RemovedOperand { index });
                    continue;
                }
                let use_ = Use { user: inst, index: index as u32 };
                // A debug record may refer to a value that is not available yet; then it has no effect.
                let is_record = matches!(data.kind, InstKind::DebugRecord(_));
                if !is_record && !dominates_use(self, &dominators, &position, def, use_) {
                    self.report_inst(inst, FindingKind::NotDominated { index, def });
                }
            }
        }
    }
}

/// [`Dominators::dominates_use`] with a precomputed order within each block.
fn dominates_use(
    check: &Check<'_, '_>,
    dominators: &Dominators,
    position: &SecondaryMap<Inst, u32>,
    def: Inst,
    use_: Use,
) -> bool {
    let (body, user) = (check.body, use_.user);
    let same_block = body.block_of(def) == body.block_of(user);
    let plain = !body.inst(def).kind.is_terminator() && !matches!(body.inst(user).kind, InstKind::Phi(_));
    match body.block_of(user) {
        Some(block) if same_block && plain => {
            position[def] < position[user] || !dominators.is_reachable(block)
        }
        _ => dominators.dominates_use(body, def.into(), use_),
    }
}
