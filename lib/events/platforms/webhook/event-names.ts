import { type EventNames, SNAKE_CASE_NAMES } from '../event-name.ts';

export const WEBHOOK_EVENT_NAMES: EventNames = SNAKE_CASE_NAMES;
