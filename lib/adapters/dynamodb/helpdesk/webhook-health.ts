// What is known of the receivers of webhooks, apart from the list that people change. What cannot be read is noted, and as if
// nothing were known: the next attempts find it out again.

import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatOf } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { STORED_WEBHOOK_HEALTH, type WebhookHealth } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import type { HealthStore } from '#lib/helpdesk/ports/stores.ts';
import { type Db, getItem, putItem, updateItem } from '../core/items/commands.ts';
import { healthKey } from './helpdesk-item.ts';

export const HEALTH = defineKind<WebhookHealth>({
  what: 'health of a webhook',
  table: 'helpdesk',
  key: { pk: 'H#{workspace...}', sk: '{webhook}' },
  attribute: 'h',
  schema: STORED_WEBHOOK_HEALTH,
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'As if nothing were known of its receiver: the next attempts find it out again.',
});

export function createHealthStore(db: Db, table: string, quarantine: ItemQuarantine): HealthStore {
  const helpdesk = { db, table };
  return {
    async readHealth(workspaceId, webhookId) {
      const item = await getItem(helpdesk, healthKey(workspaceId, webhookId));
      return item === undefined ? null : (decodeOrSetAside(HEALTH, item, quarantine) ?? null);
    },
    async putHealth(workspaceId, webhookId, health) {
      await putItem(helpdesk, { ...healthKey(workspaceId, webhookId), f: formatOf(HEALTH), h: health });
    },
    moveRest: (workspaceId, webhookId, fromMs, toMs) =>
      updateItem(helpdesk, healthKey(workspaceId, webhookId), {
        update: 'SET h.restUntilMs = :to',
        condition: 'h.restUntilMs = :from',
        values: { ':from': fromMs, ':to': toMs },
      }),
  };
}
