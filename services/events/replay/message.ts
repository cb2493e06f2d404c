/** The replay queue: plans that are to go on. */
export { type ReplayWork, replayWorkSchema } from '#lib/events/domain/replays/work.ts';
