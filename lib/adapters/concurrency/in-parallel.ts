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
  const { from, to, grows } = typeof width === 'number' ? { from: width, to: width, grows: never } : width;
  const results = new Array<R>(items.length);
  let firstFailed: { readonly index: number; readonly error: unknown } | undefined;
  let next = 0;
  const lanes: Promise<void>[] = [];
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      try {
        const result = await work(items[index] as T, index);
        results[index] = result;
        if (lanes.length < to && grows(result)) lanes.push(lane());
      } catch (error) {
        if (firstFailed === undefined || index < firstFailed.index) firstFailed = { index, error };
      }
    }
  };
  while (lanes.length < Math.min(from, items.length)) lanes.push(lane());
  // Also those that join meanwhile.
  for (const each of lanes) await each;
  if (firstFailed !== undefined) throw firstFailed.error;
  return results;
}

const never = (): boolean => false;
