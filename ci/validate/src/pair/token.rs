//! Lexes the text of LLVM IR, for code that edits or compares text without parsing it.

/// Length in bytes of the token at the start of `text`, whose first character is `first`: a name after one of `sigils`,
/// a string, a word or number, or one character.
pub fn token_length(text: &str, first: char, sigils: &[char]) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
    let word = |from: usize| text[from..].find(|c| !is_word(c)).map_or(text.len(), |n| from + n);
    let string = |from: usize| text[from + 1..].find('"').map_or(text.len(), |n| from + n + 2);
    match first {
        '"' => string(0),
        c if sigils.contains(&c) && text[1..].starts_with('"') => string(1),
        c if sigils.contains(&c) => word(1).max(1),
        c if is_word(c) => word(0),
        c => c.len_utf8(),
    }
}
