import { Command } from 'commander'
import { checkDestinationsCommand, destinationTypesCommand } from './destinations/destination-types-command.ts'
import { diffCommand } from './diff/diff-command.ts'
import { benchCommand } from './offline/bench/bench-command.ts'
import { checkCommand } from './offline/check-command.ts'
import { completionCommand } from './offline/completion/completion-command.ts'
import { explainCommand } from './offline/explain-command.ts'
import { importCommand } from './offline/import-command.ts'
import { initCommand } from './offline/init/init-command.ts'
import { replCommand } from './offline/repl/repl-command.ts'
import { runCommand } from './offline/run-command.ts'
import { schemaCommand } from './offline/schema-command.ts'
import { testCommand } from './offline/test/test-command.ts'
import { backupCommand } from './server/backup/backup-command.ts'
import { restoreCommand } from './server/backup/restore-command.ts'
import { salvageCommand } from './server/backup/salvage-command.ts'
import { clusterCommand } from './server/cluster/cluster-command.ts'
import { migrateCommand } from './server/cluster/migrate-command.ts'
import { storeCommand } from './server/cluster/store-command.ts'
import { completeIdsCommand } from './server/complete-ids-command.ts'
import { exportCommand } from './server/configure/export-command.ts'
import { applyCommand, planCommand } from './server/configure/plan-command.ts'
import { deadLettersCommand } from './server/dead-letters/dead-letters-command.ts'
import { replayCommand } from './server/dead-letters/replay-command.ts'
import { devCommand } from './server/dev/dev-command.ts'
import {
  changesCommand,
  healthCommand,
  statsCommand,
  traceCommand,
  usersCommand,
  whyCommand,
} from './server/insight/insight-commands.ts'
import { ledgerCommand } from './server/ledger-command.ts'
import { loginCommand, logoutCommand } from './server/login-command.ts'
import { pauseCommands } from './server/records/pause-commands.ts'
import { recordKinds } from './server/records/record-kinds.ts'
import { recordsCommand } from './server/records/records-command.ts'
import { rotateCommand } from './server/records/rotate-command.ts'
import { tryCommand } from './server/records/try-command.ts'
import { regulationsCommand } from './server/regulations/regulations-command.ts'
import { serveCommand } from './server/serve/serve-command.ts'
import { pullCommand } from './server/sync/pull-command.ts'
import { pushCommand } from './server/sync/push-command.ts'
import { tapCommand } from './server/tap/tap-command.ts'
import { tokenCommand } from './server/token-command.ts'
import { typesCommand } from './server/tracking-plan/types-command.ts'
import { librariesCommand, transformationsCommand } from './server/transformations/transformations-command.ts'
import { warehouseCommand } from './server/warehouse/warehouse-command.ts'
import { wrapHelpOf } from './terminal/wrap-help.ts'

function destinationsCommand(): Command {
  const command = recordsCommand(recordKinds.destinations)
    .addCommand(checkDestinationsCommand())
    .addCommand(tryCommand())
  for (const each of pauseCommands()) command.addCommand(each)
  return command
}

/** Creates the `sluice` command with all its subcommands. */
export function sluiceProgram(version: string): Command {
  const program = new Command('sluice')
    .description('An event pipeline engine with governance built in.')
    .version(version)
    .showHelpAfterError('(sluice --help lists the commands)')
    // A command and its subcommands may have options of the same name.
    .enablePositionalOptions()
    .commandsGroup('Write and test transformations, offline:')
    .addCommand(initCommand())
    .addCommand(testCommand())
    .addCommand(replCommand())
    .addCommand(runCommand())
    .addCommand(benchCommand())
    .addCommand(diffCommand())
    .addCommand(typesCommand())
    .commandsGroup('Publish them to a server:')
    .addCommand(pushCommand())
    .addCommand(pullCommand())
    .commandsGroup('Configure a server, from files:')
    .addCommand(checkCommand())
    .addCommand(schemaCommand())
    .addCommand(importCommand())
    .addCommand(planCommand())
    .addCommand(applyCommand())
    .addCommand(exportCommand())
    .commandsGroup('Configure a server, one by one:')
    .addCommand(loginCommand())
    .addCommand(logoutCommand())
    .addCommand(recordsCommand(recordKinds.sources).addCommand(rotateCommand()))
    .addCommand(destinationsCommand())
    .addCommand(recordsCommand(recordKinds.connections))
    .addCommand(transformationsCommand())
    .addCommand(librariesCommand())
    .commandsGroup('Run a server:')
    .addCommand(devCommand())
    .addCommand(serveCommand())
    .addCommand(destinationTypesCommand())
    .addCommand(tokenCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(salvageCommand())
    .addCommand(storeCommand())
    .addCommand(migrateCommand())
    .commandsGroup('Observe and operate a server:')
    .addCommand(tapCommand())
    .addCommand(statsCommand())
    .addCommand(whyCommand())
    .addCommand(traceCommand())
    .addCommand(changesCommand())
    .addCommand(healthCommand())
    .addCommand(deadLettersCommand())
    .addCommand(replayCommand())
    .addCommand(warehouseCommand())
    .addCommand(regulationsCommand())
    .addCommand(usersCommand())
    .addCommand(ledgerCommand())
    .addCommand(clusterCommand())
    .commandsGroup('Other:')
    .addCommand(explainCommand())
    .addCommand(completionCommand())
    .addCommand(completeIdsCommand(), { hidden: true })
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText(
      'after',
      `
Examples:
  sluice init my-transformations     # a small project with tests
  sluice serve --sample              # a server with the events of a made-up shop
  sluice test --help                 # every command shows its options and examples`,
    )
  wrapHelpOf(program)
  return program
}
