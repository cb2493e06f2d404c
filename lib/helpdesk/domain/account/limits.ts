/** Lengths of texts, in code points unless a name says otherwise. */
export const TEXT_LIMITS = {
  subjectChars: 500,
  bodyChars: 50_000,
  nameChars: 255,
  phoneChars: 64,
  companyChars: 255,
  reasonChars: 1_000,
  emailChars: 254,
  searchChars: 200,
  languageChars: 35,
  timezoneChars: 64,
  metadataBytes: 16_384,
  configBytes: 65_536,
} as const;

/** Records that a list can skip: a list is read from its newest entry on. */
export const OFFSET_MAX = 10_000;
/** Matches of a search that are counted. */
export const SEARCH_TOTAL_MAX = 1_000;
/** How far ahead a snooze may end. */
export const SNOOZE_MAX_MS = 50 * 365.25 * 86_400_000;
/** Counting reads what it counts: beyond this many it stops. */
export const TOTAL_MAX = 10_000;
