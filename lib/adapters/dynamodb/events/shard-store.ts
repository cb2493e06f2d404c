// The number of shards for a merchant's rows, in the merchant's profile. Guarantees: one conditional write to that
// item, which does not touch its other attributes. A profile without the attributes means one shard, and looks as it
// did before.
//   shards number   su rows of when needed it last, ms
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import type { ShardStore } from '#lib/events/ports/merchant-store.ts';
import { type Db, getItem, updateItem } from '../core/items/commands.ts';
import { profileKey } from '../core/items/config-item.ts';

export function createShardStore(db: Db, table: string): ShardStore {
  const config = { db, table };
  const update = async (
    merchantId: string,
    change: string,
    condition: string,
    values: Readonly<Record<string, number>>,
  ): Promise<void> => {
    await updateItem(config, profileKey(merchantId), { update: change, condition, values });
  };
  return {
    raiseShards: (merchantId, wanted, atMs) =>
      update(
        merchantId,
        'SET shards = :wanted, su = :at',
        'attribute_exists(pk) AND (attribute_not_exists(shards) OR shards < :wanted)',
        { ':wanted': wanted, ':at': atMs },
      ),

    keepShards: (merchantId, atMs) => update(merchantId, 'SET su = :at', 'su < :at', { ':at': atMs }),

    async halveShards(merchantId, atMs) {
      const { shards, su } = (await getItem(config, profileKey(merchantId))) ?? {};
      if (typeof shards !== 'number' || typeof su !== 'number' || su > atMs - DAY_MS) return;
      const half = Math.floor(shards / 2);
      const seen = { ':shards': shards, ':su': su };
      await (half > 1
        ? update(merchantId, 'SET shards = :half, su = :at', 'shards = :shards AND su = :su', {
            ...seen,
            ':half': half,
            ':at': atMs,
          })
        : update(merchantId, 'REMOVE shards, su', 'shards = :shards AND su = :su', seen));
    },
  };
}
