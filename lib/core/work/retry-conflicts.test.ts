import { describe, expect, it } from 'vitest';
import { Outage } from './outage.ts';
import { CONFLICT, retryConflicts } from './retry-conflicts.ts';

/** An attempt that loses `losses` times and then returns `result`; counts its calls. */
function losing<T>(losses: number, result: T) {
  const seen = { calls: 0 };
  const attempt = async (): Promise<T | typeof CONFLICT> => {
    seen.calls += 1;
    return seen.calls <= losses ? CONFLICT : result;
  };
  return { attempt, seen };
}

describe('retryConflicts', () => {
  it('begins again after each conflict and returns what the winning attempt did, also nothing', async () => {
    for (const result of ['written', null, undefined, false]) {
      const { attempt, seen } = losing(2, result);
      expect(await retryConflicts({ what: 'it', triesMax: 3 }, attempt)).toBe(result);
      expect(seen.calls).toBe(3);
    }
  });

  it('gives up after so many tries, and says what could not be written', async () => {
    const { attempt, seen } = losing(3, 'too late');
    const outage = new Outage('a slot could not be written: others wrote it first, 3 times');
    await expect(retryConflicts({ what: 'a slot', triesMax: 3 }, attempt)).rejects.toStrictEqual(outage);
    expect(seen.calls).toBe(3);
  });

  it('waits between tries only, longer as the caller says', async () => {
    const waits: number[] = [];
    const pause = async (attempt: number): Promise<void> => void waits.push(attempt);
    await retryConflicts({ what: 'it', triesMax: 9, pause }, losing(3, 'written').attempt);
    expect(waits).toEqual([0, 1, 2]);
  });

  it('begins no try once it is late, and says so', async () => {
    let now = 0;
    let tries = 0;
    const pause = async (): Promise<void> => {
      now += 4;
    };
    const lost = retryConflicts(
      { what: 'a ticket', triesMax: 100, pause, isLate: () => now >= 10 },
      async () => {
        tries += 1;
        return CONFLICT;
      },
    );
    await expect(lost).rejects.toThrow('a ticket could not be written in time');
    await expect(lost).rejects.toBeInstanceOf(Outage);
    expect(tries).toBe(3);
  });

  it('does not repeat what failed for another reason', async () => {
    let calls = 0;
    const failing = async (): Promise<never> => {
      calls += 1;
      throw new Error('the table is away');
    };
    await expect(retryConflicts({ what: 'it', triesMax: 9 }, failing)).rejects.toThrow('the table is away');
    expect(calls).toBe(1);
  });
});
