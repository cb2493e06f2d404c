import pLimit from 'p-limit';

/**
 * Runs `work` over all items, at most `width` at a time, and waits for all of them. Rejects with the first failure
 * once everything has settled: nothing goes on behind the caller's back.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const limit = pLimit(width);
  const settled = await Promise.allSettled(items.map((item, index) => limit(() => work(item, index))));
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
