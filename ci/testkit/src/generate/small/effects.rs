//! Addresses, accesses of memory, calls of external functions, assumptions and guards.

use super::Small;

/// The declarations of all external functions that are called.
pub(super) const EXTERNAL: &str = "declare void @any()
declare void @anyptr(ptr)
declare i8 @kind(i8) nounwind willreturn
declare i8 @quiet(i8) nounwind willreturn memory(none)
declare i8 @reader(ptr) nounwind willreturn memory(argmem: read)
declare void @writer(ptr nocapture) nounwind willreturn memory(argmem: readwrite)
declare void @returns() willreturn
declare ptr @give(ptr) nounwind willreturn
declare void @nounwinds() nounwind
declare range(i8 1, 9) i8 @few() nounwind willreturn memory(none)
declare void @llvm.experimental.guard(i1, ...)
";

impl Small {
    /// A pointer in scope, often with an offset.
    fn pointer(&mut self) -> String {
        let mut base = self.dice.pick(&self.pointers);
        for _ in 0..self.dice.below(3) {
            base = self.offset(&base);
        }
        if self.dice.chance(8) {
            let (c, other) = (self.value(1), self.dice.pick(&self.pointers));
            base = self.text.result(&format!("select i1 {c}, ptr {base}, ptr {other}"));
        }
        if self.dice.chance(6) {
            base = self.text.result(&format!("call ptr @give(ptr {base})"));
        }
        if base.starts_with("%v") && self.dice.chance(30) {
            self.pointers.push(base.clone());
        }
        base
    }
    /// A pointer with a constant or variable offset from `base`.
    fn offset(&mut self, base: &str) -> String {
        let flags = self.dice.pick(&["", "", " inbounds", " nuw", " nusw"]);
        match self.dice.below(5) {
            0 | 1 => {
                let offset = self.dice.pick(&[0, 1, 2, 3, 4, 8, 12, -1, -2]);
                self.text.result(&format!("getelementptr{flags} i8, ptr {base}, i64 {offset}"))
            }
            2 => {
                let (index, op) = (self.value(4), self.dice.pick(&["zext", "zext", "sext"]));
                let wide = self.text.result(&format!("{op} i4 {index} to i64"));
                let ty = self.dice.pick(&["i8", "i8", "i16", "i32"]);
                self.text.result(&format!("getelementptr{flags} {ty}, ptr {base}, i64 {wide}"))
            }
            3 => {
                let index = self.dice.below(4);
                self.text.result(&format!(
                    "getelementptr{flags} {{i8, i16, [4 x i8]}}, ptr {base}, i64 0, i32 2, i64 {index}"
                ))
            }
            _ => {
                // Index arithmetic before the extension.
                let (index, by) = (self.value(8), self.dice.pick(&[1, 2, 4, 8, 255]));
                let add = self.dice.pick(&["add", "add nuw", "add nsw", "mul", "or disjoint"]);
                let moved = self.text.result(&format!("{add} i8 {index}, {by}"));
                let op = self.dice.pick(&["zext", "sext"]);
                let wide = self.text.result(&format!("{op} i8 {moved} to i64"));
                self.text.result(&format!("getelementptr{flags} i8, ptr {base}, i64 {wide}"))
            }
        }
    }
    /// Writes an access of memory.
    pub(super) fn memory(&mut self) {
        let pointer = self.pointer();
        match self.dice.below(20) {
            0..=7 => {
                let range = self.dice.pick(&["", "", ", !range !0", ", !range !1"]);
                self.define(8, &format!("load i8, ptr {pointer}, align 1{range}"));
            }
            8 => drop(self.define(16, &format!("load i16, ptr {pointer}, align 1"))),
            9..=16 => {
                let (volatile, width) =
                    self.dice.pick(&[("", 8), ("", 8), ("", 8), ("", 8), ("", 16), (" volatile", 8)]);
                let value = self.value(width);
                self.text.line(&format!("store{volatile} i{width} {value}, ptr {pointer}, align 1"));
            }
            17 => {
                let (other, bytes) = (self.pointer(), self.dice.below(9).to_string());
                let args = [("ptr", pointer), ("ptr", other), ("i64", bytes), ("i1", "false".to_owned())];
                let call = self.text.intrinsic("llvm.memcpy.p0.p0.i64", "void", &args);
                self.text.line(&call);
            }
            18 => {
                let bytes = self.dice.below(9).to_string();
                let args =
                    [("ptr", pointer), ("i8", "7".to_owned()), ("i64", bytes), ("i1", "false".to_owned())];
                let call = self.text.intrinsic("llvm.memset.p0.i64", "void", &args);
                self.text.line(&call);
            }
            _ => match self.dice.below(3) {
                0 => drop(self.define(8, &format!("call i8 @reader(ptr {pointer})"))),
                1 => self.text.line(&format!("call void @writer(ptr {pointer})")),
                _ => self.text.line(&format!("call void @anyptr(ptr {pointer})")),
            },
        }
    }
    /// Writes a call of an external function, an assumption or a guard.
    pub(super) fn call(&mut self) {
        match if self.kind.external { self.dice.below(12) } else { 11 } {
            0 => self.text.line("call void @any()"),
            1 => self.text.line("call void @returns()"),
            2 => self.text.line("call void @nounwinds()"),
            3 => {
                let v = self.value(8);
                self.define(8, &format!("call i8 @kind(i8 noundef {v})"));
            }
            4 => {
                let v = self.value(8);
                self.define(8, &format!("call i8 @quiet(i8 {v})"));
            }
            5 => drop(self.define(8, "call i8 @few()")),
            6 => {
                let c = self.compare();
                let guard = "call void (i1, ...) @llvm.experimental.guard";
                self.text.line(&format!("{guard}(i1 {c}) [ \"deopt\"() ]"));
            }
            _ => {
                let c = self.compare();
                let call = self.text.intrinsic("llvm.assume", "void", &[("i1", c)]);
                self.text.line(&call);
            }
        }
    }
}
