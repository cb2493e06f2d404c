// Rows that cannot be read, platforms that throw and messages that nobody here sent, in the middle of traffic: only they
// stand still, and once a release can handle them they go their way. All queues are purged after a burst of events, so that
// good and bad meet in the few messages that bring them back. Even seeds are calm otherwise: then nobody is later than a purge alone makes them. Odd
// ones add everything else that can go wrong. A run is one seed from first event to rest.

import { openTargets } from '#lib/events/domain/deliveries/progress.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { ANSWER_DEFECT, PLATFORM_DEFECT } from '#services/events/deliver/call-platform.ts';
import { everyRow } from '../checks.ts';
import { CALM } from '../faults.ts';
import { keyId } from '../ledger.ts';
import { runSeed } from '../run.ts';
import { EPOCH_MS, type Mutation, type World } from '../world.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';
import { createStrays, type Strays } from './strays.ts';
import { isStopped, SECOND_TRY_PLATFORM, throwing } from './throwing-platforms.ts';

const EVENTS = 30;
const TRAFFIC_MS = 2_000;
const SPOILED = 4;
const PURGED_MS = 2_500;
/** A fold that came just too soon, its second look, and a sweep each to find them: what a purge alone costs. */
const LATE_MS = 200_000;
/** A browser event may wait for its server copy first, and for the sweep that ends the wait. */
const BROWSER_LATE_MS = LATE_MS + 180_000;
/** The release that mends it comes when every slot would have been sealed. */
const MENDED_MS = 6 * 3_600_000;
/** A wait of the ladder, and the sweep that ends it. */
const SECOND_TRY_MS = 100_000;
/** Nothing goes wrong, but that no message arrives before the purge takes it. */
const SLOW_QUEUES = { ...CALM, stormMs: PURGED_MS, stormsAtMs: [0], messageDelayMaxMs: 60_000 };

export const quarantine: Proof = {
  name: 'quarantine',
  properties: ['G21'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, async (seed) => {
      const { problems, ...figures } = await runOnce(seed, options.mutation ?? {});
      return { violations: violationsOf('G21', problems), figures };
    });
    const poisons = [
      `${figure(sum.rows)} unreadable rows`,
      `${figure(sum.throws)} throws of platforms`,
      `${figure(sum.strays)} stray messages`,
    ].join(', ');
    const sentence = `${poisons} among ${figure(sum.events)} events: ${figure(findings.length)} others lost or late`;
    return { findings, figures: { G21: sentence } };
  },
};

async function runOnce(seed: number, mutation: Mutation) {
  const calm = seed % 2 === 0;
  const problems: string[] = [];
  const spoiled = new Map<string, EventRow>();
  let throws = 0;
  let mended = false;
  /** From the purge on: what it takes is met by nothing. */
  let strays: Strays | undefined;
  const defect = (): boolean => {
    if (mended) return false;
    throws += 1;
    return true;
  };
  const { violations, figures, world } = await runSeed({
    seed,
    ...(calm ? { weather: SLOW_QUEUES, spells: () => [], undisturbed: true } : {}),
    traffic: {
      events: EVENTS,
      durationMs: TRAFFIC_MS,
      lostAnswerRate: 0,
      nextDayRate: 0,
      poisonRate: 0,
      agedRate: 0,
    },
    mutation: {
      ...mutation,
      platforms: (platforms) =>
        (mutation.platforms?.(platforms) ?? platforms).map((p) => throwing(p, defect)),
    },
    strays: (queue) => strays?.next(queue) ?? [],
    prepare: (world) => {
      const { timeline, stores } = world;
      const random = world.random.fork('quarantine');
      for (let n = 0; n < SPOILED; n++)
        timeline.at(EPOCH_MS + random.below(PURGED_MS), () => {
          const candidates = stores.events.rows();
          if (candidates.length === 0) return;
          const row = random.pick(candidates);
          spoiled.set(keyId(row.key), row);
          stores.events.spoil(row.key);
        });
      timeline.at(EPOCH_MS + PURGED_MS, () => {
        world.host.purge();
        strays = createStrays(world.random.fork('strays'), () => stores.events.rows());
      });
      if (calm)
        for (const lateMs of [LATE_MS, BROWSER_LATE_MS].flatMap((ms) => [ms, ms + SECOND_TRY_MS]))
          timeline.at(EPOCH_MS + PURGED_MS + lateMs, () => problems.push(...late(world, spoiled)));
      timeline.at(EPOCH_MS + MENDED_MS, () => {
        mended = true;
        for (const { key } of spoiled.values()) stores.events.mend(key);
      });
    },
  });
  problems.push(...violations.map(({ property, what }) => `${property}: ${what}`));
  problems.push(...everyRow(world).flatMap((row) => [...givenUp(row), ...charged(row, calm)]));
  return { problems, events: figures.accepted, rows: spoiled.size, throws, strays: strays?.sent() ?? 0 };
}

/** No platform here refuses an event for good, and every window is open for days: whatever failed was given up. */
function givenUp(row: EventRow): string[] {
  const deliveries = row.state === 'normalized' ? Object.entries(row.deliveries) : [];
  return deliveries.flatMap(([slug, { state, reason = '' }]) => {
    const isGivenUp = state === 'FAILED' || state === 'ERROR' || reason.startsWith('invalid');
    return isGivenUp ? [`${keyId(row.key)} was given up at ${slug}: ${reason}`] : [];
  });
}

/**
 * Nobody else's code threw for an event that has none of the defects. An answer that nobody can read may be an answer about
 * others too, but once: then each goes alone, unless a fault takes the trace of it.
 */
function charged(row: EventRow, calm: boolean): string[] {
  const deliveries = row.state === 'normalized' ? Object.entries(row.deliveries) : [];
  return deliveries.flatMap(([slug, { history }]) => {
    if (row.state === 'normalized' && isStopped(slug, row.event.orderId)) return [];
    const times = (code: string): number => history.filter((attempt) => attempt.code === code).length;
    const isCharged = times(PLATFORM_DEFECT) > 0 || (calm && times(ANSWER_DEFECT) > 1);
    return isCharged ? [`${keyId(row.key)} paid at ${slug} for the defect of another`] : [];
  });
}

/** Rows that are not over although nothing is wrong with them. */
function late(world: World, spoiled: ReadonlyMap<string, EventRow>): string[] {
  const { timeline } = world;
  return everyRow(world).flatMap((row) => {
    const isBrowser = row.key.channel === 'browser';
    // A browser event does not go out while nobody can say what its server copy holds.
    if (spoiled.has(keyId(row.key)) || spoiled.has(keyId({ ...row.key, channel: 'server' }))) return [];
    const ageMs = timeline.now() - row.receivedAtMs - (isBrowser ? BROWSER_LATE_MS : LATE_MS);
    if (ageMs < 0) return [];
    if (row.state === 'accepted') return [`${keyId(row.key)} is not normalized in time`];
    const mayWait = (slug: string): boolean =>
      isStopped(slug, row.event.orderId) || (slug === SECOND_TRY_PLATFORM && ageMs < SECOND_TRY_MS);
    const open = openTargets(row).filter((slug) => !mayWait(slug));
    const states = open.map((slug) => `${slug} ${row.deliveries[slug]?.state ?? 'QUEUED'}`);
    return states.length === 0 ? [] : [`${keyId(row.key)} is not over in time: ${states.join(', ')}`];
  });
}
