// The sandbox of every platform in the registry, found by convention: `platforms/<folder>/sandbox.ts` exports `sandbox`.

import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import type { PlatformSandbox } from './platforms/platform-sandbox.ts';

/** Slug → sandbox. Throws when a platform has none. */
export async function loadSandboxes(): Promise<ReadonlyMap<string, PlatformSandbox>> {
  const entries = PLATFORMS.map(async ({ slug }) => {
    const folder = slug.replaceAll('_', '-');
    const module: { readonly sandbox?: PlatformSandbox } = await import(
      new URL(`platforms/${folder}/sandbox.ts`, import.meta.url).href
    );
    if (module.sandbox?.slug !== slug)
      throw new Error(`platforms/${folder}/sandbox.ts does not export the sandbox of ${slug}`);
    return [slug, module.sandbox] as const;
  });
  return new Map(await Promise.all(entries));
}
