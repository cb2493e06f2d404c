// Tokens and the records found under them: one small item for each pair. Guarantees: a late write of an earlier record
// version does not overwrite a later one; a written token is found by the next read. An item is only a hint: callers
// compare each id with the record.
// If more rows share a prefix than are read, those under the last tokens in order are returned, and the answer says so.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatOf } from '#lib/core/record/stored-item.ts';
import { dueShard } from '#lib/core/work/due-shard.ts';
import type { SearchType } from '#lib/helpdesk/domain/outbox.ts';
import type { SearchIndex } from '#lib/helpdesk/ports/stores.ts';
import { type Db, deleteItem, type Table, updateItem } from '../core/items/commands.ts';
import { beginsWith, itemsOf, type Partition } from '../core/items/query.ts';
import { TOKEN_SHARDS, tokenPartition } from './helpdesk-item.ts';

/** How long a removed token's version is kept, so that late writes cannot restore it. */
const REMOVED_KEPT_SEC = 86_400;
/** Separates token and record: no id has it. */
const SEPARATOR = ' ';
/** Up to this limit each shard reads the whole limit. */
const FEW = 50;

export const TOKEN = defineKind({
  what: 'token',
  table: 'helpdesk',
  key: { pk: 'S#{type}#{workspace...}#{code point}#{shard}', sk: '{token and record...}' },
  attribute: null,
  schema: z
    .looseObject({ sk: z.string(), v: z.number(), x: z.literal(true).exactOptional() })
    .transform(({ sk, v, x }) => ({ ...parseRow(sk), version: v, isThere: x !== true })),
  expires: 'ex',
  personal: ['sk'],
  whenUnreadable: 'absent',
  meaning: 'Its record is found by other words.',
});

export function createSearchIndex(db: Db, table: string, nowMs: () => number): SearchIndex {
  const helpdesk = { db, table };
  const keyOf = (workspaceId: string, type: SearchType, token: string, recordId: string) => ({
    pk: tokenPartition(workspaceId, type, token, dueShard(recordId, TOKEN_SHARDS)),
    sk: token + SEPARATOR + recordId,
  });
  return {
    async change(workspaceId, { type, recordId, version, add, remove }) {
      const added = new Set(add.filter((token) => token !== ''));
      const removed = new Set(remove.filter((token) => token !== '' && !added.has(token)));
      const expires = Math.ceil(nowMs() / 1_000) + REMOVED_KEPT_SEC;
      const write = (token: string, isThere: boolean) =>
        updateItem(helpdesk, keyOf(workspaceId, type, token, recordId), {
          update: isThere ? 'SET v = :v, f = :f REMOVE x, ex' : 'SET v = :v, f = :f, x = :x, ex = :ex',
          condition: 'attribute_not_exists(v) OR v <= :v',
          values: {
            ':v': version,
            ':f': formatOf(TOKEN),
            ...(isThere ? {} : { ':x': true, ':ex': expires }),
          },
        });
      await Promise.all([
        ...[...added].map((token) => write(token, true)),
        ...[...removed].map((token) => write(token, false)),
      ]);
    },

    async forget(workspaceId, { type, recordId, tokens }) {
      const known = [...new Set(tokens)].filter((token) => token !== '');
      await Promise.all(
        known.map((token) => deleteItem(helpdesk, keyOf(workspaceId, type, token, recordId))),
      );
    },

    async find(workspaceId, type, { text, isPrefix }, limit) {
      if (text === '' || limit < 1) return { ids: [], isWhole: true };
      const shards = await Promise.all(
        Array.from({ length: TOKEN_SHARDS }, async (_, shard) => {
          const partition = {
            hash: tokenPartition(workspaceId, type, text, shard),
            range: beginsWith(isPrefix ? text : text + SEPARATOR),
            filter: 'attribute_not_exists(x)',
          };
          return await idsOf(helpdesk, partition, rowsOfShard(limit), isPrefix ? null : text);
        }),
      );
      const unread = shards.filter(({ isWhole }) => !isWhole).map(({ last }) => last);
      // Each shard gave its last ids for a whole word: ids before the point where a shard stopped may be incomplete.
      const from = isPrefix ? '' : (unread.toSorted().at(-1) ?? '');
      const found = new Set(shards.flatMap(({ ids }) => ids).filter((id) => id >= from));
      const ids = [...found].sort((a, b) => (a > b ? -1 : 1));
      return { ids: ids.slice(0, limit), isWhole: unread.length === 0 && ids.length <= limit };
    },
  };
}

/** Above `FEW`, half of the limit in each of four shards: ids are spread evenly. */
const rowsOfShard = (limit: number): number => (limit <= FEW ? limit : Math.ceil((limit * 2) / TOKEN_SHARDS));

interface ShardIds {
  readonly ids: readonly string[];
  readonly isWhole: boolean;
  /** The last key that was read. */
  readonly last: string;
}

/** `token`: only rows of this token count; null for any. */
async function idsOf(
  helpdesk: Table,
  partition: Partition,
  rowsMax: number,
  token: string | null,
): Promise<ShardIds> {
  const ids: string[] = [];
  for await (const { sk } of itemsOf(helpdesk, partition, { forward: false, pageMax: rowsMax + 1 })) {
    const row = parseRow(String(sk));
    if (token !== null && row.token !== token) continue;
    if (ids.length === rowsMax) return { ids, isWhole: false, last: ids.at(-1) ?? '' };
    ids.push(row.recordId);
  }
  return { ids, isWhole: true, last: '' };
}

function parseRow(sk: string): { readonly token: string; readonly recordId: string } {
  const at = sk.lastIndexOf(SEPARATOR);
  return { token: sk.slice(0, at), recordId: sk.slice(at + 1) };
}
