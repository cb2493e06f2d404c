// A platform that is away for up to a week: attempts follow the ladder, waits that were asked for are kept, and when it
// comes back within the window everything is delivered. A run is one outage with a length of its own.

import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { RETRY_JITTER, RETRY_LADDER_SEC } from '#lib/events/domain/deliveries/transition.ts';
import { BREAKER_THRESHOLD } from '#services/events/deliver/circuit/breaker.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { everyRow } from '../checks.ts';
import { CALM } from '../faults.ts';
import { type RunResult, runSeed } from '../run.ts';
import type { Spell, Trouble } from '../vendor.ts';
import { EPOCH_MS, type Mutation } from '../world.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';

const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
/** Milliseconds that calls to the stores take on the way. */
const CALL_MS = 50;
/** Calls for one event in a week: the ladder's own number, and a few for workers that overtook each other. */
const CALLS_MAX = 30;
/** From due to sent: the sweeper's minute, the queues, calls that hang until their timeout. */
const PICKUP_MAX_MS = 150_000;
/** An open circuit puts deliveries off beyond their rung: once until somebody tries, once until all hear of it. */
const CIRCUIT_MAX_MS = 2 * 6 * 60_000 + PICKUP_MAX_MS;
/** Failed calls that open the circuit, of jobs that find it closed at one moment: two, or one for each batch that was gathered. */
const BURST_MAX = 2 * BREAKER_THRESHOLD;
const GATHERED_BURST_MAX = 3 * BREAKER_THRESHOLD;
const BURST_MS = 25_000;
const WINDOW_MS = 20_000;
const KINDS: readonly (readonly Trouble[])[] = [
  ['status_500'],
  ['refused', 'status_500'],
  ['rate_limited'],
  ['silence', 'reset_before_accepting'],
];

export const outage: Proof = {
  name: 'outage',
  properties: ['G12'],
  run: async (options) => {
    const most = { calls: 0, lengthMs: 0 };
    const { findings, sum } = await everySeed(options, async (seed) => {
      const { result, spell, lengthMs } = await outageRun(seed, options.mutation);
      const stories = storiesOf(result);
      most.calls = Math.max(most.calls, ...stories.map(({ calls }) => calls));
      if (stories.length > 0) most.lengthMs = Math.max(most.lengthMs, lengthMs);
      const problems = [
        ...result.violations.map(({ property, what }) => `${property}: ${what}`),
        ...bursts(result, spell),
        ...stories.flatMap((story) => wrongs(story, spell).map((what) => `${story.id}: ${what}`)),
      ];
      const delivered = stories.filter(({ delivery }) => delivery.state === 'DELIVERED').length;
      return {
        violations: violationsOf('G12', problems),
        figures: { deliveries: stories.length, delivered },
      };
    });
    const share = (100 * sum.delivered) / Math.max(1, sum.deliveries);
    const days = (most.lengthMs / 86_400_000).toFixed(2);
    const sentence = `${figure(options.runs)} outages up to ${days} days: ${share.toFixed(1)} % of ${figure(sum.deliveries)} delivered on recovery, at most ${most.calls} calls each, ${findings.length} waits wrong`;
    return { findings, figures: { G12: sentence } };
  },
};

async function outageRun(seed: number, mutation: Mutation | undefined) {
  const random = createSeededRandom(`outage/${seed}`);
  // Consecutive seeds are outages of different kinds, and any of them replays alone.
  const index = seed - 1;
  // The first ones are as long as can be: back just before the last chance.
  const lengthMs =
    index % 4 === 0 ? WEEK_MS - HOUR_MS : Math.floor(10_000 * (WEEK_MS / 20_000) ** random.next());
  const troubles = KINDS[index % KINDS.length] ?? ['status_500'];
  const spell: Spell = {
    fromMs: EPOCH_MS,
    toMs: EPOCH_MS + lengthMs,
    rate: 1,
    troubles,
    retryAfterSec: random.pick([5, 90, 3_600]),
  };
  const result = await runSeed({
    seed,
    // Every third one meets events that were gathered, and share their fate.
    weather: { ...CALM, oneProcess: index % 2 === 0, windowMs: index % 3 === 1 ? WINDOW_MS : 0 },
    traffic: {
      repeatRate: 0,
      lostAnswerRate: 0,
      nextDayRate: 0,
      poisonRate: 0,
      events: index % 2 === 0 ? 12 : 6,
      freshOnly: true,
    },
    spells: () => [spell],
    undisturbed: true,
    mutation,
  });
  return { result, spell, lengthMs };
}

/** One event at one platform, from its receipt to its end. */
interface Story {
  readonly id: string;
  readonly delivery: Delivery;
  readonly calls: number;
}

function storiesOf({ world }: RunResult): Story[] {
  return everyRow(world).flatMap((row) =>
    row.state !== 'normalized'
      ? []
      : Object.entries(row.deliveries).map(([slug, delivery]): Story => {
          const nonce = row.event.orderId ?? '';
          const calls = world.vendors.get(slug)?.calls() ?? [];
          const mine = calls.filter(({ nonces }) => nonces.includes(nonce));
          return { id: `${nonce} at ${slug}`, delivery, calls: mine.length };
        }),
  );
}

function wrongs({ delivery, calls }: Story, spell: Spell): string[] {
  const { attempts, history, state, deliveredAtMs = 0 } = delivery;
  if (state !== 'DELIVERED') return [`${state} although the platform came back in time`];
  const wrong: string[] = [];
  if (calls > CALLS_MAX) wrong.push(`${calls} calls`);
  const asked = spell.troubles.includes('rate_limited') ? (spell.retryAfterSec ?? 0) : 0;
  history.slice(1).forEach(({ atMs }, i) => {
    const before = history[i];
    if (!before) return;
    const attempt = attempts - history.length + i + 1;
    const leastMs = (asked > 0 ? asked : rungSec(attempt) * (1 - RETRY_JITTER)) * 1_000;
    const waitedMs = atMs - before.atMs - before.latencyMs;
    // The last chance before the window closes is taken whatever the ladder says.
    const lastChance = atMs > EPOCH_MS + WEEK_MS - HOUR_MS;
    if (waitedMs < leastMs - CALL_MS && !lastChance)
      wrong.push(`${waitedMs} ms after attempt ${attempt}, least ${leastMs}`);
  });
  const mostMs = Math.max(asked, rungSec(attempts - 1)) * (1 + RETRY_JITTER) * 1_000 + asked * 1_000;
  const lateMs = deliveredAtMs - spell.toMs;
  if (lateMs > mostMs + CIRCUIT_MAX_MS) wrong.push(`delivered ${lateMs} ms after recovery, most ${mostMs}`);
  return wrong;
}

const rungSec = (attempts: number): number =>
  RETRY_LADDER_SEC[Math.min(Math.max(attempts, 1), RETRY_LADDER_SEC.length) - 1] ?? 0;

/** One process never calls a platform that is down more often for a merchant than the circuit of its connection allows. */
function bursts({ world }: RunResult, spell: Spell): string[] {
  if (!world.weather.oneProcess) return [];
  const burstMax = world.weather.windowMs > 0 ? GATHERED_BURST_MAX : BURST_MAX;
  const wrong: string[] = [];
  const rows = everyRow(world).flatMap((row) => (row.state === 'normalized' ? [row] : []));
  const merchantOf = new Map(rows.map(({ event, key }) => [event.orderId ?? '', key.merchantId]));
  for (const [slug, vendor] of world.vendors) {
    const during = vendor.calls().filter(({ atMs }) => atMs < spell.toMs);
    for (const calls of Map.groupBy(during, ({ nonces }) => merchantOf.get(nonces[0] ?? '')).values()) {
      const times = calls.map(({ atMs }) => atMs);
      const most = Math.max(0, ...times.map((t) => times.filter((u) => u >= t && u < t + BURST_MS).length));
      if (most > burstMax) wrong.push(`${most} calls to ${slug} within ${BURST_MS} ms of an outage`);
    }
  }
  return wrong;
}
