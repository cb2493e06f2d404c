import { describe, expect, it } from 'vitest';
import platform from '#lib/events/platforms/postback/index.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { examples } from '#test/platforms/postback/examples.ts';
import { SAMPLE_TIME_SEC } from '#test/support/sample-event.ts';
import { sandbox } from './sandbox.ts';

const CONTEXT = { nowMs: SAMPLE_TIME_SEC * 1_000, check: () => 'ok' as const };
const cases = examples.map(({ title, events, credentials, context }) => ({
  title,
  events,
  credentials,
  context,
}));

/** Without the field, wherever the request has it. */
const without = (value: unknown, field: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => without(one, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (key === field ? [] : [[key, without(part, field)]])),
  );
};

describe('the stand-ins of the networks', () => {
  it.each(cases)('take what we send: $title', ({ events, credentials, context }) => {
    const request = asReceived(
      platform.buildRequest(events, platform.credentials.parse(credentials), context),
    );
    const { answer, events: seen } = sandbox.handle(request, CONTEXT);
    expect(seen).toMatchObject([{ accepted: true, test: context.test }]);
    expect(platform.readResponse({ kind: 'response', ...answer }, events)).toEqual([{ kind: 'delivered' }]);
  });

  it.each([
    ['taboola', 'click-id', 'retry'],
    ['taboola', 'name', 'retry'],
    ['outbrain', 'ob_click_id', 'retry'],
    ['awin', 'awc', 'permanent'],
    ['awin', 'commissionGroups', 'permanent'],
    ['impact', 'OrderId', 'permanent'],
    ['criteo', 'mapped_user_id', 'permanent'],
  ])('%s refuses a conversion without %s, which is then %s', (network, field, kind) => {
    const { events, credentials, context } =
      cases.find((one) => one.credentials.network === network) ?? cases[0] ?? never();
    const request = asReceived(
      platform.buildRequest(events, platform.credentials.parse(credentials), context),
    );
    const spoiled = {
      ...request,
      query: without(request.query, field) as Record<string, string>,
      body: request.body === '' ? '' : JSON.stringify(without(JSON.parse(request.body), field)),
    };
    const { answer, events: seen } = sandbox.handle(spoiled, CONTEXT);
    expect(seen).toMatchObject([{ accepted: false }]);
    expect(platform.readResponse({ kind: 'response', ...answer }, events)).toMatchObject([{ kind }]);
  });

  it('ask for the secret where they have one', () => {
    for (const { events, credentials, context } of cases.slice(0, 1)) {
      const request = asReceived(
        platform.buildRequest(events, platform.credentials.parse(credentials), context),
      );
      const { answer } = sandbox.handle(request, { ...CONTEXT, check: () => 'wrong_secret' as const });
      expect(platform.readResponse({ kind: 'response', ...answer }, events)).toMatchObject([
        { kind: 'auth' },
      ]);
    }
  });
});

const never = (): never => {
  throw new Error('no such example');
};
