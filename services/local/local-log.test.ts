// Goal: every line is in the file; only errors reach the person at the keyboard, in words.
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scratchFolder } from '#test/support/scratch-folder.ts';
import { createLogger, setStandardDestination } from '../../lib/adapters/logger/logger.ts';
import { type LocalLog, openLocalLog } from './local-log.ts';

let folder: string;
let log: LocalLog;
let told: string[];
beforeEach(() => {
  folder = scratchFolder('log');
  told = [];
  log = openLocalLog(join(folder, 'x.log'), (text) => told.push(text));
  setStandardDestination(log.destination);
});
afterEach(() => setStandardDestination(undefined));
const lines = () =>
  readFileSync(join(folder, 'x.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

it('takes what the functions log, and tells errors', () => {
  const logger = createLogger({ level: 'info', bindings: { service: 'deliver' } });
  logger.info({ size: 1, note: 'an "error" word' }, 'batch');
  logger.error({ err: new Error('broken') }, 'could not record');
  expect(lines()).toMatchObject([
    { level: 'info', size: 1 },
    { level: 'error', service: 'deliver' },
  ]);
  expect(told).toEqual(['deliver: could not record: broken']);
});

it('takes errors of the host, whatever was thrown, also after it was closed', () => {
  log.error('cannot read', new Error('gone'));
  log.error('strange answer', { a: 1 });
  expect(lines()).toHaveLength(2);
  log.close();
  log.error('late', 'text');
  expect(told).toEqual(['host: cannot read: gone', 'host: strange answer: {"a":1}', 'host: late: text']);
});

it('begins a new file when the old one has grown large, and keeps that one', () => {
  const path = join(folder, 'grown.log');
  writeFileSync(path, '');
  truncateSync(path, 17 * 1_048_576);
  const next = openLocalLog(path, () => undefined);
  next.error('fresh', 'text');
  next.close();
  expect(statSync(`${path}.1`).size).toBe(17 * 1_048_576);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
});
