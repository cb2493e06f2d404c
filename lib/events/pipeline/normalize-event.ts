// From the event as sent to the event as platforms see it. Pure and total. The normalize stage and the preview of a
// request share it, so the preview shows what would be stored and sent.
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import type { RoutingSnapshot } from '../domain/connections/connection.ts';
import { platformOf } from '../domain/connections/target.ts';
import { PENDING, PENDING_TEST } from '../domain/deliveries/progress.ts';
import { readApp } from '../domain/event/app.ts';
import { toAmount, toDecimal, toUnitPrice } from '../domain/event/decimal.ts';
import { type EventBody, eventTimeSec } from '../domain/event/event.ts';
import { namesAsSent } from '../domain/event/names.ts';
import type { Decimal, Item, NormalizedEvent, UnopenedEvent } from '../domain/event/normalized-event.ts';
import { type AcceptedRow, sourceOf } from '../domain/event/row.ts';
import type { Visit } from '../domain/identity/browser-ids.ts';
import type { IdentityIssue, PlaintextIdentity } from '../domain/identity/identity.ts';
import type { IdentityLookups } from '../domain/identity/lookups.ts';
import { normalizeIdentity } from '../domain/identity/normalize.ts';
import { privacyIssues, withoutPrivacyIssues } from '../domain/privacy/outgoing-event.ts';
import type { Platform } from '../platforms/platform.ts';
import { webUrl } from '../platforms/web-url.ts';
import { completedFromCopy } from './completed-from-copy.ts';
import { decideRouting, freezeVerdicts, type Verdicts } from './verdicts.ts';

export interface NormalizeDecision {
  /** Includes the unhashed values that may be kept; to be encrypted before anything is stored. */
  readonly event: NormalizedEvent;
  /** As stored in the row. */
  readonly verdicts: Readonly<Record<string, string>>;
}

/** While it is assembled: a literal of many optional parts would be copied once for each. */
type Building<T> = { -readonly [K in keyof T]: T[K] };

type Said = Pick<AcceptedRow, 'key' | 'body' | 'receivedAtMs'>;

export function normalizeEvent(
  row: Said,
  routing: RoutingSnapshot,
  platforms: readonly Platform[],
  lookups: IdentityLookups,
  allowedParameters?: AllowedParameters,
): NormalizeDecision {
  return decideEvent(readSaid(row, lookups), routing, platforms, allowedParameters);
}

/** Without what depends on where it goes. */
export interface ReadEvent {
  readonly unopened: UnopenedEvent;
  readonly plain: PlaintextIdentity;
}

/** `page`: the event of the same id that a page sent, from which a server's event is completed. */
export function readEvent(row: Said, lookups: IdentityLookups, page?: UnopenedEvent): ReadEvent {
  const said = readSaid(row, lookups);
  return page === undefined ? said : { ...said, unopened: completedFromCopy(said.unopened, page) };
}

export const decideEvent = (
  { unopened, plain }: ReadEvent,
  routing: RoutingSnapshot,
  platforms: readonly Platform[],
  allowedParameters?: AllowedParameters,
): NormalizeDecision => decide(withPrivacyIssues(unopened, allowedParameters), plain, routing, platforms);

/** The event without what depends on platforms, and without values that some of them take unhashed. */
export const unopenedEvent = (row: Said, lookups: IdentityLookups): UnopenedEvent =>
  readSaid(row, lookups).unopened;

function readSaid(row: Said, lookups: IdentityLookups): ReadEvent {
  const { body, key } = row;
  // A sender's clock that is ahead must not make an event later than its receipt, at any platform.
  const timeSec = Math.min(eventTimeSec(body.event_time), Math.floor(row.receivedAtMs / 1_000));
  const identity = normalizeIdentity(
    body.user_data,
    lookups,
    row.receivedAtMs,
    visitOf(body, timeSec * 1_000),
  );
  const origin = body.internal ?? {};
  const read = body.app === undefined ? undefined : readApp(body.app);
  const unopened: Building<UnopenedEvent> = {
    merchantId: key.merchantId,
    channel: key.channel,
    eventId: key.eventId,
    dedupId: origin.dedup_id ?? key.eventId,
    ...namesAsSent(body.event_name.trim()),
    eventTimeSec: timeSec,
    receivedAtMs: row.receivedAtMs,
    source: sourceOf(row),
    actionSource: body.action_source ?? (body.app === undefined ? 'website' : 'app'),
    items: (body.items ?? []).map(normalizeItem),
    consent: withoutUndefined(body.consent ?? {}),
    hashed: identity.hashed,
    raw: identity.raw,
    issues: [
      ...identity.issues,
      ...(read?.issues ?? []),
      ...unknownProperties(body.unknown_properties),
      ...unknownConsent(origin.unknown_consent),
    ],
  };
  addText(unopened, 'eventSourceUrl', body.event_source_url);
  addText(unopened, 'referrerUrl', body.referrer_url);
  addText(unopened, 'currency', body.currency);
  addText(unopened, 'orderId', body.order_id);
  if (body.value !== undefined) unopened.value = amountOf(body.value, body.currency);
  if (body.custom_data !== undefined) unopened.customData = body.custom_data;
  if (read !== undefined && Object.keys(read.app).length > 0) unopened.app = read.app;
  if (origin.test === true) unopened.test = true;
  else if (origin.bot === true) unopened.bot = true;
  if (origin.replay === true) unopened.replay = true;
  if (origin.only_platforms !== undefined) unopened.onlyPlatforms = origin.only_platforms;
  return { unopened, plain: identity.plain };
}

/** Verdicts and changes under this routing, keeping only the unhashed values that it needs. */
export function normalizeAgain(
  { plaintext, rewrites: _, ...unopened }: NormalizedEvent,
  routing: RoutingSnapshot,
  platforms: readonly Platform[],
  allowedParameters?: AllowedParameters,
): NormalizeDecision {
  return decide(withPrivacyIssues(unopened, allowedParameters), plaintext, routing, platforms);
}

/** Of the merchant, in lowercase: names under which e-mail, phone and person may go out. */
type AllowedParameters = readonly string[] | undefined;

/**
 * What is removed on the way out, and which names let something through, is decided here, as is what is missing once a page
 * completed the event; the event stays as it came.
 */
function withPrivacyIssues(event: UnopenedEvent, allowedParameters: AllowedParameters): UnopenedEvent {
  const found = [...pageIssue(event), ...privacyIssues(event, allowedParameters)];
  const others = withoutPrivacyIssues(event.issues).filter(({ code }) => code !== 'page_missing');
  return found.length === 0 && others.length === event.issues.length
    ? event
    : { ...event, issues: [...others, ...found] };
}

const NO_ISSUES: readonly IdentityIssue[] = [];
const PAGE_MISSING: readonly IdentityIssue[] = [{ field: 'event_source_url', code: 'page_missing' }];

/** Of an event of the web that goes anywhere, and was not left without its page with its person. */
function pageIssue(event: UnopenedEvent): readonly IdentityIssue[] {
  const { actionSource, eventSourceUrl, onlyPlatforms, issues } = event;
  if (actionSource !== 'website' || webUrl(eventSourceUrl) !== undefined) return NO_ISSUES;
  const isBare = onlyPlatforms?.length === 0 || issues.some(({ code }) => code === 'person_suppressed');
  return isBare ? NO_ISSUES : PAGE_MISSING;
}

function decide(
  unopened: UnopenedEvent,
  plaintext: PlaintextIdentity,
  routing: RoutingSnapshot,
  platforms: readonly Platform[],
): NormalizeDecision {
  const { verdicts, rewrites } = decideRouting(unopened, routing, platforms);
  const event = { ...unopened, plaintext: retained(plaintext, verdicts, platforms) };
  return {
    event: rewrites.length === 0 ? event : { ...event, rewrites },
    verdicts: freezeVerdicts(verdicts, unopened.test === true ? PENDING_TEST : PENDING),
  };
}

/** With these verdicts a platform never needs personal data: nothing is kept for it. */
const WITHOUT_PERSON: ReadonlySet<string> = new Set([
  'not_connected',
  'consent_denied',
  'consent_missing',
  'bot',
]);

/**
 * Values that a connected platform takes unhashed. They are kept although a rule excludes the event, because a replay
 * may send it after the rule was changed; they are not kept for platforms that are not connected or lack consent.
 */
function retained(
  plain: PlaintextIdentity,
  verdicts: Verdicts,
  platforms: readonly Platform[],
): PlaintextIdentity {
  const kept: Building<PlaintextIdentity> = {};
  for (const [slot, { code }] of Object.entries(verdicts)) {
    if (WITHOUT_PERSON.has(code)) continue;
    const taker = platforms.find(({ slug }) => slug === platformOf(slot));
    for (const field of taker?.sealedFields ?? []) if (plain[field] !== undefined) kept[field] = plain[field];
  }
  return kept;
}

/** Click ids come from addresses. With `ad_storage` denied none are read, as in the pixel. */
function visitOf(body: EventBody, atMs: number): Visit {
  const isDenied = body.consent?.ad_storage === 'denied';
  const addresses = isDenied ? [] : [body.event_source_url, body.referrer_url];
  return { atMs, addresses: addresses.filter((address) => address !== undefined) };
}

/** The schema requires a currency with every value. */
function amountOf(value: number, currency: string | undefined): Decimal {
  return currency === undefined ? toUnitPrice(value) : toAmount(value, currency);
}

const ITEM_WORDS = ['name', 'brand', 'category', 'variant'] as const;

function normalizeItem(item: NonNullable<EventBody['items']>[number]): Item {
  const normalized: Building<Item> = {
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

const unknownConsent = (names: readonly string[] = []): IdentityIssue[] =>
  names.map((field) => ({ field, code: 'unknown_consent' }));

type TextField = 'eventSourceUrl' | 'referrerUrl' | 'currency' | 'orderId';

/** Adds a trimmed text; leaves it absent if empty. */
function addText(event: Building<UnopenedEvent>, field: TextField, value: string | undefined): void {
  const text = value?.trim();
  if (text) event[field] = text;
}
