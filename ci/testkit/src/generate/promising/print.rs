//! Prints a pair as text.

use super::{Access, Base, Condition, Place, Promises, Statement, Stored};
use std::fmt::Write;

/// Node numbers of TBAA tags: of `int`, `float`, `char`, of the fields of a struct, and of constant memory.
pub(super) const TAGS: [u32; 6] = [4, 5, 6, 8, 9, 10];
/// Node numbers of scope lists: two scopes of one domain, each alone, one of another domain, and the first two together.
pub(super) const LISTS: [u32; 4] = [25, 26, 28, 27];
/// The number of lists at the start of [`LISTS`] that have a single scope: only these can be declared.
pub(super) const SINGLE: usize = 3;
/// First node number of access groups.
const FIRST_GROUP: u32 = 30;
/// Number of access groups.
pub(super) const GROUPS: usize = 2;
/// First node number of loops.
const FIRST_LOOP: u32 = 40;

const NODES: &str = "\
!0 = !{!\"root\"}
!1 = !{!\"char\", !0, i64 0}
!2 = !{!\"int\", !1, i64 0}
!3 = !{!\"float\", !1, i64 0}
!4 = !{!2, !2, i64 0}
!5 = !{!3, !3, i64 0}
!6 = !{!1, !1, i64 0}
!7 = !{!\"S\", !2, i64 0, !3, i64 4}
!8 = !{!7, !2, i64 0}
!9 = !{!7, !3, i64 4}
!10 = !{!2, !2, i64 0, i64 1}
!20 = distinct !{!20, !\"one\"}
!21 = distinct !{!21, !20, !\"a\"}
!22 = distinct !{!22, !20, !\"b\"}
!23 = distinct !{!23, !\"other\"}
!24 = distinct !{!24, !23, !\"c\"}
!25 = !{!21}
!26 = !{!22}
!27 = !{!21, !22}
!28 = !{!24}
!29 = !{}
!30 = distinct !{}
!31 = distinct !{}
";

const DECLARATIONS: &str = "
define internal void @set(ptr %at) {
  store i32 1, ptr %at, align 4
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

";

/// The module of both functions.
pub(super) fn module(source: &[Statement], target: &[Statement]) -> String {
    let mut nodes = NODES.to_owned();
    let mut text = String::new();
    for (name, body) in [("src", source), ("tgt", target)] {
        let mut printer = Printer {
            text: String::new(),
            nodes,
            next: 0,
            block: "entry".into(),
            loaded: None,
            counter: None,
        };
        printer.list(body);
        nodes = printer.nodes;
        let object = "noundef nonnull dereferenceable(32) align 8";
        write!(
            text,
            "define void @{name}(ptr {object} %p, ptr {object} %q, i1 noundef %c, i1 noundef %d, i8 noundef %n) {{\n\
             entry:\n  %own = alloca i64, align 8\n  store i64 0, ptr %own, align 8\n  %m = and i8 %n, 3\n{}  ret void\n}}\n",
            printer.text
        )
        .expect("a string takes all");
    }
    format!("{text}{DECLARATIONS}{nodes}")
}

/// Prints one function.
struct Printer {
    text: String,
    /// Metadata nodes; loops add theirs.
    nodes: String,
    next: u32,
    /// The block being written.
    block: String,
    /// The last loaded value, if it is available on all paths.
    loaded: Option<String>,
    /// The counter of the innermost loop.
    counter: Option<String>,
}

impl Printer {
    fn fresh(&mut self, kind: &str) -> String {
        self.next += 1;
        format!("{kind}{}", self.next)
    }
    fn line(&mut self, line: &str) {
        writeln!(self.text, "  {line}").expect("a string takes all");
    }
    fn label(&mut self, label: &str) {
        writeln!(self.text, "{label}:").expect("a string takes all");
        label.clone_into(&mut self.block);
    }
    fn list(&mut self, list: &[Statement]) {
        for statement in list {
            self.statement(statement);
        }
    }
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Access(access, promises) => self.access(*access, *promises),
            Statement::Declare(list) => {
                let list = LISTS[*list];
                self.line(&format!("call void @llvm.experimental.noalias.scope.decl(metadata !{list})"));
            }
            Statement::If(condition, arms) => self.branch(*condition, arms),
            Statement::Leave(condition, returns) => {
                let condition = self.condition(*condition);
                let [leave, stay] = ["leave", "stay"].map(|kind| self.fresh(kind));
                self.line(&format!("br i1 {condition}, label %{leave}, label %{stay}"));
                self.label(&leave);
                self.line(if *returns { "ret void" } else { "unreachable" });
                self.label(&stay);
            }
            Statement::Loop(count, parallel, body) => self.repeat(*count, *parallel, body),
        }
    }
    fn branch(&mut self, condition: Condition, [then, other]: &[Vec<Statement>; 2]) {
        let condition = self.condition(condition);
        let [yes, no, end] = ["then", "else", "end"].map(|kind| self.fresh(kind));
        self.line(&format!("br i1 {condition}, label %{yes}, label %{no}"));
        for (label, list) in [(&yes, then), (&no, other)] {
            let before = self.loaded.clone();
            self.label(label);
            self.list(list);
            self.line(&format!("br label %{end}"));
            self.loaded = before;
        }
        self.label(&end);
    }
    fn repeat(&mut self, count: Option<u8>, parallel: Option<usize>, body: &[Statement]) {
        let [head, inside, end] = ["head", "body", "exit"].map(|kind| self.fresh(kind));
        let [counter, next, more] = ["%i", "%next", "%more"].map(|kind| self.fresh(kind));
        let count = count.map_or("%m".to_owned(), |count| count.to_string());
        let (before, outer) = (self.loaded.clone(), self.counter.replace(counter.clone()));
        let entered = self.block.clone();
        self.line(&format!("br label %{head}"));
        self.label(&head);
        let at = self.text.len();
        self.line(&format!("{more} = icmp ult i8 {counter}, {count}"));
        self.line(&format!("br i1 {more}, label %{inside}, label %{end}"));
        self.label(&inside);
        self.list(body);
        self.line(&format!("{next} = add i8 {counter}, 1"));
        let mark = parallel.map(|group| self.parallel(group));
        self.line(&format!("br label %{head}{}", mark.unwrap_or_default()));
        let latch = self.block.clone();
        let phi = format!("  {counter} = phi i8 [ 0, %{entered} ], [ {next}, %{latch} ]\n");
        self.text.insert_str(at, &phi);
        self.label(&end);
        (self.loaded, self.counter) = (before, outer);
    }
    /// The metadata of a latch whose loop has parallel accesses of this group.
    fn parallel(&mut self, group: usize) -> String {
        self.next += 1;
        let number = FIRST_LOOP + 2 * self.nodes.lines().count() as u32;
        let (list, group) = (number + 1, FIRST_GROUP + group as u32);
        let _ = writeln!(self.nodes, "!{number} = distinct !{{!{number}, !{list}}}");
        let _ = writeln!(self.nodes, "!{list} = !{{!\"llvm.loop.parallel_accesses\", !{group}}}");
        format!(", !llvm.loop !{number}")
    }
    fn condition(&mut self, condition: Condition) -> String {
        let test = match condition {
            Condition::C => return "%c".to_owned(),
            Condition::D => return "%d".to_owned(),
            Condition::Equal => "icmp eq ptr %p, %q".to_owned(),
            Condition::Frozen => "freeze i1 undef".to_owned(),
            Condition::Loaded => match &self.loaded {
                Some(loaded) => format!("icmp eq i32 {loaded}, 0"),
                None => return "%c".to_owned(),
            },
            Condition::First => match &self.counter {
                Some(counter) => format!("icmp eq i8 {counter}, 0"),
                None => return "%d".to_owned(),
            },
        };
        self.define("%test", &test)
    }
    fn define(&mut self, kind: &str, code: &str) -> String {
        let name = self.fresh(kind);
        self.line(&format!("{name} = {code}"));
        name
    }
    fn place(&mut self, place: Place) -> String {
        let base = match place.base {
            Base::P => "%p".to_owned(),
            Base::Q => "%q".to_owned(),
            Base::Own => "%own".to_owned(),
            Base::Either(condition) => {
                let condition = self.condition(condition);
                self.define("%either", &format!("select i1 {condition}, ptr %p, ptr %q"))
            }
            Base::Fresh => {
                let fresh = self.define("%fresh", "alloca i64, align 8");
                self.line(&format!("store i64 0, ptr {fresh}, align 8"));
                fresh
            }
            Base::Counted => match self.counter.clone() {
                Some(counter) => {
                    let wide = self.define("%wide", &format!("zext i8 {counter} to i64"));
                    self.define("%element", &format!("getelementptr i32, ptr %p, i64 {wide}"))
                }
                None => "%p".to_owned(),
            },
        };
        if place.far { self.define("%far", &format!("getelementptr i8, ptr {base}, i64 4")) } else { base }
    }
    fn access(&mut self, access: Access, promises: Promises) {
        let said = said(access, promises);
        match access {
            Access::Load(at) => {
                let at = self.place(at);
                let loaded = self.define("%loaded", &format!("load i32, ptr {at}, align 4{said}"));
                self.loaded = Some(loaded);
            }
            Access::Store(at, stored) => {
                let at = self.place(at);
                let value = match (stored, &self.loaded) {
                    (Stored::Loaded, Some(loaded)) => loaded.clone(),
                    (Stored::Loaded, None) => "2".to_owned(),
                    (Stored::Constant(value), _) => value.to_string(),
                };
                self.line(&format!("store i32 {value}, ptr {at}, align 4{said}"));
            }
            Access::Copy(to, from) => {
                let (to, from) = (self.place(to), self.place(from));
                let call = "call void @llvm.memcpy.p0.p0.i64";
                self.line(&format!("{call}(ptr align 4 {to}, ptr align 4 {from}, i64 4, i1 false){said}"));
            }
            Access::Call(at) => {
                let at = self.place(at);
                self.line(&format!("call void @set(ptr {at}){said}"));
            }
        }
    }
}

/// The metadata of an access.
fn said(access: Access, promises: Promises) -> String {
    let mut text = String::new();
    let mut add = |kind: &str, number: Option<u32>| {
        if let Some(number) = number {
            let _ = write!(text, ", !{kind} !{number}");
        }
    };
    add("tbaa", promises.tag.map(|tag| TAGS[tag]));
    add("alias.scope", promises.scopes.map(|list| LISTS[list]));
    add("noalias", promises.noalias.map(|list| LISTS[list]));
    add("llvm.access.group", promises.group.map(|group| FIRST_GROUP + group as u32));
    let empty = Some(29);
    add("invariant.load", empty.filter(|_| promises.invariant && matches!(access, Access::Load(_))));
    let alone = matches!(access, Access::Load(_) | Access::Store(..));
    add("invariant.group", empty.filter(|_| promises.invariant_group && alone));
    text
}
