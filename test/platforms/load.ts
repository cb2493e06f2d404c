// What tests hold about a platform, found by convention in the folder of its name.
import type { PlatformExample } from './platform-example.ts';
import type { PlatformExpectations } from './platform-expectations.ts';

/** Throws when there is none. */
export async function loadExamples(slug: string): Promise<readonly [PlatformExample, ...PlatformExample[]]> {
  const { examples } = await load<{ examples: readonly PlatformExample[] }>(slug, 'examples');
  const [first, ...rest] = examples;
  if (first === undefined) throw new Error(`${slug} has no worked example`);
  return [first, ...rest];
}

export async function loadExpectations(slug: string): Promise<PlatformExpectations> {
  return (await load<{ expected: PlatformExpectations }>(slug, 'expected')).expected;
}

async function load<Exports>(slug: string, name: 'examples' | 'expected'): Promise<Exports> {
  const url = new URL(`${slug.replaceAll('_', '-')}/${name}.ts`, import.meta.url);
  return (await import(url.href)) as Exports;
}
