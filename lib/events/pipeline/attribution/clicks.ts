// The ad click that brought an event, and the identifiers that tie the events of one person together. Pure.
import { hash } from 'node:crypto';
import { ATTRIBUTION_WINDOW_MS, type Touch } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { isClickId } from '../../domain/identity/click-ids.ts';
import { BROWSER_ID_KEYS, type BrowserIdKey } from '../../domain/identity/identity.ts';
import { allowsJoining, type SeenClick } from '../../domain/people/clicks.ts';
import { type RecentClick, recentClick } from '../../domain/people/recent-clicks.ts';
import type { Platform } from '../../platforms/platform.ts';

type Sent = Pick<NormalizedEvent, 'merchantId' | 'eventTimeSec' | 'hashed' | 'raw' | 'fromEarlier'>;

/** When it happened; at most the time of receipt. */
export const happenedAtMs = ({ eventTimeSec }: Sent): number => eventTimeSec * 1_000;

/** Meta's cookie has the time of the click: `fb.1.<milliseconds>.<fbclid>`. */
const FBC_TIME = /^fb\.\d\.(\d{13})\./;

/**
 * The earliest of the clicks whose ids an event carries; of several at one time, that of the platform listed first. Ids that were
 * joined from earlier events are clicks of those.
 */
export function clickOf(
  event: Sent,
  platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[],
): Touch | null {
  const ids = event.raw.browserIds ?? {};
  const joined = event.fromEarlier ?? [];
  const eventMs = happenedAtMs(event);
  let first: Touch | null = null;
  for (const { slug, clickIds = [] } of platforms) {
    const carried = clickIds.find((key) => ids[key] !== undefined && !joined.includes(key));
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

/** The click ids that came with an event. */
export function clicksIn(event: Sent): readonly SeenClick[] {
  const ids = event.raw.browserIds ?? {};
  const joined = event.fromEarlier ?? [];
  return BROWSER_ID_KEYS.filter(isClickId).flatMap((key) => {
    const id = ids[key];
    if (id === undefined || joined.includes(key)) return [];
    return [{ key, id, atMs: clickedAtMs(key, id, happenedAtMs(event)) }];
  });
}

/** Those that may be kept: its person allows that they are used for advertising. */
export const keptClicksIn = (event: Sent & Pick<NormalizedEvent, 'consent'>): readonly SeenClick[] =>
  allowsJoining(event.consent) ? clicksIn(event) : [];

/** Those of `clicks` whose platform is known, in the order of the platforms. */
export const recentIn = (
  clicks: readonly SeenClick[],
  platforms: readonly Pick<Platform, 'slug' | 'clickIds'>[],
): readonly RecentClick[] =>
  platforms.flatMap(({ slug, clickIds = [] }) => {
    const own = clicks.find(({ key }) => clickIds.includes(key));
    return own === undefined ? [] : [recentClick(slug, own)];
  });

/** The most identifiers of one event that a click is stored under: two cookies and one by which the person is named. */
const KEYS_MAX = 3;
/** The same of an order, which is found by all that name its person: what it writes, it writes to at most so many items. */
const ORDER_KEYS_MAX = 4;
/** Cookies that most events carry, and others that stay with a browser. */
const COOKIES = ['fbp', 'ga_client_id'] as const;
const RARE_COOKIES = ['ttp', 'sc_cookie1', 'rdt_uuid'] as const;

type Identified = Pick<Sent, 'merchantId' | 'hashed' | 'raw'>;
type Identifier = readonly [kind: string, value: string];

/** Cookies first: an anonymous visit has no others. */
function identifiersOf({ hashed, raw }: Omit<Identified, 'merchantId'>) {
  const ids = raw.browserIds ?? {};
  const { anonId } = raw;
  return {
    cookies: COOKIES.flatMap((kind) => identifier(kind, ids[kind])),
    named: namesOf(hashed),
    rare: [...RARE_COOKIES.flatMap((kind) => identifier(kind, ids[kind])), ...identifier('anon_id', anonId)],
  };
}

const identifier = (kind: string, value: string | undefined): readonly Identifier[] =>
  value === undefined ? [] : [[kind, value]];

/** That are one person's, the surest first: a number last, since several may have it. */
const namesOf = ({ emailPlain, externalIds, phoneDigits }: Sent['hashed']): readonly Identifier[] => [
  ...identifier('email', emailPlain),
  ...identifier('external_id', externalIds?.[0]),
  ...identifier('phone', phoneDigits),
];

const keysOf = (merchantId: string, identifiers: readonly Identifier[]): readonly string[] =>
  identifiers.map(([kind, value]) => identityKey(merchantId, kind, value));

/** One key per identifier, by the merchant and kind: 132 bits of a digest. */
export function identityKeys(event: Identified): readonly string[] {
  const { cookies, named, rare } = identifiersOf(event);
  return keysOf(event.merchantId, [...cookies, ...named, ...rare].slice(0, KEYS_MAX));
}

export const namedKeys = ({ merchantId, hashed }: Omit<Identified, 'raw'>): readonly string[] =>
  keysOf(merchantId, namesOf(hashed));

/** Nothing is stored or looked up of it. */
export const isDenied = ({ consent }: Pick<NormalizedEvent, 'consent'>): boolean =>
  consent.analytics === 'denied';

/** Every key under which anything of the event's person may be stored. */
export function everyKey(event: Identified): readonly string[] {
  const { cookies, named, rare } = identifiersOf(event);
  return keysOf(event.merchantId, [...cookies, ...named, ...rare]);
}

export interface OrderKeys {
  /** Whose clicks count. */
  readonly looked: readonly string[];
  /** Under which a click that comes with the order is stored. */
  readonly clicked: readonly string[];
  /** That are one person's. */
  readonly named: readonly string[];
  /** Under which an order without a click is found: these, and cookies, by which a click that is normalized later finds it. */
  readonly noted: readonly string[];
}

export function orderKeys(event: Identified & Pick<NormalizedEvent, 'issues'>): OrderKeys {
  const { merchantId, issues, hashed } = event;
  const identifiers = identifiersOf(event);
  const cookies = keysOf(merchantId, identifiers.cookies);
  const all = keysOf(merchantId, identifiers.named);
  const isFull = cookies.length + all.length >= KEYS_MAX;
  const rare = isFull ? [] : keysOf(merchantId, identifiers.rare);
  const usual = [...cookies, ...all, ...rare].slice(0, KEYS_MAX);
  // Several people may have a number without its country code.
  const isShared = issues.some(({ code }) => code === 'phone_without_country_code');
  const shared = isShared && hashed.phoneDigits !== undefined ? all.at(-1) : undefined;
  const named = all.filter((key) => key !== shared);
  const clicked = named.length === 0 ? usual : [...named, ...cookies].slice(0, ORDER_KEYS_MAX);
  const others = usual.filter((key) => !clicked.includes(key));
  return {
    looked: [...clicked, ...others],
    clicked,
    named,
    noted: clicked.filter((key) => key !== shared),
  };
}

/** `value`: a digest, or a cookie as it was sent. */
export function identityKey(merchantId: string, kind: string, value: string): string {
  return hash('sha256', JSON.stringify([merchantId, kind, value]), 'base64url').slice(0, 22);
}
