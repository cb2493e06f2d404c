// Identifiers that live on a person's device: cookies, click ids, the advertising id. `ad_storage` is the consent to
// read them, on the web as in apps (https://developers.google.com/tag-platform/security/concepts/consent-mode, read
// 2026-11-21). Guarantees: none of them where it was denied.

import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import type { BrowserIds, Sha256Hex } from '../domain/identity/identity.ts';

export interface StoredIds {
  readonly browserIds?: BrowserIds;
  /** The advertising id of the device, lowercase. */
  readonly madid?: string;
  readonly madidHashed?: Sha256Hex;
}

/** What may be used of what was read from the device. */
export function storedIds({
  consent,
  raw,
  hashed,
}: Pick<NormalizedEvent, 'consent' | 'raw' | 'hashed'>): StoredIds {
  if (consent.ad_storage === 'denied') return {};
  return {
    ...(raw.browserIds === undefined ? {} : { browserIds: raw.browserIds }),
    ...(raw.madid === undefined ? {} : { madid: raw.madid }),
    ...(hashed.madid === undefined ? {} : { madidHashed: hashed.madid }),
  };
}
