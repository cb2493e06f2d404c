// Which variant of each identifier Microsoft takes, and which of them can stand alone.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { deviceKind } from '../device.ts';
import { storedIds } from '../stored-ids.ts';

/**
 * E-mail (without dots and +tag) and phone (with plus) hashed, the rest as it is. The external id is to be anonymized:
 * its digest is. https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration
 */
export function microsoftUserData(event: NormalizedEvent): Fields {
  const { hashed, raw } = event;
  const { browserIds: ids, madid } = storedIds(event);
  return {
    anonymousId: raw.anonId,
    externalId: hashed.externalIdsCased?.[0],
    em: hashed.emailMicrosoft,
    ph: hashed.phoneE164,
    msclkid: clickId(ids?.msclkid),
    clientIpAddress: raw.clientIp,
    clientUserAgent: raw.userAgent,
    ...advertiserId(madid, event),
  };
}

const IDENTIFIERS = ['anonymousId', 'externalId', 'em', 'ph', 'msclkid', 'idfa', 'gaid'];

/** True when there is one of the identifiers Microsoft asks for: an address and a browser are not enough. */
export function isMatchable(userData: Fields): boolean {
  return IDENTIFIERS.some((key) => userData[key] !== undefined);
}

const CLICK_ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Microsoft refuses the event for a click id that is none. The tag's cookie writes `_uet` before it. */
function clickId(text: string | undefined): string | undefined {
  const id = text?.replace(/^_uet/, '');
  return id !== undefined && CLICK_ID.test(id) ? id : undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The advertiser id under the name of its system. */
function advertiserId(
  madid: string | undefined,
  event: NormalizedEvent,
): { readonly idfa?: string; readonly gaid?: string } {
  const kind = deviceKind(event);
  if (madid === undefined || kind === undefined || !UUID.test(madid)) return {};
  return kind === 'ios' ? { idfa: madid } : { gaid: madid };
}
