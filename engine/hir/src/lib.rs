//! HIR: loop nests in lexical order, for dependence-based analyses and transforms that are hard on a control-flow
//! graph.
//!
//! | purpose | module |
//! |---|---|
//! | closed forms of subscripts, bounds and operands | [`canon`] |
//! | value trees that closed forms are built from | [`blob`] |
//! | references to scalars and memory: the ends of dependences | [`ddref`] |
//! | selection of a function's nests, and construction of their trees | [`build`] |
//! | dependence graph: dependences with their distances in iterations; liveness | [`ddg`] |
//! | loop transforms | [`transform`] |
//! | immovable code between nests or loops, described in words | [`barrier`] |
//! | lowering of trees back to LLVM IR | [`lower`] |
//! | loops, ifs, labels and instructions as a tree in lexical order | [`node`]; as text: [`print`] |
//! | levels, strides and indices of each reference, as text | [`queries`] |
//!
//! # Names from the literature
//!
//! The constructs and their names follow "HIR DDRefs and Friends" (D. Nuzman, 2016), called "the document" in this
//! crate. docs/hir-terms.md defines each of its terms.
//!
//! | in the document | here |
//! |---|---|
//! | HLNode, HLDDNode | [`Node`] of a [`Hir`], [`node::Kind::is_dd_node`] |
//! | HLRegion, HLLoop, HLIf, HLSwitch, HLLabel, HLGoto, HLInst | the kinds in [`node`] |
//! | CanonExpr (CE), its source and destination type | [`CanonExpr`], [`CanonExpr::src_type`], [`CanonExpr::dest_type`] |
//! | blob, blob index, temp blob | [`Blob`] of a [`Blobs`], [`Temp`] |
//! | hasIV, DefinedAtLevel, IsLinearAtLevel, InvariantAtLevel | [`CanonExpr::has_iv`], [`CanonExpr::defined_at_level`], [`CanonExpr::is_linear_at_level`], [`CanonExpr::is_invariant_at_level`] |
//! | mergeable, createExtCanonExpr(src, dest, signed) | [`CanonExpr::mergeable`], [`CanonExpr::create_ext_canon_expr`] with a [`canon::Extension`]; of an expression: [`CanonExpr::cast_to`] |
//! | collectTempBlobs, findBlobLevel, findMaxBlobLevel | [`CanonExpr::collect_temp_blobs`], [`canon::Levels::find_blob_level`], [`CanonExpr::find_max_blob_level`] |
//! | self blob | [`CanonExpr::self_blob`] |
//! | RegDDRef, BlobDDRef, Symbase | [`RegDdRef`], [`BlobDdRef`], [`Symbase`] |
//! | base, **CanonExprs**, Strides of a memref | [`MemRef::base`], [`MemRef::subscript`], [`MemRef::dimension_stride`] |
//! | DDG, DDEdge, direction and distance vectors | [`ddg::Ddg`], [`ddg::Edge`], [`ddg::Vector`] |
//! | outgoing_edges_begin, getSink, getHLDDNode | [`ddg::Ddg::outgoing`], [`ddg::Edge::sink`], [`ddg::End::node`] |
//! | getDimensionStride, getDimensionConstStride, getStrideAtLevel | [`MemRef::dimension_stride`], [`MemRef::dimension_const_stride`], [`RegDdRef::stride_at_level`] |
//!
//! # Questions that the document leaves open
//!
//! | question in the document | answer |
//! |---|---|
//! | "How is HIR lowered to llvm-IR?" | [`lower`]: lists become blocks, variables become SSA values, and closed forms are computed at their reads |
//! | "What is a selfBlob?" | below; [`CanonExpr::self_blob`] |
//! | "Can we follow use-def information in order to track where a variable used in a DR is coming from" | yes, backward along flow edges, from blob references to the loads that define them: [`ddg::Ddg::indexed_by`]; as text: `print hir --queries` ([`queries`]) |
//! | "Base: Refers to a Symbase. *TODO*" | below; [`MemRef::base`], [`RegDdRef::symbase`] |
//!
//! **Self blobs.** A scalar `%t` without any other description still has a closed form: the blob of the temp `%t`,
//! with coefficient one, no addend and no conversion. Such a form is a *self blob*: it describes the scalar by
//! itself. A reference whose form is a self blob reads the temp directly, and the dependence is on the reference
//! itself. In any other form (`%t + 1`, `2 * i1 + %t`) the temp is one part of several, and the dependence is
//! attached to the reference as a blob reference.
//!
//! **Bases and symbases.** The base of a memory reference is a closed form, usually the self blob of a pointer. There
//! are two symbases then. The symbase of the *reference* is the number of its alias set, which contains all accesses
//! that may touch the same bytes, whatever their bases are. So two references with one base may have different
//! symbases, and two references with different bases may share one. The symbase of the *base* is that of the pointer
//! as a scalar variable; a [`BlobDdRef`] for it is attached to the reference, so that a write of the pointer has an
//! edge to each use. The graph ([`ddg`]) tells accesses with one symbase apart by their bases and subscripts.
//!
//! # Ownership
//!
//! Nothing here borrows a body or a [`backedge_scev::ScalarEvolution`]: expressions are copied out of the analysis,
//! with variables (temps) as leaves. A transformed nest is no longer the analysed one, and a variable introduced by a
//! transform is not a value of the body.

pub mod barrier;
pub mod blob;
pub mod build;
pub mod canon;
pub mod ddg;
pub mod ddref;
pub mod lower;
pub mod node;
pub mod print;
pub mod queries;
mod symbase;
pub mod transform;

pub use blob::{Blob, Blobs, ScalarType, Temp};
pub use canon::{CanonExpr, Level};
pub use ddref::{BlobDdRef, MemRef, RegDdRef, Site};
pub use node::{Hir, Node};
pub use symbase::Symbase;
