//! Clauses, rulings, citations and refusals: how the engine says *by which rule*.
//!
//! One table per game, made by [`rulebook!`](crate::rulebook), holds every id once. Ids are those
//! of the rules documents; they are printed to users and never renumbered. This module must not
//! know any game.

use std::fmt;

use serde::Serialize;

/// What an entry of a rulebook is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    /// A numbered rule.
    Clause,
    /// A decision on an unclear point of the rulebook.
    Ruling,
}

/// Where a clause stands in a printed rulebook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Section {
    /// The edition; left out (here empty) where the game has only one.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub edition: &'static str,
    /// The section as the printed book names it.
    pub at: &'static str,
}

/// One reading of a ruling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Reading))]
pub struct ReadingEntry {
    /// The value that selects it, empty for a reading that cannot be selected.
    pub value: &'static str,
    /// What it means, in our words.
    pub gist: &'static str,
}

/// One line of a rulebook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RuleEntry {
    /// The id: `DRK-7.8`, `DRK-R1`.
    pub id: &'static str,
    /// Clause or ruling.
    pub kind: RuleKind,
    /// The rule, or the question a ruling answers, in our words.
    pub gist: &'static str,
    /// Where it stands in the printed books.
    pub sections: &'static [Section],
    /// The clauses that a ruling settles.
    pub settles: &'static [&'static str],
    /// The readings of a ruling, the default first.
    pub readings: &'static [ReadingEntry],
    /// The values whose readings are house rules: the words of the book exclude them.
    pub house: &'static [&'static str],
    /// Why the default is the default (rulings).
    pub because: &'static str,
}

impl RuleEntry {
    /// Where it stands in the book of an edition, if it stands there.
    pub fn section(&self, edition: &str) -> Option<&'static str> {
        let found = self.sections.iter().find(|it| it.edition == edition || it.edition.is_empty());
        found.map(|section| section.at)
    }

    /// Whether a record may choose another reading.
    pub fn selectable(&self) -> bool {
        self.readings.iter().filter(|reading| !reading.value.is_empty()).count() > 1
    }
}

/// Every edition that the sections of a rulebook name, in the order in which they first occur;
/// empty for a book of one edition.
pub fn editions(table: &'static [RuleEntry]) -> Vec<&'static str> {
    let mut all: Vec<&'static str> = Vec::new();
    for section in table.iter().flat_map(|entry| entry.sections) {
        if !section.edition.is_empty() && !all.contains(&section.edition) {
            all.push(section.edition);
        }
    }
    all
}

/// The clause and ruling ids of one game; made by [`rulebook!`](crate::rulebook).
pub trait Rule: Copy + Eq + Ord + fmt::Debug + Send + Sync + 'static {
    /// Every entry, in the order of the document.
    const TABLE: &'static [RuleEntry];
    /// Every rule, in the order of the document.
    fn all() -> &'static [Self];
    /// The place in [`Rule::TABLE`].
    fn index(self) -> usize;
    /// The entry.
    fn entry(self) -> &'static RuleEntry {
        &Self::TABLE[self.index()]
    }
    /// The id as users see it.
    fn id(self) -> &'static str {
        self.entry().id
    }
}

/// Makes the rule enum of a game and its table: one line, one id.
///
/// ```ignore
/// rulebook! {
///     /// Clauses and rulings of the game.
///     pub enum Rule {
///         clauses {
///             C4_2 = "XYZ-4.2" ["" => "§Move"] "A figure enters only a free hex next to it.";
///         }
///         rulings {
///             R1 = "XYZ-R1" settles [C4_2] "May a figure pass over a friend?"
///                 { "none" => "never", "friends" => "over friends" } because "the later edition says so";
///             R2 = "XYZ-R2" settles [C4_2] "May it stay?"
///                 { "yes" => "yes", "no" => "no" } house ["no"] because "a move of nought is a move";
///         }
///     }
/// }
/// ```
///
/// A ruling names the clauses it settles by their variants, so a wrong name does not compile. After
/// its readings come, if there are any, the values that are house rules.
#[macro_export]
macro_rules! rulebook {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            clauses { $( $clause:ident = $cid:literal [ $( $edition:literal => $at:literal ),* $(,)? ] $cgist:literal; )* }
            rulings { $( $ruling:ident = $rid:literal settles [ $( $settled:ident ),* $(,)? ] $question:literal
                { $( $value:literal => $reading:literal ),* $(,)? } $( house [ $( $house:literal ),* $(,)? ] )? because $because:literal; )* }
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum $name {
            $( #[doc = concat!("`", $cid, "` ", $cgist)] $clause, )*
            $( #[doc = concat!("`", $rid, "` ", $question)] $ruling, )*
        }

        impl $name {
            const fn id_of(self) -> &'static str {
                match self {
                    $( $name::$clause => $cid, )*
                    $( $name::$ruling => $rid, )*
                }
            }
        }

        impl $crate::rules::Rule for $name {
            const TABLE: &'static [$crate::rules::RuleEntry] = &[
                $( $crate::rules::RuleEntry {
                    id: $cid,
                    kind: $crate::rules::RuleKind::Clause,
                    gist: $cgist,
                    sections: &[ $( $crate::rules::Section { edition: $edition, at: $at } ),* ],
                    settles: &[],
                    readings: &[],
                    house: &[],
                    because: "",
                }, )*
                $( $crate::rules::RuleEntry {
                    id: $rid,
                    kind: $crate::rules::RuleKind::Ruling,
                    gist: $question,
                    sections: &[],
                    settles: &[ $( $name::$settled.id_of() ),* ],
                    readings: &[ $( $crate::rules::ReadingEntry { value: $value, gist: $reading } ),* ],
                    house: &[ $( $( $house ),* )? ],
                    because: $because,
                }, )*
            ];

            fn all() -> &'static [Self] {
                &[ $( $name::$clause, )* $( $name::$ruling, )* ]
            }

            fn index(self) -> usize {
                self as usize
            }
        }
    };
}

/// A selectable ruling as generic code sees it: an id and the values it can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RulingDef {
    /// The id: `DRK-R1`.
    pub id: &'static str,
    /// The values, the default first.
    pub values: &'static [&'static str],
}

/// The readings in force for one game; made by [`rulings!`](crate::rulings).
pub trait RulingSet: Copy + Default + Send + Sync + 'static {
    /// The selectable rulings.
    const DEFS: &'static [RulingDef];
    /// The index of the value of ruling `ruling` (an index into [`RulingSet::DEFS`]).
    fn get(&self, ruling: usize) -> usize;
    /// Chooses a value by index; both indices come from [`RulingSet::DEFS`].
    fn set(&mut self, ruling: usize, value: usize);
    /// The default readings of a version of the ruleset; of the newest where none is named.
    fn defaults(version: Option<u32>) -> Self;
    /// These readings with each other value of one ruling; none of a ruling that is not selectable.
    fn others(self, id: &'static str) -> impl Iterator<Item = Self> {
        let ruling = Self::DEFS.iter().position(|def| def.id == id);
        ruling.into_iter().flat_map(move |ruling| {
            let values = 0..Self::DEFS[ruling].values.len();
            values.filter(move |&value| value != self.get(ruling)).map(move |value| {
                let mut other = self;
                other.set(ruling, value);
                other
            })
        })
    }
    /// The readings that differ from these by what was picked.
    #[must_use]
    fn picked(mut self, picks: &Picks<Self>) -> Self {
        for &(ruling, value) in &picks.chosen {
            self.set(usize::from(ruling), usize::from(value));
        }
        self
    }
}

/// Makes the enums of a game's selectable rulings (one variant per reading, the default of the
/// newest version first) and the struct that holds the readings in force. In a schema, give a field
/// of picks the annotation `schema(value_type = Rulings, inline)` and add
/// [`rulings_schema!`](crate::rulings_schema).
///
/// Tables after the struct say what older versions of the ruleset read differently. Once released,
/// such a table never changes:
///
/// ```ignore
/// rulings! {
///     pub struct Rulings {
///         pass / "XYZ-R1": Pass { Friends = "friends", None = "none" },
///     }
///     version 1 { pass: Pass::None }
/// }
/// ```
#[macro_export]
macro_rules! rulings {
    (
        $(#[$meta:meta])*
        pub struct $set:ident {
            $( $(#[$doc:meta])* $field:ident / $id:literal : $name:ident { $first:ident = $firstvalue:literal $(, $variant:ident = $value:literal )* $(,)? } ),* $(,)?
        }
        $( version $version:literal { $( $differs:ident : $reading:expr ),* $(,)? } )*
    ) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
            pub enum $name {
                #[doc = concat!("`", $firstvalue, "`, the default.")]
                #[default]
                $first,
                $( #[doc = concat!("`", $value, "`.")] $variant, )*
            }
        )*

        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $set {
            $( $(#[$doc])* pub $field: $name, )*
        }

        impl $crate::rules::RulingSet for $set {
            const DEFS: &'static [$crate::rules::RulingDef] = &[
                $( $crate::rules::RulingDef { id: $id, values: &[ $firstvalue $(, $value )* ] }, )*
            ];

            fn get(&self, ruling: usize) -> usize {
                let values = [ $( self.$field as usize ),* ];
                values.get(ruling).copied().unwrap_or(0)
            }

            fn set(&mut self, ruling: usize, value: usize) {
                let mut at = 0;
                $(
                    if at == ruling {
                        let all = [ $name::$first $(, $name::$variant )* ];
                        if let Some(&reading) = all.get(value) {
                            self.$field = reading;
                        }
                        return;
                    }
                    at += 1;
                )*
                let _ = at;
            }

            fn defaults(version: Option<u32>) -> Self {
                #[allow(unused_mut, reason = "a ruleset may have one version")]
                let mut readings = Self::default();
                $(
                    if version == Some($version) {
                        $( readings.$differs = $reading; )*
                    }
                )*
                let _ = version;
                readings
            }
        }
    };
}

/// Gives the schema of a record's picks to the struct that [`rulings!`](crate::rulings) made.
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! rulings_schema {
    ($set:ident) => {
        impl utoipa::PartialSchema for $set {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::rules::picks_schema::<$set>()
            }
        }

        impl utoipa::ToSchema for $set {}
    };
}

/// Readings picked by a record, `{"DRK-R1": "deck_empty"}`; what is not picked has the default of
/// the record's version of the ruleset.
///
/// The version is not part of the text: the record names it in `ruleset`. An unknown id, an unknown
/// value and a ruling picked twice are refused while reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picks<S> {
    version: Option<u32>,
    chosen: Vec<(u8, u8)>,
    of: std::marker::PhantomData<S>,
}

impl<S> Default for Picks<S> {
    fn default() -> Self {
        Picks { version: None, chosen: Vec::new(), of: std::marker::PhantomData }
    }
}

impl<S: RulingSet> Picks<S> {
    /// The version of the ruleset that gives the defaults; the newest where none was set.
    pub fn version(&self) -> Option<u32> {
        self.version
    }

    /// Takes the defaults of a version of the ruleset.
    pub fn set_version(&mut self, version: u32) {
        self.version = Some(version);
    }

    /// The readings in force: those picked, and the defaults of the version.
    pub fn readings(&self) -> S {
        S::defaults(self.version).picked(self)
    }

    /// The same version with every reading of the set picked, none left to defaults.
    #[must_use]
    pub fn spelled_out(&self, set: &S) -> Self {
        let chosen = (0..S::DEFS.len()).map(|at| (at as u8, set.get(at) as u8)).collect();
        Picks { chosen, ..*self }
    }

    /// Picks a reading, in place of what was picked: the ruling and its value by index. An index
    /// beyond the definitions changes nothing.
    pub fn pick(&mut self, ruling: usize, value: usize) {
        if S::DEFS.get(ruling).is_some_and(|def| value < def.values.len()) {
            self.chosen.retain(|&(had, _)| usize::from(had) != ruling);
            self.chosen.push((ruling as u8, value as u8));
            self.chosen.sort_unstable();
        }
    }

    /// Whether ruling `id` was picked.
    pub fn has(&self, id: &str) -> bool {
        self.chosen.iter().any(|&(ruling, _)| S::DEFS[usize::from(ruling)].id == id)
    }
}

impl<S: RulingSet> Serialize for Picks<S> {
    fn serialize<T: serde::Serializer>(&self, to: T) -> Result<T::Ok, T::Error> {
        to.collect_map(self.chosen.iter().map(|&(ruling, value)| {
            let def = &S::DEFS[usize::from(ruling)];
            (def.id, def.values[usize::from(value)])
        }))
    }
}

impl<'de, S: RulingSet> serde::Deserialize<'de> for Picks<S> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader<S>(std::marker::PhantomData<S>);
        impl<'de, S: RulingSet> serde::de::Visitor<'de> for Reader<S> {
            type Value = Picks<S>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object of ruling ids and values")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                use serde::de::Error;
                let mut picks = Picks::default();
                while let Some(id) = map.next_key::<String>()? {
                    // What is wrong is said while the value is read, so that a path leads to it.
                    let known = S::DEFS.iter().position(|def| def.id == id);
                    let pick = PickReader { defs: S::DEFS, ruling: known, id: &id };
                    let value = map.next_value_seed(pick)?;
                    let Some(ruling) = known else { continue };
                    if picks.chosen.iter().any(|&(had, _)| usize::from(had) == ruling) {
                        return Err(A::Error::custom(format_args!("{id} is given twice")));
                    }
                    picks.chosen.push((ruling as u8, value as u8));
                }
                picks.chosen.sort_unstable();
                Ok(picks)
            }
        }
        from.deserialize_map(Reader(std::marker::PhantomData))
    }
}

/// Reads the value of one ruling as its place among the readings.
struct PickReader<'a> {
    defs: &'static [RulingDef],
    ruling: Option<usize>,
    id: &'a str,
}

impl<'de> serde::de::DeserializeSeed<'de> for PickReader<'_> {
    type Value = usize;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        use serde::de::Error;
        let id = self.id;
        let Some(def) = self.ruling.and_then(|ruling| self.defs.get(ruling)) else {
            let known: Vec<_> = self.defs.iter().map(|def| def.id).collect();
            let known = known.join(", ");
            return Err(D::Error::custom(format_args!(
                "{id:?} is no selectable ruling; selectable are {known}"
            )));
        };
        let value: String = serde::Deserialize::deserialize(from)?;
        def.values.iter().position(|&known| known == value).ok_or_else(|| {
            let values = def.values.join(", ");
            D::Error::custom(format_args!("{id} has no reading {value:?}; it has {values}"))
        })
    }
}

/// The schema of picked readings: one property per ruling, with its values.
#[cfg(feature = "schema")]
pub fn picks_schema<S: RulingSet>() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
    use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, SchemaType, Type};
    let mut object = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Object))
        .description(Some("The readings of selectable rulings; one left out has its default."))
        .additional_properties(Some(AdditionalProperties::FreeForm(false)));
    for def in S::DEFS {
        let default = def.values[0];
        object = object.property(
            def.id,
            ObjectBuilder::new()
                .schema_type(SchemaType::new(Type::String))
                .enum_values(Some(def.values.iter().copied()))
                .description(Some(format!("Default: `{default}`."))),
        );
    }
    object.into()
}

/// The most clauses that one fact cites.
const MOST_CITED: usize = 6;

/// One to six clauses, the deciding one first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cites<R> {
    rules: [R; MOST_CITED],
    count: u8,
}

impl<R: Copy> Cites<R> {
    /// The clauses.
    pub fn as_slice(&self) -> &[R] {
        &self.rules[..usize::from(self.count)]
    }

    /// The deciding clause.
    pub fn first(&self) -> R {
        self.rules[0]
    }

    /// The same with one clause after them, where there is room for it.
    #[must_use]
    pub fn and(mut self, rule: R) -> Self {
        if let Some(place) = self.rules.get_mut(usize::from(self.count)) {
            *place = rule;
            self.count += 1;
        }
        self
    }
}

impl<R: Copy> From<R> for Cites<R> {
    fn from(rule: R) -> Self {
        [rule].into()
    }
}

impl<R: Copy, const N: usize> From<[R; N]> for Cites<R> {
    fn from(rules: [R; N]) -> Self {
        const { assert!(1 <= N && N <= MOST_CITED, "a fact cites one to six clauses") };
        Cites { rules: std::array::from_fn(|at| rules[at.min(N - 1)]), count: N as u8 }
    }
}

/// A fact in the state that made a clause refuse.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Fact))]
pub struct Evidence {
    /// What the fact is about: `wounds of fury`.
    pub what: String,
    /// What it is: `6 of 6`.
    pub is: String,
}

/// Why an action is refused: the clause cited first, the others that are cheap to find, and the
/// facts behind it.
///
/// As big as a pointer, so that a predicate can give it back without a price for what is legal. The
/// fields are those of [`RefusalParts`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal<R>(Box<RefusalParts<R>>);

/// What a predicate gives back: nothing (or what it found out on the way), or why not.
pub type Checked<R, T = ()> = Result<T, Refusal<R>>;

impl<R> std::ops::Deref for Refusal<R> {
    type Target = RefusalParts<R>;

    fn deref(&self) -> &RefusalParts<R> {
        &self.0
    }
}

impl<R> std::ops::DerefMut for Refusal<R> {
    fn deref_mut(&mut self) -> &mut RefusalParts<R> {
        &mut self.0
    }
}

/// The fields of a [`Refusal`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusalParts<R> {
    /// The clause that the rules document says is cited first.
    pub rule: R,
    /// Further violated clauses and the rulings that shaped them.
    pub also: Vec<R>,
    /// A stable snake_case name of the kind of fault.
    pub code: &'static str,
    /// The field at fault, a JSON pointer below the action (`/to`), empty for the whole.
    pub pointer: String,
    /// What is wrong, in plain words, for the player who sent the action.
    pub message: String,
    /// The facts that made the clause refuse, all known to the player who sent the action.
    pub facts: Vec<Evidence>,
    /// Whether everyone could see the fault: then it is told to every viewer.
    pub public: bool,
    /// Whether everyone could see that the clause forbids the action, were it asked alone. That it is
    /// the clause cited may still tell that nothing hidden stood in the way, so the refusal itself is
    /// not told.
    pub in_sight: bool,
    /// The invariant of the rules document that a loaded position breaks.
    pub invariant: Option<u8>,
    /// How the game has ended, if that is why a loaded position is refused.
    pub end_of_game: Option<EndOfGame>,
}

/// How a game has ended, by its names on the wire. Shared by all games; [`Outcome`](crate::game::Outcome) is the typed form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EndOfGame {
    /// The seat that has won; `null` if nobody has.
    pub winner: Option<&'static str>,
    /// One of the endings of the game.
    pub reason: &'static str,
}

impl<R: Rule> Refusal<R> {
    /// A refusal that only the player who sent the action, and the referee, may read.
    pub fn new(rule: R, code: &'static str, message: impl Into<String>) -> Self {
        Refusal(Box::new(RefusalParts {
            rule,
            also: Vec::new(),
            code,
            pointer: String::new(),
            message: message.into(),
            facts: Vec::new(),
            public: false,
            in_sight: false,
            invariant: None,
            end_of_game: None,
        }))
    }

    /// Adds how the game has ended.
    #[must_use]
    pub fn ends_game(mut self, end: EndOfGame) -> Self {
        self.0.end_of_game = Some(end);
        self
    }

    /// The fields, to be taken apart.
    pub fn into_parts(self) -> RefusalParts<R> {
        *self.0
    }

    /// Names the field at fault.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, what: impl Into<String>, is: impl fmt::Display) -> Self {
        self.facts.push(Evidence { what: what.into(), is: is.to_string() });
        self
    }

    /// Adds a further clause or ruling.
    #[must_use]
    pub fn also(mut self, rule: R) -> Self {
        self.add(rule);
        self
    }

    /// The same in place.
    pub(crate) fn add(&mut self, rule: R) {
        if rule != self.rule && !self.also.contains(&rule) {
            self.also.push(rule);
        }
    }

    /// Marks a fault that follows from public facts alone.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.public = true;
        self
    }

    /// Marks a clause that everyone could see to forbid the action, whatever is hidden.
    #[must_use]
    pub fn in_sight(mut self) -> Self {
        self.in_sight = true;
        self
    }

    /// Names the invariant that a loaded position breaks.
    #[must_use]
    pub fn invariant(mut self, number: u8) -> Self {
        self.invariant = Some(number);
        self
    }

    /// All clauses, the one cited first in front.
    pub fn all(&self) -> impl Iterator<Item = R> {
        std::iter::once(self.rule).chain(self.also.iter().copied())
    }

    /// The ids of all clauses, the one cited first in front.
    pub fn rules(&self) -> Vec<&'static str> {
        self.all().map(Rule::id).collect()
    }
}
