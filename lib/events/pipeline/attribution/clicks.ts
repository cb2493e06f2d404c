// The ad click that brought an event, and the identifiers that tie the events of one person together. Pure.
import { hash } from 'node:crypto';
import { ATTRIBUTION_WINDOW_MS, type Touch } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { BrowserIdKey } from '../../domain/identity/identity.ts';
import type { Platform } from '../../platforms/platform.ts';

type Sent = Pick<NormalizedEvent, 'merchantId' | 'eventTimeSec' | 'hashed' | 'raw'>;

/** When it happened; at most the time of receipt. */
export const happenedAtMs = ({ eventTimeSec }: Sent): number => eventTimeSec * 1_000;

/** Meta's cookie has the time of the click: `fb.1.<milliseconds>.<fbclid>`. */
const FBC_TIME = /^fb\.\d\.(\d{13})\./;

/** The earliest of the clicks whose ids an event carries; of several at one time, that of the platform listed first. */
export function clickOf(
  event: Sent,
  platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[],
): Touch | null {
  const ids = event.raw.browserIds ?? {};
  const eventMs = happenedAtMs(event);
  let first: Touch | null = null;
  for (const { slug, clickIds = [] } of platforms) {
    const carried = clickIds.find((key) => ids[key] !== undefined);
    if (carried === undefined) continue;
    const atMs = clickedAtMs(carried, ids[carried] ?? '', eventMs);
    if (first === null || atMs < first.atMs) first = { platform: slug, atMs };
  }
  return first;
}

function clickedAtMs(key: BrowserIdKey, id: string, eventMs: number): number {
  const said = key === 'fbc' ? Number(FBC_TIME.exec(id)?.[1] ?? Number.NaN) : Number.NaN;
  return said <= eventMs && eventMs - said <= ATTRIBUTION_WINDOW_MS ? said : eventMs;
}

/** The most identifiers of one event that a click is stored under: two cookies and one by which the person is named. */
const KEYS_MAX = 3;
/** The same of an order, which is found by all that name its person: what it writes, it writes to at most so many items. */
const ORDER_KEYS_MAX = 4;
/** Cookies that most events carry, and others that stay with a browser. */
const COOKIES = ['fbp', 'ga_client_id'] as const;
const RARE_COOKIES = ['ttp', 'sc_cookie1', 'rdt_uuid'] as const;

type Identified = Pick<Sent, 'merchantId' | 'hashed' | 'raw'>;

/** Identifiers of the person, cookies first: an anonymous visit has no others. */
function identifiersOf(event: Identified) {
  const { raw, merchantId } = event;
  const ids = raw.browserIds ?? {};
  const keyed = (kind: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [identityKey(merchantId, kind, value)];
  return {
    cookies: COOKIES.flatMap((kind) => keyed(kind, ids[kind])),
    named: namesOf(event.hashed).flatMap(([kind, value]) => keyed(kind, value)),
    rare: [...RARE_COOKIES.flatMap((kind) => keyed(kind, ids[kind])), ...keyed('anon_id', raw.anonId)],
  };
}

const namesOf = ({ emailPlain, externalIds, phoneDigits }: Sent['hashed']) =>
  [
    ['email', emailPlain],
    ['external_id', externalIds?.[0]],
    ['phone', phoneDigits],
  ] as const;

/** One key per identifier, by the merchant and kind: 132 bits of a digest. */
export function identityKeys(event: Identified): readonly string[] {
  const { cookies, named, rare } = identifiersOf(event);
  return [...cookies, ...named, ...rare].slice(0, KEYS_MAX);
}

/** Of identifiers that are one person's, the surest first. */
export const namedKeys = ({ merchantId, hashed }: Omit<Identified, 'raw'>): readonly string[] =>
  identifiersOf({ merchantId, hashed, raw: {} }).named;

/** Every key under which anything of the event's person may be stored. */
export function everyKey(event: Identified): readonly string[] {
  const { cookies, named, rare } = identifiersOf(event);
  return [...cookies, ...named, ...rare];
}

export interface OrderKeys {
  /** Whose clicks count. */
  readonly looked: readonly string[];
  /** Under which a click that comes with the order is stored. */
  readonly clicked: readonly string[];
  /** Under which the order is found: identifiers that are one person's. */
  readonly named: readonly string[];
}

export function orderKeys(event: Identified & Pick<NormalizedEvent, 'issues'>): OrderKeys {
  const usual = identityKeys(event);
  // Several people may have a number without its country code.
  const isShared = event.issues.some(({ code }) => code === 'phone_without_country_code');
  const { phoneDigits: _, ...withoutPhone } = event.hashed;
  const { merchantId } = event;
  const named = namedKeys({ merchantId, hashed: isShared ? withoutPhone : event.hashed });
  const { cookies } = identifiersOf(event);
  const clicked = named.length === 0 ? usual : [...named, ...cookies].slice(0, ORDER_KEYS_MAX);
  return { looked: [...new Set([...usual, ...clicked])], clicked, named };
}

/** `value`: a digest, or a cookie as it was sent. */
export function identityKey(merchantId: string, kind: string, value: string): string {
  return hash('sha256', JSON.stringify([merchantId, kind, value]), 'base64url').slice(0, 22);
}
