// A reader that is worth compiling only once it is used often: a process that reads a few values never pays for it.

/** Reads plainly the first `plainReads` times, then with what `compile` gives, which is called once. */
export function compiledLater<Read>(
  plainReads: number,
  readPlainly: (value: unknown) => Read,
  compile: () => (value: unknown) => Read,
): (value: unknown) => Read {
  let reads = 0;
  let compiled: ((value: unknown) => Read) | undefined;
  return (value) => {
    if (compiled !== undefined) return compiled(value);
    reads += 1;
    if (reads >= plainReads) compiled = compile();
    return readPlainly(value);
  };
}
