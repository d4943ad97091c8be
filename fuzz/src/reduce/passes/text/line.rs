//! Lines of a function's text: names of locals, kinds of lines, and lists.

/// Terminator opcodes.
const TERMINATORS: [&str; 10] = [
    "br",
    "ret",
    "switch",
    "unreachable",
    "indirectbr",
    "invoke",
    "callbr",
    "resume",
    "catchswitch",
    "cleanupret",
];

/// Whether `code` continues the instruction that starts in `line`.
pub(super) fn goes_on(line: &str, code: &str) -> bool {
    let count = |bracket| outside(line).filter(|c| *c == bracket).count();
    let begins = |word: &&str| code.split_whitespace().next() == Some(*word);
    count('[') > count(']') || ["to", "unwind", "catch", "cleanup", "filter"].iter().any(begins)
}

/// The characters outside of quotes.
fn outside(line: &str) -> impl Iterator<Item = char> {
    line.split('"').step_by(2).flat_map(str::chars)
}

/// The line without its comment.
pub(super) fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let comment = line.char_indices().find(|(_, c)| {
        quoted ^= *c == '"';
        *c == ';' && !quoted
    });
    comment.map_or(line, |(at, _)| &line[..at]).trim_end()
}

/// The name of the line's result.
pub(super) fn result(line: &str) -> Option<&str> {
    let (name, _) = line.trim_start().split_once(" = ")?;
    name.starts_with('%').then_some(name)
}

pub(super) fn is_terminator(line: &str) -> bool {
    let code = line.trim_start();
    let code = result(line).map_or(code, |name| &code[name.len() + " = ".len()..]);
    code.split_whitespace().next().is_some_and(|word| TERMINATORS.contains(&word))
}

/// Applies `with` to each name of a local in `line`: `%` and a word or a quoted string.
pub(super) fn with_locals(line: &str, mut with: impl FnMut(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['%', '"']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let quoted = |from: &str| from[1..].find('"').map_or(from.len(), |end| end + 2);
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-$._".contains(c);
        let length = match &from[1..] {
            _ if from.starts_with('"') => quoted(from),
            name if name.starts_with('"') => 1 + quoted(name),
            name => 1 + name.find(|c| !is_part(c)).unwrap_or(name.len()),
        };
        let (token, after) = from.split_at(length);
        if token.starts_with('%') && length > 1 {
            out.push_str(&with(token));
        } else {
            out.push_str(token);
        }
        rest = after;
    }
    out + rest
}

/// The names of locals in `line`; type names look the same.
pub(super) fn locals(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    with_locals(line, |local| {
        all.push(local.to_owned());
        String::new()
    });
    all
}

/// The phi without entries for blocks that are not `kept`.
pub(super) fn phi(line: &str, kept: &dyn Fn(&str) -> bool) -> String {
    let Some(at) = line.find('[') else { return line.to_owned() };
    let entries = split(&line[at..]);
    // The last entry may be followed by an attachment.
    let is_kept =
        |entry: &&str| !entry.trim().starts_with('[') || locals(entry).last().is_none_or(|from| kept(from));
    let entries: Vec<&str> = entries.into_iter().filter(is_kept).map(str::trim).collect();
    format!("{}{}", &line[..at], entries.join(", "))
}

/// The range of the parameter list in the head of a function.
pub(super) fn parameters(head: &str) -> Option<(usize, usize)> {
    let name = head.find('@')?;
    let quoted = head[name + 1..].starts_with('"');
    let after = if quoted { name + 2 + head[name + 2..].find('"')? } else { name };
    let from = after + head[after..].find('(')? + 1;
    let mut open = 1;
    let end = head[from..].char_indices().find(|(_, c)| {
        open += i32::from(*c == '(') - i32::from(*c == ')');
        open == 0
    });
    end.map(|(at, _)| (from, from + at))
}

/// The parts of a list, split at commas outside of brackets.
pub(super) fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth, mut quoted) = (Vec::new(), 0, 0, false);
    for (at, c) in list.char_indices() {
        quoted ^= c == '"';
        match c {
            _ if quoted => {}
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[from..]);
    parts
}

/// The line without attachments and attribute group numbers.
pub(super) fn plain(line: &str) -> String {
    let is_attachment = |part: &&str| {
        let mut words = part.split_whitespace();
        words.next().is_some_and(|word| word.starts_with('!'))
            && words.next().is_some_and(|word| word.starts_with('!'))
    };
    let parts: Vec<&str> = split(line);
    let kept: Vec<&str> = parts.iter().copied().filter(|part| !is_attachment(part)).collect();
    let words = kept.join(",");
    let is_group = |word: &str| {
        word.strip_prefix('#').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    if words.contains('"') {
        return words;
    }
    let indent = words.len() - words.trim_start().len();
    let mut left: Vec<&str> = Vec::new();
    for word in words.split_whitespace().filter(|word| !is_group(word)) {
        // In the head of a function no commas separate attachments.
        let ends_pair = word.starts_with('!') && left.last().is_some_and(|last| last.starts_with('!'));
        if ends_pair {
            left.pop();
        } else {
            left.push(word);
        }
    }
    format!("{}{}", &words[..indent], left.join(" "))
}
