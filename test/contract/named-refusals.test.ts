// Promise: a refused request says at once all that is to be repaired: every value that is wrong.
import { describe, expect, it } from 'vitest';
import { MERCHANT, purchase, request, send, testIngestion } from '../support/ingestion.ts';
import { type ApiReply, openApi } from './api-host.ts';
import { errorOf, openHelpdesk } from './helpdesk-host.ts';

interface Coded {
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}
const detailsOf = (reply: Pick<ApiReply, 'body'>) => (reply.body as Coded).details;

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
