// Preview and test of every platform of the registry in the embedded host: what was shown is what arrived, a test is counted
// by nobody, and the example of the README works as it is printed.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../lib/client/client.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { BROWSER_IDS, PERSON } from '../../services/events/api/events/sample-person.ts';
import { curlFolder } from '../support/curl.ts';
import { useHost } from './hosts.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const SLUGS = PLATFORMS.map(({ slug }) => slug);
const { folder, session, errors } = useHost();
let client: Client;

beforeAll(() => {
  const { ingestion_url, api_url, session_jwt, api_key } = session();
  const urls = { ingestionUrl: ingestion_url, apiUrl: api_url };
  // The key ingests, the session administers.
  const { postEvents } = createClient({ ...urls, token: () => api_key });
  client = { ...createClient({ ...urls, token: () => session_jwt }), postEvents };
});

const event = (id: string) => ({
  event_id: id,
  event_name: 'Purchase',
  event_time: Math.floor(Date.now() / 1_000) - 5,
  event_source_url: 'https://shop.example/thanks',
  value: 59.98,
  currency: 'USD',
  order_id: id,
  items: [{ id: 'SKU-1', quantity: 2, price: 29.99 }],
  user_data: { ...PERSON, browser_ids: BROWSER_IDS },
});

interface Arrival {
  readonly payload: unknown;
  readonly test: boolean;
}
async function arrivals(slug: string, id: string): Promise<readonly Arrival[]> {
  const answer = await fetch(`${session().sandbox_url}/received?platform=${slug}`);
  const { events } = (await answer.json()) as { events: readonly Arrival[] };
  return events.filter(({ payload }) => JSON.stringify(payload).includes(id));
}

/** True when `part` stands somewhere in `whole`. */
function holds(whole: unknown, part: unknown): boolean {
  if (isDeepStrictEqual(whole, part)) return true;
  return (
    typeof whole === 'object' && whole !== null && Object.values(whole).some((inner) => holds(inner, part))
  );
}

/** Before an event is accepted nothing says when it will be. */
const untimed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (name, inner) => (name === 'received_at' ? undefined : inner)));

describe('a preview', () => {
  it('shows what each platform then receives, before and after the event is stored', async () => {
    const sent = event('preview-order-1');
    const shown = await Promise.all(
      SLUGS.map((platform) => client.previewPlatform({ body: { platform, event: sent } })),
    );
    await client.postEvents({ body: sent });
    await expect
      .poll(
        async () => Promise.all(SLUGS.map(async (slug) => (await arrivals(slug, sent.event_id)).length)),
        {},
      )
      .toEqual(SLUGS.map(() => 1));
    for (const [index, slug] of SLUGS.entries()) {
      const [arrival] = await arrivals(slug, sent.event_id);
      const { body } = shown[index] ?? {};
      expect(body).toMatchObject({
        platform: slug,
        credentials: 'connection',
        verdict: 'pending',
        errors: [],
      });
      expect(holds(untimed(body?.request?.body_json), untimed(arrival?.payload)), slug).toBe(true);
      const stored = await client.previewPlatform({ body: { platform: slug, event_id: sent.event_id } });
      expect(['pending', 'delivered']).toContain(stored.body.verdict);
      const kept = !stored.body.warnings.some(({ code }) => code === 'plain_values_gone');
      if (kept) expect(holds(stored.body.request?.body_json, arrival?.payload), slug).toBe(true);
    }
    expect(errors).toEqual([]);
  });

  it('of the README works as printed', async () => {
    const stdout = await runFrom(readme, 'See what would be sent');
    const body = JSON.parse(stdout) as Awaited<ReturnType<Client['previewPlatform']>>['body'];
    expect(body).toMatchObject({ success: true, platform: 'meta', credentials: 'given', errors: [] });
    expect(stdout).not.toContain('EAAyourToken');
    expect(body.warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'phone_without_country_code', field: 'user_data.phone' }),
        expect.objectContaining({ code: 'recommended_field_missing' }),
      ]),
    );
  });
});

it('the example of the API in the README works as printed', async () => {
  const [overview, replay] = (await runFrom(readme, 'Use the API')).split(/(?<=\})(?=\{)/);
  expect(JSON.parse(overview ?? '')).toMatchObject({ range: '24h', events: expect.any(Number) });
  expect(JSON.parse(replay ?? '')).toMatchObject({ success: true });
});

describe('a test', () => {
  it('of each seeded connection is taken and counted by nobody, or refused for want of a test mode', async () => {
    const { body } = await client.listPlatforms();
    expect(body.platforms.map(({ platform }) => platform).sort()).toEqual([...SLUGS].sort());
    let taken = 0;
    for (const { id, platform } of body.platforms) {
      const result = await client.testPlatform({ params: { id } }).catch((error: unknown) => error);
      if (result instanceof Error) {
        expect(result, platform).toMatchObject({ status: 409, code: 'test_mode_unavailable' });
        continue;
      }
      const { body: tested } = result as Awaited<ReturnType<Client['testPlatform']>>;
      expect(tested, platform).toMatchObject({
        ok: true,
        stage: 'event',
        outcomes: [{ outcome: 'delivered' }],
      });
      const arrived = await arrivals(platform, 'MILLRACE-TEST');
      expect(
        arrived.map(({ test }) => test),
        platform,
      ).toEqual([true]);
      taken++;
    }
    expect(taken).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });
});

/** What the commands under a heading print, run against this host. */
async function runFrom(text: string, heading: string): Promise<string> {
  const section = new RegExp(`## ${heading}\\n[\\s\\S]*?\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? '';
  const script = section.replaceAll('http://127.0.0.1:4101', session().api_url);
  expect(script).toContain(`${session().api_url}/v1/`);
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${curlFolder(folder)}:${process.env.PATH}` },
  });
  return stdout;
}
