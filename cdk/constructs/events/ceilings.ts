// What no merchant can allow itself, whatever it sets. That of retention goes with the tables it is about (events-data.ts).
import { ENV } from '#lib/events/domain/topology.ts';
import type { Settings } from '../../settings.ts';
import type { Access } from '../stage-function.ts';

export type Ceilings = Pick<Settings, 'browserEventsPerMinuteMax' | 'replaysPerDayMax'>;

export const ceilings = ({ browserEventsPerMinuteMax, replaysPerDayMax }: Ceilings): Access => ({
  environment: {
    [ENV.browserEventsPerMinuteMax]: String(browserEventsPerMinuteMax),
    [ENV.replaysPerDayMax]: String(replaysPerDayMax),
  },
  statements: [],
});
