// What the operator lets one merchant have: attributes beside its profile.
import type { Item } from '#lib/core/record/stored-item.ts';
import { MERCHANT_LIMITS, type MerchantLimit, type MerchantLimits } from '#lib/events/domain/merchant.ts';
import type { MerchantLimitStore } from '#lib/events/ports/merchant-store.ts';
import { type Db, updatedItem } from '../core/items/commands.ts';
import { profileKey } from '../core/items/config-item.ts';
import { EVENTS_PER_DAY, EVENTS_PER_MINUTE } from '../core/tenancy/operator-word.ts';

const ATTRIBUTES: Readonly<Record<MerchantLimit, string>> = {
  // Keys carry these: operator-word.ts.
  serverEventsPerMinute: EVENTS_PER_MINUTE,
  serverEventsPerDay: EVENTS_PER_DAY,
  browserEventsPerMinute: 'bpm',
  replaysPerDay: 'rpd',
};
const NAMES = Object.keys(MERCHANT_LIMITS) as readonly MerchantLimit[];

export const limitsIn = (profile: Item): MerchantLimits =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = profile[ATTRIBUTES[name]];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );

/** What sets them in an update. */
export function limitsSet(limits: Readonly<Partial<Record<MerchantLimit, number | null>>>) {
  const named = NAMES.filter((name) => typeof limits[name] === 'number');
  return {
    set: named.map((name) => `${ATTRIBUTES[name]} = :${name}`),
    values: Object.fromEntries(named.map((name) => [`:${name}`, limits[name]])),
  };
}

export const createMerchantLimitStore = (db: Db, table: string): MerchantLimitStore => ({
  async limit(merchantId, change) {
    const { set, values } = limitsSet(change);
    const removed = NAMES.filter((name) => change[name] === null).map((name) => ATTRIBUTES[name]);
    const update = [
      ...(set.length === 0 ? [] : [`SET ${set.join(', ')}`]),
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.join(', ')}`]),
    ].join(' ');
    const condition = 'attribute_exists(merchant)';
    const written = await updatedItem(
      { db, table },
      profileKey(merchantId),
      { update, condition, values },
      'ALL_OLD',
    );
    if (written === null) return null;
    const before = limitsIn(written);
    const after = Object.entries({ ...before, ...change }).filter(([, value]) => typeof value === 'number');
    return { before, after: Object.fromEntries(after) };
  },
});
