// Suspensions on DynamoDB: an attribute of the profile's item, and marks in keys. Guarantees: a mark never brings a revoked key back
// to life, and none is lost on the copies of a key that is being made or revoked at the same time.
import * as z from 'zod';
import { decodeOrSetAside, formatAttribute, type Item } from '#lib/core/record/stored-item.ts';
import type { UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import type { KeyMarks, SuspensionStore } from '#lib/core/tenancy/suspension.ts';
import {
  type Change,
  type Db,
  getItem,
  IF_NEW,
  putItem,
  updatedItem,
  updateItem,
} from '../items/commands.ts';
import { apiKeyKey, profileKey } from '../items/config-item.ts';
import { KEY_COPIES } from '../keys/api-keys.ts';
import { API_KEY, POINTER } from '../keys/key-list.ts';
import { merchantItems } from './merchant-items.ts';
import { keyMarksIn, SUSPENSION, suspensionIn } from './operator-word.ts';

/** Longer than the request that makes a key lasts. */
const KEY_MADE_WITHIN_MS = 60_000;
/** Its marks lie in it, so it is there. */
const MARKED_KEY = z.looseObject({ record: z.looseObject({ revokedAtMs: z.unknown().optional() }) });
const IS_MERCHANT = 'attribute_exists(merchant)';
const NOT_REMOVED = `attribute_not_exists(${SUSPENSION}.removal)`;

export function createSuspensionStore(db: Db, table: string): SuspensionStore {
  const config = { db, table };
  const profile = (merchantId: string) => getItem(config, profileKey(merchantId));
  const marksNow = async (merchantId: string) => keyMarksIn(await profile(merchantId));

  /** False where the key is not there yet. */
  const markKey = async (sha256: string, marks: KeyMarks): Promise<boolean> => {
    const change = markChange(marks);
    const marked = await updatedItem(config, apiKeyKey(sha256), change, 'ALL_NEW');
    if (marked === null) return false;
    // The rest as it is stored: where it cannot be read its copies may be, and open what they opened.
    const { record } = MARKED_KEY.parse(marked);
    if (record.revokedAtMs !== undefined) return true;
    const markCopy = async (copy: number): Promise<void> => {
      const key = apiKeyKey(sha256, copy);
      if (await updateItem(config, key, change)) return;
      const item = { ...key, ...formatAttribute(API_KEY), record };
      if (!(await putItem(config, item, IF_NEW))) await updateItem(config, key, change);
    };
    await Promise.all(Array.from({ length: KEY_COPIES - 1 }, (_, i) => markCopy(i + 1)));
    return true;
  };
  const markAll = async (merchantId: string, marks: KeyMarks, nowMs: number) => {
    const unreadable: UnreadableItem[] = [];
    const pointers = await merchantItems(config, merchantId, 'KEY#', {
      decode: (item: Item) => decodeOrSetAside(POINTER, item, (one) => unreadable.push(one)),
    });
    let [keys, beingMade] = [0, 0];
    for (const { sha256, claimedAtMs = 0 } of pointers)
      if (await markKey(sha256, marks)) keys += 1;
      else if (claimedAtMs > nowMs - KEY_MADE_WITHIN_MS) beingMade += 1;
    // Once the others are marked: a key that cannot be found opens what it opened, and has to be looked at.
    if (unreadable[0] !== undefined) throw unreadable[0];
    return { keys, beingMade };
  };

  return {
    async suspend(merchantId, suspension) {
      const change = {
        update: `SET ${SUSPENSION} = :suspension`,
        condition: `${IS_MERCHANT} AND attribute_not_exists(${SUSPENSION})`,
        values: { ':suspension': suspension },
      };
      if (await updateItem(config, profileKey(merchantId), change)) return { suspension, isNew: true };
      const item = await profile(merchantId);
      const known = item?.merchant === undefined ? undefined : suspensionIn(item);
      return known === undefined ? null : { suspension: known, isNew: false };
    },

    async resume(merchantId) {
      const change = {
        update: `REMOVE ${SUSPENSION}`,
        condition: `attribute_exists(${SUSPENSION}) AND ${NOT_REMOVED}`,
      };
      if (await updateItem(config, profileKey(merchantId), change)) return true;
      return (await profile(merchantId))?.merchant === undefined ? null : false;
    },

    async beginRemoval(merchantId, removal) {
      await updateItem(config, profileKey(merchantId), {
        update: `SET ${SUSPENSION}.removal = :removal`,
        condition: `attribute_exists(${SUSPENSION}) AND ${NOT_REMOVED}`,
        values: { ':removal': removal },
      });
      const item = await profile(merchantId);
      return (item === undefined ? undefined : suspensionIn(item)?.removal) ?? null;
    },

    async endRemoval(merchantId, nowMs) {
      return await updateItem(config, profileKey(merchantId), {
        update: `SET ${SUSPENSION}.removal.doneAtMs = :now, #m.#name = :name, #m.email = :email REMOVE #m.storeUrl`,
        condition: `attribute_exists(${SUSPENSION}.removal) AND attribute_not_exists(${SUSPENSION}.removal.doneAtMs)`,
        names: { '#m': 'merchant', '#name': 'name' },
        values: { ':now': nowMs, ':name': 'removed', ':email': '' },
      });
    },

    async markKeys(merchantId, nowMs) {
      for (;;) {
        const marks = await marksNow(merchantId);
        const marked = await markAll(merchantId, marks, nowMs);
        // Another operator said something else meanwhile: the last word holds on all keys.
        if (JSON.stringify(await marksNow(merchantId)) === JSON.stringify(marks)) return marked;
      }
    },
  };
}

function markChange({ suspendedAtMs, eventsPerMinute, eventsPerDay }: KeyMarks): Change {
  const set: string[] = [];
  const removed: string[] = [];
  const values: Record<string, number> = {};
  for (const [name, value] of Object.entries({ suspendedAtMs, eventsPerMinute, eventsPerDay }))
    if (value === undefined) removed.push(`#record.${name}`);
    else {
      set.push(`#record.${name} = :${name}`);
      values[`:${name}`] = value;
    }
  return {
    update: [
      ...(set.length === 0 ? [] : [`SET ${set.join(', ')}`]),
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.join(', ')}`]),
    ].join(' '),
    condition: 'attribute_exists(pk)',
    names: { '#record': 'record' },
    values,
  };
}
