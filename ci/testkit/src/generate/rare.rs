//! Rare constructs: atomic accesses, local objects of non-constant size, masks as integers, float reductions.

use super::func::{Func, Value};
use super::types::{Elem, Ty, float_splat};

impl Func<'_> {
    /// Writes a rare construct.
    pub(super) fn rare_statement(&mut self) {
        match self.dice().below(7) {
            0 | 1 => self.read_modify_write(),
            2 => self.compare_exchange(),
            3 => self.atomic_access(),
            4 => self.sized_object(),
            5 => self.mask_as_integer(),
            _ => self.float_reduction(),
        }
    }
    /// A type and an address aligned to its size, in a writable object.
    fn atomic_place(&mut self) -> Option<(Ty, String)> {
        let starts: Vec<String> = self
            .scope
            .pointers
            .iter()
            .filter(|p| p.writable && p.object.is_some())
            .map(|p| p.text.clone())
            .collect();
        if starts.is_empty() {
            return None;
        }
        let base = &starts[self.dice().below(starts.len())];
        let width = self.dice().pick(&[8u32, 16, 32, 32, 64]);
        let at = self.dice().below(512 / width as usize);
        let at = self.raw(&format!("getelementptr inbounds i{width}, ptr {base}, i64 {at}"));
        Some((Ty::int(width), at))
    }
    fn ordering(&mut self) -> &'static str {
        self.dice().pick(&["monotonic", "acquire", "release", "acq_rel", "seq_cst"])
    }
    fn read_modify_write(&mut self) {
        const OPERATIONS: [&str; 15] = [
            "xchg",
            "add",
            "sub",
            "and",
            "nand",
            "or",
            "xor",
            "max",
            "min",
            "umax",
            "umin",
            "uinc_wrap",
            "udec_wrap",
            "usub_cond",
            "usub_sat",
        ];
        let Some((ty, at)) = self.atomic_place() else { return };
        let (op, ordering, x) = (self.dice().pick(&OPERATIONS), self.ordering(), self.operand(ty));
        self.define(ty, &format!("atomicrmw {op} ptr {at}, {} {x} {ordering}", ty.text()));
    }
    fn compare_exchange(&mut self) {
        let Some((ty, at)) = self.atomic_place() else { return };
        let text = ty.text();
        let expected = if self.dice().chance(50) {
            self.raw(&format!("load {text}, ptr {at}, align 1"))
        } else {
            self.operand(ty)
        };
        let (new, ordering) = (self.operand(ty), self.ordering());
        let both =
            self.raw(&format!("cmpxchg ptr {at}, {text} {expected}, {text} {new} {ordering} monotonic"));
        let pair = format!("{{ {text}, i1 }}");
        self.define(ty, &format!("extractvalue {pair} {both}, 0"));
        self.define(Ty::BOOL, &format!("extractvalue {pair} {both}, 1"));
    }
    fn atomic_access(&mut self) {
        let Some((ty, at)) = self.atomic_place() else { return };
        let (text, align) = (ty.text(), ty.elem.bits() / 8);
        match self.dice().below(3) {
            0 => {
                self.define(ty, &format!("load atomic {text}, ptr {at} seq_cst, align {align}"));
            }
            1 => {
                let x = self.operand(ty);
                self.emit(&format!("store atomic {text} {x}, ptr {at} release, align {align}"));
            }
            _ => self.emit("fence acq_rel"),
        }
    }
    /// A local object of up to sixteen bytes, filled, one byte of which is read.
    fn sized_object(&mut self) {
        let last = self.index(15);
        let count = self.raw(&format!("add nuw nsw i64 {last}, 1"));
        let object = self.raw(&format!("alloca i8, i64 {count}"));
        let byte = self.operand(Ty::int(8));
        self.parts.declare("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)".to_owned());
        self.emit(&format!("call void @llvm.memset.p0.i64(ptr {object}, i8 {byte}, i64 {count}, i1 false)"));
        let end = self.raw(&format!("getelementptr inbounds i8, ptr {object}, i64 {last}"));
        let value = self.operand(Ty::int(8));
        self.emit(&format!("store i8 {value}, ptr {end}"));
        let at = self.index(15);
        let at = self.raw(&format!("urem i64 {at}, {count}"));
        let at = self.raw(&format!("getelementptr inbounds i8, ptr {object}, i64 {at}"));
        self.define(Ty::int(8), &format!("load i8, ptr {at}"));
    }
    /// A vector of `i1` as an integer, or an integer as such a vector.
    fn mask_as_integer(&mut self) {
        let lanes = self.dice().pick(&[2u32, 4, 8]);
        let (mask, int) = (Ty { elem: Elem::Int(1), lanes }, Ty::int(lanes));
        let (from, to) = if self.dice().chance(50) { (mask, int) } else { (int, mask) };
        let x = self.operand(from);
        self.define(to, &format!("bitcast {} {x} to {}", from.text(), to.text()));
    }
    /// An ordered reduction with a start value, or a minimum or maximum of all lanes.
    fn float_reduction(&mut self) {
        let ty =
            Ty { elem: self.dice().pick(&[Elem::Float, Elem::Double]), lanes: self.dice().pick(&[2, 4]) };
        let scalar = Ty::scalar(ty.elem);
        let x = self.operand(ty);
        let name = self.dice().pick(&["fadd", "fmul", "fminimum", "fmaximum"]);
        let full = format!("llvm.vector.reduce.{name}.{}", ty.suffix());
        let args = if name.starts_with("fm") && name != "fmul" {
            vec![(ty, x)]
        } else {
            vec![(scalar, float_splat(scalar, 1.0)), (ty, x)]
        };
        let call = self.intrinsic(&full, &scalar.text(), &args);
        let result = self.raw(&call);
        let clean = self.clean(scalar, &result);
        self.scope.values.push(Value::new(scalar, clean));
    }
}
