//! Requires that two accesses have a common byte: by the difference of their addresses, or by their subscripts.

use super::{Making, PairPlace, PairSide, WIDEST};
use crate::ddg::solve::{Interval, Linear};
use crate::ddref::MemRef;

impl<P: PairPlace> Making<'_, '_, P> {
    /// Requires that the two accesses have a common byte.
    pub(super) fn addresses(&mut self) -> Option<()> {
        let of = self.of;
        let (a, b) = (of.a.mem, of.b.mem);
        let width = a.base.dest_type().width;
        if !a.base.same_as(&b.base) || !of.is_same_form(&a.base, self.equal) || width > WIDEST {
            return None;
        }
        let [of_a, of_b] = [of.a.bytes?, of.b.bytes?];
        if self.are_elements([(a, of_a), (b, of_b)]) {
            return self.same_element(a, b);
        }
        let mut difference = Linear::constant(a.offset.signed());
        difference.add(&Linear::constant(b.offset.signed()), -1)?;
        for number in 0..a.computed_dims().len().max(b.computed_dims().len()) {
            let [x, y] = [a, b].map(|m| m.computed_dims().get(number));
            // Equal dimensions cancel, however they are computed.
            if let (Some(x), Some(y)) = (x, y)
                && x.subscript.same_as(&y.subscript)
                && x.stride.same_as(&y.stride)
                && [&x.subscript, &x.stride].into_iter().all(|f| of.is_same_form(f, self.equal))
            {
                continue;
            }
            for (side, dim, sign) in [(PairSide::A, x, 1), (PairSide::B, y, -1)] {
                let Some(dim) = dim else { continue };
                let stride = dim.stride.as_constant()?.signed();
                let index = self.index(&dim.subscript, side, width)?;
                difference.add(&index, stride.checked_mul(sign)?)?;
            }
        }
        if !(a.flags.nusw && b.flags.nusw) {
            let times = self.system.add_var(Interval::ALL);
            difference.add(&Linear::of(times), 1 << width)?;
        }
        self.system.require(&difference, Interval::new(1 - of_a, of_b - 1));
        Some(())
    }
    /// Whether both references are to elements of one array whose dimensions were recovered. Then no subscript leaves
    /// its row, so elements with different subscripts have no common byte.
    fn are_elements(&self, of: [(&MemRef, i128); 2]) -> bool {
        let is_element = |(m, bytes): (&MemRef, i128)| {
            let element = m.dimension_const_stride(1).map(|stride| stride.signed());
            m.flat.is_some() && m.flags.nusw && m.offset.is_zero() && element.is_some_and(|all| bytes <= all)
        };
        let [a, b] = of.map(|(m, _)| m);
        of.into_iter().all(is_element)
            && a.dims.len() == b.dims.len()
            && a.dims
                .iter()
                .zip(&b.dims)
                .all(|(x, y)| x.stride.same_as(&y.stride) && self.of.is_same_form(&x.stride, self.equal))
    }
    /// Requires both to be the same element: all subscripts are equal.
    fn same_element(&mut self, a: &MemRef, b: &MemRef) -> Option<()> {
        let width = a.base.dest_type().width;
        for (x, y) in a.dims.iter().zip(&b.dims) {
            let mut difference = self.index(&x.subscript, PairSide::A, width)?;
            difference.add(&self.index(&y.subscript, PairSide::B, width)?, -1)?;
            self.system.require(&difference, Interval::ZERO);
        }
        Some(())
    }
}
