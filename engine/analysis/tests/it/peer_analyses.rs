//! Alias and must-execute results on LLVM's loop tests compared with LLVM 22's: no result may contradict (must-alias on
//! one side, no-alias on the other), and the shares of known results must not regress.

use backedge_analysis::alias::AliasResult;
use backedge_analysis::cache::Analyses;
use backedge_analysis::print::{accessed_pointers, alias_pairs, must_execute_to_string};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::{BodyPrinter, type_to_string};
use backedge_testkit::{llvm_tests, peer};
use std::collections::HashMap;

/// Results for pairs of accessed pointers.
type Pairs = HashMap<(String, String), String>;

fn sorted(a: String, b: String) -> (String, String) {
    if a < b { (a, b) } else { (b, a) }
}

/// The results of `aa-eval`, by function.
fn theirs(report: &str) -> HashMap<String, Pairs> {
    let mut functions: HashMap<String, Pairs> = HashMap::new();
    let mut current = None;
    for line in report.lines() {
        if let Some(rest) = line.strip_prefix("Function: ") {
            current = rest.split(": ").next().map(str::to_owned);
            functions.insert(current.clone().unwrap_or_default(), Pairs::new());
        } else if let (Some(name), Some((answer, pair))) = (&current, line.split_once(":\t"))
            && let Some((a, b)) = pair.split_once(", ")
        {
            let word = answer.trim().split(' ').next().unwrap_or_default().to_owned();
            functions.entry(name.clone()).or_default().insert(sorted(a.into(), b.into()), word);
        }
    }
    functions
}

fn ours(module: &Module) -> HashMap<String, Pairs> {
    let env = &module.env;
    let mut functions = HashMap::new();
    for (func, body) in module.bodies() {
        let analyses = Analyses::of(func);
        let at = analyses.at(env, body);
        let (pointers, printer) = (accessed_pointers(body), BodyPrinter::new(env, body));
        let spelled = |i: usize| {
            let (ptr, ty) = pointers[i];
            format!("{}* {}", type_to_string(&env.types, ty), printer.operand(ptr))
        };
        let word = |r| match r {
            AliasResult::NoAlias => "NoAlias",
            AliasResult::MayAlias => "MayAlias",
            AliasResult::PartialAlias(_) => "PartialAlias",
            AliasResult::MustAlias => "MustAlias",
        };
        let pairs = alias_pairs(at).into_iter();
        let pairs = pairs.map(|(i, j, r)| (sorted(spelled(i), spelled(j)), word(r).to_owned())).collect();
        functions.insert(env.funcs[func].name.to_string(), pairs);
    }
    functions
}

#[test]
fn alias_answers() {
    const WHAT: &str = "alias answers on LLVM's loop tests";
    let (Some(tests), Some(opt)) = (llvm_tests(WHAT), peer("opt", WHAT)) else { return };
    let mut counts: HashMap<(String, String), u64> = HashMap::new();
    let (mut contradictions, mut lost) = (Vec::new(), Vec::new());
    for path in tests.sample() {
        let source = std::fs::read(&path).expect("to read a test");
        let args =
            ["-aa-pipeline=basic-aa", "-passes=aa-eval", "-print-all-alias-modref-info", "-disable-output"];
        let answer = opt.run(&args, &source);
        let Ok(parsed) = parse_module(&source) else { continue };
        if !answer.ok() {
            continue;
        }
        let mut theirs = theirs(&answer.stderr);
        for (name, pairs) in ours(&parsed.module) {
            let Some(theirs) = theirs.remove(&name) else { continue };
            for (pair, said) in pairs {
                let Some(other) = theirs.get(&pair) else { continue };
                *counts.entry((said.clone(), other.clone())).or_default() += 1;
                let overlap = |s: &str| s == "MustAlias" || s == "PartialAlias";
                if said == "NoAlias" && overlap(other) || other == "NoAlias" && overlap(&said) {
                    contradictions.push(format!("{} {name} {pair:?}: {said}, LLVM {other}", path.display()));
                }
                if said == "MayAlias" && other == "NoAlias" {
                    lost.push(format!("{} {name} {pair:?}", path.display()));
                }
            }
        }
    }
    let mut table: Vec<_> = counts.iter().collect();
    table.sort();
    println!("(ours, LLVM's): {table:?}");
    if std::env::var_os("BACKEDGE_LIST_LOST").is_some() {
        println!("{}", lost.join("\n"));
    }
    assert!(contradictions.is_empty(), "{}", contradictions.join("\n"));
    let no_alias = |ours: bool| -> u64 {
        counts
            .iter()
            .filter(|((a, b), _)| if ours { a == "NoAlias" } else { b == "NoAlias" })
            .map(|(_, n)| n)
            .sum()
    };
    println!("NoAlias: ours {}, LLVM's basic-aa {}", no_alias(true), no_alias(false));
    assert!(no_alias(true) * 100 >= no_alias(false) * 95, "fewer no-alias pairs than LLVM");
}

/// The number of marked instructions in each function.
fn marks(text: &str, start: &str, name: impl Fn(&str) -> Option<String>) -> HashMap<String, u64> {
    let mut functions = HashMap::new();
    let mut current = None;
    for line in text.lines() {
        if line.starts_with(start) {
            current = name(line);
        } else if let Some(current) = &current
            && line.contains("; (mustexec in")
            && !line.contains("mustexec in: function")
        {
            *functions.entry(current.clone()).or_default() += 1;
        }
    }
    functions
}

#[test]
fn must_execute() {
    const WHAT: &str = "must-execute on LLVM's loop tests";
    let (Some(tests), Some(opt)) = (llvm_tests(WHAT), peer("opt", WHAT)) else { return };
    let (mut our_sum, mut their_sum, mut fewer) = (0, 0, Vec::new());
    for path in tests.sample() {
        let source = std::fs::read(&path).expect("to read a test");
        let answer = opt.run(&["-passes=print-mustexecute", "-disable-output"], &source);
        let Ok(parsed) = parse_module(&source) else { continue };
        if !answer.ok() {
            continue;
        }
        let printed = format!("{}\n{}", answer.stdout, answer.stderr);
        let theirs = marks(&printed, "define ", |line| {
            let rest = &line[line.find('@')? + 1..];
            Some(rest[..rest.find('(')?].to_owned())
        });
        for (func, body) in parsed.module.bodies() {
            let text = must_execute_to_string(&parsed.module.env, func, body);
            let name = parsed.module.env.funcs[func].name.to_string();
            let ours: u64 = marks(&text, "Executed in function", |_| Some(String::new())).values().sum();
            let theirs = theirs.get(&name).copied().unwrap_or(0);
            (our_sum, their_sum) = (our_sum + ours, their_sum + theirs);
            if ours < theirs {
                fewer.push(format!("{} {name}: {ours}, LLVM {theirs}", path.display()));
            }
        }
    }
    println!(
        "instructions marked: ours {our_sum}, LLVM's {their_sum}; functions with fewer: {}",
        fewer.len()
    );
    if std::env::var_os("BACKEDGE_LIST_LOST").is_some() {
        println!("{}", fewer.join("\n"));
    }
    assert!(our_sum * 100 >= their_sum * 95);
}
