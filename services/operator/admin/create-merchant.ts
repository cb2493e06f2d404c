// A merchant, its owner and its first API keys. Guarantees: asked again, the same merchant, and what an attempt that broke off
// left out; a secret is in one answer and nowhere else; who asked is in the merchant's audit log.
// Refuses, before anything is written: an owner who acts for as many merchants as a person may, and a merchant that others own.
import { audited, type Note } from '#lib/core/audit-log/audited.ts';
import { type KeyProduct, newApiKey } from '#lib/core/tenancy/api-key.ts';
import { makeOwner, makeProfile } from '#lib/events/pipeline/found-merchant.ts';
import { HELPDESK_SCOPES } from '#lib/helpdesk/domain/account/scopes.ts';
import type { OperatorPorts } from './ports.ts';
import { type Refused, suspendedBy } from './refused.ts';
import type { KeyKind, NewMerchant } from './request.ts';
import { actsForMost, actsForTooMany, subjectOf, wrongSubject } from './subject.ts';

interface MadeKey {
  readonly kind: KeyKind;
  readonly id: string;
  /** Null for a key that was given out before. */
  readonly secret: string | null;
}

export interface MadeMerchant {
  readonly id: string;
  readonly name: string;
  readonly isNew: boolean;
  readonly owner: {
    readonly email: string;
    readonly subject: string;
    /** `invited`: by mail, just now. */
    readonly state: 'invited' | 'known';
  };
  readonly keys: readonly MadeKey[];
}

const KINDS: Readonly<
  Record<KeyKind, { readonly product: KeyProduct; readonly name: string; readonly scopes: readonly string[] }>
> = {
  send: { product: 'evk', name: 'First key', scopes: ['events:write', 'events:read', 'platforms:read'] },
  admin: { product: 'evk', name: 'First admin key', scopes: ['admin'] },
  helpdesk: { product: 'hdk', name: 'First key', scopes: HELPDESK_SCOPES },
};

const OTHERS_OWN_IT: Refused = {
  refused: 'conflict',
  field: 'id',
  sentence: 'is the id of a merchant that others own; leave it out, or name one of its members as the owner',
};
export async function createMerchant(
  asked: NewMerchant,
  actor: string,
  ports: OperatorPorts,
): Promise<MadeMerchant | Refused> {
  const { config } = ports;
  const wrong = wrongSubject(asked.subject, ports);
  if (wrong !== null) return wrong;
  const { id, subject, owner } = asked;
  const known = await subjectOf(owner, subject, 'owner', ports);
  if (known !== null && typeof known !== 'string') return known;
  const { members } = await config.team(id);
  if (members.length > 0 && !members.some(({ sub }) => sub === known)) return OTHERS_OWN_IT;
  const suspension = (await config.merchantNow(id))?.suspension;
  if (suspension !== undefined) return suspendedBy(suspension, 'id');
  if (known !== null && (await actsForMost(known, id, ports))) return actsForTooMany('owner');
  const intent = { merchantId: id, actor, action: 'createMerchant', subject: id };
  return await audited(intent, (note) => make(asked, known, { actor, note }, ports), ports);
}

interface Asking {
  readonly actor: string;
  readonly note: Note;
}

async function make(
  asked: NewMerchant,
  known: string | null,
  asking: Asking,
  ports: OperatorPorts,
): Promise<MadeMerchant | Refused> {
  const { config, people } = ports;
  const { id, name, owner } = asked;
  const isNew = await makeProfile({ merchantId: id, name, email: owner }, asking.note, ports);
  const sub = known ?? (await people?.invite(owner));
  if (sub === undefined) throw new Error('there is neither a subject nor a user pool');
  const refused = await makeOwner({ id, sub, email: owner }, asking.note, ports);
  if (refused !== null) return refused === 'acts_for_most' ? actsForTooMany('owner') : OTHERS_OWN_IT;
  const keys: MadeKey[] = [];
  for (const kind of asked.keys) {
    const key = await makeKey(kind, asked, asking, ports);
    if (key === null) return tooManyKeys(kind);
    keys.push(key);
  }
  const profile = await config.merchantNow(id);
  const state = known === null ? 'invited' : 'known';
  return { id, name: profile?.name ?? name, isNew, owner: { email: owner, subject: sub, state }, keys };
}

const tooManyKeys = (kind: KeyKind): Refused => ({
  refused: 'conflict',
  field: 'keys',
  sentence: `could not be made: the merchant has as many keys as it may have (${kind}); revoke one`,
});

/** Null where the merchant has as many as it may have. */
async function makeKey(
  kind: KeyKind,
  { id: merchantId, environment, new_keys: isNewWanted }: NewMerchant,
  { actor, note }: Asking,
  { keys, clock, random, secretBytes }: OperatorPorts,
): Promise<MadeKey | null> {
  const { product, name, scopes } = KINDS[kind];
  const store = keys[product];
  const isSame = (given: readonly string[]) => scopes.join() === given.join();
  const given = (await store.listApiKeys(merchantId)).find(
    (key) => key.createdBy?.startsWith('operator:') === true && isSame(key.scopes),
  );
  if (given !== undefined && !isNewWanted) return { kind, id: given.keyId, secret: null };
  const nowMs = clock.now();
  const { secret, record } = newApiKey(`${product}_${environment}`, secretBytes(), {
    keyId: `key_${random.uuidv7(nowMs)}`,
    merchantId,
    name,
    scopes,
    createdAtMs: nowMs,
    createdBy: actor,
  });
  if (!(await store.claimKeyPlace(record))) return null;
  await store.putApiKey(record);
  note('api_key.create', record.keyId);
  return { kind, id: record.keyId, secret };
}
