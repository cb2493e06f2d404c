// The shop of these pages and the person's permissions: one request, shared by all pages, since each explains what a
// role does not allow.
import { codeOf, statusOf } from '../parts/problems.ts';
import { type HelpdeskAnswer, useAsk, useHelpdesk } from './api.tsx';
import type { Caller } from './pages.ts';

export const useAccount = () => useAsk('getAccount', {}, { keep: true });

/** All shops that the person may choose; empty until they are known. */
export const useShops = () => useAsk('getPerson', {}).data?.merchants ?? [];

/** Whether the person may make a shop here; undefined until it is known. */
export const useMayMakeShop = () => useAsk('getPerson', {}).data?.may_create_merchant;

/** The person's scopes in the helpdesk, the name under which the person writes, and the workspace's time zone. */
export const useMe = (enabled = true) => useHelpdesk('getMe', {}, { enabled });

type Scope = HelpdeskAnswer<'getMe'>['caller']['scopes'][number];

/** It may be answered in a while. */
const isPassing = (error: unknown): boolean => (statusOf(error) ?? 0) >= 500 || statusOf(error) === 429;

export interface Who {
  readonly caller: Caller | undefined;
  /** Name of the shop, or of its helpdesk if the person sees nothing else. */
  readonly name: string | undefined;
  /** Signed in, and a member of no shop, or not of the one chosen here. */
  readonly isStranger: boolean;
  /** Of several shops, none is chosen. */
  readonly mustChoose: boolean;
  readonly error: unknown;
  readonly refetch: () => void;
  /** True while the helpdesk is asked about a person whom the event API refused. */
  readonly isAsking: boolean;
}

/** A person whom the event API refuses may still have the helpdesk: an agent, or a person invited with a helpdesk key. */
export function useWho(): Who {
  const { data: account, error, refetch } = useAccount();
  // Of a suspended merchant everything is refused, with a sentence that says whom to ask.
  const isRefused =
    account === undefined && statusOf(error) === 403 && codeOf(error) !== 'merchant_suspended';
  const me = useMe(isRefused);
  const mustChoose = codeOf(error) === 'merchant_required';
  const known = { isStranger: false, mustChoose, isAsking: false, error: null, refetch } as const;
  if (account !== undefined) return { ...known, caller: account.caller, name: account.account.name };
  const unknown = { ...known, caller: undefined, name: undefined };
  if (!isRefused) return { ...unknown, error };
  if (me.data === undefined) {
    const isStranger = me.error !== null && !isPassing(me.error);
    return { ...unknown, isStranger, isAsking: me.error === null, error: me.error, refetch: me.refetch };
  }
  const { caller, workspace } = me.data;
  const limited = { role: caller.role, operations: [], only: 'helpdesk' } as const;
  return { ...known, caller: limited, name: workspace.name };
}

/** Why the person may not call the operation; undefined if it is allowed, or not known yet. */
export function useRefusal(operation: string): string | undefined {
  const { data } = useAccount();
  if (data === undefined || data.caller.operations.includes(operation)) return undefined;
  return `Your role (${data.caller.role ?? 'none'}) does not allow this: ask an owner or an admin.`;
}

/** As above, of what needs a scope of the helpdesk. */
export function useScopeRefusal(scope: Scope): string | undefined {
  const { data } = useMe();
  if (data === undefined || data.caller.scopes.includes(scope)) return undefined;
  return `your role (${data.caller.role ?? 'none'}) does not allow that; ask an owner or an admin.`;
}
