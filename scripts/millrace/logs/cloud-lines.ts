// Lines of a deployment on AWS as they come. Guarantees: only groups that its stacks have now are read; no line is shown twice, and
// none is lost that CloudWatch shows within half a minute of its time.
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html (read 2026-11-28)
import * as z from 'zod';
import { stackResources } from '../account/stack-resources.ts';
import { awsCall } from '../aws-call.ts';
import { asked, orElse } from '../aws-problem.ts';
import type { Deployment } from '../deployment.ts';

/** An account may ask five times a second, whatever asks. */
const CALL_EVERY_MS = 250;
const ROUND_EVERY_MS = 2_000;
/** CloudWatch shows a line some seconds after its time. */
const LATE_MS = 30_000;

const found = z.object({
  events: z.array(z.object({ eventId: z.string(), timestamp: z.number(), message: z.string() })).default([]),
  nextToken: z.string().optional(),
});
type Line = z.output<typeof found>['events'][number];

interface Group {
  readonly name: string;
  fromMs: number;
  /** Id → time of lines that were shown and would be found again. */
  seen: ReadonlyMap<string, number>;
}

export async function* cloudLines(
  { region, stacks }: Pick<Deployment, 'region' | 'stacks'>,
  sinceMs: number,
  pause: (ms: number) => Promise<unknown>,
): AsyncGenerator<string> {
  const resources = (await Promise.all(stacks.map(stackResources))).flat();
  const groups: readonly Group[] = resources.flatMap(({ ResourceType: type, PhysicalResourceId: name }) =>
    type === 'AWS::Logs::LogGroup' && name !== undefined ? [{ name, fromMs: sinceMs, seen: new Map() }] : [],
  );
  if (groups.length === 0) throw new Error(`The stacks of the deployment in ${region} have no log groups.`);
  for (;;) {
    const lines: Line[] = [];
    for (const group of groups) lines.push(...(await newLines(group, region, pause)));
    for (const { message } of lines.sort((a, b) => a.timestamp - b.timestamp)) yield message;
    await pause(ROUND_EVERY_MS);
  }
}

async function newLines(
  group: Group,
  region: string,
  pause: (ms: number) => Promise<unknown>,
): Promise<readonly Line[]> {
  const startedMs = Date.now();
  const lines: Line[] = [];
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const input = { logGroupName: group.name, startTime: group.fromMs, nextToken: token };
    const said = await asked('the logs were not read', async () => {
      const call = awsCall('logs', 'Logs_20140328.FilterLogEvents', input, { region, pause });
      // Deleted by hand.
      return await orElse(call, 'ResourceNotFoundException', {});
    });
    const page = found.parse(said);
    lines.push(...page.events);
    token = page.nextToken;
    await pause(CALL_EVERY_MS);
  }
  const fresh = lines.filter(({ eventId }) => !group.seen.has(eventId));
  // Pages go through one stream after the other: what came to an earlier one since is as old as this reading, at most.
  const newestMs = lines.reduce((newest, { timestamp }) => Math.max(newest, timestamp), 0);
  group.fromMs = Math.max(group.fromMs, Math.min(newestMs, startedMs) - LATE_MS);
  group.seen = new Map(
    lines.flatMap(({ eventId, timestamp }) => (timestamp >= group.fromMs ? [[eventId, timestamp]] : [])),
  );
  return fresh;
}
