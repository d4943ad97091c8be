//! The campaign that measures how fast seeded faults are found: checks generated programs, one seed after another,
//! until a finding or a time limit.
//!
//!   backedge-faults FIRST_SEED SECONDS [KNOWN]
//!
//! The campaign does not know the fault: each seed goes to one of the solver-free fuzz targets, in turn. Time is CPU
//! time, so that other work on the machine does not count. `KNOWN` is the output of a run without a fault: seeds with
//! findings in that run are skipped, as are seeds that it did not reach. Without `KNOWN`, the campaign does not stop
//! at a finding.
//!
//! Prints one tab-separated line for each finding: `found`, the oracle, seconds and programs so far, the seed, and a
//! description; the program goes to standard error. The last line has the same form, with `nothing` and the first
//! seed not reached. A program on which a pass does not terminate is a finding too.

use backedge_fuzz::oracle::Finding;
use backedge_fuzz::targets::{Found, Target};
use nix::sys::resource::{UsageWho, getrusage};
use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The targets of the seeds, in turn. Nearly half are pipelines, since most passes occur only there.
const TARGETS: [Target; 14] = [
    Target::Pipeline,
    Target::Canonicalize,
    Target::Pipeline,
    Target::UnrollMultiExit,
    Target::Pipeline,
    Target::ScevClaims,
    Target::UnrollMultiExit,
    Target::Pipeline,
    Target::Pipeline,
    Target::UnrollMultiExit,
    Target::ScevClaims,
    Target::Pipeline,
    Target::Vectorize,
    Target::Vectorize,
];

/// Time limit for one program, in seconds: thousands of times the usual time, so that only a hang exceeds it.
const MOST_SECONDS: f64 = 10.0;

/// CPU time used by this process, in seconds.
fn used() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return 0.0 };
    [usage.user_time(), usage.system_time()]
        .iter()
        .map(|t| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6)
        .sum()
}

/// Start of the current program, in milliseconds of [`used`], and the number of programs before it.
static BEGUN: AtomicU64 = AtomicU64::new(0);
static PROGRAMS: AtomicU64 = AtomicU64::new(0);

fn tell(what: &str, by: &str, seed: u64, words: &str) {
    let programs = PROGRAMS.load(Ordering::Relaxed);
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
    println!("{what}\t{by}\t{:.1}\t{programs}\t{seed}\t{words}", used());
}

/// Ends the process when a program exceeds the time limit.
fn watch(first: u64) -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let since = used() - BEGUN.load(Ordering::Relaxed) as f64 / 1e3;
        if since > MOST_SECONDS {
            let seed = first + PROGRAMS.load(Ordering::Relaxed);
            tell("found", "time", seed, &format!("no end after {MOST_SECONDS} s"));
            std::process::exit(1);
        }
    }
}

/// The findings of a run without a fault.
#[derive(Default)]
struct Known {
    seeds: HashSet<u64>,
    /// The first seed that the run did not reach.
    end: Option<u64>,
}

impl Known {
    fn read(path: &str) -> std::io::Result<Self> {
        let mut known = Self::default();
        for line in std::fs::read_to_string(path)?.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let Some(Ok(seed)) = parts.get(4).map(|s| s.parse()) else { continue };
            if parts[0] == "found" { _ = known.seeds.insert(seed) } else { known.end = Some(seed) }
        }
        Ok(known)
    }
}

/// The finding for `seed`: the oracle, and a description.
fn look(seed: u64) -> Option<(&'static str, String)> {
    let target = TARGETS[(seed % TARGETS.len() as u64) as usize];
    let Ok(checked) = std::panic::catch_unwind(|| target.check_seed(seed)) else {
        return Some(("panic", target.to_string()));
    };
    let found = checked.err()?;
    // Passes that undo each other are not wrong.
    if matches!(found.finding, Finding::Settling(_) | Finding::Again(_)) {
        return None;
    }
    eprintln!("{found}");
    let Found { finding, pipeline, .. } = *found;
    Some((finding.oracle(), format!("{}: {finding}", pipeline.as_deref().unwrap_or(target.name()))))
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (first, seconds) = (arguments.next().map(|a| a.parse()), arguments.next().map(|a| a.parse()));
    let (Some(Ok(first)), Some(Ok(seconds))) = (first, seconds) else {
        eprintln!("backedge-faults FIRST_SEED SECONDS [KNOWN]");
        return ExitCode::from(2);
    };
    let (first, seconds): (u64, f64) = (first, seconds);
    let known = match arguments.next().map(|path| Known::read(&path)).transpose() {
        Ok(known) => known,
        Err(error) => {
            eprintln!("backedge-faults: {error}");
            return ExitCode::from(2);
        }
    };
    let goes_on = known.is_none();
    let Known { seeds, end } = known.unwrap_or_default();
    // A panic of a pass is caught and reported as a finding.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(move || watch(first));
    let mut seed = first;
    while end.is_none_or(|end| seed < end) {
        let begun = used();
        if begun >= seconds {
            break;
        }
        BEGUN.store((begun * 1e3) as u64, Ordering::Relaxed);
        PROGRAMS.store(seed - first, Ordering::Relaxed);
        if !seeds.contains(&seed)
            && let Some((by, words)) = look(seed)
        {
            tell("found", by, seed, &words);
            if !goes_on {
                return ExitCode::from(1);
            }
        }
        seed += 1;
    }
    tell("nothing", "-", seed, "");
    ExitCode::SUCCESS
}
