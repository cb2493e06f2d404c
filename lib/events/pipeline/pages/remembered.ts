// What was loaded a moment ago, by name: the last few of them.

/** `forMs`: how long; a load that failed, or whose result is not `worth` it, is not remembered. */
export function remembered<T>(
  max: number,
  forMs: number,
  now: () => number,
  worth: (value: T) => boolean = () => true,
): (name: string, load: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { readonly value: Promise<T>; readonly untilMs: number }>();
  return (name, load) => {
    const found = known.get(name);
    if (found !== undefined && now() < found.untilMs) return found.value;
    const value = load();
    known.delete(name);
    known.set(name, { value, untilMs: now() + forMs });
    const forget = (): void => {
      if (known.get(name)?.value === value) known.delete(name);
    };
    value.then((loaded) => worth(loaded) || forget(), forget);
    for (const oldest of known.keys()) {
      if (known.size <= max) break;
      known.delete(oldest);
    }
    return value;
  };
}
