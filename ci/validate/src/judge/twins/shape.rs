//! The functions of twins: an operation in straight-line code, after a condition, or in a loop.

/// A change from source to target.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// The target has the entry, the source does not.
    Add,
    /// The source has the entry, the target does not.
    Drop,
    /// Both have the entry.
    Keep,
    /// The target executes the operation where the source does not, and keeps the entry.
    Hoist,
    /// Like `Hoist`, without the entry.
    HoistAndDrop,
}

impl Action {
    /// All actions.
    pub(super) const ALL: [Self; 5] = [Self::Add, Self::Drop, Self::Keep, Self::Hoist, Self::HoistAndDrop];
    /// Name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Add => "added",
            Self::Drop => "dropped",
            Self::Keep => "kept",
            Self::Hoist => "hoisted with it",
            Self::HoistAndDrop => "hoisted without it",
        }
    }
    /// Whether the target executes the operation where the source does not.
    pub(super) fn hoists(self) -> bool {
        matches!(self, Self::Hoist | Self::HoistAndDrop)
    }
    /// The entry in the source and in the target.
    pub(super) fn texts(self, entry: &str) -> [&str; 2] {
        match self {
            Self::Add => ["", entry],
            Self::Drop | Self::HoistAndDrop => [entry, ""],
            Self::Keep | Self::Hoist => [entry, entry],
        }
    }
}

/// Kind of the operation's argument `%v`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Given {
    /// A parameter that may be poison.
    Free,
    /// A parameter that is `noundef`.
    Defined,
    /// The result of arithmetic that may be poison.
    Computed,
}

impl Given {
    /// All kinds.
    pub(super) const ALL: [Self; 3] = [Self::Free, Self::Defined, Self::Computed];
    /// Text in twin names.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Free => "a free value",
            Self::Defined => "a defined value",
            Self::Computed => "a computed value",
        }
    }
    /// The first parameter's attribute and name, and the code before the operation.
    pub(super) fn code(self, ty: &str) -> (&'static str, &'static str, String) {
        match self {
            Self::Free => ("", "v", String::new()),
            Self::Defined => ("noundef ", "v", String::new()),
            Self::Computed => {
                let code = match ty {
                    "ptr" => "  %v = getelementptr inbounds i8, ptr %x, i64 %o\n".to_owned(),
                    "float" => "  %b = trunc nuw i64 %o to i32\n  %v = bitcast i32 %b to float\n".to_owned(),
                    "<2 x float>" => {
                        "  %b = add nuw i64 %o, 1\n  %v = bitcast i64 %b to <2 x float>\n".to_owned()
                    }
                    ty => format!("  %v = sub nsw {ty} %w, %x\n"),
                };
                ("noundef ", "x", code)
            }
        }
    }
    /// The parameters of `@f` for an argument of type `ty`: `%v` or `%x`, and defined ones.
    pub(super) fn parameters(self, ty: &str, attributes: &str) -> String {
        let (own, name, _) = self.code(ty);
        let second = if ty == "ptr" { "i8" } else { ty };
        format!(
            "{ty} {attributes}{own}%{name}, {second} noundef %w, i64 noundef %o, <2 x i1> noundef %m, \
             i1 noundef %c, i8 noundef %n, ptr noundef dereferenceable(8) %p"
        )
    }
}

/// An operation with the result `%r`, and its type.
#[derive(Copy, Clone, Debug)]
pub(super) struct Shape<'a> {
    /// The type that `@f` returns; `void` if there is no `%r`.
    pub(super) ret: &'a str,
    /// The operation, one or more lines.
    pub(super) step: &'a str,
}

impl Shape<'_> {
    /// The code of a function. If the change hoists, `hoisted` is true for the target and false for the source;
    /// otherwise it is `None`.
    pub(super) fn body(&self, in_loop: bool, hoisted: Option<bool>) -> String {
        match (in_loop, hoisted) {
            (true, hoisted) => self.repeat(hoisted.unwrap_or(false)),
            (false, Some(hoisted)) => self.branch(hoisted),
            (false, None) => format!("{}{}", self.step, self.returning("%r")),
        }
    }
    fn returning(&self, value: &str) -> String {
        match self.ret {
            "void" => "  ret void\n".to_owned(),
            ret => format!("  ret {ret} {value}\n"),
        }
    }
    /// A constant of the result's type.
    fn zero(&self) -> &'static str {
        match self.ret {
            "void" => "",
            "ptr" => "null",
            "float" | "double" => "0.0",
            ty if ty.starts_with(['<', '{', '[']) => "zeroinitializer",
            _ => "0",
        }
    }
    /// The operation under the condition `%c`; unconditional if hoisted.
    fn branch(&self, hoisted: bool) -> String {
        let (ret, step, zero) = (self.ret, self.step, self.zero());
        match (hoisted, ret) {
            (true, "void") => format!("{step}  ret void\n"),
            (true, _) => format!("{step}  %q = select i1 %c, {ret} %r, {ret} {zero}\n  ret {ret} %q\n"),
            (false, _) => format!(
                "  br i1 %c, label %then, label %else\nthen:\n{step}{}else:\n{}",
                self.returning("%r"),
                self.returning(zero)
            ),
        }
    }
    /// The operation in each of `%n` iterations; if hoisted, once before the loop.
    fn repeat(&self, hoisted: bool) -> String {
        let (ret, step) = (self.ret, self.step);
        let (before, within) = if hoisted { (step, "") } else { ("", step) };
        let phi = match ret {
            "void" => String::new(),
            ty => format!("  %a = phi {ty} [ {}, %entry ], [ %r, %body ]\n", self.zero()),
        };
        format!(
            "{before}  br label %head
head:
  %i = phi i8 [ 0, %entry ], [ %j, %body ]
{phi}  %more = icmp ult i8 %i, %n
  br i1 %more, label %body, label %done
body:
{within}  %j = add nuw i8 %i, 1
  br label %head
done:
{}",
            self.returning("%a")
        )
    }
}
