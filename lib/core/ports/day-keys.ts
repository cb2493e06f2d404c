/** What the key of a day is sealed as, under its merchant's data key. */
export const dayKeyContext = (day: string): string => `day-key/${day}`;

/**
 * Where the data keys of a merchant's days rest, wrapped: one per UTC day (`2026-11-21`) on which something personal was
 * received. Deleting a day's key erases everything sealed under it.
 */
export interface DayKeyStore {
  /** Consistent read; null when there is none, or none any more. */
  read(merchantId: string, day: string): Promise<string | null>;
  /** Stores the key unless there is one; answers the one that is stored afterwards. */
  create(merchantId: string, day: string, wrapped: string): Promise<string>;
  /** Deletes the keys of all days before `day`; answers how many there were. */
  eraseBefore(merchantId: string, day: string): Promise<number>;
}
