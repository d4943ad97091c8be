//! Checks whether named structs of two modules are equal, since texts refer to them by name.

use backedge_ir::module::Module;
use backedge_ir::print::type_to_string;
use backedge_ir::types::Compound;
use std::collections::BTreeMap;

/// Whether structs of the same name have the same fields in both modules.
pub(super) fn are_alike([source, target]: [&Module; 2]) -> bool {
    if std::ptr::eq(source, target) {
        return true;
    }
    let (there, here) = (fields_by_name(source), fields_by_name(target));
    here.iter().all(|(name, fields)| there.get(name).is_none_or(|others| others == fields))
}

/// The fields of each named struct as text, and whether it is packed; `None` for an opaque struct.
fn fields_by_name(module: &Module) -> BTreeMap<String, Option<(Vec<String>, bool)>> {
    let types = &module.env.types;
    let named = types.iter().filter(|(_, compound)| matches!(compound, Compound::Named { .. }));
    named
        .map(|(id, _)| {
            let ty = types.handle(id);
            let fields = types.struct_fields(ty).map(|(fields, is_packed)| {
                (fields.iter().map(|field| type_to_string(types, *field)).collect(), is_packed)
            });
            (type_to_string(types, ty), fields)
        })
        .collect()
}
