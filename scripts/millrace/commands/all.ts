import type { Command } from '../command.ts';
import { completionOf } from './completion.ts';
import { cost } from './cost.ts';
import { createMerchantCommand } from './create-merchant.ts';
import { doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { exportMerchant } from './export-merchant.ts';
import { limitMerchant } from './limit-merchant.ts';
import { listMerchants, showMerchant } from './list-merchants.ts';
import { pausePlatform, resumePlatform } from './pause-platform.ts';
import { invitePerson, listPeople } from './people.ts';
import { redrive } from './redrive.ts';
import { removeMerchant } from './remove-merchant.ts';
import { replay } from './replay.ts';
import { restore } from './restore.ts';
import { rotateCredentials } from './rotate-credentials.ts';
import { status } from './status.ts';
import { resumeMerchant, suspendMerchant } from './suspend-merchant.ts';
import { migratePartitions } from './tables/migrate-partitions.ts';
import { row } from './tables/row.ts';
import { tail } from './tail.ts';
import { verify } from './verify.ts';

export const COMMANDS: readonly Command[] = [
  createMerchantCommand,
  listMerchants,
  showMerchant,
  limitMerchant,
  suspendMerchant,
  resumeMerchant,
  removeMerchant,
  invitePerson,
  listPeople,
  status,
  explain,
  redrive,
  replay,
  verify,
  exportMerchant,
  rotateCredentials,
  row,
  migratePartitions,
  tail,
  cost,
  doctor,
  completionOf(() => COMMANDS, ['emulator', 'local', 'json', 'help']),
  pausePlatform,
  resumePlatform,
  restore,
];
