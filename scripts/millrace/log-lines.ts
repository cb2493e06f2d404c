// Wide lines as they come: of the log of a host on this machine, or of CloudWatch Logs.
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html (read 2026-11-27)
import { open, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { awsCall } from './aws-call.ts';
import type { Deployment } from './deployment.ts';

const LOCAL_EVERY_MS = 300;
const CLOUD_EVERY_MS = 2_000;
/** CloudWatch shows a line some seconds after its time. */
const LATE_MS = 15_000;

/** Never ends by itself. */
export function logLines(deployment: Deployment, sinceMs: number): AsyncGenerator<string> {
  const { logFile } = deployment;
  return logFile === undefined ? cloudLines(deployment, sinceMs) : localLines(logFile, sinceMs);
}

async function* localLines(path: string, sinceMs: number): AsyncGenerator<string> {
  let at = 0;
  let rest = '';
  for (;;) {
    const { size } = await stat(path);
    // The host has begun a new file.
    if (size < at) [at, rest] = [0, ''];
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(Math.min(size - at, 4_194_304)),
        0,
        undefined,
        at,
      );
      const whole = buffer.subarray(0, bytesRead);
      // A character may be cut.
      const end = whole.lastIndexOf(10) + 1;
      const lines = (rest + whole.subarray(0, end).toString()).split('\n');
      rest = lines.pop() ?? '';
      at += end;
      for (const line of lines) if ((timeOf(line) ?? sinceMs) >= sinceMs) yield line;
      if (end > 0) continue;
    } finally {
      await file.close();
    }
    await pause(LOCAL_EVERY_MS);
  }
}

const groups = z.object({
  logGroups: z.array(z.object({ logGroupName: z.string() })).default([]),
  nextToken: z.string().optional(),
});
const found = z.object({
  events: z.array(z.object({ eventId: z.string(), timestamp: z.number(), message: z.string() })).default([]),
  nextToken: z.string().optional(),
});

async function* cloudLines({ region }: Deployment, sinceMs: number): AsyncGenerator<string> {
  const call = <T>(action: string, input: object, answer: z.ZodType<T>): Promise<T> =>
    awsCall('logs', `Logs_20140328.${action}`, input, { region, what: 'the logs were not read' }).then(
      (said) => answer.parse(said),
    );
  const names: string[] = [];
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const page = await call(
      'DescribeLogGroups',
      { logGroupNamePrefix: 'Millrace', nextToken: token },
      groups,
    );
    names.push(...page.logGroups.map(({ logGroupName }) => logGroupName));
    token = page.nextToken;
  }
  if (names.length === 0) throw new Error(`There are no log groups of Millrace in ${region}.`);
  let fromMs = sinceMs;
  let seen = new Map<string, number>();
  for (;;) {
    const lines: z.output<typeof found>['events'] = [];
    for (const logGroupName of names)
      for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
        const page = await call(
          'FilterLogEvents',
          { logGroupName, startTime: fromMs, nextToken: token },
          found,
        );
        lines.push(...page.events.filter(({ eventId }) => !seen.has(eventId)));
        token = page.nextToken;
      }
    for (const { eventId, timestamp, message } of lines.sort((a, b) => a.timestamp - b.timestamp)) {
      seen.set(eventId, timestamp);
      yield message;
    }
    fromMs = Math.max(fromMs, Date.now() - LATE_MS);
    seen = new Map([...seen].filter(([, atMs]) => atMs >= fromMs));
    await pause(CLOUD_EVERY_MS);
  }
}

const timed = z.object({ time: z.union([z.number(), z.string()]) });

/** Undefined: it says none. */
export function timeOf(line: string): number | undefined {
  try {
    const { time } = timed.parse(JSON.parse(line));
    return typeof time === 'number' ? time : Date.parse(time);
  } catch {
    return undefined;
  }
}
