//! The interface of a pass, and the state it works on.
//!
//! A pass sees one function at a time: the environment (module), the body to edit, the current loops, and a list for
//! its remarks. A pass knows neither the pipeline that runs it nor its observers.

use crate::changes::Formed;
pub use crate::loop_metadata::Inherited;
use crate::remark::{Outcome, Remark};
pub use crate::shape::Shape;
use backedge_analysis::Analyses;
use backedge_analysis::cache::{At, WrongResults};
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use std::fmt;
use std::sync::Arc;

/// Cached analyses of one function, kept from pass to pass. Each result carries the code epoch for which it is valid.
#[derive(Debug)]
pub struct Memory {
    analyses: Analyses,
    /// The CFG epoch and the body epoch of the shape, and the shape.
    shape: Option<(u64, u64, Arc<Shape>)>,
    formed: Option<Formed>,
}

impl Memory {
    /// An empty cache for the function `func`. A cache serves one body.
    pub fn of(func: FuncId) -> Self {
        Self { analyses: Analyses::of(func), shape: None, formed: None }
    }
}

/// One function being transformed by a pass.
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
    /// Like [`Unit::new`], with cached analyses of the same body.
    pub fn with_memory(env: &'a mut Env, body: &'a mut Body, func: FuncId, memory: Memory) -> Self {
        Self { func, env, body, memory, remarks: Vec::new(), output: String::new() }
    }
    /// The cached analyses of the function.
    pub fn into_memory(self) -> Memory {
        self.memory
    }
    /// The module environment of the function.
    pub fn env(&self) -> &Env {
        self.env
    }
    /// The current code.
    pub fn body(&self) -> &Body {
        self.body
    }
    /// An editor for the code.
    pub fn editor(&mut self) -> Editor<'_> {
        Editor::new(self.body)
    }
    /// The environment and an editor for the code.
    pub fn env_and_editor(&mut self) -> (&Env, Editor<'_>) {
        (self.env, Editor::new(self.body))
    }
    /// The environment and an editor that gives new instructions the debug location of the branch of `latch`.
    pub fn env_and_editor_at(&mut self, latch: Block) -> (&Env, Editor<'_>) {
        let branch = self.body.terminator(latch);
        let location = branch.and_then(|b| self.body.inst(b).metadata_of(&MdKind::Dbg)).copied();
        let (env, mut editor) = self.env_and_editor();
        editor.set_location(location);
        (env, editor)
    }
    /// The environment, mutable, and the code.
    pub fn env_and_body(&mut self) -> (&mut Env, &Body) {
        (self.env, self.body)
    }
    /// The analyses of the current code. Results borrow from the code, so they cannot outlive the next edit.
    pub fn at(&self) -> At<'_> {
        self.memory.analyses.at(self.env, self.body)
    }
    /// Checks that the cached analyses, once updated, equal freshly computed ones. For tests.
    pub fn verify_analyses(&self) -> Result<(), WrongResults> {
        self.memory.analyses.verify_updated(self.env, self.body)
    }
    /// The intrinsic called `name` with parameters of those types; declares it if necessary. `None` if the module
    /// uses that name for something else.
    pub fn declare_intrinsic(&mut self, name: &str, ret: Type, params: &[Type]) -> Option<FuncId> {
        let ty = self.env.types.function(ret, params, false);
        self.env.declare_intrinsic(name, ty)
    }
    /// The current CFG, dominators and loops; recomputed only if blocks or edges changed.
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
    /// The last state in which all loops of the function were in form, if known.
    pub(crate) fn formed(&self) -> Option<&Formed> {
        self.memory.formed.as_ref()
    }
    /// Records that all loops of the function are in form now.
    pub(crate) fn set_formed(&mut self) {
        let shape = self.shape();
        self.memory.formed = Some(Formed { epoch: self.body.body_epoch(), shape });
    }
    /// Records the outcome of a pass at the loop with that header, which is still in the body.
    pub fn remark(&mut self, pass: &'static str, header: Block, outcome: impl Into<Outcome>) {
        let header = self.label(header);
        self.remark_at(pass, header, outcome);
    }
    /// The current label of `block`, without `%`.
    pub fn label(&self, block: Block) -> String {
        match self.body.block_name(block) {
            Some(name) => name.to_owned(),
            None => self.body.slots().block_label(self.body, block),
        }
    }
    /// Records the outcome of a pass at the loop whose header had that label.
    pub fn remark_at(&mut self, pass: &'static str, header: String, outcome: impl Into<Outcome>) {
        self.remark_of(pass, header, None, outcome);
    }
    /// Like [`Unit::remark_at`], for an instruction with that debug location.
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
    /// Takes the remarks collected so far.
    pub fn take_remarks(&mut self) -> Vec<Remark> {
        std::mem::take(&mut self.remarks)
    }
    /// Runs `work` and drops its remarks: the work repairs the edits of another pass.
    pub fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let kept = self.remarks.len();
        let result = work(self);
        self.remarks.truncate(kept);
        result
    }
    /// Appends `text` to the output of printing passes.
    pub fn print(&mut self, text: &str) {
        self.output.push_str(text);
    }
    /// Takes the output of printing passes collected so far.
    pub fn take_output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }
}

/// A pass over a function.
pub trait FunctionPass: fmt::Debug + Send + Sync {
    /// The pass's spelling in a pipeline, parameters included.
    fn text(&self) -> String;
    /// Runs the pass.
    fn run(&self, unit: &mut Unit<'_>);
    /// The remark for a function that the pass skips because it uses the unmodelled `feature`: the pass's name in the
    /// remark and the outcome. Most passes report nothing.
    fn left(&self, feature: &str) -> Option<(&'static str, Outcome)> {
        let _ = feature;
        None
    }
}

/// A pass over one loop. All loops of its function are in loop-simplify form and LCSSA form as far as these can be
/// established.
pub trait LoopPass: fmt::Debug + Send + Sync {
    /// The pass's spelling in a pipeline, parameters included.
    fn text(&self) -> String;
    /// Runs the pass on the loop with header `header`. Returns the new header, or `None` if it is no longer a loop.
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block>;
}
