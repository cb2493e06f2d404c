// A shop of one's own, for a person who is in none, where the operator lets people make one. What is made is shown as any other.
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Field, Form } from '../parts/field.tsx';
import { Failure, Panel } from '../parts/page.tsx';
import { useProblems } from '../parts/problems.ts';
import { type Input, useApi, useChange } from './api.tsx';
import { switchShop } from './shop.ts';

/** As the browser knows it; the API refuses a zone that it does not know. */
const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export default function NewShop() {
  const { session } = useApi();
  const person = session.person() ?? '';
  const [shop, setShop] = useState({
    name: '',
    email: person.includes('@') ? person : '',
    time_zone: ownZone(),
    reporting_currency: '',
  });
  const make = useChange(
    ({ client }, body: Input<'createMerchant'>['body']) => client.createMerchant({ body }),
    { done: ({ body }) => switchShop(person, body.merchant.id, '/') },
  );
  const problems = useProblems(make.error, ['name', 'email', 'time_zone', 'reporting_currency']);
  const at = (field: keyof typeof shop) => ({
    value: shop[field],
    problem: problems.at(field),
    change: (text: string) => setShop({ ...shop, [field]: text }),
  });
  const send = () => {
    const { name, email, time_zone, reporting_currency } = shop;
    make.send({
      name,
      email,
      ...(time_zone.trim() === '' ? {} : { time_zone: time_zone.trim() }),
      ...(reporting_currency.trim() === '' ? {} : { reporting_currency: reporting_currency.trim() }),
    });
  };
  return (
    <Panel title="Your shop">
      <Form ref={problems.form} className="flex max-w-160 flex-col gap-3" send={send}>
        <Field label="Name" required maxLength={200} {...at('name')} />
        <Field label="E-mail" type="email" required help="Where the shop is reached." {...at('email')} />
        <Field label="Time zone" help="Whose days figures are of; without one, UTC." {...at('time_zone')} />
        <Field
          label="Currency"
          help="In which sums are shown together, such as EUR; without one, each by itself."
          maxLength={3}
          {...at('reporting_currency')}
        />
        <Failure error={problems.rest} />
        <Button className="self-start" type="submit" kind="primary" busy={make.isPending}>
          Make the shop
        </Button>
      </Form>
    </Panel>
  );
}
