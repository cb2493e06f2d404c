// Replaces data keys. Guarantees: each step is one conditional write to one item, and any process finishes it; at every moment each key
// that sealed something lies in one of the merchant's items: in that of the former ones before it is replaced.
import type { KeyRotationStore, Rotation } from '#lib/core/ports/key-rotation.ts';
import { decodeOrSetAside, formatAttribute } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type Condition, type Db, IF_NEW, putItem, readItem, updateItem } from '../items/commands.ts';
import { dataKeyKey, dayKeyKey, keyRotationKey, madeDataKeyKey, ROTATION_KEY } from '../items/config-item.ts';
import { itemsOf } from '../items/query.ts';
import { DATA_KEY, dataKeyItem, KEY_ROTATION } from './data-keys.ts';
import { DAY_KEY } from './day-keys.ts';
import { ROTATION } from './wrapping-keys.ts';

export function createKeyRotationStore(
  db: Db,
  table: string,
  quarantine: ItemQuarantine = () => {},
): KeyRotationStore {
  const config = { db, table };
  const rotation = () => readItem(config, ROTATION_KEY, ROTATION);
  const putRotation = (next: Rotation, condition: Condition) =>
    putItem(config, { ...ROTATION_KEY, ...formatAttribute(ROTATION), rotation: next }, condition);
  const madeKey = (merchantId: string) => readItem(config, madeDataKeyKey(merchantId), DATA_KEY);
  return {
    rotation,

    async beginRotation(atMs) {
      const last = await rotation();
      if (last !== null && last.endedAtMs === null) return { ...last, isNew: false };
      const next = { generation: (last?.generation ?? 0) + 1, beganAtMs: atMs, endedAtMs: null };
      const isNew = await putRotation(next, last === null ? IF_NEW : ifGeneration(last.generation));
      return { ...((isNew ? null : await rotation()) ?? next), isNew };
    },

    async endRotation(generation, atMs) {
      const last = await rotation();
      if (last?.generation !== generation) return false;
      const ended = { ...last, endedAtMs: last.endedAtMs ?? atMs };
      return await putRotation(ended, ifGeneration(generation));
    },

    async keyOf(merchantId) {
      const key = await madeKey(merchantId);
      return { key, rotation: await readItem(config, keyRotationKey(merchantId), KEY_ROTATION) };
    },

    putKeyRotation(merchantId, seen, next) {
      const keys = { ...next, version: (seen?.version ?? 0) + 1 };
      const item = { ...keyRotationKey(merchantId), ...formatAttribute(KEY_ROTATION), keys };
      const asSeen = { condition: '#k.version = :seen', names: { '#k': 'keys' } };
      const condition = seen === null ? IF_NEW : { ...asSeen, values: { ':seen': seen.version } };
      return putItem(config, item, condition);
    },

    async replaceKey(merchantId, from, to) {
      const isFrom =
        from instanceof Uint8Array
          ? { condition: '#w = :from', names: WRAPPED, values: { ':from': from } }
          : {
              condition: '#w.#b = :from',
              names: { ...WRAPPED, '#b': 'bytes' },
              values: { ':from': from.bytes },
            };
      // Where it is made first, which decides which of two new ones is the merchant's.
      const made = dataKeyItem(madeDataKeyKey(merchantId), to);
      await putItem(config, made, isFrom);
      const decided = await madeKey(merchantId);
      if (decided === null) return;
      const copy = dataKeyItem(dataKeyKey(merchantId), decided);
      await putItem(config, copy, {
        ...isFrom,
        condition: `attribute_not_exists(pk) OR ${isFrom.condition}`,
      });
    },

    async dayKeys(merchantId) {
      const days: { readonly day: string; readonly wrapped: string }[] = [];
      for await (const item of itemsOf(config, { hash: dayKeyKey(merchantId, '').pk })) {
        const wrapped = decodeOrSetAside(DAY_KEY, item, quarantine);
        if (wrapped !== undefined) days.push({ day: String(item.sk), wrapped });
      }
      return days;
    },

    rewrapDay: (merchantId, day, from, to) =>
      updateItem(config, dayKeyKey(merchantId, day), {
        update: 'SET #w = :to',
        condition: '#w = :from',
        names: WRAPPED,
        values: { ':from': from, ':to': to },
      }),
  };
}

/** A reserved word of DynamoDB. */
const WRAPPED = { '#w': 'wrapped' };

const ifGeneration = (generation: number): Condition => ({
  condition: '#r.generation = :seen',
  names: { '#r': 'rotation' },
  values: { ':seen': generation },
});
