// Sending an event once more to the platforms where it failed. One press is one request.
import { useQueryClient } from '@tanstack/react-query';
import { useRefusal } from '../../../app/account.ts';
import { useChange } from '../../../app/api.tsx';
import { Button } from '../../../parts/button.tsx';
import { Failure } from '../../../parts/states.tsx';
import type { EventAnswer } from './event.tsx';

interface ResendProps {
  readonly id: string;
  readonly deliveries: EventAnswer['deliveries'];
}

export function ResendActions({ id, deliveries }: ResendProps) {
  const queries = useQueryClient();
  const again = (): void => void queries.invalidateQueries({ queryKey: ['event', id] });
  const retry = useChange((client, key: string) =>
    client.retryFailed({ params: { id }, body: {}, headers: { 'idempotency-key': key } }),
  );
  const hasFailed = deliveries.some(({ status }) => /^(?:FAILED|ERROR|RETRY)$/.test(status));
  const refusal = useRefusal('retryFailed');
  if (!hasFailed && retry.data === undefined) return null;
  return (
    <>
      <Button
        kind="primary"
        busy={retry.isPending}
        refused={refusal}
        onClick={() => retry.send(crypto.randomUUID(), again)}
      >
        Retry what failed
      </Button>
      {retry.data && <output>Sent again.</output>}
      {retry.error && <Failure error={retry.error} />}
    </>
  );
}
