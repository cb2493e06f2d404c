// The config table in memory as far as API keys need it: the commands of the DynamoDB store itself, each one atomic, run
// when and if `run` lets it.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type Item = Record<string, unknown>;
interface Command {
  readonly input: {
    readonly Key?: Item;
    readonly Item?: Item;
    readonly ConditionExpression?: string;
    readonly ExpressionAttributeValues?: Item;
  };
}

/** What a command asks of one item. */
export interface KeyTableCall {
  readonly name: 'GetCommand' | 'PutCommand' | 'UpdateCommand';
  /** Partition key of the item. */
  readonly pk: string;
  readonly isConditional: boolean;
  exists(): boolean;
  perform(): object;
  /** A put without its condition. */
  overwrite(): object;
}

export interface KeyTable {
  readonly db: DynamoDBDocumentClient;
  readonly items: ReadonlyMap<string, Item>;
}

/** `db` sends through `run`; the answers of commands that it never performs never come. */
export function createKeyTable(
  run: (call: KeyTableCall) => Promise<object>,
  items = new Map<string, Item>(),
): KeyTable {
  const send = (command: Command): Promise<object> => {
    const { input } = command;
    const name = command.constructor.name as KeyTableCall['name'];
    const key = input.Key ?? input.Item ?? {};
    const id = `${key.pk} ${key.sk}`;
    const performers: Readonly<Record<KeyTableCall['name'], () => object>> = {
      GetCommand: () => ({ Item: items.get(id) }),
      PutCommand: () => {
        if (input.ConditionExpression !== undefined && items.has(id)) throw conditionFailed();
        items.set(id, input.Item ?? {});
        return {};
      },
      // The only update there is: `SET record.revokedAtMs = if_not_exists(…)` of this merchant's.
      UpdateCommand: () => {
        const { ':now': now, ':merchant': merchant } = input.ExpressionAttributeValues ?? {};
        const item = items.get(id);
        const record = item?.record as Item | undefined;
        if (record?.merchantId !== merchant) throw conditionFailed();
        items.set(id, { ...item, record: { ...record, revokedAtMs: record?.revokedAtMs ?? now } });
        return { Attributes: item };
      },
    };
    return run({
      name,
      pk: String(key.pk),
      isConditional: input.ConditionExpression !== undefined,
      exists: () => items.has(id),
      perform: performers[name],
      overwrite: () => {
        items.set(id, input.Item ?? {});
        return {};
      },
    });
  };
  return { db: { send } as unknown as DynamoDBDocumentClient, items };
}

function conditionFailed(): Error {
  return Object.assign(new Error('condition'), { name: 'ConditionalCheckFailedException' });
}
