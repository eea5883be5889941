"""The yardstick of our search and of our playouts: OpenSpiel's, on hearts and on gin.

    pip install open_spiel
    cargo bench -p umpire-engine -- search

The benchmark calls this with `python3` and prints it beside ours; alone it runs as `python3
engine/benches/openspiel.py`. Both search with the cards hidden, a playout for each simulation, from positions along
random games. OpenSpiel's playouts go to the end of the game.
"""

import multiprocessing
import random
import time

import pyspiel

FORK = multiprocessing.get_context("fork")
SIMULATIONS = 1000
POSITIONS = 30
PLAYOUTS = 2000
GAMES = ["hearts", "gin_rummy"]


def search(state, number, seconds):
    """Searches once."""
    last = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.ISMCTSBot(number, evaluator, 2.0, SIMULATIONS, -1, last, False, False)
    started = time.perf_counter()
    bot.step(state)
    seconds.value = time.perf_counter() - started


def measured(state, number):
    """The seconds of a search, in a process of its own: some positions crash it (2.0.2). 0 for those."""
    seconds = FORK.Value("d", 0.0)
    child = FORK.Process(target=search, args=(state, number, seconds))
    child.start()
    child.join()
    return seconds.value


def played(state, draw):
    """The positions of a random game at which a player chooses."""
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(draw.choices(actions, weights)[0])
            continue
        yield state
        state.apply_action(draw.choice(state.legal_actions()))


def bench(name):
    game = pyspiel.load_game(name)
    draw = random.Random(7)
    times, lengths = [], []
    while len(times) < POSITIONS:
        moves = 0
        for state in played(game.new_initial_state(), draw):
            if moves % 8 == 0 and len(state.legal_actions()) > 1 and len(times) < POSITIONS:
                times.append(measured(state, len(lengths)))
            moves += 1
        lengths.append(moves)
    crashed = times.count(0.0)
    times = [it for it in times if it]
    rate = SIMULATIONS * len(times) / sum(times)
    print(f"  {name}: {rate:,.0f} simulations a second of {len(times)} searches ({crashed} crashed)")
    # Games between players who choose by lot, in a loop of its own in C++. How long such games are, as they are played here.
    lengths += [sum(1 for _ in played(game.new_initial_state(), draw)) for _ in range(100)]
    mean = sum(lengths) / len(lengths)
    bots = [pyspiel.make_uniform_random_bot(player, 7) for player in range(game.num_players())]
    started = time.perf_counter()
    for seed in range(PLAYOUTS):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    spent = 1e9 * (time.perf_counter() - started) / PLAYOUTS / mean
    print(f"  {name}: {spent:,.0f} ns for an action of a playout by lot ({mean:.0f} a game)")


print(f"OpenSpiel, information-set search, {SIMULATIONS} simulations a search")
for name in GAMES:
    bench(name)
