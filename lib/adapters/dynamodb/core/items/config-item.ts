// Items of the config table. A merchant's items share a partition, except what is found without knowing the merchant.
//   pk KEY#<sha256>   sk KEY             an API key: read by its hash on every request
//   pk KEY#<sha256>#<n> sk KEY           its copy n, 1 to 15: a partition of its own. Missing ones are no harm; see api-keys.ts
//   pk SUB#<subject>  sk MEMBER          a merchant of a person, who acts for it only while its team says so
//   pk SUB#<subject>  sk MEMBER#<n>      another one of the same person, 1 to 19
//   pk TEAM#<merchant> sk TEAM           members with their roles, open invitations, and the version of both
//   pk DATAKEY#<merchant> sk DATAKEY     wrapped data key
//   pk DATAKEY#<merchant> sk ROTATION    data keys that were replaced, and how far that is; see key-rotation.ts
//   pk WRAP#<n>       sk WRAP            wrapping key n, wrapped: data keys are sealed under 16 of these; see wrapping-keys.ts
//   pk WRAP#ROTATION  sk ROTATION        which 16
//   pk USED#<merchant> sk <key id>       when an API key was last used, give or take five minutes. A partition of its own: who
//                                        may write these may write nothing else
//   pk M#<merchant>   sk PROFILE         the merchant; sn:<name> since when it sends events of this name from servers, ms;
//                                        susp suspended by the operator: since when, by whom, why, and
//                                        its removal; epm, bpm, rpd limits that the
//                                        operator sets for it;
//                                        shards, su how many shards it needs and when it did, see shard-store.ts
//   pk M#<merchant>   sk KEY#<id>        points at an API key by hash, with its product (absent: evk); may point at none: the key
//                                        itself is the truth
//   pk M#<merchant>   sk DATAKEY         wrapped data key, which is made here; see data-keys.ts
//   pk ROUTING#all    sk PAUSES          platforms that an operator keeps back for all merchants; see platform-pauses.ts
//   pk M#<merchant>   sk TEAM, ROUTING   as an earlier release put them, or what says that they moved; see moved-item.ts
//   pk M#<merchant>   sk AUDIT#<at>#<id> audit entry
//   pk M#<merchant>   sk AUDITING#<at>#<id> what is about to be done, until it has an entry
//   pk M#<merchant>   sk DESK_AUDITING#<at>#<id> the same, of the helpdesk, whose entries lie elsewhere
//   pk M#<merchant>   sk RATES#<into>#<currency> exchange rates by day
//   pk DAYKEY#<merchant> sk <day>        data key of a UTC day, wrapped under the merchant's. A partition of its own: who may
//                                        delete these may delete nothing else
// What a product keeps in the merchant's partition is described there, under another sort key.

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

const MERCHANT_PARTITION = /^M#([^#]{1,64})$/;

/** Null where it is the partition of none. */
export const merchantOfKey = (pk: unknown): string | null =>
  MERCHANT_PARTITION.exec(typeof pk === 'string' ? pk : '')?.[1] ?? null;

export const merchantKey = (merchantId: string, sk: string): ItemKey => ({ pk: `M#${merchantId}`, sk });

/** Copy 0 is the record itself. */
export const apiKeyKey = (sha256: string, copy = 0): ItemKey => ({
  pk: copy === 0 ? `KEY#${sha256}` : `KEY#${sha256}#${copy}`,
  sk: 'KEY',
});
/** Place 0 is the one an earlier release knows. */
export const membershipKey = (sub: string, place: number): ItemKey => ({
  pk: `SUB#${sub}`,
  sk: place === 0 ? 'MEMBER' : `MEMBER#${place}`,
});
export const teamKey = (merchantId: string): ItemKey => ({ pk: `TEAM#${merchantId}`, sk: 'TEAM' });
export const keyUsesPartition = (merchantId: string): string => `USED#${merchantId}`;
export const profileKey = (merchantId: string): ItemKey => merchantKey(merchantId, 'PROFILE');
export const apiKeyPointerKey = (merchantId: string, keyId: string): ItemKey =>
  merchantKey(merchantId, `KEY#${keyId}`);
export const dataKeyKey = (merchantId: string): ItemKey => ({ pk: `DATAKEY#${merchantId}`, sk: 'DATAKEY' });
export const madeDataKeyKey = (merchantId: string): ItemKey => merchantKey(merchantId, 'DATAKEY');
export const keyRotationKey = (merchantId: string): ItemKey => ({
  pk: `DATAKEY#${merchantId}`,
  sk: 'ROTATION',
});
export const ROTATION_KEY: ItemKey = { pk: 'WRAP#ROTATION', sk: 'ROTATION' };
export const wrappingKeyKey = (number: number): ItemKey => ({ pk: `WRAP#${number}`, sk: 'WRAP' });
/** `day`: `YYYY-MM-DD`. */
export const dayKeyKey = (merchantId: string, day: string): ItemKey => ({
  pk: `DAYKEY#${merchantId}`,
  sk: day,
});

export const auditKey = (merchantId: string, atMs: number, id: string): ItemKey =>
  merchantKey(merchantId, `AUDIT#${new Date(atMs).toISOString()}#${id}`);
/** Of the events product, and of the helpdesk. */
export type AuditIntentPrefix = 'AUDITING#' | 'DESK_AUDITING#';
export const auditIntentKey = (
  prefix: AuditIntentPrefix,
  merchantId: string,
  atMs: number,
  id: string,
): ItemKey => merchantKey(merchantId, `${prefix}${new Date(atMs).toISOString()}#${id}`);
