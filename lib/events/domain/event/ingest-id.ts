// The id of one acceptance: a UUIDv7, whose time is the time of receipt.

/** Milliseconds since the epoch at which this UUIDv7 was made. */
export function ingestTimeMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
