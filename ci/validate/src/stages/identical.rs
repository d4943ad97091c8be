//! Stage: two functions with the same code refine each other, whatever they contain.
//!
//! The comparison uses text only, not the engines, so unmodelled constructs are permitted. Each function is printed
//! with everything it refers to, directly or not: attribute groups, metadata nodes, named types, globals with linkage
//! and initializers, declarations and definitions of callees, and the module's layout, triple, `module asm` and
//! comdats. The two texts are then compared token by token, starting at the two functions. Names of local values, and
//! numbers of attribute groups and metadata nodes, may differ one to one; so may the names of the two functions
//! themselves. Everything else must be equal. A function that the reader keeps as text keeps its local names, which
//! must be equal.
//!
//! "Not identical" is inconclusive: the other stages decide.

use super::{Earlier, SoFar, Stage, Step};
use crate::pair::{Side, Sides, as_ref};
use crate::verdict::{Method, Options, Verdict};
use backedge_ir::module::Code;
use backedge_ir::print::{self, Locals};
use backedge_smt::promises::module;
use std::collections::BTreeMap;

/// The stage.
pub(crate) struct Identical;

impl Stage for Identical {
    /// Whether the functions are identical.
    type Answer = bool;

    fn name(&self) -> &'static str {
        "identical"
    }
    fn wanted(&self, _: &SoFar, options: &Options) -> bool {
        options.identity
    }
    fn run(&self, Sides { source, target }: Sides<'_>, _: &Earlier, _: &Options) -> Self::Answer {
        are_identical(source, target)
    }
    fn fold(&self, so_far: SoFar, identical: Self::Answer) -> Step {
        if identical {
            return so_far.decided(Verdict::RefinesAll { method: Method::Identical, assumed: Vec::new() });
        }
        Step::Continue(so_far)
    }
}

/// Whether both functions are the same code in the same module context.
pub(crate) fn are_identical(source: Side<'_>, target: Side<'_>) -> bool {
    may_be(source, target) && module::beyond(as_ref(source), as_ref(target)).is_empty() && {
        let [s, t] = [source, target].map(text);
        same_text([&s, &t], [source.name(), target.name()])
    }
}

fn text(side: Side<'_>) -> String {
    print::extract(side.module, side.func, &[], Locals::Numbered).text
}

/// A cheap test that most differing pairs fail.
fn may_be(source: Side<'_>, target: Side<'_>) -> bool {
    match (&source.module.code[source.func], &target.module.code[target.func]) {
        (Code::Body(s), Code::Body(t)) => {
            s.blocks().count() == t.blocks().count()
                && s.all_insts().count() == t.all_insts().count()
                && s.all_insts()
                    .zip(t.all_insts())
                    .all(|(s_inst, t_inst)| s.inst(s_inst).kind.mnemonic() == t.inst(t_inst).kind.mnemonic())
        }
        (Code::Opaque(s), Code::Opaque(t)) => s.feature == t.feature,
        _ => false,
    }
}

/// A token of a module's text. Names keep their quotes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Token<'t> {
    /// `@name`.
    Global(&'t str),
    /// `%name`: a local or a type.
    Percent(&'t str),
    /// `#n`: an attribute group.
    Group(&'t str),
    /// `!n`: a metadata node.
    Node(&'t str),
    /// Anything else.
    Other(&'t str),
}

/// The name that a module item defines.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key<'t> {
    Global(&'t str),
    Type(&'t str),
    Group(&'t str),
    Node(&'t str),
}

/// The items of a module's text.
#[derive(Default)]
struct Items<'t> {
    keyed: BTreeMap<Key<'t>, Vec<Token<'t>>>,
    /// Items without a name: layout, triple, `module asm`, comdats, in order.
    others: Vec<Vec<Token<'t>>>,
}

impl<'t> Items<'t> {
    /// Parses the items. `None` if two items define one name.
    fn read(text: &'t str) -> Option<Self> {
        let (mut items, mut item, mut depth) = (Self::default(), Vec::new(), 0_i64);
        let mut at = 0;
        while at < text.len() {
            let (token, length) = token(&text[at..]);
            let begins_line = at == 0 || text.as_bytes()[at - 1] == b'\n';
            if let Some(token) = token {
                if begins_line && depth == 0 {
                    items.add(std::mem::take(&mut item))?;
                }
                depth += match token {
                    Token::Other("{") => 1,
                    Token::Other("}") => -1,
                    _ => 0,
                };
                item.push(token);
            }
            at += length;
        }
        items.add(item)?;
        Some(items)
    }

    fn add(&mut self, mut item: Vec<Token<'t>>) -> Option<()> {
        if declares_intrinsic(&item)
            && let Some(end) = item.iter().rposition(|token| *token == Token::Other(")"))
            && item[end + 1..].iter().all(|token| matches!(token, Token::Group(_)))
        {
            item.truncate(end + 1);
        }
        let key = match item[..] {
            [] => return Some(()),
            [Token::Other("define" | "declare"), ..] => item.iter().find_map(|token| match token {
                Token::Global(name) => Some(Key::Global(name)),
                _ => None,
            }),
            [Token::Other("attributes"), Token::Group(group), ..] => Some(Key::Group(group)),
            [Token::Global(name), ..] => Some(Key::Global(name)),
            [Token::Percent(name), ..] => Some(Key::Type(name)),
            [Token::Node(node), ..] => Some(Key::Node(node)),
            _ => None,
        };
        match key {
            Some(key) => self.keyed.insert(key, item).is_none().then_some(()),
            None => {
                self.others.push(item);
                Some(())
            }
        }
    }

    /// The key of the global called `name`; names that need quotes have them in the text.
    fn global(&self, name: &str) -> Option<Key<'t>> {
        let quoted = format!("\"{name}\"");
        let is_it = |key: &Key<'t>| matches!(key, Key::Global(found) if *found == name || *found == quoted);
        self.keyed.keys().copied().find(is_it)
    }
}

/// Whether an item declares an intrinsic. LLVM replaces the stated attributes by the intrinsic's own.
fn declares_intrinsic(item: &[Token<'_>]) -> bool {
    let mut names = item.iter().filter_map(|token| match token {
        Token::Global(name) => Some(name.trim_matches('"')),
        _ => None,
    });
    item.first() == Some(&Token::Other("declare"))
        && names.next().is_some_and(|name| name.starts_with("llvm."))
}

/// The token at the beginning of `text`, `None` for white space and comments, and its length in bytes.
fn token(text: &str) -> (Option<Token<'_>>, usize) {
    let word =
        |text: &str| text.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"-._$\\".contains(b)).count();
    let quoted = |text: &str| text[1..].find('"').map_or(text.len(), |end| end + 2);
    let Some(first) = text.chars().next() else { return (None, 1) };
    let rest = &text[first.len_utf8()..];
    let name = if rest.starts_with('"') { quoted(rest) } else { word(rest) };
    let numbered = name > 0 && rest[..name].bytes().all(|b| b.is_ascii_digit());
    match first {
        ' ' | '\t' | '\n' | '\r' => (None, 1),
        ';' => (None, text.find('\n').unwrap_or(text.len())),
        '"' => {
            let length = quoted(text);
            (Some(Token::Other(&text[..length])), length)
        }
        '@' => (Some(Token::Global(&rest[..name])), 1 + name),
        '%' => (Some(Token::Percent(&rest[..name])), 1 + name),
        '#' if numbered => (Some(Token::Group(&rest[..name])), 1 + name),
        '!' if numbered => (Some(Token::Node(&rest[..name])), 1 + name),
        _ => {
            let length = word(text).max(first.len_utf8());
            (Some(Token::Other(&text[..length])), length)
        }
    }
}

/// The correspondence of names and numbers between the two texts, and the worklist of items to compare.
struct Comparison<'t> {
    items: [Items<'t>; 2],
    matched: [BTreeMap<Key<'t>, Key<'t>>; 2],
    waiting: Vec<[Key<'t>; 2]>,
}

impl<'t> Comparison<'t> {
    /// Whether the two keys may correspond; records the correspondence and enqueues their items.
    fn match_up(&mut self, keys: [Key<'t>; 2]) -> bool {
        let [s, t] = keys;
        let known = [self.matched[0].get(&s), self.matched[1].get(&t)];
        match known {
            [None, None] => {
                self.matched[0].insert(s, t);
                self.matched[1].insert(t, s);
                self.waiting.push(keys);
                true
            }
            [Some(other), Some(_)] => *other == t,
            _ => false,
        }
    }

    fn same_tokens(&mut self, s: &[Token<'t>], t: &[Token<'t>]) -> bool {
        s.len() == t.len() && s.iter().zip(t).all(|(s, t)| self.same_token(*s, *t))
    }

    fn same_token(&mut self, s: Token<'t>, t: Token<'t>) -> bool {
        match (s, t) {
            (Token::Global(s), Token::Global(t)) => {
                let keys = [Key::Global(s), Key::Global(t)];
                // The two functions correspond whatever their names.
                let known = self.matched[0].get(&keys[0]) == Some(&keys[1]);
                (known || s == t) && self.match_up(keys)
            }
            (Token::Percent(s), Token::Percent(t)) => {
                let keys = [Key::Type(s), Key::Type(t)];
                let is_type = |side: usize| self.items[side].keyed.contains_key(&keys[side]);
                let any = is_type(0) || is_type(1);
                s == t && (!any || self.match_up(keys))
            }
            (Token::Group(s), Token::Group(t)) => self.match_up([Key::Group(s), Key::Group(t)]),
            (Token::Node(s), Token::Node(t)) => self.match_up([Key::Node(s), Key::Node(t)]),
            (Token::Other(s), Token::Other(t)) => s == t,
            _ => false,
        }
    }
}

/// Whether the functions of these names are the same code, given the texts of modules with everything they refer to.
fn same_text(texts: [&str; 2], names: [&str; 2]) -> bool {
    let (Some(s), Some(t)) = (Items::read(texts[0]), Items::read(texts[1])) else { return false };
    let (Some(s_root), Some(t_root)) = (s.global(names[0]), t.global(names[1])) else { return false };
    let mut comparison =
        Comparison { items: [s, t], matched: [BTreeMap::new(), BTreeMap::new()], waiting: Vec::new() };
    let [s, t] = [0, 1].map(|side| std::mem::take(&mut comparison.items[side].others));
    let mut same = comparison.match_up([s_root, t_root])
        && s.len() == t.len()
        && s.iter().zip(&t).all(|(s, t)| comparison.same_tokens(s, t));
    while same && let Some(keys) = comparison.waiting.pop() {
        // Each key is matched once, so each item is needed once.
        let mut take = |side: usize| comparison.items[side].keyed.get_mut(&keys[side]).map(std::mem::take);
        let (s, t) = (take(0), take(1));
        same = match (s, t) {
            (Some(s), Some(t)) => comparison.same_tokens(&s, &t),
            _ => false,
        };
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_ir::module::Module;
    use backedge_ir::parse::parse_module;

    const ONE: &str = "\
target datalayout = \"e-i64:64\"
target triple = \"x86_64-unknown-linux-gnu\"
%pair = type { i32, i32 }
@g = internal constant [2 x i8] c\"a;\"
@\"with space\" = external global %pair
declare void @callee(ptr) #1
define internal i32 @helper(ptr %p) {
  %v = load i32, ptr %p, !range !0
  ret i32 %v
}
define i32 @f(i32 noundef %x, ptr %p) #0 {
start:
  br label %loop
loop:
  %i = phi i32 [ 0, %start ], [ %n, %loop ]
  call void @callee(ptr @g) #2
  call void @callee(ptr @\"with space\")
  %h = call i32 @helper(ptr %p)
  %n = add i32 %i, %h
  %c = icmp ult i32 %n, %x
  br i1 %c, label %loop, label %end, !llvm.loop !1
end:
  %r = call i32 @f(i32 %n, ptr %p)
  ret i32 %r
}
attributes #0 = { nounwind \"target-features\"=\"+sse2\" }
attributes #1 = { nounwind }
attributes #2 = { cold }
!0 = !{i32 0, i32 9}
!1 = distinct !{!1, !2}
!2 = !{!\"llvm.loop.mustprogress\"}
";

    fn same(one: &str, other: &str, names: [&str; 2]) -> bool {
        let [one, other] = [one, other].map(|text| parse_module(text.as_bytes()).expect(text).module);
        let func = |module: &Module, name| module.env.func_named(name).expect("it is there");
        let (s, t) = (func(&one, names[0]), func(&other, names[1]));
        are_identical(Side { module: &one, func: s }, Side { module: &other, func: t })
    }

    #[test]
    fn names_of_locals_and_numbers_make_no_difference() {
        assert!(same(ONE, ONE, ["f", "f"]));
        for (from, to) in [
            ("%x", "%y"),
            ("loop", "body"),
            ("!2", "!7"),
            ("#0", "#9"),
            ("@f", "@tgt"),
            ("@f", "@\"a name\""),
            ("start:", "start: ; a comment"),
        ] {
            let other = ONE.replace("llvm.loop", "LOOP").replace(from, to).replace("LOOP", "llvm.loop");
            let name = if from == "@f" { to.trim_matches(['@', '"']) } else { "f" };
            assert!(same(ONE, &other, ["f", name]), "{from} {to}");
        }
    }

    #[test]
    fn whatever_it_depends_on_makes_a_difference() {
        for (from, to) in [
            ("e-i64:64", "E-i64:64"),
            ("unknown-linux", "unknown-windows"),
            ("{ i32, i32 }", "{ i32, i64 }"),
            ("c\"a;\"", "c\"b;\""),
            ("internal constant", "internal global"),
            ("internal constant", "private constant"),
            ("external global", "external constant"),
            (", !range !0", ""),
            ("i32 0, i32 9", "i32 0, i32 8"),
            ("@helper(ptr %p) {", "@helper(ptr nonnull %p) {"),
            ("ret i32 %v", "ret i32 0"),
            ("noundef", "zeroext"),
            ("+sse2", "+avx"),
            ("attributes #1 = { nounwind }", "attributes #1 = { nounwind willreturn }"),
            ("{ cold }", "{ hot }"),
            ("llvm.loop.mustprogress", "llvm.loop.unroll.disable"),
            ("add i32 %i, %h", "add nsw i32 %i, %h"),
            ("add i32 %i, %h", "add i32 %h, %i"),
            ("call i32 @f", "call i32 @helper2"),
            ("declare void @callee(ptr) #1", "define void @callee(ptr %p) #1 {\n  ret void\n}"),
        ] {
            let other = ONE.replace(from, to) + "declare i32 @helper2(i32, ptr)\n";
            assert_ne!(other, ONE, "{from}");
            assert!(!same(ONE, &other, ["f", "f"]), "{from} {to}");
        }
    }

    #[test]
    fn what_is_stated_for_an_intrinsic_makes_no_difference() {
        let module = |attributes: &str| {
            format!(
                "declare void @llvm.donothing() #0\ndeclare void @g() #1\n\
                 define void @f() {{\n  call void @llvm.donothing()\n  call void @g()\n  ret void\n}}\n{attributes}"
            )
        };
        let one = module("attributes #0 = { mustprogress nounwind }\nattributes #1 = { nounwind }\n");
        let other = one.replace("mustprogress ", "");
        assert!(same(&one, &other, ["f", "f"]));
        let other = one.replace("#1 = { nounwind }", "#1 = { cold }");
        assert!(!same(&one, &other, ["f", "f"]));
    }

    #[test]
    fn a_function_that_is_kept_as_text_is_compared_as_text() {
        let opaque = "define void @f(ptr %p, ptr %q) personality ptr @p {\n  invoke void @g(ptr %p) to label %a unwind label %b\n\
                      a:\n  ret void\nb:\n  %c = cleanuppad within none []\n  cleanupret from %c unwind to caller\n}\n\
                      declare void @g(ptr)\ndeclare i32 @p(...)\n";
        assert!(same(opaque, opaque, ["f", "f"]));
        assert!(!same(opaque, &opaque.replace("@g(ptr %p)", "@g(ptr %q)"), ["f", "f"]));
        assert!(!same(opaque, &opaque.replace("@g(ptr)\n", "@g(ptr) nounwind\n"), ["f", "f"]));
    }
}
