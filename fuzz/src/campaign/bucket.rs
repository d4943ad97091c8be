//! What findings that are alike have in common: the guilty pass, the kind of failure, and what is left of the program, but
//! for names, widths of integers, exact constants, flags of the module and the order in which things are declared.
//!
//! Constants are told apart as far as compilers do: 0, 1, −1, the smallest number and others; undef and poison stay what
//! they are. Results, blocks and arguments are numbered in order. So two programs that come down to the same loop with other
//! bounds are in one bucket, and two loops of different form are not.

use backedge_ir::module::Module;
use backedge_ir::print::function_to_string;

/// The bucket of what is left of a program.
pub fn bucket(pass: Option<&str>, kind: &str, text: &str) -> String {
    let pass = pass.map_or("", crate::statistics::base_name);
    let hash = blake3::hash(text.as_bytes()).to_hex();
    let parts = [slug(pass), slug(kind), hash[..10].to_owned()];
    parts.iter().filter(|p| !p.is_empty()).cloned().collect::<Vec<_>>().join("-")
}

/// A text as a part of a file's name.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.truncate(40);
    out.trim_end_matches('-').to_owned()
}

/// The code of `module` without what does not matter.
pub fn normalised(module: &Module) -> String {
    let mut texts: Vec<String> = Vec::new();
    for (func, body) in module.bodies() {
        let mut module = module.clone();
        module.code[func] = backedge_ir::module::Code::Body(Box::new(body.without_names()));
        texts.push(function_to_string(&module, func));
    }
    texts.sort();
    texts.iter().map(|text| without_details(text)).collect()
}

/// The text of a function with widths and constants replaced.
fn without_details(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        // What stands behind is a comment: predecessors.
        let line = line.split_once(';').map_or(line, |(code, _)| code);
        let line = line.split_once(", !").map_or(line, |(code, _)| code).trim_end();
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let len = token(rest, first);
            let (word, behind) = rest.split_at(len);
            rest = behind;
            match first {
                '@' => out.push_str(if word.starts_with("@llvm.") { intrinsic(word) } else { "@" }),
                '#' => {}
                _ => out.push_str(&normal(word)),
            }
        }
        out.push('\n');
    }
    out
}

/// The name of an intrinsic without the types at its end.
fn intrinsic(word: &str) -> &str {
    let is_type = |part: &str| {
        part.starts_with(['i', 'v', 'p', 'f']) && part.bytes().skip(1).any(|b| b.is_ascii_digit())
    };
    let mut end = word.len();
    while let Some((before, part)) = word[..end].rsplit_once('.')
        && is_type(part)
    {
        end = before.len();
    }
    &word[..end]
}

/// A word without a width, and a number by its kind.
fn normal(word: &str) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if word == "i1" {
        return word.to_owned();
    }
    if word.strip_prefix('i').is_some_and(digits) {
        return "iN".to_owned();
    }
    let magnitude = word.strip_prefix('-').unwrap_or(word);
    if !digits(magnitude) {
        return word.to_owned();
    }
    match word {
        "0" | "1" | "-1" => word.to_owned(),
        // The smallest number of its type, as it is spelled.
        _ if word.starts_with('-') && magnitude.parse::<u128>().is_ok_and(u128::is_power_of_two) => {
            "-P".to_owned()
        }
        _ if word.starts_with('-') => "-C".to_owned(),
        _ => "C".to_owned(),
    }
}

/// How long the token is that `text` begins with: a name, a string, a word or number, or one character.
fn token(text: &str, first: char) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
    let word = |from: usize| text[from..].find(|c| !is_word(c)).map_or(text.len(), |n| from + n);
    let string = |from: usize| text[from + 1..].find('"').map_or(text.len(), |n| from + n + 2);
    match first {
        '"' => string(0),
        '%' | '@' | '#' if text[1..].starts_with('"') => string(1),
        '%' | '@' | '#' => word(1).max(1),
        c if is_word(c) => word(0),
        c => c.len_utf8(),
    }
}
