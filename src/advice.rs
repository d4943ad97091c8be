//! Advice in messages about the command line: what to write instead of a wrong word.
//!
//! clap suggests the most similar flag however different it is, and `--` before any unknown word. Both mislead here, so
//! its suggestions about unknown flags are replaced.

use crate::report::format;
use backedge_pipeline::nearest;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::path::Path;

/// `text`, a message of clap's, with plain words for the standard library's about numbers.
pub(crate) fn in_plain_words(text: &str) -> String {
    with_plain_ranges(text)
        .replace("invalid digit found in string", "expected a whole number")
        .replace("cannot parse integer from empty string", "expected a whole number")
        .replace("number too large to fit in target type", "the number is too large")
}

/// `text` with ranges as in `is not in 0..=1024` in words.
fn with_plain_ranges(text: &str) -> String {
    const WORDS: &str = " is not in ";
    let mut parts = text.split(WORDS);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let range = part.split_whitespace().next().unwrap_or_default();
        let bounds = range.split_once("..").map(|(least, most)| (least, most.trim_start_matches('=')));
        match bounds {
            // The upper limit is that of the type.
            Some((least, most))
                if most.parse().is_ok_and(|most| [u64::from(u32::MAX), u64::MAX].contains(&most)) =>
            {
                out.push_str(&format!(" is too small, expected at least {least}"));
            }
            Some((least, most)) => out.push_str(&format!(" is not between {least} and {most}")),
            None => out.push_str(&format!("{WORDS}{range}")),
        }
        out.push_str(&part[range.len()..]);
    }
    out
}

/// The long names of a flag.
pub(crate) fn long_names(arg: &Arg) -> impl Iterator<Item = &str> {
    arg.get_long().into_iter().chain(arg.get_all_aliases().into_iter().flatten())
}

/// Removes clap's suggestions about an unknown flag, which [`advice`] replaces.
pub(crate) fn without_suggestions(error: &mut clap::Error, command: &Command, args: &[String]) {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return };
    if error.kind() != ErrorKind::UnknownArgument || !word.starts_with('-') {
        return;
    }
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Suggested);
    let mut built = command.clone();
    built.build();
    let mut scope = &mut built;
    for name in chosen_names(command, args) {
        match scope.find_subcommand_mut(name) {
            Some(sub) => scope = sub,
            None => return,
        }
    }
    error.insert(ContextKind::Usage, ContextValue::StyledStr(scope.render_usage()));
}

/// Advice for an error that clap reports: about repeated flags, missing or misplaced words, or the command's name.
///
/// `args` is the command line, the program's name first.
pub(crate) fn advice(error: &clap::Error, command: &Command, args: &[String]) -> Option<String> {
    let names_level = |kind| match error.get(kind) {
        Some(ContextValue::String(arg)) => arg.starts_with("-O "),
        Some(ContextValue::Strings(args)) => args.iter().any(|arg| arg.starts_with("-O ")),
        _ => false,
    };
    let [invalid, prior] = [ContextKind::InvalidArg, ContextKind::PriorArg].map(names_level);
    match (error.kind(), invalid, prior) {
        (ErrorKind::ArgumentConflict, true, true) => Some(
            "a level is given once; to run its pipeline twice, write -passes='default<O3>,default<O3>'"
                .into(),
        ),
        (ErrorKind::ArgumentConflict, true, false) | (ErrorKind::ArgumentConflict, false, true) => {
            Some("name the default pipeline as a pass, as in -passes='default<O2>,licm'".into())
        }
        (ErrorKind::ArgumentConflict, ..) if is_repeated(error, "--passes ") => {
            Some("write all passes in one list, as in -passes=loop-rotate,licm".into())
        }
        (ErrorKind::ArgumentConflict, ..) if unquoted(args).is_some() => unquoted(args),
        (ErrorKind::UnknownArgument, ..) => {
            let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return None };
            match chosen(command, args) {
                Some(sub) => unexpected(word, (sub, command), args),
                None => flag(word, (command, command), args),
            }
        }
        (ErrorKind::InvalidValue, ..) => {
            let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidValue) else { return None };
            let is_print = chosen(command, args)?.get_name() == "print";
            (is_print && Path::new(word).is_file())
                .then(|| format!("what to print comes before the file, as in `backedge print loops {word}`"))
        }
        (ErrorKind::InvalidSubcommand, ..) => {
            let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
                return None;
            };
            Some(commands(word, command, args))
        }
        (ErrorKind::MissingRequiredArgument, ..) => {
            let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
                return None;
            };
            values_of(missing, chosen(command, args)?).or_else(|| substitutes(missing))
        }
        _ => None,
    }
}

/// Whether `error` is about a flag that begins with `flag` and is given twice.
fn is_repeated(error: &clap::Error, flag: &str) -> bool {
    [ContextKind::InvalidArg, ContextKind::PriorArg]
        .into_iter()
        .all(|kind| matches!(error.get(kind), Some(ContextValue::String(arg)) if arg.starts_with(flag)))
}

/// Advice for `word`, which `command` does not expect.
fn unexpected(word: &str, (command, all): (&Command, &Command), args: &[String]) -> Option<String> {
    let name = command.get_name();
    let has_value =
        |arg: &Arg, text: &str| arg.get_possible_values().iter().any(|value| value.get_name() == text);
    let attached = |arg: &&Arg| arg.is_require_equals_set() && has_value(arg, word);
    if let Some(flag) = command.get_arguments().find(attached).and_then(Arg::get_long) {
        return Some(format!("a value of --{flag} is attached: --{flag}={word}"));
    }
    let bare = word.trim_start_matches('-');
    if bare != word {
        let is_word = command.get_positionals().any(|arg| has_value(arg, bare));
        let without = || format!("it is written without dashes: `backedge {name} {bare}`");
        return if is_word { Some(without()) } else { flag(word, (command, all), args) };
    }
    match name {
        _ if Path::new(word).exists() => Some(format!("`backedge {name}` takes no further file")),
        "run" if word.starts_with(|c: char| c.is_ascii_digit()) => {
            Some(format!("the arguments of the function are one word after --args: --args {word},…"))
        }
        "run" => Some(format!("--function {word} names the function")),
        _ => None,
    }
}

/// Advice for the unknown flag `word` of `command`, one of the commands of `all`.
pub(crate) fn flag(word: &str, (command, all): (&Command, &Command), args: &[String]) -> Option<String> {
    if let Some(advice) = unquoted(args) {
        return Some(advice);
    }
    let bare = word.trim_start_matches('-');
    let dashes = &word[..word.len() - bare.len()];
    let name = bare.split('=').next().unwrap_or(bare);
    if matches!(name, "no-color" | "no-colour" | "nocolor") {
        return Some("--color never prints no colors".to_owned());
    }
    let known: Vec<&str> = flags_of(command, all).collect();
    match name.strip_prefix("no-") {
        Some(positive) if known.contains(&positive) => return Some(format!("leave out --{positive}")),
        _ if known.contains(&&*format!("no-{name}")) => {
            return Some(format!("that is the default; --no-{name} turns it off"));
        }
        _ => {}
    }
    // The opposite of a flag is similar to it.
    let is_negative = name.starts_with("no-");
    let near = nearest(name, known.iter().copied().filter(|flag| flag.starts_with("no-") == is_negative));
    if let Some(near) = near {
        return Some(format!("did you mean '{dashes}{near}'?"));
    }
    if format::names().any(|format| format == name) {
        let format = format!("--format {name} or --format {name}=FILE");
        return Some(match known.contains(&"format") {
            true => format!("write {format}"),
            false => format!("`backedge gate` has this report: {format}"),
        });
    }
    let others =
        all.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != command.get_name());
    let others: Vec<String> = others.filter_map(|sub| has_flag(sub, name)).collect();
    match &others[..] {
        [] if command.get_name() == "run" => {
            Some(format!("words after -- are arguments of the function: -- {word}"))
        }
        [] => None,
        [other] => Some(format!("{other} has that flag")),
        [first @ .., last] => Some(format!("{} and {last} have that flag", first.join(", "))),
    }
}

/// The long names of the visible flags of `command`, and of those that all commands have.
fn flags_of<'c>(command: &'c Command, all: &'c Command) -> impl Iterator<Item = &'c str> {
    let globals = all.get_arguments().filter(|arg| arg.is_global_set());
    let visible = command.get_arguments().chain(globals).filter(|arg| !arg.is_hide_set());
    visible.flat_map(long_names).chain(["help", "version"])
}

/// The name of `command`, or of one of its commands, if it has the flag.
fn has_flag(command: &Command, flag: &str) -> Option<String> {
    let has = |command: &Command| {
        let mut args = command.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_global_set());
        args.any(|arg| long_names(arg).any(|long| long == flag))
    };
    let name = command.get_name();
    if has(command) {
        return Some(format!("`backedge {name}`"));
    }
    let sub = command.get_subcommands().find(|sub| has(sub))?;
    Some(format!("`backedge {name} {}`", sub.get_name()))
}

/// Advice if a command is not quoted: after `--opt opt` come words that begin with a dash.
fn unquoted(args: &[String]) -> Option<String> {
    let at = args.iter().position(|arg| matches!(arg.as_str(), "--opt" | "-opt"))?;
    let (program, after) = args.get(at + 1..)?.split_first()?;
    let count = after.iter().take_while(|word| word.starts_with('-') && word.len() > 1).count();
    if count == 0 || program.starts_with('-') || program.contains(char::is_whitespace) {
        return None;
    }
    let flags = after[..count].join(" ");
    let is_opt = program.rsplit('/').next().is_some_and(|name| name.starts_with("opt"));
    let text = if is_opt && !after[..count].iter().any(|flag| flag == "-S") { " -S" } else { "" };
    Some(format!("--opt takes a whole command in quotes: --opt '{program} {flags}{text}'"))
}

/// The message for the word `next` in place of the command that `arg` takes; `None` if it may be one.
pub(crate) fn no_command(arg: &Arg, next: &str) -> Option<String> {
    let takes_command =
        arg.get_value_names().is_some_and(|names| matches!(names, [name] if name == "COMMAND"));
    if !takes_command || !next.starts_with('-') {
        return None;
    }
    let flag = arg.get_long().unwrap_or_default();
    let example = match flag {
        "opt" => format!(", as in --opt 'opt {next}{}'", if next == "-S" { "" } else { " -S" }),
        _ => String::new(),
    };
    Some(format!("--{flag} takes a whole command in quotes, the program first{example}; '{next}' is a flag"))
}

/// Advice for missing flags that others may replace.
fn substitutes(missing: &[String]) -> Option<String> {
    let is_missing = |flag: &str| missing.iter().any(|arg| arg.starts_with(flag));
    if is_missing("--seeds ") {
        return Some("a time will do too, as in `backedge fuzz --time 30m`".to_owned());
    }
    is_missing("--passes ").then(|| "--opt COMMAND names another optimizer in place of --passes".to_owned())
}

/// The subcommand that the arguments choose.
fn chosen<'c>(command: &'c Command, args: &[String]) -> Option<&'c Command> {
    let names = chosen_names(command, args);
    let found = names.iter().try_fold(command, |scope, name| scope.find_subcommand(name));
    found.filter(|_| !names.is_empty())
}

/// The names of the subcommands that the arguments choose, the outer one first.
fn chosen_names<'a>(command: &Command, args: &'a [String]) -> Vec<&'a str> {
    let (mut scope, mut names) = (command, Vec::new());
    for word in args.iter().skip(1) {
        if let Some(sub) = scope.find_subcommand(word) {
            names.push(word.as_str());
            scope = sub;
            if !sub.has_subcommands() {
                break;
            }
        }
    }
    names
}

/// The values of the first of the `missing` arguments of `command` that has a fixed list of them.
fn values_of(missing: &[String], command: &Command) -> Option<String> {
    let is_missing = |arg: &&Arg| missing.contains(&format!("<{}>", arg.get_id().as_str().to_uppercase()));
    let values = |arg: &Arg| -> Vec<String> {
        let all = arg.get_possible_values();
        all.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name().to_owned()).collect()
    };
    let mut lists = command.get_arguments().filter(is_missing).map(|arg| (arg.get_id(), values(arg)));
    let (id, list) = lists.find(|(_, list)| !list.is_empty())?;
    Some(format!("<{}> is one of {}", id.as_str().to_uppercase(), list.join(", ")))
}

/// Advice for `word` in the place of a command: the command is missing if `word` is a file.
fn commands(word: &str, command: &Command, args: &[String]) -> String {
    let nested = chosen(command, args);
    let (scope, prefix) =
        nested.map_or((command, String::new()), |sub| (sub, format!("{} ", sub.get_name())));
    let names: Vec<&str> =
        scope.get_subcommands().filter(|sub| !sub.is_hide_set()).map(Command::get_name).collect();
    match &names[..] {
        [first, ..] if Path::new(word).exists() => {
            format!("a command comes before the file, as in `backedge {prefix}{first} {word}`")
        }
        [only] => format!("the command is `backedge {prefix}{only}`"),
        _ => format!("the commands are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_plain_words, unquoted};

    #[test]
    fn ranges_are_in_words() {
        for (text, words) in [
            ("5 is not in 0..=4\n", "5 is not between 0 and 4\n"),
            ("0 is not in 1..18446744073709551615", "0 is too small, expected at least 1"),
            ("0 is not in 1..=4294967295 x", "0 is too small, expected at least 1 x"),
            ("9 is not in 0..=5000000000", "9 is not between 0 and 5000000000"),
            ("it is not in a list", "it is not in a list"),
        ] {
            assert_eq!(in_plain_words(text), words);
        }
    }

    #[test]
    fn commands_without_quotes_are_found() {
        let advice = |line: &str| unquoted(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let found = advice("gate --opt opt-22 -passes=licm -S a.ll");
        assert_eq!(
            found.as_deref(),
            Some("--opt takes a whole command in quotes: --opt 'opt-22 -passes=licm -S'")
        );
        for line in ["gate --opt opt a.ll -S", "gate --opt", "gate --opt -S", "gate -S --opt opt"] {
            assert_eq!(advice(line), None, "{line}");
        }
    }
}
