//! Flags as LLVM's tools take them: `-passes=lcssa` becomes `--passes=lcssa` before clap sees it.
//!
//! A word with one dash and several letters is one of these, or an error that names it; clap would read it as a short
//! flag with an attached value:
//! - a long flag of the chosen command, which is rewritten;
//! - a short flag with `=` and a value, such as `-o=x`;
//! - `-O3` or `-j4`: only these short flags have attached values; `opt` accepts `-O3`, but not `-oFILE`.
//!
//! The value of a flag is never rewritten: in `run --args -5,7` or `opt -o -S.ll` the second word stays as it is. Words
//! after `--` and words that begin with a digit after the dash are left to clap.

use crate::advice::{self, long_names};
use backedge_pipeline::PipelineErrorKind;
use backedge_pipeline::llvm::is_only_in_llvm;
use backedge_pipeline::registry::PASSES;
use clap::error::ErrorKind;
use clap::{Arg, Command};
use std::ffi::OsString;

/// A word that looks like a flag but is none of the chosen command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unknown {
    /// The chosen command, if the word comes after its name.
    command: Option<String>,
    message: String,
}

impl Unknown {
    /// The error in clap's form, with the usage of the command.
    pub(crate) fn into_error(self, command: &mut Command) -> clap::Error {
        command.build();
        let scope = match self.command.and_then(|name| command.find_subcommand_mut(name)) {
            Some(sub) => sub,
            None => command,
        };
        scope.error(ErrorKind::UnknownArgument, self.message)
    }
}

/// `args` (program name first) with single-dash long flags of `command`'s subcommands written with two dashes.
pub(crate) fn with_double_dashes(
    command: &Command,
    args: impl IntoIterator<Item = OsString>,
) -> Result<Vec<OsString>, Unknown> {
    let args: Vec<OsString> = args.into_iter().collect();
    let texts: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let mut words = args.iter();
    let mut out: Vec<OsString> = words.next().cloned().into_iter().collect();
    let mut scope = command;
    let mut chosen: Option<&Command> = None;
    while let Some(arg) = words.next() {
        if arg == "--" {
            out.push(arg.clone());
            break;
        }
        // The name of a flag is ASCII; its value may be any bytes, such as a file name.
        let text = arg.to_string_lossy();
        if !text.starts_with('-') || text == "-" {
            if let Some(sub) = command.find_subcommand(&*text).filter(|_| chosen.is_none()) {
                (scope, chosen) = (sub, Some(sub));
            }
            out.push(arg.clone());
            continue;
        }
        let flag = match read((scope, command), &text) {
            Word::Flag(flag) => flag,
            Word::LeftToClap => Flag { single_dash_long: false, value: None },
            Word::Unknown => {
                let message = chosen
                    .map_or_else(|| before_command(&text), |sub| unknown((sub, command), &text, &texts));
                return Err(Unknown { command: chosen.map(|sub| sub.get_name().to_owned()), message });
            }
        };
        let mut word = OsString::from(if flag.single_dash_long { "-" } else { "" });
        word.push(arg);
        out.push(word);
        if let Some(arg) = flag.value {
            let next = words.next();
            let wrong = next.and_then(|next| advice::no_command(arg, &next.to_string_lossy()));
            if let Some(message) = wrong {
                return Err(Unknown { command: chosen.map(|sub| sub.get_name().to_owned()), message });
            }
            out.extend(next.cloned());
        }
    }
    out.extend(words.cloned());
    Ok(out)
}

/// A word that begins with a dash.
enum Word<'c> {
    Flag(Flag<'c>),
    /// Not a flag that this module knows; clap accepts it or reports it.
    LeftToClap,
    /// Not a flag, but clap would read it as one or give no advice.
    Unknown,
}

struct Flag<'c> {
    /// A long flag that is spelled with one dash.
    single_dash_long: bool,
    /// The flag, if its value is the next word.
    value: Option<&'c Arg>,
}

/// Reads a word as a flag of `scope`, or of every command of `all`.
fn read<'c>((scope, all): (&'c Command, &'c Command), text: &str) -> Word<'c> {
    let globals = || all.get_arguments().filter(|arg| arg.is_global_set());
    let known = || scope.get_arguments().chain(globals());
    let name = text.trim_start_matches('-');
    let (name, has_value) = name.split_once('=').map_or((name, false), |(n, _)| (n, true));
    let single = !text.starts_with("--");
    if !single || name.chars().count() > 1 {
        let long = known().find(|a| long_names(a).any(|long| long == name));
        if let Some(arg) = long {
            let value = Some(arg).filter(|arg| wants_value(arg) && !has_value);
            return Word::Flag(Flag { single_dash_long: single, value });
        }
        if matches!(name, "help" | "version") {
            return Word::Flag(Flag { single_dash_long: single, value: None });
        }
    }
    if !single {
        return if is_level(name) || is_pass(name) { Word::Unknown } else { Word::LeftToClap };
    }
    let mut letters = name.chars();
    let Some(short) = letters.next().filter(|c| !c.is_ascii_digit()) else { return Word::LeftToClap };
    let attached = letters.as_str();
    let arg = known().find(|a| a.get_short() == Some(short));
    match arg {
        _ if !attached.is_empty() && !may_be_attached(arg, short, attached) => Word::Unknown,
        Some(arg) => {
            let value = Some(arg).filter(|arg| wants_value(arg) && attached.is_empty() && !has_value);
            Word::Flag(Flag { single_dash_long: false, value })
        }
        None => Word::LeftToClap,
    }
}

/// Whether `attached` is a value of the short flag `short`, which `arg` is, if the command has it.
fn may_be_attached(arg: Option<&Arg>, short: char, attached: &str) -> bool {
    let is_value = match short {
        'O' => true,
        'j' => attached.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    is_value && arg.is_some()
}

/// Whether the flag must be followed by a value.
fn wants_value(arg: &Arg) -> bool {
    arg.get_action().takes_values() && arg.get_num_args().is_none_or(|n| n.min_values() > 0)
}

/// Whether `name` is an optimization level of LLVM's tools.
fn is_level(name: &str) -> bool {
    matches!(name, "O0" | "O1" | "O2" | "O3" | "Os" | "Oz")
}

fn is_pass(name: &str) -> bool {
    is_only_in_llvm(name) || PASSES.iter().any(|p| p.name == name)
}

fn before_command(text: &str) -> String {
    format!(
        "unknown flag '{text}' before the command; flags follow it, as in `backedge opt -passes=licm a.ll`"
    )
}

/// The message for the word `text` of the command line `args`, which is no flag of `command`.
fn unknown((command, all): (&Command, &Command), text: &str, args: &[String]) -> String {
    let has = |long: &str| command.get_arguments().any(|a| a.get_long() == Some(long));
    let name = text.trim_start_matches('-');
    let of = format!("`backedge {}`", command.get_name());
    if has("passes") && is_level(name) {
        let external =
            if has("opt") { format!(", or --opt 'opt -{name} -S' for LLVM's") } else { String::new() };
        return format!("{of} takes no '{text}'; write -passes='default<{name}>'{external}");
    }
    if has("passes") && is_pass(name) {
        return old_spelling(text, args);
    }
    let mut message = format!("unknown flag '{text}' of {of}");
    let name = name.split('=').next().unwrap_or(name);
    if has("machine") && matches!(name, "mcpu" | "mattr" | "march") {
        return message
            + "; --machine chooses one of three kinds of processors, and `opt` has -mcpu and -mattr";
    }
    match name {
        "emit-llvm" => return message + "; the result is always text, so leave it out",
        "load" | "load-pass-plugin" if has("opt") => {
            return message + "; the command of --opt may have it: --opt 'opt -load-pass-plugin=… -S'";
        }
        "load" | "load-pass-plugin" => {
            return message
                + "; to check a pass of a plugin, run `backedge gate FILE --opt 'opt -load-pass-plugin=… -S'`";
        }
        _ => {}
    }
    let mut letters = name.chars();
    let short = letters.next().and_then(|c| command.get_arguments().find(|a| a.get_short() == Some(c)));
    if let Some(advice) = advice::flag(text, (command, all), args) {
        message.push_str(&format!("; {advice}"));
    } else if let Some(short) = short.filter(|a| wants_value(a)).and_then(Arg::get_short) {
        let value = &text[text.find(short).map_or(text.len(), |at| at + short.len_utf8())..];
        message.push_str(&format!("; the value of -{short} is a word of its own: -{short} {value}"));
    }
    message
}

/// The message for a pass that is spelled as a flag, as LLVM's old pass manager took it. The advice names all such
/// passes of the command line, in order.
fn old_spelling(text: &str, args: &[String]) -> String {
    let names = args.iter().filter_map(|arg| arg.strip_prefix('-'));
    let passes: Vec<&str> =
        names.map(|name| name.trim_start_matches('-')).filter(|name| is_pass(name)).collect();
    if let Some(name) = passes.iter().find(|name| is_only_in_llvm(name)) {
        return PipelineErrorKind::OnlyInLlvm { name: (*name).to_owned() }.to_string();
    }
    format!(
        "'{text}' is a pass in the spelling of LLVM's old pass manager; write -passes={}",
        passes.join(",")
    )
}

#[cfg(test)]
mod tests {
    use super::with_double_dashes;
    use clap::{Arg, ArgAction, Command};
    use std::ffi::OsString;

    /// The rewritten line, or the message of the error.
    fn rewrite(line: &str) -> String {
        let opt = Command::new("opt")
            .arg(Arg::new("passes").long("passes"))
            .arg(Arg::new("level").short('O'))
            .arg(Arg::new("machine").long("machine"))
            .arg(Arg::new("jobs").short('j').long("jobs"))
            .arg(Arg::new("out").short('o').long("output"))
            .arg(Arg::new("text").short('S').action(ArgAction::SetTrue))
            .arg(Arg::new("args").long("args"))
            .arg(Arg::new("remarks").long("remarks").num_args(0..=1).require_equals(true))
            .arg(Arg::new("input"));
        let gate = Command::new("gate")
            .arg(Arg::new("passes").long("passes"))
            .arg(Arg::new("opt").long("opt").value_name("COMMAND"));
        let command = Command::new("backedge").subcommand(opt).subcommand(gate);
        let args = line.split(' ').map(OsString::from);
        match with_double_dashes(&command, args) {
            Ok(words) => words.iter().map(|w| w.to_str().unwrap()).collect::<Vec<_>>().join(" "),
            Err(unknown) => unknown.message,
        }
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
            "backedge opt -O -passes",
            "backedge opt --args=-passes",
            "backedge opt -- -passes",
            "backedge opt -o=-passes",
            "backedge opt -O3 -j2 -j=2 -5,7",
            "backedge opt -Ofast",
            "backedge opt - -S",
            "backedge opt --frobnicate -x",
        ] {
            assert_eq!(rewrite(line), line);
        }
    }

    #[test]
    fn other_words_with_one_dash_are_errors() {
        for (line, message) in [
            ("opt -pases=lcssa", "unknown flag '-pases=lcssa' of `backedge opt`; did you mean '-passes'?"),
            ("opt -output-x", "unknown flag '-output-x' of `backedge opt`; did you mean '-output'?"),
            (
                "opt -obj/x=y",
                "unknown flag '-obj/x=y' of `backedge opt`; the value of -o is a word of its own: -o bj/x=y",
            ),
            ("opt -Sx", "unknown flag '-Sx' of `backedge opt`"),
            ("opt -fast", "unknown flag '-fast' of `backedge opt`"),
            (
                "opt -loop-rotate a.ll --licm",
                "'-loop-rotate' is a pass in the spelling of LLVM's old pass manager; write -passes=loop-rotate,licm",
            ),
            (
                "opt -licm -sroa",
                "'sroa' is a pass of LLVM that is not implemented here; to check LLVM's pass, run \
                 `backedge gate FILE --opt 'opt -passes=sroa -S'`",
            ),
            (
                "opt -mcpu=generic",
                "unknown flag '-mcpu=generic' of `backedge opt`; --machine chooses one of three kinds of processors, \
                 and `opt` has -mcpu and -mattr",
            ),
            (
                "gate --opt -passes=licm -S",
                "--opt takes a whole command in quotes, the program first, as in --opt 'opt -passes=licm -S'; \
                 '-passes=licm' is a flag",
            ),
            (
                "gate --opt opt -sx",
                "unknown flag '-sx' of `backedge gate`; --opt takes a whole command in quotes: --opt 'opt -sx -S'",
            ),
            ("gate -machine=x", "unknown flag '-machine=x' of `backedge gate`; `backedge opt` has that flag"),
            (
                "gate -O3",
                "`backedge gate` takes no '-O3'; write -passes='default<O3>', or --opt 'opt -O3 -S' for LLVM's",
            ),
            (
                "-passes=x opt",
                "unknown flag '-passes=x' before the command; flags follow it, as in \
                 `backedge opt -passes=licm a.ll`",
            ),
        ] {
            assert_eq!(rewrite(&format!("backedge {line}")), message);
        }
    }
}
