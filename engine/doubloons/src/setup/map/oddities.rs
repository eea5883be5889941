//! DBD-2.6 What is odd about a map although it can be used.
//!
//! Must not refuse a map.

use super::{At, Map, Place};
use crate::tables::Terrain;

/// The number of the connected part that each hex belongs to, among hexes that `is_part`.
fn connected_parts(map: &Map, is_part: impl Fn(&Place) -> bool) -> Vec<Option<u16>> {
    let mut part = vec![None; map.places.len()];
    let mut count = 0;
    for start in 0..map.places.len() {
        if part[start].is_some() || !is_part(&map.places[start]) {
            continue;
        }
        let mut open = vec![start];
        part[start] = Some(count);
        while let Some(at) = open.pop() {
            for next in map.around(at as At).map(usize::from) {
                if part[next].is_none() && is_part(&map.places[next]) {
                    part[next] = Some(count);
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    part
}

/// DBD-2.6 What is odd about a map although it can be used: a code and plain words for each.
pub(crate) fn oddities(map: &Map) -> Vec<(&'static str, String)> {
    let mut odd = Vec::new();
    let name = |city: usize| format!("city {} ({})", city + 1, map.sites[city].name);
    for (later, site) in map.sites.iter().enumerate() {
        for (earlier, other) in map.sites[..later].iter().enumerate() {
            if map.adjacent(site.at, other.at) {
                let message = format!("{} lies next to {}", name(earlier), name(later));
                odd.push(("cities_adjacent", message));
            }
        }
    }
    let land = connected_parts(map, |it| it.terrain.is_open_land() || it.terrain == Terrain::City);
    let sea = connected_parts(map, |it| it.terrain.is_sea());
    let seas = |city: usize| {
        let port = map.sites[city].port;
        let around = map.around(map.sites[city].at).filter(move |_| port);
        around.filter_map(|at| sea[usize::from(at)]).collect::<Vec<_>>()
    };
    for (city, site) in map.sites.iter().enumerate() {
        let own = seas(city);
        let reached = map.sites.iter().enumerate().any(|(other, there)| {
            let by_land = land[usize::from(there.at)] == land[usize::from(site.at)];
            other != city && (by_land || seas(other).iter().any(|sea| own.contains(sea)))
        });
        if !reached {
            let message = format!(
                "{} cannot be reached from any other, neither by land nor from port to port",
                name(city)
            );
            odd.push(("city_unreachable", message));
        }
        if !map.around(site.at).any(|at| map.place(at).terrain.is_open_land()) {
            odd.push(("city_without_land", format!("{} has no open land beside it", name(city))));
        }
    }
    let count = map.sites.len();
    if !(20..=30).contains(&count) {
        odd.push(("city_count", format!("the map has {count} cities; 20 to 30 play best")));
    }
    odd
}
