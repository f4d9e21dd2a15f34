import { Command } from 'commander'
import { backupCommand } from './backup.ts'
import { benchCommand } from './bench.ts'
import { completionCommand } from './completion.ts'
import { deadLettersCommand } from './dead-letters.ts'
import { initCommand } from './init.ts'
import { pullCommand } from './pull.ts'
import { pushCommand } from './push.ts'
import { regulationsCommand } from './regulations.ts'
import { replCommand } from './repl.ts'
import { replayCommand } from './replay.ts'
import { runCommand } from './run.ts'
import { salvageCommand } from './salvage.ts'
import { serveCommand } from './serve.ts'
import { tapCommand } from './tap.ts'
import { testCommand } from './test/test.ts'
import { tokenCommand } from './token.ts'

/** The `sluice` command with all that is below it. */
export function sluiceProgram(version: string): Command {
  return new Command('sluice')
    .description('An event pipeline engine with governance built in.')
    .version(version)
    .showHelpAfterError('(sluice --help lists the commands)')
    .commandsGroup('Write and test transformations, offline:')
    .addCommand(initCommand())
    .addCommand(testCommand())
    .addCommand(replCommand())
    .addCommand(runCommand())
    .addCommand(benchCommand())
    .commandsGroup('Publish them at a server:')
    .addCommand(pushCommand())
    .addCommand(pullCommand())
    .commandsGroup('Run a server:')
    .addCommand(serveCommand())
    .addCommand(tokenCommand())
    .addCommand(backupCommand())
    .addCommand(salvageCommand())
    .commandsGroup('See and mend what a server does:')
    .addCommand(tapCommand())
    .addCommand(deadLettersCommand())
    .addCommand(replayCommand())
    .addCommand(regulationsCommand())
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
}
