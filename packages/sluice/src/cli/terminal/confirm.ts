import { createInterface } from 'node:readline/promises'
import { CliError } from '../cli-error.ts'

/**
 * Asks the user whether to continue.
 * @throws CliError without a terminal, since no one could answer.
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError('there is no terminal to confirm on; give --yes to go ahead')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await new Promise<string>((resolve) => {
      // Ctrl-D and Ctrl-C mean no.
      terminal.once('close', () => resolve(''))
      terminal.question(`${question} [y/N] `).then(resolve, () => resolve(''))
    })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
