// Whose credentials a preview is built with: pasted ones, the connection's, or samples that show the shape. Guarantees:
// whatever they are, the platform's own schema has accepted them; a connection of another merchant is like one that never was.

import { type Failure, refuse } from '#lib/core/http/handler.ts';
import { detailsOf, issueText } from '#lib/core/http/issue-text.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import { openCredentials } from '#lib/events/pipeline/connections/open-connection.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import samples from '#lib/events/platforms/sample-credentials.json' with { type: 'json' };
import type { ApiPorts } from '../ports.ts';

const SAMPLES: Readonly<Record<string, unknown>> = samples;

export interface ChosenCredentials {
  readonly origin: 'given' | 'connection' | 'sample';
  readonly credentials: unknown;
  /** Whose they are, where they are a connection's. */
  readonly connection?: Connection;
}

export interface CredentialSource {
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly connection_id?: string | undefined;
}

type Refusal = Failure<'not_found' | 'invalid_request'>;

/** `connections`: the caller's. */
export async function chooseCredentials(
  { credentials, connection_id }: CredentialSource,
  platform: Platform,
  connections: readonly Connection[],
  ports: Pick<ApiPorts, 'vault'>,
): Promise<ChosenCredentials | Refusal> {
  if (credentials !== undefined) return check('given', 'credentials', credentials, platform);
  const named = connections.find(({ id }) => id === connection_id);
  if (connection_id !== undefined && named === undefined) return { failure: 'not_found' };
  if (named !== undefined && named.platform !== platform.slug)
    return refuse('connection_id', `is a connection to ${named.platform}`);
  const connection = named ?? connections.find((one) => one.platform === platform.slug);
  if (connection === undefined) return check('sample', 'credentials', SAMPLES[platform.slug] ?? {}, platform);
  const opened = await openCredentials(ports.vault, connection, platform);
  const checked = check('connection', 'connection_id', opened, platform);
  return 'failure' in checked ? checked : { ...checked, connection };
}

/** A connection's may fail as well: the schema may ask for more than it did when they were entered. */
function check(
  origin: ChosenCredentials['origin'],
  field: string,
  value: unknown,
  platform: Platform,
): ChosenCredentials | Refusal {
  const parsed = platform.credentials.safeParse(value, { error: issueText });
  if (parsed.success) return { origin, credentials: parsed.data };
  const details = detailsOf(parsed.error.issues).map(({ path, message }) => ({
    path: path === '' ? field : `${field}.${path}`,
    message,
  }));
  return { failure: 'invalid_request', details };
}
