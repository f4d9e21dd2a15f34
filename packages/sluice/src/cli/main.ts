import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { backupCommand } from './backup.ts'
import { benchCommand } from './bench.ts'
import { CliError } from './cli-error.ts'
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

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Command('sluice')
  .description('An event pipeline engine with governance built in.')
  .version(version)
  .showHelpAfterError('(sluice --help lists the commands)')
  .addCommand(serveCommand())
  .addCommand(initCommand())
  .addCommand(testCommand())
  .addCommand(runCommand())
  .addCommand(replCommand())
  .addCommand(benchCommand())
  .addCommand(pushCommand())
  .addCommand(pullCommand())
  .addCommand(regulationsCommand())
  .addCommand(deadLettersCommand())
  .addCommand(replayCommand())
  .addCommand(tapCommand())
  .addCommand(backupCommand())
  .addCommand(salvageCommand())
  .addCommand(tokenCommand())
  .addCommand(completionCommand())

try {
  await program.parseAsync()
} catch (error) {
  // An expected failure is told in a line; anything else is a bug, and its stack is what helps.
  const text =
    error instanceof CliError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error
  process.stderr.write(`sluice: ${text}\n`)
  process.exitCode = error instanceof CliError ? error.exitStatus : 1
}
