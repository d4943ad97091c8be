//! Code as earlier versions of LLVM read it: this tool prints as LLVM 22 does.
//!
//! What has another spelling there is respelled, and flags that are not known are left out. A flag that is left out makes
//! code more defined, so that what a command makes of it still has to refine what it was at first: nothing is refuted that
//! would not be.

/// Flags of instructions: what stands in front of them, what they are called, and the version that knows them first.
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

/// Attributes: how they are spelled now, how they were, and the version that knows the present spelling first.
const ATTRIBUTES: [(&str, &str, u32); 8] = [
    (" memory(none)", " readnone", 16),
    (" memory(read)", " readonly", 16),
    (" memory(write)", " writeonly", 16),
    (" memory(argmem: read)", " argmemonly readonly", 16),
    (" memory(argmem: write)", " argmemonly writeonly", 16),
    (" memory(argmem: readwrite)", " argmemonly", 16),
    (" memory(inaccessiblemem: readwrite)", " inaccessiblememonly", 16),
    (" captures(none)", " nocapture", 21),
];

/// Whether something in `text` may be spelled as earlier versions do not know it.
pub(crate) fn is_of_today(text: &str) -> bool {
    FLAGS.iter().any(|(_, flag, _)| text.contains(flag))
        || ATTRIBUTES.iter().any(|(now, ..)| text.contains(now))
}

/// The major version in what a command answers to `--version`: of LLVM alone.
pub(crate) fn major_version(answer: &str) -> Option<u32> {
    let line = answer.lines().find(|line| line.contains("LLVM version"))?;
    let (_, version) = line.split_once("version")?;
    version.trim().split('.').next()?.parse().ok()
}

/// `text` as LLVM of that version reads it, as far as that is known.
pub(crate) fn of_llvm(text: &str, major: u32) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(&line_of(line, major));
        out.push('\n');
    }
    out
}

fn line_of(line: &str, major: u32) -> String {
    let mut line = line.to_owned();
    // What stands in quotes is a name or data.
    if line.contains('"') {
        return line;
    }
    for (before, flag, since) in FLAGS {
        if major < since
            && let Some(at) = line.find(&format!("{before}{flag} "))
        {
            let at = at + before.len();
            line.replace_range(at..at + flag.len(), "");
        }
    }
    for (now, old, since) in ATTRIBUTES {
        if major < since {
            line = line.replace(now, old);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{is_of_today, major_version, of_llvm};

    #[test]
    fn old_versions_get_old_spellings() {
        let text = "declare i8 @f(ptr captures(none)) nounwind memory(read)\n  %a = getelementptr inbounds nuw i8, ptr %p, i8 %or\n  \
                    %b = or disjoint i8 %x, %y\n  %c = add nuw nsw i8 %x, %y\n  %d = trunc nuw nsw i8 %x to i3\n  \
                    %e = icmp samesign ult i8 %x, %y\n  %f = zext nneg i8 %x to i9\n  %g = load ptr, ptr @\"or disjoint x\"\n";
        let old = "declare i8 @f(ptr nocapture) nounwind readonly\n  %a = getelementptr inbounds i8, ptr %p, i8 %or\n  \
                   %b = or i8 %x, %y\n  %c = add nuw nsw i8 %x, %y\n  %d = trunc i8 %x to i3\n  \
                   %e = icmp ult i8 %x, %y\n  %f = zext i8 %x to i9\n  %g = load ptr, ptr @\"or disjoint x\"\n";
        assert!(is_of_today(text));
        assert_eq!(of_llvm(text, 14), old);
        assert_eq!(of_llvm(text, 22), text);
        assert!(of_llvm(text, 18).contains("or disjoint i8") && of_llvm(text, 18).contains("icmp ult"));
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(major_version("Debian LLVM version 14.0.6\n\nOptimized build."), Some(14));
        assert_eq!(major_version("LLVM (http://llvm.org/):\n  LLVM version 22.1.8git"), Some(22));
        assert_eq!(major_version("my-opt version 3"), None);
    }
}
