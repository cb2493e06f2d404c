import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';

/** Tables that know no number, country or region. */
export const NO_LOOKUPS: IdentityLookups = {
  nationalPhone: () => null,
  countryCode: () => null,
  regionCode: () => null,
};
