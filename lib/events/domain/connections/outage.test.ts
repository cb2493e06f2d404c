import { describe, expect, it } from 'vitest';
import { OUTAGES_MAX, type Outage, outagesOver } from './outage.ts';

const MINUTE = 60_000;
const NOW = 1_700_000_000_000;
const circuit = (openedAtMs: number) => ({ circuit: { openedAtMs } });
const outage = (fromMs: number, toMs: number, cause: Outage['cause'] = 'circuit'): Outage => ({
  cause,
  fromMs,
  toMs,
});

describe('outages that are over', () => {
  it('are none of a connection that had none', () => {
    expect(outagesOver({}, { circuit: true, pause: true }, NOW)).toBeUndefined();
  });

  it('are those that ended now, after those before, and not what goes on', () => {
    const known = [outage(NOW - 90 * MINUTE, NOW - 80 * MINUTE)];
    const both = { outages: known, ...circuit(NOW - 9), pausedReason: 'auth', pausedAtMs: NOW - 5 };
    expect(outagesOver(both, { circuit: true }, NOW)).toEqual([...known, outage(NOW - 9, NOW)]);
    expect(outagesOver(both, { pause: true }, NOW)).toEqual([...known, outage(NOW - 5, NOW, 'auth')]);
    expect(outagesOver(both, {}, NOW)).toEqual(known);
    expect(outagesOver(both, { circuit: true, pause: true }, NOW)).toEqual([
      ...known,
      outage(NOW - 9, NOW),
      outage(NOW - 5, NOW, 'auth'),
    ]);
  });

  it('are not the pauses that a person asked for', () => {
    const paused = { pausedReason: 'manual', pausedAtMs: NOW - 5 };
    expect(outagesOver(paused, { pause: true }, NOW)).toBeUndefined();
  });

  it('are one where a platform comes and goes within five minutes, and two after that', () => {
    const first = outagesOver(circuit(NOW), { circuit: true }, NOW + MINUTE) ?? [];
    const again = { outages: first, ...circuit(NOW + 5 * MINUTE) };
    const joined = outagesOver(again, { circuit: true }, NOW + 7 * MINUTE) ?? [];
    expect(joined).toEqual([outage(NOW, NOW + 7 * MINUTE)]);
    const later = { outages: joined, ...circuit(NOW + 12 * MINUTE) };
    expect(outagesOver(later, { circuit: true }, NOW + 13 * MINUTE)).toHaveLength(2);
    const other = { outages: joined, pausedReason: 'auth', pausedAtMs: NOW + 8 * MINUTE };
    expect(outagesOver(other, { pause: true }, NOW + 9 * MINUTE)).toHaveLength(2);
  });

  it('end no earlier than they began, whatever the clocks say', () => {
    expect(outagesOver(circuit(NOW), { circuit: true }, NOW - MINUTE)).toEqual([outage(NOW, NOW)]);
  });

  it('end no earlier than what they are joined with, whatever the clocks say', () => {
    const known = { outages: [outage(NOW, NOW + 3 * MINUTE)], ...circuit(NOW + MINUTE) };
    expect(outagesOver(known, { circuit: true }, NOW + 2 * MINUTE)).toEqual(known.outages);
  });

  it(`are the last ${OUTAGES_MAX}`, () => {
    let outages: readonly Outage[] | undefined;
    for (let hour = 0; hour < 3 * OUTAGES_MAX; hour++)
      outages = outagesOver(
        { ...(outages ? { outages } : {}), ...circuit(NOW + hour * 60 * MINUTE) },
        { circuit: true },
        NOW + hour * 60 * MINUTE + 1,
      );
    expect(outages).toHaveLength(OUTAGES_MAX);
    expect(outages?.at(-1)?.fromMs).toBe(NOW + (3 * OUTAGES_MAX - 1) * 60 * MINUTE);
  });
});
