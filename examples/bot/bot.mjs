// A bot at a live table: it follows the stream of its seat, and whenever the seat may act, it chooses.
//
//   node bot.mjs                          makes a table of Drako against a program, and plays it to its end
//   node bot.mjs ORIGIN GAME [SEAT]       the same with another game, in another seat
//   node bot.mjs ORIGIN TABLE TOKEN       sits down at a table that somebody else made
//
// Games of Doubloons between such players may never end: after PATIENCE actions, the bot agrees to end the game, or resigns.
import { Umpire, UmpireProblem, data } from "@umpire/client";

const [origin = "http://127.0.0.1:8080", what = "drako", rest] = process.argv.slice(2);
const umpire = new Umpire({ origin });
const PATIENCE = Number(process.env.PATIENCE ?? 300);
let acted = 0;

/** Makes a table at which programs play all other seats, and gives ours. */
async function against(game, wanted) {
  const detail = await data(umpire.api.GET("/v1/games/{game}", { params: { path: { game } } }));
  const seats = detail.seats.slice(0, detail.players.least);
  const own = wanted ?? seats[0];
  const players = Object.fromEntries(seats.map((it) => [it, it === own ? "the bot" : { search: 30 }]));
  const options = game === "doubloons" ? { players: seats.length } : {};
  const made = await umpire.createTable({ game, options, players });
  console.log(`table ${made.id}: we are ${own}`);
  return made.seats[own];
}

/** The weight of an action: the bot prefers anything to passing, and gives up only late. A better bot begins here. */
function liking(action) {
  const enough = acted >= PATIENCE;
  if (action.type === "agree_end") return enough ? 1e6 : 0;
  if (action.type === "resign") return enough ? 1e3 : 0;
  if (action.type.startsWith("end_") || action.type === "pass") return 0.2;
  return 1;
}

function choose(actions) {
  const weights = actions.map(liking);
  let left = Math.random() * weights.reduce((sum, it) => sum + it, 0);
  return actions.find((_, at) => (left -= weights[at]) < 0) ?? actions.at(-1);
}

const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Puts a value at a place of an action: a JSON pointer; `-` appends. */
function put(action, pointer, value) {
  const keys = pointer.slice(1).split("/");
  const last = keys.pop();
  const into = keys.reduce((inside, key) => (inside[key] ??= []), action);
  if (last === "-") into.push(value);
  else into[last] = value;
}

/** Builds an action step by step, if there are too many to be listed. */
async function assemble(seat, player) {
  for (const action = { player }; ; ) {
    const { choices: [own] } = await seat.legalActions({ partial: action });
    if (own.complete) return action;
    const { pointer, values, least, most, text } = own.next[0];
    put(action, pointer, text ? "" : values ? any(values) : least + Math.floor(Math.random() * (most - least + 1)));
  }
}

/** Acts for as long as the seat may. */
async function play(seat) {
  for (;;) {
    const { decision, choices: [own] } = await seat.legalActions();
    // A seat that is not asked can still interrupt, to resign say.
    if (own === undefined || !decision.players.includes(own.player)) return;
    try {
      await seat.act(own.actions.length > 0 ? choose(own.actions) : await assemble(seat, own.player));
      acted += 1;
    } catch (error) {
      // Somebody was quicker: what we chose was meant for another position.
      if (!(error instanceof UmpireProblem && error.problem.code === "stale")) throw error;
      await seat.look();
    }
  }
}

const seat = /^[0-9a-f]{32}$/.test(what) ? umpire.table(what, rest) : await against(what, rest);
let told = "";
let outcome = null;
for await (const news of seat.watch()) {
  const now = news.type === "table" ? news.table.now : news.step;
  if (news.type === "step") for (const text of news.step.texts) if (text) console.log(told = text);
  outcome = now?.outcome ?? null;
  if (outcome !== null) break;
  await play(seat);
}
console.log(outcome === null ? `the table is closed; the last we heard: ${told}` : `over: ${JSON.stringify(outcome)}`);
