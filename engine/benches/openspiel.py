"""The yardstick of our search: OpenSpiel's information-set search on hearts, in simulations a second.

    pip install open_spiel
    python engine/benches/openspiel.py

and beside it `cargo bench -p umpire-engine -- search`. Both search with the cards hidden, a playout for each simulation,
from positions along random games. OpenSpiel's playouts go to the end of the game.
"""

import multiprocessing
import random
import time

import pyspiel

FORK = multiprocessing.get_context("fork")
SIMULATIONS = 1000
GAMES = 5


def search(state, number, seconds):
    """Searches once."""
    last = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.ISMCTSBot(number, evaluator, 2.0, SIMULATIONS, -1, last, False, False)
    started = time.perf_counter()
    bot.step(state)
    seconds.value = time.perf_counter() - started


def measured(state, number):
    """The seconds of a search, in a process of its own: some positions of hearts crash it (2.0.2). 0 for those."""
    seconds = FORK.Value("d", 0.0)
    child = FORK.Process(target=search, args=(state, number, seconds))
    child.start()
    child.join()
    return seconds.value


def main():
    game = pyspiel.load_game("hearts")
    draw = random.Random(7)
    times, moves = [], 0
    for number in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes())
                state.apply_action(draw.choices(actions, weights)[0])
                continue
            if moves % 8 == 0 and len(state.legal_actions()) > 1:
                times.append(measured(state, number))
            state.apply_action(draw.choice(state.legal_actions()))
            moves += 1
    crashed = times.count(0.0)
    times = [it for it in times if it]
    rate = SIMULATIONS * len(times) / sum(times)
    print(f"hearts, {len(times)} positions of {GAMES} games of {moves // GAMES} moves: "
          f"{rate:,.0f} simulations a second ({crashed} positions crashed)")


main()
