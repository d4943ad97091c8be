//! Memory accesses that are often in bounds, aligned and initialized, and often not.

use super::Wild;
use crate::generate::types::{Elem, Ty};

impl Wild {
    /// Writes an operation on memory or addresses.
    pub(super) fn memory_statement(&mut self) {
        match self.dice.below(20) {
            0..=4 => self.load(),
            5..=8 => self.store(),
            9..=12 => self.address(),
            13 | 14 => self.object(),
            15 => self.fill(),
            16 => self.copy(),
            17 => self.compare_pointers(),
            18 => self.choose_pointer(),
            _ => self.pointer_in_memory(),
        }
    }
    /// A type for memory accesses, usually of few bytes.
    fn memory_type(&mut self) -> Ty {
        match self.dice.below(16) {
            0 => Ty::int(self.dice.pick(&[1, 3, 13, 33])),
            1 => Ty::scalar(Elem::Float),
            2 => Ty { elem: Elem::Int(self.dice.pick(&[8, 16])), lanes: 2 },
            3 => Ty::int(64),
            _ => Ty::int(self.dice.pick(&[8, 8, 16, 32])),
        }
    }
    fn alignment(&mut self) -> String {
        let align = self.dice.pick(&[1, 1, 1, 1, 2, 4, 8]);
        format!(", align {align}")
    }
    fn load(&mut self) {
        let (ty, ptr, align) = (self.memory_type(), self.pointer(), self.alignment());
        let volatile = if self.dice.chance(5) { "volatile " } else { "" };
        let mut facts = String::new();
        if volatile.is_empty() && self.dice.chance(15) {
            let node = self.node("!{}");
            facts = format!(", !noundef !{node}");
        }
        if volatile.is_empty() && ty == Ty::int(8) && self.dice.chance(25) {
            let node = self.node("!{i8 -2, i8 4}");
            facts += &format!(", !range !{node}");
        }
        self.define(ty, &format!("load {volatile}{}, ptr {ptr}{align}{facts}", ty.text()));
    }
    fn store(&mut self) {
        let (ty, ptr, align) = (self.memory_type(), self.pointer(), self.alignment());
        let value = self.operand(ty);
        let volatile = if self.dice.chance(5) { "volatile " } else { "" };
        self.text.line(&format!("store {volatile}{} {value}, ptr {ptr}{align}", ty.text()));
    }
    fn address(&mut self) {
        let flags = self.dice.pick(&["", "inbounds ", "nuw ", "nusw ", "inbounds nuw "]);
        let ptr = self.pointer();
        let index = match self.dice.below(4) {
            0 => {
                let width = self.dice.pick(&[8, 32, 64]);
                format!("i{width} {}", self.operand(Ty::int(width)))
            }
            1 => {
                let x = self.operand(Ty::int(8));
                let masked = self.text.result(&format!("and i8 {x}, 7"));
                format!("i8 {masked}")
            }
            _ => format!("i64 {}", self.dice.range(0, 12) as i64 - 4),
        };
        let rhs = match self.dice.below(6) {
            0 => format!("getelementptr {flags}{{ i8, i32 }}, ptr {ptr}, {index}, i32 1"),
            1 => format!("getelementptr {flags}i16, ptr {ptr}, {index}"),
            2 => format!("getelementptr {flags}[3 x i8], ptr {ptr}, i64 1, {index}"),
            _ => format!("getelementptr {flags}i8, ptr {ptr}, {index}"),
        };
        let name = self.text.result(&rhs);
        self.pointers.push(name);
    }
    /// A local object; sometimes its lifetime ends.
    fn object(&mut self) {
        let ty = self.dice.pick(&["i8", "i32", "[8 x i8]", "{ i8, i32 }", "[4 x i16]"]);
        let name = self.text.result(&format!("alloca {ty}, align 4"));
        self.pointers.push(name.clone());
        if self.dice.chance(50) {
            let value = self.operand(Ty::int(8));
            self.text.line(&format!("store i8 {value}, ptr {name}, align 1"));
        }
        if self.dice.chance(20) {
            for marker in ["start", "end"] {
                let call = self.text.intrinsic(
                    &format!("llvm.lifetime.{marker}.p0"),
                    "void",
                    &[("ptr", name.clone())],
                );
                self.text.line(&call);
                if self.dice.chance(70) {
                    break;
                }
            }
        }
    }
    fn length(&mut self) -> String {
        match self.dice.below(5) {
            0 => {
                let x = self.operand(Ty::int(64));
                self.text.result(&format!("and i64 {x}, 7"))
            }
            _ => self.dice.range(0, 6).to_string(),
        }
    }
    fn fill(&mut self) {
        let args = [
            ("ptr", self.pointer()),
            ("i8", self.operand(Ty::int(8))),
            ("i64", self.length()),
            ("i1", "false".to_owned()),
        ];
        let call = self.text.intrinsic("llvm.memset.p0.i64", "void", &args);
        self.text.line(&call);
    }
    fn copy(&mut self) {
        let name = self.dice.pick(&["memcpy", "memmove"]);
        let args = [
            ("ptr", self.pointer()),
            ("ptr", self.pointer()),
            ("i64", self.length()),
            ("i1", "false".to_owned()),
        ];
        let call = self.text.intrinsic(&format!("llvm.{name}.p0.p0.i64"), "void", &args);
        self.text.line(&call);
    }
    fn compare_pointers(&mut self) {
        let (a, b) = (self.pointer(), self.pointer());
        if self.dice.chance(25) {
            self.define(Ty::int(64), &format!("ptrtoint ptr {a} to i64"));
            return;
        }
        let pred = self.dice.pick(&["eq", "ne", "eq", "ult", "uge"]);
        self.define(Ty::BOOL, &format!("icmp {pred} ptr {a}, {b}"));
    }
    fn choose_pointer(&mut self) {
        let (cond, a, b) = (self.operand(Ty::BOOL), self.pointer(), self.pointer());
        let name = self.text.result(&format!("select i1 {cond}, ptr {a}, ptr {b}"));
        self.pointers.push(name);
    }
    /// Stores a pointer and loads it back, whole or as bytes.
    fn pointer_in_memory(&mut self) {
        let slot = self.text.result("alloca ptr, align 8");
        let value = self.pointer();
        self.text.line(&format!("store ptr {value}, ptr {slot}, align 8"));
        if self.dice.chance(20) {
            let byte = self.operand(Ty::int(8));
            self.text.line(&format!("store i8 {byte}, ptr {slot}, align 1"));
        }
        if self.dice.chance(80) {
            let name = self.text.result(&format!("load ptr, ptr {slot}, align 8"));
            self.pointers.push(name);
        } else {
            self.define(Ty::int(64), &format!("load i64, ptr {slot}, align 8"));
        }
    }
}
