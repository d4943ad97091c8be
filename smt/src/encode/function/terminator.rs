//! Encodes a block, its terminator, and the return of the function. `indirectbr` and `callbr` are in
//! [`crate::encode::jump`], `invoke` and `resume` in [`crate::encode::unwind`].

use crate::encode::function::Encoder;
use crate::encode::function::ends::Return;
use crate::encode::function::halt::Encoded;
use crate::encode::stated::Stated;
use crate::encode::value::{Sym, identical};
use crate::encode::world::BLOCK_BITS;
use crate::term::Term;
use backedge_ir::attr::{AttrList, FlagAttr};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Module;
use backedge_ir::types::Type;

impl Encoder<'_, '_> {
    /// Encodes the current block; returns the condition of each edge, one entry per successor.
    pub(in crate::encode) fn block(&mut self) -> Encoded<Vec<(Block, Term)>> {
        let body = self.body;
        for &inst in body.insts(self.copy.block) {
            let data = body.inst(inst);
            if data.kind.is_phi() {
                continue;
            }
            self.inst = Some(inst);
            self.within_limits()?;
            if data.kind.is_terminator() {
                return self.terminator(inst);
            }
            if let Some(value) = self.instruction(inst)? {
                self.values.insert(inst, value);
            }
            self.executed(inst);
        }
        Err(self.unsupported("a block without a terminator"))
    }

    fn terminator(&mut self, inst: Inst) -> Encoded<Vec<(Block, Term)>> {
        let data = self.body.inst(inst);
        let yes = self.w.terms.bool(true);
        match &data.kind {
            InstKind::Br => Ok(vec![(data.blocks[0], yes)]),
            InstKind::CondBr => {
                let condition = self.branch_operand(data.operands[0])?;
                let taken = self.w.terms.is_nonzero(condition);
                let not_taken = self.w.terms.not(taken);
                Ok(merge_edges(&mut self.w.terms, [(data.blocks[0], taken), (data.blocks[1], not_taken)]))
            }
            InstKind::Switch => {
                let condition = self.branch_operand(data.operands[0])?;
                let (mut edges, mut other) = (Vec::new(), yes);
                for (case, &block) in data.operands[1..].iter().zip(&data.blocks[1..]) {
                    let case = self.scalar(*case)?;
                    let taken = self.w.terms.eq(condition, case.bits);
                    edges.push((block, taken));
                    let not_taken = self.w.terms.not(taken);
                    other = self.w.terms.and(other, not_taken);
                }
                edges.push((data.blocks[0], other));
                Ok(merge_edges(&mut self.w.terms, edges))
            }
            InstKind::Ret => {
                let value = data.operands.first().map(|v| self.value(*v)).transpose()?;
                self.ret(value)?;
                Ok(Vec::new())
            }
            InstKind::Unreachable => {
                self.ub(yes);
                Ok(Vec::new())
            }
            InstKind::IndirectBr => self.indirect_br(inst),
            InstKind::Invoke(_) => self.invoke(inst),
            InstKind::CallBr(_) => self.call_br(inst),
            InstKind::Resume => {
                let exception = self.value(data.operands[0])?;
                self.resume(inst, exception);
                Ok(Vec::new())
            }
            _ => Err(self.unsupported(&format!("the instruction `{}`", data.kind.mnemonic()))),
        }
    }
    /// The condition of a branch: UB if it is poison or undef.
    pub(in crate::encode) fn branch_operand(&mut self, value: Value) -> Encoded<Term> {
        let condition = self.scalar(value)?;
        let undef = condition.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(condition.poison, undef);
        self.ub(bad);
        Ok(condition.bits)
    }
    /// Whether a block belongs to the function that is returning: an alloca, or the copy for a `byval` parameter.
    pub(crate) fn is_left(&mut self, block: Term) -> Term {
        if !self.leaves {
            return self.w.terms.bool(false);
        }
        let mut own = self.w.terms.bit(block, BLOCK_BITS - 1);
        let numbers: Vec<u32> = self.allocas.iter().map(|alloca| alloca.number).collect();
        let copies = self.w.copies.clone();
        let numbers =
            numbers.into_iter().map(|n| self.w.terms.number(BLOCK_BITS, n.into())).collect::<Vec<_>>();
        for other in numbers.into_iter().chain(copies) {
            let same = self.w.terms.eq(block, other);
            own = self.w.terms.or(own, same);
        }
        own
    }
    fn ret(&mut self, value: Option<Sym>) -> Encoded<()> {
        let header = &self.module.env.funcs[self.func];
        let broken = self.module.env.has_attr(&header.attrs, FlagAttr::NoReturn);
        let broken = self.w.terms.bool(broken);
        self.ub(broken);
        let value = match value {
            Some(value) => {
                let value = self.as_returned(value)?;
                self.leaves = true;
                let stated = Stated { lists: &[&header.ret_attrs], metadata: &[] };
                Some(self.constrain(stated, header_return(self.module, self.func), value)?)
            }
            None => None,
        };
        self.leaves = false;
        let shared = self.without_owned(self.memory.shared);
        self.ends.returns.push(Return { path: self.path, value, shared, trace: self.memory.trace });
        Ok(())
    }

    /// The returned value: poison if a `returned` parameter has another value.
    fn as_returned(&mut self, value: Sym) -> Encoded<Sym> {
        let header = &self.module.env.funcs[self.func];
        let Some(i) = self.returned_of(&header.param_attrs) else { return Ok(value) };
        let types = self.module.env.types.signature(header.ty);
        if types.is_none_or(|(ret, params, _)| params.get(i) != Some(&ret)) {
            return Err(self.unsupported("`returned` on a parameter of another type than the result's"));
        }
        let same = identical(&mut self.w.terms, &self.args[i], &value);
        let other = self.w.terms.not(same);
        Ok(value.map(&mut |s| s.or_poison(&mut self.w.terms, other)))
    }
    /// The index of the parameter or argument with the attribute `returned`.
    pub(crate) fn returned_of(&self, lists: &[AttrList]) -> Option<usize> {
        lists.iter().position(|list| self.module.env.has_attr(list, FlagAttr::Returned))
    }
}

/// The return type of a function.
fn header_return(module: &Module, func: FuncId) -> Type {
    let env = &module.env;
    env.types.signature(env.funcs[func].ty).map_or(Type::VOID, |(ret, ..)| ret)
}

/// Merges edges with the same target; their conditions are joined by `or`.
pub(in crate::encode) fn merge_edges(
    terms: &mut crate::term::Terms,
    edges: impl IntoIterator<Item = (Block, Term)>,
) -> Vec<(Block, Term)> {
    let mut merged: Vec<(Block, Term)> = Vec::new();
    for (block, cond) in edges {
        match merged.iter_mut().find(|(b, _)| *b == block) {
            Some(entry) => entry.1 = terms.or(entry.1, cond),
            None => merged.push((block, cond)),
        }
    }
    merged
}
