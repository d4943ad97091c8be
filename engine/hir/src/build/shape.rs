//! Construction of trees from graphs: see the header of [`super`].

use super::extent::Extent;
use super::needed::{Condition, Needed, hints_of};
use super::units::{Unit, Units};
use super::values::Values;
use super::{BuildMissed, Taken, tidy};
use crate::blob::{ScalarType, Temp};
use crate::canon::CanonExpr;
use crate::ddref::RegDdRef;
use crate::node::{
    Hints, Hir, HlGoto, HlIf, HlInst, HlLabel, HlLoop, HlRegion, HlSwitch, Kind, List, LoopKind, Node, Target,
};
use backedge_analysis::LoopId;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdKind, MdRef};
use rustc_hash::FxHashMap;

/// Limit on the nesting of branches: bounds the recursion. Nests with deeper branches are skipped.
const DEEPEST: u32 = 128;

/// The list to append nodes to.
type At = (Node, List);

/// The nodes of loops and branches.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) loops: FxHashMap<Node, LoopId>,
    /// The block whose terminator each if represents.
    pub(super) ifs: FxHashMap<Node, Block>,
}

/// Builds the tree of a nest.
pub(super) fn region(
    needed: &Needed,
    hir: &mut Hir,
    values: &Values<'_>,
    extent: &Extent,
) -> Result<(Taken, Places), BuildMissed> {
    let body = values.at.body;
    let exits = exits(needed, values, extent);
    let first = extent.loops[0];
    let name = |block: Block| values.names.block(block).trim_start_matches('%').into();
    let region = hir.add_region(HlRegion {
        name: name(values.loops.header(first)),
        exits: exits.iter().map(|b| name(*b)).collect(),
        live_out: Vec::new(),
    });
    let mut shaper = Shaper {
        needed,
        hir,
        values,
        exits: exits.clone(),
        labels: FxHashMap::default(),
        loop_labels: FxHashMap::default(),
        temporaries: 0,
        depth: 0,
        nodes: Vec::new(),
        places: Places::default(),
    };
    let inside = (region, List::Body);
    if let Some(preheader) = values.loops.preheader(&values.cfg, first).filter(|_| extent.head.is_none()) {
        shaper.copies(preheader, values.loops.header(first), inside);
    }
    let blocks: Vec<Block> = extent.sources().collect();
    let shaped = shaper.units(&Units::new(values, values.loops.parent(first), &blocks), 0, inside);
    let (nodes, places) = (std::mem::take(&mut shaper.nodes), std::mem::take(&mut shaper.places));
    if let Err(missed) = shaped {
        hir.drop_last_region();
        return Err(missed);
    }
    tidy::tidy(hir, region);
    hir.refresh_all(region);
    let variables = |blocks: &mut dyn Iterator<Item = Block>| -> Vec<(Inst, Temp)> {
        let variable = |phi| Some((phi, needed.phis.get(&phi)?.as_temp(&hir.blobs)?));
        blocks.flat_map(|block| body.phis(block)).filter_map(variable).collect()
    };
    let live_out = variables(&mut exits.iter().copied());
    let headers: Vec<(Block, Node)> =
        places.loops.iter().map(|(node, l)| (values.loops.header(*l), *node)).collect();
    let phis = variables(&mut headers.iter().map(|(header, _)| *header));
    let mut open = Vec::new();
    for inst in &extent.open {
        open.extend(values.known_temp((*inst).into()).map(|temp| (*inst, temp)));
    }
    hir.edit(region, |kind, _| {
        if let Kind::Region(of) = kind {
            of.live_out = live_out.iter().chain(&open).map(|(_, temp)| *temp).collect();
        }
    });
    let extent = extent.clone();
    Ok((Taken { l: first, extent, region, exits, live_out, open, nodes, headers, phis }, places))
}

/// The exit blocks of a nest. The first one is reached when all iterations of the last loop are done.
fn exits(needed: &Needed, values: &Values<'_>, extent: &Extent) -> Vec<Block> {
    let last = extent.loops.last().filter(|l| needed.counts.contains_key(l));
    let latch = last.and_then(|l| values.loops.single_latch(&values.cfg, *l));
    let mut exits: Vec<Block> = Vec::new();
    for block in latch.into_iter().chain(extent.sources()) {
        for to in values.at.body.successors(block).iter().filter(|to| !extent.contains(**to)) {
            if !exits.contains(to) {
                exits.push(*to);
            }
        }
    }
    exits
}

struct Shaper<'s, 'a> {
    needed: &'s Needed,
    hir: &'s mut Hir,
    values: &'s Values<'a>,
    exits: Vec<Block>,
    labels: FxHashMap<Block, Node>,
    /// The label at the beginning of an unknown loop, or at the end of a loop with bounds.
    loop_labels: FxHashMap<LoopId, Node>,
    temporaries: u32,
    depth: u32,
    /// The instructions with their nodes.
    nodes: Vec<(Inst, Node)>,
    places: Places,
}

impl Shaper<'_, '_> {
    fn put(&mut self, at: At, kind: Kind) -> Node {
        let node = self.hir.create(kind);
        self.hir.insert_last(at.0, at.1, node);
        node
    }
    fn name(&self, block: Block) -> Box<str> {
        self.values.names.block(block).trim_start_matches('%').into()
    }
    /// The source location of an instruction.
    fn location(&self, inst: Inst) -> Option<MdRef> {
        self.values.at.body.inst(inst).metadata_of(&MdKind::Dbg).copied()
    }
    fn label(&mut self, block: Block) -> Node {
        let name = self.name(block);
        *self.labels.entry(block).or_insert_with(|| self.hir.create(Kind::Label(HlLabel { name })))
    }
    /// The first block of a unit.
    fn head(&self, unit: Unit) -> Block {
        match unit {
            Unit::Block(block) => block,
            Unit::Loop(l) => self.values.loops.header(l),
        }
    }
    /// Appends a node, followed by all nodes that it dominates and that are not placed inside a branch.
    fn units(&mut self, units: &Units, root: usize, at: At) -> Result<(), BuildMissed> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(BuildMissed::TooDeep);
        }
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            let unit = units.list[node];
            // Edges to the header from within are backedges; the header's label precedes the loop.
            if node != 0 {
                let label = self.label(self.head(unit));
                self.hir.insert_last(at.0, at.1, label);
            }
            match unit {
                Unit::Block(block) => self.block(units, block, at)?,
                Unit::Loop(inner) => self.shape_loop(inner, at)?,
            }
            let after = units.children[node].iter().rev();
            work.extend(after.filter(|child| !units.is_inside(self.values, node, **child)));
        }
        self.depth -= 1;
        Ok(())
    }
    fn shape_loop(&mut self, l: LoopId, at: At) -> Result<(), BuildMissed> {
        let values = self.values;
        let header = values.loops.header(l);
        let name = self.name(header);
        let constant = |value| RegDdRef::terminal(CanonExpr::of_constant(value));
        let count = self.needed.counts.get(&l);
        let (kind, iv) = match count {
            Some(count) => {
                let iv = count.dest_type();
                let [lower, stride] = [Int::zero(iv.width), Int::one(iv.width)].map(constant);
                (LoopKind::Do { lower, upper: RegDdRef::terminal(count.clone()), stride }, iv)
            }
            None => {
                let label = self.hir.create(Kind::Label(HlLabel { name: name.clone() }));
                self.loop_labels.insert(l, label);
                (LoopKind::Unknown(label), ScalarType::int(64))
            }
        };
        let label = match kind {
            LoopKind::Unknown(label) => Some(label),
            LoopKind::Do { .. } => None,
        };
        let [most, most_by_flags] =
            [&self.needed.most, &self.needed.most_by_flags].map(|known| known.get(&l).copied());
        let body = values.at.body;
        let end = values.loops.single_latch(&values.cfg, l).and_then(|latch| body.terminator(latch));
        let options = end.and_then(|end| body.inst(end).metadata_of(&MdKind::Loop)).copied();
        let location = options
            .and_then(|of| values.at.env.metadata.start_of_loop(of))
            .or_else(|| end.and_then(|end| self.location(end)));
        let counters = self.needed.counters.get(&l).cloned().unwrap_or_default();
        // The branches of an unknown loop are ifs, which carry their own hints.
        let branch = end.filter(|_| label.is_none()).map(|end| body.inst(end));
        let hints = branch.map_or(Hints::default(), |branch| {
            let hints = hints_of(branch);
            if branch.blocks.first() == Some(&header) { hints } else { hints.turned() }
        });
        let (ztt, called) = (Vec::new(), name.clone());
        let of =
            HlLoop { kind, ztt, iv, name: called, most, most_by_flags, options, location, counters, hints };
        let node = self.put(at, Kind::Loop(of));
        self.places.loops.insert(node, l);
        let inside = (node, List::Body);
        if let Some(label) = label {
            self.hir.insert_last(node, List::Body, label);
        } else {
            let end = self.hir.create(Kind::Label(HlLabel { name: format!("{name}.end").into() }));
            self.loop_labels.insert(l, end);
        }
        let units = Units::new(values, Some(l), values.loops.blocks(l));
        self.units(&units, 0, inside)?;
        if label.is_none() {
            let end = self.loop_labels[&l];
            self.hir.insert_last(node, List::Body, end);
            let latch = values.loops.single_latch(&values.cfg, l);
            let successors = latch.map_or(&[][..], |latch| values.at.body.successors(latch));
            if let Some(exit) = successors.iter().find(|to| **to != header) {
                self.goto(*exit, at);
            }
        }
        Ok(())
    }
    fn block(&mut self, units: &Units, block: Block, at: At) -> Result<(), BuildMissed> {
        let body = self.values.at.body;
        let needed = self.needed;
        for inst in body.insts(block) {
            if let Some(node) = needed.insts.get(inst) {
                let node = self.put(at, Kind::Inst(node.clone()));
                self.nodes.push((*inst, node));
            }
        }
        let to = body.successors(block);
        match needed.conditions.get(&block) {
            Some(Condition::If(predicate)) => {
                let location = body.terminator(block).and_then(|end| self.location(end));
                let node = self.put(at, Kind::If(HlIf { conditions: vec![predicate.clone()], location }));
                self.places.ifs.insert(node, block);
                self.edge(units, block, to[0], (node, List::Then))?;
                self.edge(units, block, to[1], (node, List::Else))
            }
            Some(Condition::Switch(condition, cases, hints)) => {
                let location = body.terminator(block).and_then(|end| self.location(end));
                let (condition, cases, hints) = (condition.clone(), cases.clone(), *hints);
                let switch = HlSwitch { condition, cases, hints, location };
                let node = self.put(at, Kind::Switch(switch));
                self.edge(units, block, to[0], (node, List::Default))?;
                for (case, to) in (0..).zip(&to[1..]) {
                    self.edge(units, block, *to, (node, List::Case(case)))?;
                }
                Ok(())
            }
            None if to.len() == 1 => self.edge(units, block, to[0], at),
            None => {
                // The latch of a loop with bounds. The copies for the exit execute in every iteration, before the
                // copies for the next iteration; those of the last iteration remain.
                let Some(l) = units.around else { return Ok(()) };
                let header = self.values.loops.header(l);
                for exit in to.iter().filter(|to| **to != header) {
                    self.copies(block, *exit, at);
                }
                self.copies(block, header, at);
                let end = self.loop_labels[&l];
                self.put(at, Kind::Goto(HlGoto { target: Target::Label(end) }));
                Ok(())
            }
        }
    }
    /// Appends the copies and the control transfer for the edge between two blocks.
    fn edge(&mut self, units: &Units, from: Block, to: Block, at: At) -> Result<(), BuildMissed> {
        self.copies(from, to, at);
        let target = units.of.get(&to).copied().filter(|node| *node != 0);
        match target {
            Some(node) if units.is_inside(self.values, units.of[&from], node) => self.units(units, node, at),
            _ => {
                // The next iteration of the loop around this body.
                let again = units.around.filter(|l| to == self.values.loops.header(*l));
                if let Some(label) = again.and_then(|l| self.loop_labels.get(&l)).copied() {
                    self.put(at, Kind::Goto(HlGoto { target: Target::Label(label) }));
                    return Ok(());
                }
                self.goto(to, at);
                Ok(())
            }
        }
    }
    fn goto(&mut self, to: Block, at: At) {
        let target = match self.exits.iter().position(|exit| *exit == to) {
            Some(exit) => Target::Exit(exit as u32),
            None => Target::Label(self.label(to)),
        };
        self.put(at, Kind::Goto(HlGoto { target }));
    }
    /// Appends the copies of the phis for the edge between two blocks. All sources are read before any phi is
    /// written.
    fn copies(&mut self, from: Block, to: Block, at: At) {
        let mut pending: Vec<(Temp, RegDdRef, RegDdRef)> = Vec::new();
        let phis: Vec<Inst> = self.values.at.body.phis(to).collect();
        for phi in phis {
            let (Some(lval), Some(rval)) =
                (self.needed.phis.get(&phi), self.needed.incoming.get(&(phi, from)))
            else {
                continue;
            };
            let Some(temp) = lval.as_temp(&self.hir.blobs) else { continue };
            if rval.as_temp(&self.hir.blobs) != Some(temp) {
                pending.push((temp, lval.clone(), rval.clone()));
            }
        }
        while !pending.is_empty() {
            let blobs = &self.hir.blobs;
            let reader = |i: usize| {
                let reads =
                    |j: &usize| *j != i && pending[*j].2.collect_temp_blobs(blobs).contains(&pending[i].0);
                (0..pending.len()).find(reads)
            };
            match (0..pending.len()).find(|i| reader(*i).is_none()) {
                Some(ready) => {
                    let (_, lval, rval) = pending.remove(ready);
                    self.copy(at, lval, rval);
                }
                None => {
                    // Each target is read by another copy: following readers for as many steps as there are copies
                    // reaches a cycle. A temporary holds the value of one copy of the cycle until all readers are
                    // done. That copy then reads none of the others, so this happens at most once per copy.
                    let cyclic = (0..pending.len()).try_fold(0, |i, _| reader(i)).unwrap_or(0);
                    let held = self.temporary(pending[cyclic].0);
                    let rval = std::mem::replace(&mut pending[cyclic].2, held.clone());
                    self.copy(at, held, rval);
                }
            }
        }
    }
    fn copy(&mut self, at: At, lval: RegDdRef, rval: RegDdRef) {
        self.put(at, Kind::Inst(HlInst::copy(lval, rval)));
    }
    fn temporary(&mut self, like: Temp) -> RegDdRef {
        let mut data = self.hir.blobs.temp(like).clone();
        data.name = format!("{}.copy{}", data.name, self.temporaries).into();
        data.symbase = self.hir.new_symbase();
        data.value = None::<Value>;
        self.temporaries += 1;
        let temp = self.hir.blobs.add_temp(data);
        RegDdRef::terminal(CanonExpr::of_temp(&mut self.hir.blobs, temp, 0))
    }
}
