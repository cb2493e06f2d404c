// What the helpdesk's API needs from the outside. It has all that carrying out an outbox needs, so that it goes to `change`
// as it is.
import type { AuditIntents } from '#lib/core/audit-log/audit-log.ts';
import type { IdempotencyStore } from '#lib/core/http/idempotency.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { SessionVerifier } from '#lib/core/ports/session-verifier.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { ApiKeyStore, KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';
import type { MemberStore } from '#lib/core/tenancy/member-store.ts';
import type { MerchantStore } from '#lib/core/tenancy/merchant-store.ts';
import type { CallLimiter } from '#lib/core/work/call-limiter.ts';
import type { DrainPorts, Pointer } from '#lib/helpdesk/work/drain.ts';

export interface HelpdeskApiPorts extends Omit<DrainPorts, 'report'> {
  /** Keys of the helpdesk; members and merchants are shared by all products. */
  readonly config: ApiKeyStore &
    Pick<KeyUseStore, 'keyUses'> &
    Pick<MemberStore, 'membership' | 'team' | 'changeTeam' | 'claimSubject'> &
    Pick<MerchantStore, 'merchant'>;
  /** Of changes of keys and members, which rest beside no outbox. */
  readonly audits: AuditIntents;
  /** Null where no identity provider is configured: every session is refused. */
  readonly sessions: SessionVerifier | null;
  /** For secrets of webhooks and stored answers. */
  readonly vault: Vault;
  /** Answers to requests that came with an Idempotency-Key. */
  readonly idempotency: IdempotencyStore;
  /** Of calls a minute, by credential and route. */
  readonly limiter: CallLimiter;
  readonly webhooks: {
    /** Why a webhook may not have this URL; null where it may. */
    readonly refused: (url: URL) => string | null;
    /** Connects to what webhooks may reach. Loaded by the first request that needs it. */
    readonly transport: () => Promise<Transport>;
  };
  /** Domain of the addresses that mails come from; null where no e-mail is configured. */
  readonly mailDomain: string | null;
  /** Tells the worker of mails which of those that were put aside to take in; null where no e-mail is configured. */
  readonly acceptedMails: MessageSender<{ readonly accepted: Pointer }> | null;
  /** Origins of the pages that may call from a browser, such as the agents'. */
  readonly origins: readonly string[];
  /** Told of every answer of 500 and above, and of what could not be done at once and is done later. */
  readonly report: (problem: string, error: unknown, context?: Readonly<Record<string, string>>) => void;
}
