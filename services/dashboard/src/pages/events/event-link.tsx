// An event by its id, as a link to its page.
import { Link } from 'wouter';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { Id } from '#dashboard/parts/written.tsx';

interface EventName {
  readonly event_id: string;
  /** Its door: an id may be there twice. */
  readonly trust: 'server' | 'browser';
}

export const eventAddress = ({ event_id, trust }: EventName): string =>
  withQuery('/event', { id: event_id, trust });

export const EventLink = ({ event_id, trust }: EventName) => (
  <Link href={eventAddress({ event_id, trust })}>
    <Id>{event_id}</Id>
  </Link>
);
