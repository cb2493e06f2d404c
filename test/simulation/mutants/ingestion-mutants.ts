// Ways to accept an event wrongly.
import type { AcceptedRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import { acceptEvent } from '#services/events/ingestion/accept.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

export function ingestionMutants(): Mutant[] {
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
    ...caughtBy('storms', 'G5', {
      'claims over an existing row': claimsOver,
    }),
    ...caughtBy('races', 'G3', {
      'claims over an existing row': claimsOver,
    }),
    ...caughtBy('storms', 'G4', {
      'calls an unknown fate a duplicate': unknownIsDuplicate,
      'processes what it refused': newIdPerTry,
      'lets the window slide with every look at it': expires((_row, nowMs) => nowMs + 86_400_000),
    }),
    ...caughtBy('window-edges', 'G6', {
      'ends the window a millisecond late': expires((row) => row.expiresAtMs + 1),
      'ends the window a millisecond early': expires((row) => row.expiresAtMs - 1),
    }),
    ...caughtBy('storms', 'G1', {
      'says 202 before the row is stored, and only announces it': accept(async (input, ports) => {
        const claimed: AcceptedRow[] = [];
        const claim: EventStore['claim'] = async (row) => {
          claimed.push(row);
          ports.events.claim(row).catch(() => undefined);
          return 'claimed';
        };
        return await acceptEvent(input, { ...ports, events: { ...ports.events, claim } });
      }),
      'takes an id over without keeping the old row': {
        events: (store) => ({ ...store, archive: async () => undefined }),
      },
    }),
  ];
}

/** Puts a row, whoever holds its key. */
async function overwrite(store: EventStore, row: AcceptedRow): Promise<'claimed'> {
  const old = await store.read(row.key);
  if (old) await store.replace(row, old.ingestId);
  else await store.claim(row);
  return 'claimed';
}
