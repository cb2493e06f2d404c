import { systemPause } from '#lib/adapters/clock/system-clock.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import {
  CARRY_OUT_VARIABLES,
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import { mailInEnvironment } from '#lib/helpdesk/domain/mail/environment.ts';
import { taskPointerSchema } from './message.ts';
import type { TaskPorts } from './ports.ts';
import { createTaskStage } from './stage.ts';

const variables = helpdeskEnvironment
  .pick(CARRY_OUT_VARIABLES)
  // Only where tickets have e-mail.
  .extend({ HELPDESK_MAIL_BUCKET: mailInEnvironment.shape.HELPDESK_MAIL_BUCKET.optional() });

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('helpdesk-tasks', settings);
  const stage = createTaskStage({
    ...helpdeskPorts(base, settings),
    originals: originalsOf(settings.HELPDESK_MAIL_BUCKET),
    pause: systemPause,
  });
  return stageFunction('tasks', base, taskPointerSchema, stage);
}

/** Loaded by the first mail that is to go. */
function originalsOf(bucket: string | undefined): TaskPorts['originals'] {
  if (bucket === undefined) return null;
  return {
    remove: async (key) => {
      const { createObjectStore } = await import('#lib/adapters/s3/object-store.ts');
      await createObjectStore(bucket).remove(key);
    },
  };
}
