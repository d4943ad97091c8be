//! Prefixes of a `-passes=` text that keep the nesting, for bisecting any optimizer that accepts such texts.

use backedge_pipeline::text::Element;
use std::fmt::Write;
use std::ops::Range;

/// The passes of a text in order, that is, the elements without nested elements.
pub fn passes(elements: &[Element]) -> Vec<&Element> {
    let mut all = Vec::new();
    for element in elements {
        match &element.inner {
            Some(inner) => all.extend(passes(inner)),
            None => all.push(element),
        }
    }
    all
}

/// The text with only the first `count` passes.
pub fn prefix(elements: &[Element], count: usize) -> String {
    some(elements, &mut 0, &(0..count))
}

/// The text with only the pass at `index`, counted from 0.
pub fn only(elements: &[Element], index: usize) -> String {
    some(elements, &mut 0, &(index..index + 1))
}

/// The text with the passes whose numbers are in `range`; `at` is the number of the next pass.
fn some(elements: &[Element], at: &mut usize, range: &Range<usize>) -> String {
    let mut text = String::new();
    for element in elements {
        let inner = match &element.inner {
            Some(inner) => {
                let inner = some(inner, at, range);
                if inner.is_empty() {
                    continue;
                }
                Some(inner)
            }
            None => {
                *at += 1;
                if !range.contains(&(*at - 1)) {
                    continue;
                }
                None
            }
        };
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&element.name);
        if let Some(params) = &element.params {
            let _ = write!(text, "<{}>", params.text);
        }
        if let Some(inner) = inner {
            let _ = write!(text, "({inner})");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{only, passes, prefix};
    use backedge_pipeline::text::parse_elements;

    #[test]
    fn the_first_passes_stay_nested() {
        let text = "module(a,function(b<x;y>,loop-mssa(c,d)),e),f";
        let elements = parse_elements(text).expect("a pipeline");
        let names: Vec<&str> = passes(&elements).iter().map(|e| &*e.name).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e", "f"]);
        let shown: Vec<String> = (0..=7).map(|n| prefix(&elements, n)).collect();
        assert_eq!(
            shown,
            [
                "",
                "module(a)",
                "module(a,function(b<x;y>))",
                "module(a,function(b<x;y>,loop-mssa(c)))",
                "module(a,function(b<x;y>,loop-mssa(c,d)))",
                "module(a,function(b<x;y>,loop-mssa(c,d)),e)",
                text,
                text,
            ]
        );
        let alone: Vec<String> = [1, 2, 5, 6].map(|n| only(&elements, n)).to_vec();
        assert_eq!(alone, ["module(function(b<x;y>))", "module(function(loop-mssa(c)))", "f", ""]);
    }
}
