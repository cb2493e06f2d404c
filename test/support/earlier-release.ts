// What the release before decision 0069 does with teams, routings and data keys: it knows one place of each, in the partition that
// a merchant's items share. Its writes are repeated here as it made them; how it reads is the code of today.
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditional } from '#lib/adapters/dynamodb/core/items/commands.ts';
import { DATA_KEY } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { TEAM } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { formatRules, type Routing, routingFromItem } from '#lib/adapters/dynamodb/events/routing/item.ts';
import type { DataKeyStore } from '#lib/core/ports/data-keys.ts';
import { decodeItem, type Item } from '#lib/core/record/stored-item.ts';
import type { Team } from '#lib/core/tenancy/team.ts';
import type { Circuit } from '#lib/events/domain/connections/connection.ts';

export interface EarlierRelease {
  readonly dataKeys: Pick<DataKeyStore, 'read' | 'create'>;
  routing(merchantId: string): Promise<Routing>;
  /** False where another was faster. */
  setRules(merchantId: string, rules: readonly unknown[], seen: Routing): Promise<boolean>;
  openCircuit(merchantId: string, slot: string, circuit: Circuit): Promise<boolean>;
  team(merchantId: string): Promise<{ readonly version: number; readonly team: Team }>;
  setTeam(merchantId: string, team: Team, seenVersion: number): Promise<boolean>;
}

export const formerKey = (merchantId: string, sk: string) => ({ pk: `M#${merchantId}`, sk });

export function earlierRelease(db: DynamoDBDocumentClient, table: string): EarlierRelease {
  const read = async (merchantId: string, sk: string): Promise<Item | undefined> =>
    (
      await db.send(
        new GetCommand({ TableName: table, Key: formerKey(merchantId, sk), ConsistentRead: true }),
      )
    ).Item;
  const put = async (merchantId: string, sk: string, attributes: object, seenVersion: number) => {
    const condition =
      seenVersion === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': seenVersion } };
    const Item = { ...formerKey(merchantId, sk), ...attributes };
    return (await conditional(db.send(new PutCommand({ TableName: table, Item, ...condition })))) !== null;
  };
  const update = async (merchantId: string, sk: string, rest: object) => {
    const command = new UpdateCommand({ TableName: table, Key: formerKey(merchantId, sk), ...rest });
    return (await conditional(db.send(command))) !== null;
  };
  const dataKey = async (merchantId: string) => {
    const item = await read(merchantId, 'DATAKEY');
    return item === undefined ? null : decodeItem(DATA_KEY, item);
  };
  return {
    dataKeys: {
      read: dataKey,
      async create(merchantId, wrapped) {
        if (await put(merchantId, 'DATAKEY', { wrapped }, 0)) return wrapped;
        const stored = await dataKey(merchantId);
        if (stored === null) throw new Error('the data key came and went');
        return stored;
      },
    },
    routing: async (merchantId) => routingFromItem(merchantId, await read(merchantId, 'ROUTING'), () => {}),
    async setRules(merchantId, rules, { version }) {
      const r = formatRules(rules);
      if (version === 0) return await put(merchantId, 'ROUTING', { v: 1, c: {}, r }, 0);
      return await update(merchantId, 'ROUTING', {
        UpdateExpression: 'SET v = :version, r = :rules',
        ConditionExpression: 'v = :seen',
        ExpressionAttributeValues: { ':version': version + 1, ':rules': r, ':seen': version },
      });
    },
    openCircuit: (merchantId, slot, circuit) =>
      update(merchantId, 'ROUTING', {
        UpdateExpression: 'SET c.#p.circuit = :circuit',
        ConditionExpression: 'attribute_exists(c.#p.id) AND attribute_not_exists(c.#p.circuit)',
        ExpressionAttributeNames: { '#p': slot },
        ExpressionAttributeValues: { ':circuit': circuit },
      }),
    async team(merchantId) {
      const item = await read(merchantId, 'TEAM');
      if (item === undefined) return { version: 0, team: { members: [], invitations: [] } };
      const { v: version, team } = decodeItem(TEAM, item);
      return { version, team: team as unknown as Team };
    },
    setTeam: (merchantId, team, seenVersion) =>
      put(merchantId, 'TEAM', { v: seenVersion + 1, team }, seenVersion),
  };
}
