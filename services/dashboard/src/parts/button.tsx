// Buttons and links that look like them: at least 28 px high, and busy while their action runs, so that a second press
// does nothing.
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';

type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

const BASE =
  'inline-flex items-center justify-center gap-2 min-h-8 px-3 py-1 rounded-sm text-base no-underline hover:no-underline select-none';
const KINDS: Readonly<Record<Kind, string>> = {
  primary: 'bg-accent text-on-accent font-bold border border-accent',
  plain: 'bg-surface text-ink border border-control hover:bg-hover',
  danger: 'bg-surface text-bad border border-bad font-bold hover:bg-bad-tint',
  quiet: 'text-accent border border-transparent hover:bg-hover',
};

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: Kind;
  readonly busy?: boolean;
  /** Why it cannot be pressed: shown as its tooltip; the page shows it beside the button as well. */
  readonly refused?: string | undefined;
}

export function Button({
  kind = 'plain',
  busy = false,
  refused,
  className = '',
  onClick,
  ...props
}: ButtonProps) {
  const isOff = busy || refused !== undefined || props.disabled === true;
  return (
    <button
      type="button"
      {...props}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      title={refused ?? props.title}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
      disabled={false}
      className={`${BASE} ${KINDS[kind]} ${isOff ? 'opacity-60' : ''} ${className}`}
    />
  );
}

export function LinkButton({
  to,
  kind = 'plain',
  children,
}: {
  readonly to: string;
  readonly kind?: Kind;
  readonly children: ReactNode;
}) {
  return (
    <Link href={to} className={`${BASE} ${KINDS[kind]}`}>
      {children}
    </Link>
  );
}
