//! The state at which the analysis starts: at function entry, or where a run exhausted its fuel.

use super::low::{Low, WIDEST, low};
use crate::pair::Side;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_ir::attr::{Attr, AttrList, FlagAttr};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Arg, Block, FuncId, Inst};
use backedge_ir::int::Int;
use std::collections::{BTreeSet, HashMap};

/// State of a run in its outermost function: position and last computed values.
pub(super) struct State<'a> {
    pub(super) body: &'a Body,
    pub(super) block: Option<Block>,
    pub(super) args: Vec<Option<Low>>,
    /// Last value of each instruction; `None` for non-integers and values with undefined bits.
    pub(super) values: HashMap<Inst, Option<Low>>,
    /// Instructions executed without UB since the block was entered.
    since: BTreeSet<Inst>,
    /// Instructions executed without UB since the run began.
    pub(super) executed: BTreeSet<Inst>,
    /// Whether the run is inside a callee, or inside a function that replaced it by a `musttail` call.
    within: bool,
    replaced: bool,
}

impl<'a> State<'a> {
    pub(super) fn new(body: &'a Body) -> Self {
        Self {
            body,
            block: None,
            args: Vec::new(),
            values: HashMap::new(),
            since: BTreeSet::new(),
            executed: BTreeSet::new(),
            within: false,
            replaced: false,
        }
    }
    /// The state at function entry.
    pub(super) fn at_entry(body: &'a Body, args: Vec<Option<Low>>) -> Self {
        Self { block: body.entry(), args, ..Self::new(body) }
    }
    /// The state at the start of the current block, restricted to values computed before it; `None` if unknown.
    pub(super) fn in_block(mut self) -> Option<Self> {
        let body = self.body;
        let block = self.block.filter(|_| !self.within && !self.replaced)?;
        if !body.phis(block).all(|phi| self.since.contains(&phi)) {
            return None;
        }
        let dominators = Dominators::new(body, &Cfg::new(body));
        let is_before = |inst: Inst| {
            body.block_of(inst).is_some_and(|own| {
                dominators.strictly_dominates(own, block) || own == block && body.inst(inst).kind.is_phi()
            })
        };
        self.values.retain(|inst, _| is_before(*inst));
        Some(self)
    }
}

impl Observer for State<'_> {
    fn call(&mut self, entry: Entry<'_>) {
        self.replaced |= entry.replaces && entry.depth == 0;
        self.within = entry.depth > 0;
        if !self.within && !self.replaced {
            let typed = self.body.args().zip(entry.args);
            self.args = typed.map(|(arg, value)| low(self.body.ty(arg.into()), value)).collect();
        }
    }
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        if depth == 0 && !self.replaced {
            self.block = Some(block);
            self.since.clear();
        }
    }
    fn step(&mut self, done: Done<'_>) {
        if done.depth > 0 || self.replaced {
            return;
        }
        self.within = false;
        self.since.insert(done.inst);
        self.executed.insert(done.inst);
        let ty = self.body.inst(done.inst).ty;
        self.values.insert(done.inst, done.value.and_then(|value| low(ty, value)));
    }
}

/// The arguments; `None` for those that are no plain integers or have attributes that restrict values.
pub(super) fn arguments(side: Side<'_>, body: &Body, input: &Input) -> Option<Vec<Option<Low>>> {
    let header = &side.module.env.funcs[side.func];
    let none = AttrList::default();
    let known = |i: usize, width: u32, spec: &ArgSpec| {
        let attrs = header.param_attrs.get(i).unwrap_or(&none);
        let plain = |a: &Attr| matches!(a, Attr::Flag(FlagAttr::NoUndef | FlagAttr::SExt | FlagAttr::ZExt));
        if !side.module.env.attrs(attrs).all(plain) {
            return None;
        }
        match spec {
            ArgSpec::Int(value) => Some(Low::constant(Int::from_i128(width, *value))),
            ArgSpec::Bits(bits) => Some(Low::constant(Int::new(width, *bits))),
            _ => None,
        }
    };
    let width = |arg: Arg| body.ty(arg.into()).int_bits().filter(|w| *w <= WIDEST);
    let args: Vec<Arg> = body.args().collect();
    (args.len() == input.args.len()).then(|| {
        let each = args.iter().zip(&input.args).enumerate();
        each.map(|(i, (arg, spec))| known(i, width(*arg)?, spec)).collect()
    })
}
