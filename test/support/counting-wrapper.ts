// In place of KMS: counts what is asked, and opens what it wrapped under the same name only.
import { randomBytes } from 'node:crypto';
import type { KeyWrapper } from '#lib/adapters/vault/key-wrapper.ts';
import { openBox, sealBox } from '#lib/adapters/vault/sealed-box.ts';

export function countingWrapper(): KeyWrapper & {
  readonly calls: { generated: number; unwrapped: number };
} {
  const key = randomBytes(32);
  const calls = { generated: 0, unwrapped: 0 };
  return {
    calls,
    async generate(name) {
      calls.generated += 1;
      const plain = randomBytes(32);
      return { plain, wrapped: sealBox(key, JSON.stringify(name), plain) };
    },
    async unwrap(name, wrapped) {
      calls.unwrapped += 1;
      return openBox(key, JSON.stringify(name), wrapped);
    },
  };
}
