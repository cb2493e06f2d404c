/** The task queue: jobs of merchants that are to go on. */
export { type TaskWork, taskWorkSchema } from '#lib/events/domain/deliveries/task-work.ts';
