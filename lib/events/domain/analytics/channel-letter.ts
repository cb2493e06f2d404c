// A channel as one letter, the way keys of rows and pointers in queues spell it.
import type { Channel } from '../event/normalized-event.ts';

export const CHANNEL_LETTERS = ['s', 'b'] as const;
export type ChannelLetter = (typeof CHANNEL_LETTERS)[number];

export const letterOf = (channel: Channel): ChannelLetter => (channel === 'server' ? 's' : 'b');

/** Any other text than the letter of the server channel is the browser channel: the one that is trusted less. */
export const channelOf = (letter: string): Channel => (letter === 's' ? 'server' : 'browser');
