import * as z from 'zod';
import type { Command } from '../command.ts';
import {
  costText,
  isId,
  listText,
  merchant,
  merchantNamed,
  merchantsOf,
  merchantText,
} from '../merchant-views.ts';

export const listMerchants: Command = {
  name: 'merchants list',
  takes: [],
  purpose: 'Every merchant: state, owner, plan, platforms, open incidents, events of the month.',
  prepare:
    () =>
    async ({ ask, remark }) => {
      const { merchants, readUnits } = await merchantsOf(ask);
      remark(costText(readUnits));
      return { json: merchants, text: listText(merchants) };
    },
};

export const showMerchant: Command = {
  name: 'merchants show',
  takes: ['<id or name>'],
  purpose: 'One merchant, with each platform and incident.',
  prepare:
    ({ positionals: [wanted = ''] }) =>
    async ({ ask }) => {
      const shown = isId(wanted)
        ? (await ask('merchants/show', { merchant: wanted }, z.object({ merchant }))).merchant
        : await merchantNamed(ask, wanted);
      return { json: shown, text: merchantText(shown) };
    },
};
