// What becomes of later events of people who were erased, or who objected. Off where the merchant says nothing: erasing never meant
// that, and an event that stays away unasked is missing in the merchant's figures.

/** `without_identity`: sent where a platform takes the event without its person · `not_sent`: to no platform. */
export const SUPPRESSIONS = ['without_identity', 'not_sent'] as const;
export type Suppression = (typeof SUPPRESSIONS)[number];

/** By then every process knows the first person of a merchant's list: profiles are remembered for half a minute. */
export const SUPPRESSION_KNOWN_MS = 30_000;

/** To there it is counted how many there are. */
export const SUPPRESSED_COUNT_MAX = 100_000;

export const SUPPRESSION_IMPORT = {
  /** In one request: each is some ten items. */
  peopleMax: 500,
  sizeMaxBytes: 262_144,
} as const;

/** Of a merchant whose list is looked into. */
export interface Suppressing {
  readonly how: Suppression;
  /** Keys the digests of the list; made with the first person on it. */
  readonly key: string;
}

/** Undefined where nothing has to be looked for: the setting is off, or the list was never begun. */
export const suppressingOf = ({
  suppression,
  suppressionKey,
}: {
  readonly suppression?: Suppression;
  readonly suppressionKey?: string;
}): Suppressing | undefined =>
  suppression === undefined || suppressionKey === undefined
    ? undefined
    : { how: suppression, key: suppressionKey };
