//! Small changes of a function's text: each is a mistake that the author of a transform may make.

use backedge_testkit::Dice;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use regex::{Captures, Regex};
use std::sync::LazyLock;

const PREDICATES: [&str; 10] = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];
const FLAGS: [&str; 4] = ["", " nuw", " nsw", " nuw nsw"];

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("well formed")
}

static CONSTANT: LazyLock<Regex> = LazyLock::new(|| regex(r"([ \[])(-?\d+)([ ,\]]|$)"));
static PREDICATE: LazyLock<Regex> = LazyLock::new(|| regex(r"icmp (\w+) "));
static WRAPPING: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(add|sub|mul|shl)(?: nuw)?(?: nsw)? "));
static EXACT: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(udiv|sdiv|lshr|ashr)( exact)? "));
static OPERANDS: LazyLock<Regex> = LazyLock::new(|| regex(r"(= \w+(?: \w+)* i\d+) ([^ ,]+), ([^ ,]+)$"));
static INCOMING: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\[ ([^,\]]+), (%[^ \]]+) \], \[ ([^,\]]+), (%[^ \]]+) \]"));
static BRANCHES: LazyLock<Regex> = LazyLock::new(|| regex(r"label (%[^ ,]+), label (%[^ ,]+)$"));
static FREEZE: LazyLock<Regex> = LazyLock::new(|| regex(r"= freeze (i\d+) (\S+)$"));
static SELECT: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(select i1 [^ ,]+), (i\d+ [^ ,]+), (i\d+ [^ ,]+)$"));
static STORE: LazyLock<Regex> = LazyLock::new(|| regex(r"^  store "));
static VALUE: LazyLock<Regex> = LazyLock::new(|| regex(r"( )(%[\w.]+)([,)\]]|$| \])"));
static DEFINED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^  (%[\w.]+) = |[ (](?:i\d+|ptr)(?: noundef)? (%[\w.]+)[,)]"));

/// The function with one change; `None` if the chosen change does not apply. The result need not be valid.
pub(crate) fn mutate(function: &str, random: &mut Dice) -> Option<String> {
    let kind = random.random_range(0..14);
    match kind {
        0 | 1 => {
            let step: i64 = if random.random_bool(0.5) { 1 } else { -1 };
            replace(function, &CONSTANT, random, &|found, _| {
                let value: i64 = found[2].parse().unwrap_or(0);
                format!("{}{}{}", &found[1], value.wrapping_add(step), &found[3])
            })
        }
        2 => {
            replace(function, &PREDICATE, random, &|_, random| format!("icmp {} ", random.pick(&PREDICATES)))
        }
        3 => replace(function, &WRAPPING, random, &|found, random| {
            format!("{}{} ", &found[1], random.pick(&FLAGS))
        }),
        4 => replace(function, &EXACT, random, &|found, random| {
            format!("{}{} ", &found[1], random.pick(&["", " exact"]))
        }),
        5 => replace(function, &OPERANDS, random, &|found, _| {
            format!("{} {}, {}", &found[1], &found[3], &found[2])
        }),
        6 => replace(function, &INCOMING, random, &|found, _| {
            format!("[ {}, {} ], [ {}, {} ]", &found[3], &found[2], &found[1], &found[4])
        }),
        7 => replace(function, &BRANCHES, random, &|found, _| {
            format!("label {}, label {}", &found[2], &found[1])
        }),
        8 => replace(function, &FREEZE, random, &|found, _| format!("= add {} {}, 0", &found[1], &found[2])),
        9 => replace(function, &SELECT, random, &|found, _| {
            format!("{}, {}, {}", &found[1], &found[3], &found[2])
        }),
        10 => move_store(function, random, true),
        11 => move_store(function, random, false),
        _ => {
            let names: Vec<String> = DEFINED
                .captures_iter(function)
                .filter_map(|c| c.get(1).or(c.get(2)).map(|m| m.as_str().to_owned()))
                .collect();
            let name = names.choose(random)?.clone();
            replace(function, &VALUE, random, &|found, _| format!("{}{name}{}", &found[1], &found[3]))
        }
    }
}

/// Replaces one of the matches in lines of code.
fn replace(
    function: &str,
    pattern: &Regex,
    random: &mut Dice,
    with: &dyn Fn(&Captures<'_>, &mut Dice) -> String,
) -> Option<String> {
    let mut places = Vec::new();
    let mut start = 0;
    for (i, line) in function.split('\n').enumerate() {
        if i > 0 && !line.trim_start().starts_with(';') {
            places.extend(pattern.captures_iter(line).map(|found| (start, found)));
        }
        start += line.len() + 1;
    }
    let (start, found) = places.choose(random)?;
    let range = found.get(0)?.range();
    let new = with(found, random);
    Some(format!("{}{new}{}", &function[..start + range.start], &function[start + range.end..]))
}

/// Drops a store, or moves it one instruction down.
fn move_store(function: &str, random: &mut Dice, drop: bool) -> Option<String> {
    let mut lines: Vec<&str> = function.split('\n').collect();
    let stores: Vec<usize> = (0..lines.len()).filter(|i| STORE.is_match(lines[*i])).collect();
    let at = *stores.choose(random)?;
    let store = lines.remove(at);
    if !drop {
        lines.insert(at + 1, store);
    }
    Some(lines.join("\n"))
}
