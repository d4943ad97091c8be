//! Pairs of functions `@src…` and `@tgt…`: an edit of one function is applied to the other too.
//!
//! The transform that turned the source into the target is unknown. If each function were reduced by itself, the two
//! would end up different for a reason that the reduction introduced, such as `ret i8 0` and `ret i8 1`. So the
//! textual change of an edit to one function is carried over to the other as in a three-way merge: the difference
//! between the old and the new text is applied to the matching parts of the other text. If the two functions differ
//! at the changed place, nothing can be carried over; then only the edited function changes, and it must behave as
//! before ([`super::Test::behaves_the_same`]).

use super::program::Program;
use super::state::State;
use backedge_ir::module::Module;
use backedge_ir::print::write_global_name;
use backedge_validate::pairs::in_one_module;
use backedge_validate::token::token_length;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// Sigils that start a name.
const SIGILS: &[char] = &['%', '@', '#', '!'];

/// The results of an edit from `before` to `after`, best first: with the change carried over, and without.
pub(crate) fn alternatives(before: &State, after: State) -> Vec<State> {
    let mut carried = Carried { text: after.text.clone(), alone: Vec::new(), is_other: false };
    let mut alone = Vec::new();
    for names in pairs(&after.program.module) {
        alone.extend(carried.pair(&before.text, &names));
    }
    let mut all = Vec::new();
    if carried.is_other
        && let Some(program) = after.program.read_again(&carried.text).filter(Program::is_valid)
    {
        all.push(State { alone: carried.alone, ..State::new(program) });
    } else if !carried.is_other {
        alone = carried.alone;
    }
    all.push(State { alone, ..after });
    all
}

/// The names of the functions in each pair.
fn pairs(module: &Module) -> Vec<[String; 2]> {
    let name = |func| module.env.funcs[func].name.to_string();
    in_one_module(module).pairs.iter().map(|pair| [name(pair.source), name(pair.target)]).collect()
}

/// A text that receives carried-over changes.
struct Carried {
    text: String,
    /// Functions that changed without their partner.
    alone: Vec<String>,
    /// Whether the text differs from the one that the edit produced.
    is_other: bool,
}

impl Carried {
    /// Carries over changes since `before` between the two functions; returns the functions that the edit changed.
    fn pair(&mut self, before: &str, names: &[String; 2]) -> Vec<String> {
        let code = |text: &str, name: &String| function(text, name).map(|(_, code)| code);
        let old = names.each_ref().map(|name| code(before, name));
        let new = names.each_ref().map(|name| code(&self.text, name));
        let ([Some(old_source), Some(old_target)], [Some(source), Some(target)]) = (old, new) else {
            return Vec::new();
        };
        let old = [old_source, old_target].map(|text| tokens(&text).map(str::to_owned).collect::<Vec<_>>());
        let new = [source, target].map(|text| tokens(&text).map(str::to_owned).collect::<Vec<_>>());
        let changed: Vec<usize> = (0..2).filter(|side| old[*side] != new[*side]).collect();
        let names_of = |sides: &[usize]| sides.iter().map(|side| names[*side].clone()).collect::<Vec<_>>();
        // The first function whose change fits the other one is used.
        let fitting = changed.iter().find_map(|&side| {
            let other = merged(&old[side], &new[side], &old[1 - side])?;
            Some((1 - side, other))
        });
        match fitting {
            Some((side, other)) if other != new[side] => {
                self.replace(&names[side], &other);
                self.is_other = true;
            }
            Some(_) => return Vec::new(),
            None => self.alone.extend(names_of(&changed)),
        }
        names_of(&changed)
    }

    /// Replaces the function called `name` with these tokens.
    fn replace(&mut self, name: &str, tokens: &[String]) {
        let Some((range, _)) = function(&self.text, name) else { return };
        let mut code = String::new();
        let mut is_named = false;
        for token in tokens {
            // No space before the colon after a label.
            if !matches!(&**token, ":" | "\n") && !code.ends_with('\n') && !code.is_empty() {
                code.push(' ');
            }
            if token == NAME && !is_named {
                code.push_str(&spelled(name));
                is_named = true;
            } else {
                code.push_str(token);
            }
        }
        self.text.replace_range(range, &code);
    }
}

/// Placeholder for the function's own name.
const NAME: &str = "@";

fn spelled(name: &str) -> String {
    let mut out = NAME.to_owned();
    write_global_name(&mut out, name);
    out
}

/// The range of the function called `name` in `text`, and its code without its name and comments.
fn function(text: &str, name: &str) -> Option<(Range<usize>, String)> {
    let heading = format!("{}(", spelled(name));
    let is_head = |line: &str| line.starts_with("define ") && line.contains(&heading);
    let mut at = 0;
    let mut start = None;
    let mut code = String::new();
    for line in text.split_inclusive('\n') {
        if start.is_none() && is_head(line) {
            start = Some(at);
            code.push_str(&line.replacen(&heading, &format!("{NAME} ("), 1));
        } else if start.is_some() {
            code.push_str(line.split("; preds =").next().unwrap_or(line).trim_end());
            code.push('\n');
        }
        at += line.len();
        if let Some(start) = start
            && line.starts_with('}')
        {
            return Some((start..at, code));
        }
    }
    None
}

/// The tokens of `text`, including line ends.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(' ');
        let first = rest.chars().next()?;
        let (token, following) = rest.split_at(token_length(rest, first, SIGILS).min(rest.len()));
        rest = following;
        Some(token)
    })
}

/// Applies the change from `old` to `new` to `other`; `None` if `other` differs at a changed place.
fn merged(old: &[String], new: &[String], other: &[String]) -> Option<Vec<String>> {
    let mut place = vec![None; old.len()];
    for op in capture_diff_slices(Algorithm::Myers, old, other) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for i in 0..len {
                place[old_index + i] = Some(new_index + i);
            }
        }
    }
    let mut out = Vec::new();
    let mut done = 0;
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (_, from, to) = op.as_tag_tuple();
        if let DiffOp::Equal { .. } = op {
            continue;
        }
        let there = if from.is_empty() {
            let following = from.start.checked_sub(1).and_then(|before| place[before]).map(|at| at + 1);
            let at = following.or_else(|| place.get(from.start).copied().flatten())?;
            at..at
        } else {
            let first = place[from.start]?;
            let is_whole = from.clone().zip(first..).all(|(i, at)| place[i] == Some(at));
            is_whole.then_some(first..first + from.len())?
        };
        out.extend_from_slice(other.get(done..there.start)?);
        out.extend_from_slice(&new[to]);
        done = there.end;
    }
    out.extend_from_slice(&other[done..]);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{function, merged, tokens};

    fn merge(old: &str, new: &str, other: &str) -> Option<String> {
        let of = |text: &str| tokens(text).map(str::to_owned).collect::<Vec<_>>();
        merged(&of(old), &of(new), &of(other)).map(|tokens| tokens.join(" "))
    }

    #[test]
    fn what_was_changed_is_changed_in_the_other() {
        // Additional text in the other function stays; text of its own at the changed place is a conflict.
        assert_eq!(merge("a b c d", "a c d", "a b c x d").as_deref(), Some("a c x d"));
        assert_eq!(merge("a b c d", "a b y d", "z a b c d").as_deref(), Some("z a b y d"));
        assert_eq!(merge("a b c d", "a b c d e", "a x c d").as_deref(), Some("a x c d e"));
        assert_eq!(merge("a b c d", "a y c d", "a x c d"), None);
        assert_eq!(merge("a b c d", "a d", "a b x c d"), None);
        assert_eq!(merge("a b", "a b", "c").as_deref(), Some("c"));
    }

    #[test]
    fn functions_are_found_by_name() {
        let text =
            "define i8 @tgt1() {\n  ret i8 0\n}\ndefine i8 @tgt() {\nb:     ; preds = %b\n  br label %b\n}\n";
        let (range, code) = function(text, "tgt").expect("it is there");
        assert_eq!(code, "define i8 @ () {\nb:\n  br label %b\n}\n");
        assert!(text[range].starts_with("define i8 @tgt() {"));
        assert!(function(text, "src").is_none());
    }
}
