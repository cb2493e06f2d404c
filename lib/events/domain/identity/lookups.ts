// The three tables identity normalization needs and does not own. Ports: the domain defines the questions, adapters
// answer. An answer depends on its arguments alone, and no call throws: unknown is null.

export interface IdentityLookups {
  /**
   * E.164 (`+` and 7 to 15 digits) of `phone` as dialled in `country`, or null when no number of that length exists
   * there. A phone with a leading `+` is read as international for every country. So are digits that are not a valid
   * number there but one of another country.
   * @param phone ASCII digits, optionally after `+`
   * @param country ISO 3166-1 alpha-2, uppercase; empty when unknown
   */
  nationalPhone(phone: string, country: string): string | null;
  /** ISO 3166-1 alpha-2, uppercase, of a code or an English name in any case; null when unknown. */
  countryCode(name: string): string | null;
  /**
   * ISO 3166-2 code without its country prefix, uppercase, 1 to 3 characters (`CA`, `NSW`, `13`), of a code or a name
   * in any case; null when `country` has no such subdivision.
   * @param country ISO 3166-1 alpha-2, uppercase
   */
  regionCode(name: string, country: string): string | null;
}
