// Merchants on DynamoDB: one profile item each. Guarantees: saving a profile keeps what was learned beside it: the names
// sent from servers, the number of shards, the key of suppressed people, what the operator says, the version.
// Refuses: a retention that would erase at once, or never. A profile that cannot be read is no missing one: asking for it throws.

import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrSetAside, type Item } from '#lib/core/record/stored-item.ts';
import { type ItemQuarantine, UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import {
  type Merchant,
  type ProfileChange,
  profileVersionOf,
  retentionDaysOf,
  STORED_MERCHANT,
  type StoredMerchant,
} from '#lib/events/domain/merchant.ts';
import type { Consistency } from '#lib/events/ports/event-store.ts';
import type { MerchantStore, NewMerchantStore } from '#lib/events/ports/merchant-store.ts';
import { getItem, type Table, updatedItem, updateItem } from '../core/items/commands.ts';
import { merchantOfKey, profileKey } from '../core/items/config-item.ts';
import { everyItem } from '../core/items/every-item.ts';
import { suspensionIn } from '../core/tenancy/operator-word.ts';
import { SHARED_PROFILE } from '../core/tenancy/profiles.ts';
import { limitsIn, limitsSet } from './merchant-limits.ts';

/** Attributes of the profile, one for each name: `sn:Purchase`. */
const SERVER_NAME = 'sn:';
/** Attribute of the profile: keys the digests of suppressed people. */
const SUPPRESSION_KEY = 'sup';
const SUPPRESSION_KEY_BYTES = 32;

export const PROFILE = defineKind<StoredMerchant>({
  ...SHARED_PROFILE,
  table: 'config',
  key: { pk: 'M#{merchant}', sk: 'PROFILE' },
  schema: STORED_MERCHANT,
  personal: ['name', 'email'],
  whenUnreadable: 'wait',
  meaning: 'Its merchant is listed, its rows are kept by the longest rule, and its events wait.',
});

/**
 * `eventual`: of `merchant` alone, for processes that remember profiles for half a minute anyway: half a read unit. One that is
 * not seen is looked for consistently, so that no merchant is taken for unknown.
 */
export function createMerchantStore(
  db: DynamoDBDocumentClient,
  table: string,
  consistency: Consistency = 'strong',
): MerchantStore {
  const config = { db, table };
  const read = async (merchantId: string): Promise<Merchant | null> =>
    merchantFrom(await getItem(config, profileKey(merchantId)));
  const readSoon = async (merchantId: string): Promise<Merchant | null> => {
    const item = await getItem(config, profileKey(merchantId), 'eventual');
    return item === undefined ? await read(merchantId) : merchantFrom(item);
  };
  return {
    merchant: consistency === 'eventual' ? readSoon : read,
    merchantNow: read,

    async updateMerchant(merchantId, change, ifVersion) {
      const { expression, names, values } = profileUpdate(change);
      if (expression === '') return met(await read(merchantId), ifVersion);
      const seen = ifVersion === undefined || ifVersion === 0 ? {} : { ':seen': ifVersion };
      const update = {
        update: `${expression} ADD v :one`,
        condition: `attribute_exists(#m.#id)${versionCondition(ifVersion)}`,
        names: { ...names, '#m': 'merchant', '#id': 'merchantId' },
        values: { ...values, ':one': 1, ...seen },
      };
      const written = await updatedItem(config, profileKey(merchantId), update, 'ALL_NEW');
      if (written !== null) return merchantFrom(written);
      return (await read(merchantId)) === null ? null : 'conflict';
    },

    async putMerchant(merchant) {
      await saveProfile(config, merchant);
    },

    async addServerEventName(merchantId, name, nowMs) {
      await updateItem(config, profileKey(merchantId), {
        update: 'SET #name = :now',
        condition: 'attribute_exists(pk) AND attribute_not_exists(#name)',
        names: { '#name': SERVER_NAME + name },
        values: { ':now': nowMs },
      });
    },

    async beginSuppression(merchantId) {
      await updateItem(config, profileKey(merchantId), {
        update: 'SET #key = :key',
        condition: 'attribute_exists(pk) AND attribute_not_exists(#key)',
        names: { '#key': SUPPRESSION_KEY },
        values: { ':key': randomBytes(SUPPRESSION_KEY_BYTES).toString('base64url') },
      });
      return (await read(merchantId))?.suppressionKey ?? null;
    },
  };
}

export const createNewMerchantStore = (db: DynamoDBDocumentClient, table: string): NewMerchantStore => ({
  addMerchant: (merchant) =>
    saveProfile({ db, table }, merchant, {
      condition: 'attribute_not_exists(merchant)',
      beside: limitsSet(merchant.limits ?? {}),
    }),
});

/** What else the profile holds stays: the names of events that came from servers, and its shards. */
async function saveProfile(
  config: Table,
  merchant: Merchant,
  isNew?: { readonly condition: string; readonly beside: ReturnType<typeof limitsSet> },
): Promise<boolean> {
  retentionDaysOf(merchant);
  const {
    shards: _,
    version: __,
    suppressionKey: ___,
    suspension: ____,
    limits: _____,
    ...profile
  } = merchant;
  return await updateItem(config, profileKey(merchant.merchantId), {
    update: ['SET merchant = :merchant', ...(isNew?.beside.set ?? [])].join(', '),
    values: { ':merchant': profile, ...isNew?.beside.values },
    ...(isNew === undefined ? {} : { condition: isNew.condition }),
  });
}

const versionCondition = (ifVersion: number | undefined): string => {
  if (ifVersion === undefined) return '';
  return ifVersion === 0 ? ' AND attribute_not_exists(v)' : ' AND v = :seen';
};

function met(merchant: Merchant | null, ifVersion: number | undefined): Merchant | 'conflict' | null {
  if (merchant === null || ifVersion === undefined) return merchant;
  return profileVersionOf(merchant) === ifVersion ? merchant : 'conflict';
}

export function merchantFrom(item: Item): Merchant;
export function merchantFrom(item: Item | undefined): Merchant | null;
export function merchantFrom(item: Item | undefined): Merchant | null {
  if (item === undefined) return null;
  const merchant = decodeItem(PROFILE, item);
  const names = serverEventNames(item);
  const suspension = suspensionIn(item);
  const limits = limitsIn(item);
  return {
    ...merchant,
    ...(Object.keys(names).length === 0 ? {} : { serverEventNames: names }),
    ...(typeof item.shards === 'number' ? { shards: item.shards } : {}),
    ...(typeof item[SUPPRESSION_KEY] === 'string' ? { suppressionKey: item[SUPPRESSION_KEY] } : {}),
    ...(suspension === undefined ? {} : { suspension }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(typeof item.v === 'number' ? { version: item.v } : {}),
  };
}

/** One path for each value that changes; what is not named is not touched. */
function profileUpdate({ browserIngestion = {}, ...profile }: ProfileChange): {
  readonly expression: string;
  readonly names: Record<string, string>;
  readonly values: Record<string, unknown>;
} {
  if (typeof profile.retentionDays === 'number') retentionDaysOf({ retentionDays: profile.retentionDays });
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const set: string[] = [];
  const removed: string[] = [];
  const add = (path: string, fields: object): void => {
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      names[`#${field}`] = field;
      if (value === null) removed.push(`${path}.#${field}`);
      else {
        values[`:${field}`] = value;
        set.push(`${path}.#${field} = :${field}`);
      }
    }
  };
  add('#m', profile);
  const before = set.length + removed.length;
  add('#m.#browserIngestion', browserIngestion);
  if (set.length + removed.length > before) names['#browserIngestion'] = 'browserIngestion';
  const parts = [
    ...(set.length === 0 ? [] : [`SET ${set.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`REMOVE ${removed.join(', ')}`]),
  ];
  return { expression: parts.join(' '), names, values };
}

function serverEventNames(item: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(item).flatMap(([attribute, sinceMs]) =>
      attribute.startsWith(SERVER_NAME) && typeof sinceMs === 'number'
        ? [[attribute.slice(SERVER_NAME.length), sinceMs]]
        : [],
    ),
  );
}

/**
 * Every merchant, in an order of the table's own; after this one where it is given, which may be gone by now. Scans the config
 * table, which is small and asked once an hour. Who it is says the key: a merchant whose profile cannot be read is one as well,
 * and is noted.
 */
export async function* merchantIds(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine,
  after?: string,
): AsyncGenerator<string> {
  const first = after === undefined ? {} : { ExclusiveStartKey: profileKey(after) };
  const readPage = (from: object) =>
    db.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: 'sk = :profile',
        ExpressionAttributeValues: { ':profile': 'PROFILE' },
        ...first,
        ...from,
      }),
    );
  for await (const item of everyItem(readPage)) {
    const merchantId = merchantOfKey(item.pk);
    decodeOrSetAside(PROFILE, item, quarantine);
    if (merchantId !== null) yield merchantId;
    else
      quarantine(
        new UnreadableItem(PROFILE.what, { pk: String(item.pk), sk: String(item.sk) }, 'no valid key'),
      );
  }
}
