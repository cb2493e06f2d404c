// What the helpdesk stores with a version, which goes with every change: nothing is overwritten that was not seen.
import type { HelpdeskClient } from '#lib/client/helpdesk-client.ts';
import { useApi, useRequest } from '../../app/api.tsx';

export type Versioned<T> = T & { readonly etag: string };

interface Answered<T> {
  /** Absent in 304, which is of a copy that was not asked about. */
  readonly body?: T | undefined;
  readonly headers?: { readonly etag?: string | undefined };
}

export function versioned<T extends object>({ body, headers }: Answered<T>): Versioned<T> {
  if (body === undefined || headers?.etag === undefined)
    throw new Error('The helpdesk answered without a version.');
  return { ...body, etag: headers.etag };
}

export function useVersioned<T extends object>(
  key: readonly string[],
  ask: (helpdesk: HelpdeskClient, options: { readonly signal: AbortSignal }) => Promise<Answered<T>>,
) {
  const { helpdesk } = useApi();
  return useRequest(key, async (signal) => ({ body: versioned(await ask(helpdesk, { signal })) }));
}
