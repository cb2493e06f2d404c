// The person at the helpdesk: permissions, name as an author, and the workspace's time zone.
import type { HelpdeskClient } from '#lib/client/helpdesk-client.ts';
import { useAsk } from '../../app/api.tsx';

type Scope = Awaited<ReturnType<HelpdeskClient['getMe']>>['body']['caller']['scopes'][number];

export const ME_KEY = ['helpdesk', 'me'] as const;

export const useMe = () => useAsk(ME_KEY, (_client, signal, helpdesk) => helpdesk.getMe({}, { signal }));

/** Why the person lacks the scope; undefined if not, or while it is unknown. */
export function useScopeRefusal(scope: Scope): string | undefined {
  const { data } = useMe();
  if (data === undefined || data.caller.scopes.includes(scope)) return undefined;
  return `your role (${data.caller.role ?? 'none'}) does not allow that; ask an owner or an admin.`;
}
