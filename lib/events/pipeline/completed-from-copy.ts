// A server's event, completed from the page's event of the same id: what only a browser knows of a visit is taken over.
// Pure. Guarantees: nothing the server's event carries is changed; no name, money, order, item or person is ever taken
// from a page, because its events need no credential; nothing is taken that either side denied, so that the stricter
// consent holds. The event names every field that was taken (`fromPage`).
import { CONSENT_SIGNALS, type Consent } from '../domain/event/consent.ts';
import type { UnopenedEvent } from '../domain/event/normalized-event.ts';
import { BROWSER_ID_KEYS, type BrowserIdKey, type RawIdentity } from '../domain/identity/identity.ts';

/** Google reads one of them: those of two clicks must not be mixed. */
export const GOOGLE_CLICKS: readonly BrowserIdKey[] = ['gclid', 'gbraid', 'wbraid'];
/** Cookies that are sent as they are and stay with a browser: two values are of two browsers. */
const COOKIES = ['fbp', 'ttp', 'sc_cookie1', 'rdt_uuid'] as const;
/** Google Analytics ends a session after this long without an event. */
const SESSION_MS = 1_800_000;

type Building<T> = { -readonly [K in keyof T]: T[K] };

/** The server's event itself where nothing can be taken from the page's. */
export function completedFromCopy(server: UnopenedEvent, page: UnopenedEvent): UnopenedEvent {
  if (!isOneVisit(server, page)) return server;
  const taken: string[] = [];
  const raw: Building<RawIdentity> = { ...server.raw };
  const browserIds: { [K in BrowserIdKey]?: string } = { ...raw.browserIds };
  for (const key of missingIds(server, page)) {
    const id = page.raw.browserIds?.[key];
    if (id === undefined) continue;
    browserIds[key] = id;
    taken.push(key);
  }
  if (taken.length > 0) raw.browserIds = browserIds;
  take(raw, page.raw, RAW_FIELDS, taken);
  const completed: Building<UnopenedEvent> = { ...server, raw };
  take(completed, page, ADDRESSES, taken);
  return taken.length === 0 ? server : { ...completed, fromPage: taken };
}

/**
 * True if the page's event reports what the server's does, of the same browser as far as both say, and the page denied
 * nothing that the server's event does not deny: its consent then is the stricter one already. A stranger who guesses
 * an id has to know the amount too.
 */
export function isOneVisit(server: UnopenedEvent, page: UnopenedEvent): boolean {
  return (
    page.bot !== true &&
    page.name === server.name &&
    page.customName === server.customName &&
    (page.value === undefined || (page.value === server.value && page.currency === server.currency)) &&
    COOKIES.every((key) => !differs(server.raw.browserIds?.[key], page.raw.browserIds?.[key])) &&
    allowsJoining(server.consent, page.consent)
  );
}

function allowsJoining(server: Consent, page: Consent): boolean {
  if (server.ad_storage === 'denied' || server.ad_user_data === 'denied') return false;
  return CONSENT_SIGNALS.every((signal) => page[signal] !== 'denied' || server[signal] === 'denied');
}

function missingIds(server: UnopenedEvent, page: UnopenedEvent): readonly BrowserIdKey[] {
  const own = server.raw.browserIds ?? {};
  const hasGoogleClick = GOOGLE_CLICKS.some((key) => own[key] !== undefined);
  const isOneSession =
    !differs(own.ga_client_id, page.raw.browserIds?.ga_client_id) &&
    Math.abs(server.eventTimeSec - page.eventTimeSec) * 1_000 <= SESSION_MS;
  return BROWSER_ID_KEYS.filter((key) => {
    if (own[key] !== undefined) return false;
    if (key === 'ga_session_id') return isOneSession;
    return !(hasGoogleClick && GOOGLE_CLICKS.includes(key));
  });
}

const differs = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

/** Their names on the wire. */
const RAW_FIELDS = { clientIp: 'client_ip', userAgent: 'user_agent', anonId: 'anon_id' } as const;
const ADDRESSES = { eventSourceUrl: 'event_source_url', referrerUrl: 'referrer_url' } as const;

function take<K extends string>(
  into: { [F in NoInfer<K>]?: string },
  from: { readonly [F in NoInfer<K>]?: string },
  fields: Readonly<Record<K, string>>,
  taken: string[],
): void {
  for (const field of Object.keys(fields) as K[]) {
    const value = from[field];
    if (into[field] !== undefined || value === undefined) continue;
    into[field] = value;
    taken.push(fields[field]);
  }
}
