//! A pair of functions cut into segments, the encoding of one segment, and the ways in which each segment can end. A
//! proof needs a step for each of these ends.

use crate::encode::function::{Encoded, Encoder, Ends, Unsupported};
use crate::encode::segment::Segment;
use crate::encode::value::Sym;
use crate::encode::world::{Side, World};
use crate::limits::Limits;
use crate::proof::lang::step::CutIndex;
use crate::proof::vc::program::{AtCut, Program, State};
use crate::refinement::inputs::{self, Given};
use crate::refinement::{FunctionRef, Reason, halted};
use crate::term::Term;
use backedge_ir::entity::{Block, EntityId, Inst};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Both functions, and the options of their encoding.
pub(in crate::proof) struct Pair<'m> {
    pub(in crate::proof) source: Program<'m>,
    pub(in crate::proof) target: Program<'m>,
    /// Which values inputs and uninitialized memory may hold.
    pub(in crate::proof) given: Given,
    /// The blocks at which the source is cut in addition to headers, by index as in certificates.
    pub(in crate::proof) cuts: Vec<u32>,
    pub(in crate::proof) limits: Limits,
    /// The shapes of the segments of both sides; computed on first use.
    shapes: OnceCell<[Vec<Shape>; 2]>,
}

/// The ways in which the segment from a cut can end.
#[derive(Clone, Debug, Default)]
pub(in crate::proof) struct Shape {
    /// Cuts that the segment can reach.
    pub(in crate::proof) reaches: Vec<CutIndex>,
    pub(in crate::proof) returns: bool,
    /// Whether the segment can end in a call that does not return.
    pub(in crate::proof) stops: bool,
    /// Whether the segment can have undefined behavior.
    pub(in crate::proof) undefined: bool,
}

impl Shape {
    fn of(program: &Program<'_>, segment: &Segment) -> Self {
        Self {
            reaches: segment.crossings.iter().filter_map(|c| program.cut_at(c.block)).collect(),
            returns: !segment.returns.is_empty(),
            stops: !segment.stops.is_empty(),
            undefined: !segment.ub.is_empty(),
        }
    }
}

/// A segment from an unconstrained state.
pub(in crate::proof) struct FreeSegment {
    /// The variables of the state at its cut.
    pub(in crate::proof) leaves: FxHashMap<Inst, Sym>,
    pub(in crate::proof) memory: Term,
    pub(in crate::proof) trace: Term,
    pub(in crate::proof) segment: Segment,
}

impl<'m> Pair<'m> {
    pub(in crate::proof) fn new(
        source: FunctionRef<'m>,
        target: FunctionRef<'m>,
        given: Given,
        cuts: &[u32],
        limits: Limits,
    ) -> Result<Self, Reason> {
        let also: Vec<Block> = cuts.iter().map(|b| Block::from_index(*b as usize)).collect();
        let (mut world, args) = inputs::prepare(source, target, given, limits)?;
        // The encoding assumes that unknown memory holds no pointer to an argument's own block. That is true at the
        // entry, but not at a cut.
        if world.layout.pointers && world.blocks.len() as u32 > world.global_count {
            let feature =
                "pointers in memory together with a parameter that has its own memory block".to_owned();
            return Err(Reason::Unsupported(Unsupported { side: Side::Source, inst: None, feature }));
        }
        let found = Program::new(&mut world, &args, Side::Source, source, &also)
            .and_then(|s| Ok((s, Program::new(&mut world, &args, Side::Target, target, &[])?)));
        let (source, target) = found.map_err(|halt| halted(halt, &world))?;
        Ok(Self { source, target, given, cuts: cuts.to_vec(), limits, shapes: OnceCell::new() })
    }
    pub(in crate::proof) fn program(&self, side: Side) -> &Program<'m> {
        match side {
            Side::Source => &self.source,
            Side::Target => &self.target,
        }
    }
    /// A world for one query, and the arguments.
    pub(in crate::proof) fn world(&self) -> Result<(World, Vec<Sym>), Reason> {
        let (source, target) = (self.source.function, self.target.function);
        let (mut world, args) = inputs::prepare(source, target, self.given, self.limits)?;
        world.terms.distinguish_parts();
        world.terms.compare_by_width();
        Ok((world, args))
    }

    /// An unconstrained history of calls that may have freed memory; empty if no call may free.
    pub(in crate::proof) fn fresh_frees(&self, world: &mut World) -> Term {
        if self.source.may_free || self.target.may_free { world.fresh_trace() } else { world.start }
    }

    /// One segment of a side.
    pub(in crate::proof) fn run(&self, world: &mut World, side: Side, start: AtCut<'_>) -> Encoded<Segment> {
        let AtCut { args, cut, crossing } = start;
        let program = self.program(side);
        let function = (program.function.module, program.function.func);
        let mut encoder = Encoder::bare(world, side, function, args.to_vec())?;
        encoder.memory = crossing.memory.clone();
        encoder.check_arguments()?;
        if cut != 0 {
            // UB caused by the arguments has already occurred at the entry.
            encoder.ends = Ends::default();
        }
        encoder.segment(crossing, &program.cuts[cut].order, &program.headers)
    }

    /// The segment of a side from a cut, where the state there is unconstrained; at the entry, from the initial state.
    pub(in crate::proof) fn free_segment(
        &self,
        world: &mut World,
        args: &[Sym],
        side: Side,
        cut: CutIndex,
    ) -> Encoded<FreeSegment> {
        let program = self.program(side);
        let mut leaves: FxHashMap<Inst, Sym> = FxHashMap::default();
        for &inst in &program.cuts[cut].leaves {
            leaves.insert(inst, program.free_leaf(world, inst)?);
        }
        let (memory, trace) =
            if cut == 0 { (world.memory, world.start) } else { (world.fresh_memory(), world.fresh_trace()) };
        let frees = if cut == 0 { world.start } else { self.fresh_frees(world) };
        let state = State { leaves: leaves.clone(), memory, trace, frees };
        let (_, start, _) = program.at(world, args, cut, state)?;
        let segment = self.run(world, side, AtCut { args, cut, crossing: &start })?;
        Ok(FreeSegment { leaves, memory, trace, segment })
    }

    /// The shapes of the segments of both sides, by cut: each segment is encoded from an unconstrained state.
    pub(in crate::proof) fn shapes(&self) -> Result<&[Vec<Shape>; 2], Reason> {
        if let Some(shapes) = self.shapes.get() {
            return Ok(shapes);
        }
        let of_side = |side: Side| -> Result<Vec<Shape>, Reason> {
            let program = self.program(side);
            let shape = |cut: CutIndex| {
                let (mut world, args) = self.world()?;
                match self.free_segment(&mut world, &args, side, cut) {
                    Ok(free) => Ok(Shape::of(program, &free.segment)),
                    Err(halt) => Err(halted(halt, &world)),
                }
            };
            (0..program.cuts.len()).map(shape).collect()
        };
        let shapes = [of_side(Side::Source)?, of_side(Side::Target)?];
        Ok(self.shapes.get_or_init(|| shapes))
    }
}
