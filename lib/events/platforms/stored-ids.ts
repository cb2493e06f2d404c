// Identifiers that live on a person's device: cookies, click ids, the advertising id. `ad_storage` is the consent to
// read them, on the web as in apps (https://developers.google.com/tag-platform/security/concepts/consent-mode, read
// 2026-11-21). Guarantees: none of them where it was denied, and no advertising id where the device forbids apps to track
// (https://developer.apple.com/documentation/apptrackingtransparency, read 2026-11-27).

import { type AppPart, isTrackingAllowed } from '../domain/event/app.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import type { BrowserIds, Sha256Hex } from '../domain/identity/identity.ts';

export interface StoredIds {
  readonly browserIds?: BrowserIds;
  /** The advertising id of the device, lowercase. */
  readonly madid?: string;
  readonly madidHashed?: Sha256Hex;
  /** Apple's id of the device for one maker of apps; may be used where tracking may not. */
  readonly vendorId?: string;
  /** Meta's words of the link that opened the app. */
  readonly campaignIds?: string;
}

/** What may be used of what was read from the device. */
export function storedIds({
  consent,
  raw,
  hashed,
  app = {},
}: Pick<NormalizedEvent, 'consent' | 'raw' | 'hashed' | 'app'>): StoredIds {
  if (consent.ad_storage === 'denied') return {};
  const mayTrack = isTrackingAllowed(app) !== false;
  return {
    ...(raw.browserIds === undefined ? {} : { browserIds: raw.browserIds }),
    ...(raw.madid === undefined || !mayTrack ? {} : { madid: raw.madid }),
    ...(hashed.madid === undefined || !mayTrack ? {} : { madidHashed: hashed.madid }),
    ...idsOfApp(app),
  };
}

const idsOfApp = ({ vendor_id: vendorId, campaign_ids: campaignIds }: AppPart): StoredIds => ({
  ...(vendorId === undefined ? {} : { vendorId }),
  ...(campaignIds === undefined ? {} : { campaignIds }),
});
