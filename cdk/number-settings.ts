// The settings of a deployment that are whole numbers, as data; the others: setting-list.ts.

/** A setting whose value is a whole number. */
export interface NumberSetting {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
  readonly meaning: string;
}

const whole = (min: number, max: number, fallback: number) => ({ min, max, fallback });
/** Lambda accepts nothing else as the maximum concurrency of a queue. */
const ofQueue = (fallback: number) => whole(2, 1_000, fallback);

export const NUMBER_SETTINGS = {
  normalizeConcurrency: { ...ofQueue(50), meaning: 'Invocations of normalize at once.' },
  gatherSec: {
    ...whole(1, 20, 2),
    meaning:
      'Seconds for which accepted events are gathered to be worked off together: more of them cost less, and deliver later.',
  },
  fanOutConcurrency: { ...ofQueue(50), meaning: 'Invocations of fan-out at once.' },
  deliveryConcurrency: {
    ...ofQueue(10),
    meaning: 'Invocations of deliver at once for each platform’s queue.',
  },
  aggregateConcurrency: { ...ofQueue(5), meaning: 'Invocations of aggregate at once.' },
  drainConcurrency: { ...ofQueue(50), meaning: 'Invocations of drain at once.' },
  replayConcurrency: { ...ofQueue(10), meaning: 'Invocations of replay at once, each a step of one plan.' },
  tasksConcurrency: {
    ...ofQueue(10),
    meaning: 'Invocations of tasks at once, each a step of one job of a merchant.',
  },
  auditConcurrency: {
    ...ofQueue(5),
    meaning: 'Invocations of reconcile at once, which recount the hours of all merchants.',
  },
  browserConcurrency: {
    ...whole(0, 1_000, 50),
    meaning:
      'Invocations of browser ingestion at once: kept for it, and the most it gets; 0 = neither. Not when ephemeral.',
  },
  ingestionConcurrency: {
    ...whole(0, 100_000, 400),
    meaning: 'Invocations of ingestion for servers at once, likewise; ten requests a second each.',
  },
  apiConcurrency: { ...whole(0, 10_000, 50), meaning: 'Invocations of the API of events, likewise.' },
  helpdeskApiConcurrency: {
    ...whole(0, 10_000, 50),
    meaning: 'Invocations of the API of the helpdesk, likewise.',
  },
  retentionDaysMax: {
    ...whole(1, 400, 400),
    meaning:
      'The most days a merchant may keep personal data. Rows of events are deleted 35 days later, after 135 days at the earliest.',
  },
  browserEventsPerMinuteMax: {
    ...whole(1, 600_000, 12_000),
    meaning: 'The highest ceiling of browser events a minute that a merchant may set.',
  },
  serverEventsPerMinuteMax: {
    ...whole(1, 60_000_000, 1_200_000),
    meaning: 'Events that the servers of one merchant may send in a minute; more are answered 429.',
  },
  serverEventsPerDayMax: {
    ...whole(1, 10_000_000_000, 5_000_000),
    meaning:
      'The same for a UTC day, where a request counts as one event for each 4 KiB at least: docs/capacity.md.',
  },
  replaysPerDayMax: {
    ...whole(1, 1_000_000_000, 1_000_000),
    meaning: 'Replays that the plans of one merchant store in a UTC day; the rest goes on the day after.',
  },
  readUnitsPerDayMax: {
    ...whole(1_000, 1_000_000_000, 10_000_000),
    meaning:
      'Read units of DynamoDB for requests of one merchant to the API of events in a UTC day, $0.125 a million; then they are answered 429.',
  },
  writeUnitsPerDayMax: {
    ...whole(1_000, 1_000_000_000, 1_000_000),
    meaning: 'Write units, likewise, $0.625 a million.',
  },
  signUpShopsMax: {
    ...whole(1, 20, 1),
    meaning: 'Shops that a person makes with `signUp`, unless a member of as many.',
  },
  signUpsPerAddressMax: {
    ...whole(1, 10_000, 5),
    meaning: 'Shops made from one address in a UTC day.',
  },
  signUpEventsPerDay: {
    ...whole(1, 10_000_000_000, 10_000),
    meaning: 'Server events, and replays, of such a shop in a UTC day.',
  },
  signUpBrowserEventsPerMinute: {
    ...whole(1, 600_000, 60),
    meaning: 'Browser events, likewise, in a minute.',
  },
  aiRequestsPerMinute: {
    ...whole(1, 10_000, 10),
    meaning: 'Questions of one person or API key to the assistant in a minute.',
  },
  aiRequestsPerDay: {
    ...whole(1, 1_000_000, 1_000),
    meaning: 'Questions of one merchant in a UTC day.',
  },
  aiTokensPerDay: {
    ...whole(1, 1_000_000_000, 5_000_000),
    meaning: 'Tokens, in and out, of one merchant’s questions in a UTC day.',
  },
  monthlyUsd: {
    ...whole(0, 10_000_000, 0),
    meaning:
      'Dollars a month: the alarms’ topic gets a message when AWS has billed the account, or expects, more. 0 = no budget; the first two of an account are free.',
  },
  linesPerMinute: {
    ...whole(0, 600, 10),
    meaning:
      'Requests, and calls of platforms, with a log line of their own, by minute and process; the others are summed into one. Failures have up to 60.',
  },
} satisfies Readonly<Record<string, NumberSetting>>;

export type NumberSettingName = keyof typeof NUMBER_SETTINGS;
