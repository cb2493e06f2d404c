// DynamoDB in memory, at the commands of the SDK's clients, with what makes and describes a table.
import { type CreateTableCommandInput, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import type { BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TableSpec } from '#services/local/stack/topology.ts';
import { createDatabase } from '../../scale/dynamodb/database.ts';

/**
 * Answers one command, by the API's name, or throws what the SDK would throw. Nothing is throttled, and indexes show a write at
 * once.
 */
export type ModelledDynamodb = (call: string, input: object) => object;

export function createModelledDynamodb(): ModelledDynamodb {
  const database = createDatabase({
    tables: [],
    now: () => 0,
    later: (show) => show(),
    capacity: () => ({}),
  });
  const made = new Map<string, CreateTableCommandInput>();
  return (call, input) => {
    const { TableName: name = '' } = input as { readonly TableName?: string };
    if (call === 'CreateTable') {
      made.set(name, input as CreateTableCommandInput);
      database.add(specOf(input as CreateTableCommandInput));
    }
    if (call === 'CreateTable' || call === 'DescribeTable') {
      const table = made.get(name);
      if (table === undefined)
        throw new ResourceNotFoundException({ message: `no table ${name}`, $metadata: {} });
      return { Table: { ...table, TableStatus: 'ACTIVE' } };
    }
    if (call === 'BatchWriteItem') {
      const { RequestItems: items = {} } = input as BatchWriteCommandInput;
      for (const [TableName, requests] of Object.entries(items))
        for (const { PutRequest: put, DeleteRequest: remove } of requests)
          if (put !== undefined) database.execute('PutCommand', { TableName, Item: put.Item }, 'free');
          else database.execute('DeleteCommand', { TableName, Key: remove?.Key }, 'free');
      return ANSWERED;
    }
    // As the document client has it.
    const command = `${call.replace(/Item$/, '')}Command`;
    return { ...ANSWERED, ...database.execute(command, { ...input }, 'free').output };
  };
}

const ANSWERED = { $metadata: { attempts: 1 } };

const specOf = (input: CreateTableCommandInput): TableSpec =>
  ({
    name: input.TableName,
    attributes: input.AttributeDefinitions,
    keySchema: input.KeySchema,
    indexes: input.GlobalSecondaryIndexes ?? [],
  }) as TableSpec;
