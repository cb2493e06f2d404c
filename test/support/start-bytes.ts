// What a function reads before it can answer: its entry and the parts the entry imports, and theirs; not what is imported
// on demand.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** As esbuild writes it, minified: `from"./part-X.mjs"`, `import"./part-X.mjs"`; never `import("./part-X.mjs")`. */
const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*"(\.\/[\w.-]+\.mjs)"/g;

/** All of it, one module after the other. */
export function startBytes(entry: string): Buffer {
  const files = new Map<string, Buffer>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    const bytes = readFileSync(file);
    files.set(file, bytes);
    for (const [, name = ''] of bytes.toString().matchAll(STATIC_IMPORT))
      waiting.push(join(dirname(file), name));
  }
  return Buffer.concat([...files.values()]);
}
