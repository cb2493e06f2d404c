import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { createWaitLine } from './wait-line.ts';

const MINUTE_MS = 60_000;

it('tells of a message that waited for too long, once a minute, at a level that is always written', () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  let nowMs = 100 * MINUTE_MS;
  const logger = createLogger({ level: 'error', destination });
  const told = createWaitLine(logger, { stage: 'normalize', maxMs: 10 * MINUTE_MS, now: () => nowMs });
  told(nowMs - 10 * MINUTE_MS);
  expect(lines).toEqual([]);
  told(nowMs - 10 * MINUTE_MS - 1);
  told(nowMs - 30 * MINUTE_MS);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ metric: 'waiting', value: 1, stage: 'normalize', waitedSec: 600 });
  nowMs += MINUTE_MS;
  told(nowMs - 30 * MINUTE_MS);
  expect(lines[1]).toMatchObject({ waitedSec: 1_800 });
});
