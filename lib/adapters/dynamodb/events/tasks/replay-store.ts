// Replay plans in the config table.
//   pk M#<merchant>  sk REPLAY#<plan id>   v version   plan  the plan as it is; ids are in the order of time
//      expires  seconds, of one that is over: as rows do (row-expiry.ts)
//   pk REPLAYS       sk <merchant>         p set of the ids of plans that have a place
// The second kind is one item per merchant that ever had a plan, in one partition: a sweep reads it whole.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrSetAside } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { expirySec } from '#lib/events/domain/event/row-expiry.ts';
import { isOver, type ReplayPlan, STORED_REPLAY_PLAN } from '#lib/events/domain/replays/plan.ts';
import type { ReplayStore } from '#lib/events/ports/replay-store.ts';
import { type Db, getItem, updateItem } from '../../core/items/commands.ts';
import { queryPage } from '../../core/items/query.ts';
import { createJobStore, defineJob } from './job-store.ts';

const PLACES = 'REPLAYS';
export const PLAN = defineJob<ReplayPlan>({
  what: 'replay plan',
  partition: 'M',
  prefix: 'REPLAY',
  attribute: 'plan',
  schema: STORED_REPLAY_PLAN,
  personal: [],
  meaning: 'Plans are listed without it; it keeps its place and goes on once it can be read.',
  expirySec: (plan) => (isOver(plan) ? expirySec(plan.updatedAtMs) : null),
});

export const PLAN_PLACES = defineKind<ReadonlySet<string>>({
  what: 'places of replay plans',
  table: 'config',
  key: { pk: 'REPLAYS', sk: '{merchant}' },
  attribute: 'p',
  schema: z.instanceof(Set<string>),
  personal: [],
  whenUnreadable: 'left out',
  meaning: 'The plans of other merchants go on; those of this one wait.',
});
const placesKey = (merchantId: string) => ({ pk: PLACES, sk: merchantId });

export function createReplayStore(db: Db, table: string, quarantine: ItemQuarantine = () => {}): ReplayStore {
  const config = { db, table };
  const plans = createJobStore(db, table, PLAN, quarantine);
  return {
    createPlan: plans.create,
    plan: plans.read,
    listPlans: plans.list,
    writePlan: plans.write,

    takePlace: (merchantId, planId, placesMax) =>
      updateItem(config, placesKey(merchantId), {
        update: 'ADD p :plan',
        condition: 'attribute_not_exists(p) OR size(p) < :max OR contains(p, :id)',
        values: { ':plan': new Set([planId]), ':id': planId, ':max': placesMax },
      }),

    async leavePlace(merchantId, planId) {
      const values = { ':plan': new Set([planId]) };
      await updateItem(config, placesKey(merchantId), { update: 'DELETE p :plan', values });
    },

    async places(merchantId) {
      const item = await getItem(config, placesKey(merchantId));
      // An empty set is no attribute.
      return item?.p === undefined ? [] : [...decodeItem(PLAN_PLACES, item)].sort();
    },

    async activePlans(cursor) {
      const after = cursor === undefined ? undefined : placesKey(cursor);
      const { items, last } = await queryPage(config, { hash: PLACES }, { after });
      const active = items.flatMap((item) => {
        const ids = item.p === undefined ? undefined : decodeOrSetAside(PLAN_PLACES, item, quarantine);
        return [...(ids ?? [])].sort().map((planId) => ({ merchantId: String(item.sk), planId }));
      });
      return { plans: active, ...(last === undefined ? {} : { cursor: String(last.sk) }) };
    },
  };
}
