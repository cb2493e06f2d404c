// The helpdesk's operations with what they ask for, its events and its environment, as a page.
import * as z from 'zod';
import { ANY_SCOPE, type Route } from '../../lib/core/http/route.ts';
import { helpdeskEnvironment } from '../../lib/helpdesk/domain/environment.ts';
import { EVENT_KINDS } from '../../lib/helpdesk/domain/event-kind.ts';
import {
  mailEventsEnvironment,
  mailInEnvironment,
  mailOutEnvironment,
} from '../../lib/helpdesk/domain/mail-environment.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { code, listed, table } from './markdown.ts';

export function helpdeskPage(): string[] {
  const routes: readonly Route[] = HELPDESK_ROUTES;
  return [
    'An API key comes in `X-API-Key`, a session as `Authorization: Bearer`. A limit counts the calls of one credential to one operation, from the first one for 60 seconds.',
    '## Operations',
    table(
      ['Operation', 'Scope', 'Credential', 'A minute', 'Summary'],
      routes.map((route) => [
        code(`${route.method} ${route.path}`),
        ...askedBy(route),
        route.rateLimit === undefined ? '' : route.rateLimit.perMinute,
        route.summary,
      ]),
    ),
    '## Events',
    `A webhook names the ones it wants, or \`*\`: ${listed(EVENT_KINDS.map(code))}.`,
    '## Environment variables',
    table(['Variable', 'Required', 'Meaning'], variables()),
  ];
}

function askedBy({ auth }: Route): readonly [scope: string, credential: string] {
  if (auth === 'public') return ['', 'none'];
  const scope = auth.key === undefined ? '' : auth.key === ANY_SCOPE ? 'any' : code(auth.key);
  return [scope, auth.session === undefined ? 'key' : 'key or session'];
}

function variables(): readonly (readonly string[])[] {
  const shapes = [helpdeskEnvironment, mailOutEnvironment, mailEventsEnvironment, mailInEnvironment];
  const all = Object.assign({}, ...shapes.map(({ shape }) => shape).toReversed()) as Record<
    string,
    z.ZodType
  >;
  return Object.entries(all).map(([name, schema]) => [
    code(name),
    schema.safeParse(undefined).success ? 'no' : 'yes',
    z.globalRegistry.get(schema)?.description ?? '',
  ]);
}
