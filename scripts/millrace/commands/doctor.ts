import * as z from 'zod';
import { WAITING_MS } from '#lib/events/pipeline/recovery/due-source.ts';
import { QUOTA_WANTED } from '../../deploy/quota.ts';
import { type Finding, findingsOf } from '../account/findings.ts';
import type { Command, Scene } from '../command.ts';
import { count, minute } from '../merchant-views.ts';
import { table } from '../table.ts';
import { pausedList } from './pause-platform.ts';
import { due, inTrouble } from './status.ts';

export const doctor: Command = {
  name: 'doctor',
  takes: [],
  purpose: 'What is wrong with the deployment, and what to do; ends with 1 where something is.',
  prepare: () => async (scene) => {
    const found = (
      await Promise.all([queued(scene), asked(scene), ofAccount(scene), ofDeployed(scene)])
    ).flat();
    const text =
      found.length === 0
        ? 'Nothing is wrong with what was looked at.\n'
        : table(
            ['WHAT', 'WHAT TO DO'],
            found.map(({ what, todo }) => [what, todo]),
          );
    return { json: { findings: found }, text, isRefused: found.length > 0 };
  },
};

async function queued({ queues, sources, deployment }: Scene): Promise<readonly Finding[]> {
  const [all, disabled] = await Promise.all([queues(), sources(deployment)]);
  return all.flatMap(({ name, waiting }) => {
    if (waiting === 0) return [];
    if (/dead letter/.test(name))
      return [{ what: `${count(waiting)} dead letters`, todo: 'mend what the log names, then: redrive all' }];
    const url = deployment.queueUrls[name] ?? '';
    return disabled.has(url.split('/').at(-1) ?? '')
      ? [
          {
            what: `${count(waiting)} wait in ${name}, and nothing takes them`,
            todo: 'the sweep enables its event source within two minutes: see Waiting in docs/runbook.md',
          },
        ]
      : [];
  });
}

async function asked(scene: Scene): Promise<readonly Finding[]> {
  const { ask, nowMs } = scene;
  const [{ paused }, { due: overdue }, trouble] = await Promise.all([
    ask('platforms/paused', {}, pausedList),
    ask('status/due', {}, z.object({ due })),
    inTrouble(scene),
  ]);
  const affected = trouble.merchants.filter(({ state }) => state !== 'suspended');
  return [
    ...paused.map(({ platform, since, by, reason }) => ({
      what: `${platform} is paused since ${minute(since)} by ${by}: ${reason}`,
      todo: `resume --platform ${platform}`,
    })),
    ...overdue.flatMap(({ what, overdue: n, oldest }) =>
      oldest !== null && Date.parse(oldest) < nowMs - WAITING_MS
        ? [
            {
              what: `${count(n)} ${what} are due since ${minute(oldest)}`,
              todo: 'tail: errors and throttles of sweep',
            },
          ]
        : [],
    ),
    ...(affected.length === 0
      ? []
      : [{ what: `${count(affected.length)} merchants have trouble`, todo: 'status names them' }]),
  ];
}

async function ofAccount({ concurrency, deployment }: Scene): Promise<readonly Finding[]> {
  const limit = await concurrency(deployment);
  if (limit === null || limit >= QUOTA_WANTED) return [];
  return [
    {
      what: `AWS lets this account run ${count(limit)} functions at once`,
      todo: `ask for ${count(QUOTA_WANTED)}: Service Quotas, AWS Lambda, Concurrent executions`,
    },
  ];
}

/** Settings, alarms, tables and event sources. */
async function ofDeployed({ deployed, ownSettings, deployment, remark }: Scene): Promise<readonly Finding[]> {
  const found = await deployed(deployment);
  if (found === null) {
    remark('Not looked at: settings, alarms, tables and event sources, of which this machine has none.');
    return [];
  }
  for (const sentence of found.unseen) remark(`Not looked at: ${sentence}`);
  const own = ownSettings(deployment.environment);
  if (own === null) remark('Not compared: the settings, of which there is no file on this machine.');
  return findingsOf(found, own);
}
