//! The campaign that seeded faults are measured by: generated programs, one seed after the other, until something is
//! found or the time is used up.
//!
//!   backedge-faults FIRST_SEED SECONDS [KNOWN]
//!
//! It knows nothing of faults: each seed goes to one of the fuzz targets that need no solver, in turn. Time is that of the
//! processor, so that other work on the machine does not count. `KNOWN` is what it printed without a fault: seeds with which
//! something was found then do not count, nor do those that it did not come to. Without it, it does not stop at what it
//! finds.
//!
//! It prints a line for each finding, its parts separated by tabs: `found`, by which oracle, after how many seconds and
//! programs, with which seed, and what, in words; the program goes to standard error. At the end there is a line of the same
//! kind with `nothing`, and the first seed that it did not come to. A program that a pass never comes to an end of is a
//! finding too.

use backedge_fuzz::oracle::Finding;
use backedge_fuzz::targets::{Found, Target};
use nix::sys::resource::{UsageWho, getrusage};
use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The targets that seeds go to, in turn: nearly half of them to pipelines, since most passes are in these
/// alone.
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

/// How long one program may take, in seconds: thousands of times what one takes.
const MOST_SECONDS: f64 = 10.0;

/// The time that this process has used of the processor, in seconds.
fn used() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return 0.0 };
    [usage.user_time(), usage.system_time()]
        .iter()
        .map(|t| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6)
        .sum()
}

/// When the program was begun that is being looked at, in milliseconds of [`used`], and how many were before it.
static BEGUN: AtomicU64 = AtomicU64::new(0);
static PROGRAMS: AtomicU64 = AtomicU64::new(0);

fn tell(what: &str, by: &str, seed: u64, words: &str) {
    let programs = PROGRAMS.load(Ordering::Relaxed);
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
    println!("{what}\t{by}\t{:.1}\t{programs}\t{seed}\t{words}", used());
}

/// Ends the process when a program takes too long.
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

/// What was found without a fault.
#[derive(Default)]
struct Known {
    seeds: HashSet<u64>,
    /// The first seed that was not come to.
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

/// What is found with `seed`: by whom, and in words.
fn look(seed: u64) -> Option<(&'static str, String)> {
    let target = TARGETS[(seed % TARGETS.len() as u64) as usize];
    let Ok(checked) = std::panic::catch_unwind(|| target.check_seed(seed)) else {
        return Some(("panic", target.to_string()));
    };
    let found = checked.err()?;
    // That passes undo each other does not make what they leave wrong.
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
    // A panic of a pass is caught and told as what it is.
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
