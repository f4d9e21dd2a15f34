import { Command } from 'commander'
import { destinationsCommand } from './destinations/destinations-command.ts'
import { benchCommand } from './offline/bench-command.ts'
import { completionCommand } from './offline/completion-command.ts'
import { initCommand } from './offline/init-command.ts'
import { replCommand } from './offline/repl-command.ts'
import { runCommand } from './offline/run-command.ts'
import { testCommand } from './offline/test-command.ts'
import { backupCommand } from './server/backup-command.ts'
import { clusterCommand } from './server/cluster/cluster-command.ts'
import { migrateCommand } from './server/cluster/migrate-command.ts'
import { storeCommand } from './server/cluster/store-command.ts'
import { deadLettersCommand } from './server/dead-letters-command.ts'
import { pullCommand } from './server/pull-command.ts'
import { pushCommand } from './server/push-command.ts'
import { regulationsCommand } from './server/regulations-command.ts'
import { replayCommand } from './server/replay-command.ts'
import { salvageCommand } from './server/salvage-command.ts'
import { serveCommand } from './server/serve/serve-command.ts'
import { tapCommand } from './server/tap-command.ts'
import { tokenCommand } from './server/token-command.ts'
import { wrapHelpOf } from './terminal/wrap-help.ts'

/** Creates the `sluice` command with all its subcommands. */
export function sluiceProgram(version: string): Command {
  const program = new Command('sluice')
    .description('An event pipeline engine with governance built in.')
    .version(version)
    .showHelpAfterError('(sluice --help lists the commands)')
    .commandsGroup('Write and test transformations, offline:')
    .addCommand(initCommand())
    .addCommand(testCommand())
    .addCommand(replCommand())
    .addCommand(runCommand())
    .addCommand(benchCommand())
    .commandsGroup('Publish them to a server:')
    .addCommand(pushCommand())
    .addCommand(pullCommand())
    .commandsGroup('Run a server:')
    .addCommand(serveCommand())
    .addCommand(destinationsCommand())
    .addCommand(tokenCommand())
    .addCommand(backupCommand())
    .addCommand(salvageCommand())
    .addCommand(storeCommand())
    .addCommand(migrateCommand())
    .commandsGroup('Observe and operate a server:')
    .addCommand(tapCommand())
    .addCommand(deadLettersCommand())
    .addCommand(replayCommand())
    .addCommand(regulationsCommand())
    .addCommand(clusterCommand())
    .commandsGroup('Other:')
    .addCommand(completionCommand())
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
