// What an event of a test key has that no other has. Guarantees: no caller can choose such an id, so that a test and a live event of
// one `event_id` never meet; a release that does not know `test` takes it for a replay of a crawler: sent nowhere, counted in no figure.
import type { EventBody, EventOrigin } from './event.ts';

const ENDING = '~test';

export const testIdOf = (eventId: string): string => eventId + ENDING;
export const isTestId = (eventId: string): boolean => eventId.endsWith(ENDING);

export const TEST_ORIGIN: EventOrigin = { test: true, replay: true, bot: true };

/** It came with a test key. */
export const isTestBody = ({ internal }: Pick<EventBody, 'internal'>): boolean => internal?.test === true;
