// Webhooks of a workspace: one record holds all of them, so that the limit is exact and the sender of an event reads
// one item.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
export const WEBHOOKS_MAX = 20;

/** Ids of those that cannot be read, if they still have one. */
export const unreadableIds = ({ unreadable = [] }: Pick<WebhookList, 'unreadable'>): readonly string[] =>
  unreadable.flatMap((one) => {
    const id: unknown = typeof one === 'object' && one !== null && 'id' in one ? one.id : undefined;
    return typeof id === 'string' ? [id] : [];
  });

export const STORED_WEBHOOK = z.looseObject({
  /** UUIDv7. */
  id: z.string(),
  url: z.string(),
  /** Kinds, or `*`. */
  events: z.array(z.string()),
  description: z.string().nullable(),
  active: z.boolean(),
  disabledReason: z.enum(['gone', 'failing', 'manual']).nullable(),
  /** Sealed by the vault; the first signs, and so do others until they expire. */
  secrets: z.array(
    z.looseObject({
      sealed: z.string(),
      hint: z.string(),
      expiresAtMs: z.number().nullable(),
      /** The root of the request with an Idempotency-Key that created it, as for a contact. */
      idRoot: z.string().exactOptional(),
    }),
  ),
  /** Failures before do not count: it was re-enabled or got another URL then. Absent: when it was created. */
  judgedFromMs: z.number().exactOptional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
export type Webhook = StoredAs<typeof STORED_WEBHOOK>;

/** Each webhook is read for itself: it may be what this release cannot read. */
export const STORED_WEBHOOK_LIST = z.looseObject({
  /** The workspace id. */
  id: z.string(),
  workspaceId: z.string(),
  webhooks: z.array(z.unknown()),
});

export type WebhookList = Omit<StoredAs<typeof STORED_WEBHOOK_LIST>, 'webhooks'> & {
  readonly webhooks: readonly Webhook[];
  /** Of its webhooks those that cannot be read, as they are stored. */
  readonly unreadable?: readonly unknown[];
};

export const STORED_WEBHOOK_HEALTH = z.looseObject({
  failingSinceMs: z.number().nullable(),
  lastSuccessAtMs: z.number().nullable(),
  lastFailureAtMs: z.number().nullable(),
  /** Its receiver was down: no attempt is made until then. Removed by the next answer. */
  restUntilMs: z.number().nullable().exactOptional(),
});
/** What is known of a webhook's receiver: written by those who deliver, apart from the list. */
export type WebhookHealth = StoredAs<typeof STORED_WEBHOOK_HEALTH>;
