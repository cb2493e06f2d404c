// The files of Swagger UI, from the package where it is installed, which a bundle carries beside itself. Guarantees: a process
// compresses a file once, and only when somebody asks for it so.
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

/** They change with a release only. */
const HEADERS = { 'cache-control': 'public, max-age=86400', vary: 'Accept-Encoding' } as const;

const packed = new Map<SwaggerUiFile, Promise<Uint8Array>>();

/** An answer of 200. `accepted`: the value of `Accept-Encoding`. */
export async function swaggerUiFile(file: SwaggerUiFile, accepted: string | undefined) {
  if (!takesGzip(accepted)) {
    // Read anew each time: a function should not keep two megabytes for what hardly anybody asks for.
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
