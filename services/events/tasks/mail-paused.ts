// A mail to a merchant whose connection was paused because its platform refuses the credentials. What the queue says is looked
// up first: a connection that works again, or is gone, needs no mail.
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import type { TaskWork } from './message.ts';
import type { TaskPorts } from './ports.ts';

export type PausedWork = Extract<TaskWork, { readonly paused: string }>;

export async function mailPaused(
  { merchant, paused: id, slot }: PausedWork,
  ports: TaskPorts,
): Promise<void> {
  const { config, notices, report } = ports;
  const connection = await config.connection(merchant, slot);
  if (connection?.id !== id || connection.status !== 'paused' || connection.pausedReason !== 'auth') return;
  const profile = await config.merchant(merchant);
  const sender = await notices();
  if (profile === null || sender === null) return;
  const platform = platformBySlug(connection.platform)?.label ?? connection.platform;
  const sent = await sender.send({
    to: profile.email,
    subject: `${platform} refuses the credentials of ${profile.name}`,
    text: [
      `${platform} refuses the credentials of the connection "${connection.name}"${since(connection.pausedAtMs)}.`,
      'Until there are new ones, nothing is sent there. Events go on being taken, and wait for it.',
      `In the dashboard, under Platforms, ${connection.name} says how many wait and until when they can be sent. Put in new credentials there: what waits is sent then, by itself.`,
      `If the credentials are right and ${platform} has to change something, do that there: one event is sent each hour, and all that waits once it is taken.`,
      'Other platforms are not concerned.',
    ].join('\n\n'),
  });
  if (!sent) report('a merchant could not be told of a paused connection', new Error('SES refuses the mail'));
}

const since = (ms: number | undefined): string =>
  ms === undefined ? '' : ` since ${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
