//! A.4: the numbers of the rules.
//!
//! Must hold nothing but data.

use serde::{Deserialize, Serialize};

use umpire_core::wire::present;

macro_rules! constants {
    ($( $(#[$doc:meta])* $field:ident = $value:literal, $source:literal; )*) => {
        /// A.4: the numbers of the rules.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct Constants {
            $( $(#[$doc])* pub(crate) $field: u8, )*
        }

        impl Constants {
            /// Those of the document.
            pub(crate) const OURS: Constants = Constants { $( $field: $value ),* };
            /// Their names and sources, in order.
            pub(crate) const SOURCES: &'static [(&'static str, &'static str)] =
                &[ $( (stringify!($field), $source) ),* ];

            /// The values, in the order of [`Constants::SOURCES`].
            pub(crate) fn values(&self) -> Vec<u8> {
                vec![ $( self.$field ),* ]
            }

            /// These, with what a record corrects.
            #[must_use]
            pub(crate) fn corrected(mut self, by: &ConstantsData) -> Constants {
                $( self.$field = by.$field.unwrap_or(self.$field); )*
                self
            }
        }

        /// Corrected numbers of the rules; one left out keeps its value.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "schema", schema(as = dragut::Constants))]
        #[serde(deny_unknown_fields)]
        pub struct ConstantsData {
            $(
                $(#[$doc])*
                #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
                #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 20))]
                pub $field: Option<u8>,
            )*
        }
    };
}

constants! {
    /// Pirate points per turn.
    pirate_points = 3, "rb §3.2";
    /// Points per unit per turn.
    unit_points = 2, "rb §4";
    /// Landing.
    landing = 1, "rb §2, §5.2";
    /// A road, any unit.
    road = 1, "rb §5.2";
    /// A trail, Rapalline units and the Renegade.
    trail_light = 1, "rb §5.2";
    /// A trail, other pirates.
    trail_heavy = 2, "rb §5.2";
    /// Entering a hill.
    hill = 1, "recon (DRG-R35)";
    /// Raising the alarm.
    raise_alarm = 2, "rb §4.1";
    /// Sending a captive to the Serraglio.
    send = 2, "rb §4.2";
    /// Cards of the starting hand.
    starting_hand = 3, "rb §3.3";
    /// The target.
    target = 7, "rb §7";
    /// The target once Giulia has fled.
    target_giulia_fled = 8, "rb §7";
}
