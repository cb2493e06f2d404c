// What every store of jobs must do, whatever they are of: erasures, reconciliations, replay plans.
import { describe, expect, it } from 'vitest';
import type { JobStore, StoredJob } from '#lib/adapters/dynamodb/events/tasks/job-store.ts';
import { type Erasure, NO_COUNTS } from '#lib/events/domain/erasure/erasure.ts';
import {
  NO_RECONCILIATION_COUNTS,
  type Reconciliation,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import { NO_PROGRESS, type ReplayPlan } from '#lib/events/domain/replays/plan.ts';

export const idAt = (n: number): string => `0193${String(n).padStart(4, '0')}-0000-7000-8000-000000000000`;

const common = (n: number, merchantId: string) => ({
  merchantId,
  id: idAt(n),
  createdAtMs: n,
  updatedAtMs: n,
  state: 'running' as const,
  version: 1,
});
const task = (n: number) => ({
  expiresAtMs: n + 100,
  notBeforeMs: n,
  fromMs: 0,
  cursor: { receivedAtMs: 7, ingestId: 'i' },
});

export const erasureOf = (n: number, merchantId: string): Erasure => ({
  ...common(n, merchantId),
  ...task(n),
  subjectDigest: 'ab',
  sealedSubject: 'c2VhbGVk',
  pass: 1,
  counts: { ...NO_COUNTS, seen: 2 },
});

export const reconciliationOf = (n: number, merchantId: string): Reconciliation => ({
  ...common(n, merchantId),
  ...task(n),
  toMs: n,
  places: [{ slot: 'meta#2', platform: 'meta', sinceVersion: 3, windowSec: 172_800 }],
  upload: { orders: 2, repeated: 0, withValue: 1, withCurrency: 1, withTime: 0 },
  parts: [{ version: 1, pieces: 2 }],
  counts: { ...NO_RECONCILIATION_COUNTS, seen: 2 },
});

export const planOf = (n: number, merchantId: string): ReplayPlan => ({
  ...common(n, merchantId),
  step: 0,
  filter: { fromMs: 1, toMs: 2, eventIds: ['ünïcode~#', 'b'] },
  platforms: ['meta'],
  only: 'undelivered',
  dedupe: 'original',
  dryRun: false,
  rate: 50,
  progress: { ...NO_PROGRESS, counts: { meta: { will_send: 2 } } },
});

export function jobsConformance<Job extends StoredJob & { readonly updatedAtMs: number }>(
  name: string,
  jobOf: (n: number, merchantId: string) => Job,
  open: () => JobStore<Job>,
): void {
  describe(name, () => {
    it('keep what was written, each for its merchant, the newest first', async () => {
      const store = open();
      const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()];
      const [one, two, three] = [jobOf(1, mine), jobOf(2, mine), jobOf(3, mine)] as const;
      for (const job of [two, one, three, jobOf(1, theirs)]) expect(await store.create(job)).toBe(true);
      expect(await store.create({ ...one, updatedAtMs: 99 })).toBe(false);
      expect(await store.read(mine, one.id)).toEqual(one);
      expect(await store.read(theirs, two.id)).toBeNull();
      expect(await store.list(mine, 10)).toEqual([three, two, one]);
      expect(await store.list(mine, 1)).toEqual([three]);
      expect(await store.list(mine, 1, three.id)).toEqual([two]);
      expect(await store.list(mine, 10, two.id)).toEqual([one]);
      expect(await store.list(mine, 10, one.id)).toEqual([]);
      expect(await store.list(crypto.randomUUID(), 10)).toEqual([]);
    });

    it('are written by one of several who saw the same, and without what the last writer left out', async () => {
      const store = open();
      const merchant = crypto.randomUUID();
      const job = jobOf(1, merchant);
      await store.create({ ...job, later: 'x' });
      const tries = Array.from({ length: 8 }, (_, updatedAtMs) => store.write({ ...job, updatedAtMs }, 1));
      const won = await Promise.all(tries);
      expect(won.filter(Boolean)).toHaveLength(1);
      const written = { ...job, updatedAtMs: won.indexOf(true), version: 2 };
      expect(await store.read(merchant, job.id)).toEqual(written);
      expect(await store.write(job, 1)).toBe(false);
      expect(await store.write(jobOf(2, merchant), 1)).toBe(false);
    });

    it('are found when they have expired, the oldest first, and deleted', async () => {
      const store = open();
      const [merchant, other] = [crypto.randomUUID(), crypto.randomUUID()];
      for (const n of [3, 1, 2]) await store.create(jobOf(n, merchant));
      await store.create(jobOf(1, other));
      const expired = async (nowMs: number, limit: number) =>
        (await store.expired(merchant, nowMs, limit)).map(({ id }) => id);
      const ends = jobOf(1, merchant).expiresAtMs !== undefined;
      expect(await expired(100, 10)).toEqual([]);
      expect(await expired(102, 10)).toEqual(ends ? [idAt(1), idAt(2)] : []);
      expect(await expired(103, 1)).toEqual(ends ? [idAt(1)] : []);
      await store.remove(merchant, idAt(1));
      await store.remove(merchant, idAt(9));
      expect((await store.list(merchant, 10)).map(({ id }) => id)).toEqual([idAt(3), idAt(2)]);
      expect(await store.list(other, 10)).toHaveLength(1);
    });
  });
}
