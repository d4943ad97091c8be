//! Our parser and verifier against LLVM's on damaged files: both must accept and reject the same files.

use backedge_ir::attr::FlagAttr;
use backedge_ir::module::{Code, Module};
use backedge_ir::parse::parse_module;
use backedge_ir::verify::verify_module;
use backedge_testkit::{Dice, corpus_files, llvm_tests, peer};
use rand::RngExt;
use rand::seq::IndexedRandom;

/// The byte ranges of the `%name`s in a line.
fn locals(line: &str) -> Vec<(usize, usize)> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    line.match_indices('%')
        .map(|(at, _)| (at, at + 1 + line[at + 1..].find(|c| !is_name(c)).unwrap_or(line.len() - at - 1)))
        .collect()
}

/// A copy of `source` with one line of a function damaged: removed, duplicated, moved, or with a word exchanged for one
/// from elsewhere.
fn damage(source: &str, rng: &mut Dice) -> Option<String> {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let inner: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].starts_with("  ")).collect();
    let (a, b) = (*inner.choose(rng)?, *inner.choose(rng)?);
    match rng.random_range(0..6) {
        0 => drop(lines.remove(a)),
        1 => lines.swap(a, b),
        2 => {
            let line = lines[a].clone();
            lines.insert(b, line);
        }
        3 => {
            let words = ["i1", "i8", "i32", "i64", "ptr", "float", "null", "0", "true", "poison", "1", "7"];
            let (from, to) = (*words.choose(rng)?, *words.choose(rng)?);
            let at = lines[a].match_indices(from).map(|m| m.0).collect::<Vec<_>>();
            let at = *at.choose(rng)?;
            lines[a].replace_range(at..at + from.len(), to);
        }
        _ => {
            let (from, to) = (*locals(&lines[a]).choose(rng)?, *locals(&lines[b]).choose(rng)?);
            let name = lines[b][to.0..to.1].to_owned();
            lines[a].replace_range(from.0..from.1, &name);
        }
    }
    Some(lines.join("\n"))
}

/// Whether the source has parts that are kept as text and only LLVM can check: unmodelled functions, and use-list
/// orders.
fn is_beyond_us(module: &Module, source: &str) -> bool {
    module.code.values().any(|code| matches!(code, Code::Opaque(_))) || source.contains("uselistorder")
}

/// Whether LLVM's message is about the inside of a specialised metadata node (`!DILocation(…)`), which is kept as text,
/// too.
fn is_inside_a_node(source: &str, complaint: &str) -> bool {
    let line = complaint.split("<stdin>:").nth(1).and_then(|rest| rest.split(':').next());
    let Some(line) = line.and_then(|l| l.parse::<usize>().ok()) else { return false };
    let lines: Vec<&str> = source.lines().take(line).collect();
    let start = lines.iter().rposition(|l| !l.starts_with([' ', '\t']) && !l.is_empty());
    start.is_some_and(|at| lines[at].starts_with('!') && lines[at].contains("!DI"))
}

#[test]
fn llvm_agrees_on_damaged_files() {
    let Some(opt) = peer("opt", "the verifier against opt") else { return };
    let mut files = corpus_files();
    files.extend(llvm_tests("the verifier on damaged tests of LLVM").map(|t| t.files()).unwrap_or_default());
    let count: u64 = std::env::var("BACKEDGE_VERIFY_MUTANTS").map_or(150, |n| n.parse().expect("a number"));
    let (mut wrong, mut rejected) = (Vec::new(), 0);
    for seed in 0..count {
        let mut rng = Dice::new(seed);
        let file = files.choose(&mut rng).expect("the corpus has files");
        let source = std::fs::read_to_string(file).expect("a file of the corpus");
        let Some(damaged) = damage(&source, &mut rng) else { continue };
        let answer = opt.run(&["-passes=verify", "-disable-output", "-"], damaged.as_bytes());
        let ours = match parse_module(damaged.as_bytes()) {
            Err(error) => Err(format!("parser: {error}")),
            Ok(parsed) if is_beyond_us(&parsed.module, &damaged) => continue,
            Ok(parsed) => match &verify_module(&parsed.module)[..] {
                [] => Ok(()),
                [first, ..] => Err(format!("verifier: {}", first.render(&parsed.module))),
            },
        };
        rejected += u64::from(!answer.ok());
        let said = ours.clone().err().unwrap_or_default();
        if !answer.ok() && is_inside_a_node(&damaged, &answer.stderr) {
            continue;
        }
        if answer.ok() != ours.is_ok() {
            wrong.push(format!(
                "seed {seed}, {}:\n  LLVM: {}\n  we: {said}",
                file.display(),
                answer.stderr.trim()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rejected > count / 4, "only {rejected} of {count} damaged files are wrong");
}

#[test]
fn llvm_agrees_on_which_attributes_are_of_parameters() {
    let Some(opt) = peer("opt", "attributes of parameters against opt") else { return };
    let mut wrong = Vec::new();
    let mut taken = 0;
    // `immarg` is only for parameters of intrinsics.
    for flag in FlagAttr::ALL.iter().filter(|f| **f != FlagAttr::ImmArg) {
        for ty in ["i32", "ptr"] {
            let source = format!("declare {ty} @f({ty} {})\n", flag.name());
            let theirs = opt.run(&["-passes=verify", "-disable-output", "-"], source.as_bytes());
            let ours = parse_module(source.as_bytes()).is_ok_and(|p| verify_module(&p.module).is_empty());
            taken += usize::from(theirs.ok());
            if theirs.ok() != ours {
                wrong.push(format!("{source}  LLVM: {}", theirs.stderr.trim()));
            }
        }
    }
    assert!(taken > 20, "{taken} are taken");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
