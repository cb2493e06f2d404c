// Histories of clicks, orders and refunds, normalized in any order, with recounts and erasures between, and what a naive model says
// of them: it knows every click, order and refund, and no slot, item or sum.
import fc from 'fast-check';
import { expect } from 'vitest';
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { currencyExponent } from '#lib/events/domain/event/decimal.ts';
import { withErasures } from '../erasing.ts';
import { openSettlingShop } from './shop.ts';

const PLATFORM_OF = { gclid: 'google_ads', ttclid: 'tiktok', twclid: 'x', msclkid: 'microsoft' } as const;
type ClickId = keyof typeof PLATFORM_OF;
/** An identifier remembers its ten newest clicks: more are no longer exact. */
const CLICKS_MAX = 9;

const who = fc.record({
  email: fc.constantFrom('a', 'b', undefined),
  fbp: fc.constantFrom('a', 'b', undefined, undefined),
});
/** `agoMin`: when it happened, before it is received. */
const agoMin = fc.integer({ min: 0, max: 40 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('click'),
      who,
      agoMin,
      id: fc.constantFrom(...(Object.keys(PLATFORM_OF) as ClickId[])),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('order'),
      who,
      agoMin,
      minor: fc.integer({ min: 1, max: 5_000 }),
      currency: fc.constantFrom('EUR', 'JPY'),
      own: fc.option(fc.constantFrom(...(Object.keys(PLATFORM_OF) as ClickId[])), {
        nil: undefined,
        freq: 3,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refund'),
      of: fc.nat(),
      minor: fc.integer({ min: 1, max: 3_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass'), minutes: fc.integer({ min: 1, max: 70 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase'), email: fc.constantFrom('a', 'b') }) },
);
/** With erasures people have an address and no cookie: what is erased with it is then known without looking. */
export const histories = fc.record({
  erasing: fc.boolean(),
  isConnected: fc.boolean(),
  byAudit: fc.boolean(),
  steps: fc.array(step, { minLength: 3, maxLength: 18 }),
});
export type History = typeof histories extends fc.Arbitrary<infer H> ? H : never;

interface Click {
  readonly keys: readonly string[];
  readonly sec: number;
  readonly platform: string;
}

interface Ordered {
  readonly id: string;
  readonly keys: readonly string[];
  readonly sec: number;
  readonly own: readonly Click[];
  readonly currency: string;
  left: number;
  credit: readonly [first: string, last: string];
  isErased: boolean;
}

export async function live({ erasing, isConnected, byAudit, steps }: History): Promise<void> {
  const shop = openSettlingShop({ isConnected });
  const { clock, send } = shop;
  const { begin, finish } = withErasures(shop);
  let clicks: Click[] = [];
  const orders: Ordered[] = [];
  const seconds = new Set<number>();
  /** Three of one minute at most, which are all noted; no two in one second. */
  const secondOf = (ago: number): number => {
    let sec = Math.floor(clock.now() / 1_000) - 60 * ago;
    while ([...seconds].some((other) => Math.abs(other - sec) <= 30)) sec -= 1;
    seconds.add(sec);
    return sec;
  };
  const truth = ({ keys, sec, own }: Ordered): readonly [string, string] => {
    const before = [...clicks, ...own]
      .filter(
        (click) => click.sec <= sec && (own.includes(click) || click.keys.some((key) => keys.includes(key))),
      )
      .sort((a, b) => a.sec - b.sec);
    return [before[0]?.platform ?? 'direct', before.at(-1)?.platform ?? 'direct'];
  };
  const settled = (): void => {
    for (const order of orders) if (!order.isErased) order.credit = truth(order);
  };
  const people = ({ email, fbp }: { email?: string | undefined; fbp?: string | undefined }) => {
    const cookie = erasing ? undefined : fbp;
    return {
      keys: [
        ...(email === undefined ? [] : [`e/${email}`]),
        ...(cookie === undefined ? [] : [`f/${cookie}`]),
      ],
      data: (ids: object) => ({
        ...(email === undefined ? {} : { email: `${email}@example.com` }),
        browser_ids: {
          ...(cookie === undefined ? {} : { fbp: `fb.1.1795250000000.${cookie.charCodeAt(0)}` }),
          ...ids,
        },
      }),
    };
  };
  for (const [at, each] of steps.entries()) {
    clock.advance(1_000);
    switch (each.kind) {
      case 'click': {
        const { keys, data } = people(each.who);
        if (keys.some((key) => clicks.filter((click) => click.keys.includes(key)).length >= CLICKS_MAX - 1))
          break;
        const event_time = secondOf(each.agoMin);
        await send({ event_name: 'PageView', event_time, user_data: data({ [each.id]: `click-${at}` }) });
        clicks.push({ keys, sec: event_time, platform: PLATFORM_OF[each.id] });
        break;
      }
      case 'order': {
        const { keys, data } = people(each.who);
        const sec = secondOf(each.agoMin);
        const own = each.own === undefined ? [] : [{ keys, sec, platform: PLATFORM_OF[each.own] }];
        if (
          own.length > 0 &&
          keys.some((key) => clicks.filter((click) => click.keys.includes(key)).length >= CLICKS_MAX - 1)
        )
          break;
        const order: Ordered = {
          id: `o${at}`,
          keys,
          sec,
          own,
          currency: each.currency,
          left: each.minor,
          credit: ['', ''],
          isErased: false,
        };
        const value = each.minor / 10 ** currencyExponent(each.currency);
        const ids = each.own === undefined ? {} : { [each.own]: `click-${at}` };
        await send({
          event_name: 'Purchase',
          event_time: sec,
          order_id: order.id,
          value,
          currency: each.currency,
          user_data: data(ids),
        });
        order.credit = truth(order);
        orders.push(order);
        clicks.push(...own);
        break;
      }
      case 'refund': {
        const order = orders[each.of % Math.max(1, orders.length)];
        if (order === undefined) break;
        const value = each.minor / 10 ** currencyExponent(order.currency);
        await send({ event_name: 'Refund', order_id: order.id, value, currency: order.currency });
        order.left -= Math.min(each.minor, order.left);
        break;
      }
      case 'settle':
        await shop.recount(true);
        settled();
        break;
      case 'pass':
        await shop.pass(each.minutes);
        break;
      case 'erase': {
        if (!erasing) break;
        clock.advance(MINUTE_MS);
        await begin({ email: `${each.email}@example.com` });
        await finish();
        const key = `e/${each.email}`;
        for (const order of orders) if (order.keys.includes(key)) order.isErased = true;
        clicks = clicks.filter(({ keys }) => !keys.includes(key));
      }
    }
  }
  await shop.pass(150);
  if (byAudit) {
    await shop.reconcile();
    await shop.follow();
  }
  await shop.recount(true);
  settled();
  await shop.follow();
  const expected = (at: 0 | 1) => {
    const sums: Record<string, [number, number]> = {};
    for (const { credit, left } of orders) {
      const [count, minor] = sums[credit[at]] ?? [0, 0];
      sums[credit[at]] = [count + 1, minor + left];
    }
    return sums;
  };
  expect(shop.counted()).toEqual({ first_click: expected(0), last_click: expected(1) });
  for (const { id, credit } of orders) expect([id, await shop.order(id)]).toEqual([id, credit]);
  const again = await shop.recount(true);
  expect(again).toMatchObject({ drift: 0, credit: { differing: 0, settled: 0 } });
}
