//! Which uses of the favour are spent.
//!
//! Must not know what a use does.

use crate::tables::FavorUse;

umpire_core::set_of! {
    /// A set of uses of the favour.
    pub struct FavorUses(u8) of FavorUse;
}
