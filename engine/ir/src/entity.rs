//! Typed `u32` ids and the containers keyed by them.
//!
//! Each kind of entity has its own id type, so a block can't be passed in place of an instruction. Ids are dense: data
//! lives in vectors indexed by id. An id is valid only for the container that allocated it.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense id: an index into a container for entities of its kind.
pub trait EntityId: Copy + Eq + Ord + std::hash::Hash + fmt::Debug {
    /// The id of the entity at `index`.
    fn from_index(index: usize) -> Self;
    /// The index of the entity in its container.
    fn index(self) -> usize;
}

/// Defines id types: for each one a doc comment, its name, and the prefix of its number when printed.
#[macro_export]
macro_rules! entity_ids {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::entity::EntityId for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 entities of one kind"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

entity_ids! {
    /// A basic block of a function body.
    Block, "block";
    /// An instruction of a function body, and the value it defines if it defines one.
    Inst, "inst";
    /// A formal argument of a function, counted from 0.
    Arg, "arg";
    /// A constant in a [`crate::constant::ConstPool`].
    Const, "const";
    /// A function of a module, declared or defined.
    FuncId, "func";
    /// A global variable of a module.
    GlobalId, "global";
    /// An alias or ifunc of a module.
    AliasId, "alias";
    /// A metadata node of a module.
    MdId, "md";
    /// A block whose address is taken, in [`crate::module::Env::block_addresses`].
    BlockAddressId, "blockaddress";
    /// An aggregate, vector or function type in a [`crate::types::TypeTable`].
    CompoundId, "type";
}

/// The container that owns the entities of one kind; pushing data allocates the next id.
#[derive(Clone, PartialEq, Eq)]
pub struct PrimaryMap<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: EntityId, V> PrimaryMap<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }
    /// Adds `value` and returns its id.
    #[inline]
    pub fn push(&mut self, value: V) -> K {
        let id = K::from_index(self.items.len());
        self.items.push(value);
        id
    }
    /// The id that the next [`PrimaryMap::push`] will return.
    pub fn next_key(&self) -> K {
        K::from_index(self.items.len())
    }
    /// The data of `key`, if `key` is in this map.
    pub fn get(&self, key: K) -> Option<&V> {
        self.items.get(key.index())
    }
    /// The number of entities.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether the map is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Ids and data in order of creation.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, v)| (K::from_index(i), v))
    }
    /// Ids and mutable data in order of creation.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (K, &mut V)> + ExactSizeIterator {
        self.items.iter_mut().enumerate().map(|(i, v)| (K::from_index(i), v))
    }
    /// All ids in order of creation.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.items.len()).map(K::from_index)
    }
    /// All data in order of creation.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }
}

impl<K: EntityId, V> Default for PrimaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityId, V> Index<K> for PrimaryMap<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, key: K) -> &V {
        &self.items[key.index()]
    }
}

impl<K: EntityId, V> IndexMut<K> for PrimaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.items[key.index()]
    }
}

impl<K: EntityId + fmt::Debug, V: fmt::Debug> fmt::Debug for PrimaryMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Data about entities that another container owns. Reading an id that was never written yields the default.
#[derive(Clone)]
pub struct SecondaryMap<K, V> {
    items: Vec<V>,
    default: V,
    key: PhantomData<K>,
}

impl<K: EntityId, V> PrimaryMap<K, V> {
    /// Releases memory reserved for further items.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.items.shrink_to_fit();
    }
}

impl<K: EntityId, V: Clone> SecondaryMap<K, V> {
    /// A map from every id to `default`.
    pub fn with_default(default: V) -> Self {
        Self { items: Vec::new(), default, key: PhantomData }
    }
    /// The ids up to the largest one written, with their data.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.items.iter().enumerate().map(|(i, v)| (K::from_index(i), v))
    }
    /// The data of the ids up to the largest one written, mutably.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }
}

impl<K: EntityId, V: Clone + Default> SecondaryMap<K, V> {
    /// A map from every id to `V::default()`.
    pub fn new() -> Self {
        Self::with_default(V::default())
    }
}

impl<K: EntityId, V: Clone + Default> Default for SecondaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityId, V> Index<K> for SecondaryMap<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, key: K) -> &V {
        self.items.get(key.index()).unwrap_or(&self.default)
    }
}

impl<K: EntityId, V: Clone> IndexMut<K> for SecondaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        let index = key.index();
        if index >= self.items.len() {
            self.items.resize(index + 1, self.default.clone());
        }
        &mut self.items[index]
    }
}

impl<K: EntityId, V: fmt::Debug + Clone> fmt::Debug for SecondaryMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A set of ids, as a bit vector.
#[derive(Clone)]
pub struct EntitySet<K> {
    words: Vec<u64>,
    len: usize,
    key: PhantomData<K>,
}

impl<K: EntityId> EntitySet<K> {
    /// The empty set.
    pub fn new() -> Self {
        Self { words: Vec::new(), len: 0, key: PhantomData }
    }
    /// Whether `key` is in the set.
    #[inline]
    pub fn contains(&self, key: K) -> bool {
        let i = key.index();
        self.words.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 != 0)
    }
    /// Adds `key`; true if it was not there before.
    #[inline]
    pub fn insert(&mut self, key: K) -> bool {
        let i = key.index();
        if i / 64 >= self.words.len() {
            self.words.resize(i / 64 + 1, 0);
        }
        let word = &mut self.words[i / 64];
        let added = *word >> (i % 64) & 1 == 0;
        *word |= 1 << (i % 64);
        self.len += usize::from(added);
        added
    }
    /// Removes `key`; true if it was there.
    #[inline]
    pub fn remove(&mut self, key: K) -> bool {
        let i = key.index();
        let Some(word) = self.words.get_mut(i / 64) else { return false };
        let had = *word >> (i % 64) & 1 != 0;
        *word &= !(1 << (i % 64));
        self.len -= usize::from(had);
        had
    }
    /// The number of ids in the set.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The ids in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |b| word >> b & 1 != 0).map(move |b| K::from_index(i * 64 + b))
        })
    }
}

impl<K: EntityId> Default for EntitySet<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: EntityId> PartialEq for EntitySet<K> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: EntityId> Eq for EntitySet<K> {}

impl<K: EntityId> FromIterator<K> for EntitySet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(iter: I) -> Self {
        let mut set = Self::new();
        set.extend(iter);
        set
    }
}

impl<K: EntityId> Extend<K> for EntitySet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, iter: I) {
        for key in iter {
            self.insert(key);
        }
    }
}

impl<K: EntityId> fmt::Debug for EntitySet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
