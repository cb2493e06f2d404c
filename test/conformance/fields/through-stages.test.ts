// What a field changes in the request of a platform, it changes there after the real way, too: body, stored row, normalized,
// sealed, opened, delivered. A field that is lost where it rests would reach every platform in a shorter test.
import { expect, it } from 'vitest';
import { openPipeline, took } from '../../support/canary-pipeline.ts';
import { request, send } from '../../support/ingestion.ts';
import { loadPlatforms } from '../platforms/platform-modules.ts';
import { fromWire, sentTo } from '../platforms/wire-event.ts';
import { pairsOf } from './one-field.ts';
import { KEPT_HERE, LEAVES } from './schema-leaves.ts';

const modules = await loadPlatforms();

/** Slug → its request, or why there is none. */
type Requests = ReadonlyMap<string, string>;

function straight(json: string): Requests {
  const event = fromWire(json);
  return new Map(
    modules.map((module) => {
      const denied = module.platform.consentSignals.find((signal) => event.consent[signal] === 'denied');
      const sent = sentTo(module, event);
      return [module.slug, (sent === null ? undefined : denied) ?? JSON.stringify(sent)];
    }),
  );
}

async function throughStages(json: string): Promise<Requests> {
  const pipeline = openPipeline(took);
  expect((await send(pipeline.app, request('/v1/events', json))).status).toBe(202);
  await pipeline.drain();
  expect(pipeline.problems).toEqual([]);
  return new Map(
    modules.map(({ slug, sandbox }) => {
      const own = pipeline.requests.filter(({ url }) => sandbox.hosts?.includes(new URL(url).host));
      return [slug, JSON.stringify(own.map(({ url, body }) => [url, body]))];
    }),
  );
}

const changed = (one: Requests, other: Requests): readonly string[] =>
  [...one.keys()].filter((slug) => one.get(slug) !== other.get(slug));

/** Platforms whose requests the field changes, straight and after all stages, on either device. */
async function platformsOf(leaf: string) {
  const straightly = new Set<string>();
  const staged = new Set<string>();
  for (const [one, other] of pairsOf(leaf)) {
    for (const slug of changed(straight(one), straight(other))) straightly.add(slug);
    for (const slug of changed(await throughStages(one), await throughStages(other))) staged.add(slug);
  }
  return { straightly: [...straightly].sort(), staged: [...staged].sort() };
}

it.each(LEAVES.filter((leaf) => !Object.hasOwn(KEPT_HERE, leaf)))(
  '%s reaches through all stages every platform that takes it',
  async (leaf) => {
    const { straightly, staged } = await platformsOf(leaf);
    expect(straightly).not.toEqual([]);
    expect(staged, `${leaf} was lost on the way`).toEqual(straightly);
  },
);

it('two events that differ in nothing are sent alike', async () => {
  expect((await platformsOf('a_field_of_tomorrow')).staged).toEqual([]);
});
