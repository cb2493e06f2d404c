// What is wrong with a connection and what to do, in a sentence each: the one place for the API and the pages. It follows the
// name of the platform.

export type TroubleKind = 'refused' | 'unavailable' | 'failing' | 'limited' | 'paused';

interface TroubleWords {
  readonly what: string;
  readonly todo: string;
}

/** The most severe first. */
export const TROUBLE_WORDS: Readonly<Record<TroubleKind, TroubleWords>> = {
  refused: {
    what: 'refuses its credentials',
    todo: 'It needs new credentials, or a change at the platform: what waits is sent then.',
  },
  unavailable: {
    what: 'does not take events',
    todo: 'It is tried again by itself, and what waits is sent then.',
  },
  failing: {
    what: 'fails most of what it is sent',
    todo: 'What it may take later is sent again by itself.',
  },
  limited: {
    what: 'takes no more at a time: its limit holds events back',
    todo: 'They go out by themselves, as fast as the platform allows.',
  },
  paused: {
    what: 'is paused by a person',
    todo: 'Its events wait until it is resumed.',
  },
};

const TOO_MANY_REQUESTS = 429;

const VERSION_WORDS: TroubleWords = {
  what: 'refuses the version of its API that the connection has',
  todo: 'Move the connection to another version: what waits is sent then.',
};

/** Platforms that say so have this code for it. */
export const isVersionRefusal = (code: string | undefined): boolean =>
  code?.endsWith('.no_such_version') === true;

/** Where the latest failure is the platform's limit, or about the version of its API, that is what it says. */
export function troubleWords(
  kind: TroubleKind,
  { status, code }: { readonly status?: number | undefined; readonly code?: string | undefined } = {},
): TroubleWords {
  if (kind === 'refused' && isVersionRefusal(code)) return VERSION_WORDS;
  const isThrottled = status === TOO_MANY_REQUESTS && (kind === 'failing' || kind === 'unavailable');
  const { what, todo } = TROUBLE_WORDS[kind];
  return { what: isThrottled ? 'limits what it takes' : what, todo };
}

/** Of incidents that are no trouble of a connection's calls; while they go on, and once they are over. */
export const INCIDENT_WORDS = {
  window: {
    what: 'will soon be too late for events that wait for it',
    was: 'was soon too late for events that waited for it',
    todo: 'Put in new credentials or resume the connection before then; what is too late is given up.',
  },
  held: {
    what: 'is kept back for all merchants by those who run the deployment',
    todo: 'Nothing is lost: what waits is sent when it goes on.',
  },
  server_events: {
    what: 'Events from servers are near the limit of a minute or a day, or beyond it',
    was: 'Events from servers were near the limit of a minute or a day, or beyond it',
    todo: 'What is beyond it is answered 429 and must be sent again. Send more evenly, or ask the operator for more.',
  },
  browser_events: {
    what: 'Events from browsers are near the limit of a minute, or beyond it',
    was: 'Events from browsers were near the limit of a minute, or beyond it',
    todo: 'What is beyond it is refused. A higher limit can be set in the settings, as far as the operator allows.',
  },
} as const;
