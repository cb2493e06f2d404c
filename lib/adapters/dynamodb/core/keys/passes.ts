// API keys with which an operator asks the API in a merchant's name, for minutes. Each is an item of its own, in no list: it takes no
// place among the merchant's keys, and opens a suspended merchant too.
import { formatAttribute } from '#lib/core/record/stored-item.ts';
import type { PassStore } from '#lib/core/tenancy/pass.ts';
import { type Db, deleteItem, IF_NEW, putItem } from '../items/commands.ts';
import { apiKeyKey } from '../items/config-item.ts';
import { API_KEY } from './key-list.ts';

export function createPassStore(db: Db, table: string): PassStore {
  const config = { db, table };
  return {
    async putPass(record) {
      const item = { ...apiKeyKey(record.sha256), ...formatAttribute(API_KEY), record };
      if (!(await putItem(config, item, IF_NEW))) throw new Error('there is such a key already');
    },
    endPass: (sha256) =>
      deleteItem(config, apiKeyKey(sha256), {
        condition: 'begins_with(#record.keyId, :pass)',
        names: { '#record': 'record' },
        values: { ':pass': 'pass_' },
      }),
  };
}
