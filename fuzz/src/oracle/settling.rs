//! A pipeline that runs again and again comes to an end: at some time it changes nothing more. If code comes back that was
//! there before, passes undo each other for ever; if it is new every time, they never have enough.
//!
//! Code is compared by a hash of its text without names, after each round and, to name the passes that take turns, after
//! each pass. A pass that is told how often to do something (`loop-peel<count=1>`) is at work in every round by request:
//! where nothing else changes, no code that comes back is held against it.

use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_ir::print::function_to_string;
use backedge_pipeline::RunError;
use backedge_pipeline::pass::Pipeline;
use backedge_pipeline::run::{Observer, Options, PassRun, run};
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A pipeline that does not come to an end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsettled {
    /// Code comes back.
    Undone {
        /// After how many rounds.
        rounds: usize,
        /// The passes that changed something in a round, in order.
        passes: Vec<String>,
        /// The code that comes back.
        code: String,
    },
    /// There was something to do in each round.
    Endless {
        /// So many rounds.
        rounds: usize,
        /// The passes that changed something in the last one, in order.
        passes: Vec<String>,
        /// The code before the last round.
        before: String,
        /// And behind it.
        after: String,
    },
}

impl fmt::Display for Unsettled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undone { rounds, passes, code } => {
                write!(f, "after {rounds} rounds of {} there is again\n{code}", passes.join(", "))
            }
            Self::Endless { rounds, passes, before, after } => {
                write!(f, "still at work after {rounds} rounds: {}\n{before}\n{after}", passes.join(", "))
            }
        }
    }
}

/// The passes that changed something.
#[derive(Default)]
struct Changing(Vec<String>);

impl Observer for Changing {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        if run.changed {
            self.0.push(run.pass.to_owned());
        }
    }
}

/// The text of `func` without names, so that new names for what was there are no change.
pub fn nameless(module: &Module, func: FuncId) -> String {
    let Some(body) = module.body(func) else { return String::new() };
    let mut module = module.clone();
    module.code[func] = Code::Body(Box::new(body.without_names()));
    function_to_string(&module, func)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Runs `pipeline` over `module` until nothing changes, at most so many times. The number of rounds that it took.
pub fn check(
    mut module: Module,
    func: FuncId,
    pipeline: &Pipeline,
    rounds: usize,
) -> Result<Result<usize, Unsettled>, RunError> {
    let mut text = nameless(&module, func);
    let mut seen = vec![hash(&text)];
    for round in 0..rounds {
        let mut changing = Changing::default();
        run(&mut module, pipeline, Options::default(), &mut changing)?;
        let after = nameless(&module, func);
        let now = hash(&after);
        if seen.last() == Some(&now) {
            return Ok(Ok(round));
        }
        if let Some(at) = seen.iter().position(|h| *h == now) {
            let rounds = seen.len() - at;
            // What is told how often to do something does so in each round: a loop whose peeled iterations fold away is
            // the same again once its recurrence has come round.
            if changing.0.iter().all(|pass| pass.contains("count=")) {
                return Ok(Ok(round));
            }
            return Ok(Err(Unsettled::Undone { rounds, passes: changing.0, code: after }));
        }
        if round + 1 == rounds {
            let passes = changing.0;
            return Ok(Err(Unsettled::Endless { rounds, passes, before: text, after }));
        }
        seen.push(now);
        text = after;
    }
    Ok(Ok(rounds))
}
