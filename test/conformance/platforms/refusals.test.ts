// Each sandbox refuses what its vendor refuses, shown by spoiling a good request in one place. What is particular to one
// vendor is tested in its folder; batch limits are in request.test.ts, age and deduplication over HTTP in sandbox.test.ts.
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import type { SandboxReply, SandboxRequest } from '#services/local/sandbox/platforms/platform-sandbox.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { CALLER, loadPlatformModules, NOW_MS, type PlatformModule } from './platform-modules.ts';

const modules = await loadPlatformModules();

type Path = readonly string[];
type Json = Readonly<Record<string, unknown>>;

function goodRequest({ platform, examples }: PlatformModule): SandboxRequest {
  const credentials = platform.credentials.parse(examples[0].credentials);
  return asReceived(platform.buildRequest([sampleEvent()], credentials, CALLER));
}

function send({ sandbox }: PlatformModule, request: SandboxRequest, known = true): SandboxReply {
  return sandbox.handle(request, { nowMs: NOW_MS, check: () => (known ? 'ok' : 'wrong_secret') });
}

const outcomeOf = ({ platform }: PlatformModule, { answer }: SandboxReply): string | undefined =>
  platform.readResponse({ kind: 'response', ...answer }, [sampleEvent()])[0]?.kind;

const nothingTaken = ({ events }: SandboxReply): boolean => events.every(({ accepted }) => !accepted);

function leaves(value: unknown, path: Path = []): readonly { readonly path: Path; readonly leaf: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, leaf: value }];
  return Object.entries(value).flatMap(([key, part]) => leaves(part, [...path, key]));
}

/** Every object in it, the whole included. */
function objects(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, part]) => objects(part, [...path, key]));
  return Array.isArray(value) ? inside : [path, ...inside];
}

/** Without the headers and parameters that carry a secret; a secret in the body is emptied. */
function withoutSecrets({ platform, examples }: PlatformModule, request: SandboxRequest): SandboxRequest {
  const credentials = platform.credentials.parse(examples[0].credentials);
  const { secrets } = platform.buildRequest([sampleEvent()], credentials, CALLER);
  const harmless = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(fields).filter(([, text]) => !secrets.some((secret) => text.includes(secret))),
    );
  const body = secrets.reduce((text, secret) => text.replaceAll(JSON.stringify(secret), '""'), request.body);
  const bare = { ...request, headers: harmless(request.headers), query: harmless(request.query), body };
  expect(bare).not.toEqual(request);
  return bare;
}

/** The body with another value at the path. */
function spoiled(request: SandboxRequest, path: Path, value: unknown): SandboxRequest {
  const body = JSON.parse(request.body) as Record<string, unknown>;
  const holder = path.slice(0, -1).reduce((part, key) => part[key] as Record<string, unknown>, body);
  holder[path.at(-1) ?? ''] = value;
  return { ...request, body: JSON.stringify(body) };
}

describe.each(modules)('the sandbox of $slug', (module) => {
  const good = goodRequest(module);
  const body = JSON.parse(good.body) as Json;
  const silent = module.sandbox.silent === true;

  it('takes the request before it is spoiled', () => {
    expect(send(module, good).events).toMatchObject([{ accepted: true }]);
  });

  it('takes every event of the catalogue this platform has a use for, under every worked connection', () => {
    let taken = 0;
    for (const { credentials } of module.examples)
      for (const name of EVENT_NAMES) {
        const parsed = module.platform.credentials.parse(credentials);
        const event = sampleEvent({ name, ...(name === 'Custom' ? { customName: 'SizeGuide' } : {}) });
        if (module.platform.unsendable(event, parsed) !== null) continue;
        const request = asReceived(module.platform.buildRequest([event], parsed, CALLER));
        expect(send(module, request).events, name).toMatchObject([{ accepted: true }]);
        taken += 1;
      }
    expect(taken).toBeGreaterThan(module.examples.length);
  });

  it('refuses a wrong secret, and a request without one', () => {
    for (const request of [good, withoutSecrets(module, good)]) {
      const reply = send(module, request, false);
      expect(nothingTaken(reply)).toBe(true);
      expect(outcomeOf(module, reply)).toBe(silent ? 'delivered' : 'auth');
    }
  });

  it('refuses what is not hashed where it wants digests', () => {
    const digests = leaves(body).filter(({ leaf }) => /^[0-9a-f]{64}$/.test(String(leaf)));
    const wanted = digests.filter(
      ({ path }) => !path.some((key) => module.expected.plainToo?.includes(key) === true),
    );
    // Who takes everything in the clear has nothing to check.
    if (digests.length === 0) return expect(module.platform.sealedFields).toContain('email');
    for (const { path } of digests) {
      const reply = send(module, spoiled(good, path, 'jane@example.com'));
      expect(nothingTaken(reply), path.join('.')).toBe(wanted.some((one) => one.path === path));
    }
  });

  it.each([
    ['is no JSON', '{"unfinished": ["'],
    ['is empty', ''],
    ['is a list', '[]'],
    ['holds nothing', '{}'],
    ['is text', '"events"'],
  ])('takes nothing of a body that %s', (_what, text) => {
    const reply = send(module, { ...good, body: text });
    expect(nothingTaken(reply)).toBe(true);
    if (!silent) expect(outcomeOf(module, reply)).not.toBe('delivered');
  });

  it('answers nowhere else, and to no other method', () => {
    for (const request of [
      { ...good, path: '/' },
      { ...good, path: `${good.path}/more` },
      { ...good, method: 'GET' },
    ]) {
      const reply = send(module, request);
      expect(nothingTaken(reply)).toBe(true);
      expect(outcomeOf(module, reply)).not.toBe('delivered');
    }
  });

  it('refuses an amount that is a word', () => {
    const sent = module.expected.money.valueForm === 'minor' ? '5998' : '59.98';
    const amounts = leaves(body).filter(({ leaf }) => String(leaf) === sent);
    expect(amounts.length).toBeGreaterThan(0);
    const refused = amounts.filter(({ path }) => nothingTaken(send(module, spoiled(good, path, 'much'))));
    expect(refused.length).toBeGreaterThan(0);
  });
});

/** A platform without a published schema is not known to refuse fields it does not know. */
const withSchema = modules.flatMap((module) => {
  const { schema } = module.expected;
  return schema === undefined ? [] : [{ slug: module.slug, module, open: schema.open }];
});

describe.each(withSchema)('the schema of $slug', ({ module, open }) => {
  it('is kept by its sandbox: no unknown fields, no other types', () => {
    const good = goodRequest(module);
    const body = JSON.parse(good.body) as Json;
    const closed = (path: Path): boolean => open?.test(path.join('.')) !== true;
    const added = objects(body).filter(closed);
    const retyped = leaves(body).filter(({ path }) => closed(path.slice(0, -1)));
    for (const path of added)
      expect(nothingTaken(send(module, spoiled(good, [...path, 'shoe_size'], 'x'))), path.join('.')).toBe(
        true,
      );
    for (const { path } of retyped)
      expect(nothingTaken(send(module, spoiled(good, path, { is: 42 }))), path.join('.')).toBe(true);
    expect(added.length + retyped.length).toBeGreaterThan(10);
  });
});
