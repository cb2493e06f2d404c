// Goal: the two events of one id are put together only within a day, only while both can be read, and never across an
// erasure.
import { describe, expect, it } from 'vitest';
import type { EventRow, UnreadableRow } from '#lib/events/domain/event/row.ts';
import { normalizeEvent } from '#lib/events/pipeline/normalize-event.ts';
import { acceptedRow, normalizedRow, sha256 } from '#test/contract/stored-rows.ts';
import { MERCHANT } from '#test/support/ingestion.ts';
import { createMemoryEventVault } from '#test/support/memory/event-vault.ts';
import { NO_LOOKUPS } from '#test/support/no-lookups.ts';
import { creditedEvent, pageEventOf } from './page-copy.ts';

const AT_MS = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const EMAIL = sha256('jane.doe@example.com');
const place = { eventId: 'e', merchantId: MERCHANT, receivedAtMs: AT_MS } as const;
const money = { value: 10, currency: 'EUR' };
const ROUTING = { merchantId: MERCHANT, version: 1, connections: [], rules: [] };

function setUp() {
  const problems: string[] = [];
  const eventVault = createMemoryEventVault();
  const report = (problem: string) => void problems.push(problem);
  return { ports: { eventVault, lookups: NO_LOOKUPS, report }, problems };
}

type Copy = EventRow | UnreadableRow | undefined;
const sealedByAnother = (row: EventRow): EventRow => ({ ...row, ingestId: 'another' });
const unreadable = { key: acceptedRow(place).key, ingestId: 'i', problem: 'p', sweeps: 0 };

describe('an order finds what its page said', () => {
  const browser = { ...place, channel: 'browser' } as const;
  const body = { user_data: { client_ip: '203.0.113.7' } };
  it.each<[string, Copy, string | undefined, number]>([
    ['as it was accepted', acceptedRow({ ...browser, body }), '203.0.113.7', 0],
    ['as it was normalized', normalizedRow(browser), '203.0.113.7', 0],
    ['not where there is none', undefined, undefined, 0],
    ['not where it cannot be read', unreadable, undefined, 0],
    ['not where it cannot be opened', sealedByAnother(normalizedRow(browser)), undefined, 1],
    ['not once it was erased', { ...normalizedRow(browser), erasedBy: 'x' }, undefined, 0],
    [
      'not once it was erased as it was accepted',
      { ...acceptedRow({ ...browser, body }), erasedBy: 'x' },
      undefined,
      0,
    ],
    ['of the last day', normalizedRow({ ...browser, receivedAtMs: AT_MS - DAY_MS + 1 }), '203.0.113.7', 0],
    ['not of another day', normalizedRow({ ...browser, receivedAtMs: AT_MS - DAY_MS }), undefined, 0],
  ])('%s', async (_, copy, clientIp, reported) => {
    const { ports, problems } = setUp();
    expect((await pageEventOf(acceptedRow(place), copy, ports))?.raw.clientIp).toBe(clientIp);
    expect(problems).toHaveLength(reported);
  });

  it('never of an earlier life of its id', async () => {
    const row = { ...acceptedRow(place), earlierMs: [AT_MS - 2 * DAY_MS] };
    const copy = normalizedRow({ ...browser, receivedAtMs: AT_MS - 2 * DAY_MS });
    expect(await pageEventOf(row, copy, setUp().ports)).toBeUndefined();
  });

  it('and a page nothing of another page', async () => {
    expect(await pageEventOf(acceptedRow(browser), normalizedRow(place), setUp().ports)).toBeUndefined();
  });
});

describe('the click of a page is remembered for the person of its order', () => {
  const browser = acceptedRow({ ...place, channel: 'browser', body: { user_data: {}, ...money } });
  const { event } = normalizeEvent(browser, ROUTING, [], NO_LOOKUPS);
  it.each<[string, Copy, string | undefined]>([
    ['that is not normalized', acceptedRow({ ...place, body: money }), EMAIL],
    ['that is normalized', normalizedRow(place), EMAIL],
    ['unless it was erased', { ...normalizedRow(place), erasedBy: 'x' }, undefined],
    ['unless it cannot be read', unreadable, undefined],
    ['unless it cannot be opened', sealedByAnother(normalizedRow(place)), undefined],
    ['unless it is of another day', normalizedRow({ ...place, receivedAtMs: AT_MS + DAY_MS }), undefined],
    [
      'unless it denied analytics',
      normalizedRow({ ...place, event: { consent: { analytics: 'denied' } } }),
      undefined,
    ],
    ['unless it says another amount', normalizedRow({ ...place, event: { value: '11' } }), undefined],
    ['unless there is none', undefined, undefined],
  ])('%s', async (_, copy, email) => {
    const credited = await creditedEvent(browser, event, copy, setUp().ports);
    expect(credited.hashed.emailPlain).toBe(email);
    expect({ ...credited, hashed: {} }).toEqual({ ...event, hashed: {} });
  });
});
