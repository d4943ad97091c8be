//! Buckets of similar findings. The bucket is determined by the guilty pass, the kind of failure, and the set of
//! instruction kinds in the reduced program.
//!
//! An instruction contributes its opcode, flags and operand kinds: results and arguments, globals, and constants in
//! the classes that compilers distinguish (0, 1, −1, other negative numbers, other numbers; undef and poison). Names,
//! types, widths, the order of instructions and their number do not count. Operands of memory accesses and calls
//! count only if they are undef or poison. So two programs that reduce to the same loop with different bounds, or
//! with a different exit edge, or to the same accesses of a global and of an argument, fall into one bucket.

use crate::oracles::label::{BY_UNDEF, slug};
use backedge_ir::module::Module;
use backedge_ir::print::inst_to_string;
use backedge_validate::token::token_length;
use std::collections::BTreeSet;

/// Sigils that start a name.
const SIGILS: &[char] = &['%', '@', '#'];

/// The bucket of a reduced program.
pub fn bucket(pass: Option<&str>, kind: &str, text: &str) -> String {
    let pass = pass.map_or("", crate::statistics::base_name);
    let hash = blake3::hash(text.as_bytes()).to_hex();
    let parts = [slug(pass), slug(kind), hash[..DIGITS].to_owned()];
    parts.iter().filter(|p| !p.is_empty()).cloned().collect::<Vec<_>>().join("-")
}

/// Whether findings of `bucket` need an undef input.
pub fn is_by_undef(bucket: &str) -> bool {
    bucket.rsplit_once('-').is_some_and(|(parts, _)| parts.ends_with(BY_UNDEF))
}

/// Number of hash digits at the end of a bucket name: short enough for a file name, and long enough that two kinds of
/// programs hardly ever share it.
const DIGITS: usize = 10;

/// Whether `text` is a valid directory name for a bucket.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Whether `text` has the form that [`bucket`] produces.
pub fn is_bucket(text: &str) -> bool {
    let is_hash = |hash: &str| hash.len() == DIGITS && hash.bytes().all(|b| b.is_ascii_hexdigit());
    is_name(text) && text.rsplit_once('-').is_some_and(|(parts, hash)| !parts.is_empty() && is_hash(hash))
}

/// Whether `bucket` may contain a finding of the given kind and, if known, of the given pass.
pub fn may_hold(bucket: &str, pass: Option<&str>, kind: &str) -> bool {
    let Some((parts, _)) = bucket.rsplit_once('-') else { return false };
    let kind = slug(kind);
    match pass {
        Some(pass) => {
            [slug(crate::statistics::base_name(pass)), kind].join("-").trim_start_matches('-') == parts
        }
        None => parts == kind || parts.strip_suffix(&*kind).is_some_and(|before| before.ends_with('-')),
    }
}

/// The sorted set of normalized instructions in `module`.
pub fn normalised(module: &Module) -> String {
    let mut lines = BTreeSet::new();
    for (_, body) in module.bodies() {
        lines.extend(body.all_insts().map(|inst| normal_line(&inst_to_string(&module.env, body, inst))));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Normalizes the text of an instruction: opcode and flags in order, then the set of operand kinds.
fn normal_line(line: &str) -> String {
    let line = line.split_once(" = ").map_or(line, |(_, code)| code);
    let line = line.split_once(", !").map_or(line, |(code, _)| code);
    let (mut words, mut operands) = (Vec::new(), BTreeSet::new());
    let mut rest = line;
    let mut is_label = false;
    while let Some(first) = rest.chars().next() {
        let (word, after) = rest.split_at(token_length(rest, first, SIGILS));
        rest = after;
        let was_label = std::mem::replace(&mut is_label, word == "label");
        match first {
            _ if was_label && first == ' ' => is_label = true,
            _ if was_label || is_label => {}
            '@' if word.starts_with("@llvm.") => words.push(intrinsic(word).to_owned()),
            '@' => _ = operands.insert("@".to_owned()),
            '%' => _ = operands.insert("%".to_owned()),
            '#' | '!' | '"' => {}
            c if c.is_alphabetic() && is_type(word) => {}
            c if c.is_alphabetic() && !is_value(word) => words.push(word.to_owned()),
            c if c.is_alphanumeric() || c == '-' => _ = operands.insert(kind_of_number(word).to_owned()),
            _ => {}
        }
    }
    // Stored values, call arguments and memory locations do not count.
    let of_memory = words.first().is_some_and(|w| matches!(&**w, "load" | "store" | "getelementptr"));
    let is_call = |w: &String| w == "call" || w == "invoke";
    if of_memory || words.iter().any(is_call) && !words.iter().any(|w| w.starts_with("@llvm.")) {
        operands.retain(|operand| matches!(&**operand, "undef" | "poison"));
    }
    if of_memory && let Some(at) = words.iter().skip(1).position(|w| is_constant_code(w)) {
        words.truncate(1 + at);
    }
    // The member index does not count either.
    if words.first().is_some_and(|w| matches!(&**w, "insertvalue" | "extractvalue")) {
        operands.retain(|operand| matches!(&**operand, "%" | "undef" | "poison"));
    }
    // The direction of a constant branch and the returned constant do not count.
    if words.first().is_some_and(|w| matches!(&**w, "br" | "ret" | "switch")) {
        let is_constant = |operand: &String| !matches!(&**operand, "%" | "undef" | "poison");
        if operands.iter().any(is_constant) {
            operands.retain(|operand| !is_constant(operand));
            operands.insert("C".to_owned());
        }
    }
    words.into_iter().chain(operands).collect::<Vec<_>>().join(" ")
}

/// Whether a word starts a constant expression.
fn is_constant_code(word: &str) -> bool {
    matches!(
        word,
        "getelementptr"
            | "ptrtoint"
            | "inttoptr"
            | "bitcast"
            | "addrspacecast"
            | "add"
            | "sub"
            | "xor"
            | "trunc"
    )
}

/// Whether a word is a constant.
fn is_value(word: &str) -> bool {
    matches!(word, "true" | "false" | "undef" | "poison" | "null" | "zeroinitializer" | "none")
}

/// Whether a word is a type, or a keyword within a list of types.
fn is_type(word: &str) -> bool {
    matches!(word, "ptr" | "void" | "float" | "double" | "half" | "x" | "label" | "align")
        || word
            .strip_prefix('i')
            .is_some_and(|bits| bits.bytes().all(|b| b.is_ascii_digit()) && !bits.is_empty())
}

/// The class of a constant.
fn kind_of_number(word: &str) -> &str {
    match word {
        "undef" | "poison" => word,
        "0" | "false" | "null" | "zeroinitializer" | "none" => "0",
        "1" | "true" => "1",
        "-1" => "-1",
        // The minimum signed value of a type, as it is printed.
        _ if word.strip_prefix('-').and_then(|m| m.parse().ok()).is_some_and(u128::is_power_of_two) => "-P",
        _ if word.starts_with('-') => "-C",
        _ => "C",
    }
}

/// The name of an intrinsic without its type suffixes.
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

#[cfg(test)]
mod tests {
    use super::{bucket, is_bucket, may_hold, normalised};
    use crate::oracles::label::slug;
    use backedge_ir::parse::read_module;

    /// A counted loop with the given width, bound, function name and header name.
    fn counting(ty: &str, bound: &str, name: &str, head: &str) -> String {
        let text = format!(
            "declare void @seen.{ty}({ty})\ndefine {ty} @{name}({ty} %n) {{\nentry:\n  br label %{head}\n{head}:\n  \
             %i = phi {ty} [ 0, %entry ], [ %next, %{head} ]\n  call void @seen.{ty}({ty} %i)\n  \
             %next = add nsw {ty} %i, 1\n  %m = call {ty} @llvm.umin.{ty}({ty} %next, {ty} %n)\n  \
             %more = icmp ult {ty} %m, {bound}\n  br i1 %more, label %{head}, label %exit\nexit:\n  ret {ty} %i\n}}\n\
             declare {ty} @llvm.umin.{ty}({ty}, {ty})\n"
        );
        normalised(&read_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module)
    }

    #[test]
    fn names_widths_and_constants_do_not_count() {
        let one = counting("i8", "10", "f", "loop");
        assert_eq!(one, counting("i33", "77", "other", "head"));
        assert!(one.contains("call @llvm.umin %\n") && one.contains("add nsw % 1\n"), "{one}");
        // Each of these bounds has a bucket of its own.
        for bound in ["0", "1", "-1", "-128", "-3"] {
            assert_ne!(one, counting("i8", bound, "f", "loop"), "{bound}");
        }
        assert_eq!(counting("i8", "-128", "f", "loop"), counting("i16", "-32768", "f", "loop"));
        assert!(one.contains("br %\n") && one.contains("ret %\n") && one.contains("phi % 0\n"), "{one}");
    }

    #[test]
    fn which_way_a_branch_goes_does_not_count() {
        let code = |text: &str| normalised(&read_module(text.as_bytes()).expect("a module").module);
        let one = "define { i8, i3 } @f(i1 %a) {\n  br i1 true, label %x, label %y\nx:\n  ret { i8, i3 } zeroinitializer\ny:\n  \
                   br i1 %a, label %x, label %y\n}\n";
        let two = "define i1 @g(i1 %b) {\n  br i1 false, label %y, label %x\nx:\n  ret i1 true\ny:\n  \
                   br i1 %b, label %y, label %x\n}\n";
        assert_eq!(code(one), code(two));
        assert_ne!(code(one), code(&one.replace("i1 %a, label", "i1 undef, label")));
    }

    #[test]
    fn where_memory_lies_does_not_count() {
        let code = |code: &str| {
            let text = format!(
                "@g = global [64 x i8] zeroinitializer\ndeclare void @use(i8)\ndefine void @f(ptr %p, i8 %a, i8 %i) {{\n\
                 {code}\n  ret void\n}}\n"
            );
            normalised(&read_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module)
        };
        let one = code(
            "  %x = getelementptr i8, ptr %p, i8 %i\n  %y = load i8, ptr %x\n  store i8 %y, ptr %p\n  call void @use(i8 1)",
        );
        let two = code(
            "  %x = getelementptr i8, ptr @g, i8 1\n  %y = load i8, ptr @g\n  \
             store i8 -1, ptr getelementptr inbounds ([64 x i8], ptr @g, i64 0, i64 8)\n  call void @use(i8 %a)\n  \
             store i8 0, ptr %x",
        );
        assert_eq!(one, two);
        assert!(
            one.contains("getelementptr\n") && one.contains("load\n") && one.contains("store\n"),
            "{one}"
        );
        for other in [
            "  store volatile i8 0, ptr %p",
            "  store i8 undef, ptr %p",
            "  %x = getelementptr inbounds i8, ptr %p, i8 %i",
            "  call void @use(i8 poison)",
        ] {
            assert_ne!(code("  store i8 0, ptr %p"), code(other));
            assert!(
                !one.contains(code(other).lines().find(|line| !line.starts_with("ret")).expect("a line"))
            );
        }
    }

    #[test]
    fn buckets_are_names_of_directories() {
        let name = bucket(Some("simple-loop-unswitch<nontrivial>"), "value-mismatch", "code");
        assert!(name.starts_with("simple-loop-unswitch-value-mismatch-"), "{name}");
        assert_ne!(name, bucket(Some("simple-loop-unswitch"), "value-mismatch", "other code"));
        assert_eq!(name, bucket(Some("simple-loop-unswitch<no-nontrivial>"), "value-mismatch", "code"));
        assert!(bucket(None, "panic", "x").starts_with("panic-"));
        assert_eq!(slug("../A b: C/"), "a-b-c");
        assert!(is_bucket(&name) && is_bucket("hang-0123456789"));
        for other in [
            "",
            "hang",
            "-0123456789",
            "../hang-0123456789",
            "hang-012345678",
            "hang-0123456789x",
            "Hang-0123456789",
        ] {
            assert!(!is_bucket(other), "{other}");
        }
    }

    #[test]
    fn a_bucket_tells_pass_and_kind() {
        let name = bucket(Some("licm<allowspeculation>"), "value-mismatch", "x");
        assert!(may_hold(&name, Some("licm"), "value-mismatch") && may_hold(&name, None, "value mismatch"));
        assert!(
            !may_hold(&name, Some("gvn"), "value-mismatch") && !may_hold(&name, Some("licm"), "mismatch")
        );
        assert!(!may_hold(&name, None, "crash") && !may_hold("crash", None, "crash"));
        let name = bucket(None, "hang", "");
        assert!(may_hold(&name, None, "hang") && !may_hold(&name, Some("licm"), "hang"));
    }
}
