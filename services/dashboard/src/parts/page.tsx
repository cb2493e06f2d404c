// A page's frame: its heading takes the focus when the page is opened, so that a keyboard or a screen reader begins there.
import { type ReactNode, useEffect, useRef } from 'react';

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
