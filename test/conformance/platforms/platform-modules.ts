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
  /** The slug, of the interface that a connection has unless it chooses the other. */
  readonly name: string;
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

/** One for each interface there is: a platform may have two. */
export async function loadPlatformModules(): Promise<readonly PlatformModule[]> {
  const sandboxes = await loadSandboxes();
  const all = PLATFORMS.flatMap((platform) => {
    const { slug, other } = platform;
    const sandbox = sandboxes.get(slug);
    const own = { platform, sandbox, folder: slug };
    if (other === undefined) return [own];
    return [own, { platform: other.platform, sandbox: sandbox?.other, folder: `${slug}_other` }];
  });
  return Promise.all(
    all.map(async ({ platform, sandbox, folder }) => {
      const [examples, expected] = await Promise.all([loadExamples(folder), loadExpectations(folder)]);
      if (sandbox === undefined) throw new Error(`${folder} has no sandbox`);
      return { platform, slug: platform.slug, name: folder, sandbox, examples, expected };
    }),
  );
}

/** One for each platform. */
export const loadPlatforms = async (): Promise<readonly PlatformModule[]> =>
  (await loadPlatformModules()).filter(({ slug, name }) => name === slug);

export function platformFile({ slug }: Pick<Platform, 'slug'>, name: string): URL {
  return new URL(`../../../lib/events/platforms/${slug.replaceAll('_', '-')}/${name}`, import.meta.url);
}
