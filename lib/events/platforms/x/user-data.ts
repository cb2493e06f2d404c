// Which variant of each identifier X takes, and when there is enough of them to match anybody.
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { storedIds } from '../stored-ids.ts';

/**
 * One object per identifier. Network address and browser share one and go only together: X takes neither of them alone
 * for an identifier. E-mail and phone (with plus) hashed, the rest as it is.
 * https://docs.x.com/x-ads-api/measurement/web-conversions
 */
export function identifiers(event: NormalizedEvent): readonly Readonly<Record<string, string>>[] {
  const { hashed, raw } = event;
  const twclid = storedIds(event).browserIds?.twclid;
  const { clientIp, userAgent } = raw;
  return [
    ...(twclid === undefined ? [] : [{ twclid }]),
    ...(hashed.emailPlain === undefined ? [] : [{ hashed_email: hashed.emailPlain }]),
    ...(hashed.phoneE164 === undefined ? [] : [{ hashed_phone_number: hashed.phoneE164 }]),
    ...(clientIp === undefined || userAgent === undefined
      ? []
      : [{ ip_address: clientIp, user_agent: userAgent }]),
  ];
}

/** True when X can try to match a person. */
export function isMatchable(given: readonly unknown[]): boolean {
  return given.length > 0;
}
