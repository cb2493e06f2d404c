// Goal: rows share requests with those of their shop only; nothing is sent twice without a trace; a message comes again
// exactly where one of its rows failed.
import { expect, it } from 'vitest';
import { createDelivery, eventIds, pointing, rowFor } from '#test/support/delivery.ts';
import type { DeliverPorts } from './ports.ts';
import { createDeliverStage } from './stage.ts';

const alpha = (eventId: string, merchantId?: string) =>
  rowFor('alpha', eventId, merchantId === undefined ? {} : { merchantId });

async function setUp(...rows: readonly ReturnType<typeof alpha>[]) {
  const delivery = await createDelivery(rows);
  const deliver = async (
    messages: readonly ReturnType<typeof pointing>[],
    over: Partial<DeliverPorts> = {},
  ): Promise<readonly number[]> =>
    (await createDeliverStage({ ...delivery.ports, ...over })(messages)).failedIndexes;
  const sent = () => delivery.requests.map(eventIds);
  return { ...delivery, deliver, sent };
}

it('sends the rows of several messages together, each row once', async () => {
  const [a, b] = [alpha('a'), alpha('b')];
  const { deliver, sent, deliveryOf } = await setUp(a, b);
  expect(await deliver([pointing('alpha', [a]), pointing('alpha', [b, a])])).toEqual([]);
  expect(sent()).toEqual([['a', 'b']]);
  expect(['a', 'b'].map((id) => deliveryOf('alpha', id)?.state)).toEqual(['DELIVERED', 'DELIVERED']);
});

it('puts no two shops into one request', async () => {
  const [mine, theirs] = [alpha('mine'), alpha('theirs', 'another')];
  const { deliver, sent } = await setUp(mine, theirs);
  await deliver([pointing('alpha', [mine]), pointing('alpha', [theirs])]);
  expect(sent().sort()).toEqual([['mine'], ['theirs']]);
});

it('writes a delivery once where nobody can have been before, and a lease first where somebody can', async () => {
  for (const [receipt, states, unknowns] of [
    [{ first: true, receiveCount: 1 }, ['DELIVERED'], 0],
    [{ first: true, receiveCount: 2 }, ['SENDING', 'DELIVERED'], 1],
    [{ first: false, receiveCount: 1 }, ['SENDING', 'DELIVERED'], 1],
  ] as const) {
    const row = alpha('e');
    const { deliver, events, deliveryOf } = await setUp(row);
    const written: string[] = [];
    const putDelivery: typeof events.putDelivery = async (seen, patch) => {
      written.push(patch.delivery.state);
      return await events.putDelivery(seen, patch);
    };
    await deliver([pointing('alpha', [row], receipt)], { events: { ...events, putDelivery } });
    expect(written).toEqual(states);
    expect(deliveryOf('alpha', 'e')?.unknowns).toBe(unknowns);
  }
});

it('takes a row for a first one only if every message that points at it says so', async () => {
  const row = alpha('e');
  const [first, later] = [pointing('alpha', [row]), pointing('alpha', [row], { first: false })];
  for (const pair of [
    [later, first],
    [first, later],
  ]) {
    const { deliver, deliveryOf } = await setUp(row);
    await deliver(pair);
    expect(deliveryOf('alpha', 'e')?.unknowns).toBe(1);
  }
});

it('sends nothing for a pointer that comes after its delivery', async () => {
  const row = alpha('e');
  const { deliver, sent } = await setUp(row);
  await deliver([pointing('alpha', [row])]);
  expect(await deliver([pointing('alpha', [row], { receiveCount: 2 })])).toEqual([]);
  expect(sent()).toEqual([['e']]);
});

it('lets only those messages come again that hold a row which failed, and then says what may have happened', async () => {
  const [good, bad] = [alpha('good'), alpha('bad')];
  const { deliver, clock, events, deliveryOf, problems } = await setUp(good, bad);
  const putDelivery: typeof events.putDelivery = async (seen, patch) => {
    if (seen.key.eventId === 'bad') throw new Error('away');
    return await events.putDelivery(seen, patch);
  };
  const messages = [pointing('alpha', [good]), pointing('alpha', [good, bad]), pointing('alpha', [bad])];
  expect(await deliver(messages, { events: { ...events, putDelivery } })).toEqual([1, 2]);
  expect(deliveryOf('alpha', 'good')).toMatchObject({ state: 'DELIVERED', unknowns: 0 });
  expect(problems).toEqual(['deliveries to alpha failed (1)']);
  clock.advance(60_000);
  await deliver([pointing('alpha', [bad], { receiveCount: 2 })]);
  expect(deliveryOf('alpha', 'bad')).toMatchObject({ state: 'DELIVERED', unknowns: 1 });
});

it('fails a shop alone whose connection cannot be had', async () => {
  const [mine, theirs] = [alpha('mine'), alpha('theirs', 'another')];
  const { deliver, config, sent, problems } = await setUp(mine, theirs);
  const connection: typeof config.connection = async (merchantId, platform) => {
    if (merchantId === 'another') throw new Error('away');
    return await config.connection(merchantId, platform);
  };
  const messages = [pointing('alpha', [theirs]), pointing('alpha', [mine])];
  expect(await deliver(messages, { config: { ...config, connection } })).toEqual([0]);
  expect(sent()).toEqual([['mine']]);
  expect(problems).toEqual(['deliveries to alpha failed']);
});

it('sets a row aside that cannot be read, and sends the others of its message', async () => {
  const [good, bad] = [alpha('good'), alpha('bad')];
  const { deliver, events, sent } = await setUp(good, bad);
  events.spoil(bad.key);
  expect(await deliver([pointing('alpha', [bad, good])])).toEqual([]);
  expect(sent()).toEqual([['good']]);
});

it('fails a row alone that does not open', async () => {
  const [good, bad] = [alpha('good'), alpha('bad')];
  const { deliver, eventVault, sent } = await setUp(good, bad);
  const open: typeof eventVault.open = async (row, sealed) => {
    if (row.key.eventId === 'bad') throw new Error('no key');
    return await eventVault.open(row, sealed);
  };
  const messages = [pointing('alpha', [good]), pointing('alpha', [bad])];
  expect(await deliver(messages, { eventVault: { open } })).toEqual([1]);
  expect(sent()).toEqual([['good']]);
});

it('has nothing to do for a platform that is no more in the code', async () => {
  const row = rowFor('retired', 'e');
  const { deliver, sent } = await setUp(row);
  expect(await deliver([pointing('retired', [row])])).toEqual([]);
  expect(sent()).toEqual([]);
});
