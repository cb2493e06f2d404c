// Which variant of each identifier LinkedIn takes.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { storedIds } from '../stored-ids.ts';

export interface UserId {
  readonly idType: 'SHA256_EMAIL' | 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID' | 'PLAINTEXT_IP_ADDRESS';
  readonly idValue: string;
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/conversions-api#idtype */
export function userIds(event: NormalizedEvent, withIp: boolean): readonly UserId[] {
  const { hashed, raw } = event;
  const clickId = storedIds(event).browserIds?.li_fat_id;
  const ip = withIp && raw.clientIp !== undefined && IPV4.test(raw.clientIp) ? raw.clientIp : undefined;
  const ids: UserId[] = [];
  if (hashed.emailPlain !== undefined) ids.push({ idType: 'SHA256_EMAIL', idValue: hashed.emailPlain });
  if (clickId !== undefined) ids.push({ idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: clickId });
  if (ip !== undefined) ids.push({ idType: 'PLAINTEXT_IP_ADDRESS', idValue: ip });
  return ids;
}

/** Unhashed, and only with both names: LinkedIn refuses `userInfo` without one of them. */
export function userInfo({ plaintext }: NormalizedEvent): Fields | undefined {
  const { firstName, lastName, country } = plaintext;
  if (!firstName || !lastName) return undefined;
  return { firstName, lastName, countryCode: country };
}
