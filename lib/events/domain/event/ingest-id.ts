// The id of one acceptance: a UUIDv7, whose time is the time of receipt.

/** Milliseconds since the epoch at which this UUIDv7 was made. */
export function ingestTimeMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** Below every id of this millisecond: ids compare as text the way their times compare. */
export function ingestIdFloor(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-`;
}
