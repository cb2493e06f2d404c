// Click and browser identifiers: as sent, else from the address of the page, else from that of the page before.
// Guarantees: reads what the pixel would have read from that address; every identifier has the form its platform
// documents or is left out with an issue, because an id of no real click costs the match of the whole event.
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { FBCLID, PARAMETERS, queryOf } from './click-ids.ts';
import { type IdentityDraft, note, readText } from './draft.ts';
import { BROWSER_ID_KEYS, type BrowserIdKey, type IdentityIssue } from './identity.ts';

/** Where and when the person was seen, for click identifiers. */
export interface Visit {
  /** When the event happened, Unix milliseconds. */
  readonly atMs: number;
  /** Of the page, then of the page before it; empty if consent to read the device was denied. */
  readonly addresses: readonly string[];
}

export function addBrowserIds(draft: IdentityDraft): void {
  const sent = draft.userData.browser_ids ?? {};
  const queries = (draft.visit?.addresses ?? []).flatMap(queryOf);
  const browserIds: { [K in BrowserIdKey]?: string } = {};
  let found = false;
  for (const key of BROWSER_ID_KEYS) {
    const id = read(draft, key, sent[key]) ?? fromAddress(draft, key, queries);
    if (id === null) continue;
    browserIds[key] = id;
    found = true;
  }
  if (found) draft.raw.browserIds = browserIds;
}

function fromAddress(
  draft: IdentityDraft,
  key: BrowserIdKey,
  queries: readonly URLSearchParams[],
): string | null {
  const parameter = PARAMETERS.get(key);
  if (parameter === undefined) return null;
  for (const query of queries) {
    // A parameter without a value is common in links, and not a mistake of the sender.
    const value = query.get(parameter)?.trim();
    if (!value) continue;
    const id = read(draft, key, value, parameter === FBCLID);
    if (id !== null) return id;
  }
  return null;
}

/** `isBare`: Meta's click id as it stands in an address. */
function read(
  draft: IdentityDraft,
  key: BrowserIdKey,
  value: string | undefined,
  isBare = false,
): string | null {
  const text = readText(draft, fieldOf(key), value);
  if (text === null) return null;
  if (!ID.test(text)) return refuse(draft, key, 'not_an_identifier');
  if (PLACEHOLDER.test(text)) return refuse(draft, key, 'literal_null');
  if (key === 'fbp') return readMetaId(draft, key, text);
  if (key === 'fbc')
    return isBare || BARE_FBCLID.test(text) ? fbcOf(draft, text) : readMetaId(draft, key, text);
  return key === 'ga_session_id' ? readSession(draft, text) : text;
}

/** No vendor's id has a blank or a character beyond ASCII. */
const ID = /^[!-~]+$/;
/** What an unfilled template or macro leaves, and words for yes and no. */
const PLACEHOLDER = /^(?:\$?\{.*\}|\[.*\]|<.*>|%.*%|__.*__|true|false|0)$/i;
/** An `fbclid` has no dots and 61 characters or more; a typed word has fewer. */
const BARE_FBCLID = /^[\w-]{20,}$/;
/** `fb.<subdomain index>.<Unix milliseconds>.<what the id is>`. */
const META_ID = /^fb\.\d{1,2}\.(\d{13})\../;

/** Meta drops earlier clicks. */
const FBC_AGE_MAX_MS = 90 * DAY_MS;
/** Browser clocks are off by up to this. */
const CLOCK_AHEAD_MAX_MS = 600_000;

/** Built from the address as the pixel does: the click is assumed to have happened with the event. */
function fbcOf(draft: IdentityDraft, fbclid: string): string | null {
  const atMs = draft.visit?.atMs;
  return atMs === undefined ? refuse(draft, 'fbc', 'not_an_identifier') : `fb.1.${atMs}.${fbclid}`;
}

function readMetaId(draft: IdentityDraft, key: 'fbc' | 'fbp', text: string): string | null {
  const said = META_ID.exec(text)?.[1];
  if (said === undefined) return refuse(draft, key, 'not_an_identifier');
  const madeMs = Number(said);
  if (madeMs > draft.nowMs + CLOCK_AHEAD_MAX_MS) return refuse(draft, key, 'click_out_of_time');
  const isOld = key === 'fbc' && (draft.visit?.atMs ?? 0) - madeMs > FBC_AGE_MAX_MS;
  return isOld ? refuse(draft, key, 'click_out_of_time') : text;
}

/**
 * Unix seconds; also in the form of Google's cookie `_ga_<stream>`: `GS1.1.<session>.…`, or `GS2.1.s<session>$o…` since
 * 2025.
 */
const SESSION = /^(?:GS1\.\d\.(\d+)(?:\..*)?|GS2\.\d\.s(\d+)(?:\$.*)?|(\d+))$/;

function readSession(draft: IdentityDraft, text: string): string | null {
  const [, first, second, plain] = SESSION.exec(text) ?? [];
  return first ?? second ?? plain ?? refuse(draft, 'ga_session_id', 'not_an_identifier');
}

function refuse(draft: IdentityDraft, key: BrowserIdKey, code: IdentityIssue['code']): null {
  note(draft, fieldOf(key), code);
  return null;
}

const fieldOf = (key: BrowserIdKey): string => `browser_ids.${key}`;
