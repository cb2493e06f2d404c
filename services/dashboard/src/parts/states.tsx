// The states of every panel: loading, empty, failed. A failure stays in its own panel and says what can be done about
// it; a request is not repeated automatically, except at the time that the service gave.
import { type ReactNode, useEffect, useState } from 'react';
import type { ApiError } from '#lib/client/client.ts';
import { Button } from './button.tsx';

/** As many rows as the expected content has. */
export function Skeleton({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div className="late" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a skeleton are all alike
        <div key={row} className="mb-2 h-7 rounded-sm bg-hover" />
      ))}
    </div>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="py-6 text-center">
      <p className="font-bold">{title}</p>
      {children && <div className="mx-auto mt-2 max-w-120 text-dim">{children}</div>}
    </div>
  );
}

export function Notice({
  tone,
  children,
}: {
  readonly tone: 'bad' | 'wait' | 'plain';
  readonly children: ReactNode;
}) {
  const tones = {
    bad: 'border-bad bg-bad-tint',
    wait: 'border-wait bg-wait-tint',
    plain: 'border-line bg-tint',
  };
  return (
    <div
      className={`foreign mb-4 rounded-md border p-3 ${tones[tone]}`}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      {children}
    </div>
  );
}

const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError';

/** The failure in words, without its code. */
export function sentenceOf(error: unknown): string {
  if (!isApiError(error)) return 'This page could not be shown.';
  if (error.code === 'no_answer') return 'The service did not answer.';
  if (error.code === 'not_json') return 'Something else than the service answered.';
  if (error.status === 403) return `Your role does not allow this. ${error.message}`;
  if (error.code === 'not_found')
    return 'There is nothing here with this id. It may belong to another merchant.';
  return error.message;
}

interface FailureProps {
  readonly error: unknown;
  readonly retry?: (() => unknown) | undefined;
  readonly busy?: boolean;
}

export function Failure({ error, retry, busy = false }: FailureProps) {
  const told = isApiError(error) ? error : undefined;
  const leftSec = useCountdown(told?.retryAfterSec ?? 0, error);
  const canRetry = retry !== undefined && told?.status !== 403 && told?.status !== 404;
  return (
    <div role="alert" className="foreign my-3 rounded-md border border-bad bg-bad-tint p-4">
      <p>{sentenceOf(error)}</p>
      {told && (
        <p className="mt-1 text-sm text-dim">
          {told.code}
          {told.requestId && <> · request {told.requestId}</>}
        </p>
      )}
      {told?.details.map(({ path, message }) => (
        <p key={`${path} ${message}`} className="mt-1 text-sm">
          {path}: {message}
        </p>
      ))}
      {canRetry && (
        <Button
          className="mt-3"
          busy={busy}
          refused={leftSec > 0 ? 'The service asked to wait.' : undefined}
          onClick={() => retry()}
        >
          {leftSec > 0 ? `Retry in ${leftSec} s` : 'Retry'}
        </Button>
      )}
    </div>
  );
}

function useCountdown(fromSec: number, of: unknown): number {
  const [left, setLeft] = useState(fromSec);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another failure counts from its own start
  useEffect(() => {
    setLeft(fromSec);
    if (fromSec <= 0) return;
    const timer = setInterval(() => setLeft((sec) => Math.max(0, sec - 1)), 1_000);
    return () => clearInterval(timer);
  }, [fromSec, of]);
  return left;
}

interface Asked<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

interface LoadedProps<T> {
  readonly query: Asked<T>;
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** The last good answer stays visible while another is fetched, and below the failure if that fails. */
export function Loaded<T>({ query, rows, children }: LoadedProps<T>) {
  const { data, error, isFetching, refetch } = query;
  if (error && data === undefined) return <Failure error={error} retry={refetch} busy={isFetching} />;
  if (data === undefined) return <Skeleton {...(rows === undefined ? {} : { rows })} />;
  return (
    <>
      {error ? <Failure error={error} retry={refetch} busy={isFetching} /> : null}
      {children(data)}
    </>
  );
}
