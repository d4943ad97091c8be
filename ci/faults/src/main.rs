//! The campaign that seeded faults are measured by: generated programs, one seed after the other, until something is
//! found or the time is used up.
//!
//!   backedge-faults [FIRST_SEED] [SECONDS]
//!
//! It knows nothing of faults: each seed goes to one of the fuzz targets that need no solver, in turn. Time is that of the
//! processor, so that other work on the machine does not count. It prints one line, its parts separated by tabs: `found`
//! and who found it, or `nothing` and a dash; seconds; programs; and what was found, in words. The exit status says the
//! same: 1 if something was found, 0 if not. A program that a pass never comes to an end of is a finding too.

use backedge_fuzz::targets::{Found, Target};
use nix::sys::resource::{UsageWho, getrusage};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The targets that seeds go to, in turn.
const TARGETS: [Target; 8] = [
    Target::Canonicalize,
    Target::Pipeline,
    Target::UnrollMultiExit,
    Target::ScevClaims,
    Target::Pipeline,
    Target::UnrollMultiExit,
    Target::Pipeline,
    Target::ScevClaims,
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

fn tell(what: &str, by: &str, words: &str) {
    let programs = PROGRAMS.load(Ordering::Relaxed);
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
    println!("{what}\t{by}\t{:.1}\t{programs}\t{words}", used());
}

/// Ends the process when a program takes too long.
fn watch(first: u64) -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let since = used() - BEGUN.load(Ordering::Relaxed) as f64 / 1e3;
        if since > MOST_SECONDS {
            let seed = first + PROGRAMS.load(Ordering::Relaxed);
            tell("found", "time", &format!("seed {seed}: no end after {MOST_SECONDS} s"));
            std::process::exit(1);
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let first: u64 = arguments.next().map_or(Ok(0), |a| a.parse()).unwrap_or(0);
    let seconds: f64 = arguments.next().map_or(Ok(60.0), |a| a.parse()).unwrap_or(60.0);
    // A panic of a pass is caught and told as what it is.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(move || watch(first));
    for seed in first.. {
        let begun = used();
        if begun >= seconds {
            break;
        }
        BEGUN.store((begun * 1e3) as u64, Ordering::Relaxed);
        PROGRAMS.store(seed - first, Ordering::Relaxed);
        let target = TARGETS[(seed % TARGETS.len() as u64) as usize];
        match std::panic::catch_unwind(|| target.check_seed(seed)) {
            Ok(Ok(())) => {}
            Ok(Err(found)) => {
                let Found { finding, pipeline, .. } = *found;
                let by = pipeline.as_deref().unwrap_or(target.name());
                tell("found", finding.oracle(), &format!("seed {seed}, {by}: {finding}"));
                return ExitCode::from(1);
            }
            Err(_) => {
                tell("found", "panic", &format!("seed {seed}, {target}"));
                return ExitCode::from(1);
            }
        }
    }
    tell("nothing", "-", "");
    ExitCode::SUCCESS
}
