// How well platforms can match events to people, by what is known of them. Pure.

import type { KnownField } from '../event/known-fields.ts';
import type { BucketCounters } from './analytics.ts';

/** What each piece of identity is worth for a match. */
const MATCH_WEIGHTS: Partial<Readonly<Record<KnownField, number>>> = {
  email: 30,
  phone: 20,
  external_id: 10,
  client_ip: 8,
  user_agent: 7,
  fbp: 5,
  fbc: 5,
  first_name: 3,
  last_name: 3,
  postal_code: 3,
  city: 2,
  country: 2,
  state: 1,
  date_of_birth: 1,
};

const ALL = Object.values(MATCH_WEIGHTS).reduce((sum, weight) => sum + weight, 0);

/** Those that are worth asking a merchant for, the most useful first. */
export const HINTED_FIELDS: readonly KnownField[] = (Object.entries(MATCH_WEIGHTS) as [KnownField, number][])
  .filter(([, weight]) => weight >= 3)
  .map(([field]) => field);

type Counted = Pick<BucketCounters, 'events' | 'completeness'>;

/** 0..1: how much of what platforms match people by the events carried; null without events. */
export function matchQuality(counted: Counted): number | null {
  if (counted.events === 0) return null;
  const fields = Object.keys(MATCH_WEIGHTS) as KnownField[];
  return fields.reduce((sum, field) => sum + (MATCH_WEIGHTS[field] ?? 0) * shareOf(field, counted), 0) / ALL;
}

/** 0..1: what the field adds to the quality once every event has it. */
export function gainOf(field: KnownField, counted: Counted): number {
  if (counted.events === 0) return 0;
  return ((MATCH_WEIGHTS[field] ?? 0) / ALL) * (1 - shareOf(field, counted));
}

/** Of the events. */
export function shareOf(field: KnownField, { events, completeness }: Counted): number {
  return events === 0 ? 0 : Math.min(1, (completeness[field] ?? 0) / events);
}
