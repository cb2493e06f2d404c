// Replays: recover after an outage. A plan is stored in the service: a reload, or another person, sees the same one.
import { useRefusal } from '#dashboard/app/account.ts';
import { useAsk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Empty, LoadedPanel, Notice, Page } from '#dashboard/parts/page.tsx';
import { useUrlState } from '#dashboard/parts/url-state.ts';
import { OneReplay } from './one-replay.tsx';
import { PlanForm } from './plan-form.tsx';

export default function ReplaysPage() {
  const [{ cursor }, change] = useUrlState();
  const refusal = useRefusal('createReplay');
  const replays = useAsk('listReplays', { query: { limit: 20, cursor } }, { everyMs: useLive(), keep: true });
  return (
    <Page title="Replays" about="Send stored events once more, after an outage or to a platform that is new.">
      <Notice tone="plain">
        Nothing counts twice: platforms get the id of the original event, by which they know what they have,
        and our own figures leave replays out.
      </Notice>
      {refusal === undefined ? <PlanForm /> : <Notice tone="plain">{refusal}</Notice>}
      <LoadedPanel title="Plans" query={replays} rows={4}>
        {({ replays: plans, next_cursor }) =>
          plans.length === 0 ? (
            <Empty title="There was no replay yet">
              A dry run counts what one would do, and sends nothing.
            </Empty>
          ) : (
            <>
              <ul>
                {plans.map((replay) => (
                  <OneReplay key={replay.id} replay={replay} refusal={refusal} />
                ))}
              </ul>
              {next_cursor !== null && (
                <Button onClick={() => change({ cursor: next_cursor })}>Older ones</Button>
              )}
            </>
          )
        }
      </LoadedPanel>
    </Page>
  );
}
