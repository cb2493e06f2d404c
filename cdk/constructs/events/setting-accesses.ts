// What functions of events get from the settings of a deployment.
import { Aws } from 'aws-cdk-lib';
import type { SignUpRules } from '#lib/events/domain/sign-up.ts';
import { ENV } from '#lib/events/domain/topology.ts';
import type { Settings } from '../../settings.ts';
import { readingParameters } from '../setting-accesses.ts';
import { type Access, permission, variables } from '../stage-function.ts';

/** Where requests to platforms go instead, in deployments for tests. */
export const sandbox = ({ sandboxUrl }: Settings): Access => variables({ [ENV.sandboxUrl]: sandboxUrl });

/** Which platforms are known; all where the setting is not given. */
export const knownPlatforms = ({ platforms }: Settings): Access =>
  variables({ [ENV.platforms]: platforms?.join(',') });

/** What no merchant can allow itself, whatever it sets. That of retention goes with the tables it is about (events-data.ts). */
export const ceilings = ({ browserEventsPerMinuteMax, replaysPerDayMax }: Settings): Access =>
  variables({
    [ENV.browserEventsPerMinuteMax]: String(browserEventsPerMinuteMax),
    [ENV.replaysPerDayMax]: String(replaysPerDayMax),
  });

/** What requests of one merchant may consume of the tables. */
export const unitBudget = ({ readUnitsPerDayMax, writeUnitsPerDayMax }: Settings): Access =>
  variables({
    [ENV.readUnitsPerDayMax]: String(readUnitsPerDayMax),
    [ENV.writeUnitsPerDayMax]: String(writeUnitsPerDayMax),
  });

/** The most that the servers of one merchant may send. */
export const serverLimit = ({ serverEventsPerMinuteMax, serverEventsPerDayMax }: Settings): Access =>
  variables({
    [ENV.serverEventsPerMinuteMax]: String(serverEventsPerMinuteMax),
    [ENV.serverEventsPerDayMax]: String(serverEventsPerDayMax),
  });

/** How people make shops; the partitions are those of any person who joins or manages one. */
export const signUps = (settings: Settings): Access =>
  variables({
    [ENV.signUp]: settings.signUp
      ? JSON.stringify({
          shops: settings.signUpShopsMax,
          perAddress: settings.signUpsPerAddressMax,
          serverEventsPerDay: settings.signUpEventsPerDay,
          browserEventsPerMinute: settings.signUpBrowserEventsPerMinute,
        } satisfies SignUpRules)
      : undefined,
  });

/** By what function of a CDN in front of it browser ingestion knows the visitor's address. */
export function edge({ edge: settings }: Settings): readonly Access[] {
  if (settings === undefined) return [];
  const { secret, addressHeader } = settings;
  const header = variables({ [ENV.edgeAddressHeader]: addressHeader });
  if (typeof secret === 'string') return [header, variables({ [ENV.edgeSecret]: secret })];
  const { parameter } = secret;
  return [header, variables({ [ENV.edgeSecretParameter]: parameter }), readingParameters(parameter)];
}

/** Mails to merchants about their own account, where the deployment has a domain that SES sends from. */
export function notices({ mailDomain }: Settings): readonly Access[] {
  if (mailDomain === undefined) return [];
  const identity = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${mailDomain}`;
  return [variables({ [ENV.noticeMailDomain]: mailDomain }), permission(['ses:SendEmail'], [identity])];
}

/** To take payments: the names of two parameters, and leave to read them. What they hold is in no template. */
export function stripe({ stripe: settings }: Settings): readonly Access[] {
  if (settings === undefined) return [];
  const { secretKeyParameter, webhookSecretParameter, apiUrl } = settings;
  return [
    variables({
      [ENV.stripeSecretKeyParameter]: secretKeyParameter,
      [ENV.stripeWebhookSecretParameter]: webhookSecretParameter,
      [ENV.stripeApiUrl]: apiUrl,
    }),
    readingParameters(secretKeyParameter, webhookSecretParameter),
  ];
}
