// Replay plans in the config table.
//   pk M#<merchant>  sk REPLAY#<plan id>   v version   plan  the plan as it is; ids are in the order of time
//   pk REPLAYS       sk <merchant>         p set of the ids of plans that have a place
// The second kind is one item per merchant that ever had a plan, in one partition: a sweep reads it whole.
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { ReplayPlan } from '../../../events/domain/replay-plan.ts';
import type { ReplayStore } from '../../../events/ports/replay-store.ts';
import { conditional } from '../core/conditional.ts';
import { merchantKey } from '../core/config-item.ts';

const PLACES = 'REPLAYS';
const planKey = (merchantId: string, planId: string) => merchantKey(merchantId, `REPLAY#${planId}`);
const placesKey = (merchantId: string) => ({ pk: PLACES, sk: merchantId });

export function createReplayStore(db: DynamoDBDocumentClient, table: string): ReplayStore {
  return { ...placeStore(db, table), ...planStore(db, table) };
}

type PlaceStore = Pick<ReplayStore, 'takePlace' | 'leavePlace' | 'places' | 'activePlans'>;

function placeStore(db: DynamoDBDocumentClient, table: string): PlaceStore {
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
      return placesOf(item?.p);
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
      const plans = items.flatMap(({ sk, p }) =>
        placesOf(p).map((planId) => ({ merchantId: String(sk), planId })),
      );
      return { plans, ...(last === undefined ? {} : { cursor: String(last.sk) }) };
    },
  };
}

function planStore(db: DynamoDBDocumentClient, table: string): Omit<ReplayStore, keyof PlaceStore> {
  const put = async (plan: ReplayPlan, condition: object): Promise<boolean> => {
    const Item = { ...planKey(plan.merchantId, plan.id), v: plan.version, plan };
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
      return item === undefined ? null : (item.plan as ReplayPlan);
    },

    async listPlans(merchantId, limit, before) {
      const { Items: items = [] } = await db.send(
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
          Limit: limit,
          ...(before === undefined ? {} : { ExclusiveStartKey: planKey(merchantId, before) }),
        }),
      );
      return items.map((item) => item.plan as ReplayPlan);
    },

    writePlan: (next, seenVersion) =>
      put(
        { ...next, version: seenVersion + 1 },
        { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': seenVersion } },
      ),
  };
}

/** An empty set is no attribute. */
const placesOf = (value: unknown): readonly string[] =>
  [...((value as Set<string> | undefined) ?? [])].sort();
