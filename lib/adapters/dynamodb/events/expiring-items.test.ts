// Goal: every item written for an event has an expiry, and nothing unfinished expires.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import type { BatchKey } from '#lib/events/domain/deliveries/batch.ts';
import type { Erasure } from '#lib/events/domain/erasure/erasure.ts';
import {
  expirySec,
  ROWS_KEPT_DAYS_MIN,
  ROWS_KEPT_MIN_MS,
  rowsKeptMs,
} from '#lib/events/domain/event/row-expiry.ts';
import {
  NO_PROGRESS,
  PLAN_LIMITS,
  type PlanState,
  type ReplayPlan,
} from '#lib/events/domain/replays/plan.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { acceptedRow, normalizedRow } from '#test/contract/stored-rows.ts';
import { createBatchStore } from './batches/store.ts';
import { createEventStore } from './rows/event-store.ts';
import { createErasureStore } from './tasks/erasure-store.ts';
import { createReconciliationStore } from './tasks/reconciliation-store.ts';
import { createReplayStore } from './tasks/replay-store.ts';

const AT_MS = Date.UTC(2026, 10, 21, 12, 0, 1);
const DAYS = 200;

type Input = {
  readonly Item?: Readonly<Record<string, unknown>>;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
};

/** What the next write sets `expires` to. */
async function written(write: (db: DynamoDBDocumentClient) => Promise<unknown>): Promise<unknown> {
  const inputs: Input[] = [];
  const send = async ({ input }: { readonly input: Input }): Promise<object> => {
    inputs.push(input);
    return {};
  };
  await write({ send } as unknown as DynamoDBDocumentClient);
  expect(inputs).toHaveLength(1);
  const [{ Item, ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = {}] =
    inputs;
  if (Item !== undefined) return Item.expires;
  const [placeholder = ''] = Object.entries(names).find(([, name]) => name === 'expires') ?? [];
  return values[placeholder.replace('#', ':')];
}

describe('of rows', () => {
  const receivedAtMs = AT_MS;
  const accepted = acceptedRow({ eventId: 'a', receivedAtMs });
  const normalized = normalizedRow({ eventId: 'a', receivedAtMs });
  const store = (db: DynamoDBDocumentClient) => createEventStore(db, 't', undefined, { retentionDays: DAYS });
  it.each([
    ['an accepted one', (db: DynamoDBDocumentClient) => store(db).claim(accepted)],
    ['one that takes the place of another', (db: DynamoDBDocumentClient) => store(db).replace(accepted, 'i')],
    ['a normalized one', (db: DynamoDBDocumentClient) => store(db).normalize(normalized)],
    ['an archived one', (db: DynamoDBDocumentClient) => store(db).archive(normalized)],
  ])('%s', async (_, write) => {
    expect(await written(write)).toBe(expirySec(receivedAtMs, DAYS));
    expect(expirySec(receivedAtMs, DAYS)).toBe((receivedAtMs + (DAYS + 35) * DAY_MS) / 1_000);
  });
});

describe('of batches', () => {
  const batch: BatchKey = { merchantId: 'm', minuteMs: AT_MS - 1_000, shard: 0, id: 'abcdefgh' };
  const store = (db: DynamoDBDocumentClient) => createBatchStore(db, 't', undefined, { retentionDays: DAYS });
  it.each([
    [
      'the manifest',
      (db: DynamoDBDocumentClient) =>
        store(db).putManifest({ batch, routingVersion: 1, rows: [], counters: EMPTY_COUNTERS }),
    ],
    [
      'the outcomes, with every write',
      (db: DynamoDBDocumentClient) =>
        store(db).writeOutcomes({ batch, platform: 'meta', version: 3, groups: [], sweeps: 0 }, 3),
    ],
  ])('%s, not before their rows', async (_, write) => {
    expect(await written(write)).toBe(expirySec(batch.minuteMs + 60_000, DAYS));
  });
});

describe('of jobs and plans', () => {
  const erasure = { merchantId: 'm', id: 'e', version: 1, expiresAtMs: AT_MS } as Erasure;
  const plan = (state: PlanState): ReplayPlan => ({
    ...{ merchantId: 'm', id: 'p', createdAtMs: AT_MS, updatedAtMs: AT_MS, state, version: 1, step: 0 },
    ...{ filter: { fromMs: 0, toMs: 1 }, only: 'all', dedupe: 'original', dryRun: false, rate: 1 },
    progress: NO_PROGRESS,
  });

  it('a receipt goes a week after the audit was to delete it; what runs stays', async () => {
    const put = (state: Erasure['state']) =>
      written((db) => createErasureStore(db, 't').writeErasure({ ...erasure, state }, 1));
    expect(await put('done')).toBe((AT_MS + 7 * DAY_MS - 1_000) / 1_000 + 1);
    expect(await put('running')).toBeUndefined();
  });

  it('a piece of orders goes with its job', async () => {
    const id = `${AT_MS.toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
    const key = { merchantId: 'm', id, part: 0, version: 1 };
    expect(await written((db) => createReconciliationStore(db, 't').putPart(key, ['x']))).toBe(
      Math.ceil((AT_MS + 14 * DAY_MS) / 1_000),
    );
  });

  it('a plan that is over goes as rows do; one that runs or is paused stays', async () => {
    const put = (state: PlanState) => written((db) => createReplayStore(db, 't').createPlan(plan(state)));
    for (const state of ['done', 'cancelled'] as const) expect(await put(state)).toBe(expirySec(AT_MS));
    for (const state of ['running', 'paused'] as const) expect(await put(state)).toBeUndefined();
  });
});

describe('the time that rows are kept', () => {
  it('is longer than any platform takes an event, and than a plan of replays reaches back', () => {
    const windows = PLATFORMS.map(({ limits }) => limits.ageMaxSec / 86_400);
    expect(Math.max(...windows, PLAN_LIMITS.rangeMaxDays)).toBeLessThanOrEqual(ROWS_KEPT_DAYS_MIN);
  });

  it('follows the operator’s ceiling of retention, and is never shorter than its floor', () => {
    expect(rowsKeptMs(1)).toBe(ROWS_KEPT_MIN_MS);
    expect(rowsKeptMs(400)).toBe(435 * DAY_MS);
    expect(rowsKeptMs()).toBe(rowsKeptMs(400));
  });
});
