// Writing what merchants configured. Guarantees: every change is one conditional write to one item.
import type { AuditEntry } from '../../core/audit-log/audit-entry.ts';
import type { ApiKeyRecord } from '../../core/tenancy/api-key.ts';
import type { Membership, Merchant } from '../../core/tenancy/merchant.ts';
import type { Connection, Rule } from '../domain/connection.ts';

/** A connection as the caller wants it: the store decides whether it is new. */
export interface ConnectionDraft {
  readonly merchantId: string;
  readonly platform: string;
  /** Used when the platform was not connected before; a connection keeps its id for life. */
  readonly newId: string;
  readonly name: string;
  readonly sealedCredentials: string;
}

export interface ConfigAdmin {
  /** The merchant and role behind the subject of a session token. */
  membership(sub: string): Promise<Membership | null>;
  putMember(membership: Membership): Promise<void>;
  /** Throws a RangeError where `retentionDays` is none. */
  putMerchant(merchant: Merchant): Promise<void>;

  /** In the order of their platforms' slugs. */
  listConnections(merchantId: string): Promise<readonly Connection[]>;
  /** Connects the platform, or replaces the credentials and the name of its connection and takes it off pause. */
  putConnection(
    draft: ConnectionDraft,
    nowMs: number,
  ): Promise<{ readonly connection: Connection; readonly created: boolean }>;
  /** What was removed; null when this merchant has no connection of this id. */
  deleteConnection(merchantId: string, connectionId: string): Promise<Connection | null>;
  putRules(merchantId: string, rules: readonly Rule[]): Promise<void>;

  /** Throws when a key of this SHA-256 exists. */
  putApiKey(record: ApiKeyRecord): Promise<void>;
  /** Newest first, revoked ones included. */
  listApiKeys(merchantId: string): Promise<readonly ApiKeyRecord[]>;
  /** Final. False when this merchant has no key of this id; the time of the first revocation stays. */
  revokeApiKey(merchantId: string, keyId: string, nowMs: number): Promise<boolean>;

  appendAudit(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  listAudit(merchantId: string, limit: number): Promise<readonly AuditEntry[]>;
}
