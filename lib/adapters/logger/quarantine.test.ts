import { expect, it } from 'vitest';
import { RuleDefect } from '../../events/domain/rules/defect.ts';
import type { Logger } from './logger.ts';
import { createQuarantineLog, createReport } from './quarantine.ts';

it('names rows and items of batches as millrace row wants them, each once in five minutes', () => {
  const lines: unknown[] = [];
  let nowMs = 0;
  const logger = { error: (line: unknown) => void lines.push(line) } as unknown as Logger;
  const log = createQuarantineLog(logger, () => nowMs);
  const row = {
    key: { merchantId: 'm', channel: 'server', eventId: 'e' },
    ingestId: 'i',
    problem: 'no valid body',
    sweeps: 3,
  } as const;
  const batch = { merchantId: 'm', minuteMs: Date.UTC(2026, 10, 21, 12), shard: 2, id: 'abcdefgh' };
  const manifest = { batch, problem: 'Error', sweeps: 0 };
  const all = [row, manifest, { ...manifest, platform: 'meta' }];
  for (const found of [...all, ...all]) log(found);
  const item = {
    merchantId: 'm',
    minute: '2026-11-21T12:00:00.000Z',
    shard: 2,
    batch: 'abcdefgh',
    problem: 'Error',
  };
  const expected = [
    { quarantine: 'row', ...row.key, ingestId: 'i', problem: 'no valid body' },
    { quarantine: 'batch', ...item },
    { quarantine: 'batch', ...item, platform: 'meta' },
  ];
  expect(lines).toEqual(expected);
  nowMs = 5 * 60_000;
  for (const found of all) log(found);
  expect(lines).toEqual([...expected, ...expected]);
});

it('names a rule that cannot be followed, so that the alarm counts it', () => {
  const lines: unknown[] = [];
  const logger = { error: (line: unknown) => void lines.push(line) } as unknown as Logger;
  const defect = new RuleDefect('m', 'rul_1', 'action.type: Invalid input');
  createReport(logger)('a rule was skipped', defect);
  expect(lines).toEqual([{ quarantine: 'rule', merchantId: 'm', rule: 'rul_1', err: defect }]);
});
