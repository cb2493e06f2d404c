// Which web pages may call which route, on both fronts.
import { beforeAll, describe, expect, it } from 'vitest';
import { parseOrigins } from '../../lib/core/tenancy/origins.ts';
import { BROWSER } from '../support/ingestion.ts';
import { PAGE } from './api-host.ts';
import { authorized, type Front, openFronts, type Sent } from './fronts.ts';

let fronts: readonly [Front, Front];
beforeAll(async () => {
  fronts = await openFronts();
});

describe('pages of other origins', () => {
  const preflight = (origin: string): Sent => ({
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

  it('may call the API where they are listed, and hear of themselves only', async () => {
    const api = fronts[1];
    const asked = await api.send(preflight(PAGE));
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
      'access-control-allow-headers': expect.stringContaining('authorization'),
      'x-request-id': 'from-lambda',
    });
    const bodies = [api.good(), '{'];
    for (const body of bodies) {
      const answer = await api.send({ headers: authorized(api, { origin: PAGE }), body });
      expect(answer.headers).toMatchObject({ vary: 'Origin', 'access-control-allow-origin': PAGE });
    }
    for (const refused of [{ path: '/v1/platforms' }, { method: 'PUT' }])
      expect(
        (await api.send({ ...refused, headers: { origin: PAGE } })).headers['access-control-allow-origin'],
      ).toBe(PAGE);
  });

  it.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'null',
    '*',
    '',
  ])('are not let in by the name %j', async (origin) => {
    const api = fronts[1];
    for (const sent of [preflight(origin), { headers: authorized(api, { origin }), body: '{}' }]) {
      const { headers } = await api.send(sent);
      expect(headers.vary).toBe('Origin');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('may call what needs no credential from anywhere, and nothing else of ingestion', async () => {
    const ingestion = fronts[0];
    const browser = await ingestion.send({ ...preflight('https://any.example'), path: '/v1/browser/events' });
    expect([browser.status, browser.headers['access-control-allow-origin']]).toEqual([204, '*']);
    const server = await ingestion.send(preflight(PAGE));
    expect([server.status, server.headers.allow]).toEqual([405, 'POST']);
    expect(server.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('are never sent credentials by the browser', async () => {
    for (const { send } of fronts)
      for (const path of ['/v1/browser/events', '/v1/pixel.js', '/v1/events', '/v1/platforms'])
        for (const method of ['OPTIONS', 'GET', 'POST']) {
          const { headers } = await send({
            method,
            path,
            headers: { origin: PAGE, 'user-agent': BROWSER },
          });
          expect(headers).not.toHaveProperty('access-control-allow-credentials');
        }
  });
});

it('are listed as origins, or refused with what is wrong', () => {
  expect(parseOrigins(' https://app.example, http://localhost:3000,')).toEqual([
    'https://app.example',
    'http://localhost:3000',
  ]);
  expect(parseOrigins('')).toEqual([]);
  for (const text of ['*', 'null', 'app.example', 'https://app.example/', 'https://*.example', 'file:///x'])
    expect(() => parseOrigins(text), text).toThrow('must be origins such as https://app.example');
});
