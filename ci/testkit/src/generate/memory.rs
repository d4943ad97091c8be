//! Memory: fully initialized objects, read and written at many widths; slots of one type for values without a
//! byte-sized representation; tables of pointers; copies.

use super::func::{Aggregate, Func, OBJECT, REACH, Slot};
use super::ints::PREDICATES;
use super::parts::Pointer;
use super::types::{Elem, Ty, aggregate_text, constant};

impl Func<'_> {
    /// Writes the function's local objects, all initialized, into its entry block.
    pub(super) fn locals(&mut self) {
        for _ in 0..self.dice().range(0, 2) {
            self.local_object();
        }
        for _ in 0..self.dice().range(0, 2) {
            self.local_slot();
        }
        if self.scope.pointers.iter().filter(|p| p.writable).count() >= 2 && self.dice().chance(40) {
            self.local_table();
        }
    }
    fn local_object(&mut self) {
        const TYPES: [&str; 4] =
            ["[96 x i8]", "[12 x i64]", "{ [16 x i32], { double, [3 x i64] } }", "[6 x i128]"];
        let ty = self.dice().pick(&TYPES);
        let text = self.raw(&format!("alloca {ty}, align 16"));
        let byte = self.dice().below(256) as i8;
        self.parts.declare("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)".to_owned());
        self.emit(&format!("call void @llvm.memset.p0.i64(ptr {text}, i8 {byte}, i64 {OBJECT}, i1 false)"));
        let object = Some(self.parts.object());
        self.scope.pointers.push(Pointer { text, writable: true, object });
    }
    fn local_slot(&mut self) {
        let members: Vec<Elem> = (0..self.dice().range(1, 3)).map(|_| self.member()).collect();
        let ty = aggregate_text(&members);
        let text = self.raw(&format!("alloca {ty}"));
        for (i, elem) in members.iter().enumerate() {
            let field = self.raw(&format!("getelementptr inbounds {ty}, ptr {text}, i32 0, i32 {i}"));
            let value = self.operand(Ty::scalar(*elem));
            self.store_clean(Ty::scalar(*elem), &value, &field, "");
        }
        self.slots.push(Slot { members, text });
    }
    /// The type of a member of an aggregate.
    pub(super) fn member(&mut self) -> Elem {
        if self.features().floats && self.dice().chance(25) {
            return self.dice().pick(&[Elem::Float, Elem::Double]);
        }
        Elem::Int(self.width())
    }
    fn local_table(&mut self) {
        let table = self.raw("alloca [4 x ptr]");
        for i in 0..4 {
            let at = self.raw(&format!("getelementptr [4 x ptr], ptr {table}, i64 0, i64 {i}"));
            let pointer = self.pointer(true).expect("there are some");
            self.emit(&format!("store ptr {}, ptr {at}", pointer.text));
        }
        self.tables.push(table);
    }
    /// A pointer in scope.
    pub(super) fn pointer(&mut self, writable: bool) -> Option<Pointer> {
        let fitting: Vec<usize> = (0..self.scope.pointers.len())
            .filter(|i| self.scope.pointers[*i].writable || !writable)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let chosen = fitting[self.dice().below(fitting.len())];
        Some(self.scope.pointers[chosen].clone())
    }
    /// Writes a memory operation.
    pub(super) fn memory_statement(&mut self) {
        match self.dice().below(16) {
            0..=4 => self.load(),
            5..=8 => self.store(),
            9 => self.copy(),
            10 => self.fill(),
            11 | 12 => self.slot_access(),
            13 => self.choose_pointer(),
            14 => self.table_access(),
            _ => self.pointer_arithmetic(),
        }
    }
    /// The address of an access of `bytes` bytes within reach of a pointer, and its guaranteed alignment.
    fn address(&mut self, base: &Pointer, bytes: usize) -> (String, usize) {
        // Objects start at multiples of 16.
        let (base, aligned) = (&base.text, base.object.is_some());
        let flags = self.dice().pick(&["", "inbounds ", "inbounds nuw ", "nusw nuw "]);
        let unit = bytes.next_power_of_two();
        match self.dice().below(6) {
            0 => (base.clone(), if aligned { 8 } else { 1 }),
            1 => {
                let at = self.dice().below(REACH - bytes + 1);
                (self.raw(&format!("getelementptr {flags}i8, ptr {base}, i64 {at}")), 1)
            }
            2 if unit == bytes && bytes <= 8 => {
                let at = self.index((REACH / bytes) as u128 - 1);
                let at = self.raw(&format!("getelementptr {flags}i{}, ptr {base}, i64 {at}", 8 * bytes));
                (at, if aligned { bytes } else { 1 })
            }
            3 => {
                // Fields: i8 at 0, i32 at 4, [4 x i16] at 8, i64 at 16; the structure has 24 bytes.
                let (outer, inner) = (self.index(1), self.index(1));
                let rhs = format!(
                    "getelementptr {flags}{{ i8, i32, [4 x i16], i64 }}, ptr {base}, i64 {outer}, i32 2, i64 {inner}"
                );
                (self.raw(&rhs), 1)
            }
            4 => {
                let end = self.raw(&format!("getelementptr inbounds i8, ptr {base}, i64 48"));
                let back = self.index(15);
                let back = self.raw(&format!("sub nsw i64 0, {back}"));
                let flags = self.dice().pick(&["", "inbounds ", "nusw "]);
                (self.raw(&format!("getelementptr {flags}i16, ptr {end}, i64 {back}")), 1)
            }
            _ => {
                let at = self.index(31);
                (self.raw(&format!("getelementptr {flags}i8, ptr {base}, i64 {at}")), 1)
            }
        }
    }
    /// A type whose values occupy whole bytes, with their number.
    fn byte_type(&mut self) -> (Ty, usize) {
        let features = self.features();
        let ty = match self.dice().below(10) {
            0 if features.odd => Ty::int(self.dice().pick(&[24, 40, 48, 56])),
            1 if features.wide => Ty::int(self.dice().pick(&[128, 96, 72])),
            2 if features.floats => Ty::scalar(self.dice().pick(&[Elem::Float, Elem::Double])),
            3 if features.vectors => {
                const VECTORS: [(u32, u32); 6] = [(8, 4), (16, 4), (32, 2), (32, 4), (64, 2), (8, 8)];
                let (width, lanes) = self.dice().pick(&VECTORS);
                Ty { elem: Elem::Int(width), lanes }
            }
            4 if features.vectors && features.floats => Ty { elem: Elem::Float, lanes: 4 },
            _ => Ty::int(self.dice().pick(&[8, 8, 16, 32, 32, 64, 64])),
        };
        (ty, (ty.elem.bits() * ty.lanes.max(1) / 8) as usize)
    }
    fn load(&mut self) {
        let Some(base) = self.pointer(false) else { return };
        let (ty, bytes) = self.byte_type();
        let (at, align) = self.address(&base, bytes);
        let rhs = format!("load {}, ptr {at}, align {align}", ty.text());
        if ty.is_int() {
            self.define(ty, &rhs);
        } else {
            // Any bytes, including signalling NaNs, which operations treat differently.
            let value = self.raw(&rhs);
            let text = self.clean(ty, &value);
            self.scope.values.push(super::func::Value::new(ty, text));
        }
    }
    fn store(&mut self) {
        let Some(base) = self.pointer(true) else { return };
        let (ty, bytes) = self.byte_type();
        let value = self.operand(ty);
        let (at, align) = self.address(&base, bytes);
        self.store_clean(ty, &value, &at, &format!(", align {align}"));
    }
    /// Stores `value`, with NaNs replaced.
    fn store_clean(&mut self, ty: Ty, value: &str, at: &str, align: &str) {
        let value = if ty.is_int() { value.to_owned() } else { self.clean(ty, value) };
        self.emit(&format!("store {} {value}, ptr {at}{align}", ty.text()));
    }
    fn copy(&mut self) {
        let (Some(to), Some(from)) = (self.pointer(true), self.pointer(false)) else { return };
        let apart = to.object.is_some() && from.object.is_some() && to.object != from.object;
        let name = if apart && self.dice().chance(70) { "memcpy" } else { "memmove" };
        let (to_at, from_at, len) = (self.index(31), self.index(31), self.index(31));
        let to = self.raw(&format!("getelementptr i8, ptr {}, i64 {to_at}", to.text));
        let from = self.raw(&format!("getelementptr i8, ptr {}, i64 {from_at}", from.text));
        self.parts.declare(format!("declare void @llvm.{name}.p0.p0.i64(ptr, ptr, i64, i1)"));
        self.emit(&format!("call void @llvm.{name}.p0.p0.i64(ptr {to}, ptr {from}, i64 {len}, i1 false)"));
    }
    fn fill(&mut self) {
        let Some(to) = self.pointer(true) else { return };
        let (at, len, byte) = (self.index(31), self.index(31), self.operand(Ty::int(8)));
        let to = self.raw(&format!("getelementptr inbounds i8, ptr {}, i64 {at}", to.text));
        self.parts.declare("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)".to_owned());
        self.emit(&format!("call void @llvm.memset.p0.i64(ptr {to}, i8 {byte}, i64 {len}, i1 false)"));
    }
    fn slot_access(&mut self) {
        if self.slots.is_empty() {
            return self.aggregate_statement();
        }
        let chosen = self.parts.dice.below(self.slots.len());
        let Slot { members, text } = self.slots[chosen].clone();
        let ty = aggregate_text(&members);
        if self.features().aggregates && self.dice().chance(35) {
            if self.dice().chance(50) {
                let loaded = self.raw(&format!("load {ty}, ptr {text}"));
                self.scope.aggregates.push(Aggregate { members, text: loaded });
            } else {
                let value = self.aggregate(&members);
                self.emit(&format!("store {ty} {value}, ptr {text}"));
            }
            return;
        }
        let i = self.dice().below(members.len());
        let elem = Ty::scalar(members[i]);
        let field = self.raw(&format!("getelementptr inbounds {ty}, ptr {text}, i32 0, i32 {i}"));
        if self.dice().chance(50) {
            self.define(elem, &format!("load {}, ptr {field}", elem.text()));
        } else {
            let value = self.operand(elem);
            self.store_clean(elem, &value, &field, "");
        }
    }
    /// A value of an aggregate type.
    pub(super) fn aggregate(&mut self, members: &[Elem]) -> String {
        let found = self.scope.aggregates.iter().rev().find(|a| a.members == members);
        if let Some(found) = found.map(|a| a.text.clone())
            && self.dice().chance(60)
        {
            return found;
        }
        let ty = aggregate_text(members);
        let constants: Vec<String> = members
            .iter()
            .map(|m| format!("{} {}", m.text(), constant(self.dice(), Ty::scalar(*m))))
            .collect();
        let mut value = format!("{{ {} }}", constants.join(", "));
        for (i, elem) in members.iter().enumerate() {
            if self.dice().chance(70) {
                let member = self.operand(Ty::scalar(*elem));
                value = self.raw(&format!("insertvalue {ty} {value}, {} {member}, {i}", elem.text()));
            }
        }
        value
    }
    fn aggregate_statement(&mut self) {
        if !self.features().aggregates {
            return self.load();
        }
        if self.scope.aggregates.is_empty() || self.dice().chance(30) {
            let members: Vec<Elem> = (0..self.dice().range(1, 3)).map(|_| self.member()).collect();
            let text = self.aggregate(&members);
            if text.starts_with('%') {
                self.scope.aggregates.push(Aggregate { members, text });
            }
            return;
        }
        let chosen = self.parts.dice.below(self.scope.aggregates.len());
        let Aggregate { members, text } = self.scope.aggregates[chosen].clone();
        let i = self.dice().below(members.len());
        self.define(
            Ty::scalar(members[i]),
            &format!("extractvalue {} {text}, {i}", aggregate_text(&members)),
        );
    }
    /// A pointer chosen by a condition, or a comparison of two pointers.
    fn choose_pointer(&mut self) {
        let (Some(a), Some(b)) = (self.pointer(false), self.pointer(false)) else { return };
        if self.dice().chance(50) && a.object.is_some() && a.object == b.object {
            // Within one object the order of addresses is fixed.
            let (i, j) = (self.index(31), self.index(31));
            let a = self.raw(&format!("getelementptr inbounds i8, ptr {}, i64 {i}", a.text));
            let b = self.raw(&format!("getelementptr inbounds i8, ptr {}, i64 {j}", b.text));
            let pred = self.dice().pick(&PREDICATES[..6]);
            self.define(Ty::BOOL, &format!("icmp {pred} ptr {a}, {b}"));
            return;
        }
        let cond = self.operand(Ty::BOOL);
        let text = self.raw(&format!("select i1 {cond}, ptr {}, ptr {}", a.text, b.text));
        self.scope.pointers.push(Pointer { text, writable: a.writable && b.writable, object: None });
    }
    /// Loads a pointer from a table, perhaps after copying one from another table.
    fn table_access(&mut self) {
        if self.tables.is_empty() {
            return self.load();
        }
        let chosen = self.parts.dice.below(self.tables.len());
        let table = self.tables[chosen].clone();
        let at = self.index(3);
        let at = self.raw(&format!("getelementptr inbounds ptr, ptr {table}, i64 {at}"));
        if table.starts_with('%') && self.dice().chance(40) {
            // Copied bytes of a pointer keep its provenance.
            let other = self.parts.dice.below(self.tables.len());
            let from = self.tables[other].clone();
            let i = self.index(3);
            let from = self.raw(&format!("getelementptr inbounds ptr, ptr {from}, i64 {i}"));
            self.parts.declare("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)".to_owned());
            self.emit(&format!("call void @llvm.memmove.p0.p0.i64(ptr {at}, ptr {from}, i64 8, i1 false)"));
        }
        let text = self.raw(&format!("load ptr, ptr {at}"));
        self.scope.pointers.push(Pointer { text, writable: true, object: None });
    }
    /// The difference of two addresses in one object.
    fn pointer_arithmetic(&mut self) {
        let Some(base) = self.pointer(false) else { return };
        let (i, j) = (self.index(31), self.index(31));
        let a = self.raw(&format!("getelementptr inbounds i8, ptr {}, i64 {i}", base.text));
        let b = self.raw(&format!("getelementptr inbounds i8, ptr {}, i64 {j}", base.text));
        let a = self.raw(&format!("ptrtoint ptr {a} to i64"));
        let b = self.raw(&format!("ptrtoint ptr {b} to i64"));
        self.define(Ty::int(64), &format!("sub i64 {a}, {b}"));
    }
    /// Folds the bytes of all objects with a known start into the checksum.
    pub(super) fn mix_objects(&mut self) {
        let objects: Vec<String> =
            self.scope.pointers.iter().filter(|p| p.object.is_some()).map(|p| p.text.clone()).collect();
        let helper = self.parts.byte_mixer();
        for object in objects {
            self.emit(&format!("call void @{helper}(ptr {object})"));
            self.cost += self.times * 500;
        }
    }
}
