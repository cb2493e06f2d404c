// Webhooks of a workspace: one record holds all of them, so that the limit is exact and the sender of an event reads
// one item.

export const WEBHOOKS_MAX = 20;

export interface WebhookList {
  /** The workspace id. */
  readonly id: string;
  readonly workspaceId: string;
  readonly webhooks: readonly Webhook[];
  /** Of its webhooks those that cannot be read, as they are stored. */
  readonly unreadable?: readonly unknown[];
}

/** Ids of those that cannot be read, if they still have one. */
export const unreadableIds = ({ unreadable = [] }: Pick<WebhookList, 'unreadable'>): readonly string[] =>
  unreadable.flatMap((one) => {
    const id: unknown = typeof one === 'object' && one !== null && 'id' in one ? one.id : undefined;
    return typeof id === 'string' ? [id] : [];
  });

export interface Webhook {
  /** UUIDv7. */
  readonly id: string;
  readonly url: string;
  /** Kinds, or `*`. */
  readonly events: readonly string[];
  readonly description: string | null;
  readonly active: boolean;
  readonly disabledReason: 'gone' | 'failing' | 'manual' | null;
  /** Sealed by the vault; the first signs, and so do others until they expire. */
  readonly secrets: readonly {
    readonly sealed: string;
    readonly hint: string;
    readonly expiresAtMs: number | null;
    /** The root of the request with an Idempotency-Key that created it, as for a contact. */
    readonly idRoot?: string;
  }[];
  /** Failures before do not count: it was re-enabled or got another URL then. Absent: when it was created. */
  readonly judgedFromMs?: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What is known of a webhook's receiver: written by those who deliver, apart from the list. */
export interface WebhookHealth {
  readonly failingSinceMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  /** Its receiver was down: no attempt is made until then. Removed by the next answer. */
  readonly restUntilMs?: number | null;
}
