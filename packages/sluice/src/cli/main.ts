import './terminal-colours.ts'
import { readFileSync } from 'node:fs'
import { CliError } from './cli-error.ts'
import { sluiceProgram } from './program.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

try {
  await sluiceProgram(version).parseAsync()
} catch (error) {
  // An expected failure is told in a line; anything else is a bug, and its stack is what helps.
  const text =
    error instanceof CliError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error
  process.stderr.write(`sluice: ${text}\n`)
  process.exitCode = error instanceof CliError ? error.exitStatus : 1
}
