//! A cache of analysis results for one function body. It never needs explicit invalidation and never serves stale
//! results.
//!
//! Every result is stamped with the epoch of its inputs: the graph ([`Body::cfg_epoch`]) or the whole body
//! ([`Body::body_epoch`]). [`Analyses::at`] returns results that borrow the body, so the body cannot be edited while a
//! result is held. After an edit the stamp no longer matches, and the cache recomputes the result on demand. A result
//! that can be repaired from the changed blocks alone (the editor stamps them) is [updated](Analysis::update) instead.
//! A pass that maintains a result itself may [hand it over](Analyses::hand_over); [`Analyses::verify`] recomputes all
//! cached results and compares, to catch a pass that maintained one incorrectly.
//!
//! ```compile_fail,E0502
//! # use backedge_analysis::Analyses;
//! # use backedge_ir::{body::Body, editor::Editor, module::Env};
//! # let (env, mut body, analyses) = (Env::default(), Body::default(), Analyses::new());
//! let loops = analyses.at(&env, &body).loops();
//! Editor::new(&mut body).add_block(None); // the body is borrowed by `loops`
//! loops.len();
//! ```
//!
//! One cache serves one body: epochs of different bodies are unrelated.

use crate::frontier::Frontiers;
use crate::irreducible::{self, IrreducibleCycle};
use crate::postdom::PostDominators;
use crate::{Cfg, Dominators, LoopForest};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::module::Env;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

/// The inputs of a result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Depends {
    /// Blocks and edges only.
    Graph,
    /// Anything in the body.
    Body,
}

/// A result type that the cache can hold.
pub trait Analysis: Any + Send + Sync + Sized {
    /// The name for messages.
    const NAME: &'static str;
    /// The inputs.
    const DEPENDS: Depends;
    /// Computes the result for the body of `at`.
    fn compute(at: At<'_>) -> Self;
    /// Updates the result to the body of `at` from the changes since `then`, the state for which the result was
    /// correct. Returns `false` if the result must be recomputed; its contents are then unspecified.
    fn update(&mut self, then: Then, at: At<'_>) -> bool {
        let _ = (then, at);
        false
    }
    /// Whether both results are equal for the body of `at`.
    fn same_as(&self, other: &Self, at: At<'_>) -> bool;
}

/// The version of a body, by its epochs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Then {
    body: u64,
    graph: u64,
}

impl Then {
    /// The current state of `body`.
    pub fn now(body: &Body) -> Self {
        Self { body: body.body_epoch(), graph: body.cfg_epoch() }
    }
    /// Whether `body` still has the blocks and edges of this state.
    pub fn has_same_graph(self, body: &Body) -> bool {
        self.graph == body.cfg_epoch()
    }
    /// The blocks of `body` that changed since this state; see [`Body::changed_since`].
    pub fn changed(self, body: &Body) -> impl Iterator<Item = Block> + '_ {
        body.changed_since(self.body)
    }
}

struct Slot {
    then: Then,
    depends: Depends,
    name: &'static str,
    value: Arc<dyn Any + Send + Sync>,
    is_right: fn(&(dyn Any + Send + Sync), At<'_>) -> bool,
    bring_up_to_date: fn(At<'_>),
}

impl Slot {
    fn new<T: Analysis>(body: &Body, value: Arc<T>) -> Self {
        Self {
            then: Then::now(body),
            depends: T::DEPENDS,
            name: T::NAME,
            value,
            is_right: |value, at| value.downcast_ref::<T>().is_some_and(|v| v.same_as(&T::compute(at), at)),
            bring_up_to_date: |at| drop(at.get::<T>()),
        }
    }
    fn is_current(&self, body: &Body) -> bool {
        match self.depends {
            Depends::Graph => self.then.graph == body.cfg_epoch(),
            Depends::Body => self.then.body == body.body_epoch(),
        }
    }
    /// Updates the result in place. `None` if the analysis cannot, or if somebody else holds the old result.
    fn update<T: Analysis>(mut self, at: At<'_>) -> Option<Self> {
        let value: &mut T = Arc::get_mut(&mut self.value)?.downcast_mut()?;
        let is_right = value.update(self.then, at);
        self.then = Then::now(at.body);
        is_right.then_some(self)
    }
}

/// Values from [`At::stash`] by type, each with the body epoch for which it is correct.
type Stash = FxHashMap<TypeId, (u64, Box<dyn Any + Send + Sync>)>;

/// The cached results of one function body.
#[derive(Default)]
pub struct Analyses {
    func: Option<FuncId>,
    slots: RefCell<FxHashMap<TypeId, Slot>>,
    aside: RefCell<Stash>,
}

impl Analyses {
    /// An empty cache for a body of unknown function: function attributes are not used.
    pub fn new() -> Self {
        Self::default()
    }
    /// An empty cache for the body of `func`.
    pub fn of(func: FuncId) -> Self {
        Self { func: Some(func), ..Self::default() }
    }
    /// The results for the current state of `body`.
    pub fn at<'a>(&'a self, env: &'a Env, body: &'a Body) -> At<'a> {
        At { analyses: self, env, func: self.func, body }
    }
    /// Stores `value` as the result for the current state of `body`.
    pub fn hand_over<T: Analysis>(&mut self, body: &Body, value: T) {
        self.share(body, Arc::new(value));
    }
    /// Like [`Analyses::hand_over`] for a value that the caller keeps too.
    pub fn share<T: Analysis>(&mut self, body: &Body, value: Arc<T>) {
        self.slots.get_mut().insert(TypeId::of::<T>(), Slot::new(body, value));
    }
    /// Recomputes every cached result that is current for `body`, and names those that differ.
    pub fn verify(&self, env: &Env, body: &Body) -> Result<(), WrongResults> {
        // Use a fresh cache: recomputation must not read the results under test.
        let fresh = Self { func: self.func, ..Self::default() };
        let at = fresh.at(env, body);
        let slots = self.slots.borrow();
        let current = slots.values().filter(|s| s.is_current(body));
        let mut wrong: Vec<_> = current.filter(|s| !(s.is_right)(&*s.value, at)).map(|s| s.name).collect();
        wrong.sort_unstable();
        if wrong.is_empty() { Ok(()) } else { Err(WrongResults(wrong)) }
    }
    /// Like [`Analyses::verify`], after [updating](Analysis::update) all results to the current body where possible.
    pub fn verify_updated(&self, env: &Env, body: &Body) -> Result<(), WrongResults> {
        let all: Vec<fn(At<'_>)> = self.slots.borrow().values().map(|s| s.bring_up_to_date).collect();
        all.into_iter().for_each(|bring_up_to_date| bring_up_to_date(self.at(env, body)));
        self.verify(env, body)
    }
}

impl fmt::Debug for Analyses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.slots.borrow().values().map(|s| (s.name, s.then))).finish()
    }
}

/// Names of cached results that differ from a computation from scratch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongResults(pub Vec<&'static str>);

impl fmt::Display for WrongResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not kept up to date: {}", self.0.join(", "))
    }
}

impl std::error::Error for WrongResults {}

/// A body together with its analysis results.
#[derive(Copy, Clone, Debug)]
pub struct At<'a> {
    analyses: &'a Analyses,
    /// The surrounding module.
    pub env: &'a Env,
    /// The function of the body, if known.
    pub func: Option<FuncId>,
    /// The body.
    pub body: &'a Body,
}

/// A result that stays valid while it is held, because it borrows the body.
#[derive(Debug)]
pub struct Fresh<'a, T> {
    value: Arc<T>,
    body: PhantomData<&'a Body>,
}

impl<T> Deref for Fresh<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Clone for Fresh<'_, T> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), body: PhantomData }
    }
}

impl<'a> At<'a> {
    /// The result `T`, computed if it is not cached.
    pub fn get<T: Analysis>(self) -> Fresh<'a, T> {
        let value = self.cached::<T>().unwrap_or_else(|| {
            // Take the slot before the computation: the computation may request other results.
            let old = self.analyses.slots.borrow_mut().remove(&TypeId::of::<T>());
            if let Some(slot) = old.and_then(|slot| slot.update::<T>(self)) {
                self.analyses.slots.borrow_mut().insert(TypeId::of::<T>(), slot);
                if let Some(updated) = self.cached::<T>() {
                    return updated;
                }
            }
            let value = Arc::new(T::compute(self));
            let slot = Slot::new(self.body, Arc::clone(&value));
            self.analyses.slots.borrow_mut().insert(TypeId::of::<T>(), slot);
            value
        });
        Fresh { value, body: PhantomData }
    }
    fn cached<T: Analysis>(self) -> Option<Arc<T>> {
        let slots = self.analyses.slots.borrow();
        let slot = slots.get(&TypeId::of::<T>()).filter(|s| s.is_current(self.body))?;
        Arc::clone(&slot.value).downcast().ok()
    }
    /// Stores data about the current state of the body for a later caller. Replaces earlier data of the same type.
    pub fn stash<T: Any + Send + Sync>(self, found: T) {
        let aside = (self.body.body_epoch(), Box::new(found) as Box<dyn Any + Send + Sync>);
        self.analyses.aside.borrow_mut().insert(TypeId::of::<T>(), aside);
    }
    /// Takes data stored by [`At::stash`], if the body has not changed since. This removes the data: while one
    /// caller holds it, nobody else can take it.
    pub fn take_stashed<T: Any + Send + Sync>(self) -> Option<T> {
        let (stamp, found) = self.analyses.aside.borrow_mut().remove(&TypeId::of::<T>())?;
        if stamp == self.body.body_epoch() { found.downcast().ok().map(|found| *found) } else { None }
    }
    /// The graph.
    pub fn cfg(self) -> Fresh<'a, Cfg> {
        self.get()
    }
    /// Dominators.
    pub fn dominators(self) -> Fresh<'a, Dominators> {
        self.get()
    }
    /// Post-dominators.
    pub fn post_dominators(self) -> Fresh<'a, PostDominators> {
        self.get()
    }
    /// The loop tree.
    pub fn loops(self) -> Fresh<'a, LoopForest> {
        self.get()
    }
}

impl Analysis for Cfg {
    const NAME: &'static str = "control-flow graph";
    const DEPENDS: Depends = Depends::Graph;
    fn compute(at: At<'_>) -> Self {
        Self::new(at.body)
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        self.rpo() == other.rpo()
            && at.body.blocks().all(|b| {
                self.succs(b) == other.succs(b)
                    && self.preds(b) == other.preds(b)
                    && self.is_reachable(b) == other.is_reachable(b)
                    && self.found_from(b) == other.found_from(b)
            })
    }
}

impl Analysis for Dominators {
    const NAME: &'static str = "dominators";
    const DEPENDS: Depends = Depends::Graph;
    fn compute(at: At<'_>) -> Self {
        Self::new(at.body, &at.cfg())
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        at.body.blocks().all(|b| {
            self.idom(b) == other.idom(b)
                && self.children(b) == other.children(b)
                && self.is_reachable(b) == other.is_reachable(b)
                && self.level(b) == other.level(b)
                && self.interval(b) == other.interval(b)
                && self.sole_entering_pred(b) == other.sole_entering_pred(b)
        })
    }
}

impl Analysis for PostDominators {
    const NAME: &'static str = "post-dominators";
    const DEPENDS: Depends = Depends::Graph;
    fn compute(at: At<'_>) -> Self {
        Self::new(&at.cfg())
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        PostDominators::same_as(self, other, &at.cfg())
    }
}

impl Analysis for LoopForest {
    const NAME: &'static str = "loops";
    const DEPENDS: Depends = Depends::Graph;
    fn compute(at: At<'_>) -> Self {
        Self::new(&at.cfg(), &at.dominators())
    }
    fn same_as(&self, other: &Self, _: At<'_>) -> bool {
        LoopForest::same_as(self, other)
    }
}

/// The dominance frontiers of [`Dominators`].
#[derive(Clone, Debug)]
pub struct DominanceFrontiers(pub Frontiers);

impl Analysis for DominanceFrontiers {
    const NAME: &'static str = "dominance frontiers";
    const DEPENDS: Depends = Depends::Graph;
    fn compute(at: At<'_>) -> Self {
        Self(Frontiers::new(&at.cfg(), &*at.dominators()))
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        at.body.blocks().all(|b| self.0.of(b) == other.0.of(b))
    }
}

/// The irreducible cycles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IrreducibleCycles(pub Vec<IrreducibleCycle>);

impl Analysis for IrreducibleCycles {
    const NAME: &'static str = "irreducible cycles";
    const DEPENDS: Depends = Depends::Graph;
    fn compute(at: At<'_>) -> Self {
        Self(irreducible::cycles(&at.cfg(), &at.loops()))
    }
    fn same_as(&self, other: &Self, _: At<'_>) -> bool {
        self == other
    }
}
