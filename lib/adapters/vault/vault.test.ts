import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DecryptCommand, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countingWrapper } from '#test/support/counting-wrapper.ts';
import { createMemoryDataKeys } from '#test/support/memory/config-stores.ts';
import type { DataKeyStore } from '../../core/ports/data-keys.ts';
import { chooseWrapper } from './choose-wrapper.ts';
import { createKeyFileWrapper } from './key-file-wrapper.ts';
import type { KeyWrapper } from './key-wrapper.ts';
import { createKmsWrapper, type KmsSender } from './kms-wrapper.ts';
import { sealBox } from './sealed-box.ts';
import { createVault } from './vault.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vault-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NAME = { wrapping_key: '1' };
const MINUTE_MS = 60_000;
const clockAt = (start: number) => {
  const clock = { ms: start, now: () => clock.ms };
  return clock;
};

describe('createVault', () => {
  it('opens what it sealed, under the same merchant and context only', async () => {
    const vault = createVault({
      wrapper: await createKeyFileWrapper(join(folder, 'key')),
      keys: createMemoryDataKeys(),
      clock: clockAt(0),
    });
    const text = '{"access_token":"geheim ✓"}';
    const sealed = await vault.seal('m1', 'credentials/meta', text);
    await vault.seal('m2', 'credentials/meta', text);
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(sealed, 'base64').includes('geheim')).toBe(false);
    expect(await vault.open('m1', 'credentials/meta', sealed)).toBe(text);
    await expect(vault.open('m2', 'credentials/meta', sealed)).rejects.toThrow();
    await expect(vault.open('m1', 'credentials/ga4', sealed)).rejects.toThrow();
    await expect(vault.open('m3', 'credentials/meta', sealed)).rejects.toThrow('no data key');
    expect(await vault.seal('m1', 'credentials/meta', text)).not.toBe(sealed);
    expect(await vault.open('m1', '', await vault.seal('m1', '', ''))).toBe('');
  });

  it('refuses a box in which any one byte was changed', async () => {
    const vault = createVault({
      wrapper: countingWrapper(),
      keys: createMemoryDataKeys(),
      clock: clockAt(0),
    });
    const box = Buffer.from(await vault.seal('m', 'c', 'text'), 'base64');
    for (let i = 0; i < box.length; i++) {
      const forged = Buffer.from(box);
      forged[i] = (forged[i] ?? 0) ^ 1;
      await expect(vault.open('m', 'c', forged.toString('base64'))).rejects.toThrow();
    }
    await expect(vault.open('m', 'c', box.subarray(0, -1).toString('base64'))).rejects.toThrow();
    await expect(vault.open('m', 'c', '')).rejects.toThrow();
  });

  it('asks for a data key once in five minutes, even when many want it at once', async () => {
    const [stored, clock] = [createMemoryDataKeys(), clockAt(0)];
    let reads = 0;
    const read: DataKeyStore['read'] = async (merchantId) => {
      reads += 1;
      return await stored.read(merchantId);
    };
    const vault = createVault({ wrapper: countingWrapper(), keys: { ...stored, read }, clock });
    const sealed = await Promise.all(Array.from({ length: 8 }, (_, i) => vault.seal('m', 'c', `${i}`)));
    clock.ms = 5 * MINUTE_MS - 1;
    await vault.open('m', 'c', sealed[0] ?? '');
    expect(reads).toBe(1);
    clock.ms = 5 * MINUTE_MS;
    expect(await vault.open('m', 'c', sealed[7] ?? '')).toBe('7');
    expect(reads).toBe(2);
  });

  it('uses the data key of whoever created it first', async () => {
    const [wrapper, keys, clock] = [countingWrapper(), createMemoryDataKeys(), clockAt(0)];
    const [a, b] = [createVault({ wrapper, keys, clock }), createVault({ wrapper, keys, clock })];
    const [fromA, fromB] = await Promise.all([a.seal('m', 'c', 'a'), b.seal('m', 'c', 'b')]);
    expect(wrapper.calls.generated).toBe(2);
    expect([await b.open('m', 'c', fromA), await a.open('m', 'c', fromB)]).toEqual(['a', 'b']);
  });

  it('does not keep a failure', async () => {
    const keys = createMemoryDataKeys();
    let broken = true;
    const wrapper: KeyWrapper = {
      ...countingWrapper(),
      generate: async () => {
        if (broken) throw new Error('KMS is away');
        return { plain: Buffer.alloc(32), wrapped: Buffer.alloc(1) };
      },
    };
    const vault = createVault({ wrapper, keys, clock: clockAt(0) });
    await expect(vault.seal('m', 'c', 'x')).rejects.toThrow('KMS is away');
    broken = false;
    expect(await vault.open('m', 'c', await vault.seal('m', 'c', 'x'))).toBe('x');
  });
});

describe('createKeyFileWrapper', () => {
  it('creates the file with its folders, for its owner only, and uses it again', async () => {
    const path = join(folder, 'deep', 'er', 'vault.key');
    const first = await createKeyFileWrapper(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { plain, wrapped } = await first.generate(NAME);
    const again = await createKeyFileWrapper(path);
    expect(Buffer.compare(await again.unwrap(NAME, wrapped), plain)).toBe(0);
    for (const other of [{ wrapping_key: '2' }, { merchant_id: '1' }])
      await expect(again.unwrap(other, wrapped)).rejects.toThrow();
    expect(await readdir(join(folder, 'deep', 'er'))).toEqual(['vault.key']);
  });

  it('opens what an earlier release wrapped for a merchant', async () => {
    const path = join(folder, 'vault.key');
    const wrapper = await createKeyFileWrapper(path);
    const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex');
    const plain = Buffer.alloc(32, 5);
    expect(await wrapper.unwrap({ merchant_id: 'm' }, sealBox(key, 'm', plain))).toEqual(plain);
  });

  it('agrees on one key when many start at once', async () => {
    const path = join(folder, 'vault.key');
    const wrappers = await Promise.all(Array.from({ length: 8 }, () => createKeyFileWrapper(path)));
    const made = await Promise.all(wrappers.map((wrapper) => wrapper.generate(NAME)));
    const [last] = wrappers.slice(-1);
    for (const { plain, wrapped } of made) {
      expect(Buffer.compare((await last?.unwrap(NAME, wrapped)) ?? Buffer.alloc(0), plain)).toBe(0);
    }
  });

  it.each([0o644, 0o640, 0o606, 0o660])('refuses mode %o', async (mode) => {
    const path = join(folder, 'vault.key');
    await createKeyFileWrapper(path);
    await chmod(path, mode);
    await expect(createKeyFileWrapper(path)).rejects.toThrow('chmod 600');
  });

  it('refuses a file that does not hold a key, and leaves it as it is', async () => {
    const path = join(folder, 'vault.key');
    await writeFile(path, 'password', { mode: 0o600 });
    await expect(createKeyFileWrapper(path)).rejects.toThrow('64 hex digits');
    expect(await readFile(path, 'utf8')).toBe('password');
  });
});

describe('createKmsWrapper', () => {
  const ARN = 'arn:aws:kms:eu-central-1:123456789012:key/abc';

  it('binds the key to its name and asks for exactly one', async () => {
    const commands: unknown[] = [];
    const answer = { Plaintext: new Uint8Array(32).fill(7), CiphertextBlob: Uint8Array.of(1, 2, 3) };
    const kms = {
      send: async (command: unknown) => {
        commands.push(command);
        return answer;
      },
    } as unknown as KmsSender;
    const wrapper = createKmsWrapper(ARN, kms);
    expect(await wrapper.generate(NAME)).toEqual({ plain: answer.Plaintext, wrapped: answer.CiphertextBlob });
    expect(await wrapper.unwrap(NAME, answer.CiphertextBlob)).toEqual(answer.Plaintext);
    const [generate, decrypt] = commands as [GenerateDataKeyCommand, DecryptCommand];
    expect(generate).toBeInstanceOf(GenerateDataKeyCommand);
    const context = { EncryptionContext: { wrapping_key: '1' } };
    expect(generate.input).toEqual({ KeyId: ARN, NumberOfBytes: 32, ...context });
    expect(decrypt).toBeInstanceOf(DecryptCommand);
    expect(decrypt.input).toEqual({ KeyId: ARN, CiphertextBlob: answer.CiphertextBlob, ...context });
    await wrapper.unwrap({ merchant_id: 'm1' }, answer.CiphertextBlob);
    expect((commands[2] as DecryptCommand).input).toMatchObject({ EncryptionContext: { merchant_id: 'm1' } });
  });

  it('rejects an answer without a key', async () => {
    const wrapper = createKmsWrapper(ARN, { send: async () => ({}) } as unknown as KmsSender);
    await expect(wrapper.generate(NAME)).rejects.toThrow('without a data key');
    await expect(wrapper.unwrap(NAME, Uint8Array.of(1))).rejects.toThrow('without a data key');
  });
});

describe('chooseWrapper', () => {
  it('prefers the key file and refuses to start with neither', async () => {
    const path = join(folder, 'vault.key');
    await chooseWrapper({ keyFile: path, keyArn: 'arn:aws:kms:::key/x' });
    expect((await stat(path)).isFile()).toBe(true);
    await expect(chooseWrapper({})).rejects.toThrow('VAULT_KEY_ARN');
  });
});
