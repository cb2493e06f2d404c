import { OUR_NAMES } from '../event-name.ts';

export const S3_EVENT_NAMES = OUR_NAMES;
