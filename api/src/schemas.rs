//! Names of OpenAPI components, for the types that handlers take and return.
//!
//! Each stands for the component of the same name, which the document generates. This module must
//! not know what the components contain.

pub use umpire_referee::schemas::*;
#[cfg(feature = "openapi")]
use utoipa::openapi::{RefOr, Schema};
#[cfg(feature = "openapi")]
use utoipa::{PartialSchema, ToSchema};

#[cfg(feature = "openapi")]
use crate::store::jobs::JobState;

/// Names of the component that describes [`JobState`].
#[cfg(feature = "openapi")]
macro_rules! job_states {
    ($($name:ident)*) => {
        $(
            /// How far a job has come.
            #[derive(Debug)]
            pub struct $name;

            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    JobState::schema()
                }
            }

            impl ToSchema for $name {}
        )*
    };
}

#[cfg(feature = "openapi")]
job_states!(AnalysisState ImpactState);
