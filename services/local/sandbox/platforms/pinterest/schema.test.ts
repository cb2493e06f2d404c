import { describe, expect, it } from 'vitest';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import pinterest from '#lib/events/platforms/pinterest/index.ts';
import { examples } from '#test/platforms/pinterest/examples.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { DATA_ITEMS_MAX, schemaOffence } from './schema.ts';

const credentials = pinterest.credentials.parse({
  ad_account_id: '549757463328',
  access_token: 'pina_sandbox_token',
});
const build = (event: NormalizedEvent) =>
  JSON.parse(pinterest.buildRequest([event], credentials, { test: false }).body).data[0];

describe('the API description', () => {
  const good = build(sampleEvent());
  const offenceOf = (event: object) => schemaOffence({ data: [event] });

  it('is kept by every request', () => {
    for (const { request } of examples) expect(schemaOffence(request.body)).toBeNull();
    expect(offenceOf(good)).toBeNull();
  });

  it.each([
    [{ value: 5 }, 'body.data[0].value is not allowed'],
    [{ event_time: '1795176000' }, 'body.data[0].event_time is not of type integer'],
    [{ event_time: 1.5 }, 'body.data[0].event_time is not of type integer'],
    [{ opt_out: 'yes' }, 'body.data[0].opt_out is not of type flag'],
    [{ app_info: null }, 'body.data[0].app_info is not of type object'],
    [{ user_data: 'x' }, 'body.data[0].user_data is not an object'],
    [{ user_data: { em: 'digest' } }, 'body.data[0].user_data.em is not of type texts'],
    [{ user_data: { ...good.user_data, future_key: 1 } }, null],
    [{ custom_data: { value: 59.98 } }, 'body.data[0].custom_data.value is not of type text'],
    [{ custom_data: { note: 'x' } }, 'body.data[0].custom_data.note is not allowed'],
    [{ custom_data: { contents: [] } }, null],
    [
      { custom_data: { contents: [{ quantity: 0.5 }] } },
      'body.data[0].custom_data.contents[0].quantity is not of type integer',
    ],
    [
      { custom_data: { contents: [{ price: '1' }] } },
      'body.data[0].custom_data.contents[0].price is not allowed',
    ],
  ])('%j offends it thus: %s', (change, expected) => {
    expect(offenceOf({ ...good, ...change })).toBe(expected);
  });

  it('wants 1 to 1,000 complete events', () => {
    const { event_id: _id, ...incomplete } = good;
    expect(offenceOf(incomplete)).toBe('body.data[0].event_id is required');
    expect(schemaOffence({})).toBe('body.data is required');
    expect(schemaOffence({ data: [] })).toMatch(/something in it/);
    expect(schemaOffence({ data: Array.from({ length: DATA_ITEMS_MAX }, () => good) })).toBeNull();
    expect(schemaOffence({ data: Array.from({ length: DATA_ITEMS_MAX + 1 }, () => good) })).toMatch(
      /more than/,
    );
    expect(pinterest.limits.batchSizeMax).toBe(DATA_ITEMS_MAX);
  });
});
