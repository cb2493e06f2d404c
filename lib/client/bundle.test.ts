// Goal: a page can carry the client. Method: bundled as a page would be, and loaded where nothing of Node is.
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { ROUTES } from '../events/routes/every-route.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** 3 KB, but for what its table of routes has grown by. */
const SIZE_MAX_BYTES = 3_250;

const bundled = (format: 'esm' | 'iife') =>
  build({
    absWorkingDir: ROOT,
    entryPoints: ['lib/client/client.ts'],
    bundle: true,
    minify: true,
    format,
    globalName: 'millrace',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
  });

it('is some 3 KB on the wire, and of its own folder only', async () => {
  const { outputFiles, metafile } = await bundled('esm');
  expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith('lib/client/'))).toEqual([]);
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  expect(imports.filter((one) => one.external)).toEqual([]);
  expect(gzipSync(outputFiles[0]?.text ?? '', { level: 9 }).byteLength).toBeLessThanOrEqual(SIZE_MAX_BYTES);
});

it('needs nothing while it loads and makes its methods, not even what pages and Node both have', async () => {
  const { outputFiles } = await bundled('iife');
  const methods = runInContext(
    `${outputFiles[0]?.text};Object.keys(millrace.createClient({ ingestionUrl: '', apiUrl: '' })).join()`,
    createContext({}),
  );
  expect(methods).toBe(ROUTES.map(({ id }) => id).join());
});
