// Many pieces of work side by side, and not too many. Guarantees: a piece that fails keeps no other from its end, and nothing
// goes on behind the caller's back.
import pLimit from 'p-limit';

/** So many side by side; or `from` of them, and one more for every result that `grows`, up to `to`. */
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
  // Most messages bring fewer pieces than there is room for: nobody waits, so nothing keeps a queue.
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

/** Work that throws at once fails like any other. */
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
    // Whichever failed first: the others go on, and of those that fail the first item's failure counts.
    const failure = (await Promise.allSettled(pieces)).find((piece) => piece.status === 'rejected');
    throw failure === undefined ? error : failure.reason;
  }
}

const never = (): boolean => false;
