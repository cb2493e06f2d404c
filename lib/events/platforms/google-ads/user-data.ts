// Which ids of a click and a device Google takes, and when there is enough of a person to match anybody.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { IdentityIssue } from '../../domain/identity/identity.ts';
import type { Fields } from '../answer.ts';
import { userIdentifiers } from '../google-ingest/request.ts';
import { storedIds } from '../stored-ids.ts';

/** One click id: the most telling. Google documents no precedence among several. Empty where storage was denied. */
export function clickId(event: NormalizedEvent): Readonly<Record<string, string>> {
  const ids = storedIds(event).browserIds;
  if (ids?.gclid !== undefined) return { gclid: ids.gclid };
  if (ids?.gbraid !== undefined) return { gbraid: ids.gbraid };
  if (ids?.wbraid !== undefined) return { wbraid: ids.wbraid };
  return {};
}

/** The advertising id, of what happened in an app. https://docs.cloud.google.com/nodejs/docs/reference/datamanager/latest/datamanager/protos.google.ads.datamanager.v1.iadidentifiers */
export function mobileDeviceId(event: NormalizedEvent): Fields {
  return { mobileDeviceId: event.actionSource === 'app' ? storedIds(event).madid : undefined };
}

/**
 * True when Google can try to match a person. `opened`: the plain values are there; before that, digests of the same
 * fields stand for them unless the merchant sent the digest itself.
 */
export function isMatchable(event: NormalizedEvent, opened: boolean): boolean {
  if (Object.keys(clickId(event)).length > 0 || userIdentifiers(event).length > 0) return true;
  if (opened) return false;
  const { firstNameGoogle, lastNameGoogle, country, postalCode } = event.hashed;
  const parts = [firstNameGoogle, lastNameGoogle, country, postalCode];
  return parts.every((part) => part !== undefined) && !event.issues.some(hidesAddress);
}

const hidesAddress = ({ field, code }: IdentityIssue): boolean =>
  code === 'already_hashed' && ['country', 'zip', 'postal_code'].includes(field);

/** The European Economic Area, the United Kingdom and Switzerland: Google does not match IP addresses there. */
const WITHOUT_IP_MATCHING: ReadonlySet<string> = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  ),
);

/** https://github.com/googleapis/googleapis/blob/master/google/ads/datamanager/v1/device_info.proto */
export function deviceInfo(event: NormalizedEvent, withIp: boolean): Fields {
  const { country } = event.plaintext;
  const matched = withIp && country !== undefined && !WITHOUT_IP_MATCHING.has(country);
  return { userAgent: event.raw.userAgent, ipAddress: matched ? event.raw.clientIp : undefined };
}
