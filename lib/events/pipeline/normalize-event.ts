// From the event as sent to the event as platforms see it. Pure and total. The normalize stage and the preview of a
// request share it: what is shown before connecting is what would be stored and sent.
import type { RoutingSnapshot } from '../domain/connection.ts';
import { toAmount, toDecimal, toUnitPrice } from '../domain/decimal.ts';
import { type EventBody, eventTimeSec } from '../domain/event.ts';
import { namesAsSent } from '../domain/event-names.ts';
import type { AcceptedRow } from '../domain/event-row.ts';
import type { IdentityIssue, PlaintextIdentity, SealedField } from '../domain/identity/identity.ts';
import type { IdentityLookups } from '../domain/identity/lookups.ts';
import { normalizeIdentity } from '../domain/identity/normalize.ts';
import type { Decimal, Item, NormalizedEvent, UnopenedEvent } from '../domain/normalized-event.ts';
import { platformOf } from '../domain/slot.ts';
import type { Platform } from '../platforms/platform.ts';
import { decideRouting, freezeVerdicts, type Verdicts } from './verdicts.ts';

export interface NormalizeDecision {
  /** With those values unhashed that may be kept; to be sealed before anything is stored. */
  readonly event: NormalizedEvent;
  /** As the row keeps them. */
  readonly verdicts: Readonly<Record<string, string>>;
}

export function normalizeEvent(
  row: Pick<AcceptedRow, 'key' | 'body' | 'receivedAtMs'>,
  routing: RoutingSnapshot,
  platforms: readonly Platform[],
  lookups: IdentityLookups,
): NormalizeDecision {
  const { body, key } = row;
  const identity = normalizeIdentity(body.user_data, lookups, row.receivedAtMs);
  const origin = body.internal ?? {};
  const unopened: UnopenedEvent = {
    merchantId: key.merchantId,
    channel: key.channel,
    eventId: key.eventId,
    dedupId: origin.dedup_id ?? key.eventId,
    ...namesAsSent(body.event_name.trim()),
    eventTimeSec: eventTimeSec(body.event_time),
    receivedAtMs: row.receivedAtMs,
    source: body.source ?? key.channel,
    actionSource: body.action_source ?? 'website',
    ...optional('eventSourceUrl', body.event_source_url),
    ...optional('referrerUrl', body.referrer_url),
    ...amountOf(body.value, body.currency),
    ...optional('currency', body.currency),
    ...optional('orderId', body.order_id),
    items: (body.items ?? []).map(normalizeItem),
    ...(body.custom_data === undefined ? {} : { customData: body.custom_data }),
    consent: withoutUndefined(body.consent ?? {}),
    hashed: identity.hashed,
    raw: identity.raw,
    issues: [...identity.issues, ...unknownProperties(body.unknown_properties)],
    ...(origin.bot === true ? { bot: true as const } : {}),
    ...(origin.replay === true ? { replay: true as const } : {}),
    ...(origin.only_platforms === undefined ? {} : { onlyPlatforms: origin.only_platforms }),
  };
  return normalizeAgain({ ...unopened, plaintext: identity.plain }, routing, platforms);
}

/** Verdicts and changes under this routing, and of what is kept unhashed no more than it wants. */
export function normalizeAgain(
  { plaintext, rewrites: _, ...unopened }: NormalizedEvent,
  routing: RoutingSnapshot,
  platforms: readonly Platform[],
): NormalizeDecision {
  const { verdicts, rewrites } = decideRouting(unopened, routing, platforms);
  const kept = pick(plaintext, retainedFields(verdicts, platforms));
  const event = { ...unopened, plaintext: kept, ...(rewrites.length === 0 ? {} : { rewrites }) };
  return { event, verdicts: freezeVerdicts(verdicts) };
}

/** They have no use for the person now, and none later: nothing is kept for them. */
const WITHOUT_PERSON: ReadonlySet<string> = new Set(['not_connected', 'consent_denied', 'bot']);

/**
 * Fields that a connected platform takes unhashed. One that a rule keeps the event from counts: a replay may send it after the
 * rule was changed. One that consent keeps it from, or that nobody connected, does not.
 */
function retainedFields(verdicts: Verdicts, platforms: readonly Platform[]): ReadonlySet<SealedField> {
  const wanted = new Set(
    Object.entries(verdicts).flatMap(([slot, { code }]) =>
      WITHOUT_PERSON.has(code) ? [] : platformOf(slot),
    ),
  );
  const takers = platforms.filter(({ slug }) => wanted.has(slug));
  return new Set(takers.flatMap(({ sealedFields }) => sealedFields));
}

function pick(plain: PlaintextIdentity, fields: ReadonlySet<SealedField>): PlaintextIdentity {
  const picked: { -readonly [K in SealedField]?: PlaintextIdentity[K] } = {};
  for (const field of fields) if (plain[field] !== undefined) picked[field] = plain[field];
  return picked;
}

/** The schema wants a currency with every value. */
function amountOf(value: number | undefined, currency: string | undefined): { readonly value?: Decimal } {
  if (value === undefined) return {};
  return { value: currency === undefined ? toUnitPrice(value) : toAmount(value, currency) };
}

const ITEM_WORDS = ['name', 'brand', 'category', 'variant'] as const;

function normalizeItem(item: NonNullable<EventBody['items']>[number]): Item {
  const normalized: { -readonly [K in keyof Item]: Item[K] } = {
    id: item.id,
    quantity: toDecimal(item.quantity),
  };
  if (item.price !== undefined) normalized.price = toUnitPrice(item.price);
  for (const word of ITEM_WORDS) {
    const text = item[word]?.trim();
    if (text) normalized[word] = text;
  }
  return normalized;
}

const unknownProperties = (names: readonly string[] = []): IdentityIssue[] =>
  names.map((field) => ({ field, code: 'unknown_property' }));

/** A text worth keeping: trimmed, and absent rather than empty. */
function optional<K extends string>(name: K, value: string | undefined): { readonly [P in K]?: string } {
  const text = value?.trim();
  return (text ? { [name]: text } : {}) as { readonly [P in K]?: string };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
