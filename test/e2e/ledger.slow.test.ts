// G1, G7, G11 on the embedded host: a client keeps a ledger of every request and answer while the host is killed with
// SIGKILL in the middle of the load, twice. Its queues are in memory, so every kill also purges all of them; on emulators that
// outlive it, messages come back instead. Afterwards ledger, rows, what the platforms counted, and analytics must say the same.
import { describe, expect, it } from 'vitest';
import type { Session } from '../../services/local/session.ts';
import { runningEmulators } from '../support/emulators.ts';
import {
  allEvents,
  api,
  connectedPlatforms,
  counted,
  keepThatTakeAll,
  purchase,
  send,
  until,
  useKillableHost,
} from './hosts.ts';

/** Fewer where each message is a request to another program. */
const EVENTS_PER_ROUND = runningEmulators() === undefined ? 100 : 50;
const CLIENTS = 8;
/** Against hanging only. */
const REST_MAX_MS = 600_000;

const host = useKillableHost();

describe('the embedded host under kill -9', () => {
  it('loses nothing, doubles nothing, miscounts nothing', { timeout: 3 * REST_MAX_MS }, async () => {
    const ledger = new Map<string, Entry>();
    let session = await host.start();
    await keepThatTakeAll(session);
    for (let round = 0; round < 3; round++) {
      if (round > 0) session = await host.start();
      for (let i = 0; i < EVENTS_PER_ROUND; i++)
        ledger.set(`r${round}-${i}`, { cents: 100 + i, answers: [] });
      const load = sendAll(session, ledger);
      if (round < 2) {
        // In the middle of the load: some events are nowhere, some accepted, some half way, some delivered.
        await until(() => answered(ledger) >= EVENTS_PER_ROUND * (round + 0.5), REST_MAX_MS);
        await host.kill();
      }
      await load;
    }
    await sendAll(session, ledger);
    const expectedCents = [...ledger.values()].reduce((sum, entry) => sum + entry.cents, 0);

    for (const [id, entry] of ledger) {
      expect(entry.answers.at(-1), id).toBeOneOf([202, 409]);
      expect(entry.answers.filter((status) => status === 202).length, id).toBeLessThanOrEqual(1);
      // A 409 without a 202 before it: the acceptance whose answer the kill swallowed.
      if (!entry.answers.includes(202)) expect(entry.answers, id).toContain(0);
    }

    const platforms = (await connectedPlatforms(session)).map(({ platform }) => platform);
    expect(platforms).not.toHaveLength(0);
    await until(async () => (await undelivered(session, platforms.length)) === 0, REST_MAX_MS, 2_000);
    const rows = await allEvents<EventRow>(session);
    expect(rows.map((row) => row.event_id).sort()).toEqual([...ledger.keys()].sort());
    for (const platform of platforms) {
      const { total, value_by_currency } = await counted(session, platform);
      expect(total, platform).toBe(ledger.size);
      expect(Number(value_by_currency.USD), platform).toBe(expectedCents / 100);
    }
    await until(
      async () => (await overview(session)).delivered === ledger.size * platforms.length,
      REST_MAX_MS,
      1_000,
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
    const response = await send(session, '/v1/events', purchase(id, { value: cents / 100 }));
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

const answered = (ledger: ReadonlyMap<string, Entry>): number =>
  [...ledger.values()].filter((entry) => entry.answers.includes(202)).length;

/** Events that do not have a delivery done at each of so many platforms. */
async function undelivered(session: Session, platforms: number): Promise<number> {
  const rows = await allEvents<EventRow>(session);
  return rows.filter(
    (row) => row.deliveries.length < platforms || row.deliveries.some((d) => d.status !== 'DELIVERED'),
  ).length;
}

async function overview(session: Session): Promise<{ readonly events: number; readonly delivered: number }> {
  return await api(session, '/v1/analytics/overview?range=24h');
}
