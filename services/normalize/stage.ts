// accepted → normalized: identifiers are hashed once, plain personal data leaves the row.
// Guarantees: one effect per acceptance, however often its pointer arrives; a row that fails fails alone.
import { inParallel } from '../../lib/adapters/concurrency/in-parallel.ts';
import type { RoutingSnapshot } from '../../lib/domain/connection.ts';
import { keysOf, POINTERS_MAX, packPointers } from '../../lib/domain/pointer.ts';
import { normalizeEvent } from '../../lib/platforms/normalize-event.ts';
import type { AcceptedRow, EventKey, EventRow, NormalizedRow } from '../../lib/ports/event-store.ts';
import type { BatchResult, Received } from '../../lib/ports/queue.ts';
import { dirtySlots } from '../aggregate/message.ts';
import type { AcceptedMessage } from './message.ts';
import type { NormalizePorts } from './ports.ts';
import type { SlotTouch } from './slot-touch.ts';

export type NormalizeStage = (messages: readonly Received<AcceptedMessage>[]) => Promise<BatchResult>;

/** Rows committed side by side. */
const CONCURRENCY = 16;

export function createNormalizeStage(ports: NormalizePorts, touch: SlotTouch): NormalizeStage {
  return async (messages) => {
    const keys = uniqueKeys(messages);
    const rows: EventRow[] = [];
    for (let at = 0; at < keys.length; at += POINTERS_MAX)
      rows.push(...(await ports.events.readMany(keys.slice(at, at + POINTERS_MAX))));

    const accepted = rows.filter((row): row is AcceptedRow => row.state === 'accepted');
    await touch(accepted.map((row) => ({ merchantId: row.key.merchantId, receivedAtMs: row.receivedAtMs })));
    // Before the commit, for the same reason: a pointer received again finds the row normalized and says nothing of it.
    await announceTwins(accepted, ports, touch);
    const routings = await currentRoutings(accepted, ports);

    const committed: EventKey[] = [];
    const failed = new Set<string>();
    await inParallel(accepted, CONCURRENCY, async (row) => {
      const routing = routings.get(row.key.merchantId);
      try {
        if (routing !== undefined && (await ports.events.normalize(await toNormalized(row, routing, ports))))
          committed.push(row.key);
      } catch (error) {
        failed.add(idOf(row.key));
        ports.report('a row could not be normalized', error);
      }
    });

    // Normalized by an earlier receive of this pointer that may not have told anybody.
    const seenBefore = rows.filter((row) => row.state === 'normalized' && row.dueAtMs !== undefined);
    await announce(
      committed,
      seenBefore.map((row) => row.key),
      ports,
    );
    const changed = [...accepted, ...seenBefore].map((row) => ({
      merchantId: row.key.merchantId,
      receivedAtMs: row.receivedAtMs,
    }));
    await announceSlots(changed, ports);
    return {
      failedIndexes: messages.flatMap((m, i) => (keysOf(m.body).some((k) => failed.has(idOf(k))) ? [i] : [])),
    };
  };
}

async function toNormalized(
  row: AcceptedRow,
  routing: RoutingSnapshot,
  ports: NormalizePorts,
): Promise<NormalizedRow> {
  const { event, keep } = normalizeEvent(row, routing, ports.platforms, ports.lookups);
  const sealed =
    Object.keys(keep).length === 0
      ? undefined
      : await ports.vault.seal(row.key.merchantId, row.ingestId, JSON.stringify(keep));
  const { body: _body, ...base } = row;
  return {
    ...base,
    state: 'normalized',
    event: sealed === undefined ? event : { ...event, sealed },
    routingVersion: routing.version,
    deliveries: {},
    revision: 0,
  };
}

async function announce(
  committed: readonly EventKey[],
  again: readonly EventKey[],
  ports: NormalizePorts,
): Promise<void> {
  const messages = [...packPointers(committed, true), ...packPointers(again, false)];
  if (messages.length > 0)
    await ports.normalized.send(messages.map((body) => ({ body, groupId: body.merchant })));
}

async function announceSlots(
  rows: readonly { readonly merchantId: string; readonly receivedAtMs: number }[],
  ports: NormalizePorts,
): Promise<void> {
  const hints = dirtySlots(rows);
  if (hints.length > 0) await ports.outcomes.send(hints.map((body) => ({ body, groupId: body.merchant })));
}

/** A server event takes its browser copy out of the counts, which may stand in another minute's slot. */
async function announceTwins(
  accepted: readonly AcceptedRow[],
  ports: NormalizePorts,
  touch: SlotTouch,
): Promise<void> {
  const candidates: EventKey[] = [];
  for (const row of accepted) {
    if (row.key.trust !== 'server') continue;
    const merchant = await ports.config.merchant(row.key.merchantId);
    if (merchant?.browserIngestion.enabled === true) candidates.push({ ...row.key, trust: 'browser' });
  }
  for (let at = 0; at < candidates.length; at += POINTERS_MAX) {
    const twins = await ports.events.readMany(candidates.slice(at, at + POINTERS_MAX));
    const slots = twins.map((twin) => ({ merchantId: twin.key.merchantId, receivedAtMs: twin.receivedAtMs }));
    await touch(slots);
    await announceSlots(slots, ports);
  }
}

async function currentRoutings(
  rows: readonly AcceptedRow[],
  ports: NormalizePorts,
): Promise<ReadonlyMap<string, RoutingSnapshot>> {
  const merchants = [...new Set(rows.map((row) => row.key.merchantId))];
  return new Map(
    await Promise.all(merchants.map(async (id) => [id, await ports.config.currentRouting(id)] as const)),
  );
}

function uniqueKeys(messages: readonly Received<AcceptedMessage>[]): EventKey[] {
  const keys = new Map<string, EventKey>();
  for (const message of messages) for (const key of keysOf(message.body)) keys.set(idOf(key), key);
  return [...keys.values()];
}

const idOf = (key: EventKey): string => `${key.merchantId}/${key.trust}/${key.eventId}`;
