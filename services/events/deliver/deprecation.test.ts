// Promise: what an answer says about the end of a version is counted for each call, and written down for the merchant once a day,
// whatever number of events and calls there are; where that fails the events are delivered all the same.
import { expect, it } from 'vitest';
import type { HttpResult } from '#lib/core/ports/transport.ts';
import type { AnsweredCall } from '#lib/events/ports/delivery-signals.ts';
import { allTaken, createDelivery, eventIds, rowFor, SHOP } from '#test/support/delivery.ts';
import { deprecationIn } from './deprecation.ts';

const HEADER = { sunset: 'Wed, 11 Nov 2026 23:59:59 GMT' };
const SAID = 'sunset: Wed, 11 Nov 2026 23:59:59 GMT';

async function open() {
  const rows = Array.from({ length: 40 }, (_, i) => rowFor('alpha', `e${i}`));
  const delivery = await createDelivery(rows);
  const answered: AnsweredCall[] = [];
  const signals = {
    answered: (_: unknown, call: AnsweredCall) => void answered.push(call),
    paused: () => {},
  };
  const writes: string[] = [];
  const config = {
    ...delivery.config,
    noteDeprecation: async (...args: Parameters<typeof delivery.config.noteDeprecation>) => {
      writes.push(args[1]);
      return await delivery.config.noteDeprecation(...args);
    },
  };
  delivery.vendor.answer = (request) => ({ ...allTaken(request), headers: HEADER }) as HttpResult;
  const noted = async () => (await delivery.config.connection(SHOP, 'alpha'))?.deprecation;
  const states = () => new Set(rows.map(({ key }) => delivery.deliveryOf('alpha', key.eventId)?.state));
  return { ...delivery, rows, answered, writes, ports: { signals, config }, noted, states };
}

it.each([
  [{}, undefined],
  [{ deprecation: '' }, undefined],
  [{ deprecation: '@1688169599' }, 'deprecation: @1688169599'],
  [{ sunset: 'Wed, 11 Nov 2026 23:59:59 GMT' }, 'sunset: Wed, 11 Nov 2026 23:59:59 GMT'],
  [{ warning: '299 - "v1 ends"' }, 'warning: 299 - "v1 ends"'],
  [{ warning: '110 - "Response is Stale"' }, undefined],
  [{ warning: '2990 -' }, undefined],
  [{ 'x-ad-api-version-warning': 'v25.0 ends' }, 'x-ad-api-version-warning: v25.0 ends'],
  [{ constructor: 'x', 'content-type': 'deprecation' }, undefined],
])('%j says %s', (headers, said) => expect(deprecationIn(headers as Record<string, string>)).toBe(said));

it('says nothing personal, and little', () => {
  const said = deprecationIn({ deprecation: `for ann@shop.example\r\n${'x '.repeat(50_000)}` }) ?? '';
  expect(said).toContain('[email]');
  expect(said).not.toMatch(/[\r\n]|ann@/);
  expect(said.length).toBeLessThanOrEqual(200);
});

it('is in the signal of each call, and written once a day', async () => {
  const { run, rows, answered, writes, ports, noted, states, clock, requests } = await open();
  await run('alpha', rows.slice(0, 20), ports);
  await run('alpha', rows.slice(20, 30), ports);
  const calls = answered.flatMap((one) => one.calls);
  expect(calls).toHaveLength(requests.length);
  expect(new Set(calls.map(({ deprecation }) => deprecation))).toEqual(new Set([SAID]));
  const first = await noted();
  expect([first?.said, writes]).toEqual([SAID, [SAID]]);
  clock.advance(86_400_000);
  await run('alpha', rows.slice(30), ports);
  expect(writes).toHaveLength(2);
  expect((await noted())?.atMs).toBeGreaterThan(first?.atMs ?? Number.NaN);
  expect(states()).toEqual(new Set(['DELIVERED']));
  expect(requests.flatMap(eventIds)).toHaveLength(rows.length);
});

it('costs no write where answers say nothing', async () => {
  const { run, rows, writes, ports, vendor, noted } = await open();
  vendor.answer = allTaken;
  await run('alpha', rows, ports);
  expect([writes, await noted()]).toEqual([[], undefined]);
});

it('that cannot be written down is reported, and the events are delivered', async () => {
  const { run, rows, ports, problems, states } = await open();
  const noteDeprecation = () => Promise.reject(new Error('the table is unwell'));
  const failed = await run('alpha', rows, { ...ports, config: { ...ports.config, noteDeprecation } });
  expect([failed, states()]).toEqual([[], new Set(['DELIVERED'])]);
  expect(problems).toEqual(['what a platform says about the end of a version was not written down']);
});
