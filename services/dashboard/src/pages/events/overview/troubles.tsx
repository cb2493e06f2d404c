// Problems, before any figure: each connection that takes no events or fails most calls, since when, how many events
// wait, how many were given up, the platform's message, and what to do. Each number opens its events.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, Time } from '#dashboard/parts/written.tsx';
import { reasonWords } from '#lib/client/reason-words.ts';
import { isVersionRefusal, TROUBLE_WORDS, troubleWords } from '#lib/client/trouble-words.ts';
import type { Connection } from '../platform-list.ts';

type Trouble = NonNullable<Connection['health']['trouble']>;
type Kind = Trouble['kind'];

interface Troubled {
  readonly connection: Connection;
  readonly trouble: Trouble;
}

interface Look {
  readonly link: string;
  readonly sign: string;
  readonly look: string;
}

const LOOKS: Readonly<Record<Kind, Look>> = {
  refused: { link: 'Repair', sign: '✖', look: 'text-bad' },
  unavailable: { link: 'Look', sign: '✖', look: 'text-bad' },
  failing: { link: 'Look', sign: '▲', look: 'text-wait' },
  limited: { link: 'Look', sign: '↻', look: 'text-wait' },
  paused: { link: 'Resume', sign: '↻', look: 'text-wait' },
};
const KINDS = Object.keys(TROUBLE_WORDS) as Kind[];

/** In the order in which to handle them. */
export function troubledOf(connections: readonly Connection[]): readonly Troubled[] {
  return connections
    .flatMap((connection) => {
      const { trouble } = connection.health;
      return trouble === null ? [] : [{ connection, trouble }];
    })
    .toSorted(
      (one, other) =>
        KINDS.indexOf(one.trouble.kind) - KINDS.indexOf(other.trouble.kind) ||
        other.connection.health.backlog - one.connection.health.backlog,
    );
}

/** By its platform, and by its own name where there are several connections to it. */
const nameOf = (connection: Connection, all: readonly Connection[]): string =>
  isAlone(connection, all) ? connection.label : `${connection.label} (${connection.name})`;

function headlineOf(troubled: readonly Troubled[], all: readonly Connection[]): string {
  const names = troubled.map(({ connection }) => nameOf(connection, all));
  if (troubled.every(isLimited)) return `Events wait for the limit of ${names.join(', ')}`;
  if (names.length === 1) return `${names[0]} needs you`;
  return `${count(names.length)} connections need you: ${names.join(', ')}`;
}

const isLimited = ({ trouble }: Troubled): boolean => trouble.kind === 'limited';

const wordsOf = ({ kind, last_error }: Trouble) =>
  troubleWords(kind, { status: last_error?.http_status, code: last_error?.code });

export function Troubles({ connections }: { readonly connections: readonly Connection[] }) {
  const troubled = troubledOf(connections);
  if (troubled.length === 0) return null;
  const isGrave = troubled.some(({ trouble }) => trouble.kind !== 'paused' && trouble.kind !== 'limited');
  return (
    <section
      aria-label="What needs you"
      className={`mb-6 rounded-md border-2 bg-surface p-4 ${isGrave ? 'border-bad' : 'border-wait'}`}
    >
      {/* Only this is announced, because the numbers below change all the time. */}
      <div role="status">
        <h2 className="foreign text-lg">
          <span aria-hidden className={isGrave ? 'text-bad' : 'text-wait'}>
            ▲
          </span>{' '}
          {headlineOf(troubled, connections)}
        </h2>
      </div>
      <ul>
        {troubled.map((one) => (
          <OneTrouble key={one.connection.id} {...one} all={connections} />
        ))}
      </ul>
    </section>
  );
}

const isAlone = ({ id, platform }: Connection, all: readonly Connection[]): boolean =>
  all.every((one) => one.id === id || one.platform !== platform);

/** Leads to the credentials form of the platform; to the list, where there are several connections or a version is to be chosen. */
const placeOf = (connection: Connection, trouble: Trouble, all: readonly Connection[]): string =>
  trouble.kind === 'refused' && !isVersionRefusal(trouble.last_error?.code) && isAlone(connection, all)
    ? withQuery('/connect', { platform: connection.platform, step: 'credentials' })
    : '/platforms';

interface OneTroubleProps extends Troubled {
  readonly all: readonly Connection[];
}

function OneTrouble({ connection, trouble, all }: OneTroubleProps) {
  const name = nameOf(connection, all);
  const { platform, health } = connection;
  const { kind, since, given_up, given_up_from, cleared_by } = trouble;
  const { sign, look, link } = LOOKS[kind];
  const { what, todo } = wordsOf(trouble);
  return (
    <li className="grid gap-x-4 border-t border-line py-2 first:border-0 sm:flex sm:items-baseline">
      <div className="foreign min-w-0 grow">
        <p>
          <span aria-hidden className={`${look} inline-block w-4 font-bold`}>
            {sign}
          </span>{' '}
          <strong>{name}</strong> {what} since <Time at={since} />.
        </p>
        <p>
          <Counted to={withQuery('/events', { platform, outcome: 'waiting' })} value={health.backlog}>
            {health.backlog === 1 ? 'event waits' : 'events wait'}
          </Counted>
          <Counted
            to={withQuery('/events', { platform, status: 'ERROR', start: given_up_from })}
            value={given_up}
          >
            given up
          </Counted>
          {cleared_by === undefined ? (
            <LastChance health={health} />
          ) : (
            <span className="text-dim">
              all of them out by <Time at={cleared_by} /> at the latest
            </span>
          )}
        </p>
        <Said error={trouble.last_error} />
        <p className="text-sm text-dim">{todo}</p>
      </div>
      <Link href={placeOf(connection, trouble, all)} className="shrink-0 font-bold underline">
        {link} <span className="sr-only">{name}</span>
        <span aria-hidden>→</span>
      </Link>
    </li>
  );
}

interface CountedProps {
  readonly to: string;
  readonly value: number;
  readonly children: ReactNode;
}

function Counted({ to, value, children }: CountedProps) {
  if (value === 0) return null;
  return (
    <>
      <Link href={to} className="font-bold">
        {count(value)} {children}
      </Link>
      <span className="text-dim"> · </span>
    </>
  );
}

function LastChance({ health }: Pick<Connection, 'health'>) {
  const { backlog, oldest_waiting: oldest } = health;
  if (backlog === 0) return <span className="text-dim">nothing waits</span>;
  if (oldest?.window_closes_at === undefined) return <span className="text-dim">none is lost meanwhile</span>;
  return (
    <span className="text-dim">
      the oldest is tried until <Time at={oldest.window_closes_at} />
    </span>
  );
}

/**
 * The platform's own message, or ours without one. Its code for the platform's support, unless it repeats the status.
 */
function Said({ error }: { readonly error: Trouble['last_error'] }) {
  if (error === null) return null;
  const { http_status, message, code = 'other' } = error;
  if (http_status === undefined)
    return <p className="foreign text-sm">The latest call failed: {reasonWords(code)}.</p>;
  return (
    <p className="foreign text-sm">
      It answered {http_status}
      {message ? <>: “{message}”</> : '.'}
      {!code.startsWith('http_') && <span className="text-dim"> (code {code})</span>}
    </p>
  );
}
