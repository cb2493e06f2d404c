// What reading the helpdesk costs in a workspace of many tickets, one call at a time; and a sweep that finds nothing.
import { type StepCost, stepCost } from './helpdesk-cost.ts';
import { openMeteredHelpdesk } from './metered-helpdesk.ts';
import { WORKSPACE } from './metered-helpdesk-functions.ts';

export async function measureReads(tickets: number): Promise<readonly StepCost[]> {
  const desk = await openMeteredHelpdesk();
  try {
    await desk.plant(WORKSPACE, tickets);
    const get = (path: string) => () => desk.call('GET', path);
    const last = tickets - 1;
    const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['list, a page of 20', get('/api/tickets?limit=20')],
      ['list of open ones, a page of 20', get('/api/tickets?status=pending&limit=20')],
      ['conversations with counts', get('/api/v1/conversations?limit=20&counts=true')],
      ['the inbox, counted to 1,000', get('/api/v1/conversations?limit=20&counts=true&count_to=1000')],
      ['search, a word of one ticket', get(`/api/tickets?search=order${last}&limit=20`)],
      ['search, a word of every ticket', get('/api/tickets?search=parcel&limit=20')],
      ['search, both words', get(`/api/tickets?search=parcel%20order${last}&limit=20`)],
      ['sweep of nothing', () => desk.sweep()],
    ];
    // What the first call of a minute and a key costs besides.
    for (const [, call] of calls) await call();
    const costs: StepCost[] = [];
    for (const [what, call] of calls) costs.push(await stepCost(desk, what, call));
    if (desk.problems.length > 0) throw desk.problems[0];
    return costs;
  } finally {
    await desk.close();
  }
}
