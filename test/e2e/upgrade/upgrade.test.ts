// Goal: a deployment of this release over the one before it, and back, loses nothing and stops nothing. Method: hosts of both
// releases, each with its own code, on one set of tables and queues, alone and side by side, under up to twenty events a second;
// what takes long is begun by one and ended by another. Then rows, platforms, counters and logs must say the same.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulators, startEmulators } from '#services/local/emulators/start.ts';
import type { Session } from '#services/local/session.ts';
import { clearRunningEmulators, runningEmulators } from '#test/support/emulators.ts';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { keepPlatforms, purchase, send, until } from '../hosts.ts';
import * as checks from './checks.ts';
import { isFinal, startLoad } from './load.ts';
import { EARLIER, type Release, release, unpackEarlier, whyNoEarlier } from './releases.ts';

const PHASE_MS = 5_000;
/** Of those that both releases know. */
const PLATFORMS = ['ga4', 'meta', 'tiktok'];
/** One that the earlier release does not know. */
const NEWER = 'openai_ads';
const PERSON = 'gone@example.com';
const OF_PERSON = 5;
const REPLAYED = 25;
const RESENT = 10;

const missing = whyNoEarlier();
if (missing !== null) console.log(`the upgrade is not tried: ${missing}`);

const folder = scratchFolder('upgrade');
let emulators: Emulators | undefined;
let before: Release;
let now: Release;
beforeAll(async () => {
  if (missing !== null) return;
  unpackEarlier(join(folder, 'earlier'));
  await clearRunningEmulators();
  let urls = runningEmulators();
  if (urls === undefined) {
    mkdirSync(join(folder, 'tables'));
    emulators = await startEmulators({ tablesPath: join(folder, 'tables'), dynamodbPort: 0, sqsPort: 0 });
    urls = emulators;
  }
  before = release(join(folder, 'before'), urls, join(folder, 'earlier'));
  now = release(join(folder, 'now'), urls);
});
afterAll(async () => {
  await before?.stop();
  await now?.stop();
  await emulators?.close();
});

const began = performance.now();
const say = (what: string): void =>
  console.log(`${((performance.now() - began) / 1_000).toFixed(0)} s: ${what}`);
const load = startLoad();
const plans: string[] = [];
const erasures: string[] = [];
let ticket = '';

async function earlierAlone(): Promise<Session> {
  const old = await before.start();
  say('the earlier release alone');
  await keepPlatforms(old, ...PLATFORMS);
  const user_data = { email: PERSON };
  const events = Array.from({ length: OF_PERSON }, (_, i) => purchase(`gone-${i}`, { user_data }));
  expect((await send(old, '/v1/ingest', { events })).status).toBe(202);
  plans.push(await checks.planReplay(old, 'Lead', REPLAYED));
  await load.route(old);
  ticket = await checks.write(old, 'first');
  await checks.turn(old, 'tiktok', 'paused');
  await pause(PHASE_MS);
  erasures.push(await checks.erase(old, PERSON));
  return old;
}

async function forward(old: Session): Promise<Session> {
  now.joins(before.dataDir);
  const own = await now.start();
  say('both');
  await keepPlatforms(own, ...PLATFORMS, NEWER);
  await load.route(old, own);
  await checks.write(own, 'second', ticket);
  await pause(PHASE_MS);
  expect(await checks.unanswered(old)).toEqual([]);
  await checks.write(old, 'third', ticket);
  await load.route(own);
  await before.stop();
  say('this release alone');
  plans.push(await checks.planReplay(own, 'Contact', REPLAYED));
  await checks.turn(own, NEWER, 'paused');
  await pause(PHASE_MS);
  erasures.push(await checks.erase(own, 'other@example.com'));
  return own;
}

async function back(own: Session): Promise<Session> {
  const old = await before.start();
  say('both, on the way back');
  await load.route(old, own);
  await pause(PHASE_MS);
  await load.route(old);
  await now.stop();
  say('the earlier release alone');
  expect(await checks.unanswered(old)).toEqual([]);
  await checks.write(old, 'fourth', ticket);
  await checks.turn(old, 'tiktok', 'active');
  await pause(PHASE_MS);
  await load.end();
  const again = load.ledger.filter(({ statuses }) => statuses.length > 1);
  say(`${load.ledger.length} events were sent, ${again.length} of them more than once`);
  return old;
}

it.skipIf(missing !== null)(
  `loses nothing and stops nothing over ${EARLIER.slice(0, 8)}, back and forward again`,
  { timeout: 5 * checks.WITHIN_MS },
  async () => {
    const old = await back(await forward(await earlierAlone()));
    expect(load.ledger.filter(({ statuses }) => !isFinal(statuses.at(-1)))).toEqual([]);
    await checks.settled(old, PLATFORMS);
    const [sent, sentLater] = await Promise.all(plans.map((id) => checks.replayed(old, id)));
    expect([sent, sentLater]).toEqual([REPLAYED, REPLAYED]);
    const [receipt, later] = await Promise.all(erasures.map((id) => checks.erased(old, id)));
    expect(receipt).toMatchObject({ found: OF_PERSON, erased: OF_PERSON, unreadable: 0 });
    expect(later).toMatchObject({ found: 0, unreadable: 0 });
    say('settled under the earlier release');

    const own = await now.start();
    await before.stop();
    await checks.turn(own, NEWER, 'active');
    expect(await checks.unanswered(own)).toEqual([]);
    const rows = await checks.settled(own, [...PLATFORMS, NEWER]);
    say('settled under this release');
    everyEventOnce(rows);
    await broughtAfterwards(own, rows);
    expect(await checks.said(own, ticket)).toEqual(['first', 'second', 'third', 'fourth']);
    // Replays are no events of their own there.
    const counted = rows.length - 2 * REPLAYED;
    expect(await checks.verified(own)).toMatchObject({ drift: 0, unreadable: 0, rows: counted });
    expect(await checks.deadLetters(own)).toBe(0);
    expect([...before.quarantined(), ...now.quarantined()]).toEqual([]);
    expect([...before.failures(), ...now.failures()]).toEqual([]);
  },
);

/** Rows, and what the platforms took of them from both releases. */
function everyEventOnce(rows: readonly checks.Row[]): void {
  const ids = [...load.ledger.map(({ id }) => id), ...events('gone', OF_PERSON)];
  const originals = [...ids, ...events('Lead', REPLAYED), ...events('Contact', REPLAYED)];
  const own = rows.filter(({ event_id }) => originals.includes(event_id));
  expect(own.map(({ event_id }) => event_id).sort()).toEqual(originals.sort());
  expect(rows.length).toBe(originals.length + 2 * REPLAYED);
  const arrivals = [...before.arrivals(), ...now.arrivals()].filter(({ accepted }) => accepted);
  for (const slug of PLATFORMS) {
    const fates = own.map((row) => checks.fateAt(row, slug));
    expect([...new Set(fates)], slug).toEqual(['DELIVERED']);
    const taken = arrivals.filter(({ platform }) => platform === slug);
    expect(new Set(taken.map(({ event_id }) => event_id)).size, slug).toBe(originals.length);
    const repeats = slug === 'meta' ? 2 * REPLAYED : 0;
    expect(taken.length, slug).toBe(originals.length + repeats);
  }
}

/** The earlier release ends what it finds waiting for a platform that it does not know: a replay sends it. */
async function broughtAfterwards(own: Session, rows: readonly checks.Row[]): Promise<void> {
  const fates = Map.groupBy(rows, (row) => checks.fateAt(row, NEWER));
  console.log(`${NEWER}:`, Object.fromEntries([...fates].map(([fate, all]) => [fate, all.length])));
  const event_ids = (fates.get('SKIPPED') ?? []).slice(0, RESENT).map(({ event_id }) => event_id);
  expect(event_ids).toHaveLength(RESENT);
  const plan = { filter: { event_ids }, platforms: [NEWER], only: 'undelivered' };
  expect(await checks.replayed(own, await checks.replay(own, plan))).toBe(RESENT);
  const taken = () =>
    new Set(now.arrivals().flatMap(({ platform, event_id }) => (platform === NEWER ? [event_id] : [])));
  await until(() => event_ids.every((id) => taken().has(id)), checks.WITHIN_MS, 1_000);
  await checks.settled(own, [NEWER]);
}

const events = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${name}-${i}`);
