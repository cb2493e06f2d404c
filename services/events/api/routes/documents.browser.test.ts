// Goal: the page works with nothing but its own origin. Method: a real browser on the real API, as a function URL.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFunctionUrlHandler } from '#lib/adapters/fastify/function-url.ts';
import { ROUTES } from '#lib/events/routes/every-route.ts';
import { type FunctionUrl, openFunctionUrl } from '#services/local/functions/function-url.ts';
import { openApi } from '#test/contract/api-host.ts';
import { documentedAnswers } from '#test/support/documented-answers.ts';
import { browserWanted, launchBrowser } from '#test/support/pixel/browser.ts';

let browser: Browser;
let endpoint: FunctionUrl;
beforeAll(async () => {
  if (!browserWanted) return;
  endpoint = await openFunctionUrl('api', 0, (problem, error) => {
    throw new Error(problem, { cause: error });
  });
  endpoint.serve(await createFunctionUrlHandler((await openApi()).app));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await endpoint?.close();
});

describe.runIf(browserWanted)('/docs', () => {
  it('shows every operation, asks its own origin only, and breaks no rule of its policy', async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${endpoint.url}/docs`);
    await page.waitForSelector('.opblock');
    expect(await page.locator('.opblock').count()).toBe(ROUTES.length);
    expect(complaints).toEqual([]);
    const outside = asked.filter((url) => !url.startsWith(endpoint.url) && !url.startsWith('data:'));
    expect(outside).toEqual([]);
    expect(asked.length).toBeGreaterThan(4);
  });

  it('is the document that callers get, with this origin as its server', async () => {
    const answer = await fetch(`${endpoint.url}/openapi.json`);
    const document = (await answer.json()) as { openapi: string; servers: unknown[] };
    expect([answer.status, document.openapi]).toEqual([200, '3.1.0']);
    expect(document.servers).toMatchObject([{ url: '/' }]);
  });

  it('sends its files small where that is taken, and as they are where it is not', async () => {
    for (const path of ['/docs/swagger-ui.js', '/docs/swagger-ui.css']) {
      const plain = await fetch(endpoint.url + path, { headers: { 'accept-encoding': 'identity' } });
      const small = await fetch(endpoint.url + path, { headers: { 'accept-encoding': 'gzip, br' } });
      expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
        null,
        'Accept-Encoding',
      ]);
      expect(small.headers.get('content-encoding')).toBe('gzip');
      const text = await plain.text();
      expect(await small.text()).toBe(text);
      expect(Number(small.headers.get('content-length'))).toBeLessThan(text.length / 2.5);
    }
  });

  it('answers as it documents', async () => {
    const check = documentedAnswers(ROUTES);
    for (const path of ['/docs', '/docs/swagger-ui.js', '/docs/swagger-ui.css', '/docs/start.js']) {
      const answer = await fetch(endpoint.url + path);
      const headers = Object.fromEntries(answer.headers);
      const found = check({ method: 'GET', path, status: answer.status, headers, text: await answer.text() });
      expect([answer.status, found]).toEqual([200, []]);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });
});
