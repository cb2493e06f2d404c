// What the stacks of an environment are called, and what else has a name that an account and region have once.

/** Without `Millrace` in front. */
export const STACKS = [
  'Core',
  'EventsData',
  'Events',
  'HelpdeskData',
  'Helpdesk',
  'Operator',
  'Dashboard',
  'Edge',
  'Observability',
] as const;
/** Said for the environment without a name. */
export const UNNAMED = 'none';
export type StackPart = (typeof STACKS)[number];

/** `eu-test` → `MillraceEuTest`. Without an environment the names are those from before there were several. */
export const stackPrefix = (environment: string | undefined): string =>
  `Millrace${(environment ?? '').replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}`;

export const stackName = (environment: string | undefined, part: StackPart): string =>
  `${stackPrefix(environment)}${part}`;

/** In small letters: `millrace-eu-test`. */
export const resourcePrefix = (environment: string | undefined): string =>
  environment === undefined ? 'millrace' : `millrace-${environment}`;

/** Of the parameter that holds what a deployment was made from. */
export const SETTINGS_PARAMETER = 'settings';

/** Of parameters of Systems Manager: `/millrace/eu-test/…`. */
export const parameterOf = (environment: string | undefined, name: string): string =>
  environment === undefined ? `/millrace/${name}` : `/millrace/${environment}/${name}`;
