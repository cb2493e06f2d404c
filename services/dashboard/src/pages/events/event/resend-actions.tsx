// Sending an event once more: everywhere, to chosen platforms, or where it failed. What a role or the event does not allow is
// said, not hidden; what was done is said with a link to the new event.
import { useState } from 'react';
import { Link } from 'wouter';
import { useRefusal } from '#dashboard/app/account.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { lazily } from '#dashboard/parts/lazily.tsx';
import { Notice } from '#dashboard/parts/page.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { Id } from '#dashboard/parts/written.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';
import type { EventAnswer } from './event.tsx';
import { hasFailed, type ResendMode, type Resent } from './resend.ts';

const ResendDialog = lazily(() => import('./resend-dialog.tsx'));

interface ResendProps {
  readonly answer: EventAnswer;
  readonly done: (resent: Resent) => void;
}

/** Why the event itself cannot be sent. */
function obstacleOf({ event }: EventAnswer): string | undefined {
  if (event.state === 'accepted') return 'It is still on its way for the first time.';
  if (event.personal_data === 'erased') return 'Its personal data was erased.';
  return event.personal_data === 'unreadable' ? 'What is stored of it is damaged.' : undefined;
}

export function ResendActions({ answer, done }: ResendProps) {
  const [mode, setMode] = useState<ResendMode | null>(null);
  const role = useRefusal('replayEvent');
  const refused = role ?? obstacleOf(answer);
  return (
    <>
      {answer.deliveries.some(hasFailed) && (
        <Button kind="primary" refused={refused} onClick={() => setMode('retry')}>
          Retry what failed
        </Button>
      )}
      <Button refused={refused} onClick={() => setMode('replay')}>
        Replay
      </Button>
      <Button refused={refused} onClick={() => setMode('forward')}>
        Forward
      </Button>
      {refused !== undefined && <span className="text-sm text-dim">{refused}</span>}
      {mode !== null && <ResendDialog mode={mode} answer={answer} close={() => setMode(null)} done={done} />}
    </>
  );
}

export function ResentNotice({ resent: { id, to } }: { readonly resent: Resent }) {
  const { data } = usePlatforms();
  const named = to === null ? 'every connected platform' : to.map((slug) => labelOf(data, slug)).join(', ');
  return (
    <Notice tone="plain">
      ✔ Sent once more to {named}, as{' '}
      <Link href={withQuery('/event', { id })}>
        <Id>{id}</Id>
      </Link>
      . What platforms answer is shown there, in a few seconds.
    </Notice>
  );
}
