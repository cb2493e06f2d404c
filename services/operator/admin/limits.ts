// What the operator lets one merchant have, beside what holds for all of the deployment. Guarantees: one conditional write, and the
// merchant's keys follow; an attempt that broke off is finished by the same request.
import * as z from 'zod';
import { audited } from '#lib/core/audit-log/audited.ts';
import { MERCHANT_LIMITS, type MerchantLimit, type MerchantLimits } from '#lib/events/domain/merchant.ts';
import { merchantId } from './fields.ts';
import { keysFollow } from './keys-follow.ts';
import type { OperatorPorts } from './ports.ts';
import { NO_MERCHANT, type Refused } from './refused.ts';

/** Name on the wire → in the domain. */
const NAMES = {
  server_events_per_minute: 'serverEventsPerMinute',
  server_events_per_day: 'serverEventsPerDay',
  browser_events_per_minute: 'browserEventsPerMinute',
  replays_per_day: 'replaysPerDay',
} as const satisfies Readonly<Record<string, MerchantLimit>>;
type Name = keyof typeof NAMES;
const ALL = Object.keys(NAMES) as readonly Name[];

/** Null: back to what holds for all. */
const value = (name: Name) => z.int().min(1).max(MERCHANT_LIMITS[NAMES[name]].max).nullable().optional();

export const merchantLimited = z.strictObject({
  merchant: merchantId,
  server_events_per_minute: value('server_events_per_minute'),
  server_events_per_day: value('server_events_per_day'),
  browser_events_per_minute: value('browser_events_per_minute'),
  replays_per_day: value('replays_per_day'),
});

type Limits = Readonly<Record<Name, { readonly value: number; readonly set_for: 'merchant' | 'deployment' }>>;

interface Said {
  readonly merchant: string;
  /** Names of those that are others now. */
  readonly changed: readonly Name[];
  readonly limits: Limits;
}

export async function limitMerchant(
  { merchant: id, ...wanted }: z.output<typeof merchantLimited>,
  actor: string,
  ports: OperatorPorts,
): Promise<Said | Refused> {
  const merchant = await ports.config.merchantNow(id);
  if (merchant === null) return NO_MERCHANT;
  const named = ALL.filter((name) => wanted[name] !== undefined);
  if (named.length === 0) return { merchant: id, changed: [], limits: viewOf(merchant.limits, ports) };
  const change = Object.fromEntries(named.map((name) => [NAMES[name], wanted[name]]));
  return await audited(
    { merchantId: id, actor, action: 'limitMerchant', subject: id },
    async (note) => {
      const written = await ports.config.limit(id, change);
      if (written === null) return NO_MERCHANT;
      const { before, after } = written;
      const changed = named.filter((name) => before[NAMES[name]] !== after[NAMES[name]]);
      for (const name of changed) note('merchant.limit', `${name}=${after[NAMES[name]] ?? 'default'}`);
      const keys = await keysFollow(id, ports);
      return typeof keys === 'number' ? { merchant: id, changed, limits: viewOf(after, ports) } : keys;
    },
    ports,
  );
}

export function viewOf(own: MerchantLimits = {}, { ceilings }: Pick<OperatorPorts, 'ceilings'>): Limits {
  const shown = ALL.map((name) => {
    const set = own[NAMES[name]];
    return [
      name,
      { value: set ?? ceilings[NAMES[name]], set_for: set === undefined ? 'deployment' : 'merchant' },
    ] as const;
  });
  return Object.fromEntries(shown) as Limits;
}
