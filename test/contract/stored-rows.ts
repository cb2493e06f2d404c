// Rows and counters as the pipeline leaves them, to be read through the API.
import { hash } from 'node:crypto';
import type { BucketCounters } from '../../lib/events/domain/analytics/analytics.ts';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import type { Connection } from '../../lib/events/domain/connections/connection.ts';
import type { Delivery } from '../../lib/events/domain/deliveries/delivery.ts';
import type { EventBody } from '../../lib/events/domain/event/event.ts';
import { knownFields } from '../../lib/events/domain/event/known-fields.ts';
import type { Channel, NormalizedEvent } from '../../lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { inShard, shardOf } from '../../lib/events/domain/shard.ts';
import { splitEvent } from '../../lib/events/pipeline/sealed-event.ts';
import { decideVerdicts, freezeVerdicts } from '../../lib/events/pipeline/verdicts.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import type { BucketKey, CounterStore } from '../../lib/events/ports/counter-store.ts';
import type { EventStore } from '../../lib/events/ports/event-store.ts';
import { sealNow } from '../support/memory/event-vault.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { type ApiHost, MINE, NOW } from './api-host.ts';

const random = createSeededRandom('stored-rows');
const DAY_MS = 86_400_000;
const ROUTING_VERSION = 100;
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

export interface AcceptedDraft {
  readonly eventId: string;
  readonly merchantId?: string;
  readonly channel?: Channel;
  readonly receivedAtMs?: number;
  readonly shard?: number;
  readonly body?: Partial<EventBody>;
}

export function acceptedRow(draft: AcceptedDraft): AcceptedRow {
  const { eventId, merchantId = MINE, channel = 'server', receivedAtMs = NOW - 60_000, body } = draft;
  const row: AcceptedRow = {
    key: { merchantId, channel, eventId },
    ingestId: random.uuidv7(receivedAtMs),
    receivedAtMs,
    expiresAtMs: receivedAtMs + DAY_MS,
    payloadHash: sha256(eventId),
    state: 'accepted',
    body: {
      event_id: eventId,
      event_name: 'Purchase',
      event_time: Math.floor(receivedAtMs / 1000),
      source: 'server',
      user_data: { email: 'Jane.Doe@Example.com' },
      ...body,
    },
  };
  return inShard(row, shardOf(draft));
}

export interface NormalizedDraft extends Omit<AcceptedDraft, 'body'> {
  readonly event?: Partial<NormalizedEvent>;
  /** Platforms that were connected when the row was normalized; those with a delivery are. */
  readonly connected?: readonly string[];
  readonly deliveries?: NormalizedRow['deliveries'];
  /** Newer than any a test makes, unless told. */
  readonly routingVersion?: number;
  readonly verdicts?: Readonly<Record<string, string>>;
}

/** What the draft's row holds, sealed or not. */
export function normalizedEvent({ event, ...draft }: NormalizedDraft): NormalizedEvent {
  const base = acceptedRow(draft);
  return {
    ...base.key,
    dedupId: base.key.eventId,
    name: 'Purchase',
    eventTimeSec: Math.floor(base.receivedAtMs / 1000),
    receivedAtMs: base.receivedAtMs,
    source: 'server',
    actionSource: 'website',
    value: '10',
    currency: 'EUR',
    items: [],
    consent: {},
    hashed: { emailPlain: sha256('jane.doe@example.com') },
    raw: { clientIp: '203.0.113.7', userAgent: 'Mozilla/5.0' },
    plaintext: {},
    issues: [],
    ...event,
  };
}

export function normalizedRow(draft: NormalizedDraft): NormalizedRow {
  const { body: _, state: _state, ...base } = acceptedRow(draft);
  const event = normalizedEvent(draft);
  const { clear, personal } = splitEvent(event);
  const connected = draft.connected ?? Object.keys(draft.deliveries ?? {});
  const routing = {
    merchantId: base.key.merchantId,
    version: draft.routingVersion ?? ROUTING_VERSION,
    connections: connected.map((platform) => ({ id: platform, platform })),
    rules: [],
  };
  return {
    ...base,
    state: 'normalized',
    event: { ...clear, known: knownFields(personal), sealed: sealNow(base, personal) },
    routingVersion: routing.version,
    verdicts: draft.verdicts ?? freezeVerdicts(decideVerdicts(event, routing, PLATFORMS)),
    deliveries: draft.deliveries ?? {},
    revision: 0,
    sweeps: 0,
  };
}

/** Connected at this time, with credentials that nothing opens. */
export async function connectionOf(
  { config }: Pick<ApiHost, 'config'>,
  platform: string,
  { merchantId = MINE, atMs = NOW } = {},
): Promise<Connection> {
  const newId = `con_${merchantId}_${platform}`;
  const draft = { merchantId, platform, newId, name: platform, sealedCredentials: 's' };
  return (await config.putConnection(draft, atMs)).connection;
}

/** As one attempt left it. */
export const deliveryIn = (state: Delivery['state'], more: Partial<Delivery> = {}): Delivery => ({
  state,
  attempts: 1,
  unknowns: 0,
  updatedAtMs: NOW,
  history: [],
  ...more,
});

/** The same event without money. */
export function unpriced(row: NormalizedRow): NormalizedRow {
  const { value: _, currency: _currency, ...event } = row.event;
  return { ...row, event };
}

/** Through the port's own steps. */
export async function store(
  events: EventStore,
  ...rows: readonly (AcceptedRow | NormalizedRow)[]
): Promise<void> {
  for (const row of rows) {
    if (row.state === 'accepted') {
      await events.claim(row);
      continue;
    }
    const { ingestId, receivedAtMs, key } = row;
    const claim = inShard({ ...acceptedRow({ ...key, receivedAtMs }), ingestId }, shardOf(row));
    if ((await events.claim(claim)) !== 'claimed') throw new Error(`${key.eventId} exists`);
    if (!(await events.normalize(row))) throw new Error(`${key.eventId} was not normalized`);
  }
}

export async function count(
  counters: CounterStore,
  grain: BucketKey['grain'],
  startMs: number,
  part: Partial<BucketCounters>,
  merchantId: string = MINE,
): Promise<void> {
  const key = { merchantId, grain, startMs };
  const written = await counters.write({ key, version: 1, counters: { ...sumCounters([]), ...part } });
  if (!written) throw new Error('the slot exists');
}
