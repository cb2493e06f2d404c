// Tokens and the records found under them: one small item for each pair. Guarantees: what a later version of the record said of
// a token stays, whoever comes late; what was written is found by the next read. An item says where to look: whoever finds an
// id compares it with the record.
// Of a prefix that more rows share than are asked for in one shard, those under the last tokens in order are given.
import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dueShard } from '../../../core/work/due-shard.ts';
import type { SearchIndex } from '../../../helpdesk/ports/stores.ts';
import { conditional } from '../core/conditional.ts';
import { TOKEN_SHARDS, tokenPartition } from './helpdesk-item.ts';
import { itemsOf } from './query.ts';
import { ITEM_FORMAT } from './record-codec.ts';

/** How long what was taken away keeps those who are late from putting it back. */
const REMOVED_KEPT_SEC = 86_400;
/** Between a token and a record: no id holds it. */
const SEPARATOR = ' ';
const PAGE_MAX = 1_000;

export function createSearchIndex(
  db: DynamoDBDocumentClient,
  table: string,
  nowMs: () => number,
): SearchIndex {
  return {
    async change(workspaceId, { type, recordId, version, add, remove }) {
      const added = new Set(add.filter((token) => token !== ''));
      const removed = new Set(remove.filter((token) => token !== '' && !added.has(token)));
      const shard = dueShard(recordId, TOKEN_SHARDS);
      const expires = Math.ceil(nowMs() / 1_000) + REMOVED_KEPT_SEC;
      const write = (token: string, isThere: boolean) =>
        conditional(
          db.send(
            new UpdateCommand({
              TableName: table,
              Key: { pk: tokenPartition(workspaceId, type, token, shard), sk: token + SEPARATOR + recordId },
              UpdateExpression: isThere
                ? 'SET v = :v, f = :f REMOVE x, ex'
                : 'SET v = :v, f = :f, x = :x, ex = :ex',
              ConditionExpression: 'attribute_not_exists(v) OR v <= :v',
              ExpressionAttributeValues: {
                ':v': version,
                ':f': ITEM_FORMAT,
                ...(isThere ? {} : { ':x': true, ':ex': expires }),
              },
            }),
          ),
        );
      await Promise.all([
        ...[...added].map((token) => write(token, true)),
        ...[...removed].map((token) => write(token, false)),
      ]);
    },

    async forget(workspaceId, { type, recordId, tokens }) {
      const shard = dueShard(recordId, TOKEN_SHARDS);
      const known = [...new Set(tokens)].filter((token) => token !== '');
      await Promise.all(
        known.map((token) =>
          db.send(
            new DeleteCommand({
              TableName: table,
              Key: { pk: tokenPartition(workspaceId, type, token, shard), sk: token + SEPARATOR + recordId },
            }),
          ),
        ),
      );
    },

    async find(workspaceId, type, { text, isPrefix }, limit) {
      if (text === '' || limit < 1) return [];
      const shards = Array.from({ length: TOKEN_SHARDS }, async (_, shard) => {
        const ids = new Set<string>();
        const partition = {
          table,
          names: ['pk', 'sk'],
          hash: tokenPartition(workspaceId, type, text, shard),
          prefix: isPrefix ? text : text + SEPARATOR,
          filter: 'attribute_not_exists(x)',
        } as const;
        for await (const { sk } of itemsOf(db, partition, { forward: false, pageMax: PAGE_MAX })) {
          const row = parseRow(String(sk));
          if (isPrefix || row.token === text) ids.add(row.id);
          if (ids.size === limit) break;
        }
        return ids;
      });
      const found = new Set((await Promise.all(shards)).flatMap((ids) => [...ids]));
      return [...found].sort((a, b) => (a > b ? -1 : 1)).slice(0, limit);
    },
  };
}

function parseRow(sk: string): { readonly token: string; readonly id: string } {
  const at = sk.lastIndexOf(SEPARATOR);
  return { token: sk.slice(0, at), id: sk.slice(at + 1) };
}
