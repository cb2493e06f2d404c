// The shop of these pages and the person's permissions: one request, shared by all pages, since each explains what a
// role does not allow.
import { useAsk } from './api.tsx';

const FOREVER = { keep: true } as const;

export const useAccount = () =>
  useAsk(['account'], (client, signal) => client.getAccount({}, { signal }), FOREVER);

/** Why the person may not call the operation; undefined if it is allowed, or not known yet. */
export function useRefusal(operation: string): string | undefined {
  const { data } = useAccount();
  if (data === undefined || data.caller.operations.includes(operation)) return undefined;
  return `Your role (${data.caller.role ?? 'none'}) does not allow this: ask an owner or an admin.`;
}
