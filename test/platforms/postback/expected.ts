// Written by hand from the documentation of the networks (its pages are in README.md) and not from the code, which the
// conformance suite holds against this under the connection of the first example, which is Impact's.
import type { PlatformExpectations } from '../platform-expectations.ts';

export const expected: PlatformExpectations = {
  eventNames: { otherwise: 'conversion', Refund: '-' },
  // Accounts make their own.
  ownNames: { at: null, list: ['conversion'] },
  consent: [
    ['ad_user_data=denied', 'withheld'],
    ['ad_storage=denied', 'withheld'],
    ['ad_personalization=denied', 'withheld'],
  ],
  money: {
    value: ['Amount'],
    valueForm: 'number',
    currency: 'CurrencyCode',
    orderId: null,
    items: null,
  },
  errors: {
    body: (status) =>
      status === 200
        ? { failedOrders: [{ errors: [{ field: 'awc', message: 'invalid' }] }] }
        : { Status: 'ERROR', errors: [{ field: 'OrderId', level: 'ERROR', message: 'm' }] },
    answers: [[200, ['refused'], 'event_refused']],
  },
  person: {
    Customer: { digest: 'Id Email' },
    Click: { plain: 'Id' },
    IpA: { plain: 'ddress' },
    User: { plain: 'Agent' },
  },
  plainToo: ['CustomerId'],
};
