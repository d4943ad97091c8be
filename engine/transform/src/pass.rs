//! What a pass is given, and what it is.
//!
//! A pass sees one function at a time: the environment it stands in, its body to edit, the loops as they are now, and
//! a list for its remarks. It neither knows which pipeline runs it nor who watches.

use crate::changes::Formed;
use crate::loop_metadata;
pub use crate::loop_metadata::Inherited;
use crate::remark::{Outcome, Remark};
use backedge_analysis::cache::{At, WrongResults};
use backedge_analysis::{Analyses, Cfg, Dominators, LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::cfg::region::Change;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use std::fmt;
use std::sync::Arc;

/// Graph, dominators and loops of one CFG epoch.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The graph.
    pub cfg: Arc<Cfg>,
    /// Its dominator tree.
    pub dominators: Arc<Dominators>,
    /// Its loops.
    pub loops: Arc<LoopForest>,
}

impl Shape {
    /// The shape of `body` as it is now.
    pub fn new(body: &Body) -> Self {
        Self::of_graph(body, Cfg::new(body))
    }
    fn of_graph(body: &Body, cfg: Cfg) -> Self {
        let dominators = Dominators::new(body, &cfg);
        let loops = LoopForest::new(&cfg, &dominators);
        Self { cfg: Arc::new(cfg), dominators: Arc::new(dominators), loops: Arc::new(loops) }
    }
    /// The same where `self` is the shape that `body` had at the body epoch `epoch`: where few blocks have other successors
    /// than then, what lies apart from them is taken over.
    #[must_use]
    pub fn updated(&self, body: &Body, epoch: u64) -> Self {
        let depth = |b| self.loops.depth_of_block(b);
        match self.cfg.updated(body, epoch, &self.dominators, depth) {
            (cfg, Change::Nothing) => Self { cfg: Arc::new(cfg), ..self.clone() },
            (cfg, Change::Within(region)) => {
                let dominators = self.dominators.updated(&cfg, &region);
                let loops = self.loops.updated(&cfg, &dominators, &region);
                Self { cfg: Arc::new(cfg), dominators: Arc::new(dominators), loops: Arc::new(loops) }
            }
            (cfg, Change::Whole) => Self::of_graph(body, cfg),
        }
    }
    /// Whether all values defined in `l` are used only in it; see [`LoopForest::is_lcssa`].
    pub fn is_lcssa(&self, body: &Body, l: LoopId) -> bool {
        self.loops.is_lcssa(body, &self.cfg, l)
    }
}

/// What is remembered of a function from pass to pass: the results for its code, each with the epoch of the code that it
/// is right for.
#[derive(Debug)]
pub struct Memory {
    analyses: Analyses,
    /// With the CFG epoch and the body epoch that it was made at.
    shape: Option<(u64, u64, Arc<Shape>)>,
    formed: Option<Formed>,
}

impl Memory {
    /// Nothing yet of the function `func`. A memory serves one body.
    pub fn of(func: FuncId) -> Self {
        Self { analyses: Analyses::of(func), shape: None, formed: None }
    }
}

/// One function under the hands of a pass.
#[derive(Debug)]
pub struct Unit<'a> {
    /// The function.
    pub func: FuncId,
    env: &'a mut Env,
    body: &'a mut Body,
    memory: Memory,
    remarks: Vec<Remark>,
    output: String,
}

impl<'a> Unit<'a> {
    /// The function `func` of `env`, whose code is `body`.
    pub fn new(env: &'a mut Env, func: FuncId, body: &'a mut Body) -> Self {
        Self::with_memory(env, body, func, Memory::of(func))
    }
    /// The same with what is remembered of that body.
    pub fn with_memory(env: &'a mut Env, body: &'a mut Body, func: FuncId, memory: Memory) -> Self {
        Self { func, env, body, memory, remarks: Vec::new(), output: String::new() }
    }
    /// What is remembered of the function.
    pub fn into_memory(self) -> Memory {
        self.memory
    }
    /// What surrounds the function.
    pub fn env(&self) -> &Env {
        self.env
    }
    /// The code as it is now.
    pub fn body(&self) -> &Body {
        self.body
    }
    /// The writer of the code.
    pub fn editor(&mut self) -> Editor<'_> {
        Editor::new(self.body)
    }
    /// What surrounds the function, and the writer of the code.
    pub fn env_and_editor(&mut self) -> (&Env, Editor<'_>) {
        (self.env, Editor::new(self.body))
    }
    /// The same, with new instructions said to be where the branch at the end of `latch` is in the source.
    pub fn env_and_editor_at(&mut self, latch: Block) -> (&Env, Editor<'_>) {
        let branch = self.body.terminator(latch);
        let location = branch.and_then(|b| self.body.inst(b).metadata_of(&MdKind::Dbg)).copied();
        let (env, mut editor) = self.env_and_editor();
        editor.set_location(location);
        (env, editor)
    }
    /// What surrounds the function, to add to it, and the code.
    pub fn env_and_body(&mut self) -> (&mut Env, &Body) {
        (self.env, self.body)
    }
    /// The analyses of the code as it is now: what they say is borrowed from the code, and ends where editing begins.
    pub fn at(&self) -> At<'_> {
        self.memory.analyses.at(self.env, self.body)
    }
    /// Whether what is remembered of the function, brought up to date, is what would be found out anew: for tests.
    pub fn verify_analyses(&self) -> Result<(), WrongResults> {
        self.memory.analyses.verify_updated(self.env, self.body)
    }
    /// The intrinsic called `name` with parameters of those types, declared if it is not yet; `None` if the module means
    /// something else by that name.
    pub fn declare_intrinsic(&mut self, name: &str, ret: Type, params: &[Type]) -> Option<FuncId> {
        let ty = self.env.types.function(ret, params, false);
        self.env.declare_intrinsic(name, ty)
    }
    /// Adds a property called `name`, without a value, once to the metadata of the loop with that header and a single latch.
    pub fn add_loop_property(&mut self, header: Block, name: &str) {
        let Some(latch) = self.single_latch(header) else { return };
        let id = loop_metadata::with_option(self.env, self.body, latch, name, &[name]);
        loop_metadata::set(&mut self.editor(), latch, MdRef::Node(id));
    }
    /// What is to be said of loops that are made of the one with that header and a single latch: what its options say that
    /// begin with one of `names`, or else all that is said of it but what begins with one of `instead_of`.
    pub fn inherited(&mut self, header: Block, names: &[&str], instead_of: &[&str]) -> Option<Inherited> {
        let latch = self.single_latch(header)?;
        Some(Inherited::of(self.env, self.body, latch, names, instead_of))
    }
    /// Says that of the loop with that header and a single latch, and nothing else.
    pub fn inherit(&mut self, header: Block, inherited: &Inherited) {
        if let Some(latch) = self.single_latch(header) {
            inherited.say(self, latch);
        }
    }
    fn single_latch(&mut self, header: Block) -> Option<Block> {
        let shape = self.shape();
        let Shape { cfg, loops, .. } = &*shape;
        loops.single_latch(cfg, loops.with_header(header)?)
    }
    /// Says `name` with that number of the loop with that header and a single latch, instead of what was said so.
    pub fn set_loop_number(&mut self, header: Block, name: &str, number: u32) {
        let Some(latch) = self.single_latch(header) else { return };
        let id = loop_metadata::with_number(self.env, self.body, latch, name, number);
        loop_metadata::set(&mut self.editor(), latch, MdRef::Node(id));
    }
    /// Graph, dominators and loops as they are now; made anew only if blocks or edges changed.
    pub fn shape(&mut self) -> Arc<Shape> {
        let epoch = self.body.cfg_epoch();
        match &self.memory.shape {
            Some((at, _, shape)) if *at == epoch => shape.clone(),
            old => {
                let shape = Arc::new(match old {
                    Some((_, then, old)) => old.updated(self.body, *then),
                    None => Shape::new(self.body),
                });
                let analyses = &mut self.memory.analyses;
                analyses.share(self.body, Arc::clone(&shape.cfg));
                analyses.share(self.body, Arc::clone(&shape.dominators));
                analyses.share(self.body, Arc::clone(&shape.loops));
                self.memory.shape = Some((epoch, self.body.body_epoch(), shape.clone()));
                shape
            }
        }
    }
    /// When the loops of the function were last in form, if that is known.
    pub(crate) fn formed(&self) -> Option<&Formed> {
        self.memory.formed.as_ref()
    }
    /// Notes that all loops of the function are in form now.
    pub(crate) fn set_formed(&mut self) {
        let shape = self.shape();
        self.memory.formed = Some(Formed { epoch: self.body.body_epoch(), shape });
    }
    /// Notes what a pass did or missed at the loop with that header, which still stands in the body.
    pub fn remark(&mut self, pass: &'static str, header: Block, outcome: impl Into<Outcome>) {
        let header = self.label(header);
        self.remark_at(pass, header, outcome);
    }
    /// The label of `block` as it is now, without `%`.
    pub fn label(&self, block: Block) -> String {
        match self.body.block_name(block) {
            Some(name) => name.to_owned(),
            None => self.body.slots().block_label(self.body, block),
        }
    }
    /// Notes what a pass did or missed at the loop whose header had that label.
    pub fn remark_at(&mut self, pass: &'static str, header: String, outcome: impl Into<Outcome>) {
        self.remark_of(pass, header, None, outcome);
    }
    /// The same of an instruction with that debug location.
    pub fn remark_of(
        &mut self,
        pass: &'static str,
        header: String,
        location: Option<MdRef>,
        outcome: impl Into<Outcome>,
    ) {
        let function = self.env.funcs[self.func].name.clone();
        self.remarks.push(Remark { pass, function, header, location, outcome: outcome.into() });
    }
    /// The remarks so far; they are the caller's then.
    pub fn take_remarks(&mut self) -> Vec<Remark> {
        std::mem::take(&mut self.remarks)
    }
    /// Does `work` without noting what it did or missed: it mends what another pass has done.
    pub fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let kept = self.remarks.len();
        let result = work(self);
        self.remarks.truncate(kept);
        result
    }
    /// Adds to what printing passes have to say.
    pub fn print(&mut self, text: &str) {
        self.output.push_str(text);
    }
    /// What printing passes had to say so far; it is the caller's then.
    pub fn take_output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }
}

/// A pass over a function.
pub trait FunctionPass: fmt::Debug + Send + Sync {
    /// How it is spelled in a pipeline, parameters included.
    fn text(&self) -> String;
    /// Does its work.
    fn run(&self, unit: &mut Unit<'_>);
    /// What it has to say of a function that it is not run on, as that uses `feature`, which is not modelled: what a remark of
    /// it says, and under which name of the pass. Most passes say nothing.
    fn left(&self, feature: &str) -> Option<(&'static str, Outcome)> {
        let _ = feature;
        None
    }
}

/// A pass over a loop, which stands in a function whose loops are all in loop simplify form and LCSSA form as far as
/// they can be brought there.
pub trait LoopPass: fmt::Debug + Send + Sync {
    /// How it is spelled in a pipeline, parameters included.
    fn text(&self) -> String;
    /// Does its work on the loop whose header is `header`; returns the header that the loop then has, or `None` if it
    /// is a loop no more.
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block>;
}
