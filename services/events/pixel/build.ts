// Bundles the browser SDK. Guarantees: the same source gives the same text; whatever fails while the script starts
// ends inside it, without an error in the shop's console (the whole program stands in one function and one try).
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What the published contract promises: "about 3.3 KB". */
export const PIXEL_MAX_BYTES = 3_300;
/** What travels: 1.68 KB. It was 1.65 until the clicks of ChatGPT, Taboola, Outbrain, Awin, Impact and Criteo were kept. */
export const PIXEL_MAX_GZIP_BYTES = 1_720;

/** The text of `GET /v1/pixel.js`: one classic script for the browsers of 2020 and later. */
export async function bundlePixel(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('src/pixel.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2020',
    charset: 'ascii',
    legalComments: 'none',
    // Nothing of the repository's settings may change these bytes.
    tsconfigRaw: '{}',
    write: false,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild wrote nothing');
  return `(()=>{try{${file.text.trim()}}catch{}})()`;
}
