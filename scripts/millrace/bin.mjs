#!/usr/bin/env node
// npx millrace …: the command line, under the Node that comes with the project, whichever started this file.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
if (!existsSync(node)) {
  console.error('Millrace is not installed: run npm ci first.');
  process.exit(2);
}
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
// Ctrl-C reaches the other Node as well, which says what it means; this one waits for it.
process.on('SIGINT', () => {});
const { status, error } = spawnSync(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
if (error !== undefined) console.error(error.message);
process.exit(status ?? 130);
