//! Sets of small things (seats, hexes, units) as the bits of one number.
//!
//! [`set_of!`](crate::set_of) makes the type of sets of a thing that has a place in its table. Must
//! not know what the things are.

/// Makes the set type of a thing whose `const fn index(self) -> usize` and
/// `const fn at(index: usize) -> Self` lead to its place in a table and back.
///
/// The number behind the set needs a bit for each place: `u8`, `u16`, `u32` or `u64`. A thing whose
/// place has no bit must not be put in. `at` is only asked for places that are in the set.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Hut(u8);
///
/// impl Hut {
///     const fn index(self) -> usize {
///         self.0 as usize
///     }
///
///     const fn at(index: usize) -> Hut {
///         Hut(index as u8)
///     }
/// }
///
/// umpire_core::set_of! {
///     /// A set of huts.
///     struct Huts(u32) of Hut;
/// }
///
/// let mut huts = Huts::one(Hut(3)).with(Hut(1));
/// assert!(huts.contains(Hut(1)) && !huts.contains(Hut(0)));
/// assert_eq!(huts.iter().collect::<Vec<_>>(), [Hut(1), Hut(3)]);
/// assert_eq!(huts.nth(1), Some(Hut(3)));
/// huts.remove(Hut(1));
/// assert_eq!(huts, Huts::one(Hut(3)));
/// ```
#[macro_export]
macro_rules! set_of {
    ($(#[$doc:meta])* $seen:vis struct $set:ident($bits:ident) of $item:ident;) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        $seen struct $set($bits);

        #[allow(dead_code, reason = "not every set needs every question")]
        impl $set {
            /// Nothing.
            $seen const NONE: $set = $set(0);

            /// Just one.
            $seen const fn one(item: $item) -> $set {
                $set(1 << item.index())
            }

            /// The first `count` of the table, at most as many as there are bits.
            $seen const fn first(count: usize) -> $set {
                match count {
                    0 => $set(0),
                    count => $set($bits::MAX >> ($bits::BITS as usize - count)),
                }
            }

            /// The set of those whose bits are set.
            $seen const fn from_bits(bits: $bits) -> $set {
                $set(bits)
            }

            /// A bit for each that is in it.
            $seen const fn bits(self) -> $bits {
                self.0
            }

            /// Whether it is in the set.
            $seen const fn contains(self, item: $item) -> bool {
                self.0 >> item.index() & 1 == 1
            }

            /// Whether nothing is.
            $seen const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// How many are.
            $seen const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Puts one in.
            $seen const fn insert(&mut self, item: $item) {
                self.0 |= 1 << item.index();
            }

            /// Takes one out.
            $seen const fn remove(&mut self, item: $item) {
                self.0 &= !(1 << item.index());
            }

            /// The set and one more.
            #[must_use]
            $seen const fn with(self, item: $item) -> $set {
                $set(self.0 | 1 << item.index())
            }

            /// The set without one.
            #[must_use]
            $seen const fn without(self, item: $item) -> $set {
                $set(self.0 & !(1 << item.index()))
            }

            /// What is in either.
            #[must_use]
            $seen const fn or(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }

            /// What is in both.
            #[must_use]
            $seen const fn and(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }

            /// What is in this and not in the other.
            #[must_use]
            $seen const fn minus(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }

            /// Whether something is in both.
            $seen const fn meets(self, other: $set) -> bool {
                self.0 & other.0 != 0
            }

            /// The lowest of the table, if there is one.
            $seen const fn lowest(self) -> Option<$item> {
                match self.0 {
                    0 => None,
                    bits => Some($item::at(bits.trailing_zeros() as usize)),
                }
            }

            /// The one that `skip` others precede in the order of the table.
            $seen const fn nth(self, skip: usize) -> Option<$item> {
                let mut left = self.0;
                let mut skipped = 0;
                while skipped < skip && left != 0 {
                    left &= left - 1;
                    skipped += 1;
                }
                $set(left).lowest()
            }

            /// In the order of the table.
            $seen fn iter(self) -> impl Iterator<Item = $item> + Clone {
                let mut left = self;
                std::iter::from_fn(move || {
                    let item = left.lowest()?;
                    left.0 &= left.0 - 1;
                    Some(item)
                })
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> $set {
                items.into_iter().fold($set::NONE, $set::with)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Thing(u8);

    impl Thing {
        const fn index(self) -> usize {
            self.0 as usize
        }

        const fn at(index: usize) -> Thing {
            Thing(index as u8)
        }
    }

    crate::set_of! {
        /// Things.
        struct Things(u8) of Thing;
    }

    #[test]
    fn a_set_holds_what_was_put_in_for_every_set_of_eight() {
        for bits in 0..=u8::MAX {
            let set = Things::from_bits(bits);
            let listed: Vec<Thing> = set.iter().collect();
            let held: Vec<Thing> = (0..8).map(Thing).filter(|it| bits >> it.0 & 1 == 1).collect();
            assert_eq!(listed, held);
            assert_eq!(set.len(), held.len());
            assert_eq!(set.is_empty(), held.is_empty());
            assert_eq!(held.iter().copied().collect::<Things>(), set);
            for at in 0..10 {
                assert_eq!(set.nth(at), held.get(at).copied());
            }
            for thing in (0..8).map(Thing) {
                assert_eq!(set.contains(thing), held.contains(&thing));
                assert!(!set.without(thing).contains(thing) && set.with(thing).contains(thing));
                let mut changed = set;
                changed.insert(thing);
                assert_eq!(changed, set.or(Things::one(thing)));
                changed.remove(thing);
                assert_eq!(changed, set.minus(Things::one(thing)));
                assert_eq!(set.meets(Things::one(thing)), set.contains(thing));
            }
        }
    }

    #[test]
    fn the_first_of_a_table_are_a_set() {
        for count in 0..=8 {
            assert_eq!(Things::first(count).len(), count);
            assert_eq!(Things::first(count).nth(count.saturating_sub(1)).is_some(), count > 0);
        }
    }
}
