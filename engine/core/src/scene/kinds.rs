//! The words of pictures: which glyphs, colours, outlines and lines there are.
//!
//! Must not say where they are drawn.

use serde::Serialize;

macro_rules! names {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }
    };
}

names! {
    /// How a link is drawn.
    pub enum Line {
        /// In one line: a road.
        Solid = "solid",
        /// In dots: a trail.
        Dotted = "dotted",
        /// In strokes: what is planned, what is no road.
        Dashed = "dashed",
        /// In a broad line: a route, a chain.
        Broad = "broad",
        /// In a fine line: ornament.
        Fine = "fine",
        /// In small dots: a route that hides nothing.
        Beads = "beads",
        /// With a head at its end: the way that something went.
        Arrow = "arrow",
    }
}

names! {
    /// The outline of a piece.
    pub enum Outline {
        /// Round.
        Disc = "disc",
        /// Square, with round corners.
        Square = "square",
        /// A square on its corner.
        Diamond = "diamond",
        /// Three corners.
        Triangle = "triangle",
        /// Six corners.
        Hexagon = "hexagon",
        /// Round below.
        Shield = "shield",
        /// A flag with two tails.
        Banner = "banner",
        /// None: the picture alone.
        Bare = "bare",
    }
}

names! {
    /// Which end of a writing is at its place.
    pub enum Anchor {
        /// It begins there.
        Start = "start",
        /// It has its middle there.
        Middle = "middle",
        /// It ends there.
        End = "end",
    }
}

names! {
    /// What a mark says.
    pub enum Role {
        /// Something came from here.
        From = "from",
        /// Something went here.
        To = "to",
        /// Something was hit here.
        Hit = "hit",
        /// Something could be chosen here.
        Target = "target",
        /// This is chosen.
        Selected = "selected",
    }
}

names! {
    /// A picture of a few strokes.
    pub enum Glyph {
        /// A great winged beast.
        Beast = "beast",
        /// An axe.
        Axe = "axe",
        /// A bow with its bolt.
        Bow = "bow",
        /// A net.
        Net = "net",
        /// A sword.
        Sword = "sword",
        /// A man on foot.
        Foot = "foot",
        /// A man on horseback.
        Horse = "horse",
        /// A gun on wheels.
        Gun = "gun",
        /// A ship under sail.
        Ship = "ship",
        /// A rowing ship.
        Galley = "galley",
        /// A man of rank.
        Crown = "crown",
        /// A church.
        Church = "church",
        /// Houses behind a wall.
        Town = "town",
        /// A tower.
        Tower = "tower",
        /// An anchor.
        Anchor = "anchor",
        /// Trees.
        Wood = "wood",
        /// A hill.
        Hill = "hill",
        /// A mountain.
        Mountain = "mountain",
        /// Rocks in the water.
        Reef = "reef",
        /// Waves.
        Waves = "waves",
        /// A flame.
        Flame = "flame",
        /// A chain.
        Chain = "chain",
        /// A bell.
        Bell = "bell",
        /// A coin.
        Coin = "coin",
        /// An eye.
        Eye = "eye",
        /// Something that is not known.
        Unknown = "unknown",
        /// A boot: a move.
        Boot = "boot",
        /// A blade: an attack.
        Blade = "blade",
        /// A wing.
        Wing = "wing",
        /// A shield.
        Shield = "shield",
        /// A bolt.
        Bolt = "bolt",
        /// A drop of blood.
        Drop = "drop",
        /// A dwarf with an axe.
        Axeman = "axeman",
        /// A dwarf with a crossbow.
        Crossbowman = "crossbowman",
        /// A dwarf with a net.
        Netman = "netman",
        /// A raider.
        Raider = "raider",
        /// A man of a town.
        Townsman = "townsman",
        /// A cart with a cover.
        Wagon = "wagon",
        /// A ploughed field.
        Field = "field",
        /// A wind rose.
        Rose = "rose",
        /// A die that shows 1.
        Die1 = "die1",
        /// A die that shows 2.
        Die2 = "die2",
        /// A die that shows 3.
        Die3 = "die3",
        /// A die that shows 4.
        Die4 = "die4",
        /// A die that shows 5.
        Die5 = "die5",
        /// A die that shows 6.
        Die6 = "die6",
    }
}

names! {
    /// A colour of the palette: whose something is, or what ground it is. See `palette.rs`.
    pub enum Tint {
        /// Of the first seat.
        Side1 = "side1",
        /// Of the second seat.
        Side2 = "side2",
        /// Of the third seat.
        Side3 = "side3",
        /// Of the fourth seat.
        Side4 = "side4",
        /// Of the fifth seat.
        Side5 = "side5",
        /// Of the sixth seat.
        Side6 = "side6",
        /// Nobody's.
        Neutral = "neutral",
        /// Lines and writing.
        Ink = "ink",
        /// What is less to be looked at.
        Faint = "faint",
        /// What is to be looked at first.
        Strong = "strong",
        /// Open land.
        Plain = "plain",
        /// Wood.
        Wood = "wood",
        /// Hills.
        Hill = "hill",
        /// Mountains.
        Mountain = "mountain",
        /// Water.
        Water = "water",
        /// Water that is dangerous.
        Reef = "reef",
        /// A coast, a beach.
        Sand = "sand",
        /// Houses.
        Town = "town",
        /// Walls, rock.
        Wall = "wall",
        /// The paper of cards and frames.
        Paper = "paper",
    }
}

impl Tint {
    /// The colour of a seat, by its number from 0; nobody's beyond the sixth.
    pub fn of_seat(seat: usize) -> Tint {
        const SIDES: [Tint; 6] =
            [Tint::Side1, Tint::Side2, Tint::Side3, Tint::Side4, Tint::Side5, Tint::Side6];
        SIDES.get(seat).copied().unwrap_or(Tint::Neutral)
    }

    /// Whether it is the colour of a seat.
    pub fn is_side(self) -> bool {
        self <= Tint::Side6
    }
}

impl Outline {
    /// The outline of a seat's pieces, by its number from 0.
    pub fn of_seat(seat: usize) -> Outline {
        use Outline::{Diamond, Disc, Hexagon, Shield, Square, Triangle};
        [Disc, Square, Diamond, Hexagon, Shield, Triangle][seat % 6]
    }
}
