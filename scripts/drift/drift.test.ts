// Goal: what a newer description changes is said by platform, and what concerns our requests is kept apart from the rest; a vendor that
// cannot be reached, or that describes itself otherwise, is said and is no failure. Earlier tables are facts of real descriptions.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { pinnedOf } from '../check-platforms.ts';
import { reportOf } from '../drift.ts';
import { changesBetween, type Field, type Fields, TABLE, unlike } from './description.ts';
import { INTERFACES } from './interfaces.ts';
import { sentBy } from './sent.ts';
import { pinnedTable } from './tables.ts';
import { VENDORS } from './vendors.ts';

const TODAY = '2026-11-27';
const sentOf = async (name: string) => {
  const one = INTERFACES.find((other) => other.name === name);
  if (one === undefined) throw new Error(`no ${name}`);
  return await sentBy(one);
};
const earlier = async (slug: string) =>
  TABLE.parse(
    JSON.parse(await readFile(new URL(`earlier/${slug.replaceAll('_', '-')}.json`, import.meta.url), 'utf8')),
  );

describe('from an earlier description to the pinned one', () => {
  const CHANGED: readonly (readonly [string, number, readonly string[]])[] = [
    [
      'google_ads',
      54,
      [
        'destinations.operatingAccount.accountType is required now',
        'events.eventSource takes MESSAGE as well',
      ],
    ],
    ['meta', 4, ['data.referrer_url is new (any)']],
    ['snapchat', 15, ['data.is_test is gone', 'data.user_data.external_id is new (String)']],
  ];
  it.each(CHANGED)('%s changed in %i ways', async (slug, count, some) => {
    const sent = await sentOf(slug);
    const [before, after] = [(await earlier(slug)).fields, pinnedTable(slug).fields];
    const changes = changesBetween(before, after, sent);
    expect(changes).toHaveLength(count);
    expect(changes.map(({ path, text }) => `${path} ${text}`)).toEqual(expect.arrayContaining([...some]));
    // What is made of the newer one has nothing to fear of it.
    expect(changes.filter(({ concernsUs }) => concernsUs)).toEqual([]);
    expect(changesBetween(after, after, sent)).toEqual([]);
  });

  it('going back, what we send and it had not known is what concerns us', async () => {
    const sent = await sentOf('snapchat');
    const back = changesBetween(pinnedTable('snapchat').fields, (await earlier('snapchat')).fields, sent);
    expect(back.filter(({ concernsUs }) => concernsUs).map(({ path }) => path)).toEqual([
      'data.user_data.external_id',
    ]);
  });
});

describe('a change', () => {
  const sent = new Map([
    ['a', new Set<string>()],
    ['a.b', new Set(['x'])],
  ]);
  const change = (was: Field | undefined, is: Field | undefined, path = 'a.b') => {
    const at = (field: Field | undefined): Fields => ({
      a: { type: 'object' },
      ...(field ? { [path]: field } : {}),
    });
    return changesBetween(at(was), at(is), sent).map(
      ({ text, concernsUs }) => `${text}${concernsUs ? ' !' : ''}`,
    );
  };
  const text = { type: 'string' };
  it.each<readonly [string, Field | undefined, Field | undefined, string, readonly string[]]>([
    ['gone', text, undefined, 'a.b', ['is gone !']],
    ['gone, and never sent', text, undefined, 'a.c', ['is gone']],
    ['new', undefined, text, 'a.c', ['is new (string)']],
    ['new, required, not sent', undefined, { ...text, required: true }, 'a.c', ['is new and required !']],
    ['required, and sent', text, { ...text, required: true }, 'a.b', ['is required now']],
    ['required, not sent', text, { ...text, required: true }, 'a.c', ['is required now !']],
    ['required in what is not sent', text, { ...text, required: true }, 'z.c', ['is required now']],
    ['required no more', { ...text, required: true }, text, 'a.b', ['is required no more']],
    ['another type', text, { type: 'integer' }, 'a.b', ['was string and is integer !']],
    ['deprecated', text, { ...text, deprecated: true }, 'a.b', ['is deprecated now !']],
    [
      'a value less',
      { ...text, values: ['x', 'y'] },
      { ...text, values: ['x'] },
      'a.b',
      ['does not take y any more !'],
    ],
    ['a value more', { ...text, values: ['x'] }, { ...text, values: ['x', 'y'] }, 'a.b', ['takes y as well']],
    ['values at all', text, { ...text, values: ['y'] }, 'a.b', ['takes only y now !']],
    ['a lower limit', { ...text, max: 9 }, { ...text, max: 5 }, 'a.b', ['is limited to 5, before to 9 !']],
    ['a higher limit', { ...text, max: 5 }, { ...text, max: 9 }, 'a.b', ['is limited to 9, before to 5']],
    ['nothing', { ...text, max: 5 }, { ...text, max: 5 }, 'a.b', []],
  ])('is said: %s', (_what, was, is, path, said) => expect(change(was, is, path)).toEqual(said));

  it('of all that is in a message is one', () => {
    const parts = { a: text, 'a.b': text, 'a.b.c': { ...text, required: true as const } };
    expect(changesBetween({}, parts, sent).map(({ path }) => path)).toEqual(['a']);
    expect(changesBetween(parts, {}, sent).map(({ path }) => path)).toEqual(['a']);
  });
});

it('what we send and a description does not know, requires or allow is found', () => {
  const sent = new Map([
    ['a', new Set<string>()],
    ['a.b', new Set(['x', 'y'])],
    ['a.free', new Set<string>()],
    ['a.free.k', new Set(['1'])],
    ['a.new', new Set(['1'])],
  ]);
  const fields: Fields = {
    a: { type: 'object' },
    'a.b': { type: 'string', values: ['x'] },
    'a.free': { type: 'object' },
    'a.must': { type: 'string', required: true },
    'z.must': { type: 'string', required: true },
  };
  expect(unlike(sent, fields)).toEqual([
    'a.new is sent, and it does not know it',
    'a.must is required, and never sent',
    'a.b is sent as y, which it does not list',
  ]);
});

/** What we send and a vendor's SDK does not know, not held against its documents; another difference is to be looked into. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  meta: ['data.app_data.vendor_id', 'test_event_code'],
  snapchat: ['data.app_data.advertiser_tracking_enabled', 'data.user_data.db', 'data.user_data.madid'],
};
it.each(Object.keys(VENDORS))('our requests are what the description of %s says', async (slug) => {
  const sent = await sentOf(slug);
  const expected = (KNOWN[slug] ?? []).map((path) => `${path} is sent, and it does not know it`);
  expect(unlike(sent, pinnedTable(slug).fields)).toEqual(expected);
  expect(sent.size).toBeGreaterThan(15);
});

describe('the report', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drift-test-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const described = async (schema: unknown): Promise<string> => {
    const content = { 'application/json': { schema } };
    const paths = { '/ad_accounts/{ad_account_id}/events': { post: { requestBody: { content } } } };
    await writeFile(join(folder, 'openapi.json'), JSON.stringify({ info: { version: '9.9.9' }, paths }));
    return folder;
  };

  it('says what another description has, and marks what concerns us', async () => {
    const item = { type: 'object', required: ['event_time'], properties: { event_time: { type: 'string' } } };
    const source = await described({ type: 'object', properties: { data: { type: 'array', items: item } } });
    const lines = await reportOf('pinterest', source, TODAY);
    expect(lines[0]).toBe('9.9.9 compared with 5.23.0 of 2025-12-11 (! concerns what we send):');
    expect(lines).toContain('  ! data.user_data is gone');
    expect(lines).toContain('  ! data.event_time was integer and is string');
    expect(lines).toContain('    data.app_info is gone');
  });

  it.each([
    ['a folder that is not there', 'pinterest', '/nowhere/at/all', 'could not look'],
    ['a host that does not answer', 'pinterest', 'http://127.0.0.1:1/', 'was not reached'],
    ['a package that is none', 'meta', 'npm:./nowhere-at-all', 'could not look'],
  ])('says so of %s', async (_what, slug, source, said) => {
    expect((await reportOf(slug, source, TODAY)).at(-1)).toContain(said);
  });

  it('does not read what is made otherwise as if all were gone', async () => {
    await writeFile(join(folder, 'openapi.json'), '<html>sign in</html>');
    const [line, ...more] = await reportOf('pinterest', folder, TODAY);
    expect([line, more]).toEqual([
      expect.stringContaining('is not made as it was in 5.23.0 of 2025-12-11'),
      [],
    ]);
  });

  it('names versions that end, and where people must read', async () => {
    expect(await reportOf('meta', '/nowhere', TODAY)).toContain(
      'version v25.0 ends on 2027-02-23, in 88 days',
    );
    expect((await reportOf('tiktok', undefined, TODAY)).join()).toContain(
      'no description that machines read',
    );
    await expect(reportOf('nobody', undefined, TODAY)).rejects.toThrow('is no platform');
    await expect(reportOf('__proto__', undefined, TODAY)).rejects.toThrow('is no platform');
  });
});

it('each platform says what it is pinned to, and each interface of one that has two', () => {
  const pins = INTERFACES.map(pinnedOf);
  for (const { slug, api } of PLATFORMS)
    expect(pins).toContainEqual(expect.stringContaining(`${slug}: ${api.version}`));
  expect(pins).toEqual(
    expect.arrayContaining([
      'meta: v26.0, also v27.0, v25.0 until 2027-02-23; description 26.0.0 of 2026-08-05',
      'ga4_data_manager: v1; description f8291d2 of 2026-08-22',
    ]),
  );
});
