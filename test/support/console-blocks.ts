import { spawnSync } from 'node:child_process'

/** One command of a console block, and the output that the block shows. */
export interface ConsoleCommand {
  readonly command: string
  readonly output: readonly string[]
}

/** Returns the `$ command` lines of a block, each with the output below it. */
export function consoleCommands(block: string): readonly ConsoleCommand[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.trimEnd().split('\n')
      return { command, output }
    })
}

/** Masks what differs from run to run: times and throughput. */
export function masked(line: string): string {
  return line.replaceAll(/\d[\d.,]* ?(ms|µs|s|events\/s)\b/g, '# $1').trimEnd()
}

/** Returns a pattern of output in which a line `…` matches any number of lines, also none. Times match any time. */
export function outputPattern(output: readonly string[]): RegExp {
  const lines = output.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${escaped(masked(line))}\\n`))
  return new RegExp(`^${lines.join('')}$`)
}

/** Runs a command in a shell, with `sluice` as the built one. @returns standard output, masked. */
export function runLine(command: string, cwd: string, env: NodeJS.ProcessEnv): string {
  const { stdout } = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', timeout: 60_000 })
  return stdout.split('\n').map(masked).join('\n')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
