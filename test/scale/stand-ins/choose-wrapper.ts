// Instead of lib/adapters/vault/choose-wrapper.ts.
import type { KeyWrapper } from '#lib/adapters/vault/key-wrapper.ts';
import { outside } from './region.ts';

export const chooseWrapper = async (): Promise<KeyWrapper> => outside().wrapper;
