//! Name tables: enums whose variants have one name each on the wire.
//!
//! Must not know what is named.

/// Makes an enum whose variants are read and written by their names.
///
/// The type gets `ALL` (in the order of the table), `name`, `parse`, `index` and `at` (its place in the
/// table and back), serde both ways and, under the feature `schema` of the crate that uses it, an
/// OpenAPI schema under the component's name in front (`game.Type`).
///
/// ```ignore
/// umpire_core::names! {
///     /// The ground.
///     xyz.Ground as pub enum Ground {
///         /// Meadow.
///         Meadow = "meadow",
///     }
/// }
/// ```
#[macro_export]
macro_rules! names {
    ($(#[$doc:meta])* $scope:ident . $component:ident as $seen:vis enum $name:ident {
        $($(#[$variant_doc:meta])* $variant:ident = $value:tt),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "schema", schema(as = $scope::$component))]
        #[repr(u8)]
        $seen enum $name {
            $($(#[$variant_doc])* #[serde(rename = $value)] $variant,)*
        }

        #[allow(dead_code, reason = "not every table needs every question")]
        impl $name {
            /// All, in the order of the table.
            $seen const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The name on the wire.
            $seen const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $value,)*
                }
            }

            /// The one of that name.
            $seen fn parse(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|it| it.name() == name)
            }

            /// The place in the table, from 0.
            $seen const fn index(self) -> usize {
                self as usize
            }

            /// The one at a place of the table; the last one beyond its end.
            $seen const fn at(index: usize) -> $name {
                let last = $name::ALL.len() - 1;
                $name::ALL[if index < last { index } else { last }]
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str(self.name())
            }
        }
    };
}
