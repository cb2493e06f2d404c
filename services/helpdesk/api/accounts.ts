// The workspace's account, stored or made of defaults.
import type { Account } from '#lib/helpdesk/domain/account/account.ts';
import { type AccountConfig, accountConfigOf } from '#lib/helpdesk/domain/account/config.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { HelpdeskApiPorts } from './ports.ts';

/** Version 0: made of defaults, not stored. */
export async function accountOf(
  workspaceId: string,
  ports: Pick<HelpdeskApiPorts, 'stores' | 'config'>,
): Promise<Stored<Account>> {
  const stored = await ports.stores.accounts.read(workspaceId, workspaceId);
  return stored ?? (await defaultAccount(workspaceId, ports));
}

/** With the workspace's name in core. */
export async function defaultAccount(
  workspaceId: string,
  { config }: Pick<HelpdeskApiPorts, 'config'>,
): Promise<Stored<Account>> {
  const merchant = await config.merchant(workspaceId);
  const atMs = merchant?.createdAtMs ?? 0;
  const record: Account = {
    id: workspaceId,
    workspaceId,
    name: merchant?.name ?? workspaceId,
    defaultLanguage: 'en',
    defaultTimezone: 'UTC',
    config: '{}',
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
  return { record, version: 0, outbox: [], dueAtMs: null };
}

export async function configOf(
  workspaceId: string,
  { stores }: Pick<HelpdeskApiPorts, 'stores'>,
): Promise<AccountConfig> {
  return accountConfigOf((await stores.accounts.read(workspaceId, workspaceId))?.record ?? null);
}
