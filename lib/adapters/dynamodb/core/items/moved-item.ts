// Items that lie in a partition of their own, so that a function may be granted them and nothing else of their merchant. An
// earlier release put them in the partition that all items of a merchant share, and looks for them there: decision 0069.
//   pk M#<merchant>   sk <what>   moved true   moving:<name>  the item's attributes, until they lie in its own partition
// Guarantees: an item is live in one place. It is made in its own partition once the shared place is given up; given up, that place
// reads as unreadable to the earlier release, never as empty. Each step is one conditional write, and any process finishes it.
import * as z from 'zod';
import { defineKind, type ItemKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, type Item } from '#lib/core/record/stored-item.ts';
import {
  type Change,
  type Db,
  getItem,
  IF_NEW,
  putItem,
  type Table,
  updatedItem,
  updateItem,
} from './commands.ts';
import { type ItemKey, merchantKey } from './config-item.ts';

const GIVEN_UP = z.looseObject({ moved: z.literal(true) });
type GivenUp = z.output<typeof GIVEN_UP>;

/** Of what has the sort key `sk` in both places. */
export const givenUpKind = (what: string, sk: string, personal: readonly string[] = []): ItemKind<GivenUp> =>
  defineKind<GivenUp>({
    what: `former place of a ${what}`,
    table: 'config',
    key: { pk: 'M#{merchant}', sk },
    marks: ['moved'],
    attribute: null,
    schema: GIVEN_UP,
    personal,
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

export interface MovedItems {
  /** A consistent read. One request where the item lies where the last one was found. */
  find(merchantId: string): Promise<FoundItem>;
  /** Writes the first one, of `closed` or `none`. False where another was faster. */
  create(merchantId: string, found: FoundItem, attributes: Item): Promise<boolean>;
  /** Changes it in the place where it lies; null where it lies nowhere, is moving, or the condition does not hold. */
  updateWhereItIs(merchantId: string, change: Change, returned: 'ALL_NEW' | 'NONE'): Promise<Item | null>;
  /** Where it is written, once it is finished. */
  keyOf(merchantId: string, found: FoundItem): ItemKey;
  /** Finishes what another process began, of `moving`. */
  finish(merchantId: string, found: FoundItem): Promise<void>;
  /** From the shared place to its own partition. `left`: it is written too often, or is no item with a version. */
  move(merchantId: string): Promise<'moved' | 'nothing' | 'left'>;
}

const MOVING = 'moving:';
const movingIn = (item: Item): readonly (readonly [name: string, value: unknown])[] =>
  Object.entries(item).flatMap(([name, value]) =>
    name.startsWith(MOVING) ? [[name.slice(MOVING.length), value] as const] : [],
  );

interface ItemReader {
  readonly find: MovedItems['find'];
  readonly readShared: MovedItems['find'];
}

const sharedKey = ({ sk }: MovedKind, merchantId: string): ItemKey => merchantKey(merchantId, sk);

function createItemReader(config: Table, kind: MovedKind): ItemReader {
  const { own, givenUp } = kind;
  /** Only in which order the places are asked: before and after the move of all merchants one read is enough. */
  let likely: 'own' | 'shared' = 'own';
  const readOwn = async (merchantId: string): Promise<FoundItem | null> => {
    const item = await getItem(config, own(merchantId));
    if (item === undefined) return null;
    likely = 'own';
    return { at: 'own', item };
  };
  const readShared = async (merchantId: string): Promise<FoundItem> => {
    const item = await getItem(config, sharedKey(kind, merchantId));
    if (item === undefined) return { at: 'none' };
    if (item.moved === undefined) {
      likely = 'shared';
      return { at: 'shared', item };
    }
    const moving = movingIn(decodeItem(givenUp, item));
    return moving.length === 0
      ? { at: 'closed' }
      : { at: 'moving', item: { ...Object.fromEntries(moving), ...own(merchantId) } };
  };
  return {
    readShared,
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

const TRIES_MAX = 20;

export function createMovedItems(db: Db, table: string, kind: MovedKind): MovedItems {
  const { own } = kind;
  const config = { db, table };
  const { find, readShared } = createItemReader(config, kind);
  const shared = (merchantId: string): ItemKey => sharedKey(kind, merchantId);
  const put = (key: ItemKey, attributes: Item): Promise<boolean> =>
    putItem(config, { ...attributes, ...key }, IF_NEW);

  const finish: MovedItems['finish'] = async (merchantId, { at, item }) => {
    if (at !== 'moving') return;
    const { pk, sk, ...attributes } = item;
    await put(own(merchantId), attributes);
    const names = namesOf(Object.keys(attributes).map((name) => MOVING + name));
    await updateItem(config, shared(merchantId), {
      update: `REMOVE ${Object.keys(names).join(', ')}`,
      names,
    });
  };

  return {
    find,
    finish,
    keyOf: (merchantId, { at }) => (at === 'shared' ? shared(merchantId) : own(merchantId)),

    async create(merchantId, { at }, attributes) {
      if (at === 'none' && !(await put(shared(merchantId), { moved: true }))) return false;
      return await put(own(merchantId), attributes);
    },

    async updateWhereItIs(merchantId, change, returned) {
      // Never the shared place first: what delivers may have no right to it any more.
      const updated = await updatedItem(config, own(merchantId), change, returned);
      if (updated !== null || (await find(merchantId)).at !== 'shared') return updated;
      return await updatedItem(config, shared(merchantId), change, returned);
    },

    async move(merchantId) {
      for (let tried = 0; tried < TRIES_MAX; tried++) {
        const found = await readShared(merchantId);
        if (found.at === 'closed' || found.at === 'none') return tried === 0 ? 'nothing' : 'moved';
        if (found.at === 'shared') await giveUp(config, found.item);
        // Later it reads what the item holds by then, which may be more than was read now.
        else await finish(merchantId, found);
      }
      return 'left';
    },
  };
}

/** For expressions, which do not take every name. */
const namesOf = (names: readonly string[], first = '#n') =>
  Object.fromEntries(names.map((name, i) => [first + i, name]));

/**
 * Renames all that an item in the shared place holds, in one write: no other write is lost, whether it comes before or after.
 * Nothing where it has another version than was read, and so may have other attributes.
 */
async function giveUp(config: Table, { pk, sk, ...attributes }: Item): Promise<void> {
  if (typeof attributes.v !== 'number') return;
  const held = Object.keys(attributes);
  const from = namesOf(held, '#f');
  const to = namesOf(
    held.map((name) => MOVING + name),
    '#t',
  );
  const [old, next] = [Object.keys(from), Object.keys(to)];
  const isAsRead = [...old.map((name) => `attribute_exists(${name})`), '#v = :version'];
  const moved = next.map((name, i) => `${name} = ${old[i]}`);
  await updateItem(
    config,
    { pk, sk },
    {
      update: `SET moved = :moved, ${moved.join(', ')} REMOVE ${old.join(', ')}`,
      condition: isAsRead.join(' AND '),
      names: { ...from, ...to, '#v': 'v' },
      values: { ':moved': true, ':version': attributes.v },
    },
  );
}
