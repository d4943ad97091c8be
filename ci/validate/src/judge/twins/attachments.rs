//! Twins for all metadata kinds by instruction, and for operand bundles.
//!
//! The verdict follows from the meaning alone: an entry without a meaning may be added and dropped; a promise or
//! permission may be dropped, and must not be added silently; an agreement must be neither added nor dropped silently.

use super::shape::{Action, Given, Shape};
use super::{Class, Expected, Twin};
use backedge_ir::meaning::Meaning;
use backedge_ir::meaning::bundle::{self, BundleTag};
use backedge_ir::meaning::metadata::{self, Carrier, OtherKind};
use backedge_ir::metadata::MdKind;

/// Kinds named in [`MdKind`]; [`super::values`] has those that constrain values.
const KINDS: [&str; 21] = [
    "tbaa",
    "tbaa.struct",
    "invariant.load",
    "invariant.group",
    "alias.scope",
    "noalias",
    "llvm.mem.parallel_loop_access",
    "llvm.access.group",
    "callees",
    "fpmath",
    "DIAssignID",
    "prof",
    "nontemporal",
    "unpredictable",
    "make.implicit",
    "srcloc",
    "callback",
    "annotation",
    "nosanitize",
    "irce.loop.clone",
    "a.kind.that.nobody.knows",
];

/// Instructions that carry attachments; `{M}` is the placeholder.
const INSTRUCTIONS: [(Carrier, &str, &str); 8] = [
    (Carrier::Load, "i8", "%r = load i8, ptr %p, align 1{M}"),
    (Carrier::Load, "ptr", "%r = load ptr, ptr %p, align 8{M}"),
    (Carrier::Store, "void", "store i8 %w, ptr %p, align 1{M}"),
    (Carrier::Atomic, "i8", "%r = atomicrmw add ptr %p, i8 %w monotonic, align 1{M}"),
    (Carrier::Call, "i8", "%r = call i8 @ext(i8 %v){M}"),
    (Carrier::Call, "i8", "%r = call i8 @llvm.umin.i8(i8 %v, i8 %w){M}"),
    (Carrier::Other, "i8", "%r = add i8 %v, %w{M}"),
    (Carrier::Other, "i8", "%r = select i1 %c, i8 %v, i8 %w{M}"),
];

const DECLARED: &str = "declare i8 @ext(i8)\ndeclare i8 @llvm.umin.i8(i8, i8)\n";

const NODES: &str = "!0 = !{!1, !1, i64 0}
!1 = !{!\"byte\", !2, i64 0}
!2 = !{!\"root\"}
!3 = !{!4}
!4 = distinct !{!4, !5}
!5 = distinct !{!5}
!6 = !{}
!7 = distinct !{}
!8 = !{i32 1}
!9 = !{!\"branch_weights\", i32 1, i32 2}
!10 = !{ptr @ext}
!11 = !{float 2.5}
!12 = distinct !DIAssignID()
!13 = !{!\"text\"}
!14 = !{i64 1}
!15 = !{!7}
";

/// All twins of attachments and bundles.
pub(super) fn all() -> Vec<Twin> {
    let mut twins = Vec::new();
    let others = OtherKind::ALL.iter().map(|kind| kind.name());
    for kind in KINDS.into_iter().chain(others) {
        for (carrier, ret, code) in INSTRUCTIONS {
            let meaning = metadata::meaning(&MdKind::from_name(kind), carrier);
            if meaning == Meaning::Misplaced || !fits(kind, code) {
                continue;
            }
            for action in [Action::Add, Action::Drop, Action::Keep] {
                for in_loop in [false, true] {
                    let entry = Attachment { kind, meaning, ret, code };
                    twins.push(entry.twin(action, in_loop));
                }
            }
        }
    }
    twins.extend(assumptions());
    twins.extend(bundles());
    twins
}

/// Whether LLVM's verifier allows the kind there.
fn fits(kind: &str, code: &str) -> bool {
    match kind {
        "tbaa" | "tbaa.struct" | "nontemporal" => !code.contains("add i8") && !code.contains("select"),
        "fpmath" | "callback" => false,
        "DIAssignID" => code.starts_with("store"),
        "callees" => code.contains("@ext"),
        "unpredictable" => code.contains("select"),
        "prof" => code.contains("select") || code.contains("@ext"),
        "make.implicit" | "llvm.mem.parallel_loop_access" => !code.contains("%v"),
        "nofree" | "nofpclass" | "invariant.load" => code.contains("load"),
        "captures" => code.starts_with("store"),
        "kcfi_type" | "type" | "absolute_symbol" | "associated" | "exclude" | "section_prefix" => false,
        "implicit.ref" | "vcall_visibility" | "func_sanitize" => false,
        _ => true,
    }
}

fn node(kind: &str) -> &'static str {
    match kind {
        "tbaa" => "!0",
        // The node covers the widest of the accesses.
        "tbaa.struct" => "!{i64 0, i64 8, !0}",
        "alias.scope" | "noalias" => "!3",
        "invariant.load" | "invariant.group" | "unpredictable" | "make.implicit" | "nosanitize" => "!6",
        "llvm.access.group" => "!7",
        "llvm.mem.parallel_loop_access" => "!15",
        "nontemporal" => "!8",
        "prof" => "!9",
        "callees" => "!10",
        "fpmath" => "!11",
        "DIAssignID" => "!12",
        "annotation" => "!13",
        "srcloc" => "!14",
        "captures" => "!{!\"address\"}",
        "noalias.addrspace" => "!{i32 3, i32 4}",
        "nofpclass" => "!8",
        "mmra" => "!{!\"a\", !\"b\"}",
        _ => "!6",
    }
}

#[derive(Copy, Clone)]
struct Attachment {
    kind: &'static str,
    meaning: Meaning,
    ret: &'static str,
    code: &'static str,
}

impl Attachment {
    fn twin(self, action: Action, in_loop: bool) -> Twin {
        let entry = format!(", !{} {}", self.kind, node(self.kind));
        let [source, target] = action.texts(&entry).map(|entry| {
            let step = format!("  {}\n", self.code.replace("{M}", entry));
            let body = Shape { ret: self.ret, step: &step }.body(in_loop, None);
            let params = Given::Free.parameters("i8", "");
            format!("{DECLARED}define {} @f({params}) {{\nentry:\n{body}}}\n{NODES}", self.ret)
        });
        let shape = if in_loop { ", in a loop" } else { "" };
        Twin {
            class: Class { place: "metadata", action: action.name() },
            name: format!("!{} at {}, {}{shape}", self.kind, self.code.replace("{M}", ""), action.name()),
            source,
            target,
            expected: self.expected(action),
        }
    }
    fn expected(self, action: Action) -> Expected {
        match action {
            Action::Add if self.meaning.may_be_added() => Expected::Refines,
            // A single access cannot violate these, and a direct call calls the function that it names.
            Action::Add
                if ["llvm.access.group", "llvm.mem.parallel_loop_access", "callees", "mmra"]
                    .contains(&self.kind) =>
            {
                Expected::Any
            }
            Action::Add if ["tbaa", "alias.scope", "noalias", "tbaa.struct"].contains(&self.kind) => {
                Expected::Any
            }
            Action::Add => Expected::NotAccepted,
            Action::Drop if !self.meaning.may_be_dropped() => Expected::Any,
            Action::Drop | Action::Keep | Action::Hoist | Action::HoistAndDrop => Expected::Refines,
        }
    }
}

/// Operands of a bundle on `llvm.assume`, and the type of `%v` in them.
fn operands(tag: BundleTag) -> (&'static str, &'static str) {
    match tag {
        BundleTag::Align => ("ptr %v, i64 8", "ptr"),
        BundleTag::Dereferenceable | BundleTag::DereferenceableOrNull => ("ptr %v, i64 64", "ptr"),
        BundleTag::NonNull => ("ptr %v", "ptr"),
        BundleTag::SeparateStorage => ("ptr %v, ptr %p", "ptr"),
        BundleTag::NoUndef | BundleTag::Ignore => ("i8 %v", "i8"),
        BundleTag::Cold => ("", "i8"),
        BundleTag::ClangArcAttachedCall
        | BundleTag::ConvergenceCtrl
        | BundleTag::DeactivationSymbol
        | BundleTag::Deopt
        | BundleTag::Funclet
        | BundleTag::GcLive
        | BundleTag::GcTransition
        | BundleTag::Kcfi
        | BundleTag::Preallocated
        | BundleTag::PtrAuth => ("i32 0", "i8"),
    }
}

fn assumptions() -> Vec<Twin> {
    let mut twins = Vec::new();
    for tag in BundleTag::ALL.iter().copied().filter(|tag| tag.on_assume() != Meaning::Misplaced) {
        for action in Action::ALL {
            for given in Given::ALL {
                for in_loop in [false, true] {
                    twins.push(assumption(tag, action, given, in_loop));
                }
            }
        }
    }
    twins
}

fn assumption(tag: BundleTag, action: Action, given: Given, in_loop: bool) -> Twin {
    let (operands, ty) = operands(tag);
    let entry = format!(" [ \"{}\"({operands}) ]", tag.name());
    let function = |entry: &str, hoisted: bool| {
        let step = format!("  call void @llvm.assume(i1 true){entry}\n");
        let body = Shape { ret: "void", step: &step }.body(in_loop, action.hoists().then_some(hoisted));
        let (.., before) = given.code(ty);
        let params = given.parameters(ty, "");
        format!("declare void @llvm.assume(i1)\ndefine void @f({params}) {{\nentry:\n{before}{body}}}\n")
    };
    let [source, target] = action.texts(&entry);
    let stays_defined = tag == BundleTag::NoUndef && given == Given::Defined;
    let expected = match (action, tag.on_assume()) {
        (Action::Add | Action::Hoist, Meaning::UbIfViolated) if !stays_defined => Expected::Fails,
        _ => Expected::Refines,
    };
    let shape = if in_loop { ", in a loop" } else { "" };
    Twin {
        class: Class { place: "bundle of an assumption", action: action.name() },
        name: format!("bundle {} of llvm.assume, {} of {}{shape}", tag.name(), action.name(), given.name()),
        source: function(source, false),
        target: function(target, action.hoists()),
        expected,
    }
}

fn bundles() -> Vec<Twin> {
    let tags = BundleTag::ALL.iter().map(|tag| tag.name()).chain(["unknown.tag"]);
    let mut twins = Vec::new();
    // The token of a convergence bundle is the result of another intrinsic.
    for tag in tags.filter(|tag| *tag != BundleTag::ConvergenceCtrl.name()) {
        for action in [Action::Add, Action::Drop, Action::Keep] {
            for in_loop in [false, true] {
                let operands = if tag == "clang.arc.attachedcall" { "ptr @ext" } else { "i32 0" };
                let entry = format!(" [ \"{tag}\"({operands}) ]");
                let [source, target] = action.texts(&entry).map(|entry| {
                    let step = format!("  %r = call i8 @ext(i8 %v){entry}\n");
                    let body = Shape { ret: "i8", step: &step }.body(in_loop, None);
                    let params = Given::Free.parameters("i8", "");
                    format!("{DECLARED}define i8 @f({params}) {{\nentry:\n{body}}}\n")
                });
                let meaning = bundle::meaning(tag, false);
                let may =
                    if action == Action::Add { meaning.may_be_added() } else { meaning.may_be_dropped() };
                let shape = if in_loop { ", in a loop" } else { "" };
                twins.push(Twin {
                    class: Class { place: "bundle of a call", action: action.name() },
                    name: format!("bundle {tag} of a call, {}{shape}", action.name()),
                    source,
                    target,
                    expected: if may || action == Action::Keep {
                        Expected::Refines
                    } else {
                        Expected::NotAccepted
                    },
                });
            }
        }
    }
    twins
}
