// A suspended merchant ends: its connections, people, keys and jobs, and last the keys under which its data is sealed. Rows go when they
// expire. Guarantees: each step may be repeated, and the same request goes on where one broke off; no other merchant is met.
// Refuses, before anything ends: a merchant that is not suspended, or has a subscription.
import * as z from 'zod';
import { audited } from '#lib/core/audit-log/audited.ts';
import type { Removal } from '#lib/core/tenancy/suspension.ts';
import { NO_TEAM } from '#lib/core/tenancy/team.ts';
import { isOver } from '#lib/events/domain/billing/subscription.ts';
import { iso, merchantId } from '../fields.ts';
import type { OperatorPorts } from '../ports.ts';
import { NO_MERCHANT, type Refused } from '../refused.ts';

export const merchantRemoved = z.strictObject({ merchant: merchantId });

/** Behind every day that has a key. */
const AFTER_ALL_DAYS = '9999';

const NOT_SUSPENDED: Refused = {
  refused: 'conflict',
  field: 'merchant',
  sentence: 'is not suspended: that comes before it is exported and removed',
};
const PAYS: Refused = {
  refused: 'conflict',
  field: 'merchant',
  sentence: 'has a subscription that would be charged for on: cancel it at the payment provider first',
};

interface Ended {
  readonly connections: number;
  readonly people: number;
  readonly keys: number;
  /** Days whose personal data could be opened until now. */
  readonly days: number;
}
interface Said {
  readonly merchant: string;
  /** False: it was removed before. What has come up since is ended all the same. */
  readonly changed: boolean;
  readonly removed: { readonly since: string; readonly by: string };
  readonly ended: Ended;
}

export async function removeMerchant(
  { merchant: id }: z.output<typeof merchantRemoved>,
  actor: string,
  ports: OperatorPorts,
): Promise<Said | Refused> {
  const { config, billing, clock } = ports;
  const merchant = await config.merchantNow(id);
  if (merchant === null) return NO_MERCHANT;
  if (merchant.suspension === undefined) return NOT_SUSPENDED;
  const subscription = (await billing.billing(id))?.subscription ?? null;
  if (subscription !== null && !isOver(subscription)) return PAYS;
  return await audited(
    { merchantId: id, actor, action: 'removeMerchant', subject: id },
    async (note) => {
      const removal = await config.beginRemoval(id, { atMs: clock.now(), by: actor });
      if (removal === null) return NOT_SUSPENDED;
      const ended = await endAll(id, ports);
      const changed = await config.endRemoval(id, clock.now());
      if (changed) note('merchant.remove', id);
      return { merchant: id, changed, removed: viewOf(removal), ended };
    },
    ports,
  );
}

const viewOf = ({ atMs, by }: Removal) => ({ since: iso(atMs), by });

/** Keys of data last: until then what still runs can read what it has begun, and sends it nowhere. */
async function endAll(
  id: string,
  { config, keys, removeTasks, dataKeys, dayKeys, clock }: OperatorPorts,
): Promise<Ended> {
  const connections = await config.listConnections(id);
  for (const one of connections) await config.deleteConnection(id, one.id, { atMs: clock.now() });
  // Before the team, which alone names them.
  for (const { sub } of (await config.team(id)).members) await config.releaseSubject(sub, id);
  const people = await config.changeTeam(id, ({ members, invitations }) => ({
    team: members.length + invitations.length === 0 ? null : NO_TEAM,
    result: members.length,
  }));
  let revoked = 0;
  // Those that are revoked too: their copies may not be, where that was broken off.
  for (const store of Object.values(keys))
    for (const { keyId } of await store.listApiKeys(id))
      if ((await store.revokeApiKey(id, keyId, clock.now()))?.by === 'this') revoked += 1;
  // A job that cannot open what it works on would be tried for ever.
  await removeTasks(id);
  const days = await dayKeys.eraseBefore(id, AFTER_ALL_DAYS);
  await dataKeys.remove(id);
  return { connections: connections.length, people, keys: revoked, days };
}
