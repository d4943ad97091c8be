//! References to memory and scalars: strides in dimensions and at levels, attached blob references, text.

use backedge_hir::blob::{ScalarType, TempData};
use backedge_hir::canon::{Extension, NoWrap};
use backedge_hir::ddref::{Access, Dimension, NoStride};
use backedge_hir::{Blobs, CanonExpr, Level, MemRef, RegDdRef, Symbase, Temp};
use backedge_ir::inst::{GepFlags, MemAccess};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// Names, with the levels at which they are defined.
const TEMPS: [(&str, Level); 4] = [("@A", 0), ("%b", 0), ("%1", 2), ("%f", 3)];

struct World {
    blobs: Blobs,
    temps: Vec<Temp>,
}

impl World {
    fn new() -> Self {
        let mut blobs = Blobs::default();
        let mut temps = Vec::new();
        for (number, (name, _)) in (0..).zip(TEMPS) {
            let ty = match number {
                0 => ScalarType { ty: Type::PTR, width: 64 },
                3 => ScalarType { ty: Type::float(backedge_ir::types::FloatKind::Float), width: 1 },
                _ => ScalarType::int(64),
            };
            let symbase = Symbase(Symbase::FIRST.0 + number);
            temps.push(blobs.add_temp(TempData { name: name.into(), ty, symbase, value: None }));
        }
        Self { blobs, temps }
    }
    fn level(&self, temp: Temp) -> Level {
        self.temps.iter().position(|t| *t == temp).map_or(0, |at| TEMPS[at].1)
    }
    fn refreshed(&self, mut of: RegDdRef) -> RegDdRef {
        of.refresh(&self.blobs, &|t| self.level(t));
        of
    }
    fn int(value: i128) -> CanonExpr {
        CanonExpr::of_constant(Int::from_i128(64, value))
    }
    /// `by * %temp * i(level) + add`.
    fn linear(&mut self, by: i128, temp: Option<usize>, level: Level, add: i128) -> CanonExpr {
        let blobs = &mut self.blobs;
        let mut form = CanonExpr::of_iv(64, level);
        if let Some(temp) = temp {
            let temp = CanonExpr::of_temp(blobs, self.temps[temp], 0);
            form = form.mul(&temp, NoWrap::Unknown, blobs).expect("linear");
        }
        let form = form.mul(&Self::int(by), NoWrap::Unknown, blobs).expect("linear");
        form.add(&Self::int(add), NoWrap::Unknown, blobs).expect("linear")
    }
    /// `(@A)[…]` with the subscripts and their strides, outermost dimension first.
    fn reference(&mut self, dims: Vec<(CanonExpr, i128)>) -> RegDdRef {
        let base = CanonExpr::of_temp(&mut self.blobs, self.temps[0], 0);
        let dims = dims.into_iter().rev();
        let form = MemRef {
            base,
            dims: dims
                .map(|(subscript, stride)| Dimension { subscript, stride: Self::int(stride) })
                .collect(),
            offset: Int::zero(64),
            access: Access::Load(Type::I32, MemAccess::default()),
            flags: GepFlags::default(),
            flat: None,
            path: None,
            site: None,
        };
        self.refreshed(RegDdRef::memory(Symbase(9), form))
    }
}

/// `A[0][2*i][b*i]` on `int A[10][10]`.
#[test]
fn the_documents_stride() {
    let mut world = World::new();
    let dims =
        vec![(World::int(0), 400), (world.linear(2, None, 1, 0), 40), (world.linear(1, Some(1), 1, 0), 4)];
    let of = world.reference(dims);
    assert_eq!(of.text(&world.blobs), "(@A)[0][2 * i1][%b * i1]");
    let memory = of.as_memory().expect("a memory reference");
    assert_eq!(memory.dims.len(), 3);
    assert_eq!(memory.subscript(1).expect("a dimension").text(&world.blobs), "%b * i1");
    assert_eq!(memory.subscript(3).and_then(CanonExpr::as_constant), Some(Int::zero(64)));
    assert!(memory.subscript(0).is_none() && memory.subscript(4).is_none());
    let strides: Vec<_> =
        (1..=3).filter_map(|n| memory.dimension_const_stride(n)).map(|s| s.bits()).collect();
    assert_eq!(strides, [4, 40, 400]);
    let stride = of.stride_at_level(1, &mut world.blobs).expect("a stride");
    assert_eq!(stride.text(&world.blobs), "4 * %b + 80");
    assert!(stride.is_invariant_at_level(1));
    let none = of.stride_at_level(2, &mut world.blobs).expect("a stride");
    assert_eq!(none.as_constant(), Some(Int::zero(64)));
}

/// `b[6 * %1 * i3][i2 + 5]`, where `%1` is defined at level 2.
#[test]
fn levels_of_subscripts() {
    let mut world = World::new();
    let dims = vec![(world.linear(6, Some(2), 3, 0), 40), (world.linear(1, None, 2, 5), 4)];
    let of = world.reference(dims);
    let levels: Vec<Level> =
        of.as_memory().expect("memory").dims.iter().map(|d| d.subscript.defined_at_level()).collect();
    assert_eq!(levels, [0, 2]);
    assert_eq!(of.stride_at_level(3, &mut world.blobs).expect("a stride").text(&world.blobs), "240 * %1");
    assert_eq!(of.stride_at_level(2, &mut world.blobs), Err(NoStride::Varies(2)));
    assert_eq!(of.stride_at_level(1, &mut world.blobs), Err(NoStride::Varies(2)));
    // The base is a variable too, and so is the variable of a subscript.
    let attached: Vec<Temp> = of.blob_refs().iter().map(|b| b.temp).collect();
    assert_eq!(attached, [world.temps[0], world.temps[2]]);
    assert_eq!(of.blob_refs()[1].defined_at_level, 2);
    assert_eq!(of.symbase(), Symbase(9));
}

#[test]
fn strides_that_are_not_known() {
    let mut world = World::new();
    let iv = CanonExpr::of_iv(32, 1);
    let wide = iv.cast_to(64, Extension::Sign, &mut world.blobs).expect("a cast");
    for subscript in [wide, iv.clone()] {
        let of = world.reference(vec![(subscript, 4)]);
        assert_eq!(of.stride_at_level(1, &mut world.blobs), Err(NoStride::NotLinear(1)));
    }
    let half = CanonExpr::of_iv(64, 1).udiv(Int::new(64, 2), &mut world.blobs).expect("a quotient");
    let of = world.reference(vec![(half, 4)]);
    assert_eq!(of.stride_at_level(1, &mut world.blobs), Err(NoStride::NotLinear(1)));
    assert!(of.stride_at_level(2, &mut world.blobs).is_ok());
    let scalar = world.refreshed(RegDdRef::terminal(World::int(1)));
    assert_eq!(scalar.stride_at_level(1, &mut world.blobs), Err(NoStride::NotMemory));
    let mut moving = world.reference(vec![(World::int(1), 4)]);
    for form in moving.forms_mut() {
        form.update_defined_at(&world.blobs, &|_| 1);
    }
    assert_eq!(moving.stride_at_level(1, &mut world.blobs), Err(NoStride::Base));
}

#[test]
fn symbases_follow_forms() {
    let mut world = World::new();
    let b = CanonExpr::of_temp(&mut world.blobs, world.temps[1], 0);
    let itself = world.refreshed(RegDdRef::terminal(b.clone()));
    assert_eq!((itself.symbase(), itself.blob_refs()), (Symbase(3), &[][..]));
    assert_eq!(itself.as_temp(&world.blobs), Some(world.temps[1]));
    let mut more = itself.clone();
    for form in more.forms_mut() {
        *form = form.add(&World::int(1), NoWrap::Unknown, &mut world.blobs).expect("a sum");
    }
    let more = world.refreshed(more);
    assert_eq!(more.symbase(), Symbase::RVALUE);
    assert_eq!(more.blob_refs().iter().map(|b| b.symbase).collect::<Vec<_>>(), [Symbase(3)]);
    let constant = world.refreshed(RegDdRef::terminal(World::int(7)));
    assert_eq!((constant.symbase(), constant.blob_refs()), (Symbase::CONSTANT, &[][..]));
    let float = CanonExpr::of_temp(&mut world.blobs, world.temps[3], 0);
    let float = world.refreshed(RegDdRef::terminal(float));
    assert_eq!((float.text(&world.blobs).as_str(), float.symbase()), ("%f", Symbase(5)));
    assert!(float.ty().is_float() && float.as_terminal().is_some_and(|f| f.as_constant().is_none()));
}
