// Unwrapped keys of a store that has them wrapped, kept as kept-keys.ts says. Guarantees: where several processes make one key,
// all of them use the one that was stored.
import { type KeptKeys, ownBytes } from './kept-keys.ts';

interface WrappedKeys<Wrapped> {
  read(id: string): Promise<Wrapped | null>;
  /** Answers what is stored afterwards: `wrapped` itself, or what was there before. */
  create(id: string, wrapped: Wrapped): Promise<Wrapped>;
  generate(id: string): Promise<{ readonly plain: Uint8Array; readonly wrapped: Wrapped }>;
  unwrap(id: string, wrapped: Wrapped): Promise<Uint8Array>;
}

/** Null where there is no key and none is to be made. `isAnew`: what is kept is not asked. */
export type Keys = (id: string, create: boolean, isAnew?: boolean) => Promise<Uint8Array | null>;

export function createKeyCache<Wrapped>(keys: WrappedKeys<Wrapped>, kept: KeptKeys): Keys {
  const fetchKey = async (id: string, create: boolean): Promise<Uint8Array | null> => {
    const wrapped = await keys.read(id);
    if (wrapped !== null) return ownBytes(await keys.unwrap(id, wrapped));
    if (!create) return null;
    const made = await keys.generate(id);
    const stored = await keys.create(id, made.wrapped);
    return ownBytes(stored === made.wrapped ? made.plain : await keys.unwrap(id, stored));
  };

  const once = async (id: string, create: boolean, isAnew = false): Promise<Uint8Array | null> => {
    const known = isAnew ? undefined : kept.known(id);
    if (known !== undefined) return await known;
    const fetched = kept.keep(id, fetchKey(id, create));
    const key = await fetched;
    if (key === null) kept.forget(id, fetched);
    return key;
  };

  return async (id, create, isAnew) => {
    const key = await once(id, create, isAnew);
    // Another caller asked at the same time, who needed none to be made.
    return key === null && create ? await once(id, true) : key;
  };
}
