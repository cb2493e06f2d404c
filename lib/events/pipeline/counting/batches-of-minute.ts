// The batches of one minute, read once before its rows: which of them have ended, and what the rows of the others are joined
// with. What is written meanwhile is seen by the next count: a row seen too early is open.
import { type BatchKey, type BatchOutcomes, batchId, type Manifest } from '../../domain/deliveries/batch.ts';
import type { Channel } from '../../domain/event/normalized-event.ts';
import type { BatchItems, BatchStore } from '../../ports/batch-store.ts';
import { hasEnded } from './count-batches.ts';

export interface EndedBatch {
  readonly manifest: Manifest;
  readonly outcomes: readonly BatchOutcomes[];
}

export interface MinuteBatches {
  /** Batches of server rows that can be counted without them. */
  readonly ended: readonly EndedBatch[];
  /** Batches of browser rows that can be, unless a server's event of one of their ids is there: that one is counted. */
  readonly endedOfPages: readonly EndedBatch[];
  /** What was read; a batch that appeared since is read from the store. */
  readonly outcomes: Pick<BatchStore, 'readMany'>;
}

export type ReadBatches = Pick<BatchStore, 'ofMinute' | 'readMany'>;

type Minute = Pick<BatchKey, 'merchantId' | 'minuteMs' | 'shard'>;

/** Of all its batches: every page. */
export async function readMinuteItems(
  minute: Minute,
  batches: Pick<BatchStore, 'ofMinute'>,
): Promise<BatchItems> {
  const manifests: Manifest[] = [];
  const outcomes: BatchOutcomes[] = [];
  const unreadable: BatchItems['unreadable'][number][] = [];
  let cursor: string | undefined;
  do {
    const page = await batches.ofMinute({ ...minute, ...(cursor === undefined ? {} : { cursor }) });
    manifests.push(...page.manifests);
    outcomes.push(...page.outcomes);
    unreadable.push(...page.unreadable);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { manifests, outcomes, unreadable };
}

export async function readMinuteBatches(minute: Minute, batches: ReadBatches): Promise<MinuteBatches> {
  const { manifests, outcomes, unreadable } = await readMinuteItems(minute, batches);
  const seen = new Set([...manifests, ...outcomes, ...unreadable].map(({ batch }) => batchId(batch)));
  const byBatch = Map.groupBy(outcomes, ({ batch }) => batchId(batch));
  const readMany: BatchStore['readMany'] = async ({ outcomes: wanted = [], ...keys }, consistency) => {
    const absent = wanted.filter(({ batch }) => !seen.has(batchId(batch)));
    const read =
      absent.length + (keys.manifests?.length ?? 0) === 0
        ? { manifests: [], outcomes: [], unreadable: [] }
        : await batches.readMany({ ...keys, outcomes: absent }, consistency);
    const ids = new Set(wanted.map(({ batch, platform }) => `${platform}/${batchId(batch)}`));
    const isWanted = ({ batch, platform }: { readonly batch: BatchKey; readonly platform?: string }) =>
      ids.has(`${platform}/${batchId(batch)}`);
    return {
      manifests: read.manifests,
      outcomes: [...outcomes.filter(isWanted), ...read.outcomes],
      unreadable: [...unreadable.filter(isWanted), ...read.unreadable],
    };
  };
  const ended = manifests.flatMap((manifest) => {
    const own = byBatch.get(batchId(manifest.batch)) ?? [];
    return hasEnded(manifest, own) ? [{ manifest, outcomes: own }] : [];
  });
  const isOf = (channel: Channel) => (batch: EndedBatch) =>
    batch.manifest.rows.every((row) => row.channel === channel);
  return {
    ended: ended.filter(isOf('server')),
    endedOfPages: ended.filter(isOf('browser')).filter(hasNoOrder),
    outcomes: { readMany },
  };
}

/** Which of a page's orders a server's has displaced, its rows say (displaced-orders.ts). */
const hasNoOrder = ({ manifest }: EndedBatch): boolean =>
  manifest.rows.every(({ name }) => name !== 'Purchase');

/**
 * For rows of many minutes: items of a minute are read together, once, when the first of its batches is asked for. Small items
 * that are read one by one cost many times as much.
 */
export function outcomesByMinute(batches: ReadBatches): Pick<BatchStore, 'readMany'> {
  const minutes = new Map<string, Promise<MinuteBatches>>();
  const minuteOf = (batch: BatchKey): Promise<MinuteBatches> => {
    const { id: _, ...minute } = batch;
    const name = `${minute.merchantId}/${minute.minuteMs}/${minute.shard}`;
    const read = minutes.get(name) ?? readMinuteBatches(minute, batches);
    minutes.set(name, read);
    return read;
  };
  return {
    readMany: async ({ outcomes = [] }, consistency) => {
      const byMinute = Map.groupBy(outcomes, ({ batch }) => minuteOf(batch));
      const read = await Promise.all(
        [...byMinute].map(async ([minute, wanted]) =>
          (await minute).outcomes.readMany({ outcomes: wanted }, consistency),
        ),
      );
      return {
        manifests: [],
        outcomes: read.flatMap((part) => part.outcomes),
        unreadable: read.flatMap((part) => part.unreadable),
      };
    },
  };
}
