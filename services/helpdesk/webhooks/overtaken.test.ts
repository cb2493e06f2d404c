// Goal: a worker whose lease ended while its receiver was silent leaves the delivery to the one that took it over. Method: virtual
// time; the first answer comes after the second attempt began, and before that one is answered.
import { expect, it } from 'vitest';
import { LEASE_MS } from '#lib/helpdesk/domain/webhooks/delivery-attempt.ts';
import { answers, openWebhookWorld, T0, WORKSPACE } from '#test/support/webhook-world.ts';
import { createWebhookStage } from './stage.ts';

const HOOK = 'https://receiver.example/hook';
const TAKEN_OVER_MS = LEASE_MS + 1_000;
const FIRST_ANSWER_MS = TAKEN_OVER_MS + 20_000;

it.each([200, 500, 410])('a worker that was overtaken writes nothing of its answer: %i', async (status) => {
  const world = openWebhookWorld();
  const { webhook } = await world.addWebhook(HOOK);
  const [delivery] = await world.happen();
  const id = delivery?.id ?? '';
  world.deliveries.purge();
  world.receivers.set(HOOK, () =>
    world.sent.length === 1
      ? answers(status, { afterMs: FIRST_ANSWER_MS })
      : answers(200, { afterMs: 50_000 }),
  );
  const pointer = { body: { workspaceId: WORKSPACE, id }, receiveCount: 1, sentAtMs: T0 };
  const work = (): void => void createWebhookStage(world.ports)([pointer]);
  const until = async (ms: number): Promise<void> => {
    world.timeline.at(T0 + ms, () => undefined);
    await world.timeline.run(() => world.clock.now() >= T0 + ms, 1_000);
  };
  world.timeline.at(T0 + 1, work);
  world.timeline.at(T0 + TAKEN_OVER_MS, work);
  await until(TAKEN_OVER_MS + 1_000);
  const held = await world.stores.deliveries.read(WORKSPACE, id);
  expect(held?.record).toMatchObject({ status: 'pending', attempts: 2, lastStatus: null });
  expect(held?.record.leaseUntilMs).toBe(T0 + TAKEN_OVER_MS + LEASE_MS);
  await until(FIRST_ANSWER_MS + 10_000);
  expect(world.sent).toHaveLength(2);
  expect(await world.stores.deliveries.read(WORKSPACE, id)).toEqual(held);
  if (status === 410) return;
  await until(TAKEN_OVER_MS + 55_000);
  expect(await world.row(id)).toMatchObject({ status: 'delivered', attempts: 2, lastStatus: 200 });
  expect((await world.health(webhook))?.lastSuccessAtMs).not.toBeNull();
});
