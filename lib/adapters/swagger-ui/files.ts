// The files of Swagger UI, from the installed package, which is bundled beside the function. Guarantees: a process
// compresses a file at most once, on the first request that accepts it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { takesGzip } from '../../core/http/packed-file.ts';

export const SWAGGER_UI_FILES = {
  script: 'swagger-ui-dist/swagger-ui-bundle.js',
  style: 'swagger-ui-dist/swagger-ui.css',
} as const;
type SwaggerUiFile = keyof typeof SWAGGER_UI_FILES;

/** They change only with a release. */
const HEADERS = { 'cache-control': 'public, max-age=86400', vary: 'Accept-Encoding' } as const;

const packed = new Map<SwaggerUiFile, Promise<Uint8Array>>();

/** An answer of 200. `accepted`: the value of `Accept-Encoding`. */
export async function swaggerUiFile(file: SwaggerUiFile, accepted: string | undefined) {
  if (!takesGzip(accepted)) {
    // Read each time: a function should not keep two megabytes for a rare request.
    return { status: 200 as const, body: (await read(file)).toString(), headers: HEADERS };
  }
  const known = packed.get(file) ?? pack(file);
  packed.set(file, known);
  return { status: 200 as const, body: await known, headers: { ...HEADERS, 'content-encoding': 'gzip' } };
}

async function pack(file: SwaggerUiFile): Promise<Uint8Array> {
  try {
    return await promisify(gzip)(await read(file), { level: 9 });
  } catch (error) {
    packed.delete(file);
    throw error;
  }
}

const read = (file: SwaggerUiFile): Promise<Buffer> =>
  readFile(createRequire(import.meta.url).resolve(SWAGGER_UI_FILES[file]));
