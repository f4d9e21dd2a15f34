import { ownVersion } from '../workspace/own-version.ts'
import { CliError } from './cli-error.ts'
import { docsOf } from './server/ask-server.ts'
import { sluiceProgram } from './sluice-program.ts'

/**
 * Runs `sluice` in this process and sets `process.exitCode` when the command fails. Wrong usage, `--help` and
 * `--version` end the process.
 */
export async function runSluice(args: readonly string[]): Promise<void> {
  try {
    await sluiceProgram(ownVersion()).parseAsync(args, { from: 'user' })
  } catch (error) {
    // An expected failure is reported in one line; anything else is a bug, reported with its stack.
    const text =
      error instanceof CliError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error
    const docs = docsOf(error)
    process.stderr.write(`sluice: ${text}\n${docs === undefined ? '' : `What to do: ${docs}\n`}`)
    process.exitCode = error instanceof CliError ? error.exitStatus : 1
  }
}
