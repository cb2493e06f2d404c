// Replays: recover after an outage. A plan is stored in the service: a reload, or another person, sees the same one.
import { useQueryClient } from '@tanstack/react-query';
import { useRefusal } from '#dashboard/app/account.ts';
import { useAsk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Page, Panel } from '#dashboard/parts/page.tsx';
import { Empty, Loaded, Notice } from '#dashboard/parts/states.tsx';
import { useUrlState } from '#dashboard/parts/url-state.ts';
import { OneReplay } from './one-replay.tsx';
import { PlanForm } from './plan-form.tsx';

const REPLAYS_KEY = ['replays'] as const;

export default function ReplaysPage() {
  const [{ cursor }, change] = useUrlState();
  const queries = useQueryClient();
  const update = (): void => void queries.invalidateQueries({ queryKey: REPLAYS_KEY });
  const refusal = useRefusal('createReplay');
  const replays = useAsk(
    [...REPLAYS_KEY, cursor],
    (client, signal) =>
      client.listReplays({ query: { limit: 20, ...(cursor === undefined ? {} : { cursor }) } }, { signal }),
    { everyMs: useLive(), keep: true },
  );
  return (
    <Page title="Replays" about="Send stored events once more, after an outage or to a platform that is new.">
      <Notice tone="plain">
        Nothing counts twice: platforms get the id of the original event, by which they know what they have,
        and our own figures leave replays out.
      </Notice>
      {refusal === undefined ? <PlanForm made={update} /> : <Notice tone="plain">{refusal}</Notice>}
      <Panel title="Plans">
        <Loaded query={replays} rows={4}>
          {({ replays: plans, next_cursor }) =>
            plans.length === 0 ? (
              <Empty title="There was no replay yet">
                A dry run counts what one would do, and sends nothing.
              </Empty>
            ) : (
              <>
                <ul>
                  {plans.map((replay) => (
                    <OneReplay key={replay.id} replay={replay} refusal={refusal} update={update} />
                  ))}
                </ul>
                {next_cursor !== null && (
                  <Button onClick={() => change({ cursor: next_cursor })}>Older ones</Button>
                )}
              </>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}
