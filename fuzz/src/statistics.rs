//! Statistics of generated programs and of the passes that fired on them. A knob that makes no pass fire is a defect,
//! and so is a pass that no program makes fire.

use crate::generate::{Generated, Knob};
use backedge_pipeline::run::{Observer, PassRun};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Runs of a pass over functions.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Count {
    /// Number of runs.
    pub runs: u64,
    /// Runs that changed the function.
    pub fired: u64,
}

/// Pipeline observer that counts the passes of a run over a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fired {
    /// Counters by pass name, without parameters.
    pub passes: BTreeMap<Box<str>, Count>,
}

impl Fired {
    fn count(&mut self, pass: &str) -> &mut Count {
        if !self.passes.contains_key(pass) {
            self.passes.insert(pass.into(), Count::default());
        }
        self.passes.get_mut(pass).expect("it was put there")
    }
    /// Whether the pass changed anything.
    pub fn has(&self, pass: &str) -> bool {
        self.passes.get(pass).is_some_and(|c| c.fired > 0)
    }
}

impl Observer for Fired {
    fn wants_code_before(&self) -> bool {
        false
    }
    fn after_pass(&mut self, run: &PassRun<'_>) {
        let count = self.count(base_name(run.pass));
        count.runs += 1;
        count.fired += u64::from(run.changed);
    }
}

/// The name of a pass without its parameters.
pub fn base_name(pass: &str) -> &str {
    pass.split_once('<').map_or(pass, |(name, _)| name)
}

/// Counters of programs with a knob.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OfKnob {
    /// Programs generated with the knob enabled.
    pub on: u64,
    /// Programs in which the knob had an effect.
    pub used: u64,
    /// By pass: programs in which the knob had an effect and on which the pass fired.
    pub fired: BTreeMap<Box<str>, u64>,
}

/// Statistics of a set of generated programs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Programs.
    pub programs: u64,
    /// Loops in the programs.
    pub loops: u64,
    /// Pass runs, by pass.
    pub passes: BTreeMap<Box<str>, Count>,
    /// By pass: programs on which it fired.
    pub programs_fired: BTreeMap<Box<str>, u64>,
    /// Counters by knob.
    pub knobs: BTreeMap<Knob, OfKnob>,
}

/// The least expected count, in programs, for which the normal approximation of the comparison holds.
const LEAST_EXPECTED: f64 = 10.0;

impl Statistics {
    /// Counts a program and the passes that fired on it.
    pub fn add(&mut self, program: &Generated, fired: &Fired) {
        self.programs += 1;
        self.loops += program.loops as u64;
        for (pass, count) in &fired.passes {
            let all = self.passes.entry(pass.clone()).or_default();
            all.runs += count.runs;
            all.fired += count.fired;
            if count.fired > 0 {
                *self.programs_fired.entry(pass.clone()).or_default() += 1;
            }
        }
        for knob in program.knobs.iter() {
            let of_knob = self.knobs.entry(knob).or_default();
            of_knob.on += 1;
            if !program.used.has(knob) {
                continue;
            }
            of_knob.used += 1;
            for (pass, _) in fired.passes.iter().filter(|(_, c)| c.fired > 0) {
                *of_knob.fired.entry(pass.clone()).or_default() += 1;
            }
        }
    }
    /// Adds two statistics.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.programs += other.programs;
        self.loops += other.loops;
        for (pass, count) in other.passes {
            let all = self.passes.entry(pass).or_default();
            all.runs += count.runs;
            all.fired += count.fired;
        }
        for (pass, programs) in other.programs_fired {
            *self.programs_fired.entry(pass).or_default() += programs;
        }
        for (knob, of) in other.knobs {
            let all = self.knobs.entry(knob).or_default();
            all.on += of.on;
            all.used += of.used;
            for (pass, programs) in of.fired {
                *all.fired.entry(pass).or_default() += programs;
            }
        }
        self
    }
    /// Knobs that had no effect, or that make no pass fire significantly more or less often than by chance.
    pub fn idle_knobs(&self) -> Vec<Knob> {
        let passes = || self.programs_fired.keys();
        let matters = |of: &OfKnob| passes().any(|pass| self.influence(of, pass).abs() > 4.0);
        let idle = |k: &Knob| !self.knobs.get(k).is_some_and(matters);
        Knob::ALL.iter().copied().filter(idle).collect()
    }
    /// The difference between the rates at which `pass` fires on programs with and without the knob's effect, in
    /// standard errors; 0 if the expected counts are too small to be significant.
    fn influence(&self, of: &OfKnob, pass: &str) -> f64 {
        let count = |by_pass: &BTreeMap<Box<str>, u64>| by_pass.get(pass).copied().unwrap_or(0) as f64;
        let (fired, all_fired) = (count(&of.fired), count(&self.programs_fired));
        let (with, without) = (of.used as f64, (self.programs - of.used) as f64);
        let share = all_fired / (with + without);
        let error = (share * (1.0 - share) * (1.0 / with + 1.0 / without)).sqrt();
        let least_expected = with.min(without) * share.min(1.0 - share);
        if least_expected >= LEAST_EXPECTED && error.is_finite() {
            (fired / with - (all_fired - fired) / without) / error
        } else {
            0.0
        }
    }
    /// The pass whose firing rate grows by the largest factor on programs with the knob's effect, and that factor.
    /// Passes that fired on fewer than `least` of these programs are ignored.
    pub fn liveliest(&self, knob: Knob, least: u64) -> Option<(&str, f64)> {
        let of = self.knobs.get(&knob)?;
        let factors = of.fired.iter().filter(|(_, n)| **n >= least).map(|(pass, with)| {
            let others = self.programs_fired.get(pass).copied().unwrap_or(0) - with;
            let rate = |n: u64, of: u64| n as f64 / of.max(1) as f64;
            let without = rate(others.max(1), self.programs - of.used);
            (&**pass, rate(*with, of.used) / without)
        });
        factors.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl fmt::Display for Statistics {
    /// Two tables: the passes, and the knobs, each with its liveliest pass.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs, {} loops", self.programs, self.loops)?;
        writeln!(f, "{:28} {:>10} {:>10} {:>10}", "pass", "runs", "fired", "programs")?;
        for (pass, count) in &self.passes {
            let programs = self.programs_fired.get(pass).copied().unwrap_or(0);
            writeln!(f, "{pass:28} {:>10} {:>10} {programs:>10}", count.runs, count.fired)?;
        }
        writeln!(f, "{:28} {:>10} {:>10}  liveliest pass", "knob", "on", "used")?;
        for (knob, of) in &self.knobs {
            write!(f, "{:28} {:>10} {:>10}", knob.name(), of.on, of.used)?;
            match self.liveliest(*knob, 10) {
                Some((pass, factor)) => writeln!(f, "  {pass} (x {factor:.2})")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}
