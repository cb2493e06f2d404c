// The rules as they are stored, and what a change of one answers when somebody else was quicker.
import { useAsk } from '#dashboard/app/api.tsx';

export const RULES_KEY = ['rules'] as const;

export const useRules = () => useAsk(RULES_KEY, (client, signal) => client.listRules({}, { signal }));

/** The rule is in another version than was seen, or is gone. */
export const isMissed = (error: unknown): boolean =>
  error !== null &&
  typeof error === 'object' &&
  'status' in error &&
  [404, 412].includes(Number(error.status));
