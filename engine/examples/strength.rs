//! temp
#![allow(missing_docs, clippy::disallowed_types)]
use std::sync::Arc;
use std::time::Instant;
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::*;
use umpire_engine::analysis::selfplay::*;
use umpire_engine::budget::Budget;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::*;
use umpire_engine::games;

struct Run {
    args: Vec<String>,
}
impl Visitor for Run {
    fn game<G: Game>(&mut self) {
        if self.args[1] != G::META.id {
            return;
        }
        if self.args[2] == "speed" {
            return speed::<G>();
        }
        let n: u32 = self.args[2].parse().unwrap();
        let a: Player = self.args[3].parse().unwrap();
        let b: Player = self.args[4].parse().unwrap();
        let seats: usize = self.args.get(5).map_or(2, |it| it.parse().unwrap());
        let cpus = 2;
        let start = Instant::now();
        let results: Vec<(f64, [f64; 2], usize, &'static str)> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..cpus)
                .map(|cpu| {
                    scope.spawn(move || {
                        let mut out = Vec::new();
                        for game in (cpu..n).step_by(cpus as usize) {
                            let seed = format!("strength {}", game / 2);
                            let mut chance = Seeded::new(&seed, G::META.streams);
                            let setup = Arc::new(
                                G::setup(G::Options::default(), &mut chance).ok().unwrap(),
                            );
                            let mine = (game % 2) as usize;
                            let mut players = vec![b; seats];
                            players[mine] = a;
                            let played = play::<G>(
                                &setup,
                                &mut chance,
                                &players,
                                &format!("{seed} {game}"),
                                3000,
                                Budget::UNLIMITED,
                            )
                            .unwrap()
                            .unwrap();
                            let mut by = [0.0; 2];
                            by[mine] = played.shares[mine];
                            out.push((
                                played.shares[mine],
                                by,
                                played.actions.len(),
                                played.reason,
                            ));
                        }
                        out
                    })
                })
                .collect();
            all.into_iter().flat_map(|it| it.join().unwrap()).collect()
        });
        let sum: f64 = results.iter().map(|it| it.0).sum();
        let first: f64 = results.iter().map(|it| it.1[0]).sum();
        let len: usize = results.iter().map(|it| it.2).sum();
        let mut ends = std::collections::BTreeMap::new();
        for it in &results {
            *ends.entry(it.3).or_insert(0) += 1;
        }
        println!(
            "{} {a} vs {b}: {:.1} % of {n} (seat 0: {:.1} %, seat 1: {:.1} %), mean length {:.0}, {ends:?}, {:.1} s",
            G::META.id,
            100.0 * sum / f64::from(n),
            200.0 * first / f64::from(n),
            200.0 * (sum - first) / f64::from(n),
            len as f64 / f64::from(n),
            start.elapsed().as_secs_f64()
        );
    }
}
fn speed<G: Game>() {
    for (ply, playout_most) in [(0u32, PLAYOUT), (40, PLAYOUT)] {
        let mut chance = Seeded::new("speed", G::META.streams);
        let setup = Arc::new(G::setup(G::Options::default(), &mut chance).ok().unwrap());
        let mut table = Table::<G>::open(setup.clone(), &mut chance, Keep::Nothing).ok().unwrap();
        let mut random = Random::new("walk", 0);
        while table.ply() < ply
            && let Some(seat) = table.decision().seats.lowest()
        {
            let action = pick(&table, seat, &mut random).unwrap();
            table.play(&action, &mut chance).ok().unwrap();
        }
        let Some(seat) = table.decision().seats.lowest() else { continue };
        let t = Instant::now();
        let n = 4000;
        let mut steps = 0;
        for _ in 0..n {
            let mut t = table.clone();
            playout(&mut t, &mut random, playout_most);
            steps += t.ply() - table.ply();
        }
        let bare = t.elapsed().as_secs_f64() / f64::from(n);
        let view = table.view(Observer::Seat(seat));
        let t = Instant::now();
        for _ in 0..n {
            std::hint::black_box(G::determinize(&setup, &view, &mut random).ok());
        }
        let det = t.elapsed().as_secs_f64() / f64::from(n);
        let position = Position::of(&table, Observer::Seat(seat));
        for sims in [1000, 4000] {
            let t = Instant::now();
            let found = search(
                &position,
                Some(seat),
                Params { simulations: sims, seed: "speed", playout: playout_most },
                Budget::UNLIMITED,
                &InTurn,
            )
            .unwrap();
            let s = t.elapsed().as_secs_f64() / f64::from(sims);
            println!(
                "{} ply {}: bare playout {:.1} us ({} actions, {:.2} M/s), determinize {:.1} us, simulation {:.1} us = {:.2} x; nodes {}",
                G::META.id,
                table.ply(),
                bare * 1e6,
                steps / n,
                f64::from(steps) / f64::from(n) / bare / 1e6,
                det * 1e6,
                s * 1e6,
                bare / s,
                found.nodes
            );
            if sims == 4000 {
                for it in found.actions.iter().take(5) {
                    println!(
                        "   {:.3} +- {:.3} {} {:?}",
                        it.shares[seat.index()],
                        it.error,
                        it.visits,
                        it.action
                    );
                }
                println!("   of {}", found.actions.len());
            }
        }
    }
}
fn main() {
    games::visit(&mut Run { args: std::env::args().collect() });
}
