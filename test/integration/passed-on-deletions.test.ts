// A person's deletion reaches the platforms that take one, once nothing of the person is on its way to them: judged by the vendors'
// stand-ins; a crash, an outage and a refusal cost time alone, and the person is in the clear nowhere.
import { describe, expect, it } from 'vitest';
import type { Vault } from '../../lib/core/ports/vault.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { createTaskStage } from '../../services/events/tasks/stage.ts';
import { loadPlatforms } from '../conformance/platforms/platform-modules.ts';
import { dyingAt, taskPorts } from '../support/dying-ports.ts';
import { withErasures } from '../support/erasing.ts';
import { createMemoryPipeline, PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';

const modules = await loadPlatforms();
const EMAIL = 'jane.q+a@shop.example';
const PHONE = '+447700900123';
const HOUR_MS = 3_600_000;

type Answer = (request: HttpRequest) => HttpResult | undefined;

/** Nothing of what it keeps can be read where it is stored. */
function keepingVault(): Vault {
  const kept = new Map<string, string>();
  return {
    seal: async (merchantId, context, text) => {
      const sealed = `sealed-${kept.size}`;
      kept.set(`${merchantId}/${context}/${sealed}`, text);
      return sealed;
    },
    open: async (merchantId, context, sealed) => {
      const text = kept.get(`${merchantId}/${context}/${sealed}`);
      if (text === undefined) throw new Error('cannot be opened');
      return text;
    },
  };
}

const isDeletion = ({ url }: HttpRequest): boolean => /deletion-jobs|conversionDefinitions\/delete/.test(url);

async function open(
  answer: Answer = () => undefined,
  slugs: readonly string[] = ['klaviyo', 'amazon', 'meta', 'ga4'],
) {
  const chosen = modules.filter(({ slug }) => slugs.includes(slug));
  const vault = keepingVault();
  const pipeline = createMemoryPipeline({
    platforms: chosen.map(({ platform }) => platform),
    credentials: Object.fromEntries(chosen.map(({ slug, examples }) => [slug, examples[0].credentials])),
    vault,
    answer: (request) => {
      const { host, pathname } = new URL(request.url);
      const module = chosen.find(({ sandbox }) => sandbox.hosts.includes(host));
      const said = answer(request);
      if (said !== undefined || module === undefined) return said ?? Promise.reject(new Error(host));
      const asked = { ...request, host, path: pathname, query: {} };
      const context = { nowMs: pipeline.clock.now(), check: () => 'ok' as const };
      return { kind: 'response', ...module.sandbox.handle(asked, context).answer };
    },
  });
  for (const [slot, connection] of pipeline.connections) {
    const sealedCredentials = await vault.seal(
      PIPELINE_MERCHANT,
      `credentials/${slot}`,
      connection.sealedCredentials,
    );
    pipeline.connections.set(slot, { ...connection, sealedCredentials });
  }
  const erasing = withErasures(pipeline);
  const states = async (id: string) =>
    (await erasing.receipt(id)).passed_on.map(({ platform, state }) => `${platform} ${state}`);
  const stored = async (id: string) => await pipeline.erasures.erasure(PIPELINE_MERCHANT, id);
  const deletions = () => pipeline.requests.filter(isDeletion);
  /** As the hourly audit does. */
  const hours = async (count: number) => {
    for (let hour = 0; hour < count; hour++) {
      pipeline.clock.advance(HOUR_MS);
      await erasing.tend();
      await pipeline.drain();
    }
  };
  return { pipeline, erasing, states, stored, deletions, hours };
}

const bodiesOf = (requests: readonly HttpRequest[]) => requests.map(({ body }) => JSON.parse(body));
const klaviyoJob = (attributes: object) => ({
  data: {
    type: 'data-privacy-deletion-job',
    attributes: { profile: { data: { type: 'profile', attributes } } },
  },
});
const refusing: Answer = (request) =>
  isDeletion(request) && request.url.includes('klaviyo')
    ? {
        kind: 'response',
        status: 403,
        headers: {},
        body: JSON.stringify({
          errors: [
            {
              id: '5a17b0c5-0000-4000-8000-000000000000',
              code: 'permission_denied',
              title: 'Forbidden',
              detail: `No scope for ${EMAIL.toUpperCase()} or 7700900123`,
            },
          ],
        }),
      }
    : undefined;

describe('a deletion is passed on', () => {
  it('to each platform that takes one, as its documents say, and it is said of the others why not', async () => {
    const { pipeline, erasing, stored, deletions } = await open();
    const { id } = await erasing.begin({ email: ` ${EMAIL.toUpperCase()}`, phone: '+44 7700 900123' });
    expect(JSON.stringify(await stored(id))).not.toMatch(/jane|7700/i);
    expect(deletions()).toEqual([]);
    await erasing.finish();
    const [amazon, email, phone, ...more] = bodiesOf(deletions());
    expect([email, phone]).toEqual([klaviyoJob({ email: EMAIL }), klaviyoJob({ phone_number: PHONE })]);
    expect(amazon.deletionRequests[0].matchKeys.map(({ type }: { type: string }) => type)).toEqual([
      'EMAIL',
      'PHONE',
    ]);
    expect(more).toEqual([]);
    const receipt = await erasing.receipt(id);
    expect(receipt).toMatchObject({ status: 'done', remaining: 0 });
    expect(receipt.passed_on.map(({ platform, state }) => [platform, state])).toEqual([
      ['amazon', 'passed_on'],
      ['ga4', 'no_rights'],
      ['klaviyo', 'passed_on'],
      ['meta', 'not_offered'],
    ]);
    expect(receipt.passed_on.map(({ detail }) => detail)).toEqual([
      null,
      expect.stringContaining('submitUserDeletion'),
      null,
      'Meta documents no way to delete a person from the events that it took.',
    ]);
    const job = await stored(id);
    expect([job?.state, job?.sealedPerson, job?.sealedSubject]).toEqual(['done', undefined, undefined]);
    const rest = [job, ...pipeline.sent, ...pipeline.problems.map(String)];
    expect(JSON.stringify(rest)).not.toMatch(/jane|7700/i);
  });

  it('after nothing of the person can be on its way any more', async () => {
    const { pipeline, erasing, deletions } = await open();
    await pipeline.accept({
      event_id: 'e1',
      event_name: 'Lead',
      event_time: Math.floor(pipeline.clock.now() / 1_000),
      source: 'web',
      action_source: 'website',
      user_data: { email: EMAIL },
    });
    await erasing.begin({ email: EMAIL });
    await erasing.finish();
    const first = pipeline.requests.findIndex(isDeletion);
    expect(first).toBeGreaterThan(0);
    expect(pipeline.requests.slice(first).every((one) => isDeletion(one) || one.url.includes('/auth/'))).toBe(
      true,
    );
    expect(deletions()).toHaveLength(2);
  });

  it('not by a digest to a platform that wants the address, and nothing is kept for it', async () => {
    const { erasing, states, stored, deletions } = await open(undefined, ['klaviyo']);
    const digest = 'ab'.repeat(32);
    const { id } = await erasing.begin({ email: digest, external_id: 'c-1' });
    expect(await stored(id)).not.toHaveProperty('sealedPerson');
    await erasing.finish();
    expect([await states(id), deletions()]).toEqual([['klaviyo not_named'], []]);
  });

  it('to a connection that is there: one that was removed meanwhile is said to be', async () => {
    const { pipeline, erasing, states } = await open(undefined, ['klaviyo', 'amazon']);
    const { id } = await erasing.begin({ email: EMAIL });
    pipeline.connections.delete('klaviyo');
    await erasing.finish();
    expect(await states(id)).toEqual(['amazon passed_on', 'klaviyo removed']);
  });
});

describe('a platform that does not take it', () => {
  it('is quoted without the person, keeps neither the erasure nor others waiting, and is asked again until it takes it', async () => {
    let isRefused = true;
    const { pipeline, erasing, states, stored, deletions, hours } = await open((request) =>
      isRefused ? refusing(request) : undefined,
    );
    const { id } = await erasing.begin({ email: EMAIL, phone: PHONE });
    await erasing.finish();
    const receipt = await erasing.receipt(id);
    expect(receipt).toMatchObject({ status: 'done', remaining: 0 });
    const klaviyo = receipt.passed_on.find(({ platform }) => platform === 'klaviyo');
    expect(klaviyo).toMatchObject({ state: 'refused', retried_until: expect.stringMatching(/^2026-11-28T/) });
    expect(klaviyo?.detail).toMatch(/^403 klaviyo\.permission_denied: Forbidden No scope for \[\w+\] or/);
    expect(klaviyo?.detail).not.toMatch(/jane|7700/i);
    expect(await states(id)).toContain('amazon passed_on');
    const before = deletions().length;
    // A new request is a new erasure: of this one nothing is left to do here.
    expect((await erasing.begin({ email: EMAIL, phone: PHONE })).id).not.toBe(id);
    isRefused = false;
    await hours(2);
    expect(await states(id)).toContain('klaviyo passed_on');
    expect(deletions().length).toBeGreaterThan(before);
    expect((await stored(id))?.state).toBe('done');
    expect(JSON.stringify([await stored(id), pipeline.sent])).not.toMatch(/jane|7700/i);
  });

  it('is asked ever less often, for a week; then it is reported, and nothing is kept of the person', async () => {
    const { pipeline, erasing, stored, deletions, hours } = await open(refusing, ['klaviyo']);
    const { id } = await erasing.begin({ email: EMAIL });
    await erasing.finish();
    await hours(24);
    const ofTheFirstDay = deletions().length;
    await hours(7 * 24);
    expect(ofTheFirstDay).toBeGreaterThan(deletions().length - ofTheFirstDay - 10);
    expect(deletions().length).toBeLessThan(40);
    const job = await stored(id);
    expect([job?.state, job?.sealedPerson]).toEqual(['done', undefined]);
    expect((await erasing.receipt(id)).passed_on).toMatchObject([{ state: 'refused', retried_until: null }]);
    expect(pipeline.problems.map(String)).toEqual(['Error: klaviyo: klaviyo.permission_denied']);
  });

  it('and says nothing is not called refused', async () => {
    const { erasing } = await open(
      (request) =>
        isDeletion(request)
          ? { kind: 'failure', code: 'timeout', maybeDelivered: true, message: 'no answer' }
          : undefined,
      ['klaviyo'],
    );
    const { id } = await erasing.begin({ email: EMAIL });
    await erasing.finish();
    expect((await erasing.receipt(id)).passed_on).toMatchObject([
      { state: 'waiting', detail: 'timeout: no answer' },
    ]);
  });
});

async function withDeath(at: number, when: 'before' | 'after') {
  const { pipeline, erasing, states, stored, deletions } = await open(undefined, ['klaviyo', 'amazon']);
  const { seen, dying } = dyingAt(at, when);
  const ports = taskPorts(pipeline);
  const transport = dying(await ports.transport());
  const stage = createTaskStage({
    ...ports,
    erasures: dying(ports.erasures),
    config: dying(ports.config),
    vault: dying(ports.vault),
    transport: async () => transport,
    work: dying(ports.work),
  });
  const { id } = await erasing.begin({ email: EMAIL, phone: PHONE });
  const { tasks } = pipeline.queues;
  for (let round = 0; round < 60 && (await stored(id))?.state !== 'done'; round++) {
    pipeline.clock.advance(61_000);
    if (round % 10 === 9) await erasing.tend();
    for (let message = tasks.receive(1)[0]; message !== undefined; message = tasks.receive(1)[0])
      if ((await stage([message])).failedIndexes.length === 0) tasks.remove(message.receipt);
  }
  return {
    seen,
    states: await states(id),
    bodies: bodiesOf(deletions()).map((body) => JSON.stringify(body)),
  };
}

it('a step that dies at any call repeats one request at most, and the erasure ends all the same', async () => {
  const whole = await withDeath(Number.POSITIVE_INFINITY, 'before');
  expect(whole.bodies).toHaveLength(3);
  expect(new Set(whole.bodies).size).toBe(3);
  for (let at = 1; at <= whole.seen.calls; at++)
    for (const when of ['before', 'after'] as const) {
      const { seen, states, bodies } = await withDeath(at, when);
      const words = `death ${when} call ${at}`;
      expect(seen.deaths, words).toBe(1);
      expect(states, words).toEqual(['amazon passed_on', 'klaviyo passed_on']);
      expect(new Set(bodies).size, words).toBe(3);
      expect(bodies.length, words).toBeLessThanOrEqual(4);
    }
});
