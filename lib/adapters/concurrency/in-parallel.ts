// Runs many tasks concurrently with a limit. Guarantees: a failing task does not stop the others, and nothing runs on
// after the promise settles.
import pLimit from 'p-limit';

/** The number of concurrent tasks; or `from`, and one more for every result that `grows`, up to `to`. */
export type Width<R> =
  | number
  | { readonly from: number; readonly to: number; readonly grows: (result: R) => boolean };

/**
 * Runs `work` over all items, at most `width` at a time, and waits for all of them. Results are in the order of the items.
 * Rejects with the failure of the first item that failed, once everything has settled.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: Width<R>,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const { from, to, grows } = typeof width === 'number' ? { from: width, to: width, grows: never } : width;
  // Most messages bring fewer tasks than the limit: no queue is needed.
  if (items.length <= from) return await settled(items.map((item, index) => begun(work, item, index)));
  const limit = pLimit(from);
  return await settled(
    items.map((item, index) =>
      limit(async () => {
        const result = await work(item, index);
        if (limit.concurrency < to && grows(result)) limit.concurrency += 1;
        return result;
      }),
    ),
  );
}

/** Work that throws synchronously fails like any other. */
function begun<T, R>(work: (item: T, index: number) => Promise<R>, item: T, index: number): Promise<R> {
  try {
    return work(item, index);
  } catch (error) {
    return Promise.reject(error);
  }
}

async function settled<R>(pieces: readonly Promise<R>[]): Promise<R[]> {
  const [first] = pieces;
  if (first === undefined) return [];
  if (pieces.length === 1) return [await first];
  try {
    return await Promise.all(pieces);
  } catch (error) {
    // The others continue; of several failures the first item's is thrown.
    const failure = (await Promise.allSettled(pieces)).find((piece) => piece.status === 'rejected');
    throw failure === undefined ? error : failure.reason;
  }
}

const never = (): boolean => false;
