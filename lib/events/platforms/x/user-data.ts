// Which variant of each identifier X takes, and when there is enough of them to match anybody.
import type { NormalizedEvent } from '../../domain/normalized-event.ts';
import { storedIds } from '../stored-ids.ts';

/**
 * One object per identifier; network address and browser share one. E-mail and phone (with plus) hashed, the rest as it
 * is. https://docs.x.com/x-ads-api/measurement/web-conversions
 */
export function identifiers(event: NormalizedEvent): readonly Readonly<Record<string, string>>[] {
  const { hashed, raw } = event;
  const twclid = storedIds(event).browserIds?.twclid;
  const device = {
    ...(raw.clientIp === undefined ? {} : { ip_address: raw.clientIp }),
    ...(raw.userAgent === undefined ? {} : { user_agent: raw.userAgent }),
  };
  return [
    ...(twclid === undefined ? [] : [{ twclid }]),
    ...(hashed.emailPlain === undefined ? [] : [{ hashed_email: hashed.emailPlain }]),
    ...(hashed.phoneE164 === undefined ? [] : [{ hashed_phone_number: hashed.phoneE164 }]),
    ...(Object.keys(device).length === 0 ? [] : [device]),
  ];
}

/** True when X can try to match somebody: network address and browser count only with a second identifier. */
export function isMatchable(given: readonly Readonly<Record<string, unknown>>[]): boolean {
  return given.flatMap((identifier) => Object.keys(identifier)).some(isStrong) || hasDevice(given);
}

const isStrong = (key: string): boolean => ['twclid', 'hashed_email', 'hashed_phone_number'].includes(key);

const hasDevice = (given: readonly Readonly<Record<string, unknown>>[]): boolean =>
  given.some(({ ip_address, user_agent }) => ip_address !== undefined && user_agent !== undefined);
