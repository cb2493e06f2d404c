// Many pieces of work side by side, and not too many. Guarantees: a piece that fails keeps no other from its end, and nothing
// goes on behind the caller's back.

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
  // Most messages bring one piece, which has nobody to share with.
  if (items.length <= 1) return await Promise.all(items.map(work));
  const { from, to, grows } = typeof width === 'number' ? { from: width, to: width, grows: never } : width;
  const results = new Array<R>(items.length);
  const failures = new Map<number, unknown>();
  // All workers take from one iterator: each item goes to the first that is free.
  const left = items.entries();
  let workers = 0;
  const worker = async (): Promise<void> => {
    workers += 1;
    const others: Promise<void>[] = [];
    for (const [index, item] of left) {
      try {
        const result = await work(item, index);
        results[index] = result;
        if (workers < to && grows(result)) others.push(worker());
      } catch (error) {
        failures.set(index, error);
      }
    }
    await Promise.all(others);
  };
  await Promise.all(Array.from({ length: Math.min(from, items.length) }, worker));
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
  return results;
}

const never = (): boolean => false;
