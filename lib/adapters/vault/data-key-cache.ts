// Data keys of tenants, unwrapped, and kept as kept-keys.ts says.
import type { Clock } from '../../core/ports/clock.ts';
import type { DataKeyStore } from '../../core/ports/data-keys.ts';
import { createKeptKeys } from './kept-keys.ts';
import { createKeyCache, type Keys } from './key-cache.ts';
import type { KeyWrapper } from './key-wrapper.ts';
import { createDataKeyWrapper } from './wrapping-keys.ts';

/** Tenants whose data keys are kept. */
const KEPT_MAX = 2_000;

export interface DataKeyParts {
  readonly wrapper: KeyWrapper;
  readonly keys: DataKeyStore;
  readonly clock: Clock;
}

export function createDataKeyCache({ wrapper, keys, clock }: DataKeyParts): Keys {
  const { generate, unwrap } = createDataKeyWrapper(wrapper, keys.wrappingKeys, clock);
  const { read, create } = keys;
  return createKeyCache({ read, create, generate, unwrap }, createKeptKeys(clock, KEPT_MAX));
}
