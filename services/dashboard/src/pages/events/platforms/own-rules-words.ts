// A connection's own list of events and consent, in words and as they are typed.
import type { Connection } from '../platform-list.ts';
import { SIGNALS } from '../words.ts';

/** Null where it has none of its own. */
export function ownRulesText({ events, consent }: Pick<Connection, 'events' | 'consent'>): string | null {
  const parts = [
    ...(events === null ? [] : [`gets only ${events.join(', ')}`]),
    ...(consent === null ? [] : [consentText(consent)]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

function consentText({ require, countries }: NonNullable<Connection['consent']>): string {
  const signals = require.map((signal) => SIGNALS[signal]).join(', ');
  return `only with consent to ${signals}${countries === undefined ? '' : ` of people in ${countries.join(', ')}`}`;
}

/** Typed with commas between; each once. */
export const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];
