import { type Command, textOf, UsageProblem } from '../command.ts';
import { logLines } from '../logs/log-lines.ts';
import { idOf } from '../merchant-views.ts';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
/** What stands in front, and what a person needs none of. */
const IN_FRONT = new Set(['time', 'level', 'service', 'kind', 'msg', 'pid', 'hostname']);

export const tail: Command = {
  name: 'tail',
  takes: [],
  purpose: 'Log lines of all functions as they come, until Ctrl-C; with --json as they are.',
  options: {
    merchant: { type: 'string', value: 'id or name', help: 'those that name this merchant' },
    platform: { type: 'string', value: 'slug', help: 'those that name this platform' },
    since: { type: 'string', value: 'time', help: 'how long ago to begin: 90s, 10m, 2h; default: now' },
    lines: { type: 'string', value: 'n', help: 'ends after so many' },
  },
  prepare(given) {
    const since = /^(\d{1,6})([smh])$/.exec(textOf(given, 'since') ?? '0s');
    if (since === null) throw new UsageProblem('--since takes 90s, 10m or 2h.');
    const lines = textOf(given, 'lines') ?? '';
    if (!/^(?:[1-9]\d{0,8})?$/.test(lines)) throw new UsageProblem('--lines takes a whole number from 1 on.');
    const backMs = Number(since[1]) * UNITS[since[2] as keyof typeof UNITS];
    const [wanted, platform] = [textOf(given, 'merchant'), textOf(given, 'platform')];
    return async ({ deployment, ask, nowMs, pause, print }) => {
      const merchant = wanted === undefined ? undefined : await idOf(ask, wanted);
      let left = lines === '' ? Number.POSITIVE_INFINITY : Number(lines);
      for await (const line of logLines(deployment, nowMs - backMs, pause)) {
        const read = readLine(line);
        if (!isWanted(read, merchant, platform)) continue;
        print(given.values.json === true ? line : textOfLine(read, line));
        left -= 1;
        if (left === 0) break;
      }
      return { json: undefined, text: '' };
    };
  },
};

type Line = Readonly<Record<string, unknown>> | null;

function readLine(line: string): Line {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null ? (read as Line) : null;
  } catch {
    return null;
  }
}

const names = (value: unknown, wanted: string): boolean =>
  value === wanted || (typeof value === 'object' && value !== null && Object.hasOwn(value, wanted));

function isWanted(line: Line, merchant: string | undefined, platform: string | undefined): boolean {
  const { merchant: of, merchantId, merchants, platform: at, connections } = line ?? {};
  return (
    (merchant === undefined || [of, merchantId, merchants].some((one) => names(one, merchant))) &&
    (platform === undefined || names(at, platform) || names(connections, platform))
  );
}

function textOfLine(line: Line, raw: string): string {
  if (line === null) return raw;
  const { time, level, service, kind, msg } = line;
  const at = new Date(typeof time === 'number' ? time : String(time));
  const rest = Object.entries(line).flatMap(([name, value]) =>
    IN_FRONT.has(name) ? [] : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  const front = [Number.isNaN(at.getTime()) ? '' : at.toISOString(), level, service, kind, msg];
  return [...front.filter((one) => one !== undefined && one !== ''), ...rest].join(' ');
}
