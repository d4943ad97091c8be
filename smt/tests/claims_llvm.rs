//! What LLVM 22 claims of its own loop tests, in the solver: how much of it is proved, and what is refuted.

use backedge_claim::text::{FunctionClaims, Reader};
use backedge_ir::parse::read_module;
use backedge_smt::claims::{ClaimOptions, Method, Reason, Verdict, check_claims, subjects};
use backedge_testkit::{Peer, files_with_extension, llvm_tests, peer};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const MAX_TEXT: u64 = 1 << 20;

fn llvm_text(opt: &Peer, file: &Path) -> Vec<u8> {
    let mut child = Command::new(opt.path())
        .args(["-passes=print<scalar-evolution>", "-disable-output"])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("LLVM's opt");
    let mut text = Vec::new();
    let mut output = child.stderr.take().expect("a pipe").take(MAX_TEXT);
    output.read_to_end(&mut text).expect("the text");
    drop(output);
    let _ = child.kill();
    let _ = child.wait();
    let whole = text.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    text.truncate(whole);
    text
}

#[test]
fn probe() {
    let Some(opt) = peer("opt", "probe") else { return };
    let Some(tests) = llvm_tests("probe") else { return };
    let part = std::env::var("PROBE").unwrap_or_default();
    let every: usize = std::env::var("EVERY").ok().map_or(40, |n| n.parse().expect("a number"));
    let files: Vec<_> = files_with_extension(tests.dir(), "ll")
        .into_iter()
        .filter(|f| f.to_string_lossy().contains(&part))
        .step_by(every)
        .collect();
    let tally: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let next = Mutex::new(files.iter());
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = { next.lock().expect("no panic").next() } {
                    let source = std::fs::read(file).expect("a readable file");
                    let Ok(parsed) = read_module(&source) else { continue };
                    let module = &parsed.module;
                    let text = llvm_text(&opt, file);
                    for read in Reader::new(module, &text[..]) {
                        let Ok(FunctionClaims::Claims(claims)) = read else { continue };
                        let name = module.env.funcs[claims.func].name.clone();
                        let begun = Instant::now();
                        let options = ClaimOptions {
                            units: 20_000_000,
                            time: Duration::from_secs(20),
                            ..ClaimOptions::default()
                        };
                        let report = check_claims(module, &claims, &subjects(&claims), &options);
                        if begun.elapsed() > Duration::from_secs(5) {
                            println!(
                                "SLOW {:?} {} @{name} {:?}",
                                begun.elapsed(),
                                file.display(),
                                report.cost
                            );
                        }
                        let mut tally = tally.lock().expect("no panic");
                        *tally.entry("functions".into()).or_default() += 1;
                        for v in &report.verdicts {
                            if matches!(
                                &v.verdict,
                                Verdict::Bounded {
                                    beyond: Reason::NotInductive
                                        | Reason::Model(backedge_smt::refinement::Reason::UndefChosenOnce),
                                    ..
                                }
                            ) {
                                let rec =
                                    &backedge_claim::json::records(module, &claims, 300)[v.subject.claim()];
                                println!(
                                    "OPEN {} @{name} {:?} {}",
                                    file.file_name().unwrap().display(),
                                    v.subject,
                                    rec.line.map_or(0, |l| l)
                                );
                                println!("     {:?}", rec);
                            }
                            let key = match &v.verdict {
                                Verdict::Proved(Method::SaysNothing) => "nothing".to_owned(),
                                Verdict::Proved(m) => format!("proved {m:?}"),
                                Verdict::Bounded { beyond, .. } => format!("bounded: {beyond:?}"),
                                Verdict::Inconclusive(Reason::Model(r)) => {
                                    format!("inconclusive: {r:?}").chars().take(130).collect()
                                }
                                Verdict::Inconclusive(r) => format!("inconclusive: {r:?}"),
                                Verdict::Refuted { witness, at, form, hidden } => {
                                    let claim = &claims.claims[v.subject.claim()];
                                    println!(
                                        "REFUTED {} @{name} {:?} {at:?} {form:?} hidden {hidden}\n   {:?}\n  {:?} {:?}",
                                        file.display(),
                                        v.subject,
                                        claim,
                                        witness.args,
                                        witness.calls[0]
                                    );
                                    "refuted".to_owned()
                                }
                            };
                            *tally.entry(key).or_default() += 1;
                        }
                    }
                }
            });
        }
    });
    for (k, n) in &*tally.lock().expect("no panic") {
        println!("{n:7} {k}");
    }
    println!("{} files in {:?}", files.len(), start.elapsed());
}
