// What a platform's folder holds beside its definition, found by convention.

import type { PlatformExample } from '#lib/events/platforms/example.ts';
import type { BuildContext, Platform } from '#lib/events/platforms/platform.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import type { PlatformSandbox } from '#lib/events/platforms/sandbox.ts';
import type { PlatformExpectations } from '#lib/events/platforms/testing/expected.ts';
import { SAMPLE_TIME_SEC } from '#lib/events/platforms/testing/sample-event.ts';
import { loadSandboxes } from '#services/local/sandbox/platform-sandboxes.ts';

export interface PlatformModule {
  readonly platform: Platform;
  readonly slug: string;
  readonly sandbox: PlatformSandbox;
  readonly examples: readonly [PlatformExample, ...PlatformExample[]];
  readonly expected: PlatformExpectations;
}

export const NOW_MS = SAMPLE_TIME_SEC * 1_000 + 60_000;

/** What a caller supplies, to whoever needs it: time, something random, an access token. */
export const CALLER = {
  test: false,
  nowMs: NOW_MS,
  nonce: 'a0b1c2d3e4f5a6b7',
  accessToken: 'access-token-0123456789',
} as const satisfies BuildContext;

export async function loadPlatformModules(): Promise<readonly PlatformModule[]> {
  const sandboxes = await loadSandboxes();
  return Promise.all(
    PLATFORMS.map(async (platform) => {
      const { examples } = await load<{ examples: readonly PlatformExample[] }>(platform, 'examples');
      const { expected } = await load<{ expected: PlatformExpectations }>(platform, 'expected');
      const [first, ...rest] = examples;
      const sandbox = sandboxes.get(platform.slug);
      if (first === undefined || sandbox === undefined) throw new Error(`${platform.slug} is incomplete`);
      return { platform, slug: platform.slug, sandbox, examples: [first, ...rest] as const, expected };
    }),
  );
}

export function platformFile({ slug }: Pick<Platform, 'slug'>, name: string): URL {
  return new URL(`../../../lib/events/platforms/${slug.replaceAll('_', '-')}/${name}`, import.meta.url);
}

async function load<Exports>(platform: Platform, name: string): Promise<Exports> {
  return (await import(platformFile(platform, `${name}.ts`).href)) as Exports;
}
