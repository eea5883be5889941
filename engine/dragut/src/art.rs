//! The colours and drawings of the pictures: our own.
//!
//! Must only hold data.

use umpire_core::scene::art::{Art, Pen, Shade};
use umpire_core::scene::{Glyph, Tint};

const fn shade(fill: u32, on: u32) -> Shade {
    Shade { fill, on }
}

/// The art of the game.
pub(crate) static ART: Art = Art {
    name: "dragut",
    ground: [shade(0xe6dfb8, 0x2a2418), shade(0x23251a, 0xf1efdf)],
    colours: &[
        (Tint::Side1, [shade(0x1f6b43, 0xffffff), shade(0x27824f, 0xffffff)]),
        (Tint::Side2, [shade(0x2a5aa0, 0xffffff), shade(0x3f74c4, 0xffffff)]),
        (Tint::Ink, [shade(0x2a2418, 0xffffff), shade(0xf1efdf, 0x23251a)]),
        (Tint::Faint, [shade(0x574f3a, 0xffffff), shade(0xb9b49c, 0x23251a)]),
        (Tint::Plain, [shade(0xd2d698, 0x2a2418), shade(0x3c4422, 0xf1efdf)]),
        (Tint::Wood, [shade(0xc3cb8c, 0x2a2418), shade(0x333b1f, 0xf1efdf)]),
        (Tint::Hill, [shade(0xc9bb86, 0x2a2418), shade(0x4a4229, 0xf1efdf)]),
        (Tint::Mountain, [shade(0xd4cc9a, 0x2a2418), shade(0x2e2f1f, 0xf1efdf)]),
        (Tint::Water, [shade(0xa8ced6, 0x12303a), shade(0x17343d, 0xf1efdf)]),
        (Tint::Reef, [shade(0x8dbcc8, 0x12303a), shade(0x1f4550, 0xf1efdf)]),
        (Tint::Sand, [shade(0xf1dfb2, 0x2a2418), shade(0x3f3725, 0xf1efdf)]),
        (Tint::Town, [shade(0xe6b896, 0x2a1a10), shade(0x5c3d2d, 0xf1efdf)]),
        (Tint::Wall, [shade(0xb0946c, 0x1d140a), shade(0x75634a, 0xffffff)]),
        (Tint::Paper, [shade(0xfffaea, 0x2a2418), shade(0x2c2d22, 0xf1efdf)]),
    ],
    drawings: &[
        (
            Glyph::Galley,
            &[
                (
                    Pen::Over,
                    "M.6 14.8C6 17.4 16 17.6 21 15L23.6 11.8L22.8 16.4C21.6 18.8 19.6 19.8 17 19.8H7C4 19.8 1.6 18 .6 14.8Z",
                ),
                (Pen::Over, "M7.6 3H8.4V16H7.6ZM15 4.4H15.8V16H15Z"),
                (
                    Pen::Over,
                    "M2.6 12.6C5.4 9.6 7.4 6 8 1.8C10.8 4.8 12 8.6 12 12.4C9 13.6 5.6 13.8 2.6 12.6ZM11.8 12.8C13.6 10.4 15 7.2 15.4 3.6C18.2 6.2 19.8 9.2 20.2 12.2C17.6 13.6 14.6 13.8 11.8 12.8Z",
                ),
                (
                    Pen::Hair,
                    "M5 18.6L3.2 22.6M8 19L6.4 23M11 19.2L9.6 23.2M14 19.2L12.8 23.2M17 19L16 23",
                ),
                (Pen::Groove, "M3 16.6C8 18.2 15 18.2 20.4 16.8"),
            ],
        ),
        (
            Glyph::Church,
            &[
                (
                    Pen::Over,
                    "M11.3 1H12.7V3H14.7V4.4H12.7V6.4L18 11V21.8H6V11L11.3 6.4V4.4H9.3V3H11.3Z",
                ),
                (
                    Pen::Under,
                    "M10.4 21.8V17.4A1.6 1.6 0 0 1 13.6 17.4V21.8ZM12 13.6A1.5 1.5 0 1 1 12.1 13.6Z",
                ),
                (Pen::Over, "M18.6 21.8V13.4L22.6 16V21.8ZM5.4 21.8V13.4L1.4 16V21.8Z"),
            ],
        ),
        (
            Glyph::Tower,
            &[
                (
                    Pen::Over,
                    "M6 2.4H8.6V4.6H10.6V2.4H13.4V4.6H15.4V2.4H18V9L16.8 10.2V21.8H7.2V10.2L6 9Z",
                ),
                (Pen::Under, "M10.4 21.8V17A1.6 1.6 0 0 1 13.6 17V21.8ZM11.2 11H12.8V14H11.2Z"),
            ],
        ),
        (
            Glyph::Town,
            &[
                (
                    Pen::Over,
                    "M1.6 21.6V12.6L6 8.6L10.4 12.6V21.6ZM11 21.6V9.4L15 5.6L19 9.4V21.6ZM19.6 21.6V14L22.6 15.8V21.6Z",
                ),
                (
                    Pen::Under,
                    "M5 14.4H7V17H5ZM13 11.4H14.6V13.8H13ZM15.8 11.4H17.4V13.8H15.8ZM13.8 17.4H16.2V21.6H13.8Z",
                ),
            ],
        ),
        (
            Glyph::Wood,
            &[(
                Pen::Over,
                "M7 4.6C10 4.6 11.4 6.8 10.6 9C12 11 10.4 13.4 7.8 13.4V17H6.2V13.4C3.6 13.4 2 11 3.4 9C2.6 6.8 4 4.6 7 4.6ZM17 8.6C20 8.6 21.4 10.8 20.6 13C22 15 20.4 17.4 17.8 17.4V21H16.2V17.4C13.6 17.4 12 15 13.4 13C12.6 10.8 14 8.6 17 8.6Z",
            )],
        ),
        (
            Glyph::Hill,
            &[
                (
                    Pen::Over,
                    "M1 20C4 10.6 9 7 13 7C17.6 7 21.4 12.4 23 20H21.2C19.8 13.8 16.6 8.8 13 8.8C9.8 8.8 5.6 12 2.8 20Z",
                ),
                (Pen::Hair, "M14 20L17.4 12M17 20L19.4 15M7 19L10 12.4"),
            ],
        ),
        (
            Glyph::Waves,
            &[(
                Pen::Line,
                "M2 9C4.5 7 6.5 7 9 9C11.5 11 13.5 11 16 9C18.5 7 20 7 22 8.4M2 15C4.5 13 6.5 13 9 15C11.5 17 13.5 17 16 15C18.5 13 20 13 22 14.4",
            )],
        ),
        (
            Glyph::Anchor,
            &[
                (
                    Pen::Over,
                    "M12 1.4A3 3 0 0 1 13.2 7.2V9H17V11.2H13.2V19.6C16.6 19 18.8 17 19.4 14.4L17.4 15.4L20.6 10.6L23 16L21.4 14.8C20.4 19.4 16.6 22.4 12 22.4C7.4 22.4 3.6 19.4 2.6 14.8L1 16L3.4 10.6L6.6 15.4L4.6 14.4C5.2 17 7.4 19 10.8 19.6V11.2H7V9H10.8V7.2A3 3 0 0 1 12 1.4Z",
                ),
                (Pen::Under, "M12 5.8A1.4 1.4 0 1 1 12.1 5.8Z"),
            ],
        ),
        (
            Glyph::Bell,
            &[(
                Pen::Over,
                "M12 2A1.6 1.6 0 0 1 13.4 4.2C16.6 5 18.2 7.4 18.2 11V15.6L20.8 19H3.2L5.8 15.6V11C5.8 7.4 7.4 5 10.6 4.2A1.6 1.6 0 0 1 12 2ZM9.4 20.2H14.6A2.6 2.4 0 0 1 9.4 20.2Z",
            )],
        ),
        (
            Glyph::Chain,
            &[(
                Pen::Line,
                "M8 8.4H5.6A3.6 3.6 0 0 0 5.6 15.6H8A3.6 3.6 0 0 0 11 14M16 8.4H18.4A3.6 3.6 0 0 1 18.4 15.6H16A3.6 3.6 0 0 1 13 14M8 12H16",
            )],
        ),
        (
            Glyph::Raider,
            &[
                (
                    Pen::Over,
                    "M5 9.4C4.6 5 8 2 12 2C16 2 19.4 5 19 9.4ZM6 10.6H18C18 15.4 15.4 19 12 19C8.6 19 6 15.4 6 10.6Z",
                ),
                (
                    Pen::Over,
                    "M2.4 22.6C2.8 18.6 5 17 7 16.4C8.2 18.6 10 20.2 12 20.2C14 20.2 15.8 18.6 17 16.4C19 17 21.2 18.6 21.6 22.6Z",
                ),
                (Pen::Groove, "M5.4 7.6C9 4.6 14 4.4 18.6 7.8"),
                (Pen::Under, "M8.4 12.2H10.4V13.4H8.4ZM13.6 12.2H15.6V13.4H13.6Z"),
            ],
        ),
        (
            Glyph::Townsman,
            &[
                (
                    Pen::Over,
                    "M2.8 8.4H21.2V10H2.8ZM6.4 8.4C6.4 4.6 8.6 2.6 12 2.6C15.4 2.6 17.6 4.6 17.6 8.4Z",
                ),
                (Pen::Over, "M7 11H17C17 15.6 15 18.2 12 18.2C9 18.2 7 15.6 7 11Z"),
                (
                    Pen::Over,
                    "M3 22.6C3.2 18.6 5.6 17.2 7.8 16.8C8.8 18.6 10.2 19.6 12 19.6C13.8 19.6 15.2 18.6 16.2 16.8C18.4 17.2 20.8 18.6 21 22.6Z",
                ),
                (Pen::Under, "M9 12.4H10.8V13.6H9ZM13.2 12.4H15V13.6H13.2Z"),
            ],
        ),
        (Glyph::Field, &[(Pen::Line, "M3 19H21M4 14.5H20M3 10H21M5 5.5H19")]),
    ],
};
