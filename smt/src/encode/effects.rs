//! What attributes of the function itself forbid it to do to memory: `readonly`, `readnone` and `writeonly` parameters,
//! and `memory(…)`. Doing it all the same is UB.

use crate::encode::byte::block_of;
use crate::encode::function::{Encoded, Encoder};
use crate::term::Term;
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::{Arg, EntityId, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::types::Type;

impl Encoder<'_, '_> {
    /// UB if the function may not make this access through `pointer`, whose value is `bits`.
    pub(crate) fn check_allowed(&mut self, pointer: Value, bits: Term, write: bool) -> Encoded<()> {
        let header = &self.module.env.funcs[self.func];
        let env = &self.module.env;
        let forbids = |list: &backedge_ir::attr::AttrList| {
            env.has_attr(list, FlagAttr::ReadNone)
                || env.has_attr(list, if write { FlagAttr::ReadOnly } else { FlagAttr::WriteOnly })
        };
        let forbidden: Vec<usize> =
            header.param_attrs.iter().enumerate().filter(|(_, l)| forbids(l)).map(|(i, _)| i).collect();
        let any = env.memory_effects(&header.attrs).map(backedge_ir::attr::MemoryEffects::any);
        let function_forbids = any.is_some_and(|m| if write { !m.writes } else { !m.reads });
        if !forbidden.is_empty() {
            let (args, others) = self.bases(pointer);
            let through = args.iter().filter(|a| forbidden.contains(&a.index())).count();
            if through > 0 && (others || through < args.len()) {
                return Err(
                    self.unsupported("an access through a pointer that may be a restricted parameter")
                );
            }
            if through > 0 {
                let always = self.w.terms.bool(true);
                self.ub(always);
            }
        }
        if function_forbids {
            let block = block_of(&mut self.w.terms, bits);
            if self.alloca_of(block).is_none() {
                if !self.allocas.is_empty() && self.w.block_number(block).is_none() {
                    return Err(self
                        .unsupported("an access of memory that the function may not make, or to an alloca"));
                }
                // A constant can be read without reading memory that counts.
                let known = self.w.is_read_only(block);
                let counts = if write { self.w.terms.bool(true) } else { self.w.terms.not(known) };
                self.ub(counts);
            }
        }
        Ok(())
    }
    /// The parameters that a pointer may be based on, and whether it may be based on anything else.
    fn bases(&self, pointer: Value) -> (Vec<Arg>, bool) {
        let mut seen: EntitySet<Inst> = EntitySet::new();
        let (mut args, mut others) = (Vec::new(), false);
        let mut work = vec![pointer];
        while let Some(value) = work.pop() {
            let inst = match value {
                Value::Arg(arg) => {
                    if !args.contains(&arg) {
                        args.push(arg);
                    }
                    continue;
                }
                Value::Const(_) => {
                    others = true;
                    continue;
                }
                Value::Inst(inst) => inst,
            };
            if !seen.insert(inst) {
                continue;
            }
            let data = self.body.inst(inst);
            match data.kind {
                InstKind::Gep { .. } | InstKind::Freeze => work.push(data.operands[0]),
                InstKind::Phi(_) => work.extend(data.operands.iter().copied()),
                InstKind::Select(_) => work.extend(data.operands[1..].iter().copied()),
                _ => others |= data.ty != Type::VOID,
            }
        }
        (args, others)
    }
}
