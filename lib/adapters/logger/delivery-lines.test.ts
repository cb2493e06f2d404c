// Promise: every refused delivery is in a line that names merchant, connection, platform and code, and there are few lines.
import { expect, it } from 'vitest';
import type { Outcome } from '../../events/domain/deliveries/delivery.ts';
import type { SentCall } from '../../events/ports/delivery-signals.ts';
import { createDeliveryLines } from './delivery-lines.ts';
import { createLogger } from './logger.ts';

const META = { merchantId: 'm', id: 'con_1', platform: 'meta' };
const refused = { kind: 'permanent', code: 'invalid_parameter' } as const;

function setUp() {
  const lines: Record<string, unknown>[] = [];
  let nowMs = 1_000;
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ level: 'warn', destination });
  const { paused, answered } = createDeliveryLines(logger, {
    ...{ linesPerMinute: 0, metrics: 'none', now: () => nowMs },
  });
  const signals = {
    paused,
    answered: (
      connection: typeof META,
      outcomes: readonly Pick<Outcome, 'kind' | 'code'>[],
      calls: readonly SentCall[] = [],
    ) =>
      answered(connection, {
        outcomes: outcomes.map((outcome) => ({ ...outcome, name: 'Purchase', ageMs: 1 })),
        ...{ calls, traces: [] },
      }),
  };
  const sum = () => lines.reduce((total, { value }) => total + Number(value), 0);
  return { lines, signals, sum, advance: (ms: number) => (nowMs += ms) };
}

it('says nothing of what was delivered', () => {
  const { lines, signals } = setUp();
  signals.answered(META, [
    { kind: 'delivered', code: 'ok' },
    { kind: 'duplicate', code: 'ok' },
  ]);
  expect(lines).toEqual([]);
});

it('names the first refusal at once, and sums what comes within a minute', () => {
  const { lines, signals, sum, advance } = setUp();
  signals.answered(META, [refused, refused, { kind: 'delivered', code: 'ok' }]);
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      metric: 'refused_deliveries',
      merchantId: 'm',
      connection: 'con_1',
      platform: 'meta',
      kind: 'permanent',
      code: 'invalid_parameter',
      value: 2,
    }),
  ]);
  for (let i = 0; i < 100; i++) signals.answered(META, [refused]);
  expect(lines).toHaveLength(1);
  advance(60_000);
  signals.answered(META, [{ kind: 'delivered', code: 'ok' }]);
  expect([lines.length, sum()]).toEqual([2, 102]);
});

it('counts calls whose answers say that a version ends, by header, whatever else they say', () => {
  const { lines, signals, advance } = setUp();
  const ending = (said: string) =>
    signals.answered(META, [{ kind: 'delivered' }], [{ latencyMs: 1, bytes: 1, deprecation: said }]);
  for (let i = 0; i < 100; i++) ending(`deprecation: @${i}`);
  const { merchantId, id: connection, platform } = META;
  const line = { metric: 'deprecated_calls', merchantId, connection, platform, header: 'deprecation' };
  expect(lines).toEqual([expect.objectContaining({ ...line, said: 'deprecation: @0', value: 1 })]);
  advance(60_000);
  ending('deprecation: @100');
  expect(lines.slice(1)).toEqual([
    expect.objectContaining({ ...line, said: 'deprecation: @100', value: 100 }),
  ]);
  ending('sunset: soon');
  expect(lines.at(-1)).toMatchObject({ header: 'sunset', value: 1 });
});

it('keeps connections and codes apart', () => {
  const { lines, signals } = setUp();
  signals.answered(META, [refused, { kind: 'retry', code: 'http_500' }]);
  signals.answered({ ...META, id: 'con_2' }, [refused]);
  expect(lines).toHaveLength(3);
});

it('loses no refusal of more connections than it remembers', () => {
  const { signals, sum } = setUp();
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 1_500; i++) signals.answered({ ...META, id: `con_${i}` }, [refused]);
  expect(sum()).toBe(3_000);
});

it('says which connection was paused', () => {
  const { lines, signals } = setUp();
  signals.paused(META, 'auth');
  expect(lines).toEqual([
    expect.objectContaining({ level: 'error', metric: 'connections_paused', value: 1, connection: 'con_1' }),
  ]);
});
