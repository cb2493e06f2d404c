// Connections whose credentials are refused for hours or days, and platforms that are down for an hour, under faults: what
// waits for a connection is written once and then left alone, but for one event an hour that finds out whether credentials
// are taken again, and goes out when they are, with or without a person who resumes it. A run is one such time.
import { PAUSE_PROBE_MS } from '#lib/events/domain/connections/connection.ts';
import { PARKING_REASONS } from '#lib/events/domain/deliveries/delivery.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { everyRow } from '../checks.ts';
import { CALM } from '../faults.ts';
import { MERCHANTS } from '../merchants.ts';
import { runSeed } from '../run.ts';
import type { Spell } from '../vendor.ts';
import { EPOCH_MS, type Mutation, type World } from '../world.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** By then the storm is over and every event has met its paused connection. */
const SETTLED_MS = 20 * MINUTE_MS;
/** A sweep finds the connection repaired, a run releases, messages travel; doubted once where a message was lost. */
const RELEASE_MAX_MS = 6 * MINUTE_MS;
/** A lease and its outcome; and one probe more than there are whole hours. */
const WRITES_A_PROBE = 2;
/** Longest time between two probes of an open circuit. */
const PROBE_MAX_MS = 5 * MINUTE_MS;

export const parking: Proof = {
  name: 'parking',
  properties: ['G12'],
  run: async (options) => {
    let lastMs = 0;
    const { findings, sum } = await everySeed(options, async (seed) => {
      const { wrong, latestMs, ...figures } = await pausedRun(seed, options.mutation);
      lastMs = Math.max(lastMs, latestMs);
      return { violations: violationsOf('G12', wrong), figures };
    });
    const sentence = `${figure(options.runs)} pauses: ${figure(sum.parked)} of ${figure(sum.deliveries)} deliveries parked, ${figure(sum.writes)} writes to them meanwhile, the last one out ${(lastMs / 1_000).toFixed(0)} s after the repair, ${findings.length} wrong`;
    return { findings, figures: { G12: sentence } };
  },
};

async function pausedRun(seed: number, mutation: Mutation | undefined) {
  const random = createSeededRandom(`parking/${seed}`);
  // Every third platform trouble is one that no merchant has to repair: the circuit opens, and has to close by itself.
  const isOutage = seed % 3 === 0;
  // Every other refusal ends at the platform, and no person says so here.
  const isResumed = !isOutage && seed % 2 === 0;
  const lengthMs = isOutage ? random.below(HOUR_MS) : Math.floor((48 * HOUR_MS) ** random.next());
  const repairedMs = EPOCH_MS + SETTLED_MS + lengthMs;
  const trouble = isOutage ? 'status_500' : 'unauthorized';
  const spell: Spell = { fromMs: EPOCH_MS, toMs: repairedMs, rate: 1, troubles: [trouble] };
  const seen = { parked: new Set<string>(), before: 0, after: 0 };
  const result = await runSeed({
    seed,
    weather: { ...CALM, ...(seed % 2 === 0 ? STORM : {}), oneProcess: seed % 4 < 2 },
    traffic: {
      ...{ repeatRate: 0, lostAnswerRate: 0, nextDayRate: 0, poisonRate: 0 },
      events: isOutage ? 60 : 12,
      freshOnly: true,
    },
    // One platform is as it should be: its deliveries share rows with those that wait.
    spells: (slug) => (slug === 'carol' ? [] : [spell]),
    undisturbed: true,
    prepare: (world) => {
      world.timeline.at(EPOCH_MS + SETTLED_MS, () => {
        seen.before = world.ledger.transitions;
      });
      world.timeline.at(repairedMs, () => {
        seen.after = world.ledger.transitions;
        seen.parked = parkedIn(world);
        if (!isResumed) return;
        for (const merchantId of MERCHANTS)
          for (const slug of world.vendors.keys()) world.config.resume(merchantId, slug);
      });
    },
    mutation,
  });
  const wrong = result.violations.map(({ property, what }) => `${property}: ${what}`);
  const writes = isOutage ? 0 : seen.after - seen.before;
  const probed =
    MERCHANTS.length * (result.world.vendors.size - 1) * Math.ceil((lengthMs + SETTLED_MS) / PAUSE_PROBE_MS);
  if (writes > WRITES_A_PROBE * probed)
    wrong.push(`${writes} writes to deliveries that waited for their connections, of ${probed} probes`);
  if (seen.parked.size === 0) wrong.push('nothing was parked');
  const stories = storiesOf(result.world).filter(({ id }) => seen.parked.has(id));
  const probeMaxMs = isOutage ? PROBE_MAX_MS : PAUSE_PROBE_MS;
  const mostMs = RELEASE_MAX_MS + (isResumed ? 0 : probeMaxMs);
  for (const { id, state, deliveredAtMs } of stories) {
    const lateMs = deliveredAtMs - repairedMs;
    if (state !== 'DELIVERED') wrong.push(`${id}: ${state} although its connection was repaired in time`);
    else if (lateMs > mostMs) wrong.push(`${id}: ${Math.round(lateMs / 1_000)} s after the repair`);
  }
  const latestMs = Math.max(0, ...stories.map(({ deliveredAtMs }) => deliveredAtMs - repairedMs));
  return { wrong, writes, latestMs, deliveries: storiesOf(result.world).length, parked: seen.parked.size };
}

function storiesOf(world: World) {
  return everyRow(world).flatMap((row) =>
    row.state !== 'normalized'
      ? []
      : Object.entries(row.deliveries).map(([slug, { state, reason = '', deliveredAtMs = 0 }]) => ({
          id: `${row.event.orderId} at ${slug}`,
          state,
          reason,
          deliveredAtMs,
        })),
  );
}

function parkedIn(world: World): Set<string> {
  const parked = storiesOf(world).filter(
    ({ state, reason }) => state === 'RETRY' && PARKING_REASONS.has(reason),
  );
  return new Set(parked.map(({ id }) => id));
}

/** Crashes, faults and purges, over before anything is counted. */
const STORM = {
  stormMs: 4 * MINUTE_MS,
  stormsAtMs: [0],
  faultRate: 0.05,
  crashRate: 0.005,
  duplicateRate: 0.1,
  purges: 2,
};
