//! Long flags with one dash, as LLVM's tools take them: `-passes=lcssa` becomes `--passes=lcssa` before clap sees it.
//!
//! Only names that the chosen command has as long flags are rewritten, and never the value of a flag: in
//! `run --args -5,7` or `opt -o -S.ll` the second word stays as it is. What follows `--` is left alone.

use clap::{Arg, Command};
use std::ffi::{OsStr, OsString};

/// `args` (program name first) with single-dash long flags of `command`'s subcommands written with two dashes.
pub(crate) fn with_double_dashes(
    command: &Command,
    args: impl IntoIterator<Item = OsString>,
) -> Vec<OsString> {
    let mut args = args.into_iter();
    let mut out: Vec<OsString> = args.next().into_iter().collect();
    let mut scope = command;
    let mut in_subcommand = false;
    while let Some(arg) = args.next() {
        if arg == "--" {
            out.push(arg);
            break;
        }
        let Some(text) = arg.to_str() else {
            out.push(arg);
            continue;
        };
        if !text.starts_with('-') || text == "-" {
            if let Some(sub) = command.find_subcommand(text).filter(|_| !in_subcommand) {
                scope = sub;
                in_subcommand = true;
            }
            out.push(arg);
            continue;
        }
        let flag = find_flag(scope, text);
        let takes_next = flag.as_ref().is_some_and(|f| f.wants_next_word);
        match flag {
            Some(f) if f.single_dash_long => out.push(OsString::from(format!("-{text}"))),
            _ => out.push(arg),
        }
        if takes_next {
            out.extend(args.next());
        }
    }
    out.extend(args);
    out
}

struct Flag {
    /// A long flag that is spelled with one dash.
    single_dash_long: bool,
    /// Whether the flag's value is the next word.
    wants_next_word: bool,
}

fn find_flag(scope: &Command, text: &str) -> Option<Flag> {
    let name = text.trim_start_matches('-');
    let (name, has_value) = name.split_once('=').map_or((name, false), |(n, _)| (n, true));
    let long =
        |a: &&Arg| a.get_long() == Some(name) || a.get_all_aliases().is_some_and(|all| all.contains(&name));
    if text.starts_with("--") {
        let arg = scope.get_arguments().find(long)?;
        return Some(Flag { single_dash_long: false, wants_next_word: wants_value(arg) && !has_value });
    }
    if name.chars().count() > 1 {
        if matches!(name, "help" | "version") {
            return Some(Flag { single_dash_long: true, wants_next_word: false });
        }
        if let Some(arg) = scope.get_arguments().find(long) {
            return Some(Flag { single_dash_long: true, wants_next_word: wants_value(arg) && !has_value });
        }
    }
    let short = name.chars().next()?;
    let arg = scope.get_arguments().find(|a| a.get_short() == Some(short))?;
    // `-ofile` contains its value, `-o file` does not.
    Some(Flag { single_dash_long: false, wants_next_word: wants_value(arg) && text.len() == 2 })
}

/// Whether the flag must be followed by a value.
fn wants_value(arg: &Arg) -> bool {
    arg.get_action().takes_values() && arg.get_num_args().is_none_or(|n| n.min_values() > 0)
}

/// A hint for LLVM spellings that users might expect.
pub(crate) fn hint(text: &OsStr) -> Option<&'static str> {
    let text = text.to_str()?.trim_start_matches('-');
    match text {
        "O0" | "O1" | "O2" | "O3" | "Os" | "Oz" => {
            Some("name the default pipeline as a pass, as in -passes='default<O2>'")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::with_double_dashes;
    use clap::{Arg, ArgAction, Command};
    use std::ffi::OsString;

    fn rewrite(line: &str) -> String {
        let opt = Command::new("opt")
            .arg(Arg::new("passes").long("passes"))
            .arg(Arg::new("out").short('o').long("output"))
            .arg(Arg::new("text").short('S').action(ArgAction::SetTrue))
            .arg(Arg::new("args").long("args"))
            .arg(Arg::new("remarks").long("remarks").num_args(0..=1).require_equals(true))
            .arg(Arg::new("input"));
        let command = Command::new("backedge").subcommand(opt);
        let args = line.split(' ').map(OsString::from);
        let words = with_double_dashes(&command, args);
        words.iter().map(|w| w.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn long_flags_gain_a_dash() {
        assert_eq!(rewrite("backedge opt -passes=lcssa in.ll -S"), "backedge opt --passes=lcssa in.ll -S");
        assert_eq!(rewrite("backedge opt -passes lcssa"), "backedge opt --passes lcssa");
        assert_eq!(rewrite("backedge opt -output=x"), "backedge opt --output=x");
        assert_eq!(rewrite("backedge opt -remarks x.ll"), "backedge opt --remarks x.ll");
        assert_eq!(rewrite("backedge opt -help"), "backedge opt --help");
    }

    #[test]
    fn values_stay_as_they_are() {
        for line in [
            "backedge opt --args -passes",
            "backedge opt -o -passes",
            "backedge opt --args=-passes",
            "backedge opt -- -passes",
            "backedge opt -o-passes",
            "backedge opt - -S",
            "backedge -passes=x",
        ] {
            assert_eq!(rewrite(line), line);
        }
    }
}
