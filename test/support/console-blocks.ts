import { spawnSync } from 'node:child_process'

/** One command of a console block, and what the block says it prints. */
export interface ConsoleCommand {
  readonly command: string
  readonly output: readonly string[]
}

/** A block of `$ command` lines, each with its output below. */
export function consoleCommands(block: string): readonly ConsoleCommand[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.trimEnd().split('\n')
      return { command, output }
    })
}

/** What differs from run to run: times and throughput. */
export function masked(line: string): string {
  return line.replaceAll(/\d[\d.,]* ?(ms|µs|s|events\/s)\b/g, '# $1').trimEnd()
}

/** A pattern of output in which a line `…` stands for any lines, none included. Times may be any. */
export function outputPattern(output: readonly string[]): RegExp {
  const lines = output.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${escaped(masked(line))}\\n`))
  return new RegExp(`^${lines.join('')}$`)
}

/** Runs a command in a shell, `sluice` being the built one. @returns standard output, masked. */
export function runLine(command: string, cwd: string, env: NodeJS.ProcessEnv): string {
  const { stdout } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', timeout: 60_000 })
  return stdout.split('\n').map(masked).join('\n')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
