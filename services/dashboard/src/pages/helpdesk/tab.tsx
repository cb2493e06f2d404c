// One of the parts a list is shown in: a link, so that it can be opened beside and shared.
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface TabProps {
  readonly to: string;
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}

export const Tab = ({ to, isCurrent, children }: TabProps) => (
  <Link
    href={to}
    aria-current={isCurrent ? 'page' : undefined}
    className={`inline-flex min-h-8 items-center gap-1 rounded-sm border px-2 text-ink no-underline ${isCurrent ? 'border-accent bg-tint font-bold' : 'border-line bg-surface'}`}
  >
    {children}
  </Link>
);
