// Promise: who is refused learns at once what to ask for, or what to repair: the missing right or scope by its name, and every
// value of a request that is wrong.
import { describe, expect, it } from 'vitest';
import { formatApiKey } from '../../lib/core/tenancy/api-key.ts';
import { MERCHANT, purchase, request, send, testIngestion } from '../support/ingestion.ts';
import { type ApiReply, openApi } from './api-host.ts';
import { errorOf, openHelpdesk } from './helpdesk-host.ts';

interface Coded {
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}
const detailsOf = (reply: Pick<ApiReply, 'body'>) => (reply.body as Coded).details;

describe('403 names what is missing', () => {
  it('to a key its scope, to a member the right, and where no key may, that', async () => {
    const host = await openApi();
    const { key } = await host.keyFor(['events:read']);
    const refused = async (url: string, token: string, method = 'GET') => {
      const reply = await host.call(url, { method, token, ...(method === 'GET' ? {} : { body: {} }) });
      expect(reply.status).toBe(403);
      return detailsOf(reply);
    };
    const said = (message: string) => [{ path: 'authorization', message }];
    expect(await refused('/v1/rules', key)).toEqual(said('the API key lacks the scope admin'));
    expect(await refused('/v1/billing/usage', key)).toEqual(said('no API key may do this'));
    const right = said('the role lacks the right manage:events');
    expect(await refused('/v1/rules', host.session('viewer'), 'POST')).toEqual(right);
    const owner = said('the role lacks the right own:merchant');
    expect(await refused('/v1/billing/usage', host.session('admin'))).toEqual(owner);
  });

  it('to a person who is a member of no merchant, that', async () => {
    const host = await openApi();
    const reply = await host.call('/v1/events', { token: 'session-stranger' });
    const message = 'the person is a member of no merchant, or not of the one that Millrace-Merchant names';
    expect([reply.status, detailsOf(reply)]).toEqual([403, [{ path: 'authorization', message }]]);
  });

  it('to a server that may not send, the scope', async () => {
    const ingestion = testIngestion();
    const key = formatApiKey('evk_live', new Uint8Array(32).fill(8));
    ingestion.addKey(key, ['events:read']);
    const reply = await send(
      ingestion.app,
      request('/v1/events', purchase(), { authorization: `Bearer ${key}` }),
    );
    const message = 'the API key lacks the scope events:write';
    expect([reply.status, reply.json.details]).toEqual([403, [{ path: 'authorization', message }]]);
  });

  it('in the one sentence of the helpdesk', async () => {
    const desk = await openHelpdesk();
    const { key } = await desk.keyFor(['read:tickets']);
    const reply = await desk.call('/api/tickets', { method: 'POST', key, body: {} });
    expect([reply.status, errorOf(reply)]).toEqual([403, 'Missing required scope: write:tickets']);
  });
});

describe('400 names every mistake of a body', () => {
  it('of the API, each with its path', async () => {
    const host = await openApi();
    const body = { name: '', priority: 'high', action: { type: 'exclude' }, colour: 'red' };
    const reply = await host.call('/v1/rules', { method: 'POST', token: host.session(), body });
    expect(reply.status).toBe(400);
    expect(
      detailsOf(reply)
        ?.map(({ path }) => path)
        .sort(),
    ).toEqual(['colour', 'name', 'priority']);
  });

  it('of an event', async () => {
    const { app } = testIngestion();
    const wrong = purchase({ merchant_id: MERCHANT, event_name: '', event_time: 'today', value: -1 });
    const reply = await send(app, request('/v1/events', wrong));
    const paths = new Set((reply.json as Coded).details?.map(({ path }) => path));
    expect([reply.status, [...paths].sort()]).toEqual([400, ['event_name', 'event_time', 'value']]);
  });

  it('of the helpdesk, in one sentence', async () => {
    const desk = await openHelpdesk();
    const reply = await desk.ask('POST', '/api/tickets', {
      body: { customer_email: 'jane', priority: 'no' },
    });
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toBe(
      'customer_email: must be an e-mail address; subject: is required; body: is required; priority: must be one of low, normal, high, urgent',
    );
  });
});
