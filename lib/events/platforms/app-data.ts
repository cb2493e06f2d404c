// What Meta and Snap want of an app event alike (`app_data`).
import { type AppPart, extinfoOf, isTrackingAllowed } from '../domain/event/app.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import { EMPTY_PLACE } from './json-body.ts';
import type { Unsendable } from './platform.ts';
import { invalid } from './unsendable.ts';

/** Null for what happened in no app, and where all is there that they require; else the field that is not. */
export function appDataFault({ actionSource, app = {} }: NormalizedEvent): Unsendable | null {
  if (actionSource !== 'app') return null;
  if (app.platform === undefined) return invalid('app.platform');
  if (app.os_version === undefined) return invalid('app.os_version');
  return app.tracking === undefined ? invalid('app.tracking') : null;
}

/** As 0 or 1; undefined where nothing is known. */
export function trackingFlag(app: AppPart): 0 | 1 | undefined {
  const isAllowed = isTrackingAllowed(app);
  return isAllowed === undefined ? undefined : isAllowed ? 1 : 0;
}

/** The sixteen facts, empty ones in their places. */
export const extinfo = (app: AppPart): readonly unknown[] | undefined =>
  extinfoOf(app)?.map((fact) => (fact === '' ? EMPTY_PLACE : fact));
