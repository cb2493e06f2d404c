import { beforeEach, describe, expect, it } from 'vitest';
import { dayOf } from '#lib/core/work/utc-day.ts';
import { RULE_LIMITS } from '#lib/events/domain/rules/rule.ts';
import { explainEvent } from '#lib/events/routes/events.ts';
import { createRule, listRules, previewRule, updateRule } from '#lib/events/routes/rules.ts';
import { type ApiHost, bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';
import { acceptedRow, connectionOf, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { sampleRule } from '#test/support/sample-rule.ts';

let host: ApiHost;
let token = '';
beforeEach(async () => {
  host = await openApi();
  token = host.session('admin');
});

const EXCLUDE = { name: 'No tests', action: { type: 'exclude' } };
const call = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  host.call(`/v1/rules${path}`, { method, token, headers, ...(body === undefined ? {} : { body }) });
const create = async (body: unknown = EXCLUDE) => bodyOf(createRule, await call('POST', '', body)).rule;
const list = async () => bodyOf(listRules, await call('GET', ''));
const put = (rules: readonly unknown[]) => host.config.changeRules(MINE, () => ({ rules, answer: null }));

describe('making, changing and deleting', () => {
  it('answers with the whole rule and its version, and lists it', async () => {
    const reply = await call('POST', '', EXCLUDE);
    expect([reply.status, reply.headers.etag]).toEqual([201, '"1"']);
    const { rule } = bodyOf(createRule, reply);
    const at = new Date(NOW).toISOString();
    expect(rule).toEqual({
      id: expect.stringMatching(/^rul_/),
      version: 1,
      ...EXCLUDE,
      enabled: true,
      priority: 100,
      match: {},
      platforms: [],
      created_at: at,
      updated_at: at,
    });
    const limits = { rules: RULE_LIMITS.rulesMax, transforms: RULE_LIMITS.transformsMax };
    expect(await list()).toEqual({ success: true, rules: [rule], broken: [], limits });
  });

  it('changes what is named and nothing else', async () => {
    const made = await create({ ...EXCLUDE, match: { source: ['pos'] }, platforms: ['meta'] });
    host.clock.advance(1_000);
    const off = await call('PATCH', `/${made.id}`, { enabled: false });
    expect([off.status, off.headers.etag]).toEqual([200, '"2"']);
    const swapped = bodyOf(updateRule, await call('PATCH', `/${made.id}`, { platforms: ['tiktok'] })).rule;
    const changed = { enabled: false, platforms: ['tiktok'], version: 3 };
    expect(swapped).toEqual({ ...made, ...changed, updated_at: new Date(NOW + 1_000).toISOString() });
  });

  it('runs in the order of priority, then of age', async () => {
    const [a, b, c] = [await create(), await create(), await create({ ...EXCLUDE, priority: 5 })];
    expect((await list()).rules.map(({ id }) => id)).toEqual([c.id, a.id, b.id]);
    await call('PATCH', `/${b.id}`, { priority: 1 });
    expect((await list()).rules.map(({ id }) => id)).toEqual([b.id, c.id, a.id]);
  });

  it('refuses a change of another version than the caller saw', async () => {
    const { id } = await create();
    await call('PATCH', `/${id}`, { enabled: false });
    const stale = { 'if-match': '"1"' };
    expect((await call('PATCH', `/${id}`, { name: 'x' }, stale)).status).toBe(412);
    expect((await call('DELETE', `/${id}`, undefined, stale)).status).toBe(412);
    expect((await list()).rules[0]).toMatchObject({ version: 2, name: 'No tests' });
    expect((await call('PATCH', `/${id}`, { name: 'x' }, { 'if-match': '"2"' })).status).toBe(200);
    expect((await call('DELETE', `/${id}`, undefined, { 'if-match': '"3"' })).status).toBe(200);
    expect((await list()).rules).toEqual([]);
    expect((await call('PATCH', `/${id}`, { name: 'y' })).status).toBe(404);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
  });

  it('lets one of two win that saw the same version, and loses no field of those that named none', async () => {
    const { id } = await create();
    const seen = { 'if-match': '"1"' };
    const race = await Promise.all(
      Array.from({ length: 10 }, (_, i) => call('PATCH', `/${id}`, { priority: i }, seen)),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
    const changes = [{ name: 'Mine' }, { enabled: false }, { platforms: ['ga4'] }];
    await Promise.all(changes.map((change) => call('PATCH', `/${id}`, change)));
    expect((await list()).rules[0]).toMatchObject({ ...Object.assign({}, ...changes), version: 5 });
  });

  it('leaves an entry for every change in the audit trail, and none for what was refused', async () => {
    const { id } = await create();
    await call('PATCH', `/${id}`, { enabled: false });
    await call('PATCH', `/${id}`, { enabled: true }, { 'if-match': '"9"' });
    await call('DELETE', `/${id}`);
    const entries = await host.config.listAudit(MINE, 10);
    expect(entries.map(({ action }) => action).sort()).toEqual(['rule.create', 'rule.delete', 'rule.update']);
    for (const { subject } of entries) expect(subject).toBe(id);
  });

  it('makes one rule of a request that is repeated with its key', async () => {
    const keyed = { 'idempotency-key': 'once' };
    const [first, second] = [await call('POST', '', EXCLUDE, keyed), await call('POST', '', EXCLUDE, keyed)];
    expect(second.text).toBe(first.text);
    expect((await list()).rules).toHaveLength(1);
  });
});

describe('what is refused', () => {
  const change = (one: unknown) => ({ ...EXCLUDE, action: { type: 'transform', changes: [one] } });
  const set = (field: string, value: unknown) => change({ op: 'set_field', field, value });
  const custom = (condition: object) => ({ ...EXCLUDE, match: { custom_data: [condition] } });
  const deep = Array.from({ length: 6 }, () => 'a').join('.');
  const source = Array.from({ length: 50 }, () => 'a'.repeat(40));
  const REFUSED: readonly [string, unknown, string][] = [
    ['no action', { name: 'x' }, 'action'],
    ['an unknown action', { ...EXCLUDE, action: { type: 'explode' } }, 'action.type'],
    ['a rate above 1', { ...EXCLUDE, action: { type: 'sample', rate: 1.5 } }, 'action.rate'],
    ['a blank name', { ...EXCLUDE, name: '  ' }, 'name'],
    ['a platform that is none', { ...EXCLUDE, platforms: ['myspace'] }, 'platforms.0'],
    ['a platform named twice', { ...EXCLUDE, platforms: ['meta', 'meta'] }, 'platforms'],
    ['a priority that is no whole number', { ...EXCLUDE, priority: 1.5 }, 'priority'],
    ['a value without its currency', { ...EXCLUDE, match: { value_min: 1 } }, 'match.currency'],
    ['no range', { ...EXCLUDE, match: { value_min: 2, value_max: 1, currency: 'EUR' } }, 'match.value_max'],
    ['a country that is no code', { ...EXCLUDE, match: { country: ['Germany'] } }, 'match.country.0'],
    ['an empty list', { ...EXCLUDE, match: { source: [] } }, 'match.source'],
    ['an unknown condition', { ...EXCLUDE, match: { regex: '(a+)+$' } }, 'match'],
    ['no operator', custom({ path: 'a' }), 'match.custom_data.0'],
    ['two operators', custom({ path: 'a', equals: 1, exists: true }), 'match.custom_data.0'],
    ['a path too deep', custom({ path: deep, exists: true }), 'match.custom_data.0.path'],
    ['a path to a prototype', set('custom_data.__proto__.x', 1), 'action.changes.0.field'],
    ['identity that is set', set('user_data.email', 'a@b.example'), 'action.changes.0.field'],
    ['an internal field', set('dedup_id', 'x'), 'action.changes.0.field'],
    ['an action source that is none', set('action_source', 'moon'), 'action.changes.0.value'],
    ['a URL that is none', set('event_source_url', 'shop'), 'action.changes.0.value'],
    ['a value that is an object', set('custom_data.a', { b: 1 }), 'action.changes.0.value'],
    ['a drop of consent', change({ op: 'drop_field', field: 'consent' }), 'action.changes.0.field'],
    ['a factor of nothing', change({ op: 'scale_value', factor: 0 }), 'action.changes.0.factor'],
    ['a factor beyond reason', change({ op: 'scale_value', factor: 1_001 }), 'action.changes.0.factor'],
    ['a value without currency', change({ op: 'override_value', value: 1 }), 'action.changes.0.currency'],
    [
      'control characters in a name',
      change({ op: 'rename_event', name: 'a\u0007' }),
      'action.changes.0.name',
    ],
    ['no changes', { ...EXCLUDE, action: { type: 'transform', changes: [] } }, 'action.changes'],
    ['a rule that is too long', { ...EXCLUDE, match: { source } }, 'match'],
  ];

  it.each(REFUSED)('%s', async (_what, body, path) => {
    const reply = await call('POST', '', body);
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    const { details = [] } = reply.body as { details?: { path: string }[] };
    expect(details.map((one) => one.path).join(' ')).toContain(path);
    expect((await list()).rules).toEqual([]);
  });

  it('a change of nothing, or to what would be too long', async () => {
    const { id } = await create();
    expect((await call('PATCH', `/${id}`, {})).status).toBe(400);
    expect((await call('PATCH', `/${id}`, { match: { source } })).status).toBe(400);
    expect((await list()).rules[0]).toMatchObject({ version: 1, match: {} });
  });

  it('more rules than there may be, also when many are made at a time', async () => {
    const { rulesMax, transformsMax } = RULE_LIMITS;
    await put(Array.from({ length: rulesMax - 2 }, (_, i) => sampleRule({ id: `rul_${i}` })));
    const race = await Promise.all(Array.from({ length: 6 }, () => call('POST', '', EXCLUDE)));
    expect(race.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    const action = { type: 'transform' as const, changes: [{ op: 'rename_event' as const, name: 'Lead' }] };
    await put(Array.from({ length: transformsMax }, (_, i) => sampleRule({ id: `rul_${i}`, action })));
    const refused = await call('POST', '', { ...EXCLUDE, action });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'too_many_rules']);
    const { id } = await create();
    expect((await call('PATCH', `/${id}`, { action })).status).toBe(409);
    expect((await call('PATCH', '/rul_0', { action, name: 'Still one' })).status).toBe(200);
  });
});

describe('a stored rule that cannot be read', () => {
  it('is listed as broken, can be deleted, and is repaired by what was wrong with it', async () => {
    const bad = { ...sampleRule({ id: 'rul_bad' }), action: { type: 'explode' } };
    await put([null, bad, sampleRule({ id: 'rul_good' })]);
    const { rules, broken } = await list();
    expect(rules.map(({ id }) => id)).toEqual(['rul_good']);
    expect(broken.map(({ id }) => id)).toEqual([expect.stringMatching(/^broken_/), 'rul_bad']);
    expect((await call('PATCH', '/rul_bad', { enabled: false })).status).toBe(400);
    expect((await call('PATCH', '/rul_bad', { action: { type: 'exclude' } })).status).toBe(200);
    expect((await call('DELETE', `/${broken[0]?.id}`)).status).toBe(200);
    expect((await list()).broken).toEqual([]);
  });
});

describe('a dry run', () => {
  const dryRun = async (body: unknown) => bodyOf(previewRule, await call('POST', '/preview', body));
  beforeEach(async () => {
    for (const platform of ['meta', 'tiktok']) await connectionOf(host, platform);
    for (const [i, value] of ['10', '20', '30'].entries())
      await store(
        host.events,
        normalizedRow({ eventId: `e${i}`, receivedAtMs: NOW - 1_000 * (i + 1), event: { value } }),
      );
  });
  const big = { ...EXCLUDE, match: { currency: 'EUR', value_min: 20 }, platforms: ['meta'] };

  it('says which of the last events would change, and how', async () => {
    expect(await dryRun({ rule: big })).toEqual({
      success: true,
      examined: 3,
      changed: 2,
      skipped: 0,
      events: ['e1', 'e2'].map((event_id, i) => ({
        event_id,
        trust: 'server',
        event_name: 'Purchase',
        received_at: new Date(NOW - 1_000 * (i + 2)).toISOString(),
        platforms: [
          {
            platform: 'meta',
            before: { verdict: 'pending', changed_by: [] },
            after: { verdict: 'rule_excluded', subject: 'new', changed_by: [] },
          },
        ],
      })),
    });
    expect(await dryRun({ rule: big, last: 2 })).toMatchObject({ examined: 2, changed: 1 });
  });

  it('writes nothing', async () => {
    const before = JSON.stringify([host.events.rows(), await host.config.currentRouting(MINE)]);
    await dryRun({ rule: big });
    expect(JSON.stringify([host.events.rows(), await host.config.currentRouting(MINE)])).toBe(before);
    expect(await host.config.listAudit(MINE, 10)).toEqual([]);
  });

  it('shows a stored rule on against off, and an edit against what there is', async () => {
    const { id } = await create({ ...big, enabled: false });
    expect(await dryRun({ rule_id: id })).toMatchObject({ changed: 2 });
    expect(await dryRun({ rule_id: id, rule: big })).toMatchObject({ changed: 2 });
    await call('PATCH', `/${id}`, { enabled: true });
    expect(await dryRun({ rule_id: id })).toMatchObject({ changed: 2 });
    expect(await dryRun({ rule_id: id, rule: big })).toMatchObject({ changed: 0 });
    expect((await call('POST', '/preview', { rule_id: 'rul_none' })).status).toBe(404);
  });

  it('tells transforms that make a difference from those that make none', async () => {
    const changes = [{ op: 'override_value', value: 20, currency: 'EUR' }];
    const { changed, events } = await dryRun({
      rule: { ...EXCLUDE, action: { type: 'transform', changes } },
    });
    expect([changed, events.map(({ event_id }) => event_id)]).toEqual([2, ['e0', 'e2']]);
    const platforms = events[0]?.platforms ?? [];
    expect(platforms.map(({ platform }) => platform)).toEqual(['meta', 'tiktok']);
    for (const { after } of platforms) expect(after.changed_by).toEqual(['new']);
  });

  it('includes events that are not normalized yet, and says of how many it cannot tell', async () => {
    const body = { value: 50, currency: 'EUR' };
    await store(host.events, acceptedRow({ eventId: 'fresh', receivedAtMs: NOW, body }));
    expect(await dryRun({ rule: big })).toMatchObject({ examined: 4, changed: 3, skipped: 0 });
    host.eventVault.eraseDay(MINE, dayOf(NOW));
    expect(await dryRun({ rule: big })).toMatchObject({ examined: 4, changed: 1, skipped: 3 });
  });

  it('is nothing for a merchant without events, and takes no more than 500', async () => {
    const asked = { method: 'POST', token: host.session('owner', 'theirs'), body: { rule: big } };
    const reply = await host.call('/v1/rules/preview', asked);
    expect(bodyOf(previewRule, reply)).toMatchObject({ examined: 0, changed: 0, events: [] });
    expect((await call('POST', '/preview', { rule: big, last: 501 })).status).toBe(400);
    expect((await call('POST', '/preview', {})).status).toBe(400);
  });
});

it('explains which rules changed an event, also where that keeps it from a platform', async () => {
  const changes = [{ op: 'drop_field', field: 'value' } as const];
  const event = { rewrites: [{ rule: 'rul_v', changes, platforms: ['meta'] }] };
  const verdicts = { meta: 'invalid:value', tiktok: 'pending' };
  await store(host.events, normalizedRow({ eventId: 'e', event, verdicts }));
  const explained = bodyOf(explainEvent, await host.call('/v1/events/e/explain', { token }));
  const said = (slug: string) => explained.verdicts.find(({ platform }) => platform === slug);
  expect(said('meta')).toMatchObject({ verdict: 'invalid', changed_by: ['rul_v'] });
  expect(said('meta')?.explanation).toContain('The rule rul_v changed the event');
  expect(said('tiktok')).not.toHaveProperty('changed_by');
});
