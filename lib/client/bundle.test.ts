// Goal: a page can carry the client. Method: bundled as a page would be, and loaded where nothing of Node is.
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { ROUTES } from '../events/routes/every-route.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SIZE_MAX_BYTES = 3 * 1_024;

it('is at most 3 KB on the wire, of its own folder only, and needs nothing but a page', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['lib/client/client.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'millrace',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
  });
  const text = outputFiles[0]?.text ?? '';
  expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith('lib/client/'))).toEqual([]);
  expect(
    Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter((one) => one.external)),
  ).toEqual([]);
  expect(gzipSync(text, { level: 9 }).byteLength).toBeLessThanOrEqual(SIZE_MAX_BYTES);
  // Not even `process` or `Buffer` is there while it loads and makes its methods.
  const methods = runInContext(
    `${text};Object.keys(millrace.createClient({ ingestionUrl: '', apiUrl: '' })).join()`,
    createContext({}),
  );
  expect(methods).toBe(ROUTES.map(({ id }) => id).join());
});
