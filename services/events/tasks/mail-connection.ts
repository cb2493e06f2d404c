// Mails to a merchant whose platform refuses the credentials of a connection, and, after a probe, takes them again. What the queue
// says is looked up first: what has changed meanwhile needs no mail.
import type { Connection, FailedCall } from '#lib/events/domain/connections/connection.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import type { TaskWork } from './message.ts';
import type { TaskPorts } from './ports.ts';

export type ConnectionWork = Extract<TaskWork, { readonly slot: string }>;

export async function mailAboutConnection(work: ConnectionWork, ports: TaskPorts): Promise<void> {
  const { config, notices, report } = ports;
  const { merchant, slot } = work;
  const connection = await config.connection(merchant, slot);
  const isPaused = 'paused' in work;
  if (connection?.id !== (isPaused ? work.paused : work.resumed)) return;
  if (isPaused ? connection.pausedReason !== 'auth' : connection.status !== 'active') return;
  const profile = await config.merchant(merchant);
  const sender = await notices();
  if (profile === null || sender === null) return;
  const platform = platformBySlug(connection.platform)?.label ?? connection.platform;
  const { subject, text } = (isPaused ? refusal : recovery)(platform, connection, profile.name);
  const sent = await sender.send({ to: profile.email, subject, text: text.join('\n\n') });
  if (!sent) report('a merchant could not be told of a connection', new Error('SES refuses the mail'));
}

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

const recovery = (platform: string, { name, outages }: Connection, shop: string) => ({
  subject: `${platform} takes events of ${shop} again`,
  text: [
    `${platform} takes the credentials of the connection "${name}" again. It had refused them${since(outages?.at(-1)?.fromMs)}.`,
    'What waited is being sent now, the oldest first. There is nothing to do.',
    `In the dashboard, under Platforms, ${name} says how many still wait.`,
  ],
});

function said(call: FailedCall | undefined): string {
  if (call === undefined) return '';
  const { status, code, message } = call;
  const answer = status === undefined ? code : status;
  return `${answer === undefined ? '' : ` It answered ${answer}.`}${message === undefined ? '' : ` It says: ${message}`}`;
}

const since = (ms: number | undefined): string =>
  ms === undefined ? '' : ` since ${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
