import { type FillTickets, inChunks } from '#test/support/helpdesk-records.ts';
import { memoryHelpdesk } from '../../support/memory/helpdesk.ts';
import { dueConformance } from './due.suite.ts';
import { listsConformance } from './lists.suite.ts';
import { partsConformance } from './parts.suite.ts';
import { recordsConformance } from './records.suite.ts';
import { searchConformance } from './search.suite.ts';
import { fillFound, wordSearchConformance } from './word-search.suite.ts';

const stores = memoryHelpdesk();
const open = async () => stores;
const fill: FillTickets = (tickets) => inChunks(tickets, (ticket) => stores.tickets.put(ticket, null));

recordsConformance('memory', open);
listsConformance('memory', open, fill);
partsConformance('memory', open);
searchConformance('memory', open);
dueConformance('memory', open, fill);
wordSearchConformance('memory', 15_000, { open, fill: (ws, found) => fillFound(ws, found)(stores) });
