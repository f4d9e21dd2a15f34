import { createInterface } from 'node:readline/promises'
import { CliError } from '../cli-error.ts'

/**
 * Asks the person at the terminal whether to go on.
 * @throws CliError where there is none: silence is no consent.
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError('nobody is there to confirm; give --yes to go ahead, or --dry-run to only look')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
