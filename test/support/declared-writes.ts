// Holds every write of a test to the list of kinds: an item of a kind that is not declared fails the test that writes it.
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { EVERY_KIND } from '../../lib/adapters/dynamodb/every-kind.ts';
import type { DeclaredKind, TableName } from '../../lib/core/record/define-kind.ts';
import { kindsOfItem, kindsOfKey } from '../../lib/core/record/key-template.ts';

/** `tables`: which of ours a table of the emulator is. */
export function onlyDeclaredWrites(
  db: DynamoDBDocumentClient,
  tables: Readonly<Record<string, TableName>>,
): DynamoDBDocumentClient {
  const send = db.send.bind(db) as (...args: unknown[]) => unknown;
  const checked = (command: unknown, ...rest: unknown[]): unknown => {
    const undeclared = undeclaredWrite(command, tables);
    if (undeclared !== null) throw new Error(undeclared);
    return send(command, ...rest);
  };
  return Object.assign(db, { send: checked });
}

/** Null where a kind is declared. */
export function undeclaredWrite(
  command: unknown,
  tables: Readonly<Record<string, TableName>>,
): string | null {
  if (!(command instanceof PutCommand || command instanceof UpdateCommand)) return null;
  const table = tables[command.input.TableName ?? ''];
  if (table === undefined) return null;
  const isDeclared =
    command instanceof PutCommand
      ? kindsOfItem(EVERY_KIND, table, command.input.Item ?? {}).length > 0
      : kindsOfKey(EVERY_KIND, table, command.input.Key ?? {}).some(takes(command));
  if (isDeclared) return null;
  const { pk, sk } = command instanceof PutCommand ? (command.input.Item ?? {}) : (command.input.Key ?? {});
  return `no kind of the table ${table} has the key ${String(pk)} ${String(sk ?? '')}: declare it with defineKind and add it to lib/adapters/dynamodb/every-kind.ts`;
}

/** Where keys say nothing, a kind is known by its attributes. */
const takes =
  ({ input }: UpdateCommand) =>
  (kind: DeclaredKind): boolean => {
    const schema = 'schema' in kind ? kind.schema : null;
    if (kind.key.sk !== undefined || !(schema instanceof z.ZodObject)) return true;
    const names = [...(input.UpdateExpression ?? '').matchAll(/(#?\w+) (?:= )?:\w+/g)];
    return names.every(([, name = '']) =>
      Object.hasOwn(schema.shape, input.ExpressionAttributeNames?.[name] ?? name),
    );
  };
