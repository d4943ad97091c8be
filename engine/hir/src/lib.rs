//! HIR: loop nests in lexical order, for analyses and transforms of data dependences that a graph of blocks makes hard.
//!
//! | what | module |
//! |---|---|
//! | what subscripts, bounds and operands are, in closed form | [`canon`] |
//! | the trees of values that closed forms are made of | [`blob`] |
//! | references to scalars and memory, the ends of dependences | [`ddref`] |
//! | which nests of a function, and how they become trees | [`build`] |
//! | what depends on what, how many iterations apart; what is live | [`ddg`] |
//! | what can be made of them | [`transform`] |
//! | what stands between nests, or loops, and must stay there, in words | [`barrier`] |
//! | how trees become LLVM IR again | [`lower`] |
//! | loops, ifs, labels, instructions, as a tree in lexical order | [`node`]; as text: [`print`] |
//! | what each reference says of itself, as text: levels, strides, indices | [`queries`] |
//!
//! # The names of the literature
//!
//! The constructs are those of "HIR DDRefs and Friends" (D. Nuzman, 2016), under its names:
//!
//! | there | here |
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
//! # What the document leaves open
//!
//! | question there | answer |
//! |---|---|
//! | "How is HIR lowered to llvm-IR?" | [`lower`]: lists become blocks, loops with bounds count up to these, variables are made SSA values, forms are computed where they are read |
//! | "What is a selfBlob?" | below; [`CanonExpr::self_blob`] |
//! | "Can we follow use-def information in order to track where a variable used in a DR is coming from" | yes, backward along flow edges from what is attached to a reference, in subscripts as in the base, to the loads there: [`ddg::Ddg::indexed_by`]; as text: `print hir --queries` ([`queries`]) |
//! | "Base: Refers to a Symbase. *TODO*" | below; [`MemRef::base`], [`RegDdRef::symbase`] |
//!
//! **Self blobs.** A scalar `%t` that nothing more is said of has a closed form all the same: the blob of the temp
//! `%t`, once, with nothing added, nothing multiplied, and no conversion. Such a form is a *self blob*: what it says of the
//! scalar is the scalar itself. A reference to data whose form is a self blob reads the temp directly, and the dependence
//! is that of the reference; of any other form (`%t + 1`, `2 * i1 + %t`) the temp is one part of several, and the
//! dependence has to be attached for it.
//!
//! **Bases and symbases.** The base of a memory reference is a closed form, mostly the self blob of a pointer. There are two
//! symbases then. That of the *reference* is the number of its alias set: of all accesses that may touch the same bytes,
//! whatever their bases are, so that two references of one base may have two, and those of two bases one. That of the *base*
//! is the one of the pointer as a scalar variable; a [`BlobDdRef`] for it is attached to the reference, so that what writes
//! the pointer has an edge to where it is used. Accesses with one symbase are told apart by their bases and subscripts in the
//! graph ([`ddg`]).
//!
//! # What owns what
//!
//! Nothing here borrows a body or a [`backedge_scev::ScalarEvolution`]: expressions are copied out of the analysis, with
//! variables (temps) for leaves. A nest that is being transformed is no longer the one that was analysed, and a variable
//! that a transform introduces is no value of the body.

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
pub mod transform;

pub use blob::{Blob, Blobs, ScalarType, Temp};
pub use canon::{CanonExpr, Level};
pub use ddref::{BlobDdRef, MemRef, RegDdRef, Site, Symbase};
pub use node::{Hir, Node};
