// A page's frame, its panels, and the states of each: loading, empty, failed. The heading takes the focus when the page is
// opened, so that a keyboard or a screen reader begins there. A failure stays in its own panel and says what can be done about
// it; a request is not repeated automatically, except at the time that the service gave.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { apiErrorOf } from './problems.ts';

interface PageProps {
  readonly title: string;
  /** Under the title: one sentence on what the page is for. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, about, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Millrace`;
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="foreign text-xl">
            {title}
          </h1>
          {about && <p className="mt-1 text-dim">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </>
  );
}

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly busy?: boolean;
}

export function Panel({ title, actions, busy = false, children }: PanelProps) {
  return (
    <section
      aria-label={title}
      aria-busy={busy || undefined}
      className={`mb-6 rounded-md border border-line bg-surface p-4 ${busy ? 'opacity-70' : ''}`}
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** As many rows as the expected content has. */
export function Skeleton({ rows }: { readonly rows: number }) {
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

const TONES = {
  bad: 'border-bad bg-bad-tint',
  wait: 'border-wait bg-wait-tint',
  plain: 'border-line bg-tint',
} as const;

interface NoticeProps {
  readonly tone: keyof typeof TONES;
  readonly children: ReactNode;
}

export function Notice({ tone, children }: NoticeProps) {
  return (
    <div
      className={`foreign mb-4 rounded-md border p-3 ${TONES[tone]}`}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      {children}
    </div>
  );
}

/** The failure in words, without its code. */
export function sentenceOf(cause: unknown): string {
  const error = apiErrorOf(cause);
  if (error === undefined) return 'This page could not be shown.';
  if (error.code === 'no_answer') return 'The service did not answer.';
  if (error.code === 'not_json') return 'Something else than the service answered.';
  if (error.code === 'merchant_suspended') return error.message;
  if (error.status === 403) return `Your role does not allow this. ${error.message}`;
  if (error.code === 'not_found')
    return 'There is nothing here with this id. It may belong to another merchant.';
  return error.message;
}

interface FailureProps {
  /** Null: nothing is shown. */
  readonly error: unknown;
  readonly retry?: (() => unknown) | undefined;
  readonly busy?: boolean;
}

export function Failure({ error, retry, busy = false }: FailureProps) {
  const answer = apiErrorOf(error);
  const leftSec = useCountdown(answer?.retryAfterSec ?? 0, error);
  if (!error) return null;
  const canRetry = retry !== undefined && answer?.status !== 403 && answer?.status !== 404;
  return (
    <div role="alert" className="foreign my-3 rounded-md border border-bad bg-bad-tint p-4">
      <p>{sentenceOf(error)}</p>
      {answer && (
        <p className="mt-1 text-sm text-dim">
          {answer.code}
          {answer.requestId && <> · request {answer.requestId}</>}
        </p>
      )}
      {answer?.details.map(({ path, message }) => (
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
  readonly rows: number;
  readonly children: (data: T) => ReactNode;
}

/** The last good answer stays visible while another is fetched, and below the failure if that fails. */
export function Loaded<T>({ query, rows, children }: LoadedProps<T>) {
  const { data, error, isFetching, refetch } = query;
  if (error && data === undefined) return <Failure error={error} retry={refetch} busy={isFetching} />;
  if (data === undefined) return <Skeleton rows={rows} />;
  return (
    <>
      <Failure error={error} retry={refetch} busy={isFetching} />
      {children(data)}
    </>
  );
}

type LoadedPanelProps<T> = Omit<PanelProps, 'children'> & LoadedProps<T>;

export const LoadedPanel = <T,>({ query, rows, children, ...panel }: LoadedPanelProps<T>) => (
  <Panel {...panel}>
    <Loaded query={query} rows={rows}>
      {children}
    </Loaded>
  </Panel>
);
