import pLimit from 'p-limit';

/** So many side by side; or `from` of them, and one more for every result that `grows`, up to `to`. */
export type Width<R> =
  | number
  | { readonly from: number; readonly to: number; readonly grows: (result: R) => boolean };

/**
 * Runs `work` over all items, at most `width` at a time, and waits for all of them. Rejects with the first failure
 * once everything has settled: nothing goes on behind the caller's back.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: Width<R>,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const limit = pLimit(typeof width === 'number' ? width : width.from);
  const settled = await Promise.allSettled(
    items.map((item, index) =>
      limit(async () => {
        const result = await work(item, index);
        if (typeof width !== 'number' && limit.concurrency < width.to && width.grows(result))
          limit.concurrency += 1;
        return result;
      }),
    ),
  );
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
