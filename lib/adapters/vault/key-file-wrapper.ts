// Keys wrapped under a key in a file: for laptops, where there is no KMS. Guarantees: the file is created at once and
// whole, readable by its owner only. Refuses: a file others may read or write, and one that does not hold exactly one key.
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DATA_KEY_BYTES, type KeyName, type KeyWrapper } from './key-wrapper.ts';
import { openBox, sealBox } from './sealed-box.ts';

const PATTERN = /^[0-9a-f]{64}\n?$/;
const FOREIGN_BITS = 0o077;

/** Creates the file, and the folders above it, when there is none. */
export async function createKeyFileWrapper(path: string): Promise<KeyWrapper> {
  const key = (await readKey(path)) ?? (await createKey(path));
  return {
    async generate(name) {
      const plain = randomBytes(DATA_KEY_BYTES);
      return { plain, wrapped: sealBox(key, associated(name), plain) };
    },
    unwrap: async (name, wrapped) => openBox(key, associated(name), wrapped),
  };
}

/** No merchant's id has a `#`. */
const associated = (name: KeyName): string =>
  'merchant_id' in name ? name.merchant_id : `WRAP#${name.wrapping_key}`;

async function readKey(path: string): Promise<Uint8Array | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { mode } = await file.stat();
    // Windows keeps no such bits: there, the folder's own permissions guard the file.
    if (process.platform !== 'win32' && (mode & FOREIGN_BITS) !== 0) {
      throw new Error(`${path} may be read by others (mode ${(mode & 0o777).toString(8)}): chmod 600 it`);
    }
    const text = await file.readFile('utf8');
    if (!PATTERN.test(text)) throw new Error(`${path} does not hold a key of 64 hex digits`);
    return Buffer.from(text.trim(), 'hex');
  } finally {
    await file.close();
  }
}

/** A second process may do the same at the same time: the first link wins, and both read what it names. */
async function createKey(path: string): Promise<Uint8Array> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(DATA_KEY_BYTES).toString('hex')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(path);
  if (key === null) throw new Error(`${path} vanished while it was created`);
  return key;
}
