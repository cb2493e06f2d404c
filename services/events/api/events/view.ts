// Rows on the wire, with what is personal about them where it can still be opened. Guarantees: nothing plain about a person leaves: digests are shortened, addresses and identifiers
// masked, URLs lose their query. What the merchant put into custom_data and items is the merchant's, and shown.

import type { z } from 'zod';
import type { Success } from '#lib/core/http/handler.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { type Attempt, type DeliveryState, TERMINAL_STATES } from '#lib/events/domain/deliveries/delivery.ts';
import { isParked } from '#lib/events/domain/deliveries/progress.ts';
import type { AppPart } from '#lib/events/domain/event/app.ts';
import { eventTimeSec } from '#lib/events/domain/event/event.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { EventRow, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { isReplayId, rootOf } from '#lib/events/domain/replays/replay-id.ts';
import { openEvent } from '#lib/events/pipeline/sealed-event.ts';
import { type EventVault, UnreadablePart } from '#lib/events/ports/event-vault.ts';
import { type listEvents, PROCESSING, type readEvent } from '#lib/events/routes/events.ts';
import type { holder as holderShape } from '#lib/events/routes/platforms/connection-names.ts';
import type { WindowReader } from '../analytics/shown-window.ts';
import { iso } from '../wire-time.ts';
import { confirmationView } from './confirmation.ts';
import { eventHead, factsOf } from './facts.ts';
import type { PlaceVerdict, PlatformVerdict } from './verdicts.ts';

export type ListedEvent = Success<typeof listEvents>['body']['events'][number];
type ReadBody = Success<typeof readEvent>['body'];
export type DeliveryView = ReadBody['deliveries'][number];
type EventView = ReadBody['event'];

const DIGEST_SHOWN = 8;
const ID_SHOWN = 4;

export function listedEvent(row: EventRow, verdicts: readonly PlatformVerdict[]): ListedEvent {
  return {
    ...head(row),
    deliveries: verdicts.flatMap((verdict) => {
      const { platform, state: status } = verdict;
      return status === undefined ? [] : [{ platform: platform.slug, ...holderView(verdict), status }];
    }),
    withheld: verdicts.flatMap(({ platform, code, state }) =>
      state !== undefined || code === PROCESSING || code === 'not_connected'
        ? []
        : [{ platform: platform.slug, verdict: code }],
    ),
  };
}

/** One row per platform that is to have the event. */
export function deliveryViews(
  row: EventRow,
  verdicts: readonly PlatformVerdict[],
  windows: WindowReader,
): DeliveryView[] {
  return verdicts.flatMap((verdict) => {
    const { platform, state, places } = verdict;
    if (state === undefined) return [];
    const connections = places?.flatMap((place) =>
      place.state === undefined ? [] : [{ ...holderView(place), ...fateView(place.state, place) }],
    );
    return [
      {
        platform: platform.slug,
        label: platform.label,
        ...holderView(verdict),
        ...fateView(state, verdict),
        ...(row.state === 'accepted' ? {} : windowView(row, verdict, windows)),
        ...(connections === undefined ? {} : { connections }),
      },
    ];
  });
}

/** Which connection it is about. */
export function holderView({ holder }: Pick<PlaceVerdict, 'holder'>): z.output<typeof holderShape> {
  if (holder === undefined) return { connection_id: null };
  return {
    ...{ connection_id: holder.id, connection_name: holder.name },
    ...('removedAtMs' in holder ? { removed_at: iso(holder.removedAtMs) } : {}),
    ...('account' in holder && holder.account !== undefined ? { account: holder.account } : {}),
  };
}

/** What ended by our own limit can be sent again for as long as the platform takes it. */
function windowView(
  row: NormalizedRow,
  verdict: PlatformVerdict,
  windows: WindowReader,
): Pick<DeliveryView, 'window_closes_at' | 'platform_takes_until' | 'we_try_until' | 'replay_until'> {
  const { state, delivery, platform } = verdict;
  if (state === undefined) return {};
  if (!TERMINAL_STATES.has(state)) return windows.read(row, verdict);
  return delivery?.reason === 'gave_up' ? { replay_until: iso(windows.replayUntilMs(row, platform)) } : {};
}

function fateView(
  status: DeliveryState,
  { delivery, code, detail, platform }: PlaceVerdict,
): Omit<NonNullable<DeliveryView['connections']>[number], keyof z.output<typeof holderShape>> {
  // Nothing was tried yet where no delivery says so itself.
  const reason = delivery?.reason ?? (code === 'connection_paused' ? pausedBecause(detail) : undefined);
  return {
    status,
    attempts: delivery?.attempts ?? 0,
    maybe_delivered: (delivery?.unknowns ?? 0) > 0,
    ...(delivery?.deliveredAtMs === undefined ? {} : { delivered_at: iso(delivery.deliveredAtMs) }),
    // A parked delivery goes when its connection works again: nobody knows when that is.
    ...(delivery?.nextAttemptAtMs === undefined || isParked(delivery)
      ? {}
      : { next_attempt_at: iso(delivery.nextAttemptAtMs) }),
    ...(reason === undefined ? {} : { reason }),
    ...confirmationView(delivery, platform),
    history: (delivery?.history ?? []).map(attemptView),
  };
}

const pausedBecause = (reason: string | undefined): string =>
  reason === undefined ? 'connection_paused' : `connection_paused:${reason}`;

/** What is personal about a normalized row, or why it is not there. */
export type Opened = NormalizedEvent | 'erased' | 'unreadable';

/** For one reader: a damaged row is shown as one. */
export async function opened(row: NormalizedRow, vault: Pick<EventVault, 'open'>): Promise<Opened> {
  try {
    return (await openEvent(row, vault)) ?? 'erased';
  } catch (error) {
    if (error instanceof UnreadablePart) return 'unreadable';
    throw error;
  }
}

export async function eventView(
  row: EventRow,
  copies: EventView['copies'],
  vault: Pick<EventVault, 'open'>,
): Promise<EventView> {
  const { eventId } = row.key;
  const replay = isReplayId(eventId) ? { replay_of: rootOf(eventId) } : {};
  const shared = { ...head(row), ...replay, copies, expires_at: iso(row.expiresAtMs) };
  if (row.state === 'normalized') {
    const event = await opened(row, vault);
    const personal =
      typeof event === 'string'
        ? { personal_data: event, identity: { fields: [...row.event.known].sort(), hashed: {}, raw: {} } }
        : { personal_data: 'kept' as const, ...personalView(event) };
    return { ...shared, ...clearView(row), ...personal };
  }
  const { body } = row;
  const fields = Object.entries(body.user_data)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name]) => name);
  return {
    ...shared,
    ...(body.action_source === undefined ? {} : { action_source: body.action_source }),
    ...url('event_source_url', body.event_source_url),
    ...url('referrer_url', body.referrer_url),
    items: itemsOf(row),
    consent: definedOnly(body.consent ?? {}),
    ...(body.custom_data === undefined ? {} : { custom_data: body.custom_data }),
    event_time: eventTimeSec(body.event_time),
    personal_data: row.erasedBy === undefined ? 'kept' : 'erased',
    identity: { fields: fields.sort(), hashed: {}, raw: {} },
    issues: [],
  };
}

function head(row: EventRow): Omit<ListedEvent, 'deliveries' | 'withheld'> {
  const facts = factsOf(row);
  return {
    ...eventHead(row),
    canonical_name: facts.canonicalName,
    event_time: facts.eventTimeSec,
    state: row.state,
    source: facts.source,
    ...withoutUndefined({ value: facts.value, currency: facts.currency, order_id: facts.orderId }),
    bot: facts.bot,
    test: facts.test,
  };
}

export const itemsOf = (row: EventRow): EventView['items'] =>
  row.state === 'normalized'
    ? normalizedItems(row.event)
    : (row.body.items ?? []).map(({ id, quantity, ...more }) => ({ id, quantity, ...definedOnly(more) }));

const normalizedItems = ({ items }: Pick<NormalizedRow['event'], 'items'>): EventView['items'] =>
  items.map(({ quantity, price, ...item }) => ({
    ...item,
    quantity: Number(quantity),
    ...(price === undefined ? {} : { price: Number(price) }),
  }));

function clearView({
  event,
}: NormalizedRow): Pick<
  EventView,
  | 'dedup_id'
  | 'action_source'
  | 'items'
  | 'consent'
  | 'issues'
  | 'completed_from_page'
  | 'completed_from_earlier'
> {
  return {
    dedup_id: event.dedupId,
    action_source: event.actionSource,
    items: normalizedItems(event),
    consent: definedOnly(event.consent),
    issues: event.issues.map(({ field, code }) => ({ field, code })),
    ...(event.fromPage === undefined ? {} : { completed_from_page: [...event.fromPage] }),
    ...(event.fromEarlier === undefined ? {} : { completed_from_earlier: [...event.fromEarlier] }),
  };
}

function personalView(
  event: NormalizedEvent,
): Pick<EventView, 'event_source_url' | 'referrer_url' | 'custom_data' | 'app' | 'identity'> {
  const { browserIds, clientIp, userAgent, ...identifiers } = event.raw;
  const raw: Record<string, string> = {};
  if (clientIp !== undefined) raw.client_ip = maskIp(clientIp);
  if (userAgent !== undefined) raw.user_agent = userAgent;
  for (const [name, id] of Object.entries({ ...identifiers, ...browserIds })) {
    if (typeof id === 'string') raw[snake(name)] = maskId(id);
  }
  const hashed: Record<string, string | string[]> = {};
  for (const [name, digest] of Object.entries(event.hashed) as [string, string | readonly string[]][]) {
    hashed[snake(name)] = typeof digest === 'string' ? shorten(digest) : digest.map(shorten);
  }
  return {
    ...url('event_source_url', event.eventSourceUrl),
    ...url('referrer_url', event.referrerUrl),
    ...(event.customData === undefined ? {} : { custom_data: { ...event.customData } }),
    ...(event.app === undefined ? {} : { app: appView(event.app) }),
    identity: { fields: [...Object.keys(hashed), ...Object.keys(raw)].sort(), hashed, raw },
  };
}

const APP_IDS: ReadonlySet<string> = new Set(['instance_id', 'vendor_id', 'campaign_ids']);

const appView = ({ extinfo: _, ...app }: AppPart): Record<string, string> =>
  Object.fromEntries(
    Object.entries(app).map(([name, text]) => [name, APP_IDS.has(name) ? maskId(text) : text]),
  );

function attemptView(attempt: Attempt): DeliveryView['history'][number] {
  return {
    at: iso(attempt.atMs),
    latency_ms: attempt.latencyMs,
    ...(attempt.status === undefined ? {} : { http_status: attempt.status }),
    outcome: attempt.outcome,
    ...withoutUndefined({ code: attempt.code, message: attempt.message }),
    batch_size: attempt.batchSize,
    ...(attempt.version === undefined ? {} : { api_version: attempt.version }),
  };
}

const shorten = (digest: string): string => `${digest.slice(0, DIGEST_SHOWN)}…`;
const maskId = (id: string): string => `${id.length > ID_SHOWN * 3 ? id.slice(0, ID_SHOWN) : ''}…`;
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The network: /24 of IPv4, /48 of IPv6. */
export function maskIp(ip: string): string {
  if (ip.includes('.') && !ip.includes(':')) return `${ip.split('.').slice(0, 3).join('.')}.x`;
  const [before = ''] = ip.split('::');
  return `${before.split(':').slice(0, 3).join(':')}::x`;
}

function url<Name extends string>(name: Name, text: string | undefined): { [N in Name]?: string } {
  if (text === undefined) return {};
  return { [name]: text.split(/[?#]/, 1)[0] ?? '' } as { [N in Name]?: string };
}

function definedOnly<V>(record: Readonly<Record<string, V | undefined>>): Record<string, V> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
