import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openS3, type S3Server } from '#test/support/s3-server.ts';
import { createObjectStore } from './object-store.ts';

let s3: S3Server;
beforeEach(async () => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, 'us-east-1');
  s3 = await openS3('mails');
});
afterEach(() => s3.close());

const store = () => createObjectStore('mails', { endpoint: s3.url });

describe('createObjectStore', () => {
  it('gives back what it was given, byte for byte, under keys of any letters', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    for (const key of ['a', 'inbound/ü +%20&=?#/日本', 'x/y/z']) {
      await store().write(key, bytes, 'message/rfc822');
      const read = await store().read(key, 256);
      if (read === null || read === 'too large') throw new Error('not read');
      expect(Buffer.from(read.bytes).equals(Buffer.from(bytes))).toBe(true);
      expect(Number.isSafeInteger(read.storedAtMs)).toBe(true);
    }
  });

  it('does not read what is larger than asked for', async () => {
    await store().write('a', new Uint8Array(1_001), 'message/rfc822');
    expect(await store().read('a', 1_000)).toBe('too large');
    expect(await store().read('a', 1_001)).toMatchObject({ bytes: expect.any(Uint8Array) });
  });

  it('keeps what is larger than the emulator takes at once, and reads its start alone', async () => {
    const large = Buffer.alloc(39 * 1_048_576, 'mail ');
    await store().write('large', large, 'message/rfc822');
    const read = await store().read('large', large.byteLength);
    expect(read !== null && read !== 'too large' && Buffer.from(read.bytes).equals(large)).toBe(true);
    const start = await store().readStart('large', 1_000);
    expect(Buffer.from(start?.bytes ?? []).equals(large.subarray(0, 1_000))).toBe(true);
    expect(await store().readStart('nothing', 1_000)).toBeNull();
  });

  it('tells what is not there from what cannot be read', async () => {
    expect(await store().read('nothing', 1)).toBeNull();
    await store().write('a', new Uint8Array(1), 'message/rfc822');
    await store().remove('a');
    await store().remove('a');
    expect(await store().read('a', 1)).toBeNull();
    await expect(createObjectStore('another', { endpoint: s3.url }).read('a', 1)).rejects.toThrow();
  });
});
