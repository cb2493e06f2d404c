// Whether tables delete what has expired (time to live), and the switch of it. "It can take up to one hour for the change to fully
// process. Any additional UpdateTimeToLive calls for the same table during this one hour duration result in a ValidationException"
// (DynamoDB API reference, UpdateTimeToLive, 2026-11-27).
import { DescribeTimeToLiveCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import type { TableExpiry } from '#lib/events/ports/page-store.ts';
import type { Db } from '../../core/items/commands.ts';

export function createTableExpiry(db: Db, tables: readonly string[], AttributeName = 'expires'): TableExpiry {
  const isOn = async (TableName: string): Promise<boolean> => {
    const { TimeToLiveDescription: found } = await db.send(new DescribeTimeToLiveCommand({ TableName }));
    return found?.TimeToLiveStatus === 'ENABLED' || found?.TimeToLiveStatus === 'ENABLING';
  };
  return {
    isOn: async () => (await Promise.all(tables.map(isOn))).some(Boolean),
    async turn(Enabled) {
      for (const TableName of tables) {
        if ((await isOn(TableName)) === Enabled) continue;
        const TimeToLiveSpecification = { Enabled, AttributeName };
        try {
          await db.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
        } catch (error) {
          // An emulator that deletes nothing.
          if ((error as Error).name !== 'UnknownOperationException') throw error;
        }
      }
    },
  };
}
