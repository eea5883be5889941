//! Tests of this game that need its types.
