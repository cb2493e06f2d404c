import { type Command, textOf, UsageProblem } from '../command.ts';
import { createMerchant } from '../merchants.ts';
import { printedMerchant } from '../printed-merchant.ts';

export const createMerchantCommand: Command = {
  name: 'merchants create',
  takes: ['<name>'],
  purpose:
    'Makes a merchant, its owner and its first API keys; repeated, nothing twice. A key is shown once.',
  options: {
    owner: {
      type: 'string',
      value: 'e-mail',
      help: 'who may do everything for the merchant; gets a mail with a first password',
    },
    subject: {
      type: 'string',
      value: 'sub',
      help: 'of the owner at your own issuer, where the deployment has no user pool of its own',
    },
    id: { type: 'string', value: 'uuid', help: 'of the merchant; default: made from name and owner' },
    'admin-key': {
      type: 'boolean',
      help: 'one more key, which may do everything (connect platforms, without a sign-in)',
    },
    test: { type: 'boolean', help: 'keys whose events are tests (evk_test_)' },
    'new-keys': {
      type: 'boolean',
      help: 'makes keys although there are some, for example when the first ones were lost',
    },
  },
  prepare(given) {
    const { values, positionals } = given;
    const owner = textOf(given, 'owner');
    if (owner === undefined) throw new UsageProblem('Say who owns it: --owner you@shop.example');
    return async ({ deployment, ask, nowMs }) => {
      const wanted = {
        name: positionals[0] ?? '',
        owner,
        subject: textOf(given, 'subject'),
        id: textOf(given, 'id'),
        environment: values.test === true ? 'test' : 'live',
        adminKey: values['admin-key'] === true,
        newKeys: values['new-keys'] === true,
      } as const;
      const made = await createMerchant(deployment, wanted, ask);
      const { ingestionUrl: ingestion, apiUrl: api, helpdeskUrl: helpdesk } = deployment;
      const json = { ...made, urls: { ingestion, api, helpdesk } };
      return { json, text: printedMerchant(made, deployment, nowMs) };
    };
  },
};
