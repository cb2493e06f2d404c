// Replay plans in the config table.
//   pk M#<merchant>  sk REPLAY#<plan id>   v version   plan  the plan as it is; ids are in the order of time
//      expires  seconds, of one that is over: as rows do (row-expiry.ts)
//   pk REPLAYS       sk <merchant>         p set of the ids of plans that have a place
// The second kind is one item per merchant that ever had a plan, in one partition: a sweep reads it whole.

import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import {
  decodeItem,
  decodeOrSetAside,
  formatAttribute,
  type Item as StoredItem,
} from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { expirySec } from '#lib/events/domain/event/row-expiry.ts';
import { isOver, type ReplayPlan } from '#lib/events/domain/replays/plan.ts';
import { STORED_REPLAY_PLAN } from '#lib/events/domain/replays/stored-plan.ts';
import type { ReplayStore } from '#lib/events/ports/replay-store.ts';
import { conditional } from '../../core/items/conditional.ts';
import { merchantKey } from '../../core/items/config-item.ts';
import { everyItem } from '../../core/items/every-item.ts';

const PLACES = 'REPLAYS';
export const PLAN = defineKind<ReplayPlan>({
  what: 'replay plan',
  table: 'config',
  key: { pk: 'M#{merchant}', sk: 'REPLAY#{id}' },
  attribute: 'plan',
  schema: STORED_REPLAY_PLAN,
  expires: 'expires',
  personal: [],
  whenUnreadable: 'left out',
  meaning: 'Plans are listed without it; it keeps its place and goes on once it can be read.',
});

export const PLAN_PLACES = defineKind<ReadonlySet<string>>({
  what: 'places of replay plans',
  table: 'config',
  key: { pk: 'REPLAYS', sk: '{merchant}' },
  attribute: 'p',
  schema: z.instanceof(Set<string>),
  expires: null,
  personal: [],
  whenUnreadable: 'left out',
  meaning: 'The plans of other merchants go on; those of this one wait.',
});
const planKey = (merchantId: string, planId: string) => merchantKey(merchantId, `REPLAY#${planId}`);
const placesKey = (merchantId: string) => ({ pk: PLACES, sk: merchantId });

export function createReplayStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine = () => {},
): ReplayStore {
  return { ...placeStore(db, table, quarantine), ...planStore(db, table, quarantine) };
}

type PlaceStore = Pick<ReplayStore, 'takePlace' | 'leavePlace' | 'places' | 'activePlans'>;

function placeStore(db: DynamoDBDocumentClient, table: string, quarantine: ItemQuarantine): PlaceStore {
  return {
    async takePlace(merchantId, planId, placesMax) {
      const taken = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: placesKey(merchantId),
            UpdateExpression: 'ADD p :plan',
            ConditionExpression: 'attribute_not_exists(p) OR size(p) < :max OR contains(p, :id)',
            ExpressionAttributeValues: { ':plan': new Set([planId]), ':id': planId, ':max': placesMax },
          }),
        ),
      );
      return taken !== null;
    },

    async leavePlace(merchantId, planId) {
      await db.send(
        new UpdateCommand({
          TableName: table,
          Key: placesKey(merchantId),
          UpdateExpression: 'DELETE p :plan',
          ExpressionAttributeValues: { ':plan': new Set([planId]) },
        }),
      );
    },

    async places(merchantId) {
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: placesKey(merchantId), ConsistentRead: true }),
      );
      return item?.p === undefined ? [] : [...decodeItem(PLAN_PLACES, item)].sort();
    },

    async activePlans(cursor) {
      const { Items: items = [], LastEvaluatedKey: last } = await db.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': PLACES },
          ConsistentRead: true,
          ...(cursor === undefined ? {} : { ExclusiveStartKey: placesKey(cursor) }),
        }),
      );
      const plans = items.flatMap((item) =>
        placesOf(item, quarantine).map((planId) => ({ merchantId: String(item.sk), planId })),
      );
      return { plans, ...(last === undefined ? {} : { cursor: String(last.sk) }) };
    },
  };
}

function planStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine,
): Omit<ReplayStore, keyof PlaceStore> {
  const put = async (plan: ReplayPlan, condition: object): Promise<boolean> => {
    const expires = isOver(plan) ? { expires: expirySec(plan.updatedAtMs) } : {};
    const Key = planKey(plan.merchantId, plan.id);
    const Item = { ...Key, ...formatAttribute(PLAN), v: plan.version, plan, ...expires };
    return (
      (await conditional(db.send(new PutCommand({ TableName: table, Item, ...condition } as never)))) !== null
    );
  };
  return {
    createPlan: (plan) => put(plan, { ConditionExpression: 'attribute_not_exists(pk)' }),

    async plan(merchantId, planId) {
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: planKey(merchantId, planId), ConsistentRead: true }),
      );
      return item === undefined ? null : decodeItem(PLAN, item);
    },

    async listPlans(merchantId, limit, before) {
      const plans: ReplayPlan[] = [];
      const readPage = (from: object) =>
        db.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
            ExpressionAttributeValues: {
              ':pk': planKey(merchantId, '').pk,
              ':first': planKey(merchantId, '').sk,
              ':last': planKey(merchantId, '~').sk,
            },
            ConsistentRead: true,
            ScanIndexForward: false,
            Limit: limit - plans.length,
            ...(before === undefined ? {} : { ExclusiveStartKey: planKey(merchantId, before) }),
            ...from,
          }),
        );
      for await (const item of everyItem(readPage)) {
        const plan = decodeOrSetAside(PLAN, item, quarantine);
        if (plan !== undefined && plans.push(plan) === limit) break;
      }
      return plans;
    },

    writePlan: (next, seenVersion) =>
      put(
        { ...next, version: seenVersion + 1 },
        { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': seenVersion } },
      ),
  };
}

/** An empty set is no attribute. */
const placesOf = (item: StoredItem, quarantine: ItemQuarantine): readonly string[] =>
  item.p === undefined ? [] : [...(decodeOrSetAside(PLAN_PLACES, item, quarantine) ?? [])].sort();
