// Ids derived from what they identify, so that a repeated attempt produces the same id.
import { createHash } from 'node:crypto';

const TIME_MAX_MS = 2 ** 48;

/** A UUIDv7 of this time whose other bits are the parts' hash. Throws a RangeError for a time that does not fit. */
export function derivedUuidv7(atMs: number, ...parts: readonly string[]): string {
  if (!Number.isSafeInteger(atMs) || atMs < 0 || atMs >= TIME_MAX_MS)
    throw new RangeError(`a UUIDv7 cannot carry ${atMs} ms`);
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * The id of what a request creates under this name: equal for all attempts with the same root; a fresh id without a
 * root. Its time is that of the first attempt.
 */
export const idOfRequest = (idRoot: string | undefined, name: string, fresh: () => string): string =>
  idRoot === undefined ? fresh() : derivedUuidv7(timeOfUuidv7(idRoot), idRoot, name);

/** ms */
export const timeOfUuidv7 = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
