// What operators may ask for, each by a POST to a path of its own, with a body of JSON.
import type * as z from 'zod';
import { endPass, passAsked, passEnded, passTo } from './across/pass.ts';
import {
  pausedPlatforms,
  pausePlatform,
  platformPaused,
  platformResumed,
  platformsAsked,
  resumePlatform,
} from './across/platforms.ts';
import { lookAtRow, rowLooked } from './across/row-look.ts';
import { createMerchant, type MadeMerchant } from './create-merchant.ts';
import { merchantRemoved, removeMerchant } from './ending/remove.ts';
import { limitMerchant, merchantLimited } from './limits.ts';
import { listMerchants, merchantList, merchantShown, showMerchant } from './list-merchants.ts';
import { invitePerson, listPeople, peopleListed, personInvited } from './people.ts';
import type { OperatorPorts } from './ports.ts';
import type { Refused } from './refused.ts';
import { newMerchant } from './request.ts';
import {
  beginRotation,
  endRotation,
  keysRotated,
  rotateKeys,
  rotationBegun,
  rotationEnded,
} from './rotating/rotate.ts';
import { dueAsked, dueNow, merchantsInTrouble, troubleAsked } from './status.ts';
import { merchantResumed, merchantSuspended, resumeMerchant, suspendMerchant } from './suspend.ts';

interface Done {
  readonly said: object;
  /** Something was made: 201. */
  readonly isNew?: boolean;
}

interface Operation<Asked = unknown> {
  readonly body: z.ZodType<Asked>;
  readonly run: (asked: Asked, actor: string, ports: OperatorPorts) => Promise<Done | Refused>;
}

const saying =
  <Asked, Said extends object>(
    work: (asked: Asked, actor: string, ports: OperatorPorts) => Promise<Said | Refused>,
  ): Operation<Asked>['run'] =>
  async (...asked) => {
    const said = await work(...asked);
    return 'refused' in said ? said : { said };
  };

const operation = <Asked>(body: z.ZodType<Asked>, run: Operation<Asked>['run']): Operation =>
  // Its own schema has read what it runs on.
  ({ body, run: run as Operation['run'] });

export const OPERATIONS_AT = '/operator/v1/';
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    merchants: operation(newMerchant, async (asked, actor, ports) => {
      const made = await createMerchant(asked, actor, ports);
      return 'refused' in made ? made : { said: viewOf(made), isNew: made.isNew };
    }),
    'merchants/list': operation(merchantList, saying(listMerchants)),
    'merchants/limits': operation(merchantLimited, saying(limitMerchant)),
    'merchants/suspend': operation(merchantSuspended, saying(suspendMerchant)),
    'merchants/resume': operation(merchantResumed, saying(resumeMerchant)),
    'merchants/remove': operation(merchantRemoved, saying(removeMerchant)),
    'status/due': operation(dueAsked, saying(dueNow)),
    'status/trouble': operation(troubleAsked, saying(merchantsInTrouble)),
    'people/invite': operation(personInvited, async (...asked) => {
      const done = await invitePerson(...asked);
      return 'refused' in done ? done : { said: done, isNew: done.person.is_new };
    }),
    'merchants/read': operation(passAsked, saying(passTo('read'))),
    'merchants/row': operation(rowLooked, saying(lookAtRow)),
    'merchants/change': operation(passAsked, saying(passTo('change'))),
    'merchants/end': operation(passEnded, saying(endPass)),
    'platforms/pause': operation(platformPaused, saying(pausePlatform)),
    'platforms/resume': operation(platformResumed, saying(resumePlatform)),
    'platforms/paused': operation(platformsAsked, saying(pausedPlatforms)),
    'credentials/begin': operation(rotationBegun, saying(beginRotation)),
    'credentials/rotate': operation(keysRotated, saying(rotateKeys)),
    'credentials/end': operation(rotationEnded, saying(endRotation)),
    'people/list': operation(peopleListed, saying(listPeople)),
    'merchants/show': operation(merchantShown, saying(showMerchant)),
  }).map(([name, one]) => [`${OPERATIONS_AT}${name}`, one]),
);

const viewOf = ({ id, name, isNew, owner, keys }: MadeMerchant) => ({
  merchant: { id, name, is_new: isNew },
  owner,
  keys,
});
