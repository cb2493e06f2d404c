// The first events that a platform refuses for the version of its API: they wait, the pause says why, and the version before sends
// each of them once.
import { expect, it } from 'vitest';
import { platformBySlug } from '../../lib/events/platforms/registry.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { createMemoryPipeline } from '../support/memory-pipeline.ts';

const HOUR_MS = 3_600_000;

const CASES = [
  [
    'linkedin',
    '202607',
    'linkedin-version',
    (sent: string) => [200, { elements: JSON.parse(sent).elements.map(() => ({ status: 201 })) }] as const,
    [426, { status: 426, code: 'NONEXISTENT_VERSION', message: 'Requested version 20260701 is not active' }],
  ],
  [
    'klaviyo',
    '2026-04-15',
    'revision',
    () => [202, ''] as const,
    [410, { errors: [{ id: 'x', status: 410, code: 'gone', title: 'This revision is retired.' }] }],
  ],
] as const;

it.each(CASES)('of %s %s', async (slug, version, header, taken, refused) => {
  const platform = platformBySlug(slug) ?? expect.unreachable();
  const asked: (string | undefined)[] = [];
  const pipeline = createMemoryPipeline({
    platforms: [platform],
    credentials: { [slug]: samples[slug] },
    answer: async ({ url, headers, body: sent }) => {
      const token = JSON.stringify({ access_token: 'AQV-access-token-0123456789', expires_in: 86_400 });
      if (url.includes('/oauth/')) return { kind: 'response', status: 200, headers: {}, body: token };
      asked.push(headers[header]);
      const [status, body] = headers[header] === version ? refused : taken(String(sent));
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { kind: 'response', status, headers: {}, body: text };
    },
  });
  const stored = () => pipeline.connections.get(slug) ?? expect.unreachable();
  pipeline.connections.set(slug, { ...stored(), apiVersion: version });
  const event_time = Math.floor(pipeline.clock.now() / 1_000);
  for (const event_id of ['a', 'b'])
    await pipeline.accept({
      ...{ event_id, event_name: 'Lead', event_time, event_source_url: 'https://shop.example/' },
      user_data: { email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' },
    });
  await pipeline.drain();
  const states = () =>
    pipeline.events
      .rows()
      .map((row) => (row.state === 'normalized' ? row.deliveries[slug]?.state : row.state));
  const waits = states();
  expect(new Set(waits)).not.toContain('FAILED');
  expect(new Set(waits)).not.toContain('DELIVERED');
  expect(stored()).toMatchObject({
    ...{ status: 'paused', pausedReason: 'auth' },
    failedCall: { status: refused[0], code: `${slug}.no_such_version` },
  });
  expect(new Set(asked)).toEqual(new Set([version]));

  const { apiVersion: _, pausedReason: _r, pausedAtMs: _a, failedCall: _f, ...before } = stored();
  pipeline.connections.set(slug, { ...before, status: 'active' });
  for (let hour = 0; hour < 3; hour++) {
    pipeline.clock.advance(HOUR_MS);
    await pipeline.sweep();
    await pipeline.drain();
  }
  expect(states()).toEqual(['DELIVERED', 'DELIVERED']);
  expect(new Set(asked.slice(-1))).toEqual(new Set([platform.api.version]));
});
