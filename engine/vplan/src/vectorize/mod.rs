//! `loop-vectorize`: executes several iterations of a loop at once, in the lanes of vectors, and interleaves several
//! vectors.
//!
//! ```text
//! preheader → loop        preheader → vector.ph → vector.body → middle.block → scalar.ph → loop
//! ```
//! [`crate::legality`] decides what may be done, [`crate::cost`] whether it is profitable. The original loop remains as
//! the scalar loop for the remaining iterations. At least one iteration remains if an exit leaves in the middle of an
//! iteration or a live-out is in no lane.
//!
//! Alternatively the tail is folded: the vector loop executes all iterations, and excess lanes of its last iteration
//! are inactive.
//!
//! The remainder of an interleaved vector loop is vectorized again without interleaving: the pass runs on the scalar
//! loop once more.
//!
//! Outer loops are vectorized as well if all control flow inside is the same in all lanes, provided that metadata
//! requests it or that it is more profitable than vectorizing the inner loops.
//!
//! The pass first brings loops into loop-simplify form and LCSSA form, as LLVM's pass does, and restores both
//! afterward.
//!
//! | contents | file |
//! |---|---|
//! | selection of a plan for a loop | `choose`; as text: [`report`] |
//! | types and declarations | `tools` |
//! | removal of `undef` | `undef` |
//! | skeleton: counts, checks, resume values, live-outs | `skeleton` |
//! | data-dependent exits | `early` |
//! | loop nests | `nest`; `weighed`: the benefit of vectorizing the inner loops |
//! | vector instructions | `body` |
//! | loop-carried values | `carried` |
//! | memory accesses | `memory`; `group`: interleave groups |
//! | masks | `mask` |
//! | selections | `selection` |
//! | final values of reductions and selections | `results` |

mod body;
mod carried;
mod choose;
mod early;
mod emitted;
mod group;
mod mask;
mod memory;
mod nest;
pub mod report;
mod results;
mod selection;
mod skeleton;
mod tools;
mod undef;
mod weighed;

use crate::cost::{Forced, Table};
use crate::legality;
use backedge_analysis::{LoopForest, LoopId};
use backedge_ir::entity::Block;
use backedge_transform::cost::Machine;
use backedge_transform::nest::{NestDone, NestMissed};
use backedge_transform::pass::{FunctionPass, Inherited, Unit};
use backedge_transform::{debug_records, form};
use rustc_hash::FxHashSet;
use std::fmt;

/// The pass's name.
pub const NAME: &str = "loop-vectorize";

/// The handling of the remaining iterations (LLVM's `prefer-predicate-over-epilogue`).
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Tail {
    /// A scalar epilogue or a folded tail, whichever costs less.
    #[default]
    Weighed,
    /// A scalar epilogue.
    ScalarEpilogue,
    /// A folded tail, if that is legal and profitable.
    PredicateElseScalarEpilogue,
    /// A folded tail, or no vectorization.
    PredicateDontVectorize,
}

impl Tail {
    /// All variants.
    pub const ALL: [Self; 4] = [
        Self::Weighed,
        Self::ScalarEpilogue,
        Self::PredicateElseScalarEpilogue,
        Self::PredicateDontVectorize,
    ];
    /// The keyword in the text of a pipeline.
    pub fn word(self) -> &'static str {
        match self {
            Self::Weighed => "weighed",
            Self::ScalarEpilogue => "scalar-epilogue",
            Self::PredicateElseScalarEpilogue => "predicate-else-scalar-epilogue",
            Self::PredicateDontVectorize => "predicate-dont-vectorize",
        }
    }
}

/// The pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LoopVectorize {
    /// Interleave vectors only if loop metadata requests it (`interleave-forced-only`).
    pub interleave_forced_only: bool,
    /// Vectorize loops only if loop metadata requests it (`vectorize-forced-only`).
    pub vectorize_forced_only: bool,
    /// Vectorize outer loops wherever that is legal and profitable, whatever the benefit of vectorizing their inner
    /// loops (`enable-vplan-native-path`).
    pub outer_first: bool,
    /// The forced number of lanes and of interleaved vectors, which overrides the cost model.
    pub forced: Forced,
    /// The handling of the remaining iterations.
    pub tail: Tail,
    /// The maximum number of range pairs that are compared at run time.
    pub most_checks: usize,
    /// The target machine of the cost model.
    pub machine: Machine,
}

impl Default for LoopVectorize {
    fn default() -> Self {
        Self {
            interleave_forced_only: false,
            vectorize_forced_only: false,
            outer_first: false,
            forced: Forced::default(),
            tail: Tail::default(),
            most_checks: legality::Limits::default().most_checks,
            machine: Machine::default(),
        }
    }
}

/// The reason why a loop is left unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VectorizeMissed {
    /// The loop does not have the required form, or was vectorized before.
    Gone,
    /// Metadata disables vectorization, or nothing requests it.
    Disabled,
    /// The function is optimized for size; vectorization adds a second loop.
    ForSize,
    /// Vectorization is illegal.
    Illegal(legality::LegalityMissed),
    /// Vectorization is legal but not implemented.
    NotYet(&'static str),
    /// Vectorization is not profitable.
    NotWorthIt(Table),
    /// Vectorizing the inner loops is more profitable, or metadata requests it.
    InnerLoops(Table),
    /// The trip count has so few bits that there can never be enough iterations.
    TooFew,
    /// The requested number of lanes and parts exceeds the limit for a vector iteration.
    TooWide,
    /// A count, step or address cannot be computed before the loop.
    NotComputable,
    /// The index width of a pointer is less than its size.
    Pointer,
    /// The module declares a required intrinsic's name with a different meaning.
    Intrinsic,
}

impl VectorizeMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gone => "NoLoop",
            Self::Disabled => "MissedExplicitlyDisabled",
            Self::ForSize => "NoTailLoopWithOptForSize",
            Self::Illegal(missed) => missed.name(),
            Self::NotYet(_) => "NotImplemented",
            Self::NotWorthIt(_) => "VectorizationNotBeneficial",
            Self::InnerLoops(_) => "InnerLoopsPreferred",
            Self::TooFew => "TooFewIterations",
            Self::TooWide => "TooManyLanes",
            Self::NotComputable => "NotComputable",
            Self::Pointer => "PointerWidth",
            Self::Intrinsic => "NoIntrinsic",
        }
    }
}

impl fmt::Display for VectorizeMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("the loop does not have the required form"),
            Self::Disabled => f.write_str("it is explicitly disabled, or not enabled"),
            Self::ForSize => f.write_str("the function is to be small (optsize, minsize)"),
            Self::Illegal(missed) => write!(f, "{missed}"),
            Self::NotYet(what) => write!(f, "{what} are not done"),
            Self::NotWorthIt(table) => write!(f, "it is not beneficial; {table}"),
            Self::InnerLoops(table) => {
                write!(f, "vectorizing the inner loops is more profitable, or requested; {table}")
            }
            Self::TooFew => f.write_str("there are never enough iterations"),
            Self::TooWide => write!(f, "a round has more than {} lanes", legality::MOST_LANES),
            Self::NotComputable => {
                f.write_str("a count, a step or an address can't be computed in front of it")
            }
            Self::Pointer => f.write_str("pointers have more bits than their indices"),
            Self::Intrinsic => {
                f.write_str("the module declares an intrinsic's name with a different meaning")
            }
        }
    }
}

impl FunctionPass for LoopVectorize {
    fn text(&self) -> String {
        let mut params = Vec::new();
        let flag = |on: bool, name: &str| on.then(|| name.to_owned());
        params.extend(flag(self.interleave_forced_only, "interleave-forced-only"));
        params.extend(flag(self.vectorize_forced_only, "vectorize-forced-only"));
        params.extend(flag(self.outer_first, "enable-vplan-native-path"));
        params.extend(self.forced.lanes.map(|n| format!("force-vector-width={n}")));
        params.extend(self.forced.parts.map(|n| format!("force-vector-interleave={n}")));
        if self.tail != Tail::default() {
            params.push(format!("prefer-predicate-over-epilogue={}", self.tail.word()));
        }
        if self.most_checks != Self::default().most_checks {
            params.push(format!("runtime-memory-check-threshold={}", self.most_checks));
        }
        if self.machine != Machine::default() {
            params.push(format!("machine={}", self.machine.name));
        }
        if params.is_empty() { NAME.to_owned() } else { format!("{NAME}<{}>", params.join(";")) }
    }
    fn run(&self, unit: &mut Unit<'_>) {
        if unit.shape().loops.is_empty() {
            return;
        }
        form::restore(unit);
        let shape = unit.shape();
        let loops: &LoopForest = &shape.loops;
        let headers = |l: LoopId| loops.nest(l).map(|inner| loops.header(inner)).collect();
        let nests: Vec<Vec<Block>> = loops.ids().map(headers).collect();
        let mut done: FxHashSet<Block> = FxHashSet::default();
        let mut changed = false;
        for nest in &nests {
            let Some(&header) = nest.first().filter(|header| !done.contains(header)) else { continue };
            match nest.len() {
                1 => changed |= self.run_on(unit, header),
                _ if self.run_on_nest(unit, header) => {
                    done.extend(nest);
                    changed = true;
                }
                _ => {}
            }
        }
        if changed {
            form::restore(unit);
        }
    }
}

impl LoopVectorize {
    /// Whether the loop would be vectorized if each `undef` in it were replaced by one value.
    fn is_vectorizable_without_undef(&self, unit: &mut Unit<'_>, header: Block) -> bool {
        let (func, mut copy) = (unit.func, unit.body().clone());
        let (env, _) = unit.env_and_body();
        let mut trial = Unit::new(env, func, &mut copy);
        settle(&mut trial, header);
        choose::choose(&mut trial, header, self).is_ok()
    }
    /// Vectorizes the outer loop with that header, if that is legal, and if metadata requests it or it is more
    /// profitable than vectorizing the inner loops. Returns whether it did.
    fn run_on_nest(&self, unit: &mut Unit<'_>, header: Block) -> bool {
        let choice = match choose::choose(unit, header, self) {
            Ok(choice) if choice.demanded || self.outer_first => Ok(choice),
            Ok(choice) => match weighed::inside(unit, header, self) {
                Some(inside) if choice.table.saving() > inside => Ok(choice),
                _ => Err(VectorizeMissed::InnerLoops(choice.table)),
            },
            Err(missed) => Err(missed),
        };
        self.apply(unit, header, choice)
    }
    /// Vectorizes the innermost loop with that header if that is legal and profitable; returns whether it did.
    fn run_on(&self, unit: &mut Unit<'_>, header: Block) -> bool {
        let mut choice = choose::choose(unit, header, self);
        if matches!(choice, Err(VectorizeMissed::Illegal(legality::LegalityMissed::Undef)))
            && self.is_vectorizable_without_undef(unit, header)
        {
            settle(unit, header);
            choice = choose::choose(unit, header, self);
        }
        self.apply(unit, header, choice)
    }
    /// Applies the choice, or emits a remark with the reason why there is none.
    fn apply(
        &self,
        unit: &mut Unit<'_>,
        header: Block,
        choice: Result<choose::Choice, VectorizeMissed>,
    ) -> bool {
        let missed = match choice {
            Ok(choice) => match tools::prepare(unit, &choice) {
                Some(tools) => {
                    let (lanes, parts) = (choice.lanes, choice.parts);
                    let what = if choice.legality.nest.is_some() { "an outer loop by " } else { "" };
                    let text = format!("{what}{lanes} lanes, {parts} interleaved; {}", choice.table);
                    unit.remark(NAME, header, NestDone { name: "Vectorized", text });
                    let after = debug_records::after(unit.body(), &choice.legality.form.blocks);
                    debug_records::detach(&mut unit.editor(), &after);
                    let said = Said::of(unit, header);
                    let mut made = vec![make(unit, &choice, &tools)];
                    let is_plain = !choice.legality.fold_tail && choice.legality.nest.is_none();
                    if parts > 1 && is_plain && self.forced == Forced::default() {
                        made.extend(self.run_on_rest(unit, header, lanes));
                    }
                    if let Some(said) = said {
                        said.say(unit, &made, header, lanes * parts);
                    }
                    return true;
                }
                None => VectorizeMissed::Intrinsic,
            },
            Err(missed) => missed,
        };
        if missed != VectorizeMissed::Gone {
            unit.remark(NAME, header, NestMissed { name: missed.name(), text: missed.to_string() });
        }
        false
    }
    /// Vectorizes the remainder of an interleaved vector loop if profitable; returns the header of the new loop.
    fn run_on_rest(&self, unit: &mut Unit<'_>, header: Block, lanes: u32) -> Option<Block> {
        form::restore(unit);
        let forced = Forced { lanes: Some(lanes), parts: Some(1) };
        let single = Self { forced, tail: Tail::ScalarEpilogue, ..*self };
        let choice = choose::choose(unit, header, &single).ok()?;
        let is_worth_it = match &choice.table.rows[..] {
            [as_it_is, vectors] => vectors.total < as_it_is.total,
            _ => false,
        };
        let tools = if is_worth_it { tools::prepare(unit, &choice)? } else { return None };
        let text = format!("{lanes} lanes for the iterations that are left; {}", choice.table);
        unit.remark(NAME, header, NestDone { name: "EpilogueVectorized", text });
        Some(make(unit, &choice, &tools))
    }
}

/// The metadata for the vector loops and for the scalar loop.
struct Said {
    of_vectors: Inherited,
    of_rest: Inherited,
}

impl Said {
    /// The metadata of LLVM's follow-up options if present; otherwise that of the old loop without vectorization hints.
    fn of(unit: &mut Unit<'_>, header: Block) -> Option<Self> {
        let mut inherited = |of_one: &str| {
            let names = ["llvm.loop.vectorize.followup_all", of_one];
            unit.inherited(header, &names, &["llvm.loop.vectorize.", "llvm.loop.interleave."])
        };
        Some(Self {
            of_vectors: inherited("llvm.loop.vectorize.followup_vectorized")?,
            of_rest: inherited("llvm.loop.vectorize.followup_epilogue")?,
        })
    }
    /// Attaches the metadata. Unless it comes from follow-up options, marks all loops as vectorized and disables
    /// run-time unrolling.
    fn say(&self, unit: &mut Unit<'_>, vectors: &[Block], rest: Block, all: u32) {
        let all = u64::from(all);
        let of_rest = (rest, &self.of_rest, self.of_rest.trips.map(|n| n % all));
        // The trip count of the vectorized epilogue is unknown.
        let of_vectors = vectors.iter().enumerate().map(|(k, l)| {
            let trips = self.of_vectors.trips.filter(|_| k == 0);
            (*l, &self.of_vectors, trips.map(|n| n / all))
        });
        for (l, said, trips) in of_vectors.chain([of_rest]) {
            unit.inherit(l, said);
            if said.is_follow_up() {
                continue;
            }
            if let Some(trips) = trips.and_then(|n| u32::try_from(n).ok()) {
                unit.set_loop_number(l, "llvm.loop.estimated_trip_count", trips);
            }
            unit.set_loop_number(l, "llvm.loop.isvectorized", 1);
            unit.add_loop_property(l, "llvm.loop.unroll.runtime.disable");
        }
    }
}

/// Emits the vector loop; returns its header.
fn make(unit: &mut Unit<'_>, choice: &choose::Choice, tools: &tools::Tools) -> Block {
    let (_, mut editor) = unit.env_and_editor_at(choice.legality.form.latch);
    skeleton::apply(&mut editor, choice, tools)
}

/// Replaces each `undef` in the loop with that header by one value.
fn settle(unit: &mut Unit<'_>, header: Block) {
    let shape = unit.shape();
    let Some(l) = shape.loops.with_header(header) else { return };
    if let Some(preheader) = shape.loops.preheader(&shape.cfg, l) {
        undef::settle(&mut unit.editor(), preheader, shape.loops.blocks(l));
    }
}
