import { describe, expect, it } from 'vitest';
import { createBatchLog } from './batch-line.ts';
import { createLogger } from './logger.ts';

function setup(intervalMs: number) {
  const lines: Record<string, unknown>[] = [];
  let nowMs = 1_000;
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createBatchLog(createLogger({ level: 'info', destination }), {
    stage: 'deliver',
    intervalMs,
    now: () => nowMs,
  });
  return { lines, log, advance: (ms: number) => (nowMs += ms) };
}

const quiet = { size: 10, failed: 0, durationMs: 20 };

describe('createBatchLog', () => {
  it('writes the first batch as one wide line', () => {
    const { lines, log } = setup(10_000);
    log.record(quiet);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'info',
      msg: 'batch',
      stage: 'deliver',
      batches: 1,
      size: 10,
      failed: 0,
      durationMs: 20,
    });
  });

  it('folds quiet batches into one line an interval, losing none', () => {
    const { lines, log, advance } = setup(10_000);
    for (let i = 0; i < 101; i++) {
      log.record(quiet);
      advance(100);
    }
    expect(lines).toHaveLength(2);
    log.record({ size: 1, failed: 0, durationMs: 90 });
    log.flush();
    const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name] ?? 0), 0);
    expect(sum('batches')).toBe(102);
    expect(sum('size')).toBe(1_011);
    expect(lines.at(-1)).toMatchObject({ batches: 1, durationMaxMs: 90 });
  });

  it('writes a failure at once, as a warning, with what was held', () => {
    const { lines, log } = setup(10_000);
    log.record(quiet);
    log.record(quiet);
    expect(lines).toHaveLength(1);
    log.record({ size: 10, failed: 2, durationMs: 50 });
    expect(lines[1]).toMatchObject({
      level: 'warn',
      batches: 2,
      size: 20,
      failed: 2,
      durationMs: 70,
      durationMaxMs: 50,
    });
  });

  it('writes each batch with an interval of 0', () => {
    const { lines, log } = setup(0);
    log.record(quiet);
    log.record(quiet);
    expect(lines).toHaveLength(2);
  });

  it('names the merchants with most messages, and counts the others', () => {
    const { lines, log } = setup(0);
    const merchants = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`m_${i}`, i === 7 ? 9 : 1]),
    );
    log.record({ ...quiet, bytes: 1_500, merchants });
    expect(lines[0]).toMatchObject({ kind: 'batch', bytes: 1_500, p50: 20, p99: 20 });
    const named = lines[0]?.merchants as Record<string, number>;
    expect([Object.keys(named).length, named.m_7]).toEqual([5, 9]);
    expect(Object.values(named).reduce((sum, count) => sum + count, 0)).toBe(1_008);
  });

  it('has nothing to flush twice', () => {
    const { lines, log } = setup(10_000);
    log.record(quiet);
    log.flush();
    expect(lines).toHaveLength(1);
  });
});
