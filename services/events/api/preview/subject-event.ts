// The event a preview is about: pasted and judged as ingestion would judge it, or stored and read back. Guarantees: an
// event of another merchant is like one that never was; nothing is written.
import type { Failure } from '#lib/core/http/handler.ts';
import {
  type RoutedConnection,
  type RoutingSnapshot,
  withPersonalPolicy,
} from '#lib/events/domain/connections/connection.ts';
import { connectionTarget } from '#lib/events/domain/connections/target.ts';
import { bodyWithoutPerson } from '#lib/events/domain/erasure/erased-row.ts';
import { checkEvent } from '#lib/events/domain/event/check.ts';
import type { EventBody } from '#lib/events/domain/event/event.ts';
import type { Channel, NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { PlaintextIdentity } from '#lib/events/domain/identity/identity.ts';
import { type Suppression, suppressingOf } from '#lib/events/domain/people/suppression.ts';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import { normalizeEvent } from '#lib/events/pipeline/normalize-event.ts';
import { outgoingFor } from '#lib/events/pipeline/outgoing.ts';
import { asSuppressed, listed, namesOfEvent } from '#lib/events/pipeline/people/suppressed.ts';
import { closedEvent, openEvent } from '#lib/events/pipeline/sealed-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { findEvent } from '../events/find-event.ts';
import type { ApiPorts } from '../ports.ts';

export interface SubjectEvent {
  /** As the platform would be given it: changed by rules, without what is personal beside declared identity. */
  readonly event: OutgoingEvent;
  /** As it came. */
  readonly original: NormalizedEvent;
  /** The merchant's routing as it is now, with the connection that is looked at and no other. */
  readonly routing: RoutingSnapshot;
  /** The plain values the platform takes are not there (any more). */
  readonly plainValuesGone: boolean;
  /** Its person is on the merchant's list, so that `event` and `original` are without them. */
  readonly suppressed?: Suppressed;
}

interface Suppressed {
  readonly how: Suppression;
  /** As it came. */
  readonly whole: NormalizedEvent;
}

export interface EventSource {
  readonly event?: unknown;
  readonly event_id?: string | undefined;
  readonly trust?: Channel | undefined;
}

type Refusal = Failure<'not_found' | 'merchant_mismatch' | 'invalid_request' | 'personal_data_erased'>;

export async function subjectEvent(
  source: EventSource,
  merchantId: string,
  to: LookedAt,
  ports: ApiPorts,
): Promise<SubjectEvent | Refusal> {
  const nowMs = ports.clock.now();
  const { event_id: eventId } = source;
  if (eventId === undefined) {
    const checked = checkEvent(source.event, nowMs);
    if (!checked.ok) {
      const details = checked.details.map(({ path, message }) => ({
        path: path === '' ? 'event' : `event.${path}`,
        message,
      }));
      return { failure: 'invalid_request', details };
    }
    const claimed = checked.body.merchant_id;
    if (claimed !== undefined && claimed.toLowerCase() !== merchantId.toLowerCase())
      return { failure: 'merchant_mismatch' };
    const channel = source.trust ?? 'server';
    return await pasted({ merchantId, channel, nowMs }, checked.body, to, ports);
  }
  const found = await findEvent(merchantId, eventId, source.trust, ports);
  if (found === null) return { failure: 'not_found' };
  return found.row.state === 'accepted'
    ? await accepted(found.row, to, ports)
    : await stored(found.row, to, ports);
}

/** What an event is looked at for: one connection, real or not. */
export interface LookedAt {
  readonly platform: Platform;
  readonly connection: RoutedConnection;
}

/** As if that were the only connection; with what the settings say of personal data. */
async function routingOf(
  merchantId: string,
  { connection }: LookedAt,
  { config }: ApiPorts,
): Promise<RoutingSnapshot> {
  const routing = await config.currentRouting(merchantId);
  return withPersonalPolicy({ ...routing, connections: [connection] }, await config.merchantNow(merchantId));
}

async function pasted(
  at: { readonly merchantId: string; readonly channel: Channel; readonly nowMs: number },
  body: EventBody,
  to: LookedAt,
  ports: ApiPorts,
): Promise<SubjectEvent> {
  const { merchantId, channel, nowMs } = at;
  const key = { merchantId, channel, eventId: body.event_id };
  const routing = await routingOf(merchantId, to, ports);
  const draft = { key, body, receivedAtMs: nowMs };
  const { original, ...list } = await normalized(draft, routing, to, ports);
  return { ...both(original, to), ...list, routing, plainValuesGone: false };
}

async function accepted(
  row: Extract<EventRow, { state: 'accepted' }>,
  to: LookedAt,
  ports: ApiPorts,
): Promise<SubjectEvent> {
  const routing = await routingOf(row.key.merchantId, to, ports);
  const { original, ...list } = await normalized(row, routing, to, ports);
  return { ...both(original, to), ...list, routing, plainValuesGone: false };
}

async function stored(row: NormalizedRow, to: LookedAt, ports: ApiPorts): Promise<SubjectEvent | Refusal> {
  const routing = await routingOf(row.key.merchantId, to, ports);
  const event = await openEvent(row, ports.eventVault);
  if (event === null) return { failure: 'personal_data_erased' };
  const { sealedFields } = to.platform;
  const plainValuesGone =
    sealedFields.length > 0 && sealedFields.every((field) => event.plaintext[field] === undefined);
  const whole = { ...event, plaintext: taken(event, to.platform) };
  const how = await listedAs(whole, ports);
  if (how === undefined) return { ...both(whole, to), routing, plainValuesGone };
  const bare = asSuppressed(closedEvent(row));
  return { ...both(bare, to), routing, plainValuesGone: false, suppressed: { how, whole } };
}

/** What becomes of the event's person; undefined where they are not on the list. */
async function listedAs(
  event: NormalizedEvent,
  { config, people }: ApiPorts,
): Promise<Suppression | undefined> {
  const { merchantId } = event;
  const suppressing = suppressingOf((await config.merchantNow(merchantId)) ?? {});
  if (suppressing === undefined) return undefined;
  const digests = listed(merchantId, suppressing.key, namesOfEvent(event));
  const found = digests.length === 0 ? 0 : (await people.suppressed(merchantId, digests)).size;
  return found > 0 ? suppressing.how : undefined;
}

/** Without its person where they are on the list. */
async function normalized(
  row: Parameters<typeof normalizeEvent>[0],
  routing: RoutingSnapshot,
  to: LookedAt,
  ports: ApiPorts,
): Promise<{ readonly original: NormalizedEvent; readonly suppressed?: Suppressed }> {
  const whole = await normalize(row, routing, to, ports);
  const how = await listedAs(whole, ports);
  if (how === undefined) return { original: whole };
  const bare = await normalize({ ...row, body: bodyWithoutPerson(row.body) }, routing, to, ports);
  return { original: asSuppressed(bare), suppressed: { how, whole } };
}

const both = (original: NormalizedEvent, { connection }: LookedAt) => ({
  original,
  event: outgoingFor(connectionTarget(connection), original),
});

/** Those of the values kept that this platform takes: others were kept for others. */
function taken({ plaintext }: NormalizedEvent, { sealedFields }: Platform): PlaintextIdentity {
  return Object.fromEntries(
    sealedFields.flatMap((field) => (plaintext[field] === undefined ? [] : [[field, plaintext[field]]])),
  );
}

/** With the plain values this platform takes. */
async function normalize(
  row: Parameters<typeof normalizeEvent>[0],
  routing: RoutingSnapshot,
  { platform }: LookedAt,
  { config, lookups }: ApiPorts,
): Promise<NormalizedEvent> {
  const merchant = await config.merchant(row.key.merchantId);
  return normalizeEvent(row, routing, [platform], await lookups(), merchant?.allowedParameters).event;
}
