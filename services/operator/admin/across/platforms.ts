// A platform is kept back for all merchants, or goes on. What waits meanwhile is sent then, as after any pause.
import * as z from 'zod';
import { line } from '#lib/core/routes/wire.ts';
import type { PlatformPause } from '#lib/events/domain/connections/paused-platform.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { iso } from '../fields.ts';
import type { OperatorPorts } from '../ports.ts';

const slug = z.enum(PLATFORMS.map(({ slug }): string => slug));
export const platformPaused = z.strictObject({ platform: slug, reason: line(500) });
export const platformResumed = z.strictObject({ platform: slug });
export const platformsAsked = z.strictObject({});

const viewOf = ({ platform, atMs, by, reason }: PlatformPause) => ({
  platform,
  since: iso(atMs),
  by,
  reason,
});
type View = ReturnType<typeof viewOf>;

export async function pausePlatform(
  { platform, reason }: z.output<typeof platformPaused>,
  actor: string,
  { config, clock }: OperatorPorts,
): Promise<{ readonly changed: boolean; readonly paused: View }> {
  const done = await config.pausePlatform({ platform, atMs: clock.now(), by: actor, reason });
  return { changed: done.isNew, paused: viewOf(done.pause) };
}

export async function resumePlatform(
  { platform }: z.output<typeof platformResumed>,
  actor: string,
  { config, clock }: OperatorPorts,
): Promise<{ readonly changed: boolean; readonly was: View | null }> {
  const ended = await config.resumePlatform(platform, clock.now(), actor);
  return { changed: ended !== null, was: ended === null ? null : viewOf(ended) };
}

export async function pausedPlatforms(
  _asked: unknown,
  _actor: string,
  { config }: OperatorPorts,
): Promise<{ readonly paused: readonly View[] }> {
  const pauses = await config.platformPauses();
  return { paused: pauses.filter(({ endedAtMs }) => endedAtMs === undefined).map(viewOf) };
}
