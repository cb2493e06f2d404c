// Broken variants of the code, one for each way to get it wrong that somebody might take for an improvement. A check
// that catches none of them proves nothing; every check has to catch at least one.
import { type MemoryCounterStore, slotText } from '../../lib/adapters/memory/counter-store.ts';
import type { Outcome } from '../../lib/domain/delivery.ts';
import type { Platform } from '../../lib/platforms/platform.ts';
import type { CounterStore } from '../../lib/ports/counter-store.ts';
import type { AcceptedRow, EventStore, NormalizedRow } from '../../lib/ports/event-store.ts';
import { createDeliverStage } from '../../services/deliver/stage.ts';
import { createFanOutStage } from '../../services/fan-out/stage.ts';
import { acceptEvent } from '../../services/ingestion/accept.ts';
import { runSweep } from '../../services/sweep/stage.ts';
import type { Property } from './checks.ts';
import type { Mutation } from './world.ts';

export interface Mutant {
  readonly name: string;
  /** The proof that must notice, by name, and the property it must find violated. */
  readonly proof: string;
  readonly property: Property;
  readonly mutation: Mutation;
}

export const MUTANTS: readonly Mutant[] = [
  ...ingestion(),
  ...rows(),
  ...deliveries(),
  ...counters(),
  ...sweeping(),
];

function ingestion(): Mutant[] {
  const claimsOver: Mutation = { events: (store) => ({ ...store, claim: (row) => overwrite(store, row) }) };
  const accept = (variant: typeof acceptEvent): Mutation => ({ stages: { accept: variant } });
  const unknownIsDuplicate = accept(async (input, ports) => {
    const result = await acceptEvent(input, ports);
    return result.kind === 'unavailable'
      ? { kind: 'duplicate', acceptedAtMs: ports.clock.now(), samePayload: true }
      : result;
  });
  const expires = (change: (row: AcceptedRow | NormalizedRow, nowMs: number) => number) =>
    accept((input, ports) => {
      const read: EventStore['read'] = async (key) => {
        const row = await ports.events.read(key);
        return row && { ...row, expiresAtMs: change(row, ports.clock.now()) };
      };
      return acceptEvent(input, { ...ports, events: { ...ports.events, read } });
    });
  const newIdPerTry = accept(async (input, ports) => {
    const first = await acceptEvent(input, ports);
    return first.kind === 'duplicate' && first.samePayload
      ? await acceptEvent({ ...input, key: { ...input.key, eventId: `${input.key.eventId} again` } }, ports)
      : first;
  });
  return [
    { name: 'claims over an existing row', proof: 'storms', property: 'G5', mutation: claimsOver },
    { name: 'claims over an existing row', proof: 'races', property: 'G3', mutation: claimsOver },
    {
      name: 'calls an unknown fate a duplicate',
      proof: 'storms',
      property: 'G4',
      mutation: unknownIsDuplicate,
    },
    { name: 'processes what it refused', proof: 'storms', property: 'G4', mutation: newIdPerTry },
    {
      name: 'lets the window slide with every look at it',
      proof: 'storms',
      property: 'G4',
      mutation: expires((_row, nowMs) => nowMs + 86_400_000),
    },
    {
      name: 'ends the window a millisecond late',
      proof: 'window-edges',
      property: 'G6',
      mutation: expires((row) => row.expiresAtMs + 1),
    },
    {
      name: 'ends the window a millisecond early',
      proof: 'window-edges',
      property: 'G6',
      mutation: expires((row) => row.expiresAtMs - 1),
    },
    {
      name: 'says 202 before the row is stored, and only announces it',
      proof: 'crash-points',
      property: 'G1',
      mutation: accept(async (input, ports) => {
        const claimed: AcceptedRow[] = [];
        const claim: EventStore['claim'] = async (row) => {
          claimed.push(row);
          ports.events.claim(row).catch(() => undefined);
          return 'claimed';
        };
        return await acceptEvent(input, { ...ports, events: { ...ports.events, claim } });
      }),
    },
    {
      name: 'takes an id over without keeping the old row',
      proof: 'storms',
      property: 'G1',
      mutation: { events: (store) => ({ ...store, archive: async () => undefined }) },
    },
  ];
}

function rows(): Mutant[] {
  return [
    {
      name: 'normalizes whatever state the row is in',
      proof: 'storms',
      property: 'G2',
      mutation: { events: (store) => ({ ...store, normalize: (row) => replaceRow(store, row) }) },
    },
    {
      name: 'stores no due time with the claim',
      proof: 'storms',
      property: 'G1',
      mutation: {
        events: (store) => ({
          ...store,
          claim: ({ dueAtMs: _, ...row }) => store.claim(row),
        }),
      },
    },
    {
      name: 'takes a row out of the due index with its first delivery',
      proof: 'storms',
      property: 'G1',
      mutation: {
        events: (store) => ({
          ...store,
          putDelivery: (seen, patch) => store.putDelivery(seen, { ...patch, dueAtMs: null }),
        }),
      },
    },
    {
      name: 'closes a row when it has told the queues',
      proof: 'storms',
      property: 'G1',
      mutation: {
        stages: {
          createFanOut: (ports) => {
            const stage = createFanOutStage(ports);
            return async (messages) => {
              const result = await stage(messages);
              for (const { body } of messages) {
                const keys = body.rows.map(([trust, eventId]) => ({
                  merchantId: body.merchant,
                  trust: trust === 's' ? ('server' as const) : ('browser' as const),
                  eventId,
                }));
                for (const row of await ports.events.readMany(keys)) await ports.events.reschedule(row, null);
              }
              return result;
            };
          },
        },
      },
    },
  ];
}

function deliveries(): Mutant[] {
  const outcomes = (change: (outcome: Outcome) => Outcome): Mutation => ({
    platforms: (platforms) =>
      platforms.map(
        (platform): Platform => ({
          ...platform,
          readResponse: (result, events) => platform.readResponse(result, events).map(change),
        }),
      ),
  });
  const putDelivery = (variant: (store: EventStore) => EventStore['putDelivery']): Mutation => ({
    events: (store) => ({ ...store, putDelivery: variant(store) }),
  });
  return [
    {
      name: 'forgets that a lost answer may have been a yes',
      proof: 'storms',
      property: 'G8',
      mutation: outcomes(({ maybeDelivered: _, ...outcome }) => outcome),
    },
    {
      name: 'forgets that a lost answer may have been a yes',
      proof: 'storms',
      property: 'G9',
      mutation: outcomes(({ maybeDelivered: _, ...outcome }) =>
        outcome.kind === 'retry' ? { ...outcome, kind: 'permanent' } : outcome,
      ),
    },
    {
      name: 'takes silence for consent',
      proof: 'storms',
      property: 'G9',
      mutation: outcomes((outcome) => (outcome.maybeDelivered ? { kind: 'delivered' } : outcome)),
    },
    {
      name: 'takes over a dead worker as if it had done nothing',
      proof: 'storms',
      property: 'G8',
      mutation: putDelivery((store) => (seen, patch) => {
        const before = seen.deliveries[patch.platform]?.unknowns ?? 0;
        const { delivery } = patch;
        const unknowns = delivery.state === 'SENDING' ? before : delivery.unknowns;
        return store.putDelivery(seen, { ...patch, delivery: { ...delivery, unknowns } });
      }),
    },
    {
      name: 'writes an outcome over whatever is there',
      proof: 'storms',
      property: 'G9',
      mutation: putDelivery((store) => async (seen, patch) => {
        const row = await store.read(seen.key);
        if (row?.state !== 'normalized') return null;
        const { dueAtMs: _, ...rest } = row;
        const written = {
          ...rest,
          deliveries: { ...row.deliveries, [patch.platform]: patch.delivery },
          ...(patch.dueAtMs === null ? {} : { dueAtMs: patch.dueAtMs }),
        };
        return (await replaceRow(store, written)) ? written : null;
      }),
    },
    {
      name: 'gives up a batch that was refused',
      proof: 'poison',
      property: 'G10',
      mutation: outcomes((outcome) =>
        outcome.kind === 'batch_refused' ? { ...outcome, kind: 'permanent' } : outcome,
      ),
    },
    {
      name: 'sends a refused batch again one by one',
      proof: 'poison',
      property: 'G10',
      mutation: {
        platforms: (platforms) =>
          platforms.map((platform) => ({ ...platform, limits: { ...platform.limits, batchSizeMax: 1 } })),
      },
    },
    {
      name: 'comes back at once, whatever the platform asked for',
      proof: 'outage',
      property: 'G12',
      mutation: outcomes((outcome) => ({ ...outcome, retryAfterSec: 1 })),
    },
    {
      name: 'gives up after the first failure',
      proof: 'outage',
      property: 'G12',
      mutation: outcomes((outcome) =>
        outcome.kind === 'retry' || outcome.kind === 'rate_limited' ? { kind: 'permanent' } : outcome,
      ),
    },
    {
      name: 'has no circuit breaker',
      proof: 'outage',
      property: 'G12',
      mutation: {
        stages: {
          createDeliver: (ports) => createDeliverStage(ports, { waitMs: () => 0, record: () => undefined }),
        },
      },
    },
    {
      name: 'spreads waits beyond the ladder',
      proof: 'outage',
      property: 'G12',
      mutation: {
        stages: { createDeliver: (ports) => createDeliverStage({ ...ports, random: { next: () => -1 } }) },
      },
    },
  ];
}

function counters(): Mutant[] {
  const store = (variant: (store: MemoryCounterStore) => Partial<CounterStore>): Mutation => ({
    counters: (base) => ({ ...base, ...variant(base) }),
  });
  return [
    {
      name: 'overwrites a slot whatever its version',
      proof: 'folds',
      property: 'G11',
      mutation: store((base) => ({
        write: async (row) => {
          const version = ((await base.read(row.key))?.version ?? 0) + 1;
          return await base.write({ ...row, version });
        },
      })),
    },
    {
      name: 'adds to a slot instead of counting it anew',
      proof: 'storms',
      property: 'G11',
      mutation: store((base) => ({
        write: async (row) => {
          const before = (await base.read(row.key))?.counters.events ?? 0;
          const events = before + row.counters.events;
          return await base.write({ ...row, counters: { ...row.counters, events } });
        },
      })),
    },
    {
      name: 'does not announce rows before it writes them',
      proof: 'folds',
      property: 'G11',
      mutation: store(() => ({ touch: async () => undefined })),
    },
    {
      name: 'reads the rows before the version',
      proof: 'folds',
      property: 'G11',
      mutation: store((base) => ({
        read: async (key) => {
          const current = () => base.rows().find((row) => slotText(row.key) === slotText(key));
          const seen = current();
          // The fold asks for the version when it has the rows: here it is told what it is by then.
          return seen
            ? {
                ...seen,
                get version() {
                  return current()?.version ?? 0;
                },
              }
            : null;
        },
      })),
    },
    {
      name: 'forgets that somebody announced rows for later',
      proof: 'folds',
      property: 'G11',
      mutation: store((base) => ({
        touch: async (key, dueAtMs) => {
          const seen = await base.read(key);
          if (seen === null) await base.touch(key, dueAtMs);
        },
      })),
    },
  ];
}

function sweeping(): Mutant[] {
  const never: Mutation = { stages: { sweep: async () => ({ rows: 0, slots: 0 }) } };
  const later: Mutation = {
    stages: {
      sweep: (ports) => runSweep({ ...ports, clock: { now: () => ports.clock.now() - 180_000 } }),
    },
  };
  return [
    { name: 'never sweeps', proof: 'storms', property: 'G1', mutation: never },
    { name: 'never sweeps', proof: 'purges', property: 'G7', mutation: never },
    { name: 'sweeps only what is long overdue', proof: 'purges', property: 'G7', mutation: later },
  ];
}

/** Puts a row, whoever holds its key. */
async function overwrite(store: EventStore, row: AcceptedRow): Promise<'claimed'> {
  const old = await store.read(row.key);
  if (old) await store.replace(row, old.ingestId);
  else await store.claim(row);
  return 'claimed';
}

/** Puts a row of any state in the place of what is there. */
async function replaceRow(store: EventStore, row: NormalizedRow): Promise<boolean> {
  const old = await store.read(row.key);
  return old !== null && (await store.replace(row as unknown as AcceptedRow, old.ingestId));
}
