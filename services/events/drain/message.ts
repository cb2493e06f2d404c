/** The drain queue: what a sweep found and did not do itself. */
export { type DueWork, dueWorkSchema } from '#lib/events/domain/deliveries/due-work.ts';
