//! Pairs of functions as text, at various integer widths.

use backedge_testkit::corpus::{Expectations, Pair};
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

/// Integer width of a pair.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// As written.
    Real,
    /// All at 4 bits, or at 8 if the text has width conversions.
    Bits4,
    /// All at 8 bits, or at 16.
    Bits8,
}

/// A pair: `@src` and `@tgt`, and the lines that they need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PairText {
    pub(crate) name: String,
    pub(crate) functions: [String; 2],
    rest: String,
}

static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?ms)^define [^@]*@(src|tgt)(\w*)\(.*?^\}").expect("well formed"));
static REST: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^(?:declare|attributes|target|!|@).*$").expect("well formed"));
/// Constructs that cannot be narrowed.
static WIDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\bptr\b|float|double|<\d|\bi128\b|llvm\.|\[\d").expect("well formed"));
static CONVERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(zext|sext|trunc)\b").expect("well formed"));
static LONG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bi64\b").expect("well formed"));
static ANY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bi(8|16|32|64)\b").expect("well formed"));
static ARGUMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(i\d+|ptr) (?:noundef )?%").expect("well formed"));

/// The pairs of a file, unless its expectations call a pair wrong.
pub(crate) fn pairs_of(file: &Path) -> Vec<PairText> {
    let text = std::fs::read_to_string(file).expect("a corpus file");
    if Expectations::of(file).pairs.iter().any(Pair::is_wrong) {
        return Vec::new();
    }
    let rest: Vec<&str> = REST.find_iter(&text).map(|m| m.as_str()).collect();
    let functions: Vec<(String, String, &str)> = FUNCTION
        .captures_iter(&text)
        .map(|c| (c[1].to_owned(), c[2].to_owned(), c.get(0).expect("the whole").as_str()))
        .collect();
    let mut pairs = Vec::new();
    for (_, suffix, source) in functions.iter().filter(|(side, ..)| side == "src") {
        let target = functions.iter().find(|(side, other, _)| side == "tgt" && other == suffix);
        if let Some((.., target)) = target {
            let plain =
                |text: &str, side: &str| text.replacen(&format!("@{side}{suffix}("), &format!("@{side}("), 1);
            pairs.push(PairText {
                name: format!("{} {suffix}", file.display()),
                functions: [plain(source, "src"), plain(target, "tgt")],
                rest: rest.join("\n"),
            });
        }
    }
    pairs
}

impl PairText {
    /// Whether the pair has a form with integers of that width.
    pub(crate) fn fits(&self, width: Width) -> bool {
        width == Width::Real || !self.functions.iter().any(|f| WIDE.is_match(f) || f.contains("@f"))
    }

    pub(crate) fn widths(&self) -> Vec<Width> {
        // All inputs can be run at the narrow widths, so these come first if there are any.
        let narrow = [Width::Bits4, Width::Bits4, Width::Bits8];
        if self.fits(Width::Bits8) {
            narrow.into_iter().chain([Width::Real]).collect()
        } else {
            vec![Width::Real]
        }
    }

    /// The pair as a module with integers of that width.
    pub(crate) fn text(&self, width: Width) -> String {
        let [source, target] = &self.functions;
        let text = format!("{source}\n{target}\n{}\n", self.rest);
        let bits = match width {
            Width::Real => return text,
            Width::Bits4 => 4,
            Width::Bits8 => 8,
        };
        let text = if CONVERSION.is_match(&text) {
            LONG.replace_all(&text, format!("i{}", 2 * bits))
        } else {
            text.into()
        };
        let narrowed = ANY.replace_all(&text, |found: &regex::Captures<'_>| {
            // Types that have just been widened stay unchanged.
            if bits == 8 && &found[1] == "16" || bits == 4 && &found[1] == "8" && CONVERSION.is_match(&text) {
                found[0].to_owned()
            } else {
                format!("i{bits}")
            }
        });
        narrowed.into_owned()
    }

    /// Marks all arguments as neither poison nor undef, so that all inputs can be run.
    pub(crate) fn no_poison_arguments(&mut self) {
        for function in &mut self.functions {
            let (head, body) = function.split_once('\n').expect("a body");
            *function = format!("{}\n{body}", ARGUMENT.replace_all(head, "$1 noundef %"));
        }
    }
}
