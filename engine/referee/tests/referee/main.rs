//! The referee as its doors use it, and the walls around it.

mod table;
mod walls;
