//! A pipeline that runs again and again comes to an end: at some time it changes nothing more. If code comes back that was
//! there before, passes undo each other for ever; if it is new every time, they never have enough.
//!
//! Code is compared by a hash of its text without names, after each round; and after each pass of a round that leaves
//! what it began with although passes were at work: what one does then, another takes back in the same round, every time.
//! Loop simplify form and LCSSA are made because others need them, and may be taken back; so may the form of loops in HIR,
//! whose exits stand before the step of the counter. A pass that has to do something so many times
//! (`loop-peel<count=1>`), or to do it whether it pays or not (`hir-fuse<force>`), is at work in every round by request:
//! where only such passes change anything, no code that comes back is held against them. Such a pass may also double the
//! code in each round (`iteration-set-split<multiple=2>` splits what it has split), so that rounds end where the code has
//! grown too much.

use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_ir::print::function_to_string;
use backedge_pipeline::RunError;
use backedge_pipeline::pass::Pipeline;
use backedge_pipeline::run::{Observer, Options, PassRun, run};
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// How many times as long as at first the text of a function may become before no more rounds are made.
const MOST_GROWTH: usize = 16;
/// Bytes of such a text after which no more rounds are made either: passes look at a long function once for each loop.
const MOST_BYTES: usize = 1 << 20;

/// A pipeline that does not come to an end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsettled {
    /// Code comes back.
    Undone {
        /// After how many rounds; 0 if within each.
        rounds: usize,
        /// The passes that changed something until then, in order.
        passes: Vec<String>,
        /// The code that comes back.
        code: String,
    },
    /// There was something to do in each round.
    Endless {
        /// So many rounds: those that were asked for, or fewer where the code grew too long.
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
            Self::Undone { rounds: 0, passes, code } => {
                write!(f, "in each round {} take back what they do to\n{code}", passes.join(", "))
            }
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

/// What a pass left.
struct Step {
    pass: String,
    /// Whether it makes a form of loops that other passes need.
    is_form: bool,
    code: u64,
}

/// What each pass that changed `func` left of it.
struct Steps {
    /// Its surroundings.
    module: Module,
    func: FuncId,
    steps: Vec<Step>,
}

impl Observer for Steps {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        if run.changed && run.func == self.func {
            self.module.env = run.env.clone();
            let code = hash(&text_without_names(&mut self.module, self.func, run.after));
            let is_form = run.implied || makes_form(run.pass);
            self.steps.push(Step { pass: run.pass.to_owned(), is_form, code });
        }
    }
}

fn text_without_names(module: &mut Module, func: FuncId, body: &Body) -> String {
    module.code[func] = Code::Body(Box::new(body.without_names()));
    function_to_string(module, func)
}

/// The text of `func` without names, so that new names for what was there are no change.
pub fn nameless(module: &Module, func: FuncId) -> String {
    let Some(body) = module.body(func) else { return String::new() };
    text_without_names(&mut module.clone(), func, body)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Whether `pass` makes a form of loops that others need: one that is asked to change loops in HIR makes that of HIR.
fn makes_form(pass: &str) -> bool {
    matches!(pass, "loop-simplify" | "lcssa" | "hir-roundtrip")
        || pass.starts_with("hir-") && is_asked_for(pass)
}

/// Whether `pass` has to change what it finds in each round.
fn is_asked_for(pass: &str) -> bool {
    ["count=", "force", "at=", "multiple="].iter().any(|option| pass.contains(option))
}

/// Passes behind which code is as it was in front of them, none of which makes a form that is needed.
fn taken_back(before: u64, steps: &[Step]) -> Option<Vec<String>> {
    let mut way: Vec<&Step> = Vec::new();
    for step in steps {
        way.push(step);
        let last = way.len() - 1;
        let since = if step.code == before {
            0
        } else {
            match way[..last].iter().position(|s| s.code == step.code) {
                Some(at) => at + 1,
                None => continue,
            }
        };
        let circle = &way[since..];
        let is_asked_for = circle.iter().all(|s| is_asked_for(&s.pass));
        if circle.len() > 1 && !is_asked_for && !circle.iter().any(|s| s.is_form) {
            return Some(circle.iter().map(|s| s.pass.clone()).collect());
        }
        way.truncate(since);
    }
    None
}

/// Runs `pipeline` over `module` until nothing changes or too much was added, at most so many times. The number of rounds
/// that it took.
pub fn check(
    mut module: Module,
    func: FuncId,
    pipeline: &Pipeline,
    rounds: usize,
) -> Result<Result<usize, Unsettled>, RunError> {
    let mut text = nameless(&module, func);
    let mut seen = vec![hash(&text)];
    let longest = text.len().saturating_mul(MOST_GROWTH).min(MOST_BYTES.max(text.len()));
    for round in 0..rounds {
        let mut changing = Changing::default();
        run(&mut module, pipeline, Options::default(), &mut changing)?;
        let after = nameless(&module, func);
        let now = hash(&after);
        if seen.last() == Some(&now) {
            if changing.0.len() > 1 {
                // The code is what it was: the next round is this one again.
                let mut steps = Steps { module: module.clone(), func, steps: Vec::new() };
                run(&mut module, pipeline, Options::default(), &mut steps)?;
                if let Some(passes) = taken_back(now, &steps.steps) {
                    return Ok(Err(Unsettled::Undone { rounds: 0, passes, code: after }));
                }
            }
            return Ok(Ok(round));
        }
        if let Some(at) = seen.iter().position(|h| *h == now) {
            let rounds = seen.len() - at;
            // A loop whose peeled iterations fold away is the same again once its recurrence has come round.
            let is_asked_for = changing.0.iter().all(|pass| is_asked_for(pass));
            // A form that was taken back and made again may come with blocks in another order.
            let forms = changing.0.iter().filter(|pass| makes_form(pass)).count();
            if is_asked_for || (1..changing.0.len()).contains(&forms) {
                return Ok(Ok(round));
            }
            return Ok(Err(Unsettled::Undone { rounds, passes: changing.0, code: after }));
        }
        if round + 1 == rounds || after.len() > longest {
            let (rounds, passes) = (round + 1, changing.0);
            return Ok(Err(Unsettled::Endless { rounds, passes, before: text, after }));
        }
        seen.push(now);
        text = after;
    }
    Ok(Ok(rounds))
}

#[cfg(test)]
mod tests {
    use super::{Step, taken_back};

    fn circle(steps: &[(&str, bool, u64)]) -> Option<Vec<String>> {
        let steps: Vec<Step> = steps
            .iter()
            .map(|&(pass, is_form, code)| Step { pass: pass.to_owned(), is_form, code })
            .collect();
        taken_back(0, &steps)
    }

    #[test]
    fn what_two_passes_do_to_each_other_in_a_round_is_found() {
        let names = |names: &[&str]| Some(names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
        assert_eq!(circle(&[("a", false, 1), ("b", false, 0)]), names(&["a", "b"]));
        assert_eq!(
            circle(&[("a", false, 1), ("b", false, 2), ("c", false, 1), ("d", true, 0)]),
            names(&["b", "c"])
        );
        assert_eq!(circle(&[("a", false, 1), ("b", false, 2), ("c", false, 0)]), names(&["a", "b", "c"]));
    }

    #[test]
    fn a_form_that_others_need_may_be_taken_back() {
        assert_eq!(circle(&[("loop-simplify", true, 1), ("simplifycfg", false, 0)]), None);
        assert_eq!(circle(&[("a", false, 1), ("loop-simplify", true, 2), ("simplifycfg", false, 0)]), None);
        // Two that are told to.
        assert_eq!(circle(&[("a<force>", false, 1), ("b<force>", false, 0)]), None);
        assert!(circle(&[("a<force>", false, 1), ("b", false, 0)]).is_some());
        // A pass that writes what was there is not taken back by anybody.
        assert_eq!(circle(&[("a", false, 0), ("loop-simplify", true, 1), ("b", false, 0)]), None);
    }
}
