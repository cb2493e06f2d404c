// Mails about kept incidents: when one begins, and where that means something when it is over.
import type { Connection, FailedCall } from '#lib/events/domain/connections/connection.ts';
import { type IncidentLimit, isOpen, type KeptIncident } from '#lib/events/domain/connections/incident.ts';
import { platformOf } from '#lib/events/domain/connections/target.ts';
import { platformBySlug } from '#lib/events/platforms/registry.ts';
import type { TaskPorts } from './ports.ts';

interface Letter {
  readonly subject: string;
  readonly text: readonly string[];
}

/** One that no provider takes is reported, and is not sent again; where the deployment has no domain for mails there is none. */
export async function mailAboutIncident(incident: KeptIncident, ports: TaskPorts): Promise<void> {
  const { config, notices, report } = ports;
  const sender = await notices();
  if (sender === null) return;
  const profile = await config.merchant(incident.merchantId);
  if (profile === null) return;
  const isOfPlace = incident.kind !== 'limit';
  const connection = isOfPlace ? await config.connection(incident.merchantId, incident.subject) : null;
  const { subject, text } = letterAbout(incident, profile.name, connection);
  const sent = await sender.send({ to: profile.email, subject, text: text.join('\n\n') });
  if (!sent) report('a merchant could not be told of an incident', new Error('SES refuses the mail'));
}

function letterAbout(incident: KeptIncident, shop: string, connection: Connection | null): Letter {
  if (incident.kind === 'limit') return limitLetter(incident, shop);
  const slug = platformOf(incident.subject);
  const platform = platformBySlug(slug)?.label ?? slug;
  const named = connection === null ? '' : ` of the connection "${connection.name}"`;
  if (incident.kind === 'window') return windowLetter(incident, platform, named, shop);
  return isOpen(incident)
    ? failingLetter(incident, platform, named, shop)
    : {
        subject: `${platform} takes events of ${shop} again`,
        text: [
          `${platform} takes most of what it is sent${named} again. It had failed since ${utc(incident.sinceMs)}.`,
          'What it may still take is sent again by itself. There is nothing to do.',
        ],
      };
}

const failingLetter = (
  { sinceMs, lastError }: KeptIncident,
  platform: string,
  named: string,
  shop: string,
): Letter => ({
  subject: `${platform} fails much of what ${shop} sends`,
  text: [
    `Much of what is sent to ${platform}${named} has failed since ${utc(sinceMs)}, more than on other days.${said(lastError)}`,
    'What it may take later is sent again by itself. What it refused for good is not.',
    'In the dashboard, Deliveries says of each event why. If the answer names a field, correct what the shop sends.',
    'Other platforms are not concerned. There is a mail when it is over.',
  ],
});

const windowLetter = (
  { closesAtMs }: KeptIncident,
  platform: string,
  named: string,
  shop: string,
): Letter => ({
  subject: `Events of ${shop} will soon be too late for ${platform}`,
  text: [
    `Events wait for ${platform}${named}, and the first of them can be sent until ${utc(closesAtMs)}. After that they are given up, one after another.`,
    `In the dashboard, under Platforms, the connection says why they wait: put in new credentials, or resume it. Where ${platform} does not answer, there is nothing to do: each event is tried once more just before its time is over.`,
    'It is over, without another mail about it, once what waits is taken.',
  ],
});

const LIMIT_WORDS: Readonly<
  Record<IncidentLimit, readonly [what: string, passed: string, todo: string, end: string]>
> = {
  server_events: [
    'events from servers, in a minute or in a day of UTC',
    'Requests beyond it are answered 429 and must be sent again: the answer says when.',
    'Send more evenly, or ask the operator of this deployment for a higher limit.',
    'It is over by itself, without another mail: with the next minute, where it is the limit of a day at midnight UTC.',
  ],
  browser_events: [
    'events from browsers in a minute',
    'Events beyond it are refused, and pages send them again for a while.',
    'A higher limit can be set in the dashboard, under Settings, as far as the operator of this deployment allows.',
    'It is over by itself, without another mail, with the next minute.',
  ],
};

function limitLetter({ subject: name, used = 0, limit = 0, sinceMs }: KeptIncident, shop: string): Letter {
  const [what, passed, todo, end] = LIMIT_WORDS[name as IncidentLimit];
  const isPassed = used >= limit;
  return {
    subject: isPassed ? `${shop} has reached a limit` : `${shop} is near a limit`,
    text: [
      `Of ${limit} ${what}, ${shop} has used ${isPassed ? 'all' : used}, at ${utc(sinceMs)}.`,
      isPassed ? passed : `Beyond the limit: ${passed}`,
      todo,
      end,
    ],
  };
}

/** What a platform answered, in words for a mail. */
export function said(call: FailedCall | undefined): string {
  const answer = call?.status ?? call?.code;
  return `${answer === undefined ? '' : ` It answered ${answer}.`}${call?.message === undefined ? '' : ` It says: ${call.message}`}`;
}

const utc = (ms: number | undefined): string =>
  ms === undefined ? 'some time' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
