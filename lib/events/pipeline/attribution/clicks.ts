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

/** The most identifiers of one event that are looked up or stored: two cookies and one by which the person is named. */
const KEYS_MAX = 3;
/** Cookies that stay with a browser, besides those that most events carry. */
const RARE_COOKIES = ['ttp', 'sc_cookie1', 'rdt_uuid'] as const;

type Identifier = readonly [kind: string, value: string];

/** Identifiers of the person, cookies first: an anonymous visit has no others. */
export function identifiersOf({ hashed, raw }: Pick<Sent, 'hashed' | 'raw'>): readonly Identifier[] {
  const ids = raw.browserIds ?? {};
  const found: Identifier[] = [];
  const add = (kind: string, value: string | undefined): void => {
    if (value !== undefined && found.length < KEYS_MAX) found.push([kind, value]);
  };
  add('fbp', ids.fbp);
  add('ga_client_id', ids.ga_client_id);
  add('email', hashed.emailPlain);
  add('external_id', hashed.externalIds?.[0]);
  add('phone', hashed.phoneDigits);
  for (const kind of RARE_COOKIES) add(kind, ids[kind]);
  add('anon_id', raw.anonId);
  return found;
}

/** One key per identifier, by the merchant and kind: 132 bits of a digest. */
export const identityKeys = (event: Pick<Sent, 'merchantId' | 'hashed' | 'raw'>): readonly string[] =>
  identifiersOf(event).map(([kind, value]) => identityKey(event.merchantId, kind, value));

/** `value`: a digest, or a cookie as it was sent. */
export function identityKey(merchantId: string, kind: string, value: string): string {
  return hash('sha256', JSON.stringify([merchantId, kind, value]), 'base64url').slice(0, 22);
}
