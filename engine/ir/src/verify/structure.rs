//! Checks that the tables of a body are consistent: use lists with operands, names with the name table, and the
//! positions of blocks and instructions with the lists that contain them. The editor guarantees this.

use super::{Check, FindingKind, NameFault};
use crate::body::Local;
use crate::entity::{Arg, Block, EntityId, EntitySet, Inst, SecondaryMap};
use crate::inst::{Use, Value};
use crate::types::Type;

impl Check<'_, '_> {
    pub(super) fn structure(&mut self) {
        self.placement();
        self.uses();
        self.names();
    }

    fn misplaced(&mut self, what: &dyn std::fmt::Debug) {
        self.report(FindingKind::Placement { what: format!("{what:?}") });
    }

    fn placement(&mut self) {
        let mut seen: EntitySet<Block> = EntitySet::new();
        let mut listed: EntitySet<Inst> = EntitySet::new();
        for block in self.body.blocks() {
            if !seen.insert(block) || !self.body.has_block(block) {
                self.misplaced(&block);
            }
            for &inst in self.body.insts(block) {
                if !listed.insert(inst) || self.body.block_of(inst) != Some(block) {
                    self.misplaced(&inst);
                }
            }
        }
        for (block, node) in self.body.blocks.iter() {
            let removed_with_contents = !node.placed && (!node.insts.is_empty() || node.name.is_some());
            if node.placed != seen.contains(block) || removed_with_contents {
                self.misplaced(&block);
            }
        }
        for (inst, node) in self.body.insts.iter() {
            if node.block.is_some() != listed.contains(inst) {
                self.misplaced(&inst);
            }
        }
    }

    fn uses(&mut self) {
        let body = self.body;
        let mut inst_uses: SecondaryMap<Inst, usize> = SecondaryMap::new();
        let mut arg_uses: SecondaryMap<Arg, usize> = SecondaryMap::new();
        for (inst, node) in body.insts.iter() {
            for (index, &value) in node.data.operands.iter().enumerate() {
                match value {
                    Value::Inst(def) => inst_uses[def] += 1,
                    Value::Arg(arg) => arg_uses[arg] += 1,
                    Value::Const(_) => continue,
                }
                let slot = node.use_slots.get(index).map(|s| *s as usize);
                let entry = slot.and_then(|s| body.uses(value).get(s));
                if entry != Some(&Use { user: inst, index: index as u32 }) {
                    self.report_inst(inst, FindingKind::UseSlot { index, value });
                }
            }
            if node.use_slots.len() != node.data.operands.len() {
                self.misplaced(&inst);
            }
        }
        // Every operand has a slot, so lists of equal length have no further entries.
        let insts = body.insts.keys().map(|i| (Value::Inst(i), inst_uses[i]));
        let args = body.args.keys().map(|a| (Value::Arg(a), arg_uses[a]));
        for (value, actual) in insts.chain(args) {
            let listed = body.uses(value).len();
            if listed != actual {
                self.report(FindingKind::UseList { value, listed, actual });
            }
        }
    }

    fn names(&mut self) {
        let body = self.body;
        let args = body.args.iter().map(|(a, n)| (Local::Arg(a), &n.name));
        let blocks = body.blocks.iter().map(|(b, n)| (Local::Block(b), &n.name));
        let insts = body.insts.iter().map(|(i, n)| (Local::Inst(i), &n.name));
        let mut named = 0;
        for (local, name) in args.chain(blocks).chain(insts) {
            let Some(name) = name else { continue };
            named += 1;
            if body.local(name) != Some(local) {
                let fault = NameFault::NotInTable;
                self.report(FindingKind::Name { name: (&**name).into(), fault });
            }
            if let Local::Inst(inst) = local
                && body.inst(inst).ty == Type::VOID
            {
                self.report_inst(inst, FindingKind::NamedVoid((&**name).into()));
            }
        }
        if body.locals.len() != named {
            let mut orphans: Vec<_> = body.locals.iter().filter(|(n, l)| !bears(body, **l, n)).collect();
            orphans.sort_by_key(|(name, _)| (*name).clone());
            for (name, _) in orphans {
                let fault = NameFault::NoSuchEntity;
                self.report(FindingKind::Name { name: (&**name).into(), fault });
            }
        }
    }
}

fn bears(body: &crate::body::Body, local: Local, name: &str) -> bool {
    match local {
        Local::Arg(arg) => arg.index() < body.args.len() && body.value_name(arg.into()) == Some(name),
        Local::Block(block) => body.blocks.get(block).is_some_and(|b| b.name.as_deref() == Some(name)),
        Local::Inst(inst) => body.insts.get(inst).is_some_and(|i| i.name.as_deref() == Some(name)),
    }
}
