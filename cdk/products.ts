// The products, each as the stacks it adds. A product refers to core and to itself: any of them can be deployed, or taken
// away, without the others.
import type { App, IStackSynthesizer } from 'aws-cdk-lib';
import type { Settings } from './settings.ts';
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
  const data = new EventsDataStack(app, 'MillraceEventsData', { settings, synthesizer: synthesizer() });
  new EventsStack(app, 'MillraceEvents', { settings, core, data, synthesizer: synthesizer() });
};

const helpdesk: Product = (app, { settings, core, synthesizer }) => {
  const data = new HelpdeskDataStack(app, 'MillraceHelpdeskData', { settings, synthesizer: synthesizer() });
  new HelpdeskStack(app, 'MillraceHelpdesk', { settings, core, data, synthesizer: synthesizer() });
};

/** Of no product: it looks after the merchants of all of them. */
const operator: Product = (app, { settings, core, synthesizer }) => {
  const data = app.node.tryFindChild('MillraceEventsData') as EventsDataStack | undefined;
  new OperatorStack(app, 'MillraceOperator', { settings, core, data, synthesizer: synthesizer() });
};

/** What merchants use. */
export const MERCHANT_PRODUCTS: readonly Product[] = [events, helpdesk];

export const PRODUCTS: readonly Product[] = [...MERCHANT_PRODUCTS, operator];
