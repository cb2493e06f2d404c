// What is known of a thing, by names.
import type { ReactNode } from 'react';

interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Of the list; absent: beside each other, wrapped. */
  readonly className?: string;
}

export const Facts = ({ facts, className = 'mb-4 flex flex-wrap gap-6' }: FactsProps) => (
  <dl className={className}>
    {facts.map(([name, value]) => (
      <div key={name} className="min-w-0">
        <dt className="text-sm text-dim">{name}</dt>
        <dd className="foreign">{value}</dd>
      </div>
    ))}
  </dl>
);
