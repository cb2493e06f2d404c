/** What comes before all others comes out first; of two of which neither comes before the other, either. */
export function createHeap<T>(before: (a: T, b: T) => boolean) {
  const heap: T[] = [];
  return {
    peek: (): T | undefined => heap[0],
    push(entry: T): void {
      let at = heap.length;
      heap.push(entry);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        const above = heap[parent] as T;
        if (!before(entry, above)) break;
        heap[at] = above;
        at = parent;
      }
      heap[at] = entry;
    },
    pop(): T | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return first;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && before(heap[child + 1] as T, heap[child] as T)) child += 1;
        if (!before(heap[child] as T, last)) break;
        heap[at] = heap[child] as T;
        at = child;
      }
      heap[at] = last;
      return first;
    },
  };
}
