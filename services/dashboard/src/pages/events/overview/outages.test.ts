import { describe, expect, it } from 'vitest';
import type { Connection } from '../platform-list.ts';
import { bandsOf, outagesOf, within } from './outages.tsx';

type Told = Partial<Pick<Connection, 'status' | 'paused_reason' | 'paused_at'>> & {
  readonly circuit?: Connection['health']['circuit'];
  readonly outages?: Connection['health']['outages'];
};
const connection = ({ circuit = { state: 'closed' }, outages = [], ...told }: Told) =>
  ({
    id: 'con_1',
    label: 'Meta',
    name: 'Main',
    status: 'active',
    ...told,
    health: { circuit, outages },
  }) as Connection;

const AT = '2026-11-22T12:30:00.000Z';

describe('an outage', () => {
  it.each([
    ['credentials that are refused', { status: 'paused', paused_reason: 'auth', paused_at: AT }, 1],
    ['an open circuit', { circuit: { state: 'open', opened_at: AT } }, 1],
    ['a pause that a person asked for', { status: 'paused', paused_reason: 'manual', paused_at: AT }, 0],
    ['a connection that works', {}, 0],
    ['an open circuit nobody knows the beginning of', { circuit: { state: 'open' } }, 0],
  ] as const)('%s', (_name, told, outages) => {
    expect(outagesOf([connection(told)])).toHaveLength(outages);
  });

  it('is a band from its beginning to now, and no wider than the chart', () => {
    const outages = outagesOf([connection({ circuit: { state: 'open', opened_at: AT } })]);
    const span = (first: string, end = '2026-11-22T13:30:00.000Z') => ({
      points: [{ start: first }, { start: 'later' }],
      interval: 'hour' as const,
      end,
    });
    expect(bandsOf(outages, span('2026-11-22T12:00:00.000Z'))).toEqual([
      { id: `con_1 circuit ${AT}`, name: 'Meta, Main, does not answer', from: 0.25, to: 0.75 },
    ]);
    expect(bandsOf(outages, span('2026-11-22T13:00:00.000Z'))).toMatchObject([{ from: 0, to: 0.25 }]);
    expect(bandsOf(outages, span('2026-11-21T00:00:00.000Z', '2026-11-21T02:00:00.000Z'))).toEqual([]);
  });

  it('that is over is a band as long as it was, in the time that is shown, beside one that goes on', () => {
    const over = { cause: 'circuit', started_at: AT, ended_at: '2026-11-22T13:00:00.000Z' } as const;
    const before = { ...over, started_at: '2026-11-21T00:00:00.000Z', ended_at: '2026-11-21T01:00:00.000Z' };
    const told = { status: 'paused', paused_reason: 'auth', paused_at: '2026-11-22T13:20:00.000Z' } as const;
    const outages = outagesOf([connection({ ...told, outages: [before, over] })]);
    expect(outages.map(({ cause, until }) => [cause, until])).toEqual([
      ['circuit', before.ended_at],
      ['circuit', over.ended_at],
      ['auth', undefined],
    ]);
    const span = {
      points: [{ start: '2026-11-22T12:00:00.000Z' }, { start: '2026-11-22T13:00:00.000Z' }],
      interval: 'hour' as const,
      end: '2026-11-22T14:00:00.000Z',
    };
    expect(within(outages, span)).toEqual(outages.slice(1));
    expect(bandsOf(outages, span)).toMatchObject([
      { name: 'Meta, Main, did not answer', from: 0.25, to: 0.5 },
      { name: 'Meta, Main, refuses its credentials', to: 1 },
    ]);
  });
});
