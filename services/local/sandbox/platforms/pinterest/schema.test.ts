import { describe, expect, it } from 'vitest';
import type { OutgoingEvent } from '#lib/events/domain/privacy/outgoing-event.ts';
import pinterest from '#lib/events/platforms/pinterest/index.ts';
import { examples } from '#test/platforms/pinterest/examples.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { conversionEvents } from './schema.ts';

const credentials = pinterest.credentials.parse({
  ad_account_id: '549757463328',
  access_token: 'pina_sandbox_token',
});
const build = (event: OutgoingEvent) =>
  JSON.parse(pinterest.buildRequest([event], credentials, { test: false }).body).data[0];

describe('the API description', () => {
  const good = build(sampleEvent());
  const offencesOf = (body: unknown) =>
    conversionEvents.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];

  it('is kept by every request', () => {
    for (const { request } of examples) expect(offencesOf(request.body)).toEqual([]);
  });

  it.each<[object, string[]]>([
    [{ value: 5 }, ['data.0']],
    [{ event_time: '1795176000' }, ['data.0.event_time']],
    [{ event_time: 1.5 }, ['data.0.event_time']],
    [{ event_id: undefined }, ['data.0.event_id']],
    [{ opt_out: 'yes' }, ['data.0.opt_out']],
    [{ app_info: null }, ['data.0.app_info']],
    [{ user_data: 'x' }, ['data.0.user_data']],
    [{ user_data: { em: 'digest' } }, ['data.0.user_data.em']],
    [{ user_data: { ...good.user_data, future_key: 1 } }, []],
    [{ custom_data: { value: 59.98 } }, ['data.0.custom_data.value']],
    [{ custom_data: { note: 'x' } }, ['data.0.custom_data']],
    [{ custom_data: { contents: [] } }, []],
    [{ custom_data: { contents: [{ quantity: 0.5 }] } }, ['data.0.custom_data.contents.0.quantity']],
    [{ custom_data: { contents: [{ price: '1' }] } }, ['data.0.custom_data.contents.0']],
  ])('%j offends it at %j', (change, expected) => {
    expect(offencesOf({ data: [{ ...good, ...change }] })).toEqual(expected);
  });
});
