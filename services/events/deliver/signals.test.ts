// Promise: each request that a platform refused, and each connection that stops taking events, is reported to operators
// once.
import { expect, it } from 'vitest';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { createDelivery, pointing, reply, rowFor } from '#test/support/delivery.ts';
import { createDeliverStage } from './stage.ts';

it('says what was refused and which connection was paused, once for two who were refused at the same time', async () => {
  const [first, ...others] = ['a', 'b', 'c'].map((id) => rowFor('alpha', id)) as [
    NormalizedRow,
    NormalizedRow,
  ];
  const rows = [{ ...first, event: { ...first.event, pageWait: { endMs: 2_040 } } }, ...others];
  const { ports, vendor } = await createDelivery(rows);
  const answered: unknown[] = [];
  const paused: unknown[] = [];
  const signals = {
    answered: (...said: unknown[]) => void answered.push(said),
    paused: (...said: unknown[]) => void paused.push(said),
  };
  const work: unknown[] = [];
  const taskWork = {
    send: async (messages: readonly { readonly body: unknown }[]) =>
      void work.push(...messages.map(({ body }) => body)),
  };
  const deliver = () => createDeliverStage({ ...ports, signals, taskWork });
  const [a, b, c] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
  await deliver()([pointing('alpha', [a])]);
  expect(answered).toEqual([
    [
      expect.objectContaining({ id: 'alpha-shop', platform: 'alpha' }),
      {
        outcomes: [{ kind: 'delivered', name: 'Purchase', ageMs: expect.any(Number), pageWaitMs: 2_040 }],
        calls: [{ status: 200, latencyMs: expect.any(Number), bytes: expect.any(Number) }],
        traces: [
          {
            traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
            parentId: expect.stringMatching(/^[0-9a-f]{16}$/),
            spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
          },
        ],
      },
    ],
  ]);
  vendor.answer = () => reply(401, {});
  await Promise.all([deliver()([pointing('alpha', [b])]), deliver()([pointing('alpha', [c])])]);
  expect(answered).toHaveLength(3);
  expect(answered[2]).toEqual([
    expect.anything(),
    expect.objectContaining({ outcomes: [expect.objectContaining({ kind: 'auth' })] }),
  ]);
  expect(paused).toEqual([[expect.objectContaining({ id: 'alpha-shop', merchantId: 'shop' }), 'auth']]);
  // And its merchant gets one mail.
  expect(work).toEqual([{ merchant: 'shop', paused: 'alpha-shop', slot: 'alpha' }]);
});
