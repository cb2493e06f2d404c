// The command lines of docs/deploy.md, as a shell takes them apart.
import { readFileSync } from 'node:fs';

const DOCUMENT = new URL('../../docs/deploy.md', import.meta.url);

export const documentedLines: readonly (readonly string[])[] = [
  ...readFileSync(DOCUMENT, 'utf8').matchAll(/^npx millrace (.+)$/gm),
].map(([, line = '']) =>
  [...line.replace(/ +# .*/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  ),
);

/** Asks queues, pipeline or API, which take a whole host. */
export const isForHost = ([command = '', verb]: readonly string[]): boolean =>
  verb === 'remove' ||
  !['restore', 'merchants', 'people', 'status', 'cost', 'doctor', 'completion', 'pause', 'resume'].includes(
    command,
  );
