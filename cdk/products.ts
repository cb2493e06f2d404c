// The products, each as the stacks it adds. A product refers to core and to itself: any of them can be deployed, or taken
// away, without the others.
import type { App, IStackSynthesizer } from 'aws-cdk-lib';
import type { ProductName, Settings } from './settings.ts';
import { stackName } from './stack-names.ts';
import type { CoreStack } from './stacks/core.ts';
import { EventsStack } from './stacks/events.ts';
import { EventsDataStack } from './stacks/events-data.ts';
import { HelpdeskStack } from './stacks/helpdesk.ts';
import { HelpdeskDataStack } from './stacks/helpdesk-data.ts';
import { OperatorStack } from './stacks/operator.ts';

/** What a product stands on. */
export interface Ground {
  readonly settings: Settings;
  readonly core: CoreStack;
  /** One for each stack. */
  readonly synthesizer: () => IStackSynthesizer;
}

export type Product = (app: App, ground: Ground) => void;

const events: Product = (app, { settings, core, synthesizer }) => {
  const { environment } = settings;
  const own = () => ({ settings, synthesizer: synthesizer() });
  const data = new EventsDataStack(app, stackName(environment, 'EventsData'), own());
  new EventsStack(app, stackName(environment, 'Events'), { ...own(), core, data });
};

const helpdesk: Product = (app, { settings, core, synthesizer }) => {
  const { environment } = settings;
  const own = () => ({ settings, synthesizer: synthesizer() });
  const data = new HelpdeskDataStack(app, stackName(environment, 'HelpdeskData'), own());
  new HelpdeskStack(app, stackName(environment, 'Helpdesk'), { ...own(), core, data });
};

/** Of no product: it looks after the merchants of all of them. */
const operator: Product = (app, { settings, core, synthesizer }) => {
  const { environment } = settings;
  const tables = (name: 'EventsData' | 'HelpdeskData') => app.node.tryFindChild(stackName(environment, name));
  new OperatorStack(app, stackName(environment, 'Operator'), {
    settings,
    core,
    data: tables('EventsData') as EventsDataStack | undefined,
    helpdesk: tables('HelpdeskData') as HelpdeskDataStack | undefined,
    synthesizer: synthesizer(),
  });
};

const BY_NAME: Readonly<Record<ProductName, Product>> = { events, helpdesk };

/** What merchants use. */
export const MERCHANT_PRODUCTS: readonly Product[] = Object.values(BY_NAME);

/** Those of a deployment. */
export const productsOf = ({ products }: Pick<Settings, 'products'>): readonly Product[] => [
  ...products.map((name) => BY_NAME[name]),
  operator,
];
