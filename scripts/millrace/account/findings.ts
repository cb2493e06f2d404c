// What is wrong with what AWS holds of a deployment, and what to do, a line each.
import { changesSince } from '#cdk/deployed-settings.ts';
import type { AlarmSeen, Deployed, SourceSeen, TableSeen } from './deployed.ts';

export interface Finding {
  readonly what: string;
  readonly todo: string;
}

/** Settings as they are on this machine; null where there is no file of them. */
export interface OwnSettings {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const DEPLOY = 'npx millrace deploy';

export const findingsOf = (deployed: Deployed, own: OwnSettings | null): readonly Finding[] => [
  ...ofRecord(deployed, own),
  ...deployed.alarms.flatMap(ofAlarm),
  ...deployed.tables.flatMap(ofTable),
  ...deployed.sources.flatMap(ofSource),
];

function ofRecord({ record, tables }: Deployed, own: OwnSettings | null): readonly Finding[] {
  // What is ephemeral is made without a file.
  if (record === null && tables.every(({ wanted }) => !wanted.isProtected)) return [];
  if (record === null)
    return [{ what: 'what the deployment was made from is not kept', todo: `${DEPLOY}: it keeps it` }];
  if (own === null || record === undefined) return [];
  try {
    const { lost, fixed, changed, otherFile } = changesSince(record, own.file, own.values);
    const found = [
      ...lost.map(({ text }) => `${text} is deployed, and not in the file of settings`),
      ...fixed.map((name) => `${name} is another than it was deployed with, and cannot be changed`),
      ...changed.map((text) => `not deployed yet: ${text}`),
      ...(otherFile === undefined ? [] : [`deployed from ${otherFile}.json, not ${own.file}.json`]),
    ];
    return found.map((what) => ({ what, todo: `mend cdk/environments/${own.file}.json, or ${DEPLOY}` }));
  } catch (error) {
    return [{ what: (error as Error).message, todo: `${DEPLOY}: it is written anew` }];
  }
}

function ofAlarm({ name, now }: AlarmSeen): readonly Finding[] {
  if (now === null)
    return [{ what: `the alarm ${name} is gone`, todo: `${DEPLOY} after its stack is mended` }];
  const found: Finding[] = [];
  if (now.state === 'ALARM')
    found.push({ what: `the alarm ${name} stands`, todo: 'docs/runbook.md, under its name' });
  if (!now.isOn)
    found.push({
      what: `the alarm ${name} is switched off`,
      todo: `aws cloudwatch enable-alarm-actions --alarm-names ${name}`,
    });
  if (!now.acts)
    found.push({ what: `the alarm ${name} says it to no one`, todo: `${DEPLOY}: its topic is gone` });
  return found;
}

function ofTable({ name, wanted, now }: TableSeen): readonly Finding[] {
  if (now === null) return [{ what: `the table ${name} is gone`, todo: 'docs/restore.md' }];
  const found: Finding[] = [];
  if (wanted.expiry !== null && now.expiry !== wanted.expiry)
    found.push({
      what: `what has expired stays in ${name}`,
      todo: 'tail: what sweep says of pages; it is on purpose with pages false',
    });
  if (wanted.isRecoverable && !now.isRecoverable)
    found.push({
      what: `${name} cannot be restored to a point in time`,
      todo: `aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    });
  if (wanted.isProtected && !now.isProtected)
    found.push({
      what: `${name} may be deleted`,
      todo: `aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`,
    });
  return found;
}

const isOff = (state: string): boolean => state === 'Disabled' || state === 'Disabling';

function ofSource({ name, state, mayRest }: SourceSeen): readonly Finding[] {
  if (state === 'gone')
    return [{ what: `nothing takes from ${name}: its event source is gone`, todo: DEPLOY }];
  if (!isOff(state) || mayRest) return [];
  return [
    {
      what: `nothing takes from ${name}: its event source is ${state.toLowerCase()}, and never rests`,
      todo: 'aws lambda update-event-source-mapping --enabled --uuid, of that queue',
    },
  ];
}
