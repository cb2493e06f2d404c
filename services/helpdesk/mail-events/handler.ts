import { systemPause } from '#lib/adapters/clock/system-clock.ts';
import { createMailSender } from '#lib/adapters/ses/mail-sender.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import { type RawEnvironment, readEnvironment } from '#lib/helpdesk/domain/account/environment.ts';
import { mailEventsEnvironment } from '#lib/helpdesk/domain/mail/environment.ts';
import { mailEventSchema } from './message.ts';
import { createMailEventStage } from './stage.ts';

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(mailEventsEnvironment, env);
  const base = createFunctionBase('mail-events', settings);
  const stage = createMailEventStage({
    ...helpdeskPorts(base, settings),
    sender: createMailSender(),
    pause: systemPause,
    bounced: () => base.measure({ MailBounces: 1 }),
  });
  return stageFunction('mail-events', base, mailEventSchema, stage);
}
