import * as z from 'zod';
import { type Command, type Given, textOf, UsageProblem } from '../command.ts';
import { count, idOf, limits } from '../merchant-views.ts';
import { table } from '../table.ts';

/** Option → the limit's name on the wire, and what it bounds. */
const LIMITS = {
  'events-per-minute': ['server_events_per_minute', 'events of its servers in a minute'],
  'events-per-day': ['server_events_per_day', 'and in a UTC day'],
  'browser-events-per-minute': [
    'browser_events_per_minute',
    'what it may allow its pages in a minute, at most',
  ],
  'replays-per-day': ['replays_per_day', 'replays of its plans in a UTC day'],
} as const;

const answer = z.object({ merchant: z.string(), changed: z.array(z.string()), limits });

export const limitMerchant: Command = {
  name: 'merchants limits',
  takes: ['<id or name>'],
  purpose: 'Shows what the operator lets a merchant have, and sets it.',
  options: Object.fromEntries(
    Object.entries(LIMITS).map(([option, [, help]]) => [
      option,
      { type: 'string' as const, value: 'n|default', help },
    ]),
  ),
  prepare(given) {
    const change = changeIn(given);
    return async ({ ask }) => {
      const merchant = await idOf(ask, given.positionals[0] ?? '');
      const json = await ask('merchants/limits', { merchant, ...change }, answer);
      const rows = Object.entries(LIMITS).map(([option, [name]]) => {
        const { value, set_for } = json.limits[name];
        return [option, count(value), set_for === 'merchant' ? 'its own' : 'as for all'];
      });
      return { json, text: `${merchant}\n${table(['LIMIT', 'AT MOST', ''], rows)}` };
    };
  },
};

function changeIn(given: Given): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    Object.entries(LIMITS).flatMap(([option, [name]]): (readonly [string, number | null])[] => {
      const text = textOf(given, option);
      if (text === undefined) return [];
      if (text === 'default') return [[name, null]];
      if (!/^[1-9]\d{0,14}$/.test(text))
        throw new UsageProblem(`--${option} takes a whole number from 1 on, or the word default.`);
      return [[name, Number(text)]];
    }),
  );
}
