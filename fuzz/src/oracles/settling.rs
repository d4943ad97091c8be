//! Repeated runs of a pipeline reach a fixed point. If earlier code recurs, passes undo each other's changes forever;
//! if the code is new in every round, passes never stop changing it.
//!
//! Code is compared by a hash of its text without names, after each round. If a round changes nothing although passes
//! made changes, it is also compared after each pass, because then some pass undoes another one's change within every
//! round.
//!
//! Loop-simplify form and LCSSA form are made for other passes and may be undone; so may the HIR form of loops, whose
//! exits precede the increment of the counter. A pass that performs a fixed number of changes (`loop-peel<count=1>`),
//! or changes code regardless of profit (`hir-fuse<force>`), changes every round by request, so recurring code is no
//! fault if only such passes change anything. Such a pass may also double the code in each round
//! (`iteration-set-split<multiple=2>` splits its own output), so rounds also end when the code has grown too much.

use super::{Evidence, Judge, Label, Oracle};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_ir::print::function_to_string;
use backedge_pipeline::RunError;
use backedge_pipeline::pass::Pipeline;
use backedge_pipeline::run::{Observer, Options, PassRun, run};
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The oracle.
pub struct Settling;

impl Oracle for Settling {
    fn question(&self) -> &'static str {
        "do repeated runs of passes reach a fixed point?"
    }
    fn judge(&self) -> Judge {
        Judge::Pipeline(|case| match check(case.module.clone(), case.func, case.pipeline, ROUNDS) {
            Ok(Err(unsettled @ Unsettled::Undone { .. })) => Err(unsettled.into()),
            // Changes in each of a few rounds are not a fault yet.
            Ok(Ok(_) | Err(Unsettled::Endless { .. })) | Err(_) => Ok(()),
        })
    }
    fn suits_commands(&self) -> bool {
        true
    }
}

/// Number of pipeline rounds. A pipeline may still make changes after them, but must not return to an earlier state.
pub const ROUNDS: usize = 5;

/// The kind of failure if earlier code recurs.
pub const UNDONE: &str = "undone";

/// Factor by which the text of a function may grow before the rounds end: some passes double the code in each round by
/// request.
const MAX_GROWTH: usize = 16;
/// Length of a function's text in bytes at which the rounds end: passes visit a long function once for each loop.
const MOST_BYTES: usize = 1 << 20;

/// A pipeline that does not reach a fixed point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsettled {
    /// Earlier code recurs.
    Undone {
        /// The period in rounds; 0 if the code recurs within each round.
        rounds: usize,
        /// The passes that changed something in the last round, in order; those that undo each other if `rounds` is 0.
        passes: Vec<String>,
        /// The recurring code.
        code: String,
    },
    /// Each round changed something.
    Endless {
        /// The number of rounds: as requested, or fewer if the code grew too long.
        rounds: usize,
        /// The passes that changed something in the last round, in order.
        passes: Vec<String>,
        /// The code before the last round.
        before: String,
        /// The code after the last round.
        after: String,
    },
}

impl fmt::Display for Unsettled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undone { rounds: 0, passes, code } => {
                write!(f, "in each round {} undo each other's changes to\n{code}", passes.join(", "))
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

impl Evidence for Unsettled {
    fn label(&self) -> Label {
        let (kind, passes) = match self {
            Self::Undone { passes, .. } => (UNDONE, passes),
            Self::Endless { passes, .. } => ("endless", passes),
        };
        Label::of(kind).with_words(passes.join(" "))
    }
}

/// Observer that records the passes that changed something.
#[derive(Default)]
struct Changing(Vec<String>);

impl Observer for Changing {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        if run.changed {
            self.0.push(run.pass.to_owned());
        }
    }
}

/// The code after a pass.
struct Step {
    pass: String,
    /// Whether the pass makes a canonical loop form for other passes.
    is_form: bool,
    code: u64,
}

/// Observer that records the code of `func` after each pass that changed it.
struct Steps {
    /// The module that contains the function.
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

/// The text of `func` without names, so that renaming is not a change.
pub fn nameless(module: &Module, func: FuncId) -> String {
    let Some(body) = module.body(func) else { return String::new() };
    text_without_names(&mut module.clone(), func, body)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Whether `pass` makes a canonical loop form for other passes; an HIR pass with a forced change makes the HIR form.
fn makes_form(pass: &str) -> bool {
    matches!(pass, "loop-simplify" | "lcssa" | "hir-roundtrip") || pass.starts_with("hir-") && is_forced(pass)
}

/// Whether the options of `pass` force a change in each round.
fn is_forced(pass: &str) -> bool {
    ["count=", "force", "at=", "multiple="].iter().any(|option| pass.contains(option))
}

/// A sequence of passes that leaves the code as before, without a pass that makes a canonical form.
fn undoing_passes(before: u64, steps: &[Step]) -> Option<Vec<String>> {
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
        let is_forced = circle.iter().all(|s| is_forced(&s.pass));
        if circle.len() > 1 && !is_forced && !circle.iter().any(|s| s.is_form) {
            return Some(circle.iter().map(|s| s.pass.clone()).collect());
        }
        way.truncate(since);
    }
    None
}

/// Runs `pipeline` over `module` up to `rounds` times, until nothing changes or the code has grown too much. Returns
/// the number of rounds.
pub fn check(
    mut module: Module,
    func: FuncId,
    pipeline: &Pipeline,
    rounds: usize,
) -> Result<Result<usize, Unsettled>, RunError> {
    let mut text = nameless(&module, func);
    let mut seen = vec![hash(&text)];
    let longest = text.len().saturating_mul(MAX_GROWTH).min(MOST_BYTES.max(text.len()));
    for round in 0..rounds {
        let mut changing = Changing::default();
        run(&mut module, pipeline, Options::default(), &mut changing)?;
        let after = nameless(&module, func);
        let now = hash(&after);
        if seen.last() == Some(&now) {
            if changing.0.len() > 1 {
                // The code is unchanged, so the next round repeats this one.
                let mut steps = Steps { module: module.clone(), func, steps: Vec::new() };
                run(&mut module, pipeline, Options::default(), &mut steps)?;
                if let Some(passes) = undoing_passes(now, &steps.steps) {
                    return Ok(Err(Unsettled::Undone { rounds: 0, passes, code: after }));
                }
            }
            return Ok(Ok(round));
        }
        if let Some(at) = seen.iter().position(|h| *h == now) {
            let rounds = seen.len() - at;
            // If peeled iterations fold away, the loop is the same again after the period of its recurrence.
            let is_forced = changing.0.iter().all(|pass| is_forced(pass));
            // A form that was undone and made again may have its blocks in another order.
            let forms = changing.0.iter().filter(|pass| makes_form(pass)).count();
            if is_forced || (1..changing.0.len()).contains(&forms) {
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
    use super::{Step, undoing_passes};

    fn circle(steps: &[(&str, bool, u64)]) -> Option<Vec<String>> {
        let steps: Vec<Step> = steps
            .iter()
            .map(|&(pass, is_form, code)| Step { pass: pass.to_owned(), is_form, code })
            .collect();
        undoing_passes(0, &steps)
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
        // Both passes change code by request.
        assert_eq!(circle(&[("a<force>", false, 1), ("b<force>", false, 0)]), None);
        assert!(circle(&[("a<force>", false, 1), ("b", false, 0)]).is_some());
        // A pass that leaves the code unchanged is not undone by another pass.
        assert_eq!(circle(&[("a", false, 0), ("loop-simplify", true, 1), ("b", false, 0)]), None);
    }
}
