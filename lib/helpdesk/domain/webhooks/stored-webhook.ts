// Webhooks and what is known of their receivers, as they are stored. Each webhook of a list is read for itself.
import * as z from 'zod';
import type { Webhook, WebhookHealth, WebhookList } from './webhook.ts';

const secret = z.looseObject({
  sealed: z.string(),
  hint: z.string(),
  expiresAtMs: z.number().nullable(),
  idRoot: z.string().exactOptional(),
} satisfies Record<keyof Webhook['secrets'][number], z.ZodType>);

export const STORED_WEBHOOK: z.ZodType<Webhook> = z.looseObject({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  active: z.boolean(),
  disabledReason: z.enum(['gone', 'failing', 'manual']).nullable(),
  secrets: z.array(secret),
  judgedFromMs: z.number().exactOptional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
} satisfies Record<keyof Webhook, z.ZodType>);

/** Each of them may be what this release cannot read. */
export const STORED_WEBHOOK_LIST: z.ZodType<
  Pick<WebhookList, 'id' | 'workspaceId'> & { readonly webhooks: readonly unknown[] }
> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  webhooks: z.array(z.unknown()),
});

export const STORED_WEBHOOK_HEALTH: z.ZodType<WebhookHealth> = z.looseObject({
  failingSinceMs: z.number().nullable(),
  lastSuccessAtMs: z.number().nullable(),
  lastFailureAtMs: z.number().nullable(),
  restUntilMs: z.number().nullable().exactOptional(),
} satisfies Record<keyof WebhookHealth, z.ZodType>);
