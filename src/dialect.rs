//! Converts IR to the syntax of earlier LLVM versions; this project prints the syntax of LLVM 22.
//!
//! Changed spellings are converted, and flags and attributes that an earlier version does not know are omitted.
//! Omitting them makes the code more defined, so the result of a command still has to refine the original: the
//! conversion causes no false refutations.

/// Instruction flags: the preceding text, the flags, and the first version that supports them.
const FLAGS: [(&str, &str, u32); 10] = [
    ("getelementptr inbounds", " nuw", 19),
    ("getelementptr", " nusw nuw", 19),
    ("getelementptr", " nusw", 19),
    ("getelementptr", " nuw", 19),
    ("trunc", " nuw nsw", 19),
    ("trunc", " nuw", 19),
    ("trunc", " nsw", 19),
    ("zext", " nneg", 18),
    ("or", " disjoint", 18),
    ("icmp", " samesign", 20),
];

/// Attributes: the current spelling, the old spelling, and the first version that supports the current one.
const ATTRIBUTES: [(&str, &str, u32); 9] = [
    (" memory(none)", " readnone", 16),
    (" memory(read)", " readonly", 16),
    (" memory(write)", " writeonly", 16),
    (" memory(argmem: read)", " argmemonly readonly", 16),
    (" memory(argmem: write)", " argmemonly writeonly", 16),
    (" memory(argmem: readwrite)", " argmemonly", 16),
    (" memory(inaccessiblemem: readwrite)", " inaccessiblememonly", 16),
    (" memory(argmem: readwrite, inaccessiblemem: readwrite)", " inaccessiblemem_or_argmemonly", 16),
    (" captures(none)", " nocapture", 21),
];

/// Attributes that earlier versions lack, up to the parenthesis of those with arguments, and the first version that
/// supports them.
const NEW_ATTRIBUTES: [(&str, u32); 8] = [
    (" memory(", 16),
    (" nofpclass(", 17),
    (" dead_on_unwind", 18),
    (" writable", 18),
    (" range(", 19),
    (" initializes(", 20),
    (" captures(", 21),
    (" nocreateundeforpoison", 22),
];

/// Whether `text` may contain syntax that earlier versions do not support.
pub(crate) fn uses_current_syntax(text: &str) -> bool {
    FLAGS.iter().any(|(_, flag, _)| text.contains(flag))
        || ATTRIBUTES.iter().any(|(now, ..)| text.contains(now))
        || NEW_ATTRIBUTES.iter().any(|(now, _)| text.contains(now))
}

/// The major LLVM version in a command's answer to `--version`; `None` for other programs.
pub(crate) fn major_version(answer: &str) -> Option<u32> {
    let line = answer.lines().find(|line| line.contains("LLVM version"))?;
    let (_, version) = line.split_once("version")?;
    version.trim().split('.').next()?.parse().ok()
}

/// Converts `text` to the syntax of LLVM version `major`, as far as known.
pub(crate) fn of_llvm(text: &str, major: u32) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(&line_of(line, major));
        out.push('\n');
    }
    out
}

fn line_of(line: &str, major: u32) -> String {
    // Quoted text is a name or data.
    let parts = line.split('"').enumerate();
    let parts = parts.map(|(n, part)| if n % 2 == 0 { code_of(part, major) } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("\"")
}

fn code_of(code: &str, major: u32) -> String {
    let mut code = code.to_owned();
    for (before, flag, since) in FLAGS {
        if major < since
            && let Some(at) = code.find(&format!("{before}{flag} "))
        {
            let at = at + before.len();
            code.replace_range(at..at + flag.len(), "");
        }
    }
    for (now, old, since) in ATTRIBUTES {
        if major < since {
            code = code.replace(now, old);
        }
    }
    for (now, since) in NEW_ATTRIBUTES {
        if major < since {
            code = without(&code, now);
        }
    }
    code
}

/// `code` without the attributes that start with `attribute`, up to the closing parenthesis if it ends with an
/// opening one.
fn without(code: &str, attribute: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(attribute) {
        let (before, from) = rest.split_at(at);
        let after = &from[attribute.len()..];
        let after = if attribute.ends_with('(') { after_parenthesis(after) } else { Some(after) };
        let Some(after) = after else { break };
        out.push_str(before);
        rest = after;
    }
    out + rest
}

/// The text after the parenthesis that closes the one before `text`; `None` if it is not closed.
fn after_parenthesis(text: &str) -> Option<&str> {
    let mut open = 1;
    let closing = text.char_indices().find(|(_, c)| {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        open == 0
    });
    closing.map(|(at, _)| &text[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::{major_version, of_llvm, uses_current_syntax};

    #[test]
    fn old_versions_get_old_spellings() {
        let text = "declare i8 @f(ptr captures(none)) nounwind memory(read)\n  %a = getelementptr inbounds nuw i8, ptr %p, i8 %or\n  \
                    %b = or disjoint i8 %x, %y\n  %c = add nuw nsw i8 %x, %y\n  %d = trunc nuw nsw i8 %x to i3\n  \
                    %e = icmp samesign ult i8 %x, %y\n  %f = zext nneg i8 %x to i9\n  %g = load ptr, ptr @\"or disjoint x\"\n";
        let old = "declare i8 @f(ptr nocapture) nounwind readonly\n  %a = getelementptr inbounds i8, ptr %p, i8 %or\n  \
                   %b = or i8 %x, %y\n  %c = add nuw nsw i8 %x, %y\n  %d = trunc i8 %x to i3\n  \
                   %e = icmp ult i8 %x, %y\n  %f = zext i8 %x to i9\n  %g = load ptr, ptr @\"or disjoint x\"\n";
        assert!(uses_current_syntax(text));
        assert_eq!(of_llvm(text, 14), old);
        assert_eq!(of_llvm(text, 22), text);
        assert!(of_llvm(text, 18).contains("or disjoint i8") && of_llvm(text, 18).contains("icmp ult"));
    }

    #[test]
    fn attributes_that_are_new_are_left_out() {
        let text = "declare range(i8 0, 4) i8 @f(ptr writable initializes((0, 4), (8, 9)) captures(ret: address) %p) #0\n\
                    attributes #0 = { \"a range(x\"=\"memory(none)\" nocreateundeforpoison nounwind memory(read, argmem: none) }\n";
        let old = "declare i8 @f(ptr %p) #0\nattributes #0 = { \"a range(x\"=\"memory(none)\" nounwind }\n";
        assert_eq!(of_llvm(text, 14), old);
        assert_eq!(of_llvm(text, 22), text);
        assert!(
            of_llvm(text, 21).contains("captures(ret: address)") && !of_llvm(text, 21).contains("nocreate")
        );
        // An unclosed parenthesis is left unchanged.
        assert_eq!(of_llvm("declare range(i8 0\n", 14), "declare range(i8 0\n");
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(major_version("Debian LLVM version 14.0.6\n\nOptimized build."), Some(14));
        assert_eq!(major_version("LLVM (http://llvm.org/):\n  LLVM version 22.1.8git"), Some(22));
        assert_eq!(major_version("my-opt version 3"), None);
    }
}
