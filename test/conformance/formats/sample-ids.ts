// Whose the samples are, and when they came.
import { T0 } from '../stores/event-rows.ts';

export const MERCHANT = '8f14e45f-ceea-467f-a111-00000000f0f0';

/** A UUIDv7 of the minute. */
export function laterId(offsetMs: number): string {
  const hexMs = (T0 + offsetMs).toString(16).padStart(12, '0');
  return `${hexMs.slice(0, 8)}-${hexMs.slice(8)}-7abc-8def-0123456789ab`;
}

export const INGEST_ID = laterId(0);
