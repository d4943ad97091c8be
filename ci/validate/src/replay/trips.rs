//! Measures the backedges per entry of a loop that terminating runs of a pair take: the bound that the solver needs.
//!
//! Requires: both functions have bodies that the interpreter can run. Guarantees: each count was reached by a run on
//! which the source is defined and both sides ended; nothing follows for other inputs, so the count chooses a bound but
//! never decides a verdict.

use super::config::config;
use super::inputs::Inputs;
use crate::pair::Side;
use crate::pair::cycles::Rounds;
use crate::verdict::Options;
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::{Done, Observer};
use backedge_interp::{Machine, Program};
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, FuncId};

/// Limits on the number of runs and on their total steps.
const RUNS: u64 = 64;
const STEPS: u64 = 1_000_000;
/// Number of non-terminating runs after which no terminating one is expected.
const MANY_ENDLESS: u32 = 16;

/// Trip counts of the runs of a pair.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Trips {
    /// The least and the greatest bound that a terminating run needs, over both sides.
    ended: Option<(u32, u32)>,
    /// Runs that were cut short, or were shown not to terminate.
    endless: u32,
}

impl Trips {
    /// Measures runs with the first choices in order.
    pub(crate) fn of(source: Side<'_>, target: Side<'_>, options: &Options) -> Self {
        let mut trips = Self::default();
        let Some(inputs) = Inputs::new(source, target, options) else { return trips };
        let sides = [source, target];
        let modules = sides.map(|side| side.module);
        let config = config(options);
        let programs = Program::pair(modules, &config);
        let mut machines = Machine::pair(&programs, &config);
        for numbered in inputs.some(options.runs.min(RUNS)).enumerate() {
            let input = inputs.with_contents(numbered, modules);
            let mut most = Some(0);
            for (side, machine) in sides.into_iter().zip(&mut machines) {
                let Some(mut taken) = Most::new(side) else { return trips };
                let ended = machine.watch_to_end(side.func, &input, &mut ZeroChooser, &mut taken);
                match ended.map(|ended| ended.outcome) {
                    Ok(Outcome::Returned(_) | Outcome::DidNotReturn { .. }) => {
                        most = most.map(|most| taken.most.max(most));
                    }
                    Ok(Outcome::OutOfFuel | Outcome::Diverges { .. }) => {
                        trips.endless += 1;
                        most = None;
                    }
                    Ok(_) | Err(_) => most = None,
                }
                if most.is_none() {
                    break;
                }
            }
            if let Some(most) = most {
                let (least, greatest) = trips.ended.unwrap_or((most, most));
                trips.ended = Some((least.min(most), greatest.max(most)));
            }
            if machines.iter().map(Machine::steps).sum::<u64>() > STEPS {
                break;
            }
        }
        trips
    }

    /// The bound that terminating runs need, if all need the same.
    pub(crate) fn constant(&self) -> Option<u32> {
        self.ended.filter(|(least, greatest)| least == greatest).map(|(least, _)| least)
    }
    /// Whether the runs suggest that none terminates.
    pub(crate) fn never_end(&self) -> bool {
        self.ended.is_none() && self.endless >= MANY_ENDLESS
    }
}

/// The most backedges that a run of one function takes per entry of a loop.
struct Most {
    func: FuncId,
    cfg: Cfg,
    rounds: Rounds,
    most: u32,
}

impl Most {
    fn new(side: Side<'_>) -> Option<Self> {
        let cfg = Cfg::new(side.module.body(side.func)?);
        Some(Self { func: side.func, rounds: Rounds::at_entry(&cfg), cfg, most: 0 })
    }
}

impl Observer for Most {
    fn enter(&mut self, func: FuncId, block: Block, depth: usize) {
        if func == self.func && depth == 0 {
            let entered = self.rounds.enter(&self.cfg, block);
            self.most = entered.map_or(self.most, |(_, rounds)| rounds.max(self.most));
        }
    }
    fn step(&mut self, _: Done<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_ir::parse::parse_module;

    fn trips(text: &str) -> Trips {
        let module = parse_module(text.as_bytes()).expect("a module").module;
        let side = Side { module: &module, func: module.env.func_named("f").expect("the function") };
        Trips::of(side, side, &Options::default())
    }

    #[test]
    fn a_constant_trip_count_is_seen() {
        let text = |limit: &str| {
            format!(
                "define void @f(i32 noundef %n) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, {limit}
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}"
            )
        };
        assert_eq!(trips(&text("100")).constant(), Some(99));
        let open = trips(&text("%n"));
        assert_eq!(open.constant(), None);
        assert!(!open.never_end());
    }

    #[test]
    fn runs_without_an_end_are_counted() {
        let found = trips("define void @f(i32 noundef %n) {\n  br label %loop\nloop:\n  br label %loop\n}");
        assert!(found.never_end());
        assert_eq!(found.constant(), None);
    }
}
