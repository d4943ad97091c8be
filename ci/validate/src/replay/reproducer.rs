//! Writes a refutation as a self-contained file: both functions as `@src` and `@tgt` with everything they refer to,
//! below a header of comments that states the failure, the input, and the commands that reproduce it. One line of the
//! header holds the case as JSON, so that exactly the same runs can be repeated.
//!
//! The generated text is parsed and run before it is returned: it fails as the refutation says.

use super::case::Replayed;
use crate::pair::Side;
use crate::pair::extracted::Extracted;
use crate::pair::pairs::in_one_module;
use crate::verdict::witness::Refutation;
use crate::verdict::{Case, Failure, Options, Uninit};
use backedge_interp::stub::{largest_number, renumbered};
use backedge_ir::parse::parse_module;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// Placeholder in the text for the name of the output file.
const FILE: &str = "{FILE}";

/// A file that reproduces a refutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproducer {
    text: String,
    stem: String,
}

impl Reproducer {
    /// The file for `refutation` of the pair, which was judged with `options`.
    ///
    /// # Errors
    ///
    /// Why the file could not be created, in words.
    pub fn new(
        source: Side<'_>,
        target: Side<'_>,
        refutation: &Refutation,
        options: &Options,
    ) -> Result<Self, String> {
        let pair = Extracted::new(source, target)?;
        let [source_text, target_text] = pair.texts();
        let module = joined((source_text, source.name()), (target_text, target.name()))?;
        check(&module, &refutation.case, refutation.failure, options)?;
        let text = header(source.name(), refutation, options) + &module;
        let stem: String =
            source.name().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let stem: String = stem.chars().take(40).collect();
        Ok(Self { stem: format!("{stem}-{}", &hash[..12]), text })
    }
    /// A file name without a directory; a function of the text.
    pub fn file_name(&self) -> String {
        format!("{}.ll", self.stem)
    }
    /// The text for a file of that name; the name is quoted for a shell.
    pub fn text(&self, file: &str) -> String {
        let plain =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '=' | ',' | '@');
        // A comment line cannot contain a line end.
        let file: String = file.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let quoted = if !file.is_empty() && file.chars().all(plain) {
            file
        } else {
            format!("'{}'", file.replace('\'', "'\\''"))
        };
        self.text.replace(FILE, &quoted)
    }
}

fn header(function: &str, refutation: &Refutation, options: &Options) -> String {
    let Refutation { failure, witness, source, target, divergence, .. } = refutation;
    let mut text = String::new();
    let mut line = |words: &str| {
        let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(text, "{}", format!("; {words}").trim_end());
    };
    line(&format!(
        "@tgt does not refine @src, which were one function each of the name @{function}: {failure}."
    ));
    if let Some(undefined) = &source.undefined {
        line(&format!("@src is not defined on this input: {undefined}"));
    }
    for named in witness.arguments.iter().chain(&witness.memory) {
        line(&format!("  {} = {}", named.name, named.value));
    }
    for said in witness.environment.iter().chain(&witness.source_choices).chain(&witness.target_choices) {
        line(&format!("  {said}"));
    }
    line(&format!("@src: {}", source.outcome));
    line(&format!("@tgt: {}", target.outcome));
    line(&format!("divergence: {divergence}"));
    line("");
    let by = if refutation.undef_input { " by an undef input" } else { "" };
    line(&format!("expected verdict: refuted{by}: {failure} (exit code 1)"));
    line(&format!("search for it: backedge tv {FILE}{}", flags(options)));
    line(&format!("run it again:  backedge replay {FILE}"));
    text + &refutation.case.to_line() + "\n\n"
}

/// The command line flags for these options, omitting defaults; each is preceded by a blank.
pub fn flags(options: &Options) -> String {
    let plain = Options::default();
    let mut flags = String::new();
    let mut flag = |differs: bool, text: String| {
        if differs {
            flags.push(' ');
            flags.push_str(&text);
        }
    };
    flag(options.bound != plain.bound, format!("--bound {}", options.bound));
    flag(options.min_bound != plain.min_bound, format!("--min-bound {}", options.min_bound));
    flag(options.rlimit != plain.rlimit, format!("--rlimit {}", options.rlimit));
    flag(options.memory_mb != plain.memory_mb, format!("--memory {}", options.memory_mb));
    flag(options.timeout != plain.timeout, timeout_flag(options.timeout));
    flag(options.uninit != Uninit::Undef, "--uninit poison".to_owned());
    flag(!options.undef_inputs, "--assume-no-undef".to_owned());
    flag(!options.poison_inputs, "--assume-no-poison".to_owned());
    flag(options.fuel != plain.fuel, format!("--fuel {}", options.fuel));
    flag(options.runs != plain.runs, format!("--runs {}", options.runs));
    flag(!options.solver, "--no-solver".to_owned());
    flag(!options.induction, "--no-induction".to_owned());
    flags
}

/// The flag for a time limit, in seconds if it is a whole number of them.
fn timeout_flag(limit: Duration) -> String {
    match limit.subsec_millis() {
        0 => format!("--timeout {}", limit.as_secs().max(1)),
        _ => format!("--smt-to {}", limit.as_millis()),
    }
}

/// Checks that the pair in `text` fails on `case` with `failure`.
fn check(text: &str, case: &Case, failure: Failure, options: &Options) -> Result<(), String> {
    let module =
        parse_module(text.as_bytes()).map_err(|_| "the two functions don't fit into one module")?.module;
    let pairs = in_one_module(&module).pairs;
    let [pair] = pairs[..] else {
        return Err("the module has other functions called @src and @tgt".to_owned());
    };
    let side = |func| Side { module: &module, func };
    match case.replay(side(pair.source), side(pair.target), options) {
        Ok(Replayed::Refuted(again)) if again.failure == failure => Ok(()),
        Ok(Replayed::Refuted(again)) => {
            Err(format!("in one module the pair fails in another way: {}", again.failure))
        }
        Ok(Replayed::NotRefuted(why)) => {
            Err(format!("the case alone does not decide it: {}", why.replace('\n', "; ")))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// A top-level part of a module's text.
struct Item<'t> {
    /// The defined name with its sigil, or the first words.
    key: &'t str,
    text: &'t str,
    is_function: bool,
}

/// One module with both functions, as `@src` and `@tgt`.
fn joined(source: (&str, &str), target: (&str, &str)) -> Result<String, String> {
    let free = 1 + largest_number(source.0.as_bytes());
    let renumbered = String::from_utf8(renumbered(target.0.as_bytes(), free)).map_err(|e| e.to_string())?;
    let (ours, theirs) = (items(source.0), items(&renumbered));
    let mut out = String::new();
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for item in &ours {
        match as_function(item, source.1, "src")? {
            Some(text) => out.push_str(&text),
            None => {
                known.insert(item.key, item.text);
                out.push_str(item.text);
            }
        }
    }
    for item in &theirs {
        if let Some(text) = as_function(item, target.1, "tgt")? {
            out.push_str(&text);
            continue;
        }
        match known.get(item.key) {
            None => out.push_str(item.text),
            // Numbers of attribute groups and metadata are irrelevant.
            Some(text) if without_numbers(text) == without_numbers(item.text) => {}
            // The target's declaration may have more attributes. Whether the pair fails without them is checked.
            Some(text) if [text, item.text].iter().all(|t| t.starts_with("declare ")) => {}
            Some(_) if item.key.starts_with('!') || item.key.starts_with("source_filename") => {}
            Some(_) => return Err(format!("`{}` is not the same in both modules", item.key)),
        }
    }
    Ok(out)
}

/// The text of the function `name` under its new name; `None` for other items.
fn as_function(item: &Item<'_>, name: &str, new: &str) -> Result<Option<String>, String> {
    let spelled =
        |text: &str| text == name || text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) == Some(name);
    if !item.key.strip_prefix('@').is_some_and(spelled) {
        return Ok(None);
    }
    let goes_on = |c: char| c.is_alphanumeric() || "._$-".contains(c);
    let is_whole = |at: usize| !item.text[at + item.key.len()..].starts_with(goes_on);
    let named = item.text.match_indices(item.key).filter(|(at, _)| is_whole(*at)).count();
    if !item.is_function || named > 1 {
        return Err(format!("{} refers to itself, or is no function", item.key));
    }
    Ok(Some(item.text.replacen(item.key, &format!("@{new}"), 1)))
}

fn without_numbers(text: &str) -> String {
    String::from_utf8_lossy(&renumbered_to_none(text)).into_owned()
}

fn renumbered_to_none(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut digits = false;
    for byte in text.bytes() {
        digits = matches!(byte, b'#' | b'!') || digits && byte.is_ascii_digit();
        if !(digits && byte.is_ascii_digit()) {
            out.push(byte);
        }
    }
    out
}

/// The parts of a printed module: single lines, and whole function definitions.
fn items(text: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let line = rest.find('\n').map_or(rest.len(), |n| n + 1);
        let first = &rest[..line];
        let is_body = first.starts_with("define ") && first.trim_end().ends_with('{');
        let end = if is_body { rest.find("\n}\n").map_or(rest.len(), |n| n + 3) } else { line };
        items.push(Item { key: key(first), text: &rest[..end], is_function: is_body });
        rest = &rest[end..];
    }
    items
}

fn key(line: &str) -> &str {
    let named = |at: usize| {
        let name = &line[at..];
        let end = if name[1..].starts_with('"') {
            name[2..].find('"').map_or(name.len(), |n| n + 3)
        } else {
            name[1..]
                .find(|c: char| !(c.is_alphanumeric() || "._$-".contains(c)))
                .map_or(name.len(), |n| n + 1)
        };
        &name[..end]
    };
    if line.starts_with("define ") || line.starts_with("declare ") {
        return line.find('@').map_or(line, named);
    }
    if line.starts_with(['@', '%', '!', '$']) {
        return named(0);
    }
    // `target datalayout`, `attributes #0`, `source_filename`.
    line.split('=').next().map_or(line, str::trim)
}

#[cfg(test)]
mod tests {
    use super::joined;

    const PAIR: &str = "\
@g = global i32 3
%pair = type { i32, i32 }
declare i32 @callee(i32) #0
define i32 @f(i32 %x) #1 {
entry:
  %r = call i32 @callee(i32 %x)
  %g = load i32, ptr @g
  %s = add i32 %r, %g
  ret i32 %s, !annotation !0
}
attributes #0 = { nounwind willreturn }
attributes #1 = { nounwind }
!0 = !{!\"kept\"}
";

    #[test]
    fn what_does_not_fit_into_one_module_is_refused() {
        let join = |a: &str, b: &str| joined((a, "f"), (b, "f"));
        assert!(join(PAIR, PAIR).is_ok());
        let more = PAIR.replace("@callee(i32) #0", "@callee(i32 noundef) #0");
        let both = join(PAIR, &more).expect("a declaration may say more");
        assert!(both.contains("declare i32 @callee(i32) #0"), "{both}");
        let other = PAIR.replace("@g = global i32 3", "@g = global i32 4");
        assert_eq!(join(PAIR, &other), Err("`@g` is not the same in both modules".to_owned()));
        let recursive = PAIR.replace("@callee", "@f").replace("declare i32 @f(i32) #0\n", "");
        assert!(join(&recursive, PAIR).is_err_and(|e| e.contains("refers to itself")));
    }
}
