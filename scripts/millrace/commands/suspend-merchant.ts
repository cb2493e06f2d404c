import * as z from 'zod';
import { type Command, type Scene, textOf, UsageProblem } from '../command.ts';
import { idOf } from '../merchant-views.ts';

const answer = z.object({
  merchant: z.string(),
  changed: z.boolean(),
  suspended: z.object({ since: z.string(), by: z.string(), reason: z.string() }).nullable(),
  keys: z.number(),
});

const said = async ({ ask }: Scene, path: string, wanted: string, more: object) =>
  await ask(path, { merchant: await idOf(ask, wanted), ...more }, answer);

/** The suspension that holds then. */
export async function suspended(scene: Scene, wanted: string, reason: string) {
  const { suspended: held } = await said(scene, 'merchants/suspend', wanted, { reason });
  if (held === null) throw new Error('The operator function does not say that it is suspended.');
  return held;
}

export const suspendMerchant: Command = {
  name: 'merchants suspend',
  takes: ['<id or name>'],
  purpose: 'Refuses its keys, people and pages with 403; what was accepted before goes out.',
  options: {
    reason: { type: 'string', value: 'text', help: 'why; for operators, the merchant is not shown it' },
  },
  prepare(given) {
    const reason = textOf(given, 'reason')?.trim();
    if (reason === undefined || reason === '')
      throw new UsageProblem('Say why: --reason "not paid since May"');
    return async (scene) => {
      const json = await said(scene, 'merchants/suspend', given.positionals[0] ?? '', { reason });
      const { merchant, changed, suspended, keys } = json;
      const how = changed
        ? 'is suspended'
        : `was suspended already, by ${suspended?.by}: ${suspended?.reason}`;
      return {
        json,
        text: `${merchant} ${how}\n${keys} keys and all members are refused from now on, pages within half a minute.\n`,
      };
    };
  },
};

export const resumeMerchant: Command = {
  name: 'merchants resume',
  takes: ['<id or name>'],
  purpose: 'Ends a suspension: keys and people are let in as before.',
  prepare:
    ({ positionals: [wanted = ''] }) =>
    async (scene) => {
      const json = await said(scene, 'merchants/resume', wanted, {});
      const how = json.changed ? 'goes on' : 'was not suspended';
      return { json, text: `${json.merchant} ${how}\n` };
    },
};
