// Items that lie in a partition of their own, so that a function may be granted them and nothing else of their merchant. An
// earlier release put them in the partition that all items of a merchant share, and looks for them there: decision 0069.
//   pk M#<merchant>   sk <what>   moved true   moving  the item's attributes, until they lie in its own partition
// Guarantees: an item is live in one place. It is made in its own partition once the shared place is given up; given up, that place
// reads as unreadable to the earlier release, never as empty. Each step is one conditional write, and any process finishes it.
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind, type ItemKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, type Item } from '#lib/core/record/stored-item.ts';
import { conditional } from './conditional.ts';
import { type ItemKey, merchantKey } from './config-item.ts';

const GIVEN_UP = z.looseObject({
  moved: z.literal(true),
  moving: z.record(z.string(), z.unknown()).exactOptional(),
});
type GivenUp = z.output<typeof GIVEN_UP>;

/** Of what has the sort key `sk` in both places. */
export const givenUpKind = (what: string, sk: string): ItemKind<GivenUp> =>
  defineKind<GivenUp>({
    what: `former place of a ${what}`,
    table: 'config',
    key: { pk: 'M#{merchant}', sk },
    marks: ['moved'],
    attribute: null,
    schema: GIVEN_UP,
    expires: null,
    personal: [],
    whenUnreadable: 'wait',
    meaning: `Asked only where its own partition has no ${what}; the ${what} is then one that cannot be read.`,
  });

export interface MovedKind {
  /** Of its own partition and of the shared one. */
  readonly sk: string;
  readonly own: (merchantId: string) => ItemKey;
  readonly givenUp: ItemKind<GivenUp>;
}

/**
 * `own`, `shared`: the item lies there. `moving`: it is on its way from there to its own partition, and is written nowhere until
 * it has arrived. `closed`: there is none, and the shared place is given up. `none`: there is none, and the place is free.
 */
export type FoundItem =
  | { readonly at: 'own' | 'shared' | 'moving'; readonly item: Item }
  | { readonly at: 'closed' | 'none'; readonly item?: undefined };

export interface TwoPlaces {
  /** A consistent read. One request where the item lies where the last one was found. */
  find(merchantId: string): Promise<FoundItem>;
  /** Writes the first one, of `closed` or `none`. False where another was faster. */
  create(merchantId: string, found: FoundItem, attributes: Item): Promise<boolean>;
  /** `write` with the key of the place where it lies; null where it lies nowhere, is moving, or `write` says null. */
  writeInPlace<T>(merchantId: string, write: (key: ItemKey) => Promise<T | null>): Promise<T | null>;
  keyOf(merchantId: string, found: FoundItem): ItemKey;
  /** Finishes what another process began, of `moving`. */
  finish(merchantId: string, found: FoundItem): Promise<void>;
  /** From the shared place to its own partition. False where there is nothing to move. */
  move(merchantId: string): Promise<boolean>;
}

interface PlaceReader {
  readonly find: TwoPlaces['find'];
  readonly readShared: TwoPlaces['find'];
  readonly likely: () => 'own' | 'shared';
}

const sharedKey = ({ sk }: MovedKind, merchantId: string): ItemKey => merchantKey(merchantId, sk);

function createPlaceReader(db: DynamoDBDocumentClient, table: string, kind: MovedKind): PlaceReader {
  const { own, givenUp } = kind;
  /** Only in which order the places are asked: before and after the move of all merchants one read is enough. */
  let likely: 'own' | 'shared' = 'own';
  const read = async (key: ItemKey): Promise<Item | undefined> =>
    (await db.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;
  const readOwn = async (merchantId: string): Promise<FoundItem | null> => {
    const item = await read(own(merchantId));
    if (item === undefined) return null;
    likely = 'own';
    return { at: 'own', item };
  };
  const readShared = async (merchantId: string): Promise<FoundItem> => {
    const item = await read(sharedKey(kind, merchantId));
    if (item === undefined) return { at: 'none' };
    if (item.moved === undefined) {
      likely = 'shared';
      return { at: 'shared', item };
    }
    const { moving } = decodeItem(givenUp, item);
    return moving === undefined
      ? { at: 'closed' }
      : { at: 'moving', item: { ...moving, ...own(merchantId) } };
  };
  return {
    readShared,
    likely: () => likely,
    async find(merchantId) {
      const first = likely === 'own' ? await readOwn(merchantId) : null;
      if (first !== null) return first;
      const found = await readShared(merchantId);
      // Nothing is made in its own partition before the shared place is given up.
      if (found.at === 'shared' || found.at === 'none') return found;
      return (await readOwn(merchantId)) ?? found;
    },
  };
}

export function createTwoPlaces(db: DynamoDBDocumentClient, table: string, kind: MovedKind): TwoPlaces {
  const { own } = kind;
  const { find, readShared, likely } = createPlaceReader(db, table, kind);
  const shared = (merchantId: string): ItemKey => sharedKey(kind, merchantId);
  const isFree = { TableName: table, ConditionExpression: 'attribute_not_exists(pk)' };
  const put = async (key: ItemKey, attributes: Item): Promise<boolean> =>
    (await conditional(db.send(new PutCommand({ ...isFree, Item: { ...attributes, ...key } })))) !== null;

  const finish: TwoPlaces['finish'] = async (merchantId, { at, item }) => {
    if (at !== 'moving') return;
    await put(own(merchantId), item);
    await db.send(
      new UpdateCommand({
        TableName: table,
        Key: shared(merchantId),
        UpdateExpression: 'REMOVE moving',
      }),
    );
  };

  return {
    find,
    finish,
    keyOf: (merchantId, { at }) => (at === 'shared' ? shared(merchantId) : own(merchantId)),

    async create(merchantId, { at }, attributes) {
      if (at === 'none' && !(await put(shared(merchantId), { moved: true }))) return false;
      return await put(own(merchantId), attributes);
    },

    async writeInPlace(merchantId, write) {
      const first = likely();
      const written = await write(first === 'own' ? own(merchantId) : shared(merchantId));
      if (written !== null) return written;
      const { at } = await find(merchantId);
      if (at === first || (at !== 'own' && at !== 'shared')) return null;
      return await write(at === 'own' ? own(merchantId) : shared(merchantId));
    },

    async move(merchantId) {
      for (;;) {
        let found = await readShared(merchantId);
        const { at, item } = found;
        if (at === 'shared' && (await giveUp(db, table, item))) found = { at: 'moving', item };
        if (found.at === 'shared') continue;
        await finish(merchantId, found);
        return found.at === 'moving';
      }
    },
  };
}

/** Of an item in the shared place. False where it was written meanwhile. */
async function giveUp(
  db: DynamoDBDocumentClient,
  table: string,
  { pk, sk, ...attributes }: Item,
): Promise<boolean> {
  const names = Object.keys(attributes);
  const indexed = <T>(prefix: string, value: (name: string) => T) =>
    Object.fromEntries(names.map((name, i) => [`${prefix}${i}`, value(name)]));
  // As it was read, in every attribute: connections change without the version of their routing.
  const isAsRead = names.map((_, i) => `#a${i} = :a${i}`);
  const given = await conditional(
    db.send(
      new PutCommand({
        TableName: table,
        Item: { pk, sk, moved: true, moving: attributes },
        ConditionExpression: ['attribute_exists(pk)', ...isAsRead].join(' AND '),
        ...(names.length === 0
          ? {}
          : {
              ExpressionAttributeNames: indexed('#a', (name) => name),
              ExpressionAttributeValues: indexed(':a', (name) => attributes[name]),
            }),
      }),
    ),
  );
  return given !== null;
}
