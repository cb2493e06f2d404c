// Which variant of each identifier X takes, and when there is enough of them to match anybody.
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { storedIds } from '../stored-ids.ts';

/**
 * One object per identifier. Network address and browser share one: X takes neither of them where it is the only identifier. E-mail and phone (with plus) hashed, the rest as it is.
 * https://docs.x.com/x-ads-api/measurement/web-conversions
 */
export function identifiers(event: NormalizedEvent): readonly Readonly<Record<string, string>>[] {
  const { hashed, raw } = event;
  const twclid = storedIds(event).browserIds?.twclid;
  const { clientIp, userAgent } = raw;
  const own = [
    ...(twclid === undefined ? [] : [{ twclid }]),
    ...(hashed.emailPlain === undefined ? [] : [{ hashed_email: hashed.emailPlain }]),
    ...(hashed.phoneE164 === undefined ? [] : [{ hashed_phone_number: hashed.phoneE164 }]),
  ];
  const device = {
    ...(clientIp === undefined ? {} : { ip_address: clientIp }),
    ...(userAgent === undefined ? {} : { user_agent: userAgent }),
  };
  const parts = Object.keys(device).length;
  return parts === 2 || (parts === 1 && own.length > 0) ? [...own, device] : own;
}

/** True when X can try to match a person. */
export function isMatchable(given: readonly unknown[]): boolean {
  return given.length > 0;
}
