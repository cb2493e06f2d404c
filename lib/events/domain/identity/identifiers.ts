// External ids, and what is sent as it is: IP, user agent, advertiser id; click and browser ids are in browser-ids.ts.
// Guarantees: trimmed, never empty, case kept except the advertiser id's. Refuses an IP that is none, and raw values with
// control characters.

import { addBrowserIds } from './browser-ids.ts';
import { sha256 } from './digest.ts';
import { type IdentityDraft, isPrintableAscii, note, readHashable, readText } from './draft.ts';
import type { Sha256Hex } from './identity.ts';
import { isIp } from './ip.ts';

/** `customer_id` first, then `external_ids`; each both lowercased (Meta) and as written (TikTok, Reddit). */
export function addExternalIds(draft: IdentityDraft): void {
  const lowered: Sha256Hex[] = [];
  const cased: Sha256Hex[] = [];
  const add = (field: string, value: string | null | undefined): void => {
    const id = readHashable(draft, field, value, true);
    if (id === null) return;
    if (id.digest === null && id.text === '0') {
      // The customer number shops give to everybody who is not logged in.
      note(draft, field, 'literal_null');
      return;
    }
    if (id.digest === null) draft.plain.externalId ??= id.text;
    const lower = id.text.toLowerCase();
    const digest = id.digest ?? sha256(lower);
    pushNew(lowered, digest);
    pushNew(cased, id.digest !== null || lower === id.text ? digest : sha256(id.text));
  };
  add('customer_id', draft.userData.customer_id);
  for (const id of draft.userData.external_ids ?? []) add('external_ids', id);
  if (lowered.length > 0) draft.hashed.externalIds = lowered;
  if (cased.length > 0) draft.hashed.externalIdsCased = cased;
}

function pushNew(digests: Sha256Hex[], digest: Sha256Hex): void {
  if (!digests.includes(digest)) digests.push(digest);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const CONTROL = /[\u0000-\u001f\u007f]/;

function readRaw(draft: IdentityDraft, field: string, value: string | null | undefined): string | null {
  const text = readText(draft, field, value);
  if (text === null || isPrintableAscii(text) || !CONTROL.test(text)) return text;
  note(draft, field, 'malformed');
  return null;
}

const RAW_FIELDS = [
  ['user_agent', 'userAgent'],
  ['fb_login_id', 'fbLoginId'],
  ['subscription_id', 'subscriptionId'],
  ['lead_id', 'leadId'],
  ['anon_id', 'anonId'],
  ['ctwa_clid', 'ctwaClid'],
] as const;

export function addRaw(draft: IdentityDraft): void {
  addClientIp(draft, 'client_ip') || addClientIp(draft, 'ip');
  for (const [field, name] of RAW_FIELDS) {
    const text = readRaw(draft, field, draft.userData[field]);
    if (text !== null) draft.raw[name] = text;
  }
  addMadid(draft);
  addBrowserIds(draft);
}

function addClientIp(draft: IdentityDraft, field: 'client_ip' | 'ip'): boolean {
  const text = readText(draft, field, draft.userData[field]);
  if (text === null) return false;
  if (!isIp(text)) {
    note(draft, field, 'not_an_ip');
    return false;
  }
  draft.raw.clientIp = text;
  return true;
}

function addMadid(draft: IdentityDraft): void {
  const madid = readHashable(draft, 'madid', draft.userData.madid, true);
  if (madid === null) return;
  const lower = madid.text.toLowerCase();
  draft.hashed.madid = madid.digest ?? sha256(lower);
  if (madid.digest === null) draft.raw.madid = lower;
}
