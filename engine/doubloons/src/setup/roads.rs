//! How far every hex is from every city by land.
//!
//! Must not know what stands in the way.

use super::map::{At, Map};

/// No way by land.
const FAR: u8 = u8::MAX;

/// Steps by land from each hex to each city.
#[derive(Debug)]
pub(crate) struct Roads {
    steps: Vec<u8>,
    places: usize,
}

impl Roads {
    /// The roads of a map.
    pub(crate) fn of(map: &Map) -> Roads {
        let places = map.places.len();
        let mut steps = vec![FAR; places * map.sites.len()];
        let mut edge: Vec<At> = Vec::with_capacity(places);
        for (site, steps) in map.sites.iter().zip(steps.chunks_exact_mut(places.max(1))) {
            steps[usize::from(site.at)] = 0;
            edge.clear();
            edge.push(site.at);
            let mut next = 0;
            while let Some(&at) = edge.get(next) {
                next += 1;
                let far = steps[usize::from(at)].saturating_add(1);
                for to in map.around(at) {
                    let land = map.place(to).terrain.land_cost().is_some();
                    if land && steps[usize::from(to)] == FAR && far < FAR {
                        steps[usize::from(to)] = far;
                        edge.push(to);
                    }
                }
            }
        }
        Roads { steps, places }
    }

    /// The steps from a hex to a city, if there is a way.
    pub(crate) fn steps(&self, city: u8, from: At) -> Option<u8> {
        let at = (usize::from(city) - 1) * self.places + usize::from(from);
        self.steps.get(at).copied().filter(|&steps| steps < FAR)
    }

    /// The steps from a hex to the nearest of some cities by land.
    pub(crate) fn least(&self, from: At, cities: impl Iterator<Item = u8>) -> Option<u8> {
        cities.filter_map(|city| self.steps(city, from)).min()
    }

    /// The city among some that is nearest to a hex by land.
    pub(crate) fn nearest(&self, from: At, cities: impl Iterator<Item = u8>) -> Option<u8> {
        cities.filter_map(|city| Some((self.steps(city, from)?, city))).min().map(|it| it.1)
    }
}
