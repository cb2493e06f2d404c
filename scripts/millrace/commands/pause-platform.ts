import * as z from 'zod';
import { type Command, type Given, textOf, UsageProblem } from '../command.ts';
import { minute } from '../merchant-views.ts';

export const pausedPlatform = z.object({
  platform: z.string(),
  since: z.string(),
  by: z.string(),
  reason: z.string(),
});
export const pausedList = z.object({ paused: z.array(pausedPlatform) });
const paused = z.object({ changed: z.boolean(), paused: pausedPlatform });
const resumed = z.object({ changed: z.boolean(), was: pausedPlatform.nullable() });

function platformIn(given: Given): string {
  const platform = textOf(given, 'platform');
  if (platform === undefined || platform === '') throw new UsageProblem('Say which: --platform meta');
  return platform;
}

const platformOption = { type: 'string', value: 'slug', help: 'which, as merchants show names it' } as const;

export const pausePlatform: Command = {
  name: 'pause',
  takes: [],
  purpose: 'Keeps the deliveries to a platform back, of all merchants; events are taken as before.',
  options: {
    platform: platformOption,
    reason: { type: 'string', value: 'text', help: 'why; for operators, merchants are not shown it' },
  },
  prepare(given) {
    const platform = platformIn(given);
    const reason = textOf(given, 'reason')?.trim();
    if (reason === undefined || reason === '') throw new UsageProblem('Say why: --reason "they lose events"');
    return async ({ ask }) => {
      const json = await ask('platforms/pause', { platform, reason }, paused);
      const { since, by, reason: why } = json.paused;
      const text = json.changed
        ? `${platform} is paused: within ten seconds nothing more is begun, within a minute nothing is sent.\n`
        : `${platform} was paused already, since ${minute(since)} by ${by}: ${why}\n`;
      return { json, text };
    };
  },
};

export const resumePlatform: Command = {
  name: 'resume',
  takes: [],
  purpose: 'Ends the pause of a platform: what waits is sent, slowly at first.',
  options: { platform: platformOption },
  prepare(given) {
    const platform = platformIn(given);
    return async ({ ask }) => {
      const json = await ask('platforms/resume', { platform }, resumed);
      const { was } = json;
      const text =
        was === null
          ? `${platform} was not paused\n`
          : `${platform} goes on; it was paused since ${minute(was.since)} by ${was.by}: ${was.reason}\n`;
      return { json, text };
    };
  },
};
