// G1, G7, G11 on the embedded host: a client keeps a ledger of every request and answer while the host is killed with
// SIGKILL in the middle of the load, twice. Its queues are in memory, so every kill also purges all of them; on emulators that
// outlive it, messages come back instead. Afterwards ledger, rows, what the platforms counted, and analytics must say the same.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../services/local/session.ts';
import { clearRunningEmulators, runningEmulators } from '../support/emulators.ts';
import { allEvents, json, kill, startHostProcess, until } from './killable-host.ts';

/** Fewer where each message is a request to another program. */
const EVENTS_PER_ROUND = runningEmulators() === undefined ? 150 : 50;
const CLIENTS = 8;
/** Against hanging only. */
const REST_MAX_MS = 600_000;

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-ledger-'));
let running: ChildProcess | undefined;

beforeAll(clearRunningEmulators);
afterAll(async () => {
  await kill(running);
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the embedded host under kill -9', () => {
  it('loses nothing, doubles nothing, miscounts nothing', { timeout: 3 * REST_MAX_MS }, async () => {
    const ledger = new Map<string, Entry>();
    for (let round = 0; round < 3; round++) {
      const session = await start();
      for (let i = 0; i < EVENTS_PER_ROUND; i++)
        ledger.set(`r${round}-${i}`, { cents: 100 + i, answers: [] });
      const load = sendAll(session, ledger);
      if (round < 2) {
        // In the middle of the load: some events are nowhere, some accepted, some half way, some delivered.
        await until(() => answered(ledger) >= EVENTS_PER_ROUND * (round + 0.5), REST_MAX_MS);
        await kill(running);
      }
      await load;
    }
    const session = await restartIfNeeded();
    await sendAll(session, ledger);
    const expectedCents = [...ledger.values()].reduce((sum, entry) => sum + entry.cents, 0);

    for (const [id, entry] of ledger) {
      expect(entry.answers.at(-1), id).toBeOneOf([202, 409]);
      expect(entry.answers.filter((status) => status === 202).length, id).toBeLessThanOrEqual(1);
      // A 409 without a 202 before it: the acceptance whose answer the kill swallowed.
      if (!entry.answers.includes(202)) expect(entry.answers, id).toContain(0);
    }

    const platforms = await connected(session);
    expect(platforms).not.toHaveLength(0);
    await until(async () => (await undelivered(session, platforms.length)) === 0, REST_MAX_MS);
    const rows = await allEvents<EventRow>(session);
    expect(rows.map((row) => row.event_id).sort()).toEqual([...ledger.keys()].sort());
    for (const platform of platforms) {
      const counted = await json<Counted>(`${session.sandbox_url}/counted?platform=${platform}`);
      expect(counted.total, platform).toBe(ledger.size);
      expect(counted.value_by_currency, platform).toEqual({ USD: (expectedCents / 100).toFixed(2) });
    }
    await until(
      async () => (await overview(session)).delivered === ledger.size * platforms.length,
      REST_MAX_MS,
    );
    expect(await overview(session)).toMatchObject({
      events: ledger.size,
      revenue_by_currency: { USD: { amount: expectedCents / 100, orders: ledger.size } },
      delivery_rate: 1,
    });
  });
});

interface Entry {
  readonly cents: number;
  /** Statuses in order; 0 = no answer came. */
  readonly answers: number[];
}
interface EventRow {
  readonly event_id: string;
  readonly deliveries: readonly { readonly status: string }[];
}
interface Counted {
  readonly total: number;
  readonly value_by_currency: Readonly<Record<string, string>>;
}

async function start(): Promise<Session> {
  const started = await startHostProcess(dataDir);
  running = started.child;
  return started.session;
}

let current: Session | undefined;
async function restartIfNeeded(): Promise<Session> {
  if (running?.exitCode === null && running.signalCode === null && current !== undefined) return current;
  await kill(running);
  current = await start();
  return current;
}

/** Sends everything that has no final answer yet; stops asking a host that is gone. */
async function sendAll(session: Session, ledger: ReadonlyMap<string, Entry>): Promise<void> {
  const open = [...ledger].filter(([, entry]) => ![202, 409].includes(entry.answers.at(-1) ?? 0));
  const client = async (): Promise<void> => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [id, entry] = next;
      const status = await post(session, id, entry.cents);
      entry.answers.push(status);
      if (status === 0) return;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

async function post(session: Session, id: string, cents: number): Promise<number> {
  try {
    const response = await fetch(`${session.ingestion_url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session.api_key}` },
      body: JSON.stringify({
        event_id: id,
        event_name: 'Purchase',
        event_time: Math.floor(Date.now() / 1000),
        user_data: {
          email: `${id}@example.com`,
          client_ip: '203.0.113.7',
          user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
        },
        event_source_url: 'https://shop.example/thanks',
        order_id: id,
        value: cents / 100,
        currency: 'USD',
      }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

const answered = (ledger: ReadonlyMap<string, Entry>): number =>
  [...ledger.values()].filter((entry) => entry.answers.includes(202)).length;

async function connected(session: Session): Promise<string[]> {
  const { platforms } = await json<{ readonly platforms: readonly { readonly platform: string }[] }>(
    `${session.api_url}/v1/platforms`,
    session,
  );
  return platforms.map(({ platform }) => platform);
}

/** Events that do not have a delivery done at each of so many platforms. */
async function undelivered(session: Session, platforms: number): Promise<number> {
  const rows = await allEvents<EventRow>(session);
  return rows.filter(
    (row) => row.deliveries.length < platforms || row.deliveries.some((d) => d.status !== 'DELIVERED'),
  ).length;
}

async function overview(session: Session): Promise<{ readonly events: number; readonly delivered: number }> {
  return await json(`${session.api_url}/v1/analytics/overview?range=24h`, session);
}
