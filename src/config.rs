//! `backedge.toml`: defaults for long flags, in the current directory or the nearest parent that has one.
//!
//! ```toml
//! [all]                  # every command that has the flag
//! jobs = 4
//! [gate]
//! passes = "licm"
//! strict-undef = true
//! ```
//!
//! A key is a long flag without dashes. `true` gives a flag without a value, `false` leaves it out, a list repeats it.
//! Flags of the command line win: a default is dropped if the command line has the flag, or one that excludes it.
//! Keys that no command has, and values of other types, are errors with their place in the file.

use crate::problem::Problem;
use crate::shown::shown;
use backedge_pipeline::nearest;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name of the file.
const NAME: &str = "backedge.toml";
/// The table for all commands.
const ALL: &str = "all";
/// Maximum size in bytes.
const LIMIT: u64 = 1 << 20;
/// Flags that a file can't set.
const EXCLUDED: [&str; 3] = ["no-config", "help", "version"];

/// The file, and the flags that it adds to a command line.
pub(crate) struct Defaults {
    /// The file's name for messages.
    pub(crate) file: String,
    /// The flags, as words.
    pub(crate) words: Vec<String>,
}

/// The nearest configuration file for `args` (program name first), and the flags that it adds. `None` without a file, with
/// --no-config, and without a command.
pub(crate) fn defaults(command: &Command, args: &[OsString]) -> Result<Option<Defaults>, Box<Problem>> {
    // Errors of the command line are reported later.
    let Ok(matches) = command.clone().ignore_errors(true).try_get_matches_from(args) else { return Ok(None) };
    let Some((name, given)) = matches.subcommand() else { return Ok(None) };
    let Some(sub) = command.find_subcommand(name).filter(|sub| !sub.is_hide_set()) else { return Ok(None) };
    if given.try_get_one("no_config").ok().flatten().copied().unwrap_or(false) {
        return Ok(None);
    }
    let Some(path) = find() else { return Ok(None) };
    let file = File::read(&path)?;
    let words = file.words(command, sub, given)?;
    Ok(Some(Defaults { file: file.name, words }))
}

/// `args` with the words of `defaults` after the name of the command.
pub(crate) fn with_defaults(command: &Command, args: &[OsString], defaults: &Defaults) -> Vec<OsString> {
    let is_command = |word: &OsString| word.to_str().is_some_and(|w| command.find_subcommand(w).is_some());
    let at = args.iter().skip(1).position(is_command).map_or(args.len(), |at| at + 2);
    let (before, after) = args.split_at(at);
    let words = defaults.words.iter().map(OsString::from);
    before.iter().cloned().chain(words).chain(after.iter().cloned()).collect()
}

/// The file in the current directory or the nearest parent.
fn find() -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    current.ancestors().map(|dir| dir.join(NAME)).find(|path| path.is_file())
}

struct File {
    name: String,
    text: String,
}

/// The value of a key.
type Entry<'a> = (String, Range<usize>, &'a Spanned<DeValue<'a>>);

impl File {
    fn read(path: &Path) -> Result<Self, Box<Problem>> {
        let name = shown(path);
        let fail = |why: String| Box::new(Problem::error(format!("{name} can't be read: {why}")));
        let size = std::fs::metadata(path).map_err(|e| fail(e.to_string()))?.len();
        if size > LIMIT {
            return Err(fail(format!("it is larger than {} MB", LIMIT >> 20)));
        }
        let text = std::fs::read_to_string(path).map_err(|e| fail(e.to_string()))?;
        Ok(Self { name, text })
    }

    fn problem(&self, message: String, span: Range<usize>, help: Option<String>) -> Box<Problem> {
        Box::new(Problem::error(message).help(help).at(&self.name, self.text.as_bytes(), span, "here"))
    }

    /// The words for the command `sub`, where `given` is what its command line has.
    fn words(
        &self,
        command: &Command,
        sub: &Command,
        given: &ArgMatches,
    ) -> Result<Vec<String>, Box<Problem>> {
        let parsed = DeTable::parse(&self.text)
            .map_err(|e| self.problem(e.message().to_owned(), e.span().unwrap_or(0..0), None))?;
        let mut words = Vec::new();
        let mut own: Vec<Entry<'_>> = Vec::new();
        let mut of_all: Vec<Entry<'_>> = Vec::new();
        for (table, value) in parsed.get_ref() {
            let name = table.get_ref().to_string();
            let of_table = self.table(command, &name, table.span(), value)?;
            if name == ALL {
                of_all.extend(of_table);
            } else if name == sub.get_name() {
                own.extend(of_table);
            }
        }
        // The table of the command wins.
        of_all.retain(|(key, ..)| own.iter().all(|(other, ..)| other != key));
        for (key, span, value) in own.into_iter().chain(of_all) {
            let arg = flags(command, sub).find(|arg| arg.get_long() == Some(&*key));
            let Some(arg) = arg else { continue };
            let values = self.values(arg, &key, span, value)?;
            if !is_overridden(sub, arg, given) {
                words.extend(values);
            }
        }
        Ok(words)
    }

    /// The entries of a table, whose keys are flags of the command of that name.
    fn table<'a>(
        &self,
        command: &Command,
        name: &str,
        span: Range<usize>,
        value: &'a Spanned<DeValue<'a>>,
    ) -> Result<Vec<Entry<'a>>, Box<Problem>> {
        let commands: Vec<&Command> =
            command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help").collect();
        let of_name: Vec<&Command> =
            commands.iter().copied().filter(|sub| name == ALL || sub.get_name() == name).collect();
        let tables = || commands.iter().map(|sub| sub.get_name()).chain([ALL]);
        let DeValue::Table(entries) = value.get_ref() else {
            let help = format!("flags belong into the table of a command, such as [gate], or into [{ALL}]");
            return Err(self.problem(format!("`{name}` is outside of a table"), span, Some(help)));
        };
        if of_name.is_empty() {
            let help = match nearest(name, tables()) {
                Some(near) => format!("did you mean [{near}]?"),
                None => format!("tables are {}", tables().collect::<Vec<_>>().join(", ")),
            };
            return Err(self.problem(format!("[{name}] is no command"), span, Some(help)));
        }
        let mut found = Vec::new();
        for (key, value) in entries {
            let text = key.get_ref().to_string();
            let known: Vec<&Arg> = of_name.iter().flat_map(|sub| flags(command, sub)).collect();
            let Some(arg) = known.iter().find(|arg| arg.get_long() == Some(&*text)) else {
                let near = nearest(&text, known.iter().filter_map(|arg| arg.get_long()));
                let whose = if name == ALL { "any command".to_owned() } else { format!("`backedge {name}`") };
                let help = near.map(|near| format!("did you mean `{near}`?"));
                return Err(self.problem(format!("`{text}` is no long flag of {whose}"), key.span(), help));
            };
            // Other commands' tables are checked too.
            self.values(arg, &text, value.span(), value)?;
            found.push((text, value.span(), value));
        }
        Ok(found)
    }

    /// The words for one flag.
    fn values(
        &self,
        arg: &Arg,
        key: &str,
        span: Range<usize>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<String>, Box<Problem>> {
        let takes_values = arg.get_action().takes_values();
        let needs_value = takes_values && arg.get_num_args().is_none_or(|n| n.min_values() > 0);
        let bad = |what: &str| Err(self.problem(format!("`{key}` {what}"), span.clone(), None));
        match value.get_ref() {
            DeValue::Boolean(true) if !needs_value => Ok(vec![format!("--{key}")]),
            DeValue::Boolean(false) if !needs_value => Ok(Vec::new()),
            DeValue::Boolean(_) => bad("needs a value"),
            _ if !takes_values => bad("is true or false: the flag takes no value"),
            DeValue::String(text) => Ok(vec![format!("--{key}={text}")]),
            DeValue::Integer(number) => Ok(vec![format!("--{key}={}", number.as_str())]),
            DeValue::Float(number) => Ok(vec![format!("--{key}={}", number.as_str())]),
            DeValue::Array(list) => {
                let each = list.iter().map(|item| self.values(arg, key, item.span(), item));
                Ok(each.collect::<Result<Vec<_>, _>>()?.concat())
            }
            DeValue::Datetime(date) => {
                bad(&format!("is a date, and a text needs quotes: {key} = \"{date}\""))
            }
            DeValue::Table(_) => bad("is a string, a number, true or false, or a list of these"),
        }
    }
}

/// The flags that a file can set for `sub`.
fn flags<'c>(command: &'c Command, sub: &'c Command) -> impl Iterator<Item = &'c Arg> {
    let globals = command.get_arguments().filter(|arg| arg.is_global_set());
    let is_settable = |arg: &&Arg| arg.get_long().is_some_and(|long| !EXCLUDED.contains(&long));
    sub.get_arguments().chain(globals).filter(is_settable)
}

/// Whether the command line has the flag, or one that excludes it.
fn is_overridden(sub: &Command, arg: &Arg, given: &ArgMatches) -> bool {
    let is_given = |id: &str| {
        // An identifier that is no argument of the command is none of its flags.
        given.ids().any(|known| known.as_str() == id)
            && given.value_source(id) == Some(ValueSource::CommandLine)
    };
    let excludes = |a: &Arg, b: &Arg| {
        sub.get_arguments().any(|known| known.get_id() == a.get_id())
            && sub.get_arg_conflicts_with(a).iter().any(|other| other.get_id() == b.get_id())
    };
    let others = sub.get_arguments().filter(|other| is_given(other.get_id().as_str()));
    is_given(arg.get_id().as_str())
        || others.into_iter().any(|other| excludes(arg, other) || excludes(other, arg))
}
