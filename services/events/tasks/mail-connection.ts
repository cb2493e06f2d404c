// Mails to a merchant whose platform refuses the credentials of a connection, or has taken nothing for minutes, and when a probe finds
// that it works again. What the queue says is looked up first: what has changed meanwhile needs no mail.
import { isVersionRefusal } from '#lib/client/trouble-words.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import { said } from './incident-mail.ts';
import type { TaskWork } from './message.ts';
import type { TaskPorts } from './ports.ts';

export type ConnectionWork = Extract<TaskWork, { readonly slot: string }>;

export async function mailAboutConnection(work: ConnectionWork, ports: TaskPorts): Promise<void> {
  const { config, notices, report } = ports;
  const { merchant, slot } = work;
  const connection = await config.connection(merchant, slot);
  if (connection === null || connection.id !== idIn(work) || !isStill(work, connection)) return;
  const profile = await config.merchant(merchant);
  const sender = await notices();
  if (profile === null || sender === null) return;
  const platform = platformBySlug(connection.platform)?.label ?? connection.platform;
  const { subject, text } = letterAbout(work, connection)(platform, connection, profile.name);
  const sent = await sender.send({ to: profile.email, subject, text: text.join('\n\n') });
  if (!sent) report('a merchant could not be told of a connection', new Error('SES refuses the mail'));
}

function idIn(work: ConnectionWork): string {
  if ('paused' in work) return work.paused;
  return 'failing' in work ? work.failing : work.resumed;
}

function isStill(work: ConnectionWork, { status, pausedReason, circuit }: Connection): boolean {
  if ('paused' in work) return pausedReason === 'auth';
  return status === 'active' && 'failing' in work === (circuit !== undefined);
}

function letterAbout(work: ConnectionWork, { outages, failedCall }: Connection) {
  if ('paused' in work) return isVersionRefusal(failedCall?.code) ? outdated : refusal;
  if ('failing' in work) return failure;
  return outages?.at(-1)?.cause === 'circuit' ? answer : recovery;
}

const failure = (platform: string, { name, circuit }: Connection, shop: string) => ({
  subject: `${platform} takes no events of ${shop}`,
  text: [
    `Calls of the connection "${name}" to ${platform} have failed${since(circuit?.openedAtMs)}.${said(circuit?.failedCall)}`,
    'Events go on being taken, and wait for it. What waits is sent by itself once it answers, and there is a mail then.',
    `If ${platform} has a problem, there is nothing to do: each event is tried for a week. If it says that it has none, look at the connection in the dashboard, under Platforms.`,
    'Other platforms are not concerned.',
  ],
});

const answer = (platform: string, { name, outages }: Connection, shop: string) => ({
  subject: `${platform} takes events of ${shop} again`,
  text: [
    `${platform} takes events of the connection "${name}" again. It had taken none${since(outages?.at(-1)?.fromMs)}.`,
    'What waited is being sent now, the oldest first. There is nothing to do.',
  ],
});

const refusal = (platform: string, { name, pausedAtMs, failedCall }: Connection, shop: string) => ({
  subject: `${platform} refuses the credentials of ${shop}`,
  text: [
    `${platform} refuses the credentials of the connection "${name}"${since(pausedAtMs)}.${said(failedCall)}`,
    'Until there are new ones, nothing is sent there. Events go on being taken, and wait for it.',
    `In the dashboard, under Platforms, ${name} says how many wait and until when they can be sent. Put in new credentials there: what waits is sent then, by itself.`,
    `If the credentials are right and ${platform} has to change something, do that there: one event is sent each hour, and all that waits once it is taken.`,
    'Other platforms are not concerned.',
  ],
});

const outdated = (platform: string, { name, pausedAtMs, failedCall }: Connection, shop: string) => ({
  subject: `${platform} refuses a version of its API for ${shop}`,
  text: [
    `${platform} refuses the version of its API that the connection "${name}" has${since(pausedAtMs)}.${said(failedCall)}`,
    'Nothing is sent there until it has another. Events go on being taken, and wait for it.',
    `In the dashboard, under Platforms, move ${name} to another version: what waits is sent then, by itself.`,
    'Other platforms are not concerned.',
  ],
});

const recovery = (platform: string, { name, outages }: Connection, shop: string) => ({
  subject: `${platform} takes events of ${shop} again`,
  text: [
    `${platform} takes the credentials of the connection "${name}" again. It had refused them${since(outages?.at(-1)?.fromMs)}.`,
    'What waited is being sent now, the oldest first. There is nothing to do.',
    `In the dashboard, under Platforms, ${name} says how many still wait.`,
  ],
});

const since = (ms: number | undefined): string =>
  ms === undefined ? '' : ` since ${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
