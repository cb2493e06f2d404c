// A bucket of pages in memory.
import type { PageObjects } from '#lib/events/ports/page-store.ts';

export interface MemoryPageObjects extends PageObjects {
  /** By name, for checks and tests: no part of the port. */
  readonly objects: ReadonlyMap<string, Uint8Array>;
}

export function createMemoryPageObjects(): MemoryPageObjects {
  const objects = new Map<string, Uint8Array>();
  const tags = new Map<string, string>();
  let writes = 0;
  return {
    objects,
    read: async (name, range) => {
      const bytes = objects.get(name);
      if (bytes === undefined) return null;
      return { bytes: range === undefined ? bytes : bytes.slice(...range), tag: tags.get(name) ?? '' };
    },
    write: async (name, bytes, seen) => {
      if ((tags.get(name) ?? null) !== seen) return null;
      objects.set(name, Uint8Array.from(bytes));
      writes += 1;
      tags.set(name, String(writes));
      return String(writes);
    },
    names: async (prefix) => [...objects.keys()].filter((name) => name.startsWith(prefix)).sort(),
    remove: async (name) => {
      objects.delete(name);
      tags.delete(name);
    },
  };
}
