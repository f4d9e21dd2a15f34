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
    const answer = await new Promise<string>((resolve) => {
      // Ctrl-D and Ctrl-C answer as well: no.
      terminal.once('close', () => resolve(''))
      terminal.question(`${question} [y/N] `).then(resolve, () => resolve(''))
    })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
