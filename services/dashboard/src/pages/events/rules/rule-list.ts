// The stored rules, and the answers to a change that lost against another person's.
import { useAsk } from '#dashboard/app/api.tsx';

export const RULES_KEY = ['rules'] as const;

export const useRules = () => useAsk(RULES_KEY, (client, signal) => client.listRules({}, { signal }));

/** The rule has another version than the one that was shown, or is gone. */
export const isMissed = (error: unknown): boolean =>
  error !== null &&
  typeof error === 'object' &&
  'status' in error &&
  [404, 412].includes(Number(error.status));
