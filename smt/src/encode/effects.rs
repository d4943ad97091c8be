//! What attributes of the function itself forbid it to do to memory: `readonly`, `readnone` and `writeonly` parameters,
//! and `memory(…)`. Doing it all the same is UB.

use crate::encode::byte::block_of;
use crate::encode::function::{Encoded, Encoder};
use crate::term::Term;
use backedge_ir::attr::{FlagAttr, MemoryEffects};
use backedge_ir::entity::{Arg, EntityId, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};

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
        let allowed = env.memory_effects(&header.attrs).map(MemoryEffects::accessible);
        let function_forbids = allowed.is_some_and(|m| if write { !m.writes } else { !m.reads });
        if !forbidden.is_empty() {
            let Bases { args, others, unknown } = self.bases(pointer);
            let through = args.iter().filter(|a| forbidden.contains(&a.index())).count();
            let mut params = self.body.args();
            let leaves = |a: Arg| forbidden.contains(&a.index()) && !self.stays(a.into());
            let came_back = unknown && params.any(leaves);
            if through > 0 && (others || through < args.len()) || came_back {
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
    fn bases(&self, pointer: Value) -> Bases {
        let mut seen: EntitySet<Inst> = EntitySet::new();
        let (mut args, mut others, mut unknown) = (Vec::new(), false, false);
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
                InstKind::Alloca(_) => others = true,
                _ => (others, unknown) = (true, true),
            }
        }
        Bases { args, others, unknown }
    }
}

/// What a pointer may be based on.
struct Bases {
    /// The parameters.
    args: Vec<Arg>,
    /// Whether there may be anything else.
    others: bool,
    /// Whether that may be a parameter whose address left the registers.
    unknown: bool,
}
