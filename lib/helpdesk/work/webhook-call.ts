// Webhooks of the helpdesk: who sends, which id its events have, and the secrets that sign.
import type { Clock } from '../../core/ports/clock.ts';
import type { Vault } from '../../core/ports/vault.ts';
import { secretContext } from '../../core/webhooks/signature.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';

/** How webhooks name their sender. */
export const WEBHOOK_USER_AGENT = 'Helpdesk-Webhooks/1';

/** The same to each webhook. */
export const messageIdOf = (eventId: string): string => `msg_${eventId.replaceAll('-', '')}`;

/** Those that sign, the newest first. Throws where the vault does. */
export async function openSecrets(
  workspaceId: string,
  webhook: Pick<Webhook, 'id' | 'secrets'>,
  { vault, clock }: { readonly vault: Pick<Vault, 'open'>; readonly clock: Clock },
): Promise<readonly string[]> {
  const nowMs = clock.now();
  const live = webhook.secrets.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs);
  return await Promise.all(
    live.map(({ sealed }) => vault.open(workspaceId, secretContext(webhook.id), sealed)),
  );
}
