import { describe, expect, it } from 'vitest';
import { createLogger, LOG_LEVELS, logLevelFrom } from './logger.ts';

function recorder() {
  const lines: string[] = [];
  return { lines, destination: { write: (line: string) => void lines.push(line) } };
}

describe('createLogger', () => {
  it('writes one JSON line with level as a word, time in ms and the bindings', () => {
    const { lines, destination } = recorder();
    const before = Date.now();
    createLogger({ level: 'info', bindings: { service: 'deliver' }, destination }).info(
      { delivered: 3 },
      'batch',
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('\n')).toBe(true);
    const line = JSON.parse(lines[0] ?? '') as { time: number };
    expect(line).toEqual({ level: 'info', time: line.time, service: 'deliver', delivered: 3, msg: 'batch' });
    expect(line.time).toBeGreaterThanOrEqual(before);
  });

  it('redacts fields, bound fields and the text of a line', () => {
    const { lines, destination } = recorder();
    const logger = createLogger({ level: 'info', destination })
      .child({ api_key: 'canary-1' })
      .child({ note: 'to canary-2@example.com' });
    logger.info(
      { user_data: { email: 'canary-3' }, headers: { Authorization: 'canary-4' } },
      'from canary-5@example.com',
    );
    logger.error(new Error('canary-6@example.com refused'));
    logger.error({ err: new Error('canary-7@example.com refused') }, 'failed for canary-8@example.com');
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain('canary');
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({
      msg: 'failed for [email]',
      err: { type: 'Error', message: '[email] refused' },
    });
  });

  it('keeps the reason of an error logged alone', () => {
    const { lines, destination } = recorder();
    createLogger({ level: 'info', destination }).error(new RangeError('out of range'));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      err: { type: 'RangeError', message: 'out of range' },
    });
  });

  it('writes nothing below its level', () => {
    const { lines, destination } = recorder();
    const logger = createLogger({ level: 'warn', destination });
    logger.info('quiet');
    logger.warn('loud');
    expect(lines).toHaveLength(1);
  });
});

describe('logLevelFrom', () => {
  it.each([...LOG_LEVELS])('knows %s', (level) => {
    expect(logLevelFrom(` ${level.toUpperCase()} `)).toBe(level);
  });

  it.each([undefined, '', 'loud'])('falls back to info for %s', (text) => {
    expect(logLevelFrom(text)).toBe('info');
  });
});
