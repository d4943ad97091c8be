//! Checks accesses against the function's own attributes: `readonly`, `readnone` and `writeonly` parameters, and
//! `memory(…)`. A forbidden access is UB. A function that may only write can still read its own writes.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::own_writes::ReadsBack;
use crate::encode::pointer::block_of;
use crate::term::Term;
use backedge_ir::attr::{AttrList, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::entity::{Arg, EntityId, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};

/// The effect of an attribute on an access.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Rule {
    Allowed,
    /// A read that sees only the function's own writes.
    OwnWrites,
    Forbidden,
}

impl Rule {
    fn of(allowed: ModRef, write: bool) -> Self {
        match (allowed, write) {
            (ModRef { writes: true, .. }, true) | (ModRef { reads: true, .. }, false) => Self::Allowed,
            (ModRef { writes: true, .. }, false) => Self::OwnWrites,
            (ModRef { writes: false, .. }, _) => Self::Forbidden,
        }
    }
}

impl Encoder<'_, '_> {
    /// UB if the function may not make this access through `pointer`, whose value is `bits`. Returns whether a read
    /// sees the memory contents; otherwise it sees poison.
    pub(crate) fn check_allowed(&mut self, pointer: Value, bits: Term, write: bool) -> Encoded<Term> {
        let through_parameter = self.check_parameters(pointer, bits, write)?;
        let by_function = self.check_function(pointer, bits, write)?;
        Ok(self.w.terms.and(through_parameter, by_function))
    }
    fn check_parameters(&mut self, pointer: Value, bits: Term, write: bool) -> Encoded<Term> {
        let env = &self.module.env;
        let rule = |list: &AttrList| {
            let lacks = |flag| !env.has_attr(list, flag) && !env.has_attr(list, FlagAttr::ReadNone);
            Rule::of(ModRef { reads: lacks(FlagAttr::WriteOnly), writes: lacks(FlagAttr::ReadOnly) }, write)
        };
        let rules: Vec<Rule> = env.funcs[self.func].param_attrs.iter().map(rule).collect();
        let rule_of = |a: &Arg| rules.get(a.index()).copied().unwrap_or(Rule::Allowed);
        let sees_memory = self.w.terms.bool(true);
        if rules.iter().all(|rule| *rule == Rule::Allowed) {
            return Ok(sees_memory);
        }
        let Bases { args, others, unknown } = self.bases(pointer);
        let restricted: Vec<Rule> = args.iter().map(rule_of).filter(|rule| *rule != Rule::Allowed).collect();
        let mut params = self.body.args();
        let leaves = |a: Arg| rule_of(&a) != Rule::Allowed && !self.stays(a.into());
        let came_back = unknown && params.any(leaves);
        let differ = restricted.iter().any(|rule| *rule != restricted[0]);
        if !restricted.is_empty() && (others || differ || restricted.len() < args.len()) || came_back {
            return Err(self.unsupported("an access through a pointer that may be a restricted parameter"));
        }
        match restricted.first() {
            None | Some(Rule::Allowed) => Ok(sees_memory),
            Some(Rule::OwnWrites) => self.own_writes(pointer, bits),
            Some(Rule::Forbidden) => {
                self.ub(sees_memory);
                Ok(sees_memory)
            }
        }
    }
    fn check_function(&mut self, pointer: Value, bits: Term, write: bool) -> Encoded<Term> {
        let env = &self.module.env;
        let allowed = env.memory_effects(&env.funcs[self.func].attrs).map(MemoryEffects::accessible);
        let rule = allowed.map_or(Rule::Allowed, |allowed| Rule::of(allowed, write));
        let always = self.w.terms.bool(true);
        let block = block_of(&mut self.w.terms, bits);
        if rule == Rule::Allowed || self.alloca_of(block).is_some() {
            return Ok(always);
        }
        if !self.allocas.is_empty() && self.w.block_number(block).is_none() {
            return Err(
                self.unsupported("an access of memory that the function may not make, or to an alloca")
            );
        }
        match rule {
            Rule::Allowed => {}
            Rule::OwnWrites => return self.own_writes(pointer, bits),
            Rule::Forbidden if write => self.ub(always),
            Rule::Forbidden => {
                // Reads of constants are not covered by memory attributes.
                let constant = self.w.is_read_only(block);
                let counts = self.w.terms.not(constant);
                self.ub(counts);
            }
        }
        Ok(always)
    }
    /// Whether a read that sees only the function's own writes and constants sees the memory contents.
    fn own_writes(&mut self, pointer: Value, bits: Term) -> Encoded<Term> {
        match self.reads_back(pointer)? {
            ReadsBack::Held => Ok(self.w.terms.bool(true)),
            ReadsBack::Poison => {
                let block = block_of(&mut self.w.terms, bits);
                Ok(self.w.is_read_only(block))
            }
        }
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

/// The values on which a pointer may be based.
struct Bases {
    /// The parameters.
    args: Vec<Arg>,
    /// Whether it may also be based on anything else.
    others: bool,
    /// Whether the unknown base may be a parameter whose address was stored.
    unknown: bool,
}
