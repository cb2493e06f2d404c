// What was received, as the API shows it: digests shortened, addresses and identifiers masked.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { JsonView } from '#dashboard/parts/json.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { Id, Time } from '#dashboard/parts/written.tsx';
import type { EventAnswer } from './event.tsx';

export function Received({ event }: { readonly event: EventAnswer['event'] }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Event id', <Id key="id">{event.event_id}</Id>],
    ['Platforms deduplicate on', event.dedup_id && <Id key="dedup">{event.dedup_id}</Id>],
    [
      'Order id',
      event.order_id && (
        <Link key="order" href={withQuery('/events', { order_id: event.order_id })}>
          <Id>{event.order_id}</Id>
        </Link>
      ),
    ],
    ['Happened', <Time key="at" at={new Date(event.event_time * 1_000).toISOString()} />],
    ['Source', event.source],
    ['Page', event.event_source_url],
    ['Referrer', event.referrer_url],
    [
      'Consent',
      Object.entries(event.consent)
        .map(([signal, word]) => `${signal}: ${word}`)
        .join(', '),
    ],
    ['Same id refused until', <Time key="window" at={event.expires_at} />],
  ];
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <dl className="grid content-start gap-y-2">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name} className="grid gap-x-3 sm:grid-cols-3">
              <dt className="text-dim">{name}</dt>
              <dd className="foreign sm:col-span-2">{value}</dd>
            </div>
          ))}
      </dl>
      <div className="min-w-0">
        <h3 className="mb-1">About the person</h3>
        <p className="foreign mb-2 text-dim">
          {event.identity.fields.length === 0 ? 'Nothing was sent.' : event.identity.fields.join(', ')}
        </p>
        <JsonView
          name="Items, identity and custom data"
          value={{
            items: event.items,
            identity: { ...event.identity.hashed, ...event.identity.raw },
            custom_data: event.custom_data,
          }}
        />
      </div>
    </div>
  );
}
