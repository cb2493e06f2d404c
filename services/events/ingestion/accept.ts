// The dedupe protocol: one row is the claim, the payload and the state.
// Guarantees: 202 only after the row is stored; 409 only when another acceptance less than 24 hours old was read; any
// unknown result ends in 503, and repeating the request with the same event_id is always safe. A row is counted in the
// shard it was stored in, whichever try stored it: a slot is marked due in each shard before anything is written to it.

import { minuteOf } from '#lib/core/work/time-slot.ts';
import { isSettled } from '#lib/events/domain/deliveries/progress.ts';
import { DEDUP_WINDOW_MS } from '#lib/events/domain/event/dedup-window.ts';
import type { EventBody } from '#lib/events/domain/event/event.ts';
import type { RequestNames } from '#lib/events/domain/event/request-names.ts';
import type { AcceptedRow, EventKey, EventRow } from '#lib/events/domain/event/row.ts';
import { carriesClick } from '#lib/events/domain/identity/click-ids.ts';
import { ACCEPTED_POINTERS_MAX, byTenant, packPointers } from '#lib/events/domain/pointer.ts';
import { inShard, shardOf } from '#lib/events/domain/shard.ts';
import { countedAt } from '#lib/events/pipeline/counting/due-buckets.ts';
import { joinedRow } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { ThrottledWrite } from '#lib/events/ports/event-store.ts';
import type { AcceptPorts } from './ports.ts';

/** A duplicate of a row that is stuck this long sends its pointer again: the caller's retry replaces a lost message. */
const STUCK_MS = 10_000;
/** A slot is counted again while its deliveries are open, up to a week: it must know this many earlier windows. */
const EARLIER_MAX = 8;
const CLAIM_TRIES = 3;
/** From a full shard to another one, then to one with few rows, and once more. */
const FULL_TRIES = 4;
const PAUSE_MS = 20;
const POINTER_BUDGET_MS = 300;

export interface AcceptInput {
  readonly key: EventKey;
  readonly body: EventBody;
  /** Digest of the canonical body, hex. */
  readonly payloadHash: string;
  readonly request?: RequestNames | undefined;
}

export type AcceptResult =
  | { readonly kind: 'accepted'; readonly row: AcceptedRow }
  | { readonly kind: 'duplicate'; readonly acceptedAtMs: number; readonly samePayload: boolean }
  /** A browser event whose id a server event has, and which adds nothing to it: it is dropped, nothing is stored. */
  | { readonly kind: 'server_copy' }
  | { readonly kind: 'unavailable'; readonly reason: 'store' | 'unfinished'; readonly retryAfterSec: number };

/** Claims the event and sends its pointer. Never throws for a failing dependency: that is `unavailable`. */
export async function acceptEvent(input: AcceptInput, ports: AcceptPorts): Promise<AcceptResult> {
  const result = await claimEvent(input, ports);
  if (result.kind === 'accepted') await sendPointers([input.key], ports);
  return result;
}

/** The claim alone, for batches that send one message for many rows. */
export async function claimEvent(input: AcceptInput, ports: AcceptPorts): Promise<AcceptResult> {
  const twin = input.key.channel === 'browser' ? await serverTwin(input, ports) : null;
  if (twin !== null && twin !== 'adds') return twin;
  const result = await claimNew(input, ports);
  // A page's event is answered alike however often it comes, if a server's event has its id.
  return twin === 'adds' && result.kind === 'duplicate' ? { kind: 'server_copy' } : result;
}

async function claimNew(input: AcceptInput, ports: AcceptPorts): Promise<AcceptResult> {
  const receivedAtMs = ports.clock.now();
  const { merchantId } = input.key;
  const bare: AcceptedRow = {
    key: input.key,
    // One id for all tries: if a claim's answer was lost, the next try recognizes the row as its own.
    ingestId: ports.random.uuidv7(receivedAtMs),
    receivedAtMs,
    expiresAtMs: receivedAtMs + DEDUP_WINDOW_MS,
    payloadHash: input.payloadHash,
    state: 'accepted',
    body: input.body,
    ...(input.request === undefined ? {} : { request: input.request }),
  };
  let pick = ports.shards.pick(merchantId);
  for (let attempt = 1; ; attempt++) {
    const row = inShard(bare, pick.shard);
    try {
      // Before the row exists, so that the sweep can find every row.
      await ports.slots.markDue([countedAt(row)]);
      const result = await claimOnce(row, ports);
      if (result.kind === 'accepted' && minuteOf(ports.clock.now()) !== minuteOf(receivedAtMs))
        await ports.slots.markDueAgain(countedAt(result.row));
      return result;
    } catch (error) {
      ports.count('claim_failed');
      // No pause before another shard: waiting does not help.
      const isFull = error instanceof ThrottledWrite;
      if (isFull) pick = ports.shards.throttled(merchantId, pick);
      if (attempt >= (isFull ? FULL_TRIES : CLAIM_TRIES))
        return { kind: 'unavailable', reason: 'store', retryAfterSec: 1 };
      await ports.pause(PAUSE_MS * (isFull ? 1 : 2 ** attempt) * (0.5 + ports.random.next()));
    }
  }
}

/** Sends pointers to rows just stored. A failure is counted, not reported: the rows' slot is due. */
export async function sendPointers(keys: readonly EventKey[], ports: AcceptPorts): Promise<void> {
  if (keys.length === 0) return;
  try {
    const sent = ports.queue.send(byTenant(packPointers(keys, undefined, ACCEPTED_POINTERS_MAX)));
    const late = Symbol('late');
    if ((await Promise.race([sent, ports.pause(POINTER_BUDGET_MS).then(() => late)])) === late) {
      ports.count('pointer_send_late');
      sent.catch(() => ports.count('pointer_send_failed'));
    }
  } catch {
    ports.count('pointer_send_failed');
  }
}

/**
 * A browser copy yields to a server event of the same id, not the other way round. `adds`: it is stored all the same,
 * for what only the page knows.
 */
async function serverTwin(input: AcceptInput, ports: AcceptPorts): Promise<AcceptResult | 'adds' | null> {
  try {
    const server = await ports.events.read({ ...input.key, channel: 'server' });
    if (server === null || server.expiresAtMs <= ports.clock.now()) return null;
    return adds(server, input.body) ? 'adds' : { kind: 'server_copy' };
  } catch {
    ports.count('claim_failed');
    return { kind: 'unavailable', reason: 'store', retryAfterSec: 1 };
  }
}

/** True if the server's event will be completed from the page's, or is an order and its person may have clicked. */
function adds(server: EventRow, page: EventBody): boolean {
  const { consent = {}, internal } = page;
  const isDenied = consent.ad_storage === 'denied' || consent.ad_user_data === 'denied';
  if (isDenied || internal?.bot === true) return false;
  if (server.state === 'accepted') return true;
  return server.event.name === 'Purchase' && server.event.fromPage === undefined && carriesClick(page);
}

async function claimOnce(row: AcceptedRow, ports: AcceptPorts): Promise<AcceptResult> {
  if ((await ports.events.claim(row)) === 'claimed') return { kind: 'accepted', row };
  const stored = await ports.events.read(row.key);
  // Gone between the two calls: only an operator deletes rows. The next try claims the id.
  if (stored === null) throw new Error('the row vanished');
  if (stored.ingestId === row.ingestId) return acceptedAs(stored, row);
  if (row.receivedAtMs < stored.expiresAtMs) {
    if (stored.state === 'accepted' && row.receivedAtMs - stored.receivedAtMs > STUCK_MS) {
      await ports.slots.markDueAgain(countedAt(stored));
      await sendPointers([stored.key], ports);
    }
    return duplicateOf(stored, row.payloadHash);
  }
  return await takeOver(row, stored, ports);
}

/** The window has passed: the old row is archived and the new one replaces it. */
async function takeOver(row: AcceptedRow, stored: EventRow, ports: AcceptPorts): Promise<AcceptResult> {
  const joined = await joinedRow(stored, ports.batches);
  if (joined.state === 'accepted' || !isSettled(joined)) {
    await ports.slots.markDueAgain(countedAt(stored));
    if (stored.state === 'accepted') await sendPointers([stored.key], ports);
    return { kind: 'unavailable', reason: 'unfinished', retryAfterSec: 60 };
  }
  // Archived as stored: it keeps its position in its batch, where a late outcome is still seen.
  await ports.events.archive(stored);
  const earlierMs = [stored.receivedAtMs, ...(stored.earlierMs ?? [])].slice(0, EARLIER_MAX);
  if (await ports.events.replace({ ...row, earlierMs }, stored.ingestId)) return { kind: 'accepted', row };
  const winner = await ports.events.read(row.key);
  if (winner === null) throw new Error('the row vanished');
  if (winner.ingestId === row.ingestId) return acceptedAs(winner, row);
  return duplicateOf(winner, row.payloadHash);
}

/** An earlier try of this request stored it, in the shard of that try. */
const acceptedAs = (stored: EventRow, row: AcceptedRow): AcceptResult => ({
  kind: 'accepted',
  row: inShard(row, shardOf(stored)),
});

function duplicateOf(stored: EventRow, payloadHash: string): AcceptResult {
  return {
    kind: 'duplicate',
    acceptedAtMs: stored.receivedAtMs,
    samePayload: stored.payloadHash === payloadHash,
  };
}
