//! Cache key: a hash of everything a verdict depends on.

use crate::pair::Sides;
use crate::pair::extracted::Extracted;
use crate::verdict::Options;

/// Hash of the sources of this checker.
const ENCODER: &str = env!("BACKEDGE_ENCODER");
/// Options that limit the effort without changing the question.
const BUDGET: [&str; 3] = ["rlimit", "timeout", "memory_mb"];

/// The hash of everything a verdict depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key([u8; 32]);

impl Key {
    pub(super) fn new(pair: &Extracted, options: &Options) -> Self {
        let Sides { source, target } = pair.sides();
        let [source_text, target_text] = pair.canonical();
        let options = asked(options);
        let z3 = backedge_smt::z3_version().unwrap_or("no Z3");
        let parts = [source.name(), &source_text, target.name(), &target_text, &options, ENCODER, z3];
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Self(hasher.finalize().into())
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// All options except the budget, with their names; options added later are included automatically.
fn asked(options: &Options) -> String {
    let mut value = serde_json::to_value(options).expect("options have string keys only");
    if let Some(map) = value.as_object_mut() {
        BUDGET.iter().for_each(|name| {
            map.remove(*name).expect("the budget's options are called so");
        });
    }
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Side;
    use backedge_ir::parse::parse_module;
    use std::time::Duration;

    const PAIR: &str = "\
@g = external global i32
declare void @callee()
define i32 @src(i32 %x) {
entry:
  %r = add i32 %x, 1
  ret i32 %r
}
define i32 @tgt(i32 %x) {
entry:
  call void @callee()
  %r = add i32 1, %x
  store i32 %r, ptr @g
  ret i32 %r
}
";

    fn key(text: &str, options: &Options) -> Key {
        let module = parse_module(text.as_bytes()).expect("a module").module;
        let side = |name| Side { module: &module, func: module.env.func_named(name).expect("there") };
        Key::new(&Extracted::new(side("src"), side("tgt")).expect("it is read again"), options)
    }

    #[test]
    fn all_that_matters_is_in_it_and_nothing_else() {
        let options = Options::default();
        let same = key(PAIR, &options);
        for text in [
            PAIR.replace("%x", "%argument").replace("%r", "%sum").replace("entry:", "start:"),
            format!("; a comment\n@unused = global i8 0\n{PAIR}\ndefine void @more() {{\n  ret void\n}}\n"),
        ] {
            assert_eq!(key(&text, &options), same, "{text}");
        }
        for (from, to) in [
            ("add i32 %x, 1", "add i32 %x, 2"),
            ("add i32 1, %x", "add nsw i32 1, %x"),
            ("@src(i32 %x)", "@src(i32 noundef %x)"),
            ("@g = external global i32", "@g = global i32 0"),
            ("@g", "@h"),
            ("declare void @callee()", "declare void @callee() nounwind"),
            ("@callee", "@other"),
            ("@g =", "target datalayout = \"E\"\n@g ="),
        ] {
            assert_ne!(key(&PAIR.replace(from, to), &options), same, "{to}");
        }
        let budget = Options { rlimit: 1, timeout: Duration::from_secs(1), memory_mb: 1, ..options.clone() };
        assert_eq!(key(PAIR, &budget), same);
        for other in [
            Options { bound: 5, ..options.clone() },
            Options { runs: 5, ..options.clone() },
            Options { fuel: 5, ..options.clone() },
            Options { solver: false, ..options.clone() },
            Options { uninit: crate::verdict::Uninit::Poison, ..options.clone() },
        ] {
            assert_ne!(key(PAIR, &other), same, "{other:?}");
        }
    }
}
