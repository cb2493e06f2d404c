// A platform with its sandbox and what tests expect of it.

import type { BuildContext, Platform } from '#lib/events/platforms/platform.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { loadSandboxes } from '#services/local/sandbox/platform-sandboxes.ts';
import type { PlatformSandbox } from '#services/local/sandbox/platforms/platform-sandbox.ts';
import { loadExamples, loadExpectations } from '#test/platforms/load.ts';
import type { PlatformExample } from '#test/platforms/platform-example.ts';
import type { PlatformExpectations } from '#test/platforms/platform-expectations.ts';
import { SAMPLE_TIME_SEC } from '#test/support/sample-event.ts';

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
      const { slug } = platform;
      const [examples, expected] = await Promise.all([loadExamples(slug), loadExpectations(slug)]);
      const sandbox = sandboxes.get(slug);
      if (sandbox === undefined) throw new Error(`${slug} has no sandbox`);
      return { platform, slug, sandbox, examples, expected };
    }),
  );
}

export function platformFile({ slug }: Pick<Platform, 'slug'>, name: string): URL {
  return new URL(`../../../lib/events/platforms/${slug.replaceAll('_', '-')}/${name}`, import.meta.url);
}
