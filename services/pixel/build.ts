// Bundles the browser SDK. Guarantees: the same source gives the same bytes; whatever fails while the script starts
// ends there, without an error in the shop's console (the whole program stands in one try).
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The budget of the contract ("about 3.3 KB"), minified, and our own for what travels. */
export const PIXEL_MAX_BYTES = 3_300;
export const PIXEL_MAX_GZIP_BYTES = 1_638;

/** The minified text of `GET /v1/pixel.js`: one classic script for browsers from 2020 on (ES2020). */
export async function bundlePixel(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('src/pixel.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2020',
    platform: 'browser',
    charset: 'ascii',
    legalComments: 'none',
    tsconfigRaw: '{}',
    write: false,
    logLevel: 'silent',
  });
  return `(()=>{try{${outputFiles[0]?.text.trim()}}catch{}})()`;
}
