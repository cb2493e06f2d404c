// What an operator sees of a merchant. Guarantees: nothing personal but the addresses of its owners; each look is in the merchant's
// audit log before it is answered, with the operator's name.
import { environmentOf, isUsableKey } from '#lib/core/tenancy/api-key.ts';
import { deliveryTotals } from '#lib/events/domain/analytics/delivery-totals.ts';
import { type BillingRecord, currentPeriod, planOf } from '#lib/events/domain/billing/subscription.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { isOpen } from '#lib/events/domain/connections/incident.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import { readCounters, total } from '#lib/events/pipeline/counting/counter-range.ts';
import { addressOf } from './address.ts';
import { iso } from './fields.ts';
import { viewOf as limitsView } from './limits.ts';
import type { OperatorPorts } from './ports.ts';

export type MerchantView = Awaited<ReturnType<typeof viewOf>>;

interface Look {
  readonly actor: string;
  /** As the audit log calls it. */
  readonly action: `merchant.${'list' | 'show' | 'status' | 'row' | 'read' | 'change'}` | 'member.list';
}

export async function lookAt(merchant: Merchant, look: Look, ports: OperatorPorts): Promise<MerchantView> {
  const view = await viewOf(merchant, ports);
  await noteLook(merchant.merchantId, look, ports);
  return view;
}

/** In the merchant's own audit log. */
export async function noteLook(
  merchantId: string,
  look: Look,
  { config, clock, random }: Pick<OperatorPorts, 'config' | 'clock' | 'random'>,
  subject = merchantId,
): Promise<void> {
  const atMs = clock.now();
  await config.appendAudit({ id: random.uuidv7(atMs), merchantId, atMs, ...look, subject });
}

async function viewOf(merchant: Merchant, ports: OperatorPorts) {
  const { config, billing } = ports;
  const { merchantId: id } = merchant;
  const [owners, environments, record, trouble] = await Promise.all([
    ownersOf(id, ports),
    environmentsOf(id, ports),
    billing.billing(id),
    troubleOf(id, ports),
  ]);
  const connections = await config.listConnections(id);
  return {
    id,
    name: merchant.name,
    state: stateOf(merchant),
    suspended: suspensionView(merchant),
    environments,
    owners,
    created_at: iso(merchant.createdAtMs),
    made_by: merchant.signUp === undefined ? ('operator' as const) : ('sign_up' as const),
    plan: planOf(record?.subscription ?? null).id,
    limits: limitsView(merchant.limits, ports),
    platforms: connections.map(platformView),
    incidents: trouble,
    usage: await usageOf(id, record, ports),
  };
}

/** `removing`: that has begun, and the same command finishes it. */
export function stateOf({ suspension }: Merchant) {
  if (suspension === undefined) return 'active' as const;
  if (suspension.removal === undefined) return 'suspended' as const;
  return suspension.removal.doneAtMs === undefined ? ('removing' as const) : ('removed' as const);
}

function suspensionView({ suspension }: Merchant) {
  if (suspension === undefined) return null;
  const { atMs, by, reason } = suspension;
  return { since: iso(atMs), by, reason };
}

/** Their addresses. */
async function ownersOf(merchantId: string, ports: OperatorPorts): Promise<readonly (string | null)[]> {
  const { members } = await ports.config.team(merchantId);
  const owners = members.filter(({ role }) => role === 'owner');
  return await Promise.all(owners.map(({ sealedEmail }) => addressOf(merchantId, sealedEmail, ports)));
}

/** Of the keys that open something. */
async function environmentsOf(merchantId: string, { keys, clock }: OperatorPorts) {
  const lists = await Promise.all(Object.values(keys).map((store) => store.listApiKeys(merchantId)));
  const nowMs = clock.now();
  const usable = lists.flat().filter((key) => isUsableKey(key, nowMs));
  return [...new Set(usable.map(({ prefix }) => environmentOf(prefix)))].sort();
}

export function platformView({ platform, id, status, ...connection }: Connection) {
  const { pausedReason, pausedAtMs, circuit } = connection;
  const isFailing = status === 'active' && circuit !== undefined;
  const sinceMs = isFailing ? circuit.openedAtMs : pausedAtMs;
  return {
    platform,
    connection: id,
    state: isFailing ? ('failing' as const) : status,
    reason: pausedReason ?? null,
    since: sinceMs === undefined ? null : iso(sinceMs),
  };
}

/** What goes on, but for what a connection says of itself. */
export async function troubleOf(merchantId: string, { incidents }: Pick<OperatorPorts, 'incidents'>) {
  const kept = await incidents.listIncidents(merchantId);
  return kept
    .filter((one) => isOpen(one) && one.kind !== 'refused' && one.kind !== 'unavailable')
    .map(({ kind, subject, sinceMs }) => ({ kind, subject, since: iso(sinceMs) }));
}

/** Of the period that is billed, as far as it is counted; null where the product of events is not deployed. */
async function usageOf(
  merchantId: string,
  record: BillingRecord | null,
  { counters, clock }: Pick<OperatorPorts, 'counters' | 'clock'>,
) {
  if (counters === null) return null;
  const nowMs = clock.now();
  const { startMs } = currentPeriod(record?.subscription ?? null, nowMs);
  const sum = total(await readCounters(merchantId, { fromMs: startMs, toMs: nowMs + 1 }, { counters }));
  return {
    since: iso(startMs),
    events: sum.events,
    replayed_events: sum.replays ?? 0,
    ...deliveryTotals(sum),
  };
}
