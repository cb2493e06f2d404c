// A person makes a shop without the operator. Guarantees: a person has as many places as shops may be made, and the place is the id, so
// that however many requests come at once, or after another, no more shops are made; a repeated request meets its own shop and
// finishes what broke off. What is refused leaves nothing behind.
import { hash } from 'node:crypto';
import { type AuditPorts, audited, type Note, requestOf } from '#lib/core/audit-log/audited.ts';
import type { Call, Handler } from '#lib/core/http/handler.ts';
import { keyProblem } from '#lib/core/http/idempotency.ts';
import { CLAIM_LASTS_MS, type MemberStore } from '#lib/core/tenancy/member-store.ts';
import { merchantIdOf } from '#lib/core/tenancy/profile.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { addressBlock } from '#lib/core/work/address-block.ts';
import type { LeaseStore } from '#lib/core/work/leased-window.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { type SignUpRules, VISITOR_HEADER } from '#lib/events/domain/sign-up.ts';
import { type FoundingPorts, makeOwner, makeProfile } from '#lib/events/pipeline/found-merchant.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import type { createMerchant } from '#lib/events/routes/me.ts';

export interface SignUpPorts extends AuditPorts {
  readonly config: AuditPorts['config'] &
    FoundingPorts['config'] &
    Pick<MerchantStore, 'merchantNow'> &
    Pick<MemberStore, 'memberships' | 'team'>;
  readonly vault: FoundingPorts['vault'];
  readonly signUp: SignUp;
}

export interface SignUp {
  readonly rules: SignUpRules;
  readonly shares: LeaseStore;
}
type Asked = Call<typeof createMerchant>;
type Answer = Awaited<ReturnType<Handler<typeof createMerchant>>>;

const DAY_MS = 86_400_000;
/** Who calls past the distribution may name any visitor: of one connection's address so many times more are taken. */
const BEHIND_ONE_ADDRESS = 20;

export const createMerchantHandler =
  (ports: SignUpPorts): Handler<typeof createMerchant> =>
  async (call) => {
    const { signUp } = ports;
    const key = call.headers['idempotency-key'];
    const details = key === undefined ? undefined : keyProblem(key);
    if (details !== undefined) return { failure: 'invalid_request', details };
    const request = hash(
      'sha256',
      JSON.stringify(key === undefined ? ['name', call.body.name] : ['key', key]),
    );
    // Another request may take the place that was free: each turn, one place fewer is.
    for (let turn = 0; turn <= signUp.rules.shops; turn++) {
      const place = await placeOf(call.caller.sub, request, signUp, ports);
      const answer = place === null ? LIMIT : await take(place, call, request, ports);
      if (answer !== null) return answer;
    }
    return LIMIT;
  };

const LIMIT = { failure: 'sign_up_limit' } as const;

interface Place {
  readonly id: string;
  /** Null where nothing lies there yet. */
  readonly merchant: Merchant | null;
}

/** That of the same request before, or else the first that is free. */
async function placeOf(
  sub: string,
  request: string,
  { rules }: SignUp,
  { config, clock }: SignUpPorts,
): Promise<Place | null> {
  const ids = Array.from({ length: rules.shops }, (_, n) => merchantIdOf('sign-up', sub, n));
  const places = await Promise.all(ids.map(async (id) => ({ id, merchant: await config.merchantNow(id) })));
  const own = places.find(({ merchant }) => merchant?.signUp === request);
  if (own !== undefined) return own;
  for (const place of places) {
    const { id, merchant } = place;
    if (merchant === null) return place;
    // What broke off before it had an owner, and was not repeated.
    const isLeft = merchant.createdAtMs < clock.now() - CLAIM_LASTS_MS && merchant.suspension === undefined;
    if (isLeft && (await config.team(id)).members.length === 0) return place;
  }
  return null;
}

/** Null where another request was faster. */
async function take(
  { id, merchant }: Place,
  call: Asked,
  request: string,
  ports: SignUpPorts,
): Promise<Answer | null> {
  const { config, signUp, clock } = ports;
  const { sub } = call.caller;
  if (merchant === null) {
    if ((await config.memberships(sub)).length >= signUp.rules.shops) return LIMIT;
    const waitSec = await addressWaitSec(call, signUp, clock.now());
    if (waitSec !== null) return { failure: 'rate_limited', headers: { 'retry-after': String(waitSec) } };
  } else {
    if (merchant.suspension !== undefined) return { failure: 'merchant_suspended' };
    const isOther = merchant.signUp === request && merchant.name !== call.body.name;
    if (isOther) return { failure: 'idempotency_key_reused' };
  }
  const intent = { merchantId: id, actor: `user:${sub}`, action: 'createMerchant', subject: id };
  return await audited(
    { ...intent, ...requestOf(call, ports) },
    (note) => make({ id, merchant }, call, request, { ...ports, note }),
    ports,
  );
}

async function make(
  { id, merchant: before }: Place,
  { caller: { sub }, body }: Asked,
  request: string,
  { note, ...ports }: SignUpPorts & { readonly note: Note },
): Promise<Answer | null> {
  const { name, email, time_zone: timeZone, reporting_currency: reportingCurrency } = body;
  const { serverEventsPerDay, browserEventsPerMinute } = ports.signUp.rules;
  if (before === null) {
    const profile = {
      merchantId: id,
      name,
      email,
      signUp: request,
      ...withoutUndefined({ timeZone, reportingCurrency }),
      limits: { serverEventsPerDay, browserEventsPerMinute, replaysPerDay: serverEventsPerDay },
    };
    const isNew = await makeProfile(profile, note, ports);
    if (!isNew && (await ports.config.merchantNow(id))?.signUp !== request) return null;
  }
  if ((await makeOwner({ id, sub, email }, note, ports)) !== null) return LIMIT;
  const merchant = { id, name: before?.name ?? name, role: 'owner', suspended: false } as const;
  return { status: 201, body: { success: true, merchant } };
}

/** Null where the address has not had its share of the day. */
async function addressWaitSec(
  { headers, clientIp = '' }: Asked,
  { rules, shares }: SignUp,
  nowMs: number,
): Promise<number | null> {
  const startMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const named = headers[VISITOR_HEADER];
  // CloudFront's own form has the port.
  const visitor = typeof named === 'string' ? named.replace(/:\d{1,5}$/, '') : clientIp;
  const wanted = [
    [`visitor ${addressBlock(visitor)}`, rules.perAddress],
    [`connection ${addressBlock(clientIp)}`, rules.perAddress * BEHIND_ONE_ADDRESS],
  ] as const;
  for (const [address, limit] of wanted)
    if ((await shares.lease(`sign-up|${address}`, startMs, 1, limit)) === 0)
      return Math.ceil((startMs + DAY_MS - nowMs) / 1_000);
  return null;
}
