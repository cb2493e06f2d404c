import type { AuditPorts } from '#lib/core/audit-log/audited.ts';
import type { AnsweredRequest } from '#lib/core/http/http-message.ts';
import type { People } from '#lib/core/ports/people.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { KeyProduct } from '#lib/core/tenancy/api-key.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import type { MemberStore } from '#lib/core/tenancy/member-store.ts';
import type { MerchantStore, NewMerchantStore } from '#lib/events/ports/merchant-store.ts';

export interface OperatorPorts extends AuditPorts {
  readonly config: AuditPorts['config'] &
    NewMerchantStore &
    Pick<MerchantStore, 'merchantNow'> &
    Pick<MemberStore, 'team' | 'membership' | 'claimSubject' | 'changeTeam'>;
  readonly keys: Readonly<Record<KeyProduct, ApiKeyStore>>;
  /** Null where another issuer signs tokens, or none does. */
  readonly people: People | null;
  readonly vault: Pick<Vault, 'seal'>;
  /** 32 bytes of the machine's secure source. */
  readonly secretBytes: () => Uint8Array;
  /** Called for every request. */
  readonly answered?: (request: AnsweredRequest) => void;
}
