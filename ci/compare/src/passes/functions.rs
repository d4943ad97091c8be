//! The functions of a module's text: which of them a pass has changed, and their loops with the number of exits.

use crate::files::parse;
use anyhow::Result;
use backedge_analysis::{Cfg, Dominators, LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::module::Env;
use std::collections::BTreeMap;

/// The code of each function that `text` defines, by name. Excludes the numbers of metadata and attribute groups, which
/// change with other parts of the module, and comments on predecessors.
pub(crate) fn codes(text: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut current: Option<(String, String)> = None;
    for line in text.lines() {
        match &mut current {
            None if line.starts_with("define ") => {
                let mut code = String::new();
                push_line(&mut code, line);
                current = Some((name(line), code));
            }
            None => {}
            Some((_, code)) => {
                push_line(code, line);
                if line == "}" {
                    all.extend(current.take());
                }
            }
        }
    }
    all
}

/// The names of functions with different code, among those in both texts.
pub(crate) fn changed(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let differs = |(name, code): (&String, &String)| {
        after.get(name).is_some_and(|other| other != code).then(|| name.clone())
    };
    before.iter().filter_map(differs).collect()
}

/// The name of the function that the line defines, without quotes.
fn name(line: &str) -> String {
    let rest = line.split_once('@').map_or("", |(_, rest)| rest);
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
        None => rest.split('(').next().unwrap_or_default().to_owned(),
    }
}

fn push_line(code: &mut String, line: &str) {
    let line = line.split("; preds =").next().unwrap_or_default().trim_end();
    let mut number = false;
    for c in line.chars() {
        // The digits after `!` and `#`.
        number = match c {
            '!' | '#' => true,
            '0'..='9' => number,
            _ => false,
        };
        if !(number && c.is_ascii_digit()) {
            code.push(c);
        }
    }
    code.push('\n');
}

/// A loop, by its function and header.
pub(crate) type LoopName = (String, String);

/// The number of exiting edges of each loop. Functions that are not modelled have no entries.
pub(crate) type Exits = BTreeMap<LoopName, usize>;

/// The number of exits of each loop in the text of a module.
pub(crate) fn exits(text: &[u8]) -> Result<Exits> {
    of_loops(text, |_, _, cfg, loops, l| loops.exiting_edges(cfg, l).len())
}

/// The result of `what` for each loop in the text of a module.
pub(crate) fn of_loops<T>(
    text: &[u8],
    what: impl Fn(&Env, &Body, &Cfg, &LoopForest, LoopId) -> T,
) -> Result<BTreeMap<LoopName, T>> {
    let module = parse(text)?;
    let mut all = BTreeMap::new();
    for (func, body) in module.bodies() {
        let cfg = Cfg::new(body);
        let loops = LoopForest::new(&cfg, &Dominators::new(body, &cfg));
        let slots = body.slots();
        for l in loops.ids() {
            let function = module.env.funcs[func].name.to_string();
            let header = slots.block_label(body, loops.header(l));
            all.insert((function, header), what(&module.env, body, &cfg, &loops, l));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: &str = "define i32 @\"f g\"(i32 %n) #1 {
entry:
  br label %loop

loop:                       ; preds = %entry, %loop
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !3

exit:
  ret i32 7
}

define void @g() {
  ret void
}

attributes #1 = { nounwind }

!3 = distinct !{!3}
";

    #[test]
    fn a_function_is_changed_by_its_code_alone() {
        let before = codes(LOOP);
        assert_eq!(before.keys().collect::<Vec<_>>(), ["f g", "g"]);
        let renumbered =
            LOOP.replace("!3", "!14").replace("#1", "#0").replace("  ; preds = %entry, %loop", "");
        assert!(changed(&before, &codes(&renumbered)).is_empty());
        let other = LOOP.replace("ret i32 7", "ret i32 8");
        assert_eq!(changed(&before, &codes(&other)), ["f g"]);
    }

    #[test]
    fn exits_are_edges() {
        let found = exits(LOOP.as_bytes()).expect("a module");
        assert_eq!(found, Exits::from([(("f g".to_owned(), "loop".to_owned()), 1)]));
        let two = LOOP.replace(
            "br i1 %c, label %loop, label %exit, !llvm.loop !3",
            "switch i32 %i, label %loop [ i32 4, label %exit i32 5, label %exit ]",
        );
        assert_eq!(exits(two.as_bytes()).expect("a module").into_values().collect::<Vec<_>>(), [2]);
    }
}
