// The files of Swagger UI, from the package where it is installed, which a bundle carries beside itself.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

export const SWAGGER_UI_FILES = {
  script: 'swagger-ui-dist/swagger-ui-bundle.js',
  style: 'swagger-ui-dist/swagger-ui.css',
} as const;

/** Read anew each time: pages are opened rarely, and a function should not keep two megabytes for them. */
export async function swaggerUiFile(file: keyof typeof SWAGGER_UI_FILES): Promise<string> {
  const path = createRequire(import.meta.url).resolve(SWAGGER_UI_FILES[file]);
  return await readFile(path, 'utf8');
}
