// Ports of the helpdesk's API. They include everything that draining an outbox needs, so they can be passed to
// `change`.
import type { AuditIntents } from '#lib/core/audit-log/audit-log.ts';
import type { AnsweredRequest } from '#lib/core/http/http-message.ts';
import type { IdempotencyStore } from '#lib/core/http/idempotency.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { SessionVerifier } from '#lib/core/ports/session-verifier.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { ApiKeyStore, KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';
import type { MemberStore } from '#lib/core/tenancy/member-store.ts';
import type { ProfileStore } from '#lib/core/tenancy/profile.ts';
import type { CallLimiter } from '#lib/core/work/call-limiter.ts';
import type { Pointer } from '#lib/helpdesk/domain/pointer.ts';
import type { DrainPorts } from '#lib/helpdesk/work/drain.ts';

export interface HelpdeskApiPorts extends Omit<DrainPorts, 'report'> {
  /** Keys of the helpdesk; members and merchants are shared by all products. */
  readonly config: ApiKeyStore &
    Pick<KeyUseStore, 'keyUses'> &
    Pick<MemberStore, 'memberships' | 'team' | 'changeTeam' | 'claimSubject'> &
    ProfileStore;
  /** For changes of keys and members, whose records have no outbox. */
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
    /** Why a webhook may not have this URL; null if it may. */
    readonly refused: (url: URL) => string | null;
    /** Connects to what webhooks may reach. Loaded by the first request that needs it. */
    readonly transport: () => Promise<Transport>;
  };
  /** Domain of the addresses that mails come from; null where no e-mail is configured. */
  readonly mailDomain: string | null;
  /** Sends accepted set-aside mails to the worker that takes them in; null if no e-mail is configured. */
  readonly acceptedMails: MessageSender<{ readonly accepted: Pointer }> | null;
  /** Origins of the pages that may call from a browser, such as the agents'. */
  readonly origins: readonly string[];
  /** Called for every answer of 500 and above, and for effects that failed and will be retried. */
  readonly report: (problem: string, error: unknown, context?: Readonly<Record<string, string>>) => void;
  /** Called for every request; absent in models. */
  readonly answered?: (request: AnsweredRequest) => void;
}
