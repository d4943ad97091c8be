//! Names of functions for people: Rust's and C++'s names in the source language's spelling.
//!
//! Only reports for people demangle names. Records, and messages that a command line may repeat, keep the name of the
//! module.

use crate::shown::visible;

/// Length in bytes of a name up to which it is demangled. Longer names would take long.
const LONGEST: usize = 4096;

/// The function `name`, given without `@`: its demangled name, or `@name` if it is not mangled. An empty name stays
/// empty.
pub(crate) fn function(name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    visible(&demangled(name).unwrap_or_else(|| format!("@{name}")))
}

/// The demangled name; `None` if `name` is not mangled.
pub(crate) fn demangled(name: &str) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        // The alternate form leaves out the hash.
        return Some(format!("{rust:#}"));
    }
    if !name.starts_with("_Z") && !name.starts_with("__Z") {
        return None;
    }
    cpp_demangle::Symbol::new(name).ok()?.demangle().ok()
}

#[cfg(test)]
mod tests {
    use super::function;

    #[test]
    fn names_of_rust_and_of_cpp_are_demangled() {
        for (name, shown) in [
            ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"),
            ("_RNvCs1234_7mycrate3foo", "mycrate::foo"),
            ("_Z3addii", "add(int, int)"),
            (
                "_ZNSt6vectorIiSaIiEE9push_backERKi",
                "std::vector<int, std::allocator<int> >::push_back(int const&)",
            ),
            ("main", "@main"),
            ("_Zzz", "@_Zzz"),
            ("a\u{1b}[31m", "@a\u{fffd}[31m"),
            ("", ""),
        ] {
            assert_eq!(function(name), shown);
        }
        let long = format!("_Z{}", "N1a".repeat(100_000));
        assert_eq!(function(&long), format!("@{long}"));
    }
}
