// Which variant of each identifier OpenAI takes: https://developers.openai.com/ads/conversions-api (Send user data). Any other
// field there refuses the request; telephone numbers and their digests are unwanted.
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';

const CITY_MAX_CHARS = 128;
const ZIP_CODE = /^[A-Za-z0-9 -]{1,32}$/;

export function openaiAdsUser({ hashed, raw, plaintext }: NormalizedEvent): Fields {
  const { city, postalCode = '', country } = plaintext;
  return {
    email_sha256: hashed.emailPlain,
    external_id_sha256: hashed.externalIdsCased?.[0],
    country,
    city: city === undefined ? undefined : [...city].slice(0, CITY_MAX_CHARS).join(''),
    zip_code: ZIP_CODE.test(postalCode) ? postalCode : undefined,
    ip_address: raw.clientIp,
    user_agent: raw.userAgent,
  };
}
