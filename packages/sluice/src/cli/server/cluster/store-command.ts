import type { InitiatedStore } from '@sluice/postgres'
import { Command } from 'commander'
import { storeAddress, storeOption } from '../../flags/store-address.ts'
import { printLine } from '../../terminal/print-line.ts'

interface StoreFlags {
  readonly store?: string
  readonly role: string
}

/** `sluice store`: creates and upgrades the tables of a cluster, so that its processes need no right to do that. */
export function storeCommand(): Command {
  const init = withOptions('init')
    .description('create the tables of a store in a database, with a role that may')
    .addHelpText('after', '\nExamples:\n  sluice store init --store postgres://owner@db/sluice --role sluice_run')
    .action(prepare)
  const upgrade = withOptions('upgrade')
    .description('bring the tables of a store to this release, with the role that owns them')
    .addHelpText(
      'after',
      `
Processes of the release before may keep running, unless this release changes what they use: then the upgrade is
refused until they have stopped.

Examples:
  sluice store upgrade --store postgres://owner@db/sluice --role sluice_run`,
    )
    .action(prepare)
  return new Command('store')
    .description('create or upgrade the tables that several processes share')
    .addCommand(init)
    .addCommand(upgrade)
    .addHelpText(
      'after',
      `
Both print what to grant to the role of the processes. sluice serve does the same by itself when its role may.

Examples:
  sluice store init --store postgres://owner@db/sluice --role sluice_run
  sluice store upgrade --store postgres://owner@db/sluice --role sluice_run`,
    )
}

function withOptions(name: string): Command {
  return new Command(name)
    .addOption(storeOption('database of the store'))
    .option('--role <name>', 'role of the processes, for the grants', 'sluice_run')
}

async function prepare({ store, role }: StoreFlags): Promise<void> {
  const [{ initPostgresStore }, { asCliError }] = await Promise.all([
    import('@sluice/postgres'),
    import('../../as-cli-error.ts'),
  ])
  const done = await initPostgresStore({ ...storeAddress(store), role }).catch((error) =>
    Promise.reject(asCliError(error)),
  )
  process.stderr.write(`${whatWasDone(done)}\n`)
  printLine(done.grants.join('\n'))
}

function whatWasDone({ before, now }: InitiatedStore): string {
  if (before.cluster === 0) return 'Created the tables. For the role of the processes, run:'
  if (before.cluster === now.cluster && before.shared === now.shared)
    return 'The tables are those of this release. For the role of the processes, run:'
  return `Upgraded the tables from version ${before.shared}.${before.cluster} to ${now.shared}.${now.cluster}. For the role of the processes, run:`
}
