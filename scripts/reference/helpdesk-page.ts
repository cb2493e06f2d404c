// The helpdesk's operations with what they ask for, its events and its environment, as a page.
import type * as z from 'zod';
import { ANY_SCOPE, type Route } from '../../lib/core/http/route.ts';
import { SHARED_VARIABLES } from '../../lib/core/tenancy/environment.ts';
import { helpdeskEnvironment } from '../../lib/helpdesk/domain/account/environment.ts';
import {
  mailEventsEnvironment,
  mailInEnvironment,
  mailOutEnvironment,
} from '../../lib/helpdesk/domain/mail/environment.ts';
import { EVENT_KINDS } from '../../lib/helpdesk/domain/webhooks/event-kind.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { bullets, code, listed, table, variable } from './markdown.ts';

export function helpdeskPage(): string[] {
  const routes: readonly Route[] = HELPDESK_ROUTES;
  return [
    'An API key comes in `X-API-Key`, a session as `Authorization: Bearer`. What each operation takes and answers: [helpdesk-openapi.json](helpdesk-openapi.json).',
    '## Operations',
    `A limit counts the calls of one credential to one operation, from the first one for 60 seconds: ${USUAL_LIMIT}, or the number in brackets.`,
    table(['Scope', 'Credential', 'Operations'], operations(routes)),
    '## Events',
    `A webhook names the ones it wants, or \`*\`: ${listed(EVENT_KINDS)}.`,
    '## Environment variables',
    'Besides those of [both products](environment.md):',
    bullets(variables()),
  ];
}

const USUAL_LIMIT = 60;

/** A row for each scope and kind of credential. */
function operations(routes: readonly Route[]): string[][] {
  const groups = Map.groupBy(routes, (route) => askedBy(route).join('\n'));
  return [...groups].map(([asked, ofGroup]) => [
    ...asked.split('\n'),
    ofGroup
      .map(({ method, path, rateLimit }) => {
        const limit =
          rateLimit === undefined || rateLimit.perMinute === USUAL_LIMIT ? '' : ` (${rateLimit.perMinute})`;
        return `${code(`${method} ${path}`)}${limit}`;
      })
      .join(', '),
  ]);
}

function askedBy({ auth }: Route): readonly [scope: string, credential: string] {
  if (auth === 'public') return ['', 'none'];
  const scope = auth.key === undefined ? '' : auth.key === ANY_SCOPE ? 'any' : code(auth.key);
  return [scope, auth.session === undefined ? 'key' : 'key or session'];
}

function variables(): readonly string[] {
  const shapes = [helpdeskEnvironment, mailOutEnvironment, mailEventsEnvironment, mailInEnvironment];
  const all = Object.assign({}, ...shapes.map(({ shape }) => shape).toReversed()) as Record<
    string,
    z.ZodType
  >;
  const own = Object.entries(all).filter(([name]) => !(name in SHARED_VARIABLES));
  return own.map(([name, schema]) => variable(name, schema));
}
