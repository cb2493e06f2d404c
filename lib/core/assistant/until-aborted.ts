// What comes until a signal aborts. Guarantees: it ends then, whatever its source does; the source is closed and not waited for.

export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const items = source[Symbol.asyncIterator]();
  let leave = (): void => undefined;
  const left = new Promise<null>((resolve) => {
    leave = () => resolve(null);
  });
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  let isOver = false;
  try {
    for (;;) {
      const next = items.next();
      const item = await Promise.race([left, next]);
      if (item === null) {
        // Its failure is that it was told to stop.
        next.catch(() => undefined);
        return;
      }
      isOver = item.done === true;
      if (item.done === true) return;
      yield item.value;
    }
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    if (!isOver) Promise.resolve(items.return?.()).catch(() => undefined);
  }
}
