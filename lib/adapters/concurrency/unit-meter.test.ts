import { describe, expect, it } from 'vitest';
import { createUnitMeter } from './unit-meter.ts';

describe('a meter', () => {
  it('adds up what belongs to a call, side by side with others, and where it fails', async () => {
    const meter = createUnitMeter();
    const found: Record<string, unknown> = {};
    const call = async (name: string, read: number) =>
      await meter.measured(
        async () => {
          for (let n = 0; n < 3; n++) {
            await new Promise((resolve) => setImmediate(resolve));
            meter.add('read', read);
          }
          meter.add('write', 1);
          expect(meter.consumed()).toEqual({ read: 3 * read, write: 1 });
          if (name === 'b') throw new Error('failed');
          return name;
        },
        async (units) => {
          found[name] = units;
        },
      );
    meter.add('read', 99);
    expect(meter.consumed()).toEqual({ read: 0, write: 0 });
    const [a, b] = await Promise.allSettled([call('a', 1), call('b', 10)]);
    expect([a.status, b.status]).toEqual(['fulfilled', 'rejected']);
    expect(found).toEqual({ a: { read: 3, write: 1 }, b: { read: 30, write: 1 } });
  });
});
