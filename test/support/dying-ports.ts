// What a task stage stands on, and a process that dies at one of its calls.
import type { TaskPorts } from '../../services/events/tasks/ports.ts';
import { LOOKUPS } from './erasing.ts';
import { createMemoryIncidentStore } from './memory/incident-store.ts';
import type { createMemoryPipeline } from './memory-pipeline.ts';

export const taskPorts = (pipeline: ReturnType<typeof createMemoryPipeline>): TaskPorts => ({
  ...pipeline,
  events: pipeline.storedRows,
  people: pipeline.attribution,
  lookups: LOOKUPS,
  notices: async () => null,
  incidents: createMemoryIncidentStore(),
  work: pipeline.queues.tasks,
  report: (_problem, error) => void pipeline.problems.push(error),
});

export class Death extends Error {}

/** Counts the calls of all ports that it is given; one of them dies, before or after it has done its work. */
export function dyingAt(at: number, when: 'before' | 'after') {
  const seen = { calls: 0, deaths: 0 };
  const dying = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const method = target[name as keyof Port];
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          seen.calls += 1;
          const dies = seen.calls === at;
          if (dies) seen.deaths += 1;
          if (dies && when === 'before') throw new Death();
          const answer = await (method as (...given: unknown[]) => Promise<unknown>).apply(target, args);
          if (dies) throw new Death();
          return answer;
        };
      },
    });
  return { seen, dying };
}
